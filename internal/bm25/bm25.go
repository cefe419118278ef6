package bm25

import (
	"cmp"
	"math"
	"slices"
)

const (
	k1 = 1.2
	b  = 0.75
)

// An Index holds bags of words. Add must not run beside other calls; Search may run beside Search.
type Index struct {
	postings map[string][]posting
	lengths  []uint32
	total    uint64
}

type posting struct{ doc, count uint32 }

// A Hit is one document found.
type Hit struct {
	Doc   int // number that Add returned
	Score float64
}

// New returns an empty index.
func New() *Index { return &Index{postings: make(map[string][]posting)} }

// Len returns the number of documents added.
func (ix *Index) Len() int { return len(ix.lengths) }

// Add adds one bag of words and returns its number, from 0.
func (ix *Index) Add(terms []string) int {
	doc := uint32(len(ix.lengths))
	for _, t := range terms {
		p := ix.postings[t]
		if n := len(p); n > 0 && p[n-1].doc == doc {
			p[n-1].count++
			continue
		}
		ix.postings[t] = append(p, posting{doc, 1})
	}
	ix.lengths = append(ix.lengths, uint32(len(terms)))
	ix.total += uint64(len(terms))
	return int(doc)
}

// Stats is what the weights of words rest on. Those of several indexes can be added, so that one scale serves all.
type Stats struct {
	Docs  int
	Words uint64         // in all documents
	With  map[string]int // documents that hold a word, for the words asked about
}

// Stats gives the statistics of the index for some words.
func (ix *Index) Stats(terms []string) Stats {
	s := Stats{Docs: len(ix.lengths), Words: ix.total, With: make(map[string]int, len(terms))}
	for _, t := range terms {
		s.With[t] = len(ix.postings[t])
	}
	return s
}

// Add adds the statistics of another index for the same words.
func (s *Stats) Add(o Stats) {
	s.Docs += o.Docs
	s.Words += o.Words
	for t, n := range o.With {
		s.With[t] += n
	}
}

// Mean is the length of documents in words, on average.
func (s *Stats) Mean() float64 { return float64(s.Words) / float64(s.Docs) }

// IDF is what a word is worth for being rare.
func (s *Stats) IDF(term string) float64 { return IDF(s.Docs, s.With[term]) }

// IDF is what a word is worth for being rare that some of a number of documents hold.
func IDF(docs, with int) float64 {
	n, df := float64(docs), float64(with)
	return math.Log(1 + (n-df+.5)/(df+.5))
}

// Weight is the score of a word that stands count times in a document of a length, where documents have a mean length.
func Weight(idf, count, length, mean float64) float64 {
	return WeightBy(k1, b, idf, count, length, mean)
}

// WeightBy is Weight with other constants: how slowly more of a word says more, from 0, and how much length counts, from 0 to 1.
func WeightBy(k1, b, idf, count, length, mean float64) float64 {
	return idf * count / (count + k1*(1-b+b*length/mean))
}

// Search returns the k best documents that hold any of the terms, best first, ties by number. A term given twice counts
// twice. keep, when not nil, says which documents may be returned; k of 0 or less returns all.
func (ix *Index) Search(terms []string, k int, keep func(doc int) bool) []Hit {
	return ix.SearchBy(ix.Stats(terms), terms, k, keep)
}

// SearchBy is Search with the statistics of a larger set of documents, which must hold those of the index.
func (ix *Index) SearchBy(by Stats, terms []string, k int, keep func(doc int) bool) []Hit {
	if len(ix.lengths) == 0 || by.Docs == 0 {
		return nil
	}
	mean := by.Mean()
	scores := make(map[uint32]float64)
	for _, t := range terms {
		idf := by.IDF(t)
		for _, p := range ix.postings[t] {
			scores[p.doc] += Weight(idf, float64(p.count), float64(ix.lengths[p.doc]), mean)
		}
	}
	hits := make([]Hit, 0, len(scores))
	for d, s := range scores {
		if keep == nil || keep(int(d)) {
			hits = append(hits, Hit{int(d), s})
		}
	}
	slices.SortFunc(hits, func(x, y Hit) int { return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Doc, y.Doc)) })
	if k > 0 && len(hits) > k {
		hits = hits[:k]
	}
	return hits
}
