package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/examples/findspot/internal/answers"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill/evidence"
)

const formatJSON codegraph.Format = "json"

func codeTraverse(a *app) *cobra.Command {
	var direction, level, format string
	var kinds, edges []string
	var ids bool
	o := &codegraph.TraverseOptions{}
	tree := &codegraph.TreeOptions{}
	c := &cobra.Command{
		Use:   "traverse ID...",
		Short: "Walk the graph from entities and print a tree",
		Long: `Walk the graph from entities and print a tree. --direction is callers (who calls it), callees (what it calls), users
(who calls, imports, inherits from or mentions it), out (what it contains, imports, invokes and inherits from), in (the
reverse) or both.

What a walk leaves out is counted by reason under the tree: the limit, test code, generated code, other kinds, weaker
levels, and what is one hop further. So is what is not known: references to the name that the graph could not resolve.
A budget in lines or tokens cuts what is farthest from the roots, and "… 12 more" marks each cut. Tokens are an
estimate, on the high side.

--format tree prints the relation and the id; rich adds the kind, the direction (→ to the entity, ← from it), the lines
of the call or mention in the source of the edge, and the level if it is not exact; ↑ marks what is expanded elsewhere
in the tree.`,
		Example: `  findspot code traverse receiver/pss.py:detect_pss --direction callers --hops 2
  findspot code traverse detect_pss --direction users --format rich
  findspot code traverse CellSearcher --direction both --edge inherit,contain --kind class,function
  findspot code traverse receiver --hops -1 --max-tokens 2000
  findspot code search noise --ids | findspot code traverse - --direction callees --level import --json`,
		Args: checked(atLeast(1), func() error {
			o.Direction, o.MinLevel, o.Kinds = codegraph.Direction(direction), codegraph.Level(level), codeKinds(kinds)
			o.Edges = nil
			for _, e := range edges {
				o.Edges = append(o.Edges, codegraph.EdgeKind(e))
			}
			tree.Format = codegraph.Format(format)
			return cmp.Or(oneOf("direction", []codegraph.Direction{o.Direction}, codegraph.Callers, codegraph.Callees, codegraph.Users, codegraph.In, codegraph.Out, codegraph.Both),
				oneOf("kind", o.Kinds, allKinds...), oneOf("edge", o.Edges, allEdges...), oneOf("level", []codegraph.Level{o.MinLevel}, codegraph.Levels()...),
				oneOf("format", []codegraph.Format{tree.Format}, codegraph.FormatTree, codegraph.FormatRich, formatJSON),
				hops(o.Hops), notBelow("limit", o.Limit, 0), notBelow("max-lines", tree.MaxLines, 0), notBelow("max-tokens", tree.MaxTokens, 0))
		}),
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			if tree.Format == formatJSON {
				a.json = true
			}
			list, err := idArgs(&a.console, args)
			if err != nil {
				return err
			}
			walk, err := ws.Traverse(ctx, list, o)
			if ids && err == nil {
				return printIDs(&a.console, walk.IDs)
			}
			return show(&a.console, walk, err, func(walk *codegraph.Walk) error { return printWalk(&a.console, walk, tree) })
		}),
	}
	f := c.Flags()
	f.StringVar(&direction, "direction", "out", "callers, callees, users, in, out or both")
	f.IntVar(&o.Hops, "hops", 1, "number of hops; -1 for no limit")
	f.StringSliceVar(&kinds, "kind", nil, "entities to visit: directory, file, class, function")
	f.StringSliceVar(&edges, "edge", nil, "edges to follow: contain, import, invoke, inherit, reference, define (default all but reference and define)")
	f.StringVar(&level, "level", "", "weakest level of edges to follow: exact, scope, import, member, flow, container, name")
	f.BoolVar(&o.Tests, "tests", false, "visit test code too")
	f.BoolVar(&o.Generated, "generated", false, "visit generated and vendored code too")
	f.IntVar(&o.Limit, "limit", 0, "maximum number of entities (default 1000)")
	f.StringVar(&format, "format", "tree", "tree, rich or json")
	f.IntVar(&tree.MaxLines, "max-lines", 0, "maximum number of lines of the tree; 0 means no limit")
	f.IntVar(&tree.MaxTokens, "max-tokens", 0, "maximum number of tokens of the tree (estimated); 0 means no limit")
	f.BoolVar(&ids, "ids", false, "print only ids, one per line, the roots first")
	return c
}

