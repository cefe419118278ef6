package docsearch

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
	"github.com/findspot/findspot/docsearch/internal/querytext"
)

// A Mode is what a search compares.
type Mode string

// The modes.
const (
	ModeWords   Mode = "words"   // the words of the query, in tiers
	ModeVectors Mode = "vectors" // the vector of the query: every document that has vectors is found, the nearest first
	ModeHybrid  Mode = "hybrid"  // both, each with one vote
)

// Documents are fused by the sum of 1/(rrfK + rank) over the two lists, ranks from 1 (Cormack, Clarke and Buettcher, Reciprocal Rank Fusion
// outperforms Condorcet and individual Rank Learning Methods, SIGIR 2009). The constant is the paper's.
const rrfK = 60

// hybridDepth is how many documents of each list are fused. What is nearer than others is not yet near: behind these a vector brings no document in.
const hybridDepth = 200

// mode decides what a search compares.
func (s *search) mode() Mode {
	if s.opt.Mode == "" && s.l.opt.Embedder != nil && slices.Contains(s.opt.kinds(), driver.KindChunk) {
		return ModeHybrid
	}
	return cmp.Or(s.opt.Mode, ModeWords)
}

// checkMode reports a mode that the library cannot serve.
func (l *Library) checkMode(o *SearchOptions) error {
	if (o.Mode == ModeVectors || o.Mode == ModeHybrid) && l.opt.Embedder == nil {
		return fmt.Errorf("search options: %w: Mode %s needs a library with an Embedder", ErrUnsupported, o.Mode)
	}
	return nil
}

// nearest puts the documents whose vectors are near in their places of the list. Where the caller did not ask for vectors, an embedder that does not work
// is said in the answer.
func (s *search) nearest(ctx context.Context) error {
	mode := s.mode()
	if mode == ModeWords {
		return nil
	}
	v, err := s.l.queryVector(ctx, spoken(s.res.Query))
	if err != nil {
		if s.opt.Mode != "" || ctx.Err() != nil {
			return err
		}
		s.res.Searched.VectorsError = err.Error()
		return nil
	}
	if v == nil { // the query has no direction
		return nil
	}
	list, err := s.vectorList(ctx, v)
	if err != nil {
		return err
	}
	if mode == ModeVectors {
		s.order = list
		for _, d := range list {
			d.score = d.similarity
		}
		s.total, s.exact, s.more = s.res.Searched.Vectors, s.opt.Section == "" && !s.plan.narrow(), false
		if !s.exact {
			s.total = len(list)
		}
		return nil
	}
	s.fuse(list)
	return nil
}

// fuse merges the list of the nearest documents with that of the words, behind the documents that the query names.
func (s *search) fuse(list []*docHit) {
	head := 0
	for head < len(s.order) && slices.Contains(s.plan.named, s.order[head].e.ID) {
		head++
	}
	words := s.order[head:]
	deep := words[min(len(words), hybridDepth):]
	words = words[:len(words)-len(deep)]
	votes := map[*docHit]float64{}
	for i, d := range words {
		votes[d] = 1 / float64(rrfK+1+i)
	}
	rank, fresh := 0, 0
	for _, d := range list {
		if slices.Contains(s.order[:head], d) {
			continue
		}
		rank++
		if _, ok := votes[d]; !ok && !slices.Contains(deep, d) {
			fresh++
		}
		votes[d] += 1 / float64(rrfK+rank)
	}
	fused := make([]*docHit, 0, len(votes))
	for d, v := range votes {
		d.score = v
		fused = append(fused, d)
	}
	slices.SortFunc(fused, func(a, b *docHit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.e.Name, b.e.Name), strings.Compare(a.e.ID, b.e.ID))
	})
	order := slices.Concat(s.order[:head], fused)
	for i, d := range deep {
		if _, ok := votes[d]; !ok {
			d.score = 1 / float64(rrfK+1+hybridDepth+i)
			order = append(order, d)
		}
	}
	if s.exact && !s.more {
		s.total = len(order)
	} else { // some that only the vectors found may be among those that the words find further down
		s.total, s.exact = max(s.total, len(order)), false
	}
	s.order = order
}

