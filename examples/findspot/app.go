package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/findspot/internal/links"
	"github.com/findspot/findspot/examples/findspot/internal/project"
	"github.com/findspot/findspot/examples/findspot/internal/usage"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill"
)

// app holds what the commands share: the console, and what they answer from, as the flags say it.
type app struct {
	console

	dir                      string
	docs                     []string
	repos                    []string
	skillDirs                []string
	keeps                    bool // the command is to keep indexes up to date itself
	changes                  bool // the command changes the library of documents
	noServers                bool
	trust                    bool
	trustIdx                 bool
	showSecrets, readIgnored bool
	servers                  findspot.ServerOptions
	ocr                      string // program that reads scans
	languages                string // of scans
	embed                    embedFlags
	engine                   engineFlags

	args     []string       // the command line
	noServer bool           // no server is asked to run the command
	found    *project.Place // see place; nil: not asked for yet
	nothing  int            // folders without documents
	helpAll  bool           // help shows the rare flags too
	problems []*problem     // documents that could not be read

	ws *findspot.Workspace
}

func (a *app) root() *cobra.Command {
	c := &cobra.Command{
		Use:               "findspot",
		Short:             "Grounded answers from documents and code",
		Long:              "Findspot answers questions from documents and code, and gives the exact place of everything it returns.\nIt needs no server, no model and no network.",
		Example:           `  findspot ask --docs papers --repo receiver "how is the PSS detected, and who calls detect_pss?"`,
		SilenceUsage:      true,
		SilenceErrors:     true,
		Args:              noCommand,
		RunE:              help,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error { return cmp.Or(a.settleOutput(c), forward(a, c)) },
	}
	globalFlags(a, c.PersistentFlags())
	c.SetFlagErrorFunc(wrongFlag)
	c.AddGroup(&cobra.Group{ID: "questions", Title: "Questions"}, &cobra.Group{ID: "sources", Title: "Sources, one kind at a time"},
		&cobra.Group{ID: "agents", Title: "For agents"}, &cobra.Group{ID: "program", Title: "The program"})
	for group, list := range map[string][]*cobra.Command{
		"questions": {askCommand(a), citeCommand(a), runCommand(a), verifyCommand(a)},
		"sources":   {docsCommand(a), codeCommand(a), lspCommand(a), pdfCommand(a)},
		"agents":    {mcpCommand(a), skillCommand(a), runsCommand(&a.console), toolsCommand(&a.console), guideCommand(a)},
		"program":   {serveCommand(a), initCommand(a), doctorCommand(a), embedCommand(a), versionCommand(&a.console), manCommand(&a.console)},
	} {
		for _, sub := range list {
			sub.GroupID = group
			c.AddCommand(sub)
		}
	}
	c.AddCommand(&cobra.Command{Use: "exit", Short: "The exit statuses", Long: exitHelp()}, &cobra.Command{Use: "flags", Short: "The flags of all commands", Long: usage.Flags(c)})
	for _, name := range []string{"pdf", "tools", "guide", "version", "man", "skill new", "skill lint", "skill diff", "skill schema", "code edges", "mcp install", "embed", "runs"} {
		if sub, _, err := c.Find(strings.Fields(name)); err == nil && sub.CommandPath() == c.Name()+" "+name {
			alone(sub)
		}
	}
	c.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if err := usage.Write(c.OutOrStdout(), c, a.helpAll); err != nil {
			a.complain(err)
		}
	})
	c.SetCompletionCommandGroupID("program")
	if a.env == nil || !a.env.Served { // no shell asks a server, and cobra keeps completions, with all that they hold, as long as the process runs
		completions(a, c)
	}
	return c
}

// exactly wants n arguments.
func exactly(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("%s takes %s, %d given: %s", c.CommandPath(), count(n, "argument", "arguments"), len(args), c.UseLine())
		}
		return nil
	}
}

func atLeast(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < n {
			return usagef("%s takes at least %s, %d given: %s", c.CommandPath(), count(n, "argument", "arguments"), len(args), c.UseLine())
		}
		return nil
	}
}

func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("%s takes at most %s, %d given: %s", c.CommandPath(), count(n, "argument", "arguments"), len(args), c.UseLine())
		}
		return nil
	}
}