// printWalk prints a tree, and what is not in it.
func printWalk(con *console, walk *codegraph.Walk, o *codegraph.TreeOptions) error {
	var b strings.Builder
	stat, err := walk.Write(&b, o)
	if err != nil {
		return err
	}
	printTree(con, b.String(), walk.Nodes)
	for _, note := range walk.Notes() {
		con.printf("(%s)\n", clean(note))
	}
	if stat.CutLines > 0 {
		con.printf("(%d lines of the tree and %s left out by the budget)\n", stat.CutLines, count(stat.CutEntities, "entity", "entities"))
	}
	return nil
}

// printTree prints the lines of a tree, in which the ids of entities lead to them.
func printTree(con *console, tree string, nodes []codegraph.Entity) {
	by := make(map[string]visible.Spot, len(nodes))
	for _, n := range nodes {
		repo, _, several := strings.Cut(n.ID, "//")
		at := visible.Spot{Path: n.Path, Line: n.Line}
		if several {
			at.Repo = repo
		}
		by[n.ID] = at
	}
	for line := range strings.Lines(tree) {
		line = strings.TrimSuffix(line, "\n")
		words := strings.Split(line, " ")
		before := 0 // length of the words before
	search:
		for i, w := range words {
			id := ""
			for _, more := range words[i:] { // a path may hold blanks
				id += more
				if at, ok := by[id]; ok {
					con.printf("%s", clean(line[:before]))
					con.link(at, id)
					line = line[before+len(id):]
					break search
				}
				id += " "
			}
			before += len(w) + 1
		}
		con.printf("%s\n", clean(line))
	}
}

func codeRetrieve(a *app) *cobra.Command {
	var view string
	o := &codegraph.RetrieveOptions{}
	c := &cobra.Command{
		Use:   "retrieve ID...",
		Short: "Print the source of entities, or lines of a file",
		Example: `  findspot code retrieve receiver/pss.py:detect_pss
  findspot code retrieve receiver/pss.py:70 CellSearcher.search --numbers
  findspot code retrieve receiver/pss.py:100-110
  findspot code traverse detect_pss --direction callers --ids | findspot code retrieve - --view preview`,
		Args: checked(atLeast(1), func() error {
			o.View = codegraph.View(view)
			return oneOf("view", []codegraph.View{o.View}, allViews...)
		}),
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			ids, err := idArgs(&a.console, args)
			if err != nil {
				return err
			}
			got, err := retrieve(ctx, ws, ids, o)
			return show(&a.console, got, err, func(got []codegraph.Retrieved) error {
				for _, r := range got {
					if r.ID != "" {
						a.printf("%s  ", clean(r.ID))
					}
					a.link(visible.Spot{Repo: r.Repo, Path: r.Path, Line: r.Line}, fmt.Sprintf("%s:%d-%d", r.Path, r.Line, r.EndLine))
					a.printf("\n%s", clean(r.Text))
				}
				return nil
			})
		}),
	}
	f := c.Flags()
	f.StringVar(&view, "view", "full", "full, preview (signature and about five lines; structure of a class, file or directory) or fold (signature only)")
	f.BoolVar(&o.Numbers, "numbers", false, "print line numbers")
	return c
}

// stretch is a range of lines of a file: path:first-last.
var stretch = lazyregexp.New(`^(.+):([1-9]\d{0,8})-([1-9]\d{0,8})$`)

// retrieve gives the source of entities, and the lines of ranges, which are no entities and have no id.
func retrieve(ctx context.Context, ws *findspot.Workspace, ids []string, o *codegraph.RetrieveOptions) ([]codegraph.Retrieved, error) {
	out := []codegraph.Retrieved{}
	for at := 0; at < len(ids); {
		if m := stretch.FindStringSubmatch(ids[at]); m != nil {
			first, err := strconv.Atoi(m[2])
			last, lerr := strconv.Atoi(m[3])
			if err != nil || lerr != nil || last < first {
				return nil, usagef("%s: the last line is before the first", ids[at])
			}
			it, err := ws.ReadLines(ctx, m[1], first, last)
			if err != nil {
				return nil, err
			}
			text := strings.TrimSuffix(it.Text, "\n")
			if o.Numbers {
				lines := strings.Split(text, "\n")
				for i, l := range lines {
					lines[i] = fmt.Sprintf("%d | %s", first+i, l)
				}
				text = strings.Join(lines, "\n")
			}
			out = append(out, codegraph.Retrieved{Entity: codegraph.Entity{Path: spotPath(it.At.Repo, it.At.Path), Line: it.At.Line, EndLine: it.At.EndLine}, Text: text + "\n"})
			at++
			continue
		}
		end := at + 1
		for end < len(ids) && !stretch.MatchString(ids[end]) {
			end++
		}
		got, err := ws.Retrieve(ctx, ids[at:end], o)
		if err != nil {
			return nil, err
		}
		out, at = append(out, got...), end
	}
	return out, nil
}

