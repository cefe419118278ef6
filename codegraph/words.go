package codegraph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/postings"
	"github.com/findspot/findspot/internal/bm25"
)

// A wordSearch finds the nodes of one graph by words: in the lexicon, as far as its blocks are still there, and in the words of
// the blocks that came later. Its answers are those of an index made of the graph alone.
type wordSearch struct {
	g     *Graph
	base  *block.WordIndex
	first []uint32 // of the lexicon
	stay  []bool   // by slot of the lexicon: its block is still there
	later []laterWords
	docs  int
	total uint64 // terms of all bodies
	err   error  // why the words of bodies are not there; names are
}

type laterWords struct {
	slot uint32
	*block.WordIndex
}

// wordsearch gives the search by words, made when it is first asked for.
func (g *Graph) wordsearch() *wordSearch {
	if g.over != nil {
		return g.over.base.wordsearch()
	}
	g.lexOnce.Do(func() {
		s, err := g.newWordSearch(g.lex)
		if err != nil { // the names stand in the blocks too
			bare := &Graph{slots: slices.Clone(g.slots), nodeAt: g.nodeAt}
			for i, sl := range bare.slots {
				if sl.b != nil {
					b := *sl.b
					b.Words = block.NewWords(sl.path, sl.b, nil)
					bare.slots[i].b = &b
				}
			}
			if s, _ = bare.newWordSearch(bare.lexicon()); s == nil {
				s = &wordSearch{base: &block.WordIndex{Bodies: &postings.Index{}, Names: &postings.Index{}, Parts: &postings.Index{}}, first: []uint32{0}}
			}
			s.g, s.err = g, err
		}
		g.found = s
	})
	return g.found
}

func (g *Graph) newWordSearch(l *block.Lexicon) (*wordSearch, error) {
	if l == nil {
		l = g.lexicon()
	}
	s := &wordSearch{g: g, first: l.First, stay: make([]bool, len(l.Blocks))}
	var err error
	if s.base, err = l.Load(); err != nil {
		return nil, err
	}
	if !s.base.Covers(l.First[len(l.First)-1]) {
		return nil, fmt.Errorf("%w: words of other entities", ErrFormat)
	}
	for i := range g.slots {
		b := g.slots[i].b
		if b == nil {
			continue
		}
		s.docs += b.Lives
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
			return nil, fmt.Errorf("%w: words of other entities", ErrFormat)
		}
		for d := range w.Bodies.Docs {
			s.total += uint64(w.Bodies.Length(d))
		}
		s.later = append(s.later, laterWords{uint32(i), w})
	}
	return s, nil
}

func namesOf(w *block.WordIndex) *postings.Index  { return w.Names }
func partsOf(w *block.WordIndex) *postings.Index  { return w.Parts }
func bodiesOf(w *block.WordIndex) *postings.Index { return w.Bodies }

// each yields the nodes that hold a term, with its count and the length of the node.
func (s *wordSearch) each(which func(*block.WordIndex) *postings.Index, term string, yield func(n, count, length uint32)) {
	base := which(s.base)
	if i, ok := base.Find(term); ok {
		slot := uint32(0)
		for doc, count := range base.List(i) {
			if doc >= s.first[slot+1] {
				slot = lastAtMost(s.first, doc)
			}
			if s.stay[slot] {
				yield(s.g.nodeAt[slot]+doc-s.first[slot], count, base.Length(doc))
			}
		}
	}
	for _, l := range s.later {
		v := which(l.WordIndex)
		if i, ok := v.Find(term); ok {
			for doc, count := range v.List(i) {
				yield(s.g.nodeAt[l.slot]+doc, count, v.Length(doc))
			}
		}
	}
}

// nodes lists the nodes that hold a term, by id.
func (s *wordSearch) nodes(which func(*block.WordIndex) *postings.Index, term string) []uint32 {
	var out []uint32
	s.each(which, term, func(n, _, _ uint32) { out = append(out, n) })
	slices.SortFunc(out, s.g.byID)
	return slices.Compact(out)
}

// names yields the last names in lower case that begin with a prefix, sorted and each once.
func (s *wordSearch) names(prefix string) func(func(string) bool) {
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

type scoredNode struct {
	node  uint32
	score float64
}

// stats gives the statistics of the bodies for some words.
func (s *wordSearch) stats(terms []string) bm25.Stats {
	out := bm25.Stats{Docs: s.docs, Words: s.total, With: make(map[string]int, len(terms))}
	for _, t := range terms {
		if _, ok := out.With[t]; !ok {
			n := 0
			s.each(bodiesOf, t, func(_, _, _ uint32) { n++ })
			out.With[t] = n
		}
	}
	return out
}

// bodies lists the nodes whose bodies hold any of the terms, in no order, scored by BM25 with the statistics of a set of
// documents that holds these. A term given twice counts twice.
func (s *wordSearch) bodies(by bm25.Stats, terms []string, keep func(uint32) bool) []scoredNode {
	if by.Docs == 0 {
		return nil
	}
	scores := make([]float64, s.g.nodeAt[len(s.g.nodeAt)-1])
	var touched []uint32
	mean := by.Mean()
	for _, t := range terms {
		idf := by.IDF(t)
		s.each(bodiesOf, t, func(n, count, length uint32) {
			if scores[n] == 0 {
				touched = append(touched, n)
			}
			scores[n] += bm25.Weight(idf, float64(count), float64(length), mean)
		})
	}
	out := make([]scoredNode, 0, len(touched))
	for _, n := range touched {
		if keep(n) {
			out = append(out, scoredNode{n, scores[n]})
		}
	}
	return out
}

// nodesNamed gives the nodes with this last name in lower case, by id; a file also goes by its name without extension.
func (g *Graph) nodesNamed(lower string) []uint32 { return g.wordsearch().nodes(namesOf, lower) }

// names yields the last names in lower case, each once, in order.
func (g *Graph) names(yield func(string) bool) { g.wordsearch().names("")(yield) }

// lexicon is that of all blocks.
func (g *Graph) lexicon() *block.Lexicon {
	blocks := make([]*block.Words, len(g.slots))
	for i := range g.slots {
		if b := g.slots[i].b; b != nil {
			blocks[i] = b.Words
		}
	}
	return block.NewLexicon(slices.Clone(g.nodeAt), blocks)
}