// place says where the index is: where --dir says, or where the working folder belongs to. It settles a.dir.
func (a *app) place() (project.Place, error) {
	if a.found == nil {
		p, err := a.look()
		if err != nil {
			return p, err
		}
		if a.dir != "" {
			p = project.Place{Index: a.dir, Root: "."}
		}
		a.dir, a.found = p.Index, &p
		if a.verbose && p.Root != "." {
			fmt.Fprintf(a.stderr, "findspot: the index is %s\n", p.Index)
		}
	}
	return *a.found, nil
}

// look looks where the working folder belongs to.
func (a *app) look() (project.Place, error) { return project.Find(a.env.Dir, a.env.Home()) }

// options are those of the workspace, from the flags.
func (a *app) options() (*findspot.Options, error) {
	var skills []fs.FS
	place, err := a.place()
	if err != nil {
		return nil, err
	}
	local := filepath.Join(place.Root, ".agents", "skills")
	for _, d := range append([]string{local}, a.skillDirs...) {
		if fsys, err := skill.Dir(a.env.Path(d)); err == nil {
			skills = append(skills, fsys)
		} else if d != local {
			return nil, err
		}
	}
	readDocs := !a.changes && len(a.docs) == 0
	library, err := a.engine.library(readDocs, a.env)
	if err != nil {
		return nil, err
	}
	a.bar = newBar(a.stderr)
	servers := a.servers
	servers.File = a.env.Path(servers.File)
	return &findspot.Options{
		Library:     library,
		Facts:       a.sharedFacts(),
		Skills:      skills,
		NoServers:   a.noServers,
		Servers:     servers,
		Beside:      !a.keeps,
		ReadDocs:    readDocs,
		Trust:       a.trust,
		TrustIndex:  a.trustIdx,
		OnlyDocs:    a.env.Paths(a.docs),
		OnlyRepos:   a.env.Paths(a.repos),
		ShowSecrets: a.showSecrets,
		ReadIgnored: a.readIgnored,
		Logger:      a.logger(),
		Progress:    a.bar.show,
	}, nil
}

// sharedFacts gives the folder of facts for all repositories of this user; "" where there can be none, which leaves
// the one in the workspace.
func (a *app) sharedFacts() string {
	cache, err := a.env.CacheDir()
	dir := filepath.Join(cache, "findspot", "facts")
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		return dir
	}
	if a.verbose {
		a.complain(fmt.Errorf("facts are shared only within this index: %w", err))
	}
	return ""
}

// open opens the workspace and brings the documents and repositories of the flags up to date.
func (a *app) open(ctx context.Context) (*findspot.Workspace, error) { return a.opened(ctx, false) }

// openIndex is open for a command that only asks: without an index it says so, and leaves none.
func (a *app) openIndex(ctx context.Context) (*findspot.Workspace, error) { return a.opened(ctx, true) }

func (a *app) opened(ctx context.Context, there bool) (*findspot.Workspace, error) {
	o, err := a.ready(ctx)
	if err != nil {
		return nil, err
	}
	_, err = a.env.Stat(filepath.Join(a.dir, "VERSION"))
	fresh := errors.Is(err, fs.ErrNotExist)
	if fresh && there && o.Library == nil && !a.changes && len(a.docs)+len(a.repos) == 0 {
		return nil, fmt.Errorf("there is no index %s yet: create one with \"findspot init\" or \"findspot docs add FOLDER\", or give --docs DIR or --repo DIR", a.dir)
	}
	ws, err := a.env.Workspace(ctx, a.dir, o)
	if denied := (*fs.PathError)(nil); errors.As(err, &denied) {
		return nil, fmt.Errorf("%w (--dir DIR keeps the index in another folder)", err)
	}
	if err != nil {
		return nil, err
	}
	a.ws = ws
	if fresh && isTerminal(a.stderr) { // it is what later calls here and below ask
		fmt.Fprintf(a.stderr, "findspot: created the index %s (--dir DIR keeps it elsewhere)\n", clean(a.dir))
	}
	for _, d := range a.docs {
		if err := a.addDocs(ctx, d, nil, nil); err != nil {
			return nil, err
		}
	}
	for _, r := range a.repos {
		if err := a.addRepo(ctx, r); err != nil {
			return nil, err
		}
	}
	a.endProgress()
	return ws, nil
}