// maxShown bounds the entities of one name that show prints.
const maxShown = 5

// shown is an entity with its preview and its neighbours.
type shown struct {
	codegraph.Retrieved
	Walk *codegraph.Walk `json:"walk"`
}

func codeShow(a *app) *cobra.Command {
	tree := &codegraph.TreeOptions{Format: codegraph.FormatRich}
	c := &cobra.Command{
		Use:   "show NAME...",
		Short: "Show what a name refers to: the start of its source, and neighbours",
		Example: `  findspot code show detect_pss
  findspot code show receiver/cell_search.py:40
  findspot code search "noise floor" --ids | findspot code show -`,
		Args: checked(atLeast(1), func() error { return notBelow("max-lines", tree.MaxLines, 0) }),
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, args []string) error {
			names, err := idArgs(&a.console, args)
			if err != nil {
				return err
			}
			list := []shown{}
			for _, name := range names {
				more, err := lookUp(ctx, ws, name)
				if err != nil {
					return err
				}
				list = append(list, more...)
			}
			return show(&a.console, list, nil, func(list []shown) error {
				for i, x := range list {
					if i > 0 {
						a.printf("\n")
					}
					a.printf("%s", clean(x.Text))
					if err := printWalk(&a.console, x.Walk, tree); err != nil {
						return err
					}
				}
				return nil
			})
		}),
	}
	c.Flags().IntVar(&tree.MaxLines, "max-lines", 40, "maximum number of lines of neighbours for each name; 0 means no limit")
	return c
}

// lookUp gives what a name means, with neighbours.
func lookUp(ctx context.Context, ws *findspot.Workspace, name string) ([]shown, error) {
	found, near, err := ws.Named(ctx, name)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range found {
		ids = append(ids, e.ID)
	}
	switch {
	case len(ids) == 0 && len(near) == 0:
		return nil, fmt.Errorf("%q: %w (findspot code search WORDS finds ids)", name, findspot.ErrNotFound)
	case len(ids) == 0:
		return nil, fmt.Errorf("%q: %w; near: %s", name, findspot.ErrNotFound, strings.Join(near, ", "))
	case len(ids) > maxShown:
		return nil, fmt.Errorf("%s: names %d entities; ask for one of them, such as %s", name, len(ids), strings.Join(ids[:maxShown], ", "))
	}
	texts, err := ws.Retrieve(ctx, ids, &codegraph.RetrieveOptions{View: codegraph.Preview, Numbers: true})
	if err != nil {
		return nil, err
	}
	var out []shown
	for i, id := range ids {
		walk, err := ws.Traverse(ctx, []string{id}, &codegraph.TraverseOptions{Direction: codegraph.Both, Edges: codegraph.EdgeKinds()})
		if err != nil {
			return nil, err
		}
		out = append(out, shown{texts[i], walk})
	}
	return out, nil
}

// watchLine is one update as scripts read it.
type watchLine struct {
	Repo      string  `json:"repo,omitempty"`
	Root      string  `json:"root"`
	Added     int     `json:"added"` // files
	Changed   int     `json:"changed"`
	Removed   int     `json:"removed"`
	Skipped   int     `json:"skipped"` // files left out now
	Rebuilt   string  `json:"rebuilt,omitempty"`
	Recovered string  `json:"recovered,omitempty"`
	TookMS    float64 `json:"took_ms"`
	Entities  int     `json:"entities"`
	Edges     int     `json:"edges"`
}

