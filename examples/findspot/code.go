package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/examples/findspot/internal/form"
	"github.com/findspot/findspot/examples/findspot/internal/usage"
	"github.com/findspot/findspot/internal/visible"
)

func codeCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "code",
		Short: "Search and walk the code graph",
		Long: `Search and walk the graph of directories, files, classes and functions of one or more repositories.

Name an entity by its id (path/file.py:Class.method; the root is /), by a place (path/file.py:120, the innermost entity
there), or by an unambiguous name: Class.method, module.func, path.py::Class::method, func(). With several
repositories, an id begins with the name of its repository: name//path/file.py:func. Where a command takes ids, - reads
them from standard input, one per line; --ids prints them in this form.

Levels say how an edge is known, strongest first: exact, scope (names of the same file), import, member (of a class),
flow (values of variables), container (elements of lists and mappings), name (no other entity has that name).`,
		Example: `  findspot code search detect_pss --repo receiver
  findspot code callers detect_pss
  findspot code search "cell search" --ids | findspot code traverse - --direction callers
  findspot code traverse detect_pss --direction users --hops 2 --ids | findspot code retrieve - --view preview`,
		Args: noCommand,
		RunE: help,
	}
	c.AddCommand(codeIndex(a), codeLocate(a), codeSearch(a), codeEmbed(a), codeShow(a), codeGrep(a), codeTraverse(a), codeRetrieve(a), codeCallers(a), codeEdges(a), codeWatch(a))
	return c
}

// openCode opens the workspace; when neither a flag nor the index names a repository, the working folder is taken.
func (a *app) openCode(ctx context.Context) (*findspot.Workspace, error) {
	a.env.SpareMemory()
	ws, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	repos, err := ws.Repos()
	if err == nil && len(repos) == 0 {
		err = a.addRepo(ctx, a.found.Root)
		a.endProgress()
	}
	return ws, err
}

// withCode makes the body of a command on the repositories.
func (a *app) withCode(body func(ctx context.Context, ws *findspot.Workspace, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		ws, err := a.openCode(c.Context())
		if err != nil {
			return err
		}
		return body(c.Context(), ws, args)
	}
}

// oneOf is a usage error when a flag has a value that is not allowed; the empty value is.
func oneOf[T ~string](flag string, values []T, allowed ...T) error {
	for _, v := range values {
		if v != "" && !slices.Contains(allowed, v) {
			return usagef("--%s %q: must be one of %s", flag, v, strings.Join(texts(allowed), ", "))
		}
	}
	return nil
}

func texts[T ~string](in []T) []string {
	var out []string
	for _, v := range in {
		out = append(out, string(v))
	}
	return out
}

// notBelow is a usage error when a number is below the least that is allowed.
func notBelow(flag string, n, least int) error {
	if n < least {
		return usagef("--%s %d: must be at least %d", flag, n, least)
	}
	return nil
}

func hops(n int) error {
	if n == 0 || n < -1 {
		return usagef("--hops %d: must be 1 or more, or -1 for no limit", n)
	}
	return nil
}

// checked makes arguments a usage error when flags are wrong, before anything is read.
func checked(args cobra.PositionalArgs, flags func() error) cobra.PositionalArgs {
	return func(c *cobra.Command, list []string) error { return cmp.Or(args(c, list), flags()) }
}

var (
	allKinds = []codegraph.Kind{codegraph.KindDirectory, codegraph.KindFile, codegraph.KindClass, codegraph.KindFunction}
	allEdges = codegraph.EdgeKinds()
	allViews = []codegraph.View{codegraph.Fold, codegraph.Preview, codegraph.Full}
)

func codeIndex(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "index [DIR]...",
		Short: "Build or update the graph of repositories",
		Long: `Build or update the graph of repositories. Without DIR: those of --repo, else those in the index, else the repository
around the working folder, else that folder. Files that were parsed for another worktree or clone, or by an interrupted
run, are not parsed again: the results are kept by content, up to about 512 MB, in the folder findspot/facts of the
user's cache folder, which may be deleted at any time.`,
		Example: "  findspot code index receiver",
		RunE: func(c *cobra.Command, args []string) error {
			a.env.SpareMemory()
			ws, err := a.open(c.Context())
			if err != nil {
				return err
			}
			known, err := ws.Repos()
			if err != nil {
				return err
			}
			if len(args) == 0 && len(known) == 0 {
				args = []string{a.found.Root}
			}
			if len(args) == 0 && len(a.repos) == 0 {
				for _, r := range known {
					args = append(args, r.Root)
				}
			}
			for _, dir := range args {
				if err := a.addRepo(c.Context(), dir); err != nil {
					return err
				}
			}
			a.tellApart("--repo", args)
			repos, err := ws.Repos()
			if err != nil {
				return err
			}
			graphs, err := ws.Graphs(c.Context())
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(repos)
			}
			for i, r := range repos {
				n, e := graphs[i].Len()
				open, outside := graphs[i].UnresolvedCount()
				a.printf("%s: %s, %s; %s unresolved, %s outside", r.Root, count(n, "entity", "entities"), count(e, "edge", "edges"), count(open, "reference", "references"), count(outside, "leads", "lead"))
				if ch := r.Changes; ch != nil {
					a.printf("; files: %d added, %d changed, %d removed, %d unchanged, %d left out", ch.Added, ch.Changed, ch.Removed, ch.Unchanged, len(ch.Skipped))
					if ch.Reused > 0 {
						a.printf("; %d parsed, %d known from other indexes or an interrupted run", ch.Parsed, ch.Reused)
					}
					if ch.Rebuilt != "" {
						a.printf("; rebuilt: %s", ch.Rebuilt)
					}
					if ch.Recovered != "" {
						a.printf("; recovered: %s", ch.Recovered)
					}
				}
				a.printf("\n")
			}
			return nil
		},
	}
}

