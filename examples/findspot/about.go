package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/examples/findspot/internal/manpage"
	"github.com/findspot/findspot/examples/findspot/internal/usage"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// globalFlags are those of all commands.
func globalFlags(a *app, f *pflag.FlagSet) {
	f.StringVar(&a.dir, "dir", "", "folder of the index (default: .findspot in this folder or a parent, else in the root of the repository, else in this folder)")
	f.StringArrayVar(&a.docs, "docs", nil, "folder of documents, or one document, to answer from (repeatable; default: those in the index)")
	f.StringArrayVar(&a.repos, "repo", nil, "repository to answer from (repeatable; default: those in the index)")
	f.StringArrayVar(&a.skillDirs, "skills", nil, "folder of skills, in addition to the shipped ones and .agents/skills (repeatable)")
	a.output = outputText
	f.Var((*outputFlag)(&a.console), "output", "output format: text, json, jsonl (one JSON object per result) or md (Markdown)")
	f.BoolVar(&a.json, "json", false, "same as --output json")
	f.BoolVar(&a.noServers, "no-servers", false, "do not start language servers")
	f.BoolVar(&a.trust, "trust", false, "let language servers use the network and run the repository's build code")
	f.BoolVar(&a.trustIdx, "trust-index", false, "use an index that somebody else made: owned by another user, writable by everybody, or part of a repository")
	f.StringVar(&a.servers.File, "servers", "", "file that describes language servers (default: findspot/servers.yaml in the user's configuration folder, if present;\na file of the repository is never used)")
	f.StringArrayVar(&a.servers.Prefer, "server", nil, "language server to prefer if several are installed, such as ty (repeatable)")
	f.StringVar(&a.ocr, "ocr", "", "program that reads scanned pages of PDFs: tesseract (if it changes, documents are read again)")
	f.StringVar(&a.languages, "ocr-languages", "", "languages of scanned text, such as deu+eng (default eng)")
	f.StringSliceVar(&a.engine.urls, "engine", nil, "comma-separated addresses of the nodes of an Elasticsearch or OpenSearch cluster that holds the documents\n(credentials: $"+elasticKey+", or $"+elasticUser+" and $"+elasticPassword+")")
	f.StringVar(&a.engine.prefix, "engine-prefix", "", "prefix of the index names on the cluster, such as papers-")
	f.StringVar(&a.engine.ca, "engine-ca", "", "PEM file of the only certificates trusted for the cluster (default: those of the system)")
	a.embed.add(f)
	f.BoolVar(&a.showSecrets, "show-secrets", false, "return files that are known to contain secrets, and do not mask keys and tokens")
	f.BoolVar(&a.readIgnored, "read-ignored", false, "return files that .gitignore excludes")
	f.BoolVar(&a.noServer, "no-server", false, "run the command in this process, even if \"findspot serve\" holds the index (also: $FINDSPOT_NO_SERVER=1)")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "log decisions to standard error")
	usage.Section(f, "Sources", "dir", "docs", "repo", "skills", "trust-index", "no-server")
	usage.Section(f, "Output", "output", "json", "verbose", "show-secrets", "read-ignored")
	usage.Section(f, "Language servers", "no-servers", "server", "servers", "trust")
	usage.Section(f, "Scanned pages, and search by meaning", "ocr", "ocr-languages", "embed-model") // --embed-url and --embed-runes are described by docs embed
	usage.Section(f, "Elasticsearch or OpenSearch cluster", "engine", "engine-prefix", "engine-ca")
}

// The forms of output.
const (
	outputText  = "text"
	outputJSON  = "json"
	outputLines = "jsonl"
	outputMD    = "md"
)

// outputFlag is the flag --output.
type outputFlag console

func (o *outputFlag) String() string { return o.output }
func (o *outputFlag) Type() string   { return "string" }
func (o *outputFlag) Set(s string) error {
	switch s {
	case outputText, outputJSON, outputLines, outputMD:
	default:
		return fmt.Errorf("give text, json, jsonl or md")
	}
	o.output, o.json = s, s != outputText
	return nil
}

// The forms that a command prints where it does not print all, as an annotation of it.
const formsKey = "output"

// only says which forms a command prints; why is what to do for others.
func only(c *cobra.Command, why string, forms ...string) *cobra.Command {
	if c.Annotations == nil {
		c.Annotations = map[string]string{}
	}
	c.Annotations[formsKey] = strings.Join(forms, " or ")
	c.Annotations[formsKey+"-why"] = why
	return c
}

// settleOutput settles the form of output, and refuses one that the command does not print.
func (c *console) settleOutput(cmd *cobra.Command) error {
	f := cmd.Flags()
	if c.json && c.output == outputText && !f.Changed("output") {
		c.output = outputJSON
	}
	if f.Changed("json") && f.Changed("output") && c.output != outputJSON {
		return usagef("--json and --output %s contradict each other: give only one", c.output)
	}
	forms, why := cmd.Annotations[formsKey], cmd.Annotations[formsKey+"-why"]
	if p := cmd.Parent(); p != nil && p.Name() == "completion" || cmd.Name() == "help" {
		forms, why = outputText, "a shell or a person reads it"
	}
	if forms == "" || slices.Contains(strings.Split(forms, " or "), c.output) {
		return nil
	}
	return usagef("%s prints only %s, not --output %s: %s", cmd.CommandPath(), forms, c.output, why)
}

