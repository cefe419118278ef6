package block

import (
	"encoding/binary"
	"fmt"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/internal/errs"
)

// A Block is one file or directory of a graph: its entities, the edges that it makes and the references in it that could not
// be placed. It is immutable, and graphs that follow one another share it. In memory it is what it is on disk: words of 32
// bits, little endian, then bytes.
//
//	header   blockWords words, see the constants below; the content hash
//	nodes    nodeWords words each, by local number. A number stays with its id as long as the file lives, so that the edges of
//	         other files need no change when the file does; what is gone leaves a hole.
//	edges    edgeWords words each: those of each source together, sources by id; by kind, first place and target; last
//	         those whose source is in another file, in the order of their table
//	sources  two words for each edge of the latter kind: slot and local number
//	loose    three words for each name: where it begins and ends in the text, where its places begin
//	places   numbers of variable length: of edges and of loose references
//	text     bytes: ids without the path, signatures, names
type Block struct {
	Raw                                           []byte
	Nodes, Edges, foreign, Loose                  uint32 // numbers of them; edges holds those with a foreign source too
	EdgesAt, ForeignAt, LooseAt, placesAt, textAt uint32 // offsets in raw
	Lives                                         int    // nodes that are no holes
	Words                                         *Words
}

// The words of a block's header.
const (
	HeaderNodes = iota
	hdEdges
	hdForeign
	hdLoose
	hdPlaces // bytes
	hdText   // bytes
	HeaderFlags
	HeaderOpen    // loose references that are not known to lead outside
	HeaderOutside // those that are
	HeaderLang    // end of the language's name, which begins the text
	blockWords

	HeaderSize = 4*blockWords + 32
)

// The flags of a block.
const (
	FlagDir = 1 << iota
	FlagTest
	FlagVendored
	FlagGenerated
)

// The words of a node.
const (
	ndID          = iota // where the id without the path begins in the text
	NodeSignature        // where it ends and the signature begins
	NodeEnd              // where that ends
	NodeName             // the last name
	NodeNameEnd          //
	ndKind               // of package model, with nodeTest, or deadNode
	NodeDecl             // number of the words of its body: 0 for the file, 1 more than the declaration
	NodeLine
	NodeEndLine
	NodeStart // bytes in the file
	NodeStop
	NodeBody
	NodeEdges // its edges
	NodeEdgesEnd
	NodeWords
)

const (
	EdgeWords = 4       // slot of the target; its local number, kind and level; the places; the source's local number
	MaxLocal  = 1 << 24 // local numbers of nodes are smaller

	DeadNode = 0xff
	NodeTest = 1 << 8 // with the kind: test code by what the source says
)

// Parse takes the bytes of a block, which may be anything.
func Parse(raw []byte) (*Block, error) {
	b := &Block{}
	if err := b.Parse(raw); err != nil {
		return nil, err
	}
	return b, nil
}

