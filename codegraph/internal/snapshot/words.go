package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/postings"
	"github.com/findspot/findspot/internal/bm25"
	"github.com/findspot/findspot/internal/errs"
)

// Words finds the nodes of one graph by words: in the lexicon, as far as its blocks are still part of the graph, and in the words of
// newer blocks. The answers are those of an index of this graph alone.
type Words struct {
	g     *Graph
	base  *block.WordIndex
	first []uint32 // of the lexicon
	stay  []bool   // by slot of the lexicon: its block is still there
	later []laterWords
	Docs  int
	total uint64 // terms of all bodies
	err   error  // why the words of bodies are not there; names are
}

type laterWords struct {
	slot uint32
	*block.WordIndex
}

// Words gives the index of words, built on first use.
func (g *Graph) Words() *Words {
	if g.over != nil {
		return g.over.Base.Words()
	}
	g.wordsOnce.Do(func() {
		s, err := g.newWords(g.Lexicon)
		if err != nil { // the names stand in the blocks too
			bare := &Graph{Slots: slices.Clone(g.Slots), NodeAt: g.NodeAt}
			for i, sl := range bare.Slots {
				if sl.Block != nil {
					b := *sl.Block
					b.Words = block.NewWords(sl.Path, sl.Block, nil)
					bare.Slots[i].Block = &b
				}
			}
			if s, _ = bare.newWords(bare.NewLexicon()); s == nil {
				s = &Words{base: &block.WordIndex{Bodies: &postings.Index{}, Names: &postings.Index{}, Parts: &postings.Index{}}, first: []uint32{0}}
			}
			s.g, s.err = g, err
		}
		g.words = s
	})
	return g.words
}

func (g *Graph) newWords(l *block.Lexicon) (*Words, error) {
	if l == nil {
		l = g.NewLexicon()
	}
	s := &Words{g: g, first: l.First, stay: make([]bool, len(l.Blocks))}
	var err error
	if s.base, err = l.Load(); err != nil {
		return nil, err
	}
	if !s.base.Covers(l.First[len(l.First)-1]) {
		return nil, fmt.Errorf("%w: words of other entities", errs.Format)
	}
	for i := range g.Slots {
		b := g.Slots[i].Block
		if b == nil {
			continue
		}
		s.Docs += b.Lives
		if i < len(l.Blocks) && l.Blocks[i] == b.Words {
			s.stay[i] = true
			for d := l.First[i]; d < l.First[i+1]; d++ {
				s.total += uint64(s.base.Bodies.Length(d))
			}
			continue
		}
		w, err := b.Words.Index()
		if err != nil {
			return nil, err
		}
		if !w.Covers(b.Nodes) {
			return nil, fmt.Errorf("%w: words of other entities", errs.Format)
		}
		for d := range w.Bodies.Docs {
			s.total += uint64(w.Bodies.Length(d))
		}
		s.later = append(s.later, laterWords{uint32(i), w})
	}
	return s, nil
}

// A Field is one kind of words of entities: [Bodies], [Names] or [Parts].
type Field func(*block.WordIndex) *postings.Index

// Bodies are the words of the texts of entities.
func Bodies(w *block.WordIndex) *postings.Index { return w.Bodies }

// Names are the last names of entities, in lower case.
func Names(w *block.WordIndex) *postings.Index { return w.Names }

// Parts are the words that last names are made of.
func Parts(w *block.WordIndex) *postings.Index { return w.Parts }

// Each yields the nodes that hold a term, with its count and the length of the node.
func (s *Words) Each(which Field, term string, yield func(n, count, length uint32)) {
	base := which(s.base)
	if i, ok := base.Find(term); ok {
		slot := uint32(0)
		for doc, count := range base.List(i) {
			if doc >= s.first[slot+1] {
				slot = LastAtMost(s.first, doc)
			}
			if s.stay[slot] {
				yield(s.g.NodeAt[slot]+doc-s.first[slot], count, base.Length(doc))
			}
		}
	}
	for _, l := range s.later {
		v := which(l.WordIndex)
		if i, ok := v.Find(term); ok {
			for doc, count := range v.List(i) {
				yield(s.g.NodeAt[l.slot]+doc, count, v.Length(doc))
			}
		}
	}
}

// WithPrefix yields the last names in lower case that begin with a prefix, sorted and each once.
func (s *Words) WithPrefix(prefix string) func(func(string) bool) {
	return func(yield func(string) bool) {
		var more []string
		for _, l := range s.later {
			for i := l.Names.From(prefix); i < l.Names.Terms; i++ {
				t := string(l.Names.Term(i))
				if !strings.HasPrefix(t, prefix) {
					break
				}
				more = append(more, t)
			}
		}
		slices.Sort(more)
		more = slices.Compact(more)
		v := s.base.Names
		for i := v.From(prefix); i < v.Terms; i++ {
			t := string(v.Term(i))
			if !strings.HasPrefix(t, prefix) {
				break
			}
			for len(more) > 0 && more[0] < t {
				if !yield(more[0]) {
					return
				}
				more = more[1:]
			}
			if len(more) > 0 && more[0] == t {
				more = more[1:]
			}
			if !yield(t) {
				return
			}
		}
		for _, t := range more {
			if !yield(t) {
				return
			}
		}
	}
}

