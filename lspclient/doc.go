// Package lspclient asks language servers about code, and says how far each answer can be trusted.
//
//	lc, err := lspclient.Open(ctx, "receiver", nil) // starts nothing yet
//	if err != nil {
//		return err
//	}
//	defer lc.Close()
//	refs, err := lc.References(ctx, lspclient.Named("Receiver.detect"), nil)
//	if err != nil {
//		return err // by errors.As and errors.Is: *AmbiguousError, ErrNotFound, *NotInstalledError, *ServerError, ...
//	}
//	for _, at := range refs.Locations {
//		fmt.Printf("%s:%d:%d\n", at.Path, at.Line, at.Col) // from 1, columns in bytes
//	}
//	fmt.Println(refs.State, refs.Reason, refs.None()) // None: the server says that there is none
//
// # Model
//
// A [Client] serves one folder, the root. A server starts with the first question about its language, once for each
// workspace folder: the nearest folder at or above the file that has one of the root markers of the server's entry. The
// known servers are described by entries: the YAML files in internal/registry/servers, and [Options.Servers]. The
// client looks up programs in the absolute folders of PATH; they must pass a probe, and are refused if they lie inside
// the root. Nothing is downloaded.
//
// A target is a place or a name. The client looks for a name in the workspace symbols of every server whose files
// contain its last part, in the symbols of the files they name, then with [Options.Locate], then in the text. Symbols
// that the server defines at the same place count once.
//
// # Guarantees
//
//   - Every call returns by the deadline of its context, or within [Options.Timeout] if it has none, whatever a server
//     does: late, stopped, dead, flooding, or sending garbage. A server that dies is started again and asked once more;
//     one that is stopped, or silent without working, is replaced by the next call; one that dies again and again is
//     left alone for a while ([BreakerError]). What crashed a server twice is not sent to it again ([CrashInputError]):
//     if several requests were under way at a crash, the guilty one is found by asking them again one at a time.
//   - An answer is [Complete] only if the server has reported, by the rule of its entry, that it has read its
//     workspace, with no work under way, and, if the entry says so, two answers to one question of that kind have
//     agreed. An empty list means "none" only if [Result.None] says so.
//   - The client tells the server about files that were created, edited, removed or renamed since the last question
//     before it asks the next, in the way that makes the server look (Freshness of a [ServerSpec]). [Client.SetOverlay]
//     sets unsaved buffers.
//   - Lines and byte columns count from 1, ranges are half-open, paths are relative to the root with forward slashes.
//     Columns are converted from and to what the server counts in (UTF-8, UTF-16 or UTF-32). A location outside the
//     root has its absolute path; a location that does not fit its file is left out, and the result is [Degraded].
//   - Calls that ask a server the same at the same time share one request. Each has its own result, deadline and
//     cancellation; the request is cancelled when the last of them has left.
//   - Close leaves no process and no goroutine behind. Processes have groups of their own, which are killed; on Linux,
//     processes that have left the group are killed too, if they kept the environment they were started with. However
//     this program ends, a small shell (/bin/sh) that waits for that on Unix kills what is left.
//   - All methods are safe for concurrent use.
//
// # What servers may do
//
// Servers run a repository's build tools. Unless [Options.Trust] is set, they start with proxies that lead nowhere and
// with settings that keep the build tools off the network: for the go command GOPROXY=off, GONOPROXY=none, GOVCS off
// and GOTOOLCHAIN=local. A -mod=mod in GOFLAGS is removed, so that go.mod is not rewritten; vendoring keeps working.
// PATH and other search paths lose their relative folders and those inside the root, and so do variables that name a
// program or code to load; variables named like secrets (TOKEN, PASSWORD, ...) are left out. On Linux the kernel gives
// servers a network of their own with nothing in it, not even localhost; if it does not allow that, only the variables
// protect ([ServerProcess] says which). This is no sandbox: servers read and write files with this program's rights.
//
// # Limits
//
// Idle servers are stopped, only a limited number runs at a time, and each has a bound on its memory: see
// [Options.IdleTimeout], [Options.MaxServers] and [Options.MaxMemory]. [Client.Servers] lists what runs.
//
// A message is at most 64 MiB, a file 16 MiB, a root 200,000 watched source files. Hidden folders, node_modules,
// __pycache__, virtual environments and links out of the root are not watched. On a local disk of Linux, a question
// asks the system's queue of changes. The queue holds every change made before the call, except writes through mapped
// memory and writes through another name of a file in a folder that is not watched; to find these, the client looks at
// every file, every ten seconds while questions come. Elsewhere every question looks at every file.
//
// Some files a server leaves out (excluded folders, what .gitignore names, other build tags). If such files contain the
// name, the client shows them to the server or asks about them, a limited number for each question; if the server still
// does not know some of them, the answer is degraded. In other files of the language, the name counts only outside of
// comments and strings. A name is looked for in the eight largest workspace folders that contain it. On systems other
// than Unix processes have no groups: children of a server end when it closes their pipes.
package lspclient
