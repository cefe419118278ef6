package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/internal/errs"
)

// nearest puts the documents whose vectors are near in their places of the list. Where the caller did not ask for vectors, an embedder that does not work
// is said in the answer.
func (s *Search) nearest(ctx context.Context, text string) error {
	if s.opt.Mode == Words {
		return nil
	}
	v, err := s.vectors.Query(ctx, query.Spoken(text))
	unrelated := 0.
	if err == nil && s.opt.Mode != Vectors {
		unrelated, err = s.vectors.Unrelated(ctx)
	}
	if err != nil {
		if s.opt.MustEmbed || ctx.Err() != nil {
			return err
		}
		s.VectorsError = err
		return nil
	}
	if v == nil { // the query has no direction
		return nil
	}
	list, err := s.vectorList(ctx, v)
	if err != nil {
		return err
	}
	if s.opt.Mode == Vectors {
		s.order = list
		for _, d := range list {
			d.Score = d.Similarity
		}
		s.total, s.exact, s.more = s.Compared, s.opt.Section == "" && !s.plan.Narrow(), false
		if !s.exact {
			s.total = len(list)
		}
		return nil
	}
	s.fuse(list, unrelated)
	return nil
}

// vectorList returns the documents that are nearest, nearest first: by their passages, else by their titles. A caption that is nearer than the passages of its
// document shows its figure or table, and brings a document that no passage does. Where passages are searched, titles are left to the words: on the sets of
// docs/bench/vectors.md nearness to a title made lists worse.
func (s *Search) vectorList(ctx context.Context, v []float32) ([]*Doc, error) {
	store, ok := s.store.(driver.VectorStore)
	if !ok {
		return nil, fmt.Errorf("%w: the engine stores no vectors", errs.Unsupported)
	}
	var list []*Doc
	passages := slices.Contains(s.opt.Kinds, driver.KindChunk)
	for _, kind := range []driver.Kind{driver.KindChunk, driver.KindDocument, driver.KindFigure, driver.KindTable} {
		if !slices.Contains(s.opt.Kinds, kind) || kind == driver.KindDocument && passages {
			continue
		}
		q := &driver.VectorQuery{Kind: kind, Vector: v, Docs: s.c.Embedded(s.vectors.Name(), s.in.IDs), Limit: hybridDepth, PerDoc: s.opt.Passages}
		if s.opt.Mode == Vectors {
			q.Limit = max(s.want(), hybridDepth)
		}
		if s.opt.Section != "" || s.plan.Narrow() {
			q.PerDoc = sectionRecords
		}
		hits, err := store.SearchVectors(ctx, q)
		if err != nil {
			return nil, err
		}
		s.Compared = max(s.Compared, hits.Total)
		for _, h := range hits.Hits {
			d, err := s.takeNear(ctx, kind, &h)
			if errors.Is(err, errs.NotFound) || errors.Is(err, errs.Stale) {
				continue // removed or replaced while we searched
			}
			if err != nil {
				return nil, err
			}
			if d != nil {
				list = append(list, d)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *Doc) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return list, nil
}

// takeNear takes what a vector found in a document. It returns the document when it was not near before, and nil otherwise, or where none of what was found
// may be shown.
func (s *Search) takeNear(ctx context.Context, kind driver.Kind, h *driver.Hit) (*Doc, error) {
	d := s.found[h.Doc]
	if d == nil {
		e := s.c.Get(h.Doc)
		if e == nil { // added since the catalog was read
			var err error
			if e, _, err = s.docs.Get(ctx, h.Doc); err != nil {
				return nil, err
			}
		}
		d = &Doc{Entry: e, Tier: query.Semantic, perTier: map[query.Tier]map[driver.Kind]float64{}}
	}
	taken := 0
	before := d.near
	for _, r := range h.Records {
		if taken == s.opt.Passages || before && r.Score <= d.Similarity {
			break
		}
		if s.opt.Section != "" || s.plan.Narrow() {
			if ok, err := s.mayShow(ctx, d.Entry, kind, r.N); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		if taken++; !d.near {
			d.near, d.Similarity, d.nearest = true, r.Score, Part{Kind: kind, N: r.N}
		}
		if !slices.ContainsFunc(d.parts, func(p Part) bool { return p.Kind == kind && p.N == r.N }) {
			d.parts = append(d.parts, Part{Kind: kind, N: r.N, Tier: query.Semantic, Score: r.Score})
		}
	}
	if taken == 0 || before {
		return nil, nil
	}
	s.found[h.Doc] = d
	return d, nil
}

// mayShow reports whether a record holds what the query demands in quotes and nothing that it leaves out, and lies in the section asked for, its middle at
// least.
func (s *Search) mayShow(ctx context.Context, e *catalog.Entry, kind driver.Kind, n int) (bool, error) {
	recs, err := s.store.Records(ctx, e.ID, kind, []int{n})
	if err != nil {
		return false, err
	}
	if s.opt.Section != "" {
		ranges, err := s.sections.of(ctx, e)
		if err != nil {
			return false, err
		}
		middle := recs[0].Start + len(recs[0].Text)/2
		if !slices.ContainsFunc(ranges, func(r [2]int) bool { return r[0] <= middle && middle < r[1] }) {
			return false, nil
		}
	}
	return s.plan.Holds(recs[0].Text, &query.Variant{}), nil
}

// showNearest makes sure that the nearest passage is among the first n passages: the words may have better ones, but none
// that is found by what it means.
func (d *Doc) showNearest(n int) {
	if !d.near || d.nearest.Kind != driver.KindChunk {
		return
	}
	seen := 0
	last := -1 // the last passage that would be shown
	for i, p := range d.parts {
		if p.Kind != driver.KindChunk {
			continue
		}
		if seen++; seen <= n {
			last = i
		}
		if p.N == d.nearest.N {
			if seen > n && last >= 0 {
				d.parts[last], d.parts[i] = d.parts[i], d.parts[last]
			}
			return
		}
	}
}

// whole stands for a passage that holds no word of the query: its beginning.
func whole(txt string) []match.Span {
	start := len(txt) - len(strings.TrimLeft(txt, " \t\r\n"))
	end := len(txt)
	if n := strings.IndexAny(txt[start:], " \t\r\n"); n >= 0 {
		end = start + n
	}
	if end <= start {
		return nil
	}
	return []match.Span{{Start: start, End: end, Group: -1}}
}

// A meaning says how near the passages of one document are to a question by their vectors.
type meaning struct {
	similarity float64         // cosine of the nearest
	best       float64         // the same on the scale of near
	near       map[int]float64 // by number: 1 for the nearest of all documents, 0 for the farthest of those that were found
}

// meanings compares the vector of a question with those of passages, by document; nil where there is no embedder, or it does not work, which the answer says.
func (s *Search) meanings(ctx context.Context, question string) (map[string]*meaning, error) {
	if s.vectors == nil {
		return nil, nil
	}
	store, ok := s.store.(driver.VectorStore)
	if !ok {
		return nil, fmt.Errorf("%w: the engine stores no vectors", errs.Unsupported)
	}
	v, err := s.vectors.Query(ctx, query.Spoken(question))
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		s.VectorsError = err
		return nil, nil
	}
	if v == nil { // the question has no direction
		return nil, nil
	}
	hits, err := store.SearchVectors(ctx, &driver.VectorQuery{
		Kind: driver.KindChunk, Vector: v, Docs: s.c.Embedded(s.vectors.Name(), s.in.IDs), Limit: 3 * questionDocs, PerDoc: questionChunks})
	if err != nil {
		return nil, err
	}
	s.Compared = hits.Total
	low, high := 1., -1.
	for _, h := range hits.Hits {
		for _, r := range h.Records {
			low, high = min(low, r.Score), max(high, r.Score)
		}
	}
	out := map[string]*meaning{}
	for _, h := range hits.Hits {
		m := &meaning{near: map[int]float64{}}
		for _, r := range h.Records {
			x := 1.
			if high > low {
				x = (r.Score - low) / (high - low)
			}
			m.near[r.N] = x
			m.best, m.similarity = max(m.best, x), max(m.similarity, r.Score)
		}
		out[h.Doc] = m
	}
	return out, nil
}
