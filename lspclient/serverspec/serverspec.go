package serverspec

// Spec is an entry of the registry: one language server.
type Spec struct {
	// Name identifies the entry, such as "gopls".
	Name string `yaml:"name" json:"name"`
	// Languages maps a language identifier of the protocol ("go", "typescriptreact") to its file extensions with dot.
	Languages map[string][]string `yaml:"languages" json:"languages"`
	// Roots are names of files or folders that mark a workspace folder. The nearest folder at or above a file that holds
	// the first of them wins; then the second is tried, and so on; then it is the client's root.
	Roots []string `yaml:"roots" json:"roots"`
	// Outermost: the farthest folder with a marker wins instead of the nearest, for servers that find the parts of a
	// workspace by themselves.
	Outermost bool `yaml:"outermost" json:"outermost"`
	// Commands are tried in order: the first whose program is on PATH and whose probe succeeds is run.
	Commands []Command `yaml:"commands" json:"commands"`
	// Env is added to the environment, "NAME=value". OfflineEnv too, unless Options.Trust is set. In a command with a data
	// folder, {shared} stands for a folder that all processes of the entry share.
	Env        []string `yaml:"env" json:"env"`
	OfflineEnv []string `yaml:"offline_env" json:"offline_env"`
	// InitOptions are the initializationOptions of the handshake.
	InitOptions map[string]any `yaml:"init_options" json:"init_options"`
	// Settings answer workspace/configuration; a section such as "python.analysis" is looked up along its dots. A string
	// "$PATH:program" is replaced by the absolute path of that program, looked up as the server's own is; where there is
	// none, by its name beside the server's program.
	Settings map[string]any `yaml:"settings" json:"settings"`
	// UntrustedInit and UntrustedSettings are laid over InitOptions and Settings, object by object, unless Options.Trust is
	// set: they switch off what runs a repository's own code.
	UntrustedInit     map[string]any `yaml:"untrusted_init" json:"untrusted_init"`
	UntrustedSettings map[string]any `yaml:"untrusted_settings" json:"untrusted_settings"`
	// Encodings are the position encodings offered to the server ("utf-8", "utf-16", "utf-32"), the best first; empty
	// means all three in that order. A single one is what the server counts in, whatever it announces or does not.
	Encodings []string `yaml:"encodings" json:"encodings"`
	// Lines is what ends a line for the server: empty for what the protocol says ("\n", "\r\n" and "\r"), "lf" for "\n"
	// alone, "ask-lf" for "\n" alone in what it is asked and the protocol's in what it answers, "ecmascript" for U+2028 and U+2029 too, "splitlines" for servers that cut columns at the lines of Python's
	// str.splitlines: places that they cannot be asked about make an error.
	Lines string `yaml:"lines" json:"lines"`
	// Reach is how far the server looks for references. Beyond it answers are degraded.
	Reach ReachRule `yaml:"reach" json:"reach"`
	// Concurrency bounds the requests in flight to one process of the server; 0 means no bound. For servers that answer
	// one after the other anyway, or wrongly when asked at once.
	Concurrency int `yaml:"concurrency" json:"concurrency"`
	// Ready says how the server tells that it has read the workspace.
	Ready ReadyRule `yaml:"ready" json:"ready"`
	// Watch names further files whose changes on disk the server is told about, beside those of its languages and Roots.
	Watch []string `yaml:"watch" json:"watch"`
	// DiskOnly: the server reads files other than the one it is asked about from the disk, even those that are open. While
	// there are overlays its answers about the workspace are degraded.
	DiskOnly bool `yaml:"disk_only" json:"disk_only"`
	// Freshness says how the server comes to see that source files were created, edited or removed on disk: "watch" (or
	// empty) when workspace/didChangeWatchedFiles is enough; "ask" when created files must also be opened and asked about, for servers
	// that load a new package only then; "reopen" when created and edited files must be opened and
	// closed again too, for servers that only look at what they are shown (where files were removed, or more than a hundred
	// changed, it is started again); "came" when files that came or went need a new process, and edited ones do not; "restart" when nothing but a new process helps. The next question waits for it.
	Freshness string `yaml:"freshness" json:"freshness"`
	// MarkerFreshness says the same of Roots and Watch: "watch" (or empty), "restart", or "came" when a new process is
	// needed only after one of them came or went in the workspace folder itself.
	MarkerFreshness string `yaml:"marker_freshness" json:"marker_freshness"`
	// Unwatched is for servers of which some versions have nobody tell them of changes on disk.
	Unwatched UnwatchedRule `yaml:"unwatched" json:"unwatched"`
	// Mentions is for servers that know only what can be reached from the files they were shown.
	Mentions MentionRule `yaml:"mentions" json:"mentions"`
	// Database is for servers that read from a file of the repository how its sources are compiled.
	Database DatabaseRule `yaml:"database" json:"database"`
	// Project: the server is not given the workspace folder but a project of this kind in the user's cache folder that
	// stands for it and links into it, so that it runs no build tool and writes nothing into the repository. "eclipse" is
	// the only kind: one project of all Java sources of the folder, without their dependencies. Where these may matter,
	// answers are degraded. The command needs {data} in its arguments: a folder for the server's own data beside it.
	Project string `yaml:"project" json:"project"`
	// Versions say what is different with some versions. The rules whose versions hold the one that the probe told are laid
	// over the entry, in their order.
	Versions []VersionRule `yaml:"versions" json:"versions"`
	// Install is the command a person runs to install it.
	Install string `yaml:"install" json:"install"`
}

