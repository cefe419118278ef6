package codegraph

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A Format is a way to write a walk as text.
type Format string

// The formats of text.
const (
	FormatTree Format = "tree" // the expanded tree of LocAgent (arXiv 2503.09089): relation and id
	FormatRich Format = "rich" // kind, id, relation with its direction as an arrow, line of the call, level
)

// TreeOptions of [Walk.Write].
type TreeOptions struct {
	Format    Format // "" means FormatTree
	MaxLines  int    // most lines to write; 0 means no limit
	MaxTokens int    // most tokens to write, by [Tokens]; 0 means no limit
}

// A TreeStat says how much was written, and what the budget cut off.
type TreeStat struct {
	Lines       int `json:"lines"`
	Tokens      int `json:"tokens"`       // by [Tokens]
	CutLines    int `json:"cut_lines"`    // lines of edges that were left out
	CutEntities int `json:"cut_entities"` // entities of the walk that stand on none of the lines written
}

var treeWords = map[EdgeKind]string{Contain: "contains", Import: "imports", Invoke: "invokes", Inherit: "inherits", Reference: "references", Define: "defined by"}

// WriteTree writes the walk as text, one tree a root with an empty line between two. Children stand under their parent,
// with the relation, or "-by" when the edge points to the parent; an entity is opened only where it is met first, depth
// first. The output format is the expanded tree of LocAgent (arXiv 2503.09089): the same edges in the same order give
// the same text. The last line has no newline.
func (w *Walk) WriteTree(out io.Writer) error {
	_, err := w.Write(out, nil)
	return err
}

// Write writes the walk as text, as [Walk.WriteTree] does, within a budget. What is nearer to a root goes before what is
// farther; under each entity "… 12 more" counts the lines cut there. The roots are always written.
//
// In the rich format children are indented by two blanks and a line is
//
//	→ invokes function app/core.py:detect  33, import
//
// with → for an edge to the entity and ← for one from it, the first lines of the places in the source of the edge, and
// the level; "exact" is not said. A line ends in "test" for test code, and in ↑ when the entity is opened elsewhere. The
// line of a root is its kind, id, and first and last line. Unlike in the tree format an entity is opened where it is
// nearest to the root, so that none is lost at the last hop.
func (w *Walk) Write(out io.Writer, o *TreeOptions) (TreeStat, error) {
	var opt TreeOptions
	if o != nil {
		opt = *o
	}
	if opt.Format == "" {
		opt.Format = FormatTree
	}
	if opt.Format != FormatTree && opt.Format != FormatRich {
		return TreeStat{}, fmt.Errorf("codegraph: unknown format %q: use tree or rich", opt.Format)
	}
	if opt.MaxLines < 0 || opt.MaxTokens < 0 {
		return TreeStat{}, fmt.Errorf("codegraph: a budget is negative: %d lines, %d tokens", opt.MaxLines, opt.MaxTokens)
	}
	t := w.tree(opt.Format)
	keep := t.fit(opt)
	stat := TreeStat{CutLines: len(t.lines) - len(keep)}
	shown := map[string]bool{}
	for i := range keep {
		stat.CutLines += t.lines[i].deeper
	}
	b := bufio.NewWriter(out)
	t.write(keep, func(line string, at int) {
		if stat.Lines > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
		stat.Lines++
		stat.Tokens += Tokens(line)
		if at >= 0 {
			shown[t.lines[at].id] = true
		}
	})
	stat.CutEntities = max(len(w.IDs)-len(shown), 0)
	return stat, b.Flush()
}

// A treeLine is one line: a root, or an edge from or to the entity above.
type treeLine struct {
	id       string
	edge     *Edge // nil for a root
	forward  bool
	above    int // line of the parent; -1 for a root
	depth    int
	children []int
	deeper   int  // lines under it that are too deep
	again    bool // it is opened on another line
}

type treeText struct {
	format Format
	lines  []treeLine
	nodes  map[string]*Entity
}

// tree lays the lines out, depth first.
func (w *Walk) tree(format Format) *treeText {
	t := &treeText{format: format, nodes: map[string]*Entity{}}
	for i := range w.Nodes {
		t.nodes[w.Nodes[i].ID] = &w.Nodes[i]
	}
	fwd, back := map[string][]*Edge{}, map[string][]*Edge{}
	for i := range w.Edges {
		e := &w.Edges[i]
		fwd[e.Src] = append(fwd[e.Src], e)
		back[e.Dst] = append(back[e.Dst], e)
	}
	for id, l := range fwd {
		fwd[id] = together(l, func(e *Edge) string { return e.Dst })
	}
	for id, l := range back {
		back[id] = together(l, func(e *Edge) string { return e.Src })
	}
	for _, r := range w.Roots {
		l := layout{t: t, hops: w.Hops, fwd: fwd, back: back, seen: map[string]bool{}, used: map[*Edge]bool{}}
		t.lines = append(t.lines, treeLine{id: r, above: -1})
		start := opening{len(t.lines) - 1, w.Direction.forward(), w.Direction.backward()}
		if format == FormatRich {
			l.near(start)
		} else {
			l.deep(start)
		}
	}
	return t
}