// help is the body of a command that only holds others.
func help(c *cobra.Command, _ []string) error { return c.Help() }

// noCommand refuses words that are no command, with the near ones.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	msg := fmt.Sprintf("unknown command %q for %s", args[0], c.CommandPath())
	if near := usage.Commands(c, args[0]); len(near) > 0 {
		msg += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return usagef("%s (%s --help lists the commands)", msg, c.CommandPath())
}

// noUnit is how flags refuse a number where a time is asked for.
var noUnit = lazyregexp.New(`^invalid argument "(\d+)" for "(?:-\w, )?(--\S+)" flag: time: missing unit`)

var flagName = lazyregexp.New(`^unknown flag: (--\S+)`)

// wrongFlag is the error of flags that do not fit, with the near one.
func wrongFlag(c *cobra.Command, err error) error {
	msg := ""
	if m := flagName.FindStringSubmatch(err.Error()); m != nil {
		if near := usage.Flag(c, m[1]); near != "" {
			msg = "; did you mean " + near + "?"
		}
	}
	if m := noUnit.FindStringSubmatch(err.Error()); m != nil {
		return usagef("%s %s: a time has a unit, such as %[2]ss, %[2]sm or %[2]sh (%s --help lists the flags)", m[2], m[1], c.CommandPath())
	}
	return usagef("%w%s (%s --help lists the flags)", err, msg, c.CommandPath())
}

// The exit statuses.
const (
	exitOK     = 0
	exitNone   = 1
	exitUsage  = 2
	exitFailed = 3
)

// exits says what the exit statuses mean; docs/formats.md has the same table.
var exits = []struct {
	status int
	what   string
}{
	{exitOK, "success: what was searched for was found, or what was checked holds"},
	{exitNone, "nothing was found (ask, cite, docs search, code grep, lsp references, run and others), or a check failed (verify, docs check, docs fresh, skill run, skill lint, skill test, doctor)"},
	{exitUsage, "usage error: an unknown command or flag, or an invalid value"},
	{exitFailed, "the command failed, or some input could not be read (it is named on standard error, and the rest was used), or a language server's answer is incomplete"},
}

func exitHelp() string {
	var b strings.Builder
	b.WriteString("The exit statuses of all commands. Except for the last one, they are those of grep:\n\n")
	for _, e := range exits {
		fmt.Fprintf(&b, "  %d  %s\n", e.status, e.what)
	}
	b.WriteString("\nIn a script, \"if findspot code grep -l PATTERN\" therefore tests for a match, and 3 never means \"there is none\".\n")
	return b.String()
}

// versions is what version prints.
type versions struct {
	Version   string         `json:"version"`            // of the module; "(devel)" of a build from a working folder
	Revision  string         `json:"revision,omitempty"` // of the repository that it was built from
	Modified  bool           `json:"modified,omitempty"` // there were changes that were not committed
	Go        string         `json:"go"`
	System    string         `json:"system"`
	Languages []string       `json:"languages"` // that the code graph parses
	Formats   map[string]int `json:"formats"`   // of indexes that it reads and writes
}

func thisVersion() versions {
	v := thisBuild()
	for _, l := range findspot.Languages() {
		v.Languages = append(v.Languages, l.Name())
	}
	return v
}

// thisBuild is thisVersion without the languages, which take a moment.
func thisBuild() versions {
	v := versions{Version: "unknown", Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Languages: []string{},
		Formats: map[string]int{"index": findspot.IndexFormat, "documents": blevestore.IndexFormat, "code": codegraph.IndexFormat}}
	if info, ok := debug.ReadBuildInfo(); ok {
		v.Version = info.Main.Version
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Revision = s.Value
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	return v
}

func versionCommand(con *console) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, the build and the supported index formats",
		Example: "  findspot version --json",
		Args:    exactly(0),
		RunE: func(*cobra.Command, []string) error {
			return show(con, thisVersion(), nil, func(v versions) error {
				con.printf("findspot %s", v.Version)
				if v.Revision != "" {
					con.printf(" (%s%s)", v.Revision[:min(12, len(v.Revision))], map[bool]string{true: ", with changes"}[v.Modified])
				}
				con.printf("\n%s, %s\n", v.Go, v.System)
				con.printf("code graph: %s\n", strings.Join(v.Languages, ", "))
				con.printf("formats: index %d, documents %d, code %d\n", v.Formats["index"], v.Formats["documents"], v.Formats["code"])
				return nil
			})
		},
	}
}

func manCommand(con *console) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write man pages into a folder",
		Example: "  findspot man ~/.local/share/man/man1",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			names, err := manpage.WriteAll(con.env.Path(args[0]), c.Root())
			return show(con, names, err, func(names []string) error {
				con.printf("%s in %s\n", count(len(names), "page", "pages"), clean(args[0]))
				return nil
			})
		},
	}
}