func codeEmbed(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "embed",
		Short: "Create missing vectors of functions and classes, with the model of --embed-model",
		Long: `Create missing vectors of functions and classes, with the model of --embed-model, and wait for them. Commands and servers with
that flag create them in the background otherwise. They are kept with parsed code, by content: a second worktree has those
of the first. Tests and generated code have none. Code is sent to no other machine: a server of --embed-url must be on this one.`,
		Example: "  findspot code embed --embed-model models/all-MiniLM-L6-v2",
		Args:    exactly(0),
		PreRun:  a.willChange,
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, _ []string) error {
			switch {
			case a.embed.model == "":
				return usagef("code embed needs --embed-model: the folder of a model, or with --embed-url its name (findspot embed setup lists models)")
			case !a.embed.here():
				return usagef("code embed: the server of --embed-url is not on this machine, and code is sent to no other")
			}
			err := ws.EmbedCode(ctx)
			a.endProgress()
			if errors.Is(err, findspot.ErrUnsupported) {
				return fmt.Errorf("%w (a running findspot serve needs --embed-model itself)", err)
			}
			if err != nil {
				return err
			}
			st, err := ws.EmbedCodeState(ctx)
			return show(&a.console, st, err, func(st *codegraph.EmbedState) error {
				a.printf("%s of %d have vectors\n", count(st.Done, "function or class", "functions and classes"), st.Entities)
				return nil
			})
		}),
	}
}

func codeSearch(a *app) *cobra.Command {
	var kinds []string
	var view string
	var ids bool
	o := &codegraph.SearchOptions{}
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find entities by name, then by the words of their bodies",
		Long: `Find entities by name (exact, in different case or style, by prefix, by words of the name, by similar spelling), and
then by the words of their bodies. Use names as they appear in a message, a traceback or a test: Class.method,
module.func, path.py::Class::method, func(), path.py:120. Matches in test code are counted, and shown with --tests,
those in generated or vendored code with --generated; the latter are also shown if nothing else has exactly that name.`,
		Example: `  findspot code search "cell search" --kind class,function --view preview
  findspot code search CellSearcher.search
  findspot code search receiver/pss.py:70
  findspot code search "noise floor" --path receiver --ids | findspot code retrieve -`,
		Args: checked(atLeast(1), func() error {
			return cmp.Or(oneOf("kind", codeKinds(kinds), allKinds...), oneOf("view", []codegraph.View{codegraph.View(view)}, allViews...), notBelow("limit", o.Limit, 1))
		}),
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			if strings.TrimSpace(strings.Join(args, "")) == "" {
				return usagef("the query is empty")
			}
			o.Kinds, o.View = codeKinds(kinds), codegraph.View(view)
			res, err := ws.SearchCode(ctx, strings.Join(args, " "), o)
			if ids && err == nil {
				list := []string{}
				for _, h := range res.Hits {
					list = append(list, h.ID)
				}
				return found(printIDs(&a.console, list), len(list))
			}
			if err = show(&a.console, res, err, func(res *codegraph.SearchResult) error { return printEntities(&a.console, res) }); err != nil {
				return err
			}
			return found(nil, len(res.Hits))
		}),
	}
	f := c.Flags()
	f.StringSliceVar(&kinds, "kind", nil, "kinds of entities: directory, file, class, function")
	f.StringVar(&view, "view", "fold", "fold, preview or full")
	f.IntVar(&o.Limit, "limit", 10, "maximum number of entities")
	f.BoolVar(&o.Tests, "tests", false, "show test code too")
	f.BoolVar(&o.Generated, "generated", false, "show generated and vendored code too")
	f.StringSliceVar(&o.Paths, "path", nil, "paths or patterns to search, such as src or \"*.go\"")
	f.BoolVar(&ids, "ids", false, "print only ids, one per line")
	return c
}

