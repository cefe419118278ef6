package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/lspclient"
)

// lspFlags are those that the questions to language servers share.
type lspFlags struct {
	timeout  time.Duration
	overlays []string
	limit    int
	paths    []string
}

func lspCommand(a *app) *cobra.Command {
	f := &lspFlags{}
	c := &cobra.Command{
		Use:   "lsp",
		Short: "Query language servers",
		Long: `Query the language servers of a repository. They start with the first question, and stop with the command.

Give a symbol by name (detect_pss, CellSearcher.search, pkg.Type.Method, path/file.py:Class.method) or by place,
PATH:LINE:COL, from 1, columns in bytes. An ambiguous name is an error that lists the places to choose from. With
several repositories, it may need the name of its repository in front: name//path/file.py:12:5.

Standard error says which server answered and whether the answer is complete. The exit status is 3 if it is not: status
1 means that there is none, status 3 with no results means that none was found so far.

Servers start without network access, and the repository's build code does not run, unless --trust is given. "findspot
lsp servers" lists them; findspot/servers.yaml in the user's configuration folder, or --servers, describes others.`,
		Example: `  findspot lsp references detect_pss --repo receiver
  findspot lsp definition receiver/pss.py:70:12
  findspot lsp servers --start`,
		Args: noCommand,
		RunE: help,
	}
	p := c.PersistentFlags()
	p.DurationVar(&f.timeout, "timeout", 0, "maximum time for the answer, including the start of a server (default 30s)")
	p.StringArrayVar(&f.overlays, "overlay", nil, "unsaved buffer, FILE=BUFFER: servers see the text of BUFFER instead of that of FILE (repeatable)")
	c.AddCommand(lspPlaces(a, f, "definition", "Show where a symbol is defined", "CellSearcher.search", (*findspot.Workspace).Definition),
		lspPlaces(a, f, "type-definition", "Show where the type of a symbol is defined", "receiver/pss.py:70:12", (*findspot.Workspace).TypeDefinition),
		lspPlaces(a, f, "implementation", "Show what implements an interface or overrides a method", "Detector.detect", (*findspot.Workspace).Implementation),
		lspReferences(a, f), lspSymbols(a, f), lspFind(a, f), lspHover(a, f),
		lspCalls(a, f, "callers", "Show who calls a function", "detect_pss", (*findspot.Workspace).IncomingCalls),
		lspCalls(a, f, "calls", "Show what a function calls", "CellSearcher.search", (*findspot.Workspace).OutgoingCalls),
		lspDiagnostics(a, f), lspRename(a, f), lspServers(a, f))
	return c
}

// target reads a name, or a place path:line[:col].
func target(s string) lspclient.Target {
	parts := strings.Split(s, ":")
	var nums []int
	for len(parts) > 1 && len(nums) < 2 {
		n, err := strconv.Atoi(parts[len(parts)-1])
		if err != nil || n < 1 {
			break
		}
		nums = append([]int{n}, nums...)
		parts = parts[:len(parts)-1]
	}
	path := strings.Join(parts, ":")
	switch len(nums) {
	case 1:
		return lspclient.At(path, nums[0], 1)
	case 2:
		return lspclient.At(path, nums[0], nums[1])
	}
	return lspclient.Named(s)
}

// asking makes the body of a command that asks servers, within the time and with the buffers of the flags.
func asking(a *app, f *lspFlags, body func(ctx context.Context, ws *findspot.Workspace, args []string) error) func(*cobra.Command, []string) error {
	return a.withCode(func(ctx context.Context, ws *findspot.Workspace, args []string) error {
		if f.timeout < 0 {
			return usagef("--timeout %v: must be more than 0", f.timeout)
		}
		if f.timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, f.timeout)
			defer cancel()
		}
		for _, o := range f.overlays {
			file, buffer, ok := strings.Cut(o, "=")
			if !ok || file == "" || buffer == "" {
				return usagef("--overlay %q: give FILE=BUFFER", o)
			}
			text, err := readBuffer(a.env, buffer)
			if err == nil {
				err = ws.SetOverlay(ctx, file, text)
			}
			if err != nil {
				return err
			}
		}
		err := body(ctx, ws, args)
		if many := (*lspclient.AmbiguousError)(nil); errors.As(err, &many) {
			return ambiguous(&a.console, many)
		}
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%w (here: --timeout)", err)
		}
		return err
	})
}