// Command is one way to run a server.
type Command struct {
	Program string `yaml:"program" json:"program"` // a bare name, looked up on PATH
	// Args are its arguments. {data} stands for a folder for the server's data in the user's cache folder: empty at first,
	// used by one process at a time, and emptied when it ends.
	Args []string `yaml:"args" json:"args"`
	// Probe is run before the server and must exit with status 0; it shows that the program is more than a shim. Its
	// first word is a program in the same folder as Program. Its output gives the version. Empty: no probe. While its file stays
	// the same (path, size and time of change), what it printed counts without running it again. It has 20 seconds.
	Probe []string `yaml:"probe" json:"probe"`
	// Version is a regular expression whose first group is the version in what the probe printed; empty: the first that looks
	// like one, such as "1.2" or "v1.2.3".
	Version string `yaml:"version" json:"version"`
	// Runtime is the program that runs Program, which finds it on PATH by itself.
	Runtime Runtime `yaml:"runtime" json:"runtime"`
	// Module is a file of a Node package that the server needs, such as "typescript/lib/tsserver.js". It is looked for
	// beside the program as Node does, in the folders node_modules upwards; without it, or when it lies inside the root,
	// the command is not used. Its absolute path stands for {module} in InitOptions.
	Module string `yaml:"module" json:"module"`
	// Match: what the probe printed must match this regular expression, for programs of which only some versions serve.
	Match string `yaml:"match" json:"match"`
}

// Runtime is a program of which a server needs a certain version, such as Java's. It is looked for in the folder bin below
// the folder that the variable Home names, then on PATH; the first one counts whose probe prints what matches. The server
// is started with its folder in front of PATH, and with Home set to where it is. {runtime} in InitOptions and Settings
// stands for that, and {runtime_version} for the first group of Match.
type Runtime struct {
	Program string   `yaml:"program" json:"program"` // a bare name; empty: none is needed
	Home    string   `yaml:"home" json:"home"`       // such as JAVA_HOME; empty: PATH alone
	Probe   []string `yaml:"probe" json:"probe"`     // its arguments
	Match   string   `yaml:"match" json:"match"`     // regular expression
}

// VersionRule is what holds for some versions of a server. A version is its numbers, "1.1.300", compared one by one from the
// left; a date is one too, and what follows the numbers does not count. A version that cannot be told is older than all: it gets no
// rule that has From, so that whatever a server must know goes into such a rule and not into the entry.
type VersionRule struct {
	From  string `yaml:"from" json:"from"`   // the first of the versions; empty: however old
	Below string `yaml:"below" json:"below"` // the first that is too new; empty: however new
	// Args are added behind the command's.
	Args []string `yaml:"args" json:"args"`
	// InitOptions and Settings are laid over the entry's, object by object.
	InitOptions map[string]any `yaml:"init_options" json:"init_options"`
	Settings    map[string]any `yaml:"settings" json:"settings"`
	// Freshness, MarkerFreshness and Ready take the place of the entry's, unless empty.
	Freshness       string     `yaml:"freshness" json:"freshness"`
	MarkerFreshness string     `yaml:"marker_freshness" json:"marker_freshness"`
	Ready           *ReadyRule `yaml:"ready" json:"ready"`
	// Lacks are what these versions cannot do.
	Lacks []Lack `yaml:"lacks" json:"lacks"`
}