// printIDs prints ids alone.
func printIDs(con *console, ids []string) error {
	return show(con, ids, nil, func(ids []string) error {
		for _, id := range ids {
			con.printf("%s\n", clean(id))
		}
		return nil
	})
}

func printEntities(con *console, res *codegraph.SearchResult) error {
	for _, h := range res.Hits {
		con.printf("%s  ", clean(h.ID))
		con.link(visible.Spot{Repo: h.Repo, Path: h.Path, Line: h.Line}, fmt.Sprintf("%s:%d-%d", h.Path, h.Line, h.EndLine))
		near := ""
		if h.Similarity != 0 {
			near = fmt.Sprintf(", %.2f", h.Similarity)
		}
		con.printf("  (%s; %s%s)\n", h.Kind, h.Match, near)
		for line := range strings.SplitSeq(strings.TrimRight(h.Text, "\n"), "\n") {
			if line != "" {
				con.printf("     %s\n", clean(line))
			}
		}
	}
	for _, r := range res.Readings {
		con.printf("%s\n", r)
	}
	if res.VectorsError != "" {
		con.printf("vectors were left out: %s\n", clean(res.VectorsError))
	}
	con.printf("%d of %d entities; %d in test code, %d in generated or vendored code not shown\n", len(res.Hits), res.Total, res.TestsHidden, res.GeneratedHidden)
	return nil
}

func codeKinds(in []string) []codegraph.Kind {
	var out []codegraph.Kind
	for _, k := range in {
		out = append(out, codegraph.Kind(k))
	}
	return out
}

func codeGrep(a *app) *cobra.Command {
	o := &findspot.GrepOptions{}
	var extended, names, counts, numbers bool
	c := &cobra.Command{
		Use:   "grep PATTERN",
		Short: "Search the text of files",
		Long: `Search the text of files, as grep -rn does: for plain text, or with -E for a regular expression (RE2). Lines are
printed as path:line:column: text. Files that .gitignore excludes, binary files and files over 4 MB are not searched;
standard error says how many. Exit status 1: no line matches.`,
		Example: "  findspot code grep -w --path \"*.py\" threshold\n  findspot code grep -El \"detect_[a-z]+\"",
		Args:    checked(exactly(1), func() error { return notBelow("limit", o.Limit, 1) }),
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			o.Regexp = o.Regexp || extended
			if names || counts {
				o.Limit = maxGrep // all of them, to count
			}
			res, err := ws.SearchText(ctx, args[0], o)
			if err != nil {
				return err
			}
			switch {
			case a.json:
				err = a.printJSON(res)
			case names || counts:
				perFile(&a.console, res, counts)
			default:
				p := newPlainPrinter(a.stdout)
				for _, m := range res.Matches {
					a.link(visible.Spot{Repo: m.Repo, Path: m.Path, Line: m.Line}, fmt.Sprintf("%s:%d:%d", m.Path, m.Line, m.Col))
					p.printf(": %s\n", p.mark(m.Text, m.Matches))
				}
			}
			if len(res.Matches) < res.Total || res.Skipped > 0 || len(res.Matches) == 0 {
				fmt.Fprintf(a.stderr, "findspot: %d of %s in %s; %s not searched\n", len(res.Matches), count(res.Total, "line", "lines"), count(res.Files, "file", "files"), count(res.Skipped, "file", "files"))
			}
			return found(err, len(res.Matches))
		}),
	}
	f := c.Flags()
	f.BoolVarP(&extended, "extended-regexp", "E", false, "treat the pattern as a regular expression (RE2)")
	f.BoolVar(&o.Regexp, "regexp", false, "same as -E")
	f.BoolVarP(&numbers, "line-number", "n", true, "print line numbers (always on)")
	f.BoolVarP(&names, "files-with-matches", "l", false, "print only the names of matching files")
	f.BoolVarP(&counts, "count", "c", false, "print only the number of matching lines per file")
	f.BoolVarP(&o.Word, "word", "w", false, "match whole words only")
	f.BoolVarP(&o.IgnoreCase, "ignore-case", "i", false, "ignore case")
	f.StringVar(&o.Path, "path", "", "glob of paths, such as \"*.go\" or \"src/**/*.py\"")
	f.IntVar(&o.Limit, "limit", 100, "maximum number of lines")
	usage.Rare(f, "regexp", "line-number")
	return c
}

// maxGrep bounds the lines that are counted by file.
const maxGrep = 1_000_000

// perFile prints the files that match, with the number of their lines where that is asked for.
func perFile(con *console, res *findspot.TextMatches, counts bool) {
	n, order := map[string]int{}, []string{}
	for _, m := range res.Matches {
		if n[m.Path]++; n[m.Path] == 1 {
			order = append(order, m.Path)
		}
	}
	for _, path := range order {
		con.link(visible.Spot{Path: path}, oneLine(path))
		if counts {
			con.printf(":%d", n[path])
		}
		con.printf("\n")
	}
}