// ambiguous lists what a name may mean, each as a place that can be pasted in its stead.
func ambiguous(con *console, e *lspclient.AmbiguousError) error {
	const most = 50
	fmt.Fprintf(con.stderr, "findspot: %q matches %s; ask about one of these places:\n", clean(e.Name), count(len(e.Candidates), "symbol", "symbols"))
	for i, c := range e.Candidates {
		if i == most {
			fmt.Fprintf(con.stderr, "  and %d more\n", len(e.Candidates)-most)
			break
		}
		fmt.Fprintf(con.stderr, "  %s\t%s %s\n", shellWord(fmt.Sprintf("%s:%d:%d", c.Location.Path, c.Location.Line, c.Location.Col)), clean(c.Kind), oneLine(c.Name))
	}
	return errReported
}

// shellWord quotes a word for a shell where it needs that.
func shellWord(s string) string {
	s = oneLine(s)
	if strings.IndexFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-/:,@+=%", r) || r > 127)
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// about says on standard error what an answer says about itself, and ends the command with status 3 when it is not complete, 1 when there is nothing.
func about(con *console, what string, shown, total int, ans lspclient.Answer) error {
	if ans.State != lspclient.Complete && total == 0 {
		what = "no " + what + " found so far, which does not mean that there are none"
	} else if total == 0 {
		what = "no " + what
	} else {
		what = fmt.Sprintf("%d of %d %s", shown, total, what)
	}
	fmt.Fprintf(con.stderr, "%s, by %s, %s", what, clean(ans.Server), ans.State)
	if ans.Progress > 0 {
		fmt.Fprintf(con.stderr, " (%d %%)", ans.Progress)
	}
	for _, s := range []string{ans.Reason, ans.Note} {
		if s != "" {
			fmt.Fprintf(con.stderr, "; %s", oneLine(s))
		}
	}
	fmt.Fprintln(con.stderr)
	if ans.State != lspclient.Complete {
		return errReported
	}
	return found(nil, total)
}

// placeLine prints a place as path:line:col: text  [function].
func placeLine(con *console, repo string, l lspclient.Location, text string, e codegraph.Entity) {
	path := l.Path
	if repo != "" && !l.Outside() {
		path = repo + "//" + path
	}
	at := visible.Spot{Repo: repo, Path: l.Path, Line: l.Line}
	if l.Outside() {
		at = visible.Spot{}
	}
	con.link(at, fmt.Sprintf("%s:%d:%d", oneLine(path), l.Line, l.Col))
	con.printf(":")
	if text != "" {
		con.printf(" %s", oneLine(text))
	}
	if e.ID != "" && e.Kind != codegraph.KindFile {
		con.printf("  [%s]", oneLine(e.ID))
	}
	con.printf("\n")
}

// printPlaces prints an answer as text or JSON.
func printPlaces(con *console, p *findspot.Places, what string) error {
	if con.json {
		if err := con.printJSON(p); err != nil {
			return err
		}
	} else {
		for _, x := range p.Placed {
			placeLine(con, p.Repo, x.Location, x.Text, x.Entity)
		}
	}
	return about(con, what, len(p.Placed), p.Total, p.Answer)
}

func (f *lspFlags) limits(c *cobra.Command) {
	c.Flags().IntVar(&f.limit, "limit", 0, "maximum number of results (default 1000)")
	c.Flags().StringSliceVar(&f.paths, "path", nil, "only files that match one of these globs, such as \"src/**\" or \"*.go\"")
}

func (f *lspFlags) query() *lspclient.QueryOptions {
	return &lspclient.QueryOptions{Limit: f.limit, Paths: f.paths}
}

// asksOne wants one argument, and no negative limit.
func (f *lspFlags) asksOne() cobra.PositionalArgs {
	return checked(exactly(1), func() error { return notBelow("limit", f.limit, 0) })
}

func lspPlaces(a *app, f *lspFlags, name, short, example string, ask func(*findspot.Workspace, context.Context, lspclient.Target, *lspclient.QueryOptions) (*findspot.Places, error)) *cobra.Command {
	c := &cobra.Command{
		Use:     name + " NAME | PATH:LINE:COL",
		Short:   short,
		Example: "  findspot lsp " + name + " " + example + " --repo receiver",
		Args:    f.asksOne(),
		RunE: asking(a, f, func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ask(ws, ctx, target(args[0]), f.query())
			if err != nil {
				return err
			}
			return printPlaces(&a.console, res, strings.ReplaceAll(name, "-", " ")+"s")
		}),
	}
	f.limits(c)
	return c
}