// A Scored is a node with its score.
type Scored struct {
	Node  uint32
	Score float64
}

// Stats gives the statistics of the bodies for some words.
func (s *Words) Stats(terms []string) bm25.Stats {
	out := bm25.Stats{Docs: s.Docs, Words: s.total, With: make(map[string]int, len(terms))}
	for _, t := range terms {
		if _, ok := out.With[t]; !ok {
			n := 0
			s.Each(Bodies, t, func(_, _, _ uint32) { n++ })
			out.With[t] = n
		}
	}
	return out
}

// Search lists the nodes whose bodies hold any of the terms, in no order, each with the sum of what weigh, such as [bm25.Weight], gives its terms, with
// the statistics of a set of documents that holds these. A term given twice counts twice.
func (s *Words) Search(by bm25.Stats, terms []string, weigh func(term int, idf, count, length, mean float64) float64, keep func(uint32) bool) []Scored {
	if by.Docs == 0 {
		return nil
	}
	scores := make([]float64, s.g.NodeAt[len(s.g.NodeAt)-1])
	var touched []uint32
	mean := by.Mean()
	for i, t := range terms {
		idf := by.IDF(t)
		s.Each(Bodies, t, func(n, count, length uint32) {
			if scores[n] == 0 {
				touched = append(touched, n)
			}
			scores[n] += weigh(i, idf, float64(count), float64(length), mean)
		})
	}
	out := make([]Scored, 0, len(touched))
	for _, n := range touched {
		if keep(n) {
			out = append(out, Scored{n, scores[n]})
		}
	}
	return out
}

// Named gives the nodes with this last name in lower case, by id; a file also goes by its name without extension.
func (s *Words) Named(lower string) []uint32 {
	var out []uint32
	s.Each(Names, lower, func(n, _, _ uint32) { out = append(out, n) })
	slices.SortFunc(out, s.g.ByID)
	return slices.Compact(out)
}

// NewLexicon makes a lexicon of all blocks.
func (g *Graph) NewLexicon() *block.Lexicon {
	blocks := make([]*block.Words, len(g.Slots))
	for i := range g.Slots {
		if b := g.Slots[i].Block; b != nil {
			blocks[i] = b.Words
		}
	}
	return block.NewLexicon(slices.Clone(g.NodeAt), blocks)
}

// Err tells why bodies cannot be searched, nil when they can. Names can be all the same.
func (s *Words) Err() error {
	if s.err != nil {
		return s.err
	}
	return s.base.Bodies.Err()
}

// Lengths gives for each slot how many words the bodies of all its nodes have.
func (s *Words) Lengths() []uint32 {
	out := make([]uint32, len(s.g.Slots))
	for i := range s.stay {
		if s.stay[i] {
			for d := s.first[i]; d < s.first[i+1]; d++ {
				out[i] += s.base.Bodies.Length(d)
			}
		}
	}
	for _, later := range s.later {
		for d := range later.Bodies.Docs {
			out[later.slot] += later.Bodies.Length(d)
		}
	}
	return out
}

// Gather writes the words of the graph anew, by its own numbers, for a segment.
func (s *Words) Gather() (bodies, names, parts []byte, err error) {
	if s.err != nil {
		return nil, nil, nil, s.err
	}
	whole, err := s.base.Bodies.Whole()
	if err != nil {
		return nil, nil, nil, err
	}
	return s.merge(whole, Bodies), s.merge(s.base.Names, Names), s.merge(s.base.Parts, Parts), nil
}

// merge writes one kind of words of a graph anew, by its own numbers; base is that of the lexicon.
func (s *Words) merge(base *postings.Index, which Field) []byte {
	w := postings.NewBuilder()
	for i := range base.Terms {
		id, named := uint32(0), false
		slot := uint32(0)
		for doc, count := range base.List(i) {
			if doc >= s.first[slot+1] {
				slot = LastAtMost(s.first, doc)
			}
			if !s.stay[slot] {
				continue
			}
			if !named {
				id, named = w.ID(string(base.Term(i))), true
			}
			w.Add(id, s.g.NodeAt[slot]+doc-s.first[slot], count)
		}
	}
	for _, l := range s.later {
		v := which(l.WordIndex)
		for i := range v.Terms {
			id := w.ID(string(v.Term(i)))
			for doc, count := range v.List(i) {
				w.Add(id, s.g.NodeAt[l.slot]+doc, count)
			}
		}
	}
	return w.Finish(s.g.NodeAt[len(s.g.NodeAt)-1])
}
