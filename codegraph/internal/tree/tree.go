package tree

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A Walk is what is written.
type Walk struct {
	Roots             []string
	Hops              int  // -1 means no limit
	Forward, Backward bool // which edges the lines under a root are
	Nodes             []Node
	Edges             []Edge // in the order of the lines
}

// A Node is an entity of a walk.
type Node struct {
	ID, Kind      string
	Line, EndLine int      // 0 for a directory
	Marks         []string // what code it is, besides the repository's own
}

// An Edge joins two nodes.
type Edge struct {
	Src, Dst string
	Relation string // of the source to the target: "invokes"
	Lines    []int  // of its places
	Level    string // "" is not said
}

// Options of [Walk.Write].
type Options struct {
	Rich                bool // not the tree of LocAgent, but kinds, places and levels
	MaxLines, MaxTokens int  // 0 means no limit
}

// A Stat says how much was written, and what the budget cut off.
type Stat struct {
	Lines, Tokens   int
	CutLines, Shown int // lines left out; entities on the lines written
}

// Write writes a walk. What is nearer to a root goes before what is farther; the roots are always written.
func (w *Walk) Write(out io.Writer, o Options) (Stat, error) {
	t := w.layOut(o.Rich)
	keep := t.fit(o)
	stat := Stat{CutLines: len(t.lines) - len(keep)}
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
	stat.Shown = len(shown)
	return stat, b.Flush()
}

// A line is one line: a root, or an edge from or to the entity above.
type line struct {
	id       string
	edge     *Edge // nil for a root
	forward  bool
	above    int // line of the parent; -1 for a root
	depth    int
	children []int
	deeper   int  // lines under it that are too deep
	again    bool // it is opened on another line
}

// An outline is the lines of all trees.
type outline struct {
	rich  bool
	lines []line
	nodes map[string]*Node
}

// layOut lays the lines out.
func (w *Walk) layOut(rich bool) *outline {
	t := &outline{rich: rich, nodes: map[string]*Node{}}
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
		t.lines = append(t.lines, line{id: r, above: -1})
		start := opening{len(t.lines) - 1, w.Forward, w.Backward}
		if rich {
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
	t         *outline
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
	var list []line
	if o.forward {
		for _, e := range l.fwd[id] {
			if !l.used[e] {
				l.used[e] = true
				list = append(list, line{id: e.Dst, edge: e, forward: true, above: o.at, depth: depth + 1})
			}
		}
	}
	if o.backward {
		for _, e := range l.back[id] {
			if !l.used[e] {
				l.used[e] = true
				list = append(list, line{id: e.Src, edge: e, above: o.at, depth: depth + 1})
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
func (t *outline) fit(o Options) map[int]bool {
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
func (t *outline) write(keep map[int]bool, line func(text string, at int)) {
	var show func(at int, prefix string)
	show = func(at int, prefix string) {
		list := t.lines[at].children
		kept := 0
		for _, c := range list {
			if keep[c] {
				kept++
			}
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

func (t *outline) rootIndent() string {
	if t.rich {
		return "  "
	}
	return ""
}

func (t *outline) more(n int) string {
	if t.rich {
		return "… " + strconv.Itoa(n) + " more"
	}
	return "└── … " + strconv.Itoa(n) + " more"
}

func (t *outline) root(i int) string {
	e := t.nodes[t.lines[i].id]
	if !t.rich || e == nil {
		return t.lines[i].id
	}
	s := e.Kind + " " + e.ID
	if e.Line > 0 {
		s += fmt.Sprintf("  %d-%d", e.Line, e.EndLine)
	}
	return strings.Join(append([]string{s}, e.Marks...), ", ")
}

// text gives the line of an edge, and what its children are indented with.
func (t *outline) text(i int, last bool) (text, indent string) {
	l := &t.lines[i]
	rel := l.edge.Relation
	if !t.rich {
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
		kind, marks = e.Kind+" ", e.Marks
	}
	var notes []string
	if n := len(l.edge.Lines); n > 0 {
		at := strconv.Itoa(l.edge.Lines[0])
		for k, line := range l.edge.Lines[1:min(n, maxSites)] {
			if line != l.edge.Lines[k] {
				at += " " + strconv.Itoa(line)
			}
		}
		if n > maxSites {
			at += fmt.Sprintf(" +%d", n-maxSites)
		}
		notes = append(notes, at)
	}
	if l.edge.Level != "" {
		notes = append(notes, l.edge.Level)
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

// maxSites is how many places of an edge a line of the rich format lists.
const maxSites = 3

// Tokens estimates how many tokens a language model takes a text for: one for every four letters or digits in a row
// (rounded up), for every other sign, and for every run of blanks but a single one, which goes with the word behind it.
// It was made to lie at or above what common tokenizers count for paths, names and trees, not to be exact.
func Tokens(s string) int {
	n, word, blank := 0, 0, 0
	end := func() {
		if n += (word + 3) / 4; blank > 1 {
			n++
		}
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
