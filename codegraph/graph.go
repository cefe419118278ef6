package codegraph

import (
	"bytes"
	"cmp"
	"io/fs"
	"iter"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/model"
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

// A LockedError says that another process keeps an index up to date, and which.
type LockedError = errs.LockedError

// An UntrustedError says why a folder is not taken for an index of this user, and the way out.
type UntrustedError = errs.UntrustedError

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
// function: as a callback, a type, a value to be kept, an exception to be raised. A declaration that only announces a
// function or class (a prototype in a header) has an edge to its definition; all other edges lead to the definition then.
const (
	Contain   EdgeKind = "contain"
	Import    EdgeKind = "import"
	Invoke    EdgeKind = "invoke"
	Inherit   EdgeKind = "inherit"
	Reference EdgeKind = "reference"
	Define    EdgeKind = "define"
)

// EdgeKinds lists the kinds of edges.
func EdgeKinds() []EdgeKind { return slices.Clone(edgeKinds[:]) }

// A Level says how an edge is known.
type Level string

// The levels, strongest first. A way is as weak as its weakest step. Values are known at [LevelFlow] as long as each step hands on what
// went in: an assignment, an argument or a default, what a function returns or yields, the element of a container under a key or index
// that is constant where it is put in and where it is taken out. They are known at [LevelContainer] once an element is taken
// under a key that is not known, or by a loop, and could be another one of those in the container; so is a member whose name is
// put together at run time, and one that a class leaves to those derived from it.
const (
	LevelExact     Level = "exact"     // by a compiler or language server, or by the structure of the tree
	LevelScope     Level = "scope"     // a name of the same file, by its scopes
	LevelImport    Level = "import"    // through imports
	LevelMember    Level = "member"    // a member of the receiver, of a base class, or of an annotated type, also an annotated container's
	LevelFlow      Level = "flow"      // through values of variables, parameters and results
	LevelContainer Level = "container" // one of several: elements of lists and mappings, members of derived classes
	LevelName      Level = "name"      // the only method with that name, or the one that all others override
)

var levels = [model.Levels]Level{
	model.LevelExact: LevelExact, model.LevelScope: LevelScope, model.LevelImport: LevelImport, model.LevelMember: LevelMember,
	model.LevelFlow: LevelFlow, model.LevelContainer: LevelContainer, model.LevelName: LevelName,
}

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
	Signature string `json:"signature"`           // on one line; "" for files and directories
	Lang      string `json:"lang,omitempty"`      // "" for a directory and for text whose language is not known
	Test      bool   `json:"test,omitempty"`      // test code, by the language's conventions
	Vendored  bool   `json:"vendored,omitempty"`  // code of others kept in the repository, by its folder (vendor, third_party, site-packages)
	Generated bool   `json:"generated,omitempty"` // written by a program: its first comment or its long lines say so
}