// vectorList returns the documents with the nearest passages, nearest first.
func (s *search) vectorList(ctx context.Context, v []float32) ([]*docHit, error) {
	store, ok := s.l.store.(driver.VectorStore)
	if !ok {
		return nil, fmt.Errorf("%w: the engine holds no vectors", ErrUnsupported)
	}
	q := &driver.VectorQuery{Kind: driver.KindChunk, Vector: v, Docs: s.c.Embedded(s.l.opt.Embedder.Name(), s.in.IDs), Limit: hybridDepth, PerDoc: s.opt.Passages}
	if s.mode() == ModeVectors {
		q.Limit = max(s.want(), hybridDepth)
	}
	if s.opt.Section != "" || s.plan.narrow() {
		q.PerDoc = sectionRecords
	}
	hits, err := store.SearchVectors(ctx, q)
	if err != nil {
		return nil, err
	}
	s.res.Searched.Vectors = hits.Total
	var out []*docHit
	for _, h := range hits.Hits {
		d, err := s.takeNear(ctx, &h)
		if errors.Is(err, ErrNotFound) || errors.Is(err, ErrStale) {
			continue // removed or replaced while we searched
		}
		if err != nil {
			return nil, err
		}
		if d != nil {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b *docHit) int { return cmp.Compare(b.similarity, a.similarity) })
	return out, nil
}

// takeNear adds a document that a vector found, or returns nil where none of its passages may be shown.
func (s *search) takeNear(ctx context.Context, h *driver.Hit) (*docHit, error) {
	d := s.docs[h.Doc]
	if d == nil {
		e := s.c.Get(h.Doc)
		if e == nil { // added since the catalog was read
			var err error
			if e, _, err = s.l.docs.Get(ctx, h.Doc); err != nil {
				return nil, err
			}
		}
		d = &docHit{e: e, tier: TierSemantic, perTier: map[Tier]map[driver.Kind]float64{}}
	}
	taken := 0
	for _, r := range h.Records {
		if taken == s.opt.Passages {
			break
		}
		if s.opt.Section != "" || s.plan.narrow() {
			if ok, err := s.mayShow(ctx, d.e, r.N); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
		}
		if taken++; taken == 1 {
			d.near, d.similarity, d.nearest = true, r.Score, r.N
		}
		if !slices.ContainsFunc(d.parts, func(p part) bool { return p.kind == driver.KindChunk && p.n == r.N }) {
			d.parts = append(d.parts, part{kind: driver.KindChunk, n: r.N, tier: TierSemantic, score: r.Score})
		}
	}
	if taken == 0 {
		return nil, nil
	}
	s.docs[h.Doc] = d
	return d, nil
}

// mayShow reports whether a passage holds what the query demands in quotes and nothing that it leaves out, and lies in the section asked for, its middle at
// least.
func (s *search) mayShow(ctx context.Context, e *catalog.Entry, n int) (bool, error) {
	recs, err := s.l.store.Records(ctx, e.ID, driver.KindChunk, []int{n})
	if err != nil {
		return false, err
	}
	if s.opt.Section != "" {
		ranges, err := s.sectionOf(ctx, e)
		if err != nil {
			return false, err
		}
		middle := recs[0].Start + len(recs[0].Text)/2
		if !slices.ContainsFunc(ranges, func(r [2]int) bool { return r[0] <= middle && middle < r[1] }) {
			return false, nil
		}
	}
	return s.plan.holds(recs[0].Text, &variant{}), nil
}

// narrow reports that not every passage may be shown.
func (p *plan) narrow() bool { return len(p.require)+len(p.exclude) > 0 }

// spoken returns a query without its signs, and without what it leaves out.
func spoken(query string) string {
	segs, _ := querytext.Parse(query)
	var out []string
	for _, s := range segs {
		if !s.Minus {
			out = append(out, strings.Fields(s.Text)...)
		}
	}
	return strings.Join(out, " ")
}

// showNearest makes sure that the nearest passage is among the first n passages: the words may have better ones, but none
// that is found by what it means.
func (d *docHit) showNearest(n int) {
	if !d.near {
		return
	}
	seen := 0
	last := -1 // the last passage that would be shown
	for i, p := range d.parts {
		if p.kind != driver.KindChunk {
			continue
		}
		if seen++; seen <= n {
			last = i
		}
		if p.n == d.nearest {
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