func lspReferences(a *app, f *lspFlags) *cobra.Command {
	declaration := false
	c := &cobra.Command{
		Use:     "references NAME | PATH:LINE:COL",
		Short:   "Show where a symbol is used, and in which functions",
		Example: "  findspot lsp references detect_pss --repo receiver --path \"receiver/**\"",
		Args:    f.asksOne(),
		RunE: asking(a, f, func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ws.References(ctx, target(args[0]), &lspclient.ReferenceOptions{Declaration: declaration, Limit: f.limit, Paths: f.paths})
			if err != nil {
				return err
			}
			return printPlaces(&a.console, res, "references")
		}),
	}
	f.limits(c)
	c.Flags().BoolVar(&declaration, "declaration", false, "include the declaration")
	return c
}

func lspSymbols(a *app, f *lspFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "symbols FILE",
		Short:   "List the declarations of a file",
		Example: "  findspot lsp symbols receiver/pss.py --repo .",
		Args:    exactly(1),
		RunE: asking(a, f, func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ws.Symbols(ctx, args[0])
			if err != nil {
				return err
			}
			err = a.either(res, func() {
				printSymbols(&a.console, 0, res.Symbols)
			})
			return cmp.Or(err, about(&a.console, "symbols", len(res.Symbols), max(res.Total, len(res.Symbols)), res.Answer))
		}),
	}
}

func printSymbols(con *console, depth int, list []lspclient.Symbol) {
	for _, s := range list {
		con.printf("%s%s %s  %d-%d\n", strings.Repeat("  ", depth), s.Kind, oneLine(s.Name), s.Location.Line, s.Location.EndLine)
		printSymbols(con, depth+1, s.Children)
	}
}

func lspFind(a *app, f *lspFlags) *cobra.Command {
	c := &cobra.Command{
		Use:     "find QUERY",
		Short:   "Find symbols of the whole repository by name",
		Example: "  findspot lsp find detect --repo receiver",
		Args:    f.asksOne(),
		RunE: asking(a, f, func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ws.WorkspaceSymbols(ctx, args[0], f.query())
			if err != nil {
				return err
			}
			err = a.either(res, func() {
				for _, s := range res.Placed {
					name := s.Name
					if s.Container != "" {
						name = s.Container + "." + name
					}
					placeLine(&a.console, s.Repo, s.Selection, s.Kind+" "+name, codegraph.Entity{})
				}
			})
			return cmp.Or(err, about(&a.console, "symbols", len(res.Placed), res.Total, res.Answer))
		}),
	}
	f.limits(c)
	return c
}

func lspHover(a *app, f *lspFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "hover NAME | PATH:LINE:COL",
		Short:   "Show the signature and the documentation of a symbol",
		Example: "  findspot lsp hover detect_pss --repo receiver",
		Args:    exactly(1),
		RunE: asking(a, f, func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ws.Hover(ctx, target(args[0]))
			if err != nil {
				return err
			}
			n := 0
			if res.Text != "" {
				n = 1
			}
			err = a.either(res, func() {
				if n > 0 {
					a.printf("%s\n", strings.TrimRight(clean(res.Text), "\n"))
				}
			})
			return cmp.Or(err, about(&a.console, "texts", n, n, res.Answer))
		}),
	}
}