// An Edge joins two entities. Sites are the places in the source of Src that make it, in order.
type Edge struct {
	Src   string     `json:"src"`
	Dst   string     `json:"dst"`
	Kind  EdgeKind   `json:"kind"`
	Level Level      `json:"level"` // the strongest of its sites
	By    string     `json:"by"`    // what found it: "linker", or who else did, see [Graph.Overlay]; several with commas
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

// A Graph is one state of a repository. It is immutable and safe for concurrent use. Graphs that follow one another share
// the blocks of the files that did not change.
type Graph struct {
	fsys    fs.FS
	slots   []slot // by number, which a file or directory keeps as long as it lives
	skipped []Skip

	// What follows is made from the slots.
	order         []uint32 // slots in use, by path
	nodeAt        []uint32 // by slot: number of its first node; one more at the end
	edgeAt        []uint32 // by slot: number of the first edge it makes; before them stand the edges from directories, one a slot
	nodes, edges  int
	open, outside int

	over *overlay // what was laid over it, or nil

	childrenOnce sync.Once
	children     map[uint32][]uint32 // slots in each directory, by path

	lex     *block.Lexicon // the words of most blocks
	lexOnce sync.Once
	found   *wordSearch

	locOnce sync.Once
	loc     *locator
}

// A slot is the place of a file or directory in a graph. Its path is "" when it is free.
type slot struct {
	path string
	b    *block.Block
	in   *block.Incoming // nil when nothing reaches it
}

var kinds = [model.EntityKinds]Kind{
	model.Directory: KindDirectory, model.File: KindFile, model.Class: KindClass, model.Function: KindFunction,
}

// kindOf gives the kind of a node, "" for a hole.
func kindOf(k uint8) Kind {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return ""
}

// edgeKinds are the kinds of edges by their numbers in package model, and levels those of levels.
var edgeKinds = [model.Kinds]EdgeKind{
	model.Contain: Contain, model.Import: Import, model.Invoke: Invoke, model.Inherit: Inherit, model.Reference: Reference, model.Define: Define,
}

func (k EdgeKind) index() int { return slices.Index(edgeKinds[:], k) }

// number makes what is made from the slots. Of the graph before, which may be nil, the order is taken as far as it still holds.
func (g *Graph) number(prev *Graph) {
	stays := func(i uint32) bool {
		return prev != nil && i < uint32(len(prev.slots)) && prev.slots[i].b != nil && g.slots[i].b != nil && prev.slots[i].path == g.slots[i].path
	}
	byPath := func(x, y uint32) int { return strings.Compare(g.slots[x].path, g.slots[y].path) }
	var fresh []uint32
	for i := range uint32(len(g.slots)) {
		if g.slots[i].b != nil && !stays(i) {
			fresh = append(fresh, i)
		}
	}
	slices.SortFunc(fresh, byPath)
	g.order = make([]uint32, 0, len(g.slots))
	if prev != nil {
		for _, i := range prev.order {
			if !stays(i) {
				continue
			}
			for len(fresh) > 0 && byPath(fresh[0], i) < 0 {
				g.order, fresh = append(g.order, fresh[0]), fresh[1:]
			}
			g.order = append(g.order, i)
		}
	}
	g.order = append(g.order, fresh...)
	g.count()
}

// count is number when the order is there.
func (g *Graph) count() {
	g.nodeAt, g.edgeAt = make([]uint32, len(g.slots)+1), make([]uint32, len(g.slots)+1)
	edge := uint32(len(g.slots))
	node := uint32(0)
	for i := range g.slots {
		g.nodeAt[i], g.edgeAt[i] = node, edge
		b := g.slots[i].b
		if b == nil {
			continue
		}
		node, edge = node+b.Nodes, edge+b.Edges
		g.edges += int(b.Edges)
		if g.slots[i].path != "/" {
			g.edges++ // from its directory
		}
		g.nodes += b.Lives
		g.open += int(codec.Uint32(b.Raw, block.HeaderOpen))
		g.outside += int(codec.Uint32(b.Raw, block.HeaderOutside))
	}
	g.nodeAt[len(g.slots)], g.edgeAt[len(g.slots)] = node, edge
}

// slotAt gives the slot of a path.
func (g *Graph) slotAt(p string) (uint32, bool) {
	i, ok := slices.BinarySearchFunc(g.order, p, func(s uint32, p string) int { return strings.Compare(g.slots[s].path, p) })
	if !ok {
		return 0, false
	}
	return g.order[i], true
}

// place gives slot and local number of a node.
func (g *Graph) place(n uint32) (s, local uint32) {
	s = lastAtMost(g.nodeAt, n)
	return s, n - g.nodeAt[s]
}

// lastAtMost gives the last index whose number, of those that go up, is not over n; of equal ones the last.
func lastAtMost(starts []uint32, n uint32) uint32 {
	lo, hi := 0, len(starts)
	for hi-lo > 1 {
		if m := int(uint(lo+hi) >> 1); starts[m] <= n {
			lo = m
		} else {
			hi = m
		}
	}
	return uint32(lo)
}

func (g *Graph) find(id string) (uint32, bool) {
	if s, ok := g.slotAt(id); ok {
		return g.nodeAt[s], true
	}
	for i := 0; i < len(id); i++ {
		if id[i] != ':' {
			continue
		}
		s, ok := g.slotAt(id[:i])
		if !ok {
			continue
		}
		b := g.slots[s].b
		for n := uint32(1); n < b.Nodes; n++ {
			if string(b.Suffix(n)) == id[i+1:] && b.Live(n) {
				return g.nodeAt[s] + n, true
			}
		}
	}
	return 0, false
}

// byID compares nodes by their ids.
func (g *Graph) byID(x, y uint32) int {
	if x == y {
		return 0
	}
	s, n := g.place(x)
	t, m := g.place(y)
	if s == t {
		return bytes.Compare(g.slots[s].b.Suffix(n), g.slots[t].b.Suffix(m))
	}
	p, q := g.slots[s].path, g.slots[t].path
	if !strings.HasPrefix(p, q) && !strings.HasPrefix(q, p) {
		return strings.Compare(p, q)
	}
	return strings.Compare(g.nodeID(x), g.nodeID(y))
}

// Entity gives the entity with this id.
func (g *Graph) Entity(id string) (Entity, bool) {
	if i, ok := g.find(id); ok {
		return g.entity(i), true
	}
	return Entity{}, false
}

// Len gives the number of entities and of edges.
func (g *Graph) Len() (entities, edges int) { return g.nodes, g.edges + g.over.more() }

// all lists all nodes, by id.
func (g *Graph) all() []uint32 {
	out := make([]uint32, 0, g.nodes)
	for _, s := range g.order {
		from := len(out)
		b := g.slots[s].b
		for n := range b.Nodes {
			if b.Live(n) {
				out = append(out, g.nodeAt[s]+n)
			}
		}
		slices.SortFunc(out[from:], func(x, y uint32) int {
			return bytes.Compare(b.Suffix(x-g.nodeAt[s]), b.Suffix(y-g.nodeAt[s]))
		})
	}
	slices.SortFunc(out, g.byID) // nearly so already
	return out
}

// Entities yields all entities, by id.
func (g *Graph) Entities() iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		for _, n := range g.all() {
			if !yield(g.entity(n)) {
				return
			}
		}
	}
}

