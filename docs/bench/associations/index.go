package main

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/memstore"
	"github.com/findspot/findspot/internal/judged"
)

// An index scores the records of one kind in memory, with fractional weights.
type index struct {
	recs  []record
	lists map[string][]posting
	mean  float64 // words of a record
}

type record struct {
	doc    int
	times  map[string]int
	length int
}

type posting struct{ rec, times int }

func (x *index) add(doc int, text string) {
	words := driver.Analyze(text).Words
	r := record{doc: doc, times: map[string]int{}, length: words.Length}
	for t, at := range words.Terms {
		r.times[t] = len(at)
		x.lists[t] = append(x.lists[t], posting{len(x.recs), len(at)})
	}
	x.mean += float64(r.length)
	x.recs = append(x.recs, r)
}

func (x *index) idf(term string) float64 { return driver.IDF(len(x.recs), len(x.lists[term])) }

// score adds to out, by document, the score of its best record; best notes which that is.
func (x *index) score(q map[string]float64, out []float64, share float64, best []int) {
	points := make([]float64, len(x.recs))
	for _, t := range slices.Sorted(maps.Keys(q)) {
		idf := q[t] * x.idf(t)
		for _, p := range x.lists[t] {
			points[p.rec] += driver.BM25(idf, p.times, driver.LengthNorm(x.recs[p.rec].length, x.mean))
		}
	}
	of := make([]float64, len(out))
	for i, p := range points {
		if d := x.recs[i].doc; p > of[d] {
			of[d] = p
			if best != nil {
				best[d] = i
			}
		}
	}
	for d, p := range of {
		out[d] += share * p
	}
}

// A collection is a set with its passages and titles.
type collection struct {
	*judged.Set
	ids              []string
	passages, titles *index
}

func collect(ctx context.Context, s *judged.Set) (*collection, error) {
	store := memstore.New()
	lib, err := docsearch.New(store, nil)
	if err != nil {
		return nil, err
	}
	if err := fill(ctx, lib, s); err != nil {
		return nil, err
	}
	docs, err := lib.Documents(ctx)
	if err != nil {
		return nil, err
	}
	c := &collection{Set: s, passages: &index{lists: map[string][]posting{}}, titles: &index{lists: map[string][]posting{}}}
	for i, d := range docs {
		c.ids = append(c.ids, strings.TrimSuffix(d.Name, ".txt"))
		for _, k := range []struct {
			kind driver.Kind
			x    *index
		}{{driver.KindChunk, c.passages}, {driver.KindDocument, c.titles}} {
			recs, err := store.Records(ctx, d.ID, k.kind, nil)
			if err != nil {
				return nil, err
			}
			for _, r := range recs {
				k.x.add(i, r.Text)
			}
		}
	}
	c.passages.mean /= float64(len(c.passages.recs))
	c.titles.mean /= float64(len(c.titles.recs))
	return c, nil
}

// A hit is a document with its best passage.
type hit struct {
	doc, best int
	score     float64
}

// rank scores documents by their passages with q, and .3 of their titles with the words of the query.
func (c *collection) rank(q, own map[string]float64) []hit {
	points, best := make([]float64, len(c.ids)), make([]int, len(c.ids))
	c.passages.score(q, points, 1, best)
	c.titles.score(own, points, .3, nil)
	var hits []hit
	for d, p := range points {
		if p > 0 {
			hits = append(hits, hit{d, best[d], p})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.doc, b.doc)) })
	return hits
}

func (c *collection) ids10(hits []hit) (out []string) {
	for _, h := range hits[:min(10, len(hits))] {
		out = append(out, c.ids[h.doc])
	}
	return out
}