// Lack is something that some versions of a server cannot do.
type Lack struct {
	// Why says it in plain words behind "it": "has no outgoing calls". It is told with the state of the server, and once in each
	// answer that it concerns.
	Why string `yaml:"why" json:"why"`
	// Methods are the questions of the protocol that it concerns, such as "textDocument/references".
	Methods []string `yaml:"methods" json:"methods"`
	// Effect is what comes of it: "missing", the server counts as not offering these questions, whatever it announces;
	// "degraded", their answers are; "note" (or empty), it is only said.
	Effect string `yaml:"effect" json:"effect"`
}

// UnwatchedRule says what is done about changes on disk while a server has not registered for any: it then looks by itself,
// and later than the next question. Created and edited files are opened and closed again, as for the freshness "reopen", and
// if files came or went, or markers changed, the command is executed then.
type UnwatchedRule struct {
	// Command is one of the server's own, for workspace/executeCommand, that makes it look at the disk. What it answers
	// does not matter. Empty: nothing is done.
	Command   string `yaml:"command" json:"command"`
	Arguments []any  `yaml:"arguments" json:"arguments"`
}

// ReadyRule says how a server tells that it has read its workspace. All the rules given must hold.
type ReadyRule struct {
	// Progress: at least one piece of work reported with $/progress whose title matches this regular expression has
	// ended. With or without this rule, a server is not ready while any reported work of its own is under way.
	Progress string `yaml:"progress" json:"progress"`
	// Log: a line logged with window/logMessage matches this regular expression.
	Log string `yaml:"log" json:"log"`
	// Notify: the server has sent this notification. A later one of the same method that does not match takes it back.
	Notify NotifyRule `yaml:"notify" json:"notify"`
	// Open: the server does not get ready before it has been shown a file, so one is opened for questions about names.
	Open bool `yaml:"open" json:"open"`
	// Local: the server does not even know the declarations of a single file before it is ready.
	Local bool `yaml:"local" json:"local"`
	// Problem: reported work whose title matches this regular expression is no work but a complaint, which makes answers
	// degraded while it stands.
	Problem string `yaml:"problem" json:"problem"`
	// Ignore: reported work whose title matches this regular expression does not count as work under way once the server
	// has been ready.
	Ignore string `yaml:"ignore" json:"ignore"`
	// Broken: a published diagnostic whose code matches this regular expression makes answers degraded while it stands.
	Broken string `yaml:"broken" json:"broken"`
	// Reload: when a file that marks a workspace folder, or one of Watch, changes on disk, a piece of work whose title
	// matches this regular expression tells that the server reads its folder again; empty: any work does, and so does the
	// line of Log, and Notify taken back and given again. Until then answers are not complete, for a second at most if
	// the server says nothing.
	Reload string `yaml:"reload" json:"reload"`
	// Seen is a request that takes a text document and returns the text that the server has of it, for servers that
	// read changed files some time after they were told. Questions wait until it has the text of the disk; for a file
	// that is gone, until it fails.
	Seen string `yaml:"seen" json:"seen"`
	// Settle is for how many milliseconds after the server was told of files that came or went no answer counts, for
	// servers that take them in some time later without a word.
	Settle int `yaml:"settle" json:"settle"`
	// Relist is a request or notification, such as "workspace/diagnostic/refresh", that a server sends before its next
	// answer when it was told of a file that came or went and now lists its files anew; then the line of Log must come
	// again.
	Relist string `yaml:"relist" json:"relist"`
	// Checked: the server finds some references in a file only once it has checked it, so it is asked for the file's
	// diagnostics before.
	Checked bool `yaml:"checked" json:"checked"`
	// Agree: after the other rules hold, the first question of a kind is asked until two answers agree; again after files
	// came or went, and after the server worked again.
	Agree bool `yaml:"agree" json:"agree"`
	// Within bounds the wait for Progress and Log in seconds, for servers that say nothing when there is nothing to do;
	// 0 means 15. After it the server counts as ready once two answers agree.
	Within int `yaml:"within" json:"within"`
}

