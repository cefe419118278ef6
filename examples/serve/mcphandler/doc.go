// Package mcphandler offers a workspace to agents over the Model Context Protocol: over standard input and output, over streamable HTTP, or over any
// transport of the SDK.
//
//	feed := mcphandler.NewFeed(logger)
//	ws, err := findspot.Open(ctx, dir, &findspot.Options{Logger: feed.Logger(), Progress: feed.Progress})
//	h, err := mcphandler.New(ws, &mcphandler.Options{Feed: feed, Logger: logger})
//	err = h.Run(ctx, mcphandler.Stdio(os.Stdin, os.Stdout, nil)) // or: mux.Handle("/mcp", h)
//
// # What a client sees
//
//   - Tools: those of findspot.Workspace.Tools, the compact profile unless another is asked for, with titles, annotations, and an output schema where
//     there is a structured form. The structured form is the same answer as the text, not more.
//   - Resources: documents, their pages and sections, and entities of code, at addresses such as findspot://doc/ID/page/3. Documents and repositories are listed,
//     in pages; templates with completion lead to the rest. They are read by the tool read, with the same masks, marks and keys.
//   - Prompts: the skills of the workspace, their inputs as arguments.
//   - Progress of calls that wait for an index, and of any call that takes long; cancellation; log messages at the level that the client sets.
//   - Roots: folders that the client names become repositories when its person agrees, who is asked through the client (elicitation), and never otherwise.
//   - run_skill, where a skill is active: its steps, with approvals by the client's person.
//
// # Sessions
//
// Each session has its own keys, its own last find and its own run of the skill. Over HTTP a session ends when it is idle for [Options.Idle], and there are
// at most [Options.MaxSessions]; a stream that broke off is taken up again from a store of at most 16 MiB of events. Clients of version 2026-07-28 have
// no sessions over HTTP: they share one set of keys.
//
// # Safety
//
// Every message is checked before the SDK sees it, as package mcpstdio does: what is no message is answered with the protocol's error. Over HTTP, requests to a loopback
// address with another Host, and those from a page of another origin, are refused. A token is the matter of whoever mounts the handler.
package mcphandler