func lspCalls(a *app, f *lspFlags, name, short, example string, ask func(*findspot.Workspace, context.Context, lspclient.Target, *lspclient.QueryOptions) (*findspot.CallList, error)) *cobra.Command {
	c := &cobra.Command{
		Use:     name + " NAME | PATH:LINE:COL",
		Short:   short + "; \"findspot code callers\" also asks the graph and the text",
		Example: "  findspot lsp " + name + " " + example + " --repo receiver",
		Args:    f.asksOne(),
		RunE: asking(a, f, func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ask(ws, ctx, target(args[0]), f.query())
			if err != nil {
				return err
			}
			err = a.either(res, func() {
				for _, x := range res.Placed {
					// A caller is shown where it calls, what is called where it is declared.
					at, text := x.Selection, x.Kind+" "+x.Name
					if name == "callers" && len(x.Sites) > 0 {
						at, text = x.Sites[0], x.Text
					}
					placeLine(&a.console, res.Repo, at, text, x.Entity)
					if n := len(x.Sites); name == "callers" && n > 1 {
						var more []string
						for _, s := range x.Sites[1:min(n, 20)] {
							more = append(more, fmt.Sprintf("%d:%d", s.Line, s.Col))
						}
						a.printf("    also at %s\n", strings.Join(more, ", "))
					}
				}
			})
			return cmp.Or(err, about(&a.console, name, len(res.Placed), res.Total, res.Answer))
		}),
	}
	if name == "calls" {
		c.Short = short
	}
	f.limits(c)
	return c
}

func lspDiagnostics(a *app, f *lspFlags) *cobra.Command {
	o := &lspclient.DiagnosticOptions{}
	c := &cobra.Command{
		Use:     "diagnostics FILE",
		Short:   "Show the diagnostics of a server for a file",
		Example: "  findspot lsp diagnostics receiver/pss.py --severity error --repo .",
		Args: checked(exactly(1), func() error {
			return cmp.Or(notBelow("limit", o.Limit, 0), oneOf("severity", []string{o.Severity}, "error", "warning", "information", "hint"))
		}),
		RunE: asking(a, f, func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ws.Diagnostics(ctx, args[0], o)
			if err != nil {
				return err
			}
			err = a.either(res, func() {
				for _, d := range res.Placed {
					text := d.Severity + ": " + d.Message
					if code := strings.Trim(d.Source+" "+d.Code, " "); code != "" {
						text += " (" + code + ")"
					}
					placeLine(&a.console, res.Repo, d.Location, text, d.Entity)
				}
			})
			if err = cmp.Or(err, about(&a.console, "diagnostics", len(res.Placed), res.Total, res.Answer)); errors.Is(err, errNo) {
				err = nil // nothing to complain about is what one hopes for
			}
			return err
		}),
	}
	c.Flags().IntVar(&o.Limit, "limit", 0, "maximum number of results (default 1000)")
	c.Flags().StringVar(&o.Severity, "severity", "", "lowest severity: error, warning, information or hint (default hint)")
	return c
}

func lspRename(a *app, f *lspFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "rename NAME | PATH:LINE:COL NEW",
		Short: "Print the changes of renaming a symbol as a diff; nothing is written",
		Long: `Print the changes of renaming a symbol as a diff for "git apply" or "patch -p1" in the repository; nothing is written.
Do not apply a diff with status 3: the answer is not complete, and uses may be missing.`,
		Example: "  findspot lsp rename detect_pss find_pss --repo receiver",
		Args:    exactly(2),
		RunE: asking(a, f, func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			res, err := ws.Rename(ctx, target(args[0]), args[1], nil)
			if err != nil {
				return err
			}
			err = a.either(res, func() {
				a.printf("%s", clean(res.Diff))
			})
			for _, op := range res.Operations {
				fmt.Fprintf(a.stderr, "findspot: the server also wants to %s the file %s %s\n", op.Kind, clean(op.Path), clean(op.To))
			}
			for _, l := range res.Collisions {
				fmt.Fprintf(a.stderr, "findspot: the name is already used at %s:%d:%d\n", clean(l.Path), l.Line, l.Col)
			}
			return cmp.Or(err, about(&a.console, "edits", res.Total, res.Total, res.Answer))
		}),
	}
}
