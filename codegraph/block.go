package codegraph

import (
	"encoding/binary"
	"fmt"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/internal/errs"
)

// A block is one file or directory of a graph: its entities, the edges that it makes and the references in it that could not
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
type block struct {
	raw                                           []byte
	nodes, edges, foreign, loose                  uint32 // numbers of them; edges holds those with a foreign source too
	edgesAt, foreignAt, looseAt, placesAt, textAt uint32 // offsets in raw
	lives                                         int    // nodes that are no holes
	lex                                           *entityWords
}

// The words of a block's header.
const (
	hdNodes = iota
	hdEdges
	hdForeign
	hdLoose
	hdPlaces // bytes
	hdText   // bytes
	hdFlags
	hdOpen    // loose references that are not known to lead outside
	hdOutside // those that are
	hdLang    // end of the language's name, which begins the text
	blockWords

	blockHeader = 4*blockWords + 32
)

// The flags of a block.
const (
	flagDir = 1 << iota
	flagTest
	flagVendored
	flagGenerated
)

// The words of a node.
const (
	ndID      = iota // where the id without the path begins in the text
	ndSign           // where it ends and the signature begins
	ndEnd            // where that ends
	ndName           // the last name
	ndNameEnd        //
	ndKind           // of package model, with nodeTest, or deadNode
	ndDecl           // number of the words of its body: 0 for the file, 1 more than the declaration
	ndLine
	ndEndLine
	ndFrom // bytes in the file
	ndTo
	ndBody
	ndEdges // its edges
	ndEdgesEnd
	nodeWords
)

const (
	edgeWords = 4       // slot of the target; its local number, kind and level; the places; the source's local number
	maxLocal  = 1 << 24 // local numbers of nodes are smaller

	deadNode = 0xff
	nodeTest = 1 << 8 // with the kind: test code by what the source says
)

func parseBlock(raw []byte) (*block, error) {
	b := &block{}
	if err := b.parse(raw); err != nil {
		return nil, err
	}
	return b, nil
}