// Edges yields all edges by source, target and kind.
func (g *Graph) Edges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		var list []uint32
		for _, n := range g.all() {
			list = slices.AppendSeq(list[:0], g.adjacent(n, false))
			slices.SortFunc(list, func(a, b uint32) int {
				_, x := g.ends(a)
				_, y := g.ends(b)
				return cmp.Or(g.byID(x, y), cmp.Compare(g.edgeKind(a), g.edgeKind(b)))
			})
			for _, e := range list {
				if !yield(g.edge(e)) {
					return
				}
			}
		}
	}
}

func (g *Graph) edge(i uint32) Edge {
	src, dst := g.ends(i)
	sites := g.edgeSites(i)
	out := Edge{Src: g.nodeID(src), Dst: g.nodeID(dst), Kind: edgeKinds[g.edgeKind(i)], Level: g.edgeLevel(i), By: g.over.finder(i),
		Sites: make([]Location, len(sites))}
	if len(sites) > 0 {
		p := g.sitePath(i)
		for j, s := range sites {
			out.Sites[j] = locationOf(s, p)
		}
	}
	return out
}

func locationOf(s model.Site, path string) Location {
	return Location{Path: path, Line: int(s.Line), Col: int(s.Col), EndLine: int(s.EndLine), EndCol: int(s.EndCol)}
}

// Skipped lists what was left out, by path.
func (g *Graph) Skipped() []Skip { return slices.Clone(g.skipped) }

// Unresolved lists the references to this last name that the linker could not place, by place.
func (g *Graph) Unresolved(name string) []Unresolved {
	var out []Unresolved
	for _, s := range g.order {
		b := g.slots[s].b
		i := sort.Search(int(b.Loose), func(i int) bool {
			return string(b.TextBytes(b.LooseWord(uint32(i), 0), b.LooseWord(uint32(i), 1))) >= name
		})
		if i == int(b.Loose) || string(b.TextBytes(b.LooseWord(uint32(i), 0), b.LooseWord(uint32(i), 1))) != name {
			continue
		}
		for at, outside := range b.Sites(b.LooseWord(uint32(i), 2)) {
			out = append(out, Unresolved{Name: name, At: locationOf(at, g.slots[s].path), Outside: outside})
		}
	}
	return g.over.left(out)
}

// UnresolvedCount gives the number of references that stayed open, and of those known to lead outside.
func (g *Graph) UnresolvedCount() (open, outside int) {
	if g.over != nil {
		return g.open + g.over.open, g.outside + g.over.beyond
	}
	return g.open, g.outside
}

// Enclosing gives the innermost entity around a line of a file, the file itself where there is none.
func (g *Graph) Enclosing(path string, line int) (Entity, bool) {
	s, ok := g.slotAt(path)
	if !ok || g.slots[s].b.Flag(block.FlagDir) || line < 1 || line > int(g.slots[s].b.Node(0, block.NodeEndLine)) {
		return Entity{}, false
	}
	b := g.slots[s].b
	best, first, size := uint32(0), uint32(0), uint32(1<<31)
	for n := uint32(1); n < b.Nodes; n++ {
		from, to := b.Node(n, block.NodeLine), b.Node(n, block.NodeEndLine)
		if !b.Live(n) || int(from) > line || int(to) < line || to-from > size {
			continue
		}
		// Of those on the same lines the one that begins last.
		if at := b.Node(n, block.NodeDecl); to-from < size || at > first {
			best, first, size = n, at, to-from
		}
	}
	return g.entity(g.nodeAt[s] + best), true
}
