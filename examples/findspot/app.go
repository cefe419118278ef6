package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/findspot/internal/project"
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

	found    *project.Place // see place; nil: not asked for yet
	problems []*problem // documents that could not be read

	ws *findspot.Workspace
}

func (a *app) root() *cobra.Command {
	c := &cobra.Command{
		Use:           "findspot",
		Short:         "Grounded answers from documents and code",
		Long:          "Findspot answers questions from documents and code, and says of everything exactly where it was found.\nNo server, no model and no network is needed.",
		Example:       `  findspot ask --docs papers --repo receiver "how is the PSS detected, and who calls detect_pss?"`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noCommand,
		RunE:          help,
	}
	f := c.PersistentFlags()
	f.StringVar(&a.dir, "dir", "", "folder of the index (default .findspot here or in a folder above, else in the repository's root, else here)")
	f.StringArrayVar(&a.docs, "docs", nil, "folder of documents, or one document, to answer from (repeatable); without it: those in the index")
	f.StringArrayVar(&a.repos, "repo", nil, "repository to answer from (repeatable); without it: those in the index")
	f.StringArrayVar(&a.skillDirs, "skills", nil, "folder of skills beside the shipped ones and .agents/skills (repeatable)")
	f.BoolVar(&a.json, "json", false, "print JSON to standard output")
	f.BoolVar(&a.noServers, "no-servers", false, "do not start language servers")
	f.BoolVar(&a.trust, "trust", false, "let language servers use the network and run the repository's build code")
	f.BoolVar(&a.trustIdx, "trust-index", false, "use an index that somebody else made: of another user, writable by everybody, or come with a repository")
	f.StringVar(&a.servers.File, "servers", "", "file that describes language servers (default findspot/servers.yaml of the user's configuration folder, if it is there);\nnever one of the repository")
	f.StringArrayVar(&a.servers.Prefer, "server", nil, "prefer this language server where several are installed, such as ty (repeatable)")
	f.StringVar(&a.ocr, "ocr", "", "read scanned pages of PDFs with this program: tesseract (documents are read again when it changes)")
	f.StringVar(&a.languages, "ocr-languages", "", "languages of scanned text, such as deu+eng (default eng)")
	f.StringSliceVar(&a.engine.urls, "engine", nil, "keep documents on a cluster of Elasticsearch or OpenSearch: addresses of its nodes, with commas between them\n(credentials: $"+elasticKey+", or $"+elasticUser+" and $"+elasticPassword+")")
	f.StringVar(&a.engine.prefix, "engine-prefix", "", "what the names of the indices on the cluster begin with, such as papers-")
	f.StringVar(&a.engine.ca, "engine-ca", "", "file of certificates, in PEM, that alone are trusted for the cluster's (default the system's)")
	f.BoolVar(&a.showSecrets, "show-secrets", false, "give out files that are known to hold secrets, and do not mask keys and tokens")
	f.BoolVar(&a.readIgnored, "read-ignored", false, "give out files that .gitignore leaves out")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "say on standard error what was decided")
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%w; see %s --help", err, c.CommandPath())
	})
	c.AddCommand(askCommand(a), pdfCommand(a), docsCommand(a), codeCommand(a), lspCommand(a), skillCommand(a), runCommand(a), verifyCommand(a), toolsCommand(&a.console), guideCommand(a))
	c.CompletionOptions.HiddenDefaultCmd = true
	return c
}

// help is the body of a command that only holds others.
func help(c *cobra.Command, _ []string) error { return c.Help() }

// noCommand refuses words that are no command, with the near ones that cobra knows.
func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	msg := fmt.Sprintf("unknown command %q for %s", args[0], c.CommandPath())
	for i, s := range c.SuggestionsFor(args[0]) {
		if i == 0 {
			msg += "; did you mean"
		}
		msg += " " + s
	}
	return usagef("%s; see %s --help", msg, c.CommandPath())
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
			return usagef("%s takes at least %d arguments, %d given: %s", c.CommandPath(), n, len(args), c.UseLine())
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
		p, err := project.Find(".")
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

// options are those of the workspace, from the flags.
func (a *app) options() (*findspot.Options, error) {
	var skills []fs.FS
	place, err := a.place()
	if err != nil {
		return nil, err
	}
	local := filepath.Join(place.Root, ".agents", "skills")
	for _, d := range append([]string{local}, a.skillDirs...) {
		if fsys, err := skill.Dir(d); err == nil {
			skills = append(skills, fsys)
		} else if d != local {
			return nil, err
		}
	}
	readDocs := !a.changes && len(a.docs) == 0
	library, err := a.engine.library(readDocs)
	if err != nil {
		return nil, err
	}
	a.bar = newBar(a.stderr)
	return &findspot.Options{
		Library:     library,
		Facts:       a.sharedFacts(),
		Skills:      skills,
		NoServers:   a.noServers,
		Servers:     a.servers,
		Beside:      !a.keeps,
		ReadDocs:    readDocs,
		Trust:       a.trust,
		TrustIndex:  a.trustIdx,
		OnlyDocs:    a.docs,
		OnlyRepos:   a.repos,
		ShowSecrets: a.showSecrets,
		ReadIgnored: a.readIgnored,
		Logger:      a.logger(),
		Progress:    a.bar.show,
	}, nil
}

// sharedFacts gives the folder of facts for all repositories of this user; "" where there can be none, which leaves
// the one in the workspace.
func (a *app) sharedFacts() string {
	cache, err := os.UserCacheDir()
	dir := filepath.Join(cache, "findspot", "facts")
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		return dir
	}
	if a.verbose {
		a.complain(fmt.Errorf("facts are shared in this index alone: %w", err))
	}
	return ""
}

// open opens the workspace and brings the documents and repositories of the flags up to date.
func (a *app) open(ctx context.Context) (*findspot.Workspace, error) {
	o, err := a.options()
	if err != nil {
		return nil, err
	}
	if o.OCR, err = reader(ctx, a); err != nil {
		return nil, err
	}
	if o.Embedder, err = a.embed.embedder(); err != nil {
		return nil, err
	}
	ws, err := findspot.Open(ctx, a.dir, o)
	if denied := (*fs.PathError)(nil); errors.As(err, &denied) {
		return nil, fmt.Errorf("%w (--dir DIR keeps the index in another folder)", err)
	}
	if err != nil {
		return nil, err
	}
	a.ws = ws
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

// addDocs adds documents and collects those that could not be read, see tellProblems. each, when not nil, sees the others.
func (a *app) addDocs(ctx context.Context, path string, o *docsearch.SourceOptions, each func(*docsearch.Document)) error {
	for doc, err := range a.ws.AddDocsWith(ctx, path, o) {
		var bad *docsearch.IngestError
		if errors.As(err, &bad) {
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
	return ctx.Err()
}

func (a *app) addRepo(ctx context.Context, path string) error {
	info, err := a.ws.AddRepo(ctx, path, nil)
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

func (a *app) close() error {
	if a.ws == nil {
		return nil
	}
	return a.ws.Close()
}