// maxTreeDepth bounds the depth of a tree's text: the lines below are cut, and counted.
const maxTreeDepth = 256

// A layout hangs the edges of one root under it.
type layout struct {
	t         *treeText
	hops      int
	fwd, back map[string][]*Edge
	seen      map[string]bool
	used      map[*Edge]bool
}

// An opening is a line whose entity is to be opened.
type opening struct {
	at                int
	forward, backward bool
}

// deep opens an entity where it is met first, depth first, as LocAgent does: also where that is at the last hop, so that
// what is behind it is on no line.
func (l *layout) deep(o opening) {
	for _, next := range l.open(o) {
		l.deep(next)
	}
}

// near opens an entity where it is nearest to the root.
func (l *layout) near(o opening) {
	queue := []opening{o}
	for i := 0; i < len(queue); i++ {
		queue = append(queue, l.open(queue[i])...)
	}
}

// open adds the lines under one, unless its entity is open already, and gives them to be opened in turn.
func (l *layout) open(o opening) []opening {
	id, depth := l.t.lines[o.at].id, l.t.lines[o.at].depth
	if l.seen[id] {
		l.t.lines[o.at].again = true
		return nil
	}
	l.seen[id] = true
	var list []treeLine
	if o.forward {
		for _, e := range l.fwd[id] {
			if !l.used[e] {
				l.used[e] = true
				list = append(list, treeLine{id: e.Dst, edge: e, forward: true, above: o.at, depth: depth + 1})
			}
		}
	}
	if o.backward {
		for _, e := range l.back[id] {
			if !l.used[e] {
				l.used[e] = true
				list = append(list, treeLine{id: e.Src, edge: e, above: o.at, depth: depth + 1})
			}
		}
	}
	switch {
	case l.hops >= 0 && depth >= l.hops:
		return nil // its edges count as shown all the same
	case depth >= maxTreeDepth:
		l.t.lines[o.at].deeper = len(list)
		return nil
	}
	var next []opening
	for _, c := range list {
		n := len(l.t.lines)
		l.t.lines = append(l.t.lines, c)
		l.t.lines[o.at].children = append(l.t.lines[o.at].children, n)
		next = append(next, opening{n, c.forward, !c.forward})
	}
	return next
}

// fit gives the lines that the budget has room for: the nearest to a root, in order of depth, then as they stand.
func (t *treeText) fit(o TreeOptions) map[int]bool {
	order := make([]int, len(t.lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return t.lines[a].depth - t.lines[b].depth })
	first := func(n int) map[int]bool {
		keep := make(map[int]bool, n)
		for _, i := range order[:n] {
			keep[i] = true
		}
		return keep
	}
	if o.MaxLines == 0 && o.MaxTokens == 0 {
		return first(len(order))
	}
	roots := 0
	for roots < len(order) && t.lines[order[roots]].above < 0 {
		roots++
	}
	// The smallest number of lines that is too many.
	over := sort.Search(len(order)-roots, func(n int) bool {
		lines, tokens := 0, 0
		t.write(first(roots+n+1), func(line string, _ int) {
			lines++
			tokens += Tokens(line)
		})
		return o.MaxLines > 0 && lines > o.MaxLines || o.MaxTokens > 0 && tokens > o.MaxTokens
	})
	return first(roots + over)
}

// write gives the text of the lines to keep, with the counts of those left out; at is the number of the line, or -1.
func (t *treeText) write(keep map[int]bool, line func(text string, at int)) {
	var show func(at int, prefix string)
	show = func(at int, prefix string) {
		list := t.lines[at].children
		kept := 0
		for _, c := range list {
			kept += b2i(keep[c])
		}
		left := len(list) - kept + t.lines[at].deeper
		for _, c := range list {
			if !keep[c] {
				continue
			}
			kept--
			text, indent := t.text(c, kept == 0 && left == 0)
			line(prefix+text, c)
			show(c, prefix+indent)
		}
		if left > 0 {
			line(prefix+t.more(left), -1)
		}
	}
	first := true
	for i := range t.lines {
		if t.lines[i].above >= 0 {
			continue
		}
		if !first {
			line("", -1)
		}
		first = false
		line(t.root(i), i)
		show(i, t.rootIndent())
	}
}

func (t *treeText) rootIndent() string {
	if t.format == FormatRich {
		return "  "
	}
	return ""
}

func (t *treeText) more(n int) string {
	if t.format == FormatRich {
		return "… " + strconv.Itoa(n) + " more"
	}
	return "└── … " + strconv.Itoa(n) + " more"
}