// idArgs returns the ids given; "-" stands for those on standard input, one a line.
func idArgs(con *console, args []string) ([]string, error) {
	var out []string
	for _, s := range args {
		if s != "-" {
			out = append(out, s)
			continue
		}
		sc := bufio.NewScanner(con.stdin)
		for sc.Scan() {
			if id := strings.TrimSpace(sc.Text()); id != "" {
				out = append(out, id)
			}
		}
		if err := sc.Err(); err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, usagef("no entity id given")
	}
	return out, nil
}

func codeCallers(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "callers NAME",
		Short:   "Show who calls or uses a symbol, how that is known, and a verdict",
		Example: "  findspot code callers detect_pss --repo receiver",
		Args:    exactly(1),
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ws.Callers(ctx, args[0], nil)
			err = show(&a.console, res, err, func(res *findspot.CallersResult) error {
				p := newPrinter(a.stdout)
				return res.WriteText(p.w, p.open, p.close)
			})
			if err == nil && res.Verdict != findspot.Found {
				err = errNo
			}
			return err
		}),
	}
}

// edgeLine is one edge as scripts read it.
type edgeLine struct {
	Src   string             `json:"src"`
	Dst   string             `json:"dst"`
	Kind  codegraph.EdgeKind `json:"kind"`
	Level codegraph.Level    `json:"level"`
	Line  int                `json:"line"`            // of the first site; 0 where an edge has none
	Lines []int              `json:"lines,omitempty"` // of all sites, where there are several
}

// edgeText is one edge as people read it.
func edgeText(e codegraph.Edge) string {
	s := fmt.Sprintf("%s -> %s %s %s", e.Src, e.Dst, e.Kind, e.Level)
	if len(e.Sites) > 0 {
		s += fmt.Sprintf(" %s:%d", e.Sites[0].Path, e.Sites[0].Line)
	}
	if len(e.Sites) > 1 {
		s += fmt.Sprintf(" +%d", len(e.Sites)-1)
	}
	return s
}

func codeEdges(a *app) *cobra.Command {
	var level string
	c := &cobra.Command{
		Use:   "edges",
		Short: "Print every edge of a repository, one per line; needs no index",
		Long: `Print every edge of a repository, sorted by source, target and kind: as text, SOURCE -> TARGET KIND LEVEL PATH:LINE of
the first place (+2 if there are two more; edges of directories have no place), or with --json as one object per line.
No index is needed or written.`,
		Example: `  findspot code edges --repo receiver
  findspot code edges --json --level import --repo receiver`,
		Args: checked(exactly(0), func() error {
			return oneOf("level", []codegraph.Level{codegraph.Level(level)}, codegraph.Levels()...)
		}),
		RunE: func(c *cobra.Command, _ []string) error {
			repos := a.repos
			if len(repos) == 0 {
				repos = []string{"."}
			}
			out := bufio.NewWriter(a.stdout)
			enc := json.NewEncoder(out)
			enc.SetEscapeHTML(false)
			if a.output == outputMD {
				fmt.Fprint(out, form.Row(true, "source", "target", "kind", "level", "line"))
			}
			for _, dir := range repos {
				g, err := codegraph.Build(c.Context(), os.DirFS(a.env.Path(dir)), findspot.Languages(), nil)
				if err != nil {
					return err
				}
				for e := range g.Edges() {
					if !e.Level.AtLeast(codegraph.Level(level)) {
						continue
					}
					x := edgeLine{Src: e.Src, Dst: e.Dst, Kind: e.Kind, Level: e.Level}
					if len(e.Sites) > 0 {
						x.Line = e.Sites[0].Line
					}
					if len(e.Sites) > 1 {
						for _, s := range e.Sites {
							x.Lines = append(x.Lines, s.Line)
						}
					}
					if a.output == outputMD {
						if _, err := fmt.Fprint(out, form.Row(false, x.Src, x.Dst, string(x.Kind), string(x.Level), strconv.Itoa(x.Line))); err != nil {
							return err
						}
						continue
					}
					if !a.json {
						if _, err := fmt.Fprintln(out, oneLine(edgeText(e))); err != nil {
							return err
						}
						continue
					}
					if err := enc.Encode(x); err != nil {
						return err
					}
				}
				for _, s := range g.Skipped() {
					if !s.Rule {
						a.badInput(fmt.Errorf("%s: %s left out: %s", dir, s.Path, s.Reason))
					}
				}
			}
			return out.Flush()
		},
	}
	c.Flags().StringVar(&level, "level", "", "weakest level to print: exact, scope, import, member, flow, container, name")
	return c
}