func codeWatch(a *app) *cobra.Command {
	var names []string
	c := &cobra.Command{
		Use:   "watch",
		Short: "Keep the graphs of repositories up to date and print each update",
		Long: `Keep the graphs of repositories up to date while files change, until interrupted, which is not a failure. The first
line for each repository says what was found when it was opened; each further line describes an update: files, time,
and the size of the graph. Changes that arrive together, such as a switch of branches, are one update. Meanwhile other
programs can read the same index, as it was last saved.

With --answers, check answer files again after every update, as findspot verify --all does, and print those that held and
no longer do, or the reverse. Documents that they cite are those of the index.`,
		Example: `  findspot code watch --repo receiver
  findspot code watch --json --repo receiver
  findspot code watch --repo receiver --answers answers`,
		Args:   exactly(0),
		PreRun: func(*cobra.Command, []string) { a.keeps = true },
		RunE: a.withCode(func(ctx context.Context, ws *findspot.Workspace, _ []string) error {
			a.endProgress()
			a.bar.w = nil // a bar would be drawn into the lines
			watching, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			enc := json.NewEncoder(a.stdout)
			enc.SetEscapeHTML(false)
			w := newAnswerWatch(a, ws, names, enc)
			defer w.look(watching, cancel)()
			err := ws.Watch(watching, func(u *findspot.RepoInfo) {
				if err := w.update(u); err != nil {
					cancel(err)
				}
			})
			switch {
			case ctx.Err() != nil:
				return nil // interrupted, as it is meant to end
			case watching.Err() != nil:
				return context.Cause(watching)
			}
			return err
		}),
	}
	c.Flags().StringSliceVar(&names, "answers", nil, "answer file, or folder of them, to check after every update (repeatable)")
	return c
}

// An answerWatch prints updates, and after them what they did to answers.
type answerWatch struct {
	a       *app
	enc     *json.Encoder
	watch   *answers.Watch // nil: there are no answers
	updated chan struct{}  // holds one when there was an update since answers were looked at
	print   sync.Mutex
}

func newAnswerWatch(a *app, ws *findspot.Workspace, names []string, enc *json.Encoder) *answerWatch {
	w := &answerWatch{a: a, enc: enc, updated: make(chan struct{}, 1)}
	if len(names) > 0 {
		w.watch = answers.NewWatch(names, recheck(ws, &evidence.VerifyOptions{Derived: true}))
	}
	return w
}

// update prints an update. Answers are looked at beside, since the next update waits for this to return.
func (w *answerWatch) update(u *findspot.RepoInfo) error {
	w.print.Lock()
	defer w.print.Unlock()
	select {
	case w.updated <- struct{}{}:
	default:
	}
	return printUpdate(&w.a.console, w.enc, u)
}

// look checks the answers after updates until ctx ends. What it returns waits for the end, which has to come by then.
func (w *answerWatch) look(ctx context.Context, failed context.CancelCauseFunc) (wait func()) {
	if w.watch == nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ctx.Done():
				return
			case <-w.updated:
			}
			rep, err := w.watch.Look(ctx, w.a.env)
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				err = w.tell(rep)
			}
			if err != nil {
				failed(err)
			}
		}
	}()
	return func() {
		failed(nil)
		<-done
	}
}

// tell prints the answers that changed.
func (w *answerWatch) tell(rep *answers.Report) error {
	for _, s := range rep.Skipped {
		w.a.complain(fmt.Errorf("%s could not be read: %s", s.File, s.Reason))
	}
	w.print.Lock()
	defer w.print.Unlock()
	for i := range rep.Answers {
		one := &rep.Answers[i]
		if w.a.json && w.a.output != outputMD {
			if err := w.enc.Encode(one); err != nil {
				return err
			}
			continue
		}
		if w.a.output == outputMD {
			w.a.printf("- %s: %s\n", one.State, oneLine(one.File))
			continue
		}
		if err := printAnswers(&w.a.console, &answers.Report{Answers: []answers.File{*one}}); err != nil {
			return err
		}
	}
	return nil
}

func printUpdate(con *console, enc *json.Encoder, u *findspot.RepoInfo) error {
	ch := u.Changes
	l := watchLine{Repo: u.Name, Root: u.Root, Added: ch.Added, Changed: ch.Changed, Removed: ch.Removed, Skipped: len(ch.Skipped), Rebuilt: ch.Rebuilt, Recovered: ch.Recovered,
		TookMS: float64(ch.Took.Microseconds()) / 1000, Entities: u.Entities, Edges: u.Edges}
	switch {
	case con.output == outputMD:
		con.printf("- ")
	case con.json:
		return enc.Encode(l)
	}
	text := fmt.Sprintf("%s: files: %d added, %d changed, %d removed, %d left out; %.0f ms; %d entities, %d edges",
		l.Root, l.Added, l.Changed, l.Removed, l.Skipped, l.TookMS, l.Entities, l.Edges)
	if l.Rebuilt != "" {
		text += "; rebuilt: " + l.Rebuilt
	}
	if l.Recovered != "" {
		text += "; recovered: " + l.Recovered
	}
	_, err := fmt.Fprintln(con.stdout, oneLine(text))
	return err
}