// ready are the options with the programs and servers that read documents.
func (a *app) ready(ctx context.Context) (*findspot.Options, error) {
	o, err := a.options()
	if err != nil {
		return nil, err
	}
	if o.OCR, err = reader(ctx, a); err != nil {
		return nil, err
	}
	if o.Embedder, err = a.embed.embedder(a.env); err == nil && o.Embedder != nil && a.embed.here() {
		o.CodeEmbedder = o.Embedder
	}
	return o, err
}

// addDocs adds documents and collects those that could not be read, see tellProblems. each, when not nil, sees the others.
func (a *app) addDocs(ctx context.Context, path string, o *docsearch.SourceOptions, each func(*docsearch.Document)) error {
	for doc, err := range a.ws.AddDocsWith(ctx, a.env.Path(path), o) {
		var bad *docsearch.IngestError
		if errors.As(err, &bad) {
			if errors.Is(bad, docsearch.ErrNotFound) { // a folder without documents
				a.complain(bad)
				a.nothing++
				continue
			}
			a.badDocument(bad)
			continue
		}
		if err != nil {
			return err
		}
		if each != nil {
			each(doc)
		}
	}
	return a.makeVectors(ctx)
}

// makeVectors makes the vectors of what was added, where there is an embedder: this program may end before the background has.
func (a *app) makeVectors(ctx context.Context) error {
	if a.embed.model == "" {
		return ctx.Err()
	}
	lib, err := a.ws.Docs(ctx)
	if err != nil {
		return err
	}
	if _, err = lib.Embed(ctx); err != nil && ctx.Err() == nil {
		a.complain(fmt.Errorf("documents are found by their words alone until docs embed has made their vectors: %w", err))
	}
	return ctx.Err()
}

// tellApart says that what was added is not seen over HTTP, where a server that runs the command was started for other sources.
func (a *app) tellApart(flag string, paths []string) {
	a.endProgress()
	if a.env.Apart == nil {
		return
	}
	for _, p := range paths {
		if a.env.Apart(a.env.Path(p), flag == "--repo") {
			fmt.Fprintf(a.stderr, "findspot: %s is in the index, but not in what the server answers over HTTP: start it with %s %[1]s for that\n", clean(p), flag)
			return
		}
	}
}

func (a *app) addRepo(ctx context.Context, path string) error {
	info, err := a.ws.AddRepo(ctx, a.env.Path(path), nil)
	if err != nil {
		return err
	}
	for _, s := range info.Changes.Skipped {
		if s.Rule {
			if a.verbose {
				fmt.Fprintf(a.stderr, "%s: %s left out: %s\n", path, s.Path, s.Reason)
			}
			continue
		}
		a.badInput(fmt.Errorf("%s: %s left out: %s", path, s.Path, s.Reason))
	}
	return nil
}

// addresses gives the function that says where a place is opened.
func (a *app) addresses(ctx context.Context) func(visible.Spot) string {
	files := &links.Files{
		Program: a.env.Getenv("TERM_PROGRAM"),
		Docs: func() map[string]string {
			out := map[string]string{}
			if a.ws == nil {
				return out
			}
			if lib, err := a.ws.Docs(ctx); err == nil {
				_ = lib.Origins(ctx, func(id, origin string) { out[id] = origin }) // what is missing has no link
			}
			return out
		},
		Repos: func() (out []links.Repo) {
			for _, dir := range a.repos {
				if a.ws == nil {
					out = append(out, links.Repo{Root: a.env.Path(dir)})
				}
			}
			if a.ws == nil {
				return out
			}
			repos, _ := a.ws.Repos() // as above
			for _, r := range repos {
				out = append(out, links.Repo{Name: r.Name, Root: r.Root})
			}
			return out
		},
	}
	return func(at visible.Spot) string {
		if a.output != outputText || a.json { // programs read it
			return ""
		}
		files.Folders = a.env.Paths(a.docs)
		return files.URI(at)
	}
}

func (a *app) close() error {
	if a.ws == nil {
		return nil
	}
	return a.ws.Close()
}
