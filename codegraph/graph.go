package codegraph

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync"

	"github.com/findspot/findspot/codegraph/internal/locate"
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/overlay"
	"github.com/findspot/findspot/codegraph/internal/query"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/vectors"
	"github.com/findspot/findspot/codegraph/lang"
)

// A Graph is one state of a repository. It is immutable and safe for concurrent use. Graphs that follow one another share
// what is known of the files that did not change.
type Graph struct {
	s       *snapshot.Graph
	locator func() *locate.Locator // of the graph below what is laid over it; made when it is first asked for
	vectors *vectors.Index         // nil: there is no embedder
}

func newGraph(s *snapshot.Graph) *Graph {
	return &Graph{s: s, locator: sync.OnceValue(func() *locate.Locator { return locate.New(s) })}
}

// Entity gives the entity with this id.
func (g *Graph) Entity(id string) (Entity, bool) {
	if n, ok := g.s.Find(id); ok {
		return entityOf(g.s.Node(n)), true
	}
	return Entity{}, false
}

// Enclosing gives the innermost entity around a line of a file, the file itself where there is none.
func (g *Graph) Enclosing(path string, line int) (Entity, bool) {
	if n, ok := g.s.Enclosing(path, line); ok {
		return entityOf(g.s.Node(n)), true
	}
	return Entity{}, false
}

// Named gives the entities that a written name may mean, in exact case first, each group by how near the name is to the
// id, then by id. A name is an id, the end of one, or what people write for it: "Class.method", "module.func",
// "path.py::Class::method", "pkg::f", "Class#method", "func()", "path:line" (the innermost entity there), also a
// member under a class that inherits it. Names of modules and packages may stand before, as in an import.
func (g *Graph) Named(name string) []Entity {
	var out []Entity
	for _, m := range query.Resolve(g.s, name) {
		out = append(out, entityOf(g.s.Node(m.Node)))
	}
	return out
}

// Near gives up to n existing ids similar to a written id or name, nearest first.
func (g *Graph) Near(name string, n int) []string { return query.Near(g.s, name, n) }

// Len gives the number of entities and of edges.
func (g *Graph) Len() (entities, edges int) { return g.s.Len() }

// Entities yields all entities, by id.
func (g *Graph) Entities() iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		for _, n := range g.s.All() {
			if !yield(entityOf(g.s.Node(n))) {
				return
			}
		}
	}
}

// Edges yields all edges by source, target and kind.
func (g *Graph) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		var list []uint32
		for _, n := range g.s.All() {
			list = slices.AppendSeq(list[:0], g.s.Adjacent(n, false))
			slices.SortFunc(list, func(a, b uint32) int {
				_, x := g.s.Ends(a)
				_, y := g.s.Ends(b)
				return cmp.Or(g.s.ByID(x, y), cmp.Compare(g.s.EdgeKind(a), g.s.EdgeKind(b)))
			})
			for _, e := range list {
				if !yield(edgeOf(g.s, e)) {
					return
				}
			}
		}
	}
}

// Skipped lists what was left out, by path.
func (g *Graph) Skipped() []Skip { return skipsOf(g.s.Skipped) }

// Unresolved lists the references to this last name that the linker could not place, by place.
func (g *Graph) Unresolved(name string) []Unresolved {
	var out []Unresolved
	for _, u := range g.s.Unresolved(name) {
		out = append(out, Unresolved{Name: name, At: locationOf(u.At, u.Path), Outside: u.Outside})
	}
	return out
}

// UnresolvedCount gives the number of references that stayed open, and of those known to lead outside.
func (g *Graph) UnresolvedCount() (open, outside int) { return g.s.UnresolvedCount() }

// Overlaid says what became of observations.
type Overlaid struct {
	Applied int `json:"applied"` // they hold in the graph
	Stale   int `json:"stale"`   // of a file that is not there, or has other content than the one observed
	Unknown int `json:"unknown"` // they lead to something that the graph has no entity for, or from a place that is in none
}

// Overlay gives a graph with what a compiler or language servers observed laid over g, which stays as it is. At the place of an
// observation, edges of kind invoke and reference that are weaker than exact give way to the exact one; an edge that has no
// place left is gone. A call of a class keeps its edge to the constructor, and the other way round. An edge of which only some places
// were observed is exact as a whole, and names all who found it in By; one that lost a place keeps its level. Unresolved references at the place are resolved, or
// known to lead outside. Observations of content that is not the one in g are left out: so they fall away when a file is edited,
// and may be laid over every new graph of an index. They live in memory only. Overlays add up. The error is that of the context.
func (g *Graph) Overlay(ctx context.Context, seen []lang.Observation) (*Graph, Overlaid, error) {
	s, sum, err := overlay.Lay(ctx, g.s, seen)
	if err != nil {
		return nil, Overlaid{}, err
	}
	return &Graph{s: s, locator: g.locator, vectors: g.vectors}, Overlaid(sum), nil
}

func entityOf(n snapshot.Node) Entity {
	e := Entity{ID: n.ID, Name: n.Name, Path: n.Path, Line: n.Line, EndLine: n.EndLine, Signature: n.Signature, Lang: n.Lang,
		Test: n.Test, Vendored: n.Vendored, Generated: n.Generated}
	if int(n.Kind) < len(kinds) {
		e.Kind = kinds[n.Kind]
	}
	return e
}

func edgeOf(g *snapshot.Graph, e uint32) Edge {
	src, dst := g.Ends(e)
	sites, path := g.EdgeSites(e)
	out := Edge{Src: g.ID(src), Dst: g.ID(dst), Kind: edgeKinds[g.EdgeKind(e)], Level: levels[g.EdgeLevel(e)], By: g.FoundBy(e), Sites: make([]Location, len(sites))}
	for i, s := range sites {
		out.Sites[i] = locationOf(s, path)
	}
	return out
}

func locationOf(s model.Site, path string) Location {
	return Location{Path: path, Line: int(s.Line), Col: int(s.Col), EndLine: int(s.EndLine), EndCol: int(s.EndCol)}
}

func skipsOf(list []scan.Skip) []Skip {
	if list == nil {
		return nil
	}
	out := make([]Skip, len(list))
	for i, s := range list {
		out[i] = Skip(s)
	}
	return out
}
