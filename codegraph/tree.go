package codegraph

import (
	"bufio"
	"io"
	"strings"
)

var treeWords = map[EdgeKind]string{Contain: "contains", Import: "imports", Invoke: "invokes", Inherit: "inherits", Reference: "references"}

// WriteTree writes the walk as text, one tree a root with an empty line between two. Children stand under their parent,
// with the relation, or "-by" when the edge points to the parent; an entity is opened only where it is met first, depth
// first. The output format is the expanded tree of LocAgent (arXiv 2503.09089): the same edges in the same order give
// the same text. The last line has no newline.
func (w *Walk) WriteTree(out io.Writer) error {
	b := bufio.NewWriter(out)
	t := treeWriter{b: b, hops: w.Hops, fwd: map[string][]*Edge{}, back: map[string][]*Edge{}}
	for i := range w.Edges {
		e := &w.Edges[i]
		t.fwd[e.Src] = append(t.fwd[e.Src], e)
		t.back[e.Dst] = append(t.back[e.Dst], e)
	}
	for id, l := range t.fwd {
		t.fwd[id] = together(l, func(e *Edge) string { return e.Dst })
	}
	for id, l := range t.back {
		t.back[id] = together(l, func(e *Edge) string { return e.Src })
	}
	for i, r := range w.Roots {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(r)
		t.seen, t.used = map[string]bool{}, map[*Edge]bool{}
		d := w.Direction
		t.open(r, "", 0, d != In && d != Callers && d != Users, d == In || d == Both || d == Callers || d == Users)
	}
	return b.Flush()
}

type treeWriter struct {
	b         *bufio.Writer
	hops      int
	fwd, back map[string][]*Edge
	seen      map[string]bool
	used      map[*Edge]bool
}

func (t *treeWriter) open(id, prefix string, level int, forward, backward bool) {
	if t.seen[id] {
		return
	}
	t.seen[id] = true
	type child struct {
		id, rel string
		forward bool
	}
	var list []child
	if forward {
		for _, e := range t.fwd[id] {
			if !t.used[e] {
				t.used[e] = true
				list = append(list, child{e.Dst, treeWords[e.Kind], true})
			}
		}
	}
	if backward {
		for _, e := range t.back[id] {
			if !t.used[e] {
				t.used[e] = true
				list = append(list, child{e.Src, treeWords[e.Kind] + "-by", false})
			}
		}
	}
	if t.hops >= 0 && level >= t.hops {
		return // its edges count as shown all the same
	}
	for i, c := range list {
		corner, bar := "├── ", "│"
		if i == len(list)-1 {
			corner, bar = "└── ", " "
		}
		t.b.WriteString("\n" + prefix + corner + c.rel + " ── " + c.id)
		t.open(c.id, prefix+bar+strings.Repeat(" ", len(c.rel)+7), level+1, c.forward, !c.forward)
	}
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