func (t *treeText) root(i int) string {
	e := t.nodes[t.lines[i].id]
	if t.format == FormatTree || e == nil {
		return t.lines[i].id
	}
	s := string(e.Kind) + " " + e.ID
	if e.Line > 0 {
		s += fmt.Sprintf("  %d-%d", e.Line, e.EndLine)
	}
	for _, n := range e.marks() {
		s += ", " + n
	}
	return s
}

// text gives the line of an edge, and what its children are indented with.
func (t *treeText) text(i int, last bool) (text, indent string) {
	l := &t.lines[i]
	rel := treeWords[l.edge.Kind]
	if t.format == FormatTree {
		corner, bar := "├── ", "│"
		if last {
			corner, bar = "└── ", " "
		}
		if !l.forward {
			rel += "-by"
		}
		return corner + rel + " ── " + l.id, bar + strings.Repeat(" ", len(rel)+7)
	}
	arrow := "→ "
	if !l.forward {
		arrow = "← "
	}
	kind, marks := "", []string(nil)
	if e := t.nodes[l.id]; e != nil {
		kind, marks = string(e.Kind)+" ", e.marks()
	}
	var notes []string
	if n := len(l.edge.Sites); n > 0 && l.edge.Kind != Contain {
		at := strconv.Itoa(l.edge.Sites[0].Line)
		for k, s := range l.edge.Sites[1:min(n, maxSites)] {
			if s.Line != l.edge.Sites[k].Line {
				at += " " + strconv.Itoa(s.Line)
			}
		}
		if n > maxSites {
			at += fmt.Sprintf(" +%d", n-maxSites)
		}
		notes = append(notes, at)
	}
	if l.edge.Level != LevelExact && l.edge.Level != "" {
		notes = append(notes, string(l.edge.Level))
	}
	notes = append(notes, marks...)
	if l.again {
		notes = append(notes, "↑")
	}
	text = arrow + rel + " " + kind + l.id
	if len(notes) > 0 {
		text += "  " + strings.Join(notes, ", ")
	}
	return text, "  "
}

// marks says in words what code an entity is, besides the repository's own.
func (e *Entity) marks() []string {
	var out []string
	for _, m := range [...]struct {
		is     bool
		Uint32 string
	}{{e.Test, "test"}, {e.Vendored, "vendored"}, {e.Generated, "generated"}} {
		if m.is {
			out = append(out, m.Uint32)
		}
	}
	return out
}

// maxSites is how many places of an edge a line of the rich format lists.
const maxSites = 3

// Tokens estimates how many tokens a language model takes a text for: one for every four letters or digits in a row
// (rounded up), for every other sign, and for every run of blanks but a single one, which goes with the word behind it.
// It was made to lie at or above what common tokenizers count for paths, names and trees, not to be exact.
func Tokens(s string) int {
	n, word, blank := 0, 0, 0
	end := func() {
		n += (word+3)/4 + b2i(blank > 1)
		word, blank = 0, 0
	}
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9':
			if blank > 0 {
				end()
			}
			word++
		case r == ' ':
			if word > 0 {
				end()
			}
			blank++
		default:
			end()
			n++
		}
	}
	end()
	return n
}

// Notes says in words what the walk left out, by reason, and what is not known of its roots; nothing for a walk that has
// all there is.
func (w *Walk) Notes() []string {
	var out []string
	note := func(n int, one, many string) {
		if n > 0 {
			out = append(out, counted(n, one, many))
		}
	}
	note(w.Cut, "entity left out by the limit", "entities left out by the limit")
	note(w.TestsHidden, "entity in test code not shown", "entities in test code not shown")
	note(w.GeneratedHidden, "entity in generated or vendored code not shown", "entities in generated or vendored code not shown")
	note(w.KindsHidden, "entity of another kind not shown", "entities of other kinds not shown")
	note(w.WeakHidden, "entity known by a weaker level not shown", "entities known by weaker levels not shown")
	note(w.Beyond, "entity one hop further", "entities one hop further")
	for _, a := range w.About {
		var what []string
		if w.Direction.backward() && a.Open > 0 {
			what = append(what, counted(a.Open, "reference", "references")+" to the name unresolved")
		}
		if w.Direction.backward() && a.Outside > 0 {
			what = append(what, counted(a.Outside, "leads", "lead")+" outside")
		}
		if a.Uses > 0 {
			what = append(what, counted(a.Uses, "mentions", "mention")+" it without a call (direction users shows them)")
		}
		if len(what) > 0 {
			out = append(out, a.ID+": "+strings.Join(what, ", "))
		}
	}
	return out
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// together moves the edges to one neighbour next to the first of them.
func together(l []*Edge, other func(*Edge) string) []*Edge {
	at := map[string]int{}
	var groups [][]*Edge
	for _, e := range l {
		i, ok := at[other(e)]
		if !ok {
			i = len(groups)
			at[other(e)] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	out := l[:0:0]
	for _, g := range groups {
		out = append(out, g...)
	}
	return out
}
