package codegraph

import (
	"io/fs"
	"iter"
	"slices"
	"sort"
	"sync"

	"github.com/findspot/findspot/internal/errs"
)

// The errors of this package.
var (
	// ErrNotFound is wrapped when an id does not exist; near ids are in the message.
	ErrNotFound = errs.NotFound
	// ErrStale is wrapped when a source changed after it was indexed.
	ErrStale = errs.Stale
	// ErrClosed is wrapped when an index is used after Close.
	ErrClosed = errs.Closed
	// ErrFormat is wrapped when an index was written by a newer version.
	ErrFormat = errs.Format
)

// A Kind is the kind of an entity.
type Kind string

// The kinds of entities. Methods are functions; structs, interfaces and named types are classes.
const (
	KindDirectory Kind = "directory"
	KindFile      Kind = "file"
	KindClass     Kind = "class"
	KindFunction  Kind = "function"
)

// An EdgeKind is the kind of an edge.
type EdgeKind string

// The kinds of edges, from the first to the second: a directory contains a file, a file imports a file or an entity, a
// function invokes a function or class, a class inherits from its base. A reference is any other mention of a class or
// function: as a callback, a type, a value to be kept, an exception to be raised.
const (
	Contain   EdgeKind = "contain"
	Import    EdgeKind = "import"
	Invoke    EdgeKind = "invoke"
	Inherit   EdgeKind = "inherit"
	Reference EdgeKind = "reference"
)

// EdgeKinds lists the kinds of edges.
func EdgeKinds() []EdgeKind { return slices.Clone(edgeKinds[:]) }

// A Level says how an edge is known.
type Level string

// The levels, strongest first. A way is as weak as its weakest step. Values are known at [LevelFlow] as long as each step hands on what
// went in: an assignment, an argument or a default, what a function returns or yields, the element of a container under a key or index
// that is constant where it is put in and where it is taken out. They are known at [LevelContainer] once an element is taken
// under a key that is not known, or by a loop, and could be another one of those in the container.
const (
	LevelExact     Level = "exact"     // by a compiler or language server, or by the structure of the tree
	LevelScope     Level = "scope"     // a name of the same file, by its scopes
	LevelImport    Level = "import"    // through imports
	LevelMember    Level = "member"    // a member of the receiver, of a base class, or of an annotated type, also an annotated container's
	LevelFlow      Level = "flow"      // through values of variables, parameters and results
	LevelContainer Level = "container" // through elements of lists and mappings
	LevelName      Level = "name"      // the only entity with that name
)

var levels = [...]Level{LevelExact, LevelScope, LevelImport, LevelMember, LevelFlow, LevelContainer, LevelName}

// rank counts from 0, the strongest; an unknown or empty level is the weakest.
func (l Level) rank() uint8 {
	if i := slices.Index(levels[:], l); i >= 0 {
		return uint8(i)
	}
	return uint8(len(levels) - 1)
}

// Levels lists the levels, strongest first.
func Levels() []Level { return slices.Clone(levels[:]) }

// AtLeast tells whether l is as strong as min; the empty min accepts every level.
func (l Level) AtLeast(min Level) bool { return min == "" || l.rank() <= min.rank() }

// A Location is a half-open range in a file. Lines and columns count from 1, columns in bytes; paths are relative to
// the root and slash-separated.
type Location struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	EndLine int    `json:"end_line"`
	EndCol  int    `json:"end_col"`
}

// An Entity is a node of the graph.
type Entity struct {
	ID        string `json:"id"`
	Kind      Kind   `json:"kind"`
	Name      string `json:"name"` // the last name
	Path      string `json:"path"` // of its file or directory; "/" for the root
	Line      int    `json:"line"` // from 1, decorators included; 0 for a directory
	EndLine   int    `json:"end_line"`
	Signature string `json:"signature"` // on one line; "" for files and directories
	Lang      string `json:"lang,omitempty"`
	Test      bool   `json:"test,omitempty"` // test code, by the language's conventions
}

// An Edge joins two entities. Sites are the places in the source of Src that make it, in order.
type Edge struct {
	Src   string     `json:"src"`
	Dst   string     `json:"dst"`
	Kind  EdgeKind   `json:"kind"`
	Level Level      `json:"level"` // the strongest of its sites
	By    string     `json:"by"`    // what found it: "linker"
	Sites []Location `json:"sites"`
}

// An Unresolved is a reference that the linker could not place.
type Unresolved struct {
	Name    string   `json:"name"` // its last name
	At      Location `json:"at"`
	Outside bool     `json:"outside"` // it is known to lead outside of the repository
}

