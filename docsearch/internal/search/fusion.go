package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/query"
)

// Words and vectors are fused by a convex combination of their scores, each divided by the best of its list after its theoretical minimum, 0 of BM25 and -1 of
// a cosine, was taken away (Bruch, Gai and Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, TOIS 2023: TM2C2). The weight of the vectors is the
// paper's.
const vectorWeight = .8

// hybridDepth is how many documents of each list are fused. What is nearer than others is not yet near: behind these a vector brings no document in.
const hybridDepth = 200

// fuse merges the list of the nearest documents with that of the words, behind the documents that the query names.
func (s *Search) fuse(list []*Doc) {
	head := 0
	for head < len(s.order) && slices.Contains(s.plan.Named, s.order[head].Entry.ID) {
		head++
	}
	words := s.order[head:]
	deep := words[min(len(words), hybridDepth):]
	words = words[:len(words)-len(deep)]
	list = slices.DeleteFunc(list, func(d *Doc) bool { return slices.Contains(s.order[:head], d) })
	scores := map[*Doc]float64{}
	byWords(scores, words)
	if len(list) > 0 {
		best, least := list[0].Similarity+1, list[len(list)-1].Similarity+1
		if best <= 0 { // all are opposite
			best = 1
		}
		for _, d := range words {
			if !d.near { // it is at most as near as the last that is
				scores[d] += vectorWeight * least / best
			}
		}
		for _, d := range list {
			scores[d] += vectorWeight * (d.Similarity + 1) / best
		}
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

// byWords adds what documents score by their words, in the order of their list. Scores of different tiers have nothing in common: those of a stricter tier
// lie above those of a wider one.
func byWords(scores map[*Doc]float64, words []*Doc) {
	best := map[query.Tier]float64{}
	for _, d := range words {
		best[d.Tier] = max(best[d.Tier], d.Score)
	}
	tiers := 0
	for at := 0; at < len(words); tiers++ {
		for t := words[at].Tier; at < len(words) && words[at].Tier == t; {
			at++
		}
	}
	rank := tiers
	for i, d := range words {
		if i == 0 || words[i-1].Tier != d.Tier {
			rank--
		}
		share := 1.
		if best[d.Tier] > 0 {
			share = d.Score / best[d.Tier]
		}
		scores[d] += (1 - vectorWeight) * (float64(rank) + share) / float64(tiers)
	}
}