// Parse reads the header of a block and checks that everything lies within it.
func (b *Block) Parse(raw []byte) error {
	bad := func(what string) error { return fmt.Errorf("%w: block: %s", errs.Format, what) }
	if len(raw) < HeaderSize {
		return bad("header")
	}
	*b = Block{Raw: raw, Nodes: codec.Uint32(raw, HeaderNodes), Edges: codec.Uint32(raw, hdEdges), foreign: codec.Uint32(raw, hdForeign), Loose: codec.Uint32(raw, hdLoose)}
	at := uint64(HeaderSize) + 4*NodeWords*uint64(b.Nodes)
	edges := at
	at += 4 * EdgeWords * uint64(b.Edges)
	foreign := at
	at += 8 * uint64(b.foreign)
	loose := at
	at += 12 * uint64(b.Loose)
	places := at
	at += uint64(codec.Uint32(raw, hdPlaces))
	text := at
	if at += uint64(codec.Uint32(raw, hdText)); at != uint64(len(raw)) || b.Nodes == 0 || b.Nodes >= MaxLocal || b.foreign > b.Edges {
		return bad("size")
	}
	b.EdgesAt, b.ForeignAt, b.LooseAt, b.placesAt, b.textAt = uint32(edges), uint32(foreign), uint32(loose), uint32(places), uint32(text)
	size, own, bytes := codec.Uint32(raw, hdText), b.Edges-b.foreign, codec.Uint32(raw, hdPlaces)
	if codec.Uint32(raw, HeaderLang) > size {
		return bad("language")
	}
	list := raw[HeaderSize:edges]
	for n := uint32(0); len(list) >= 4*NodeWords; n, list = n+1, list[4*NodeWords:] {
		r := (*[4 * NodeWords]byte)(list)
		f := func(i int) uint32 { return binary.LittleEndian.Uint32(r[4*i : 4*i+4]) }
		kind := f(ndKind)
		if kind != DeadNode {
			b.Lives++
		}
		if f(ndID) > f(NodeSignature) || f(NodeSignature) > f(NodeEnd) || f(NodeEnd) > size || f(NodeName) > f(NodeNameEnd) || f(NodeNameEnd) > size ||
			kind&^NodeTest >= uint32(model.EntityKinds) && (kind != DeadNode || n == 0) || f(NodeEdges) > f(NodeEdgesEnd) || f(NodeEdgesEnd) > own ||
			f(NodeStart) > f(NodeStop) || f(NodeBody) > f(NodeStop) || f(NodeStop) > 1<<31-1 || f(NodeDecl) >= MaxLocal {
			return bad("node")
		}
	}
	list = raw[edges:foreign]
	for e := uint32(0); len(list) >= 4*EdgeWords; e, list = e+1, list[4*EdgeWords:] {
		w := codec.Uint32(list, 1)
		if w>>24&15 >= uint32(model.Kinds) || w>>28 >= uint32(model.Levels) || codec.Uint32(list, 2) > bytes || e < own && codec.Uint32(list, 3) >= b.Nodes {
			return bad("edge")
		}
	}
	for list = raw[loose:places]; len(list) >= 12; list = list[12:] {
		if from, to, at := codec.Uint32(list, 0), codec.Uint32(list, 1), codec.Uint32(list, 2); from > to || to > size || at > bytes {
			return bad("name")
		}
	}
	return nil
}

// Node gives a number of an entity, such as NodeLine.
func (b *Block) Node(n, field uint32) uint32 {
	return binary.LittleEndian.Uint32(b.Raw[HeaderSize+4*(n*NodeWords+field):])
}

// EdgeWord gives a number of an edge.
func (b *Block) EdgeWord(e, field uint32) uint32 {
	return binary.LittleEndian.Uint32(b.Raw[b.EdgesAt+4*(e*EdgeWords+field):])
}

// LooseWord gives a number of a name that stayed unresolved: where it begins and ends in the text, and its places.
func (b *Block) LooseWord(i, field uint32) uint32 {
	return binary.LittleEndian.Uint32(b.Raw[b.LooseAt+4*(i*3+field):])
}

// Edge gives target, kind and level of an edge.
func (b *Block) Edge(e uint32) (slot, local uint32, kind, level uint8) {
	w := b.EdgeWord(e, 1)
	return b.EdgeWord(e, 0), w & (MaxLocal - 1), uint8(w >> 24 & 15), uint8(w >> 28)
}

// Source gives the source of an edge: ok is false when it is in this block.
func (b *Block) Source(e uint32) (slot, local uint32, ok bool) {
	own := b.Edges - b.foreign
	if e < own {
		return 0, 0, false
	}
	at := b.ForeignAt + 8*(e-own)
	return binary.LittleEndian.Uint32(b.Raw[at:]), binary.LittleEndian.Uint32(b.Raw[at+4:]), true
}

// Text gives a part of the text, copied.
func (b *Block) Text(from, to uint32) string { return string(b.TextBytes(from, to)) }

// TextBytes gives a part of the text.
func (b *Block) TextBytes(from, to uint32) []byte { return b.Raw[b.textAt+from : b.textAt+to] }

// Suffix gives a node's id without the path.
func (b *Block) Suffix(n uint32) []byte {
	return b.TextBytes(b.Node(n, ndID), b.Node(n, NodeSignature))
}

// Name gives the last name of an entity.
func (b *Block) Name(n uint32) string { return b.Text(b.Node(n, NodeName), b.Node(n, NodeNameEnd)) }

// Live tells an entity from a number that is not in use.
func (b *Block) Live(n uint32) bool { return b.Node(n, ndKind) != DeadNode }

// Kind gives the kind of a node, that of package model.
func (b *Block) Kind(n uint32) uint8 { return uint8(b.Node(n, ndKind)) }

// Test tells test code: the whole file by its path, or one entity by what its source says.
func (b *Block) Test(n uint32) bool {
	return b.Flag(FlagTest) || b.Live(n) && b.Node(n, ndKind)&NodeTest != 0
}

// Flag tells whether a flag of the file is set.
func (b *Block) Flag(f uint32) bool { return codec.Uint32(b.Raw, HeaderFlags)&f != 0 }