// A Skip is a file or folder that was left out.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Rule   bool   `json:"rule"` // left out by a rule, such as that of links; false: it could not be read
}

// A Graph is one state of a repository. It is immutable and safe for concurrent use.
type Graph struct {
	fsys    fs.FS
	nodes   []node // sorted by id
	files   map[string]*fileInfo
	edges   []edge   // sorted by source, order of appearance, kind
	outAt   []uint32 // edges of node i: edges[outAt[i]:outAt[i+1]]
	in      []uint32 // indices of edges by target, in order of source
	inAt    []uint32
	loose   map[string][]Unresolved
	skipped []Skip

	byName map[string][]uint32 // last name, lower case, to nodes

	searchOnce sync.Once
	search     *searchIndex
	bodies     *bodyWords
}

type node struct {
	Entity
	start, end int32 // bytes in the file
	body       int32 // where the signature ends, in bytes
}

type edge struct {
	src, dst uint32
	kind     uint8
	level    uint8
	sites    []site
}

type site struct{ line, col, endLine, endCol int32 }

type fileInfo struct {
	hash  [32]byte
	nodes []uint32 // entities of the file in source order, the file itself first
}

var edgeKinds = [...]EdgeKind{Contain, Import, Invoke, Inherit, Reference}

func (k EdgeKind) index() int { return slices.Index(edgeKinds[:], k) }

func (g *Graph) find(id string) (uint32, bool) {
	i := sort.Search(len(g.nodes), func(i int) bool { return g.nodes[i].ID >= id })
	return uint32(i), i < len(g.nodes) && g.nodes[i].ID == id
}

// Entity gives the entity with this id.
func (g *Graph) Entity(id string) (Entity, bool) {
	if i, ok := g.find(id); ok {
		return g.nodes[i].Entity, true
	}
	return Entity{}, false
}

// Len gives the number of entities and of edges.
func (g *Graph) Len() (entities, edges int) { return len(g.nodes), len(g.edges) }

// Entities yields all entities, by id.
func (g *Graph) Entities() iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		for i := range g.nodes {
			if !yield(g.nodes[i].Entity) {
				return
			}
		}
	}
}

// Edges yields all edges by source, target and kind.
func (g *Graph) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		var ids []uint32
		for n := range g.nodes {
			ids = ids[:0]
			for e := g.outAt[n]; e < g.outAt[n+1]; e++ {
				ids = append(ids, e)
			}
			slices.SortFunc(ids, func(a, b uint32) int {
				x, y := &g.edges[a], &g.edges[b]
				if x.dst != y.dst {
					return int(x.dst) - int(y.dst)
				}
				return int(x.kind) - int(y.kind)
			})
			for _, e := range ids {
				if !yield(g.edge(e)) {
					return
				}
			}
		}
	}
}

func (g *Graph) edge(i uint32) Edge {
	e := &g.edges[i]
	src := &g.nodes[e.src]
	out := Edge{Src: src.ID, Dst: g.nodes[e.dst].ID, Kind: edgeKinds[e.kind], Level: levels[e.level], By: "linker",
		Sites: make([]Location, len(e.sites))}
	for j, s := range e.sites {
		out.Sites[j] = s.at(src.Path)
	}
	return out
}

func (s site) at(path string) Location {
	return Location{Path: path, Line: int(s.line), Col: int(s.col), EndLine: int(s.endLine), EndCol: int(s.endCol)}
}

// Skipped lists what was left out, by path.
func (g *Graph) Skipped() []Skip { return slices.Clone(g.skipped) }

// Unresolved lists the references to this last name that the linker could not place, by place.
func (g *Graph) Unresolved(name string) []Unresolved { return slices.Clone(g.loose[name]) }

// UnresolvedCount gives the number of references that stayed open, and of those known to lead outside.
func (g *Graph) UnresolvedCount() (open, outside int) {
	for _, l := range g.loose {
		for _, u := range l {
			if u.Outside {
				outside++
			} else {
				open++
			}
		}
	}
	return open, outside
}

// Enclosing gives the innermost entity around a line of a file, the file itself where there is none.
func (g *Graph) Enclosing(path string, line int) (Entity, bool) {
	f := g.files[path]
	if f == nil {
		return Entity{}, false
	}
	best := f.nodes[0]
	for _, n := range f.nodes[1:] {
		e := &g.nodes[n]
		if e.Line <= line && line <= e.EndLine && e.EndLine-e.Line <= g.nodes[best].EndLine-g.nodes[best].Line {
			best = n
		}
	}
	if last := g.nodes[f.nodes[0]].EndLine; line < 1 || line > max(last, 1) {
		return Entity{}, false
	}
	return g.nodes[best].Entity, true
}