// ReachRule is how far a server looks for references. A field that is 0 or empty sets no bound.
type ReachRule struct {
	Files    int      `yaml:"files" json:"files"`       // files that it opens
	Holding  int      `yaml:"holding" json:"holding"`   // files that hold the name and are looked at closely
	Shortest int      `yaml:"shortest" json:"shortest"` // a shorter name, in characters, is not looked for in other files
	Skip     []string `yaml:"skip" json:"skip"`         // names of folders that it does not enter
	// Nested: workspace folders inside its own it reads too.
	Nested bool `yaml:"nested" json:"nested"`
	// Unlisted is how many files are asked about that hold the name and have no place in the answer: what is the same
	// symbol there is added, for servers that leave files out which they know when asked. Files that match Suspect, a
	// regular expression for the path or the first 4 KB of the text, come first; then those of folders that the answer
	// has nothing from.
	Unlisted int    `yaml:"unlisted" json:"unlisted"`
	Suspect  string `yaml:"suspect" json:"suspect"`
	// Member is a question about a position that the server answers with an error, or with nothing, in a file that it
	// does not read. An answer is degraded when such a file holds the name, with Way as the way out.
	Member string `yaml:"member" json:"member"`
	Way    string `yaml:"way" json:"way"`
	// Projects are the files that make a project of their folder, for servers that list the symbols of one project only,
	// that of the file they were shown last: symbols of the workspace are degraded where there is more than one.
	Projects []string `yaml:"projects" json:"projects"`
	// Conditional: code that the preprocessor of C switches off is not among its references. An answer is degraded when
	// the name stands there and leads to the symbol.
	Conditional bool `yaml:"conditional" json:"conditional"`
	// Unseen: the hover of symbols whose references it does not look for matches this regular expression.
	Unseen string `yaml:"unseen" json:"unseen"`
	// Macros: calls within the arguments of macros, "name!(...)", are not among the outgoing calls it gives, and are
	// looked up one by one.
	Macros bool `yaml:"macros" json:"macros"`
}

// NotifyRule matches a notification of a server.
type NotifyRule struct {
	Method string `yaml:"method" json:"method"` // such as "experimental/serverStatus"; empty: no rule
	Match  string `yaml:"match" json:"match"`   // regular expression for its params, as compact JSON
	// Undo: what takes readiness back; empty: every notification of the method that does not match.
	Undo string `yaml:"undo" json:"undo"`
	// Problem: what makes answers degraded, with the "message" of the params as the reason, until the next notification
	// of the method that is none; with Lasting, for good.
	Problem string `yaml:"problem" json:"problem"`
	Lasting bool   `yaml:"lasting" json:"lasting"`
}

// MentionRule makes a client show a server the files that hold a name before it asks who uses the name.
type MentionRule struct {
	// Most is how many files are shown for one name, and stay open; 0: none. When more hold it, the answer is degraded.
	// Files that the server's Database lists are not shown, and with one only questions for other files' references.
	Most int `yaml:"most" json:"most"`
	// Settle: the server reads files behind the scenes after it was shown them; their symbols are asked for, which waits.
	Settle bool `yaml:"settle" json:"settle"`
	// Counted: by itself the server reads as many files as the first group of ReadyRule.Log says, or none where the group
	// is empty. If those are all that the folder holds, none is shown; if not, nobody knows which they are.
	Counted bool `yaml:"counted" json:"counted"`
}

// DatabaseRule says where a repository keeps its compilation database.
type DatabaseRule struct {
	// Files are globs relative to the workspace folder ("*/compile_commands.json"), tried in order; of the files that one
	// glob matches the youngest counts. Empty: no rule.
	Files []string `yaml:"files" json:"files"`
	// Arg is added to the server's arguments; {dir} stands for a folder in the user's cache folder with a copy of the
	// database, so that what the server writes beside it does not end up in the repository.
	Arg string `yaml:"arg" json:"arg"`
	// Commands is the setting, of workspace/didChangeConfiguration, that takes the commands of single files while there is no
	// database, such as clangd's compilationDatabaseChanges. For each file that the server is shown it is told the folders of
	// the headers that the sources include, and which headers are C: those that only sources in C include. Empty: it is told none.
	Commands string `yaml:"commands" json:"commands"`
	// Missing is the reason for which answers are degraded without a database, with the way out.
	Missing string `yaml:"missing" json:"missing"`
}
