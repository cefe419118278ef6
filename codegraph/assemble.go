package codegraph

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// assemble makes the graph of a state from what the linker found in each file.
func assemble(s *scanner, st *state, files []*file) *Graph {
	g := &Graph{fsys: s.fsys, files: map[string]*fileInfo{}, loose: map[string][]Unresolved{}, skipped: slices.Clone(st.skips)}
	a := newAssembler()
	a.dir("/")
	nodes, decls := map[*file]uint32{}, map[*file][]uint32{}
	for _, f := range files {
		g.files[f.path] = &fileInfo{hash: st.files[f.path].key.hash}
		nodes[f], decls[f] = a.file(f.path, st.files[f.path].rec)
	}
	at := func(f *file, d int32) uint32 {
		switch {
		case f.facts == nil:
			return a.dir(f.path)
		case d == lang.File:
			return nodes[f]
		}
		return decls[f][d]
	}
	for _, f := range files {
		for _, e := range slices.Concat(f.out.edges, f.out.implied) {
			src := f
			if e.src != nil {
				src = e.src
			}
			a.link(at(src, e.srcDecl), at(e.dst, e.dstDecl), edgeKinds[e.kind], e.level, e.at)
		}
		for _, u := range f.out.loose {
			g.loose[u.name] = append(g.loose[u.name], Unresolved{Name: u.name, At: u.at.at(f.path), Outside: u.outside})
		}
	}
	a.finish(g)
	return g
}

// An assembler gathers entities and edges in any order and makes the sorted, immutable graph of them. Entities are
// numbered in order of addition until then.
type assembler struct {
	nodes  []node
	byID   map[string]uint32
	recs   []*record // by node; nil for directories
	bodyAt []int     // by node: which body of its record
	edges  map[edgeKey]*edge
}

type edgeKey struct {
	src, dst uint32
	kind     uint8
}

func newAssembler() *assembler {
	return &assembler{byID: map[string]uint32{}, edges: map[edgeKey]*edge{}}
}

// add gives n a free id and adds it.
func (a *assembler) add(n node, rec *record, body int) uint32 {
	id := n.ID
	for i := 2; ; i++ {
		if _, taken := a.byID[n.ID]; !taken {
			break
		}
		n.ID = id + "#" + strconv.Itoa(i)
	}
	i := uint32(len(a.nodes))
	a.byID[n.ID] = i
	a.nodes = append(a.nodes, n)
	a.recs = append(a.recs, rec)
	a.bodyAt = append(a.bodyAt, body)
	return i
}

// link adds an edge, or one more site of it.
func (a *assembler) link(src, dst uint32, kind EdgeKind, level uint8, at ...site) {
	k := edgeKey{src, dst, uint8(kind.index())}
	e := a.edges[k]
	if e == nil {
		e = &edge{src: src, dst: dst, kind: k.kind, level: level}
		a.edges[k] = e
	}
	e.level = min(e.level, level)
	e.sites = append(e.sites, at...)
}

// dir adds a directory and those above it.
func (a *assembler) dir(p string) uint32 {
	if p == "." || p == "" {
		p = "/"
	}
	if i, ok := a.byID[p]; ok {
		return i
	}
	i := a.add(node{Entity: Entity{ID: p, Kind: KindDirectory, Name: path.Base(p), Path: p}}, nil, 0)
	if p != "/" {
		a.link(a.dir(path.Dir(p)), i, Contain, 0)
	}
	return i
}

// file adds a file and what it declares, and gives the node of the file and of each declaration; a lambda has the node
// around it. Declarations that belong to a class written elsewhere get their contain edge from the caller.
func (a *assembler) file(p string, rec *record) (uint32, []uint32) {
	f := rec.facts
	test := isTestPath(p)
	file := a.add(node{Entity: Entity{ID: p, Kind: KindFile, Name: path.Base(p), Path: p, Line: 1,
		EndLine: int(max(f.Lines, 1)), Lang: f.Lang, Test: test}}, rec, 0)
	a.link(a.dir(path.Dir(p)), file, Contain, 0)
	decls := make([]uint32, len(f.Decls))
	names := make([]string, len(f.Decls)) // what stands after the colon of the id, without "#2"
	for i := range f.Decls {
		d := &f.Decls[i]
		parent, prefix := file, ""
		if d.Parent != lang.File {
			parent = decls[d.Parent]
			if prefix = names[d.Parent]; prefix != "" {
				prefix += "."
			}
		}
		if d.Kind == lang.Lambda || d.Kind == lang.Namespace {
			decls[i], names[i] = parent, strings.TrimSuffix(prefix, ".")
			if d.Kind == lang.Namespace {
				names[i] = prefix + d.Name
			}
			continue
		}
		if d.Receiver != "" {
			prefix += d.Receiver + "."
		}
		if d.Qualifier != "" {
			prefix += d.Qualifier + "."
		}
		names[i] = prefix + d.Name
		kind := KindFunction
		if d.Kind == lang.Class {
			kind = KindClass
		}
		decls[i] = a.add(node{Entity: Entity{ID: p + ":" + names[i], Kind: kind, Name: d.Name, Path: p, Line: int(d.Span.Line),
			EndLine: int(d.Span.EndLine), Signature: d.Signature, Lang: f.Lang, Test: test || d.Flags&lang.Test != 0},
			start: d.Span.Start, end: d.Span.End, body: d.Body}, rec, i+1)
		if d.Receiver == "" {
			a.link(parent, decls[i], Contain, 0, span(d))
		}
	}
	return file, decls
}