// Lang gives the language of the file.
func (b *Block) Lang() string { return b.Text(0, codec.Uint32(b.Raw, HeaderLang)) }

// Hash gives the SHA-256 of the file.
func (b *Block) Hash() (h [32]byte) {
	copy(h[:], b.Raw[4*blockWords:])
	return h
}

// Sites yields the places that begin at an offset: those of an edge, or of a loose name with the mark that they lead outside.
func (b *Block) Sites(at uint32) func(func(model.Site, bool) bool) {
	return func(yield func(model.Site, bool) bool) {
		r := codec.Reader{Buf: b.Raw[b.placesAt+at : b.textAt]}
		var line uint64
		for range r.Count(3) {
			v := r.Uint()
			line += v >> 2
			s := model.Site{Line: int32(line), EndLine: int32(line)}
			s.Col = int32(r.Uint())
			if v&2 != 0 {
				s.EndLine += int32(r.Uint())
			}
			if s.EndCol = int32(r.Uint()); v&2 == 0 {
				s.EndCol += s.Col
			}
			if r.Bad || !yield(s, v&1 != 0) {
				return
			}
		}
	}
}

// AppendSites appends places, which are in order.
func AppendSites(w *codec.Writer, n int, at func(int) (model.Site, bool)) {
	w.Uint(uint64(n))
	line := int32(0)
	for i := range n {
		s, mark := at(i)
		v := uint64(max(s.Line-line, 0)) << 2
		line = max(line, s.Line)
		same := s.EndLine <= s.Line && s.EndCol >= s.Col
		if mark {
			v |= 1
		}
		if !same {
			v |= 2
		}
		w.Uint(v)
		w.Uint(uint64(max(s.Col, 0)))
		if same {
			w.Uint(uint64(s.EndCol - s.Col))
		} else {
			w.Uint(uint64(max(s.EndLine-s.Line, 0)))
			w.Uint(uint64(max(s.EndCol, 0)))
		}
	}
}

// An Incoming lists what other blocks have to do with one: for each of its nodes the edges that end there, by the path of the
// file that makes them and its order; and the edges that begin in it but are made by others.
//
//	words    number of nodes; for each where its edges begin, and the end; two words an edge: slot and number;
//	         then three words for each edge made by others: local number, slot, number
type Incoming struct {
	Raw   []byte
	Nodes uint32
}

// Parse takes the bytes of lists, which may be anything.
func (l *Incoming) Parse(raw []byte) error {
	bad := fmt.Errorf("%w: lists", errs.Format)
	*l = Incoming{Raw: raw}
	if len(raw) < 8 || len(raw)%4 != 0 {
		return bad
	}
	l.Nodes = codec.Uint32(raw, 0)
	words := uint64(len(raw) / 4)
	if uint64(l.Nodes)+2 > words {
		return bad
	}
	last := uint32(0)
	for i := range l.Nodes + 1 {
		at := codec.Uint32(raw, 1+i)
		if at < last {
			return bad
		}
		last = at
	}
	rest := words - uint64(l.Nodes) - 2
	if 2*uint64(last) > rest || (rest-2*uint64(last))%3 != 0 {
		return bad
	}
	return nil
}

// Reached gives the edges that end in a node as a range of list.
func (l *Incoming) Reached(n uint32) (from, to uint32) {
	if l == nil || n >= l.Nodes {
		return 0, 0
	}
	return codec.Uint32(l.Raw, 1+n), codec.Uint32(l.Raw, 2+n)
}

// Entry gives an edge of those that Reached says: the slot of its file, and its number there.
func (l *Incoming) Entry(i uint32) (slot, edge uint32) {
	at := l.Nodes + 2 + 2*i
	return codec.Uint32(l.Raw, at), codec.Uint32(l.Raw, at+1)
}

// An IncomingEdge is an edge as its target, or its source in another file, lists it.
type IncomingEdge struct{ Local, Slot, Edge uint32 }

// Outer yields the edges that begin in the block and are made by others.
func (l *Incoming) Outer(yield func(IncomingEdge) bool) {
	if l == nil {
		return
	}
	for at := l.Nodes + 2 + 2*codec.Uint32(l.Raw, 1+l.Nodes); at+3 <= uint32(len(l.Raw)/4); at += 3 {
		if !yield(IncomingEdge{codec.Uint32(l.Raw, at), codec.Uint32(l.Raw, at+1), codec.Uint32(l.Raw, at+2)}) {
			return
		}
	}
}
