package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/internal/fusion"
)

// hybridDepth is how many documents of each list are fused. What is nearer than others is not yet near: behind these a vector brings no document in.
const hybridDepth = 200

// fuse merges the list of the nearest documents with that of the words, behind the documents that the query names. unrelated is how near texts are to each
// other that have nothing in common.
func (s *Search) fuse(list []*Doc, unrelated float64) {
	head := 0
	for head < len(s.order) && slices.Contains(s.plan.Named, s.order[head].Entry.ID) {
		head++
	}
	words := s.order[head:]
	deep := words[min(len(words), hybridDepth):]
	words = words[:len(words)-len(deep)]
	list = slices.DeleteFunc(list, func(d *Doc) bool { return slices.Contains(s.order[:head], d) })
	scores := map[*Doc]float64{}
	shares := wordShares(words)
	near := map[*Doc]float64{}
	least := 0.
	for _, d := range list {
		least = fusion.Nearness(d.Similarity, list[0].Similarity, unrelated)
		near[d] = least
		scores[d] = fusion.Score(0, least)
	}
	for i, d := range words {
		n, ok := near[d]
		if !ok { // it is at most as near as the last that is
			n = least
		}
		scores[d] = fusion.Score(shares[i], n)
	}
	fused := make([]*Doc, 0, len(scores))
	for d, v := range scores {
		d.Score = v
		fused = append(fused, d)
	}
	slices.SortFunc(fused, func(a, b *Doc) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Entry.Name, b.Entry.Name), strings.Compare(a.Entry.ID, b.Entry.ID))
	})
	order := slices.Concat(s.order[:head], fused)
	for i, d := range deep { // behind all of those
		if _, ok := scores[d]; !ok {
			d.Score = fused[len(fused)-1].Score / float64(2+i)
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

// wordShares is what documents score by their words, from 0 to 1, in the order of their list. Scores of different tiers have nothing in common: those of a stricter
// tier lie above those of a wider one. What only related words found has its score on the scale of the any-word tier.
func wordShares(words []*Doc) []float64 {
	tier := func(i int) query.Tier {
		if t := words[i].Tier; t != query.Related {
			return t
		}
		return query.Any
	}
	best := map[query.Tier]float64{}
	for i, d := range words {
		best[tier(i)] = max(best[tier(i)], d.Score)
	}
	out := make([]float64, len(words))
	rank := len(best)
	for i, d := range words {
		if i == 0 || tier(i-1) != tier(i) {
			rank--
		}
		share := 1.
		if b := best[tier(i)]; b > 0 {
			share = d.Score / b
		}
		out[i] = (float64(max(rank, 0)) + share) / float64(len(best))
	}
	return out
}