func span(d *lang.Decl) site {
	return site{d.Span.Line, d.Span.Col, d.Span.EndLine, d.Span.EndCol}
}

// finish sorts everything and numbers it anew.
func (a *assembler) finish(g *Graph) {
	order := make([]uint32, len(a.nodes))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return strings.Compare(a.nodes[x].ID, a.nodes[y].ID) })
	renumber := make([]uint32, len(a.nodes))
	g.nodes = make([]node, len(a.nodes))
	g.bodies = &bodyWords{words: make([][]string, len(a.nodes)), list: make([][]uint32, len(a.nodes))}
	g.byName = map[string][]uint32{}
	for to, from := range order {
		renumber[from] = uint32(to)
		g.nodes[to] = a.nodes[from]
		if r := a.recs[from]; r != nil {
			g.bodies.words[to], g.bodies.list[to] = r.words, r.bodies[a.bodyAt[from]]
		}
		name := strings.ToLower(a.nodes[from].Name)
		g.byName[name] = append(g.byName[name], uint32(to))
		if a.nodes[from].Kind == KindFile {
			if s := stem(name); s != name {
				g.byName[s] = append(g.byName[s], uint32(to))
			}
		}
	}
	for from := range a.nodes { // in order of addition: the file before what it declares
		n := &a.nodes[from]
		if f := g.files[n.Path]; f != nil {
			f.nodes = append(f.nodes, renumber[from])
		}
	}
	g.edges = make([]edge, 0, len(a.edges))
	for _, e := range a.edges {
		e.src, e.dst = renumber[e.src], renumber[e.dst]
		slices.SortFunc(e.sites, compareSites)
		e.sites = slices.Compact(e.sites)
		g.edges = append(g.edges, *e)
	}
	slices.SortFunc(g.edges, func(x, y edge) int {
		var s, t site
		if len(x.sites) > 0 {
			s = x.sites[0]
		}
		if len(y.sites) > 0 {
			t = y.sites[0]
		}
		return cmp.Or(cmp.Compare(x.src, y.src), cmp.Compare(x.kind, y.kind), compareSites(s, t), cmp.Compare(x.dst, y.dst))
	})
	g.outAt, g.inAt = make([]uint32, len(g.nodes)+1), make([]uint32, len(g.nodes)+1)
	for _, e := range g.edges {
		g.outAt[e.src+1]++
		g.inAt[e.dst+1]++
	}
	for i := range g.nodes {
		g.outAt[i+1] += g.outAt[i]
		g.inAt[i+1] += g.inAt[i]
	}
	at := slices.Clone(g.inAt)
	g.in = make([]uint32, len(g.edges))
	for i, e := range g.edges {
		g.in[at[e.dst]] = uint32(i)
		at[e.dst]++
	}
	for name, l := range g.loose {
		slices.SortFunc(l, func(x, y Unresolved) int {
			return cmp.Or(strings.Compare(x.At.Path, y.At.Path), cmp.Compare(x.At.Line, y.At.Line), cmp.Compare(x.At.Col, y.At.Col))
		})
		g.loose[name] = l
	}
}

func compareSites(a, b site) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col), cmp.Compare(a.endLine, b.endLine), cmp.Compare(a.endCol, b.endCol))
}

// isTestPath tells test code by the names that test runners look for.
func isTestPath(p string) bool {
	p = strings.ToLower(p)
	for _, part := range strings.Split(path.Dir(p), "/") {
		switch part {
		case "test", "tests", "testing", "__tests__", "testdata":
			return true
		}
	}
	name := path.Base(p)
	s := stem(name)
	return strings.HasPrefix(name, "test_") || strings.HasSuffix(s, "_test") || strings.HasSuffix(s, ".test") ||
		strings.HasSuffix(s, ".spec") || name == "conftest.py"
}