// parse reads the header of a block and checks that everything lies within it.
func (b *block) parse(raw []byte) error {
	bad := func(what string) error { return fmt.Errorf("%w: block: %s", errs.Format, what) }
	if len(raw) < blockHeader {
		return bad("header")
	}
	*b = block{raw: raw, nodes: codec.Uint32(raw, hdNodes), edges: codec.Uint32(raw, hdEdges), foreign: codec.Uint32(raw, hdForeign), loose: codec.Uint32(raw, hdLoose)}
	at := uint64(blockHeader) + 4*nodeWords*uint64(b.nodes)
	edges := at
	at += 4 * edgeWords * uint64(b.edges)
	foreign := at
	at += 8 * uint64(b.foreign)
	loose := at
	at += 12 * uint64(b.loose)
	places := at
	at += uint64(codec.Uint32(raw, hdPlaces))
	text := at
	if at += uint64(codec.Uint32(raw, hdText)); at != uint64(len(raw)) || b.nodes == 0 || b.nodes >= maxLocal || b.foreign > b.edges {
		return bad("size")
	}
	b.edgesAt, b.foreignAt, b.looseAt, b.placesAt, b.textAt = uint32(edges), uint32(foreign), uint32(loose), uint32(places), uint32(text)
	size, own, bytes := codec.Uint32(raw, hdText), b.edges-b.foreign, codec.Uint32(raw, hdPlaces)
	if codec.Uint32(raw, hdLang) > size {
		return bad("language")
	}
	list := raw[blockHeader:edges]
	for n := uint32(0); len(list) >= 4*nodeWords; n, list = n+1, list[4*nodeWords:] {
		r := (*[4 * nodeWords]byte)(list)
		f := func(i int) uint32 { return binary.LittleEndian.Uint32(r[4*i : 4*i+4]) }
		kind := f(ndKind)
		if kind != deadNode {
			b.lives++
		}
		if f(ndID) > f(ndSign) || f(ndSign) > f(ndEnd) || f(ndEnd) > size || f(ndName) > f(ndNameEnd) || f(ndNameEnd) > size ||
			kind&^nodeTest >= uint32(model.EntityKinds) && (kind != deadNode || n == 0) || f(ndEdges) > f(ndEdgesEnd) || f(ndEdgesEnd) > own ||
			f(ndFrom) > f(ndTo) || f(ndBody) > f(ndTo) || f(ndTo) > 1<<31-1 || f(ndDecl) >= maxLocal {
			return bad("node")
		}
	}
	list = raw[edges:foreign]
	for e := uint32(0); len(list) >= 4*edgeWords; e, list = e+1, list[4*edgeWords:] {
		w := codec.Uint32(list, 1)
		if w>>24&15 >= uint32(model.Kinds) || w>>28 >= uint32(model.Levels) || codec.Uint32(list, 2) > bytes || e < own && codec.Uint32(list, 3) >= b.nodes {
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

func (b *block) node(n, field uint32) uint32 {
	return binary.LittleEndian.Uint32(b.raw[blockHeader+4*(n*nodeWords+field):])
}

func (b *block) edgeWord(e, field uint32) uint32 {
	return binary.LittleEndian.Uint32(b.raw[b.edgesAt+4*(e*edgeWords+field):])
}

func (b *block) looseWord(i, field uint32) uint32 {
	return binary.LittleEndian.Uint32(b.raw[b.looseAt+4*(i*3+field):])
}

// edge gives target, kind and level of an edge.
func (b *block) edge(e uint32) (slot, local uint32, kind, level uint8) {
	w := b.edgeWord(e, 1)
	return b.edgeWord(e, 0), w & (maxLocal - 1), uint8(w >> 24 & 15), uint8(w >> 28)
}

// source gives the source of an edge: ok is false when it is in this block.
func (b *block) source(e uint32) (slot, local uint32, ok bool) {
	own := b.edges - b.foreign
	if e < own {
		return 0, 0, false
	}
	at := b.foreignAt + 8*(e-own)
	return binary.LittleEndian.Uint32(b.raw[at:]), binary.LittleEndian.Uint32(b.raw[at+4:]), true
}

// text gives a part of the text, copied.
func (b *block) text(from, to uint32) string { return string(b.textBytes(from, to)) }

func (b *block) textBytes(from, to uint32) []byte { return b.raw[b.textAt+from : b.textAt+to] }

// suffix gives a node's id without the path.
func (b *block) suffix(n uint32) []byte { return b.textBytes(b.node(n, ndID), b.node(n, ndSign)) }

func (b *block) name(n uint32) string { return b.text(b.node(n, ndName), b.node(n, ndNameEnd)) }

func (b *block) live(n uint32) bool { return b.node(n, ndKind) != deadNode }

// kind gives the kind of a node, that of package model.
func (b *block) kind(n uint32) uint8 { return uint8(b.node(n, ndKind)) }

// test tells test code: the whole file by its path, or one entity by what its source says.
func (b *block) test(n uint32) bool {
	return b.flag(flagTest) || b.live(n) && b.node(n, ndKind)&nodeTest != 0
}

func (b *block) flag(f uint32) bool { return codec.Uint32(b.raw, hdFlags)&f != 0 }

func (b *block) lang() string { return b.text(0, codec.Uint32(b.raw, hdLang)) }

func (b *block) hash() (h [32]byte) {
	copy(h[:], b.raw[4*blockWords:])
	return h
}

// sites yields the places that begin at an offset: those of an edge, or of a loose name with the mark that they lead outside.
func (b *block) sites(at uint32) func(func(model.Site, bool) bool) {
	return func(yield func(model.Site, bool) bool) {
		r := codec.Reader{Buf: b.raw[b.placesAt+at : b.textAt]}
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

// appendSites appends places, which are in order.
func appendSites(w *codec.Writer, n int, at func(int) (model.Site, bool)) {
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

// inLists are what other blocks have to do with one: for each of its nodes the edges that end there, by the path of the
// file that makes them and its order; and the edges that begin in it but are made by others.
//
//	words    number of nodes; for each where its edges begin, and the end; two words an edge: slot and number;
//	         then three words for each edge made by others: local number, slot, number
type inLists struct {
	raw   []byte
	nodes uint32
}

func (l *inLists) parse(raw []byte) error {
	bad := fmt.Errorf("%w: lists", errs.Format)
	*l = inLists{raw: raw}
	if len(raw) < 8 || len(raw)%4 != 0 {
		return bad
	}
	l.nodes = codec.Uint32(raw, 0)
	words := uint64(len(raw) / 4)
	if uint64(l.nodes)+2 > words {
		return bad
	}
	last := uint32(0)
	for i := range l.nodes + 1 {
		at := codec.Uint32(raw, 1+i)
		if at < last {
			return bad
		}
		last = at
	}
	rest := words - uint64(l.nodes) - 2
	if 2*uint64(last) > rest || (rest-2*uint64(last))%3 != 0 {
		return bad
	}
	return nil
}

// reached gives the edges that end in a node as a range of list.
func (l *inLists) reached(n uint32) (from, to uint32) {
	if l == nil || n >= l.nodes {
		return 0, 0
	}
	return codec.Uint32(l.raw, 1+n), codec.Uint32(l.raw, 2+n)
}

func (l *inLists) entry(i uint32) (slot, edge uint32) {
	at := l.nodes + 2 + 2*i
	return codec.Uint32(l.raw, at), codec.Uint32(l.raw, at+1)
}

// An inEdge is an edge as its target, or its source in another file, lists it.
type inEdge struct{ local, slot, edge uint32 }

// outer yields the edges that begin in the block and are made by others.
func (l *inLists) outer(yield func(inEdge) bool) {
	if l == nil {
		return
	}
	for at := l.nodes + 2 + 2*codec.Uint32(l.raw, 1+l.nodes); at+3 <= uint32(len(l.raw)/4); at += 3 {
		if !yield(inEdge{codec.Uint32(l.raw, at), codec.Uint32(l.raw, at+1), codec.Uint32(l.raw, at+2)}) {
			return
		}
	}
}
