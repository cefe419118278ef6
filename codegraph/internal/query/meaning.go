package query

import (
	"context"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/vectors"
	"github.com/findspot/findspot/internal/fusion"
)

// meaningDepth is how many entities of a graph are near to a question. What is nearer than others is not yet near: behind these a vector brings nothing in.
const meaningDepth = 200

// A nearness is what vectors say about entities for a question.
type nearness struct {
	cosines   map[*finder]map[uint32]float64
	best      float64
	least     map[*finder]float64
	had       map[*finder][]bool // by entity: whether its vector was compared; nil where a graph has none
	unrelated float64            // cosine of texts that have nothing in common
	compared  int                // entities whose vectors were compared
	failed    error              // why vectors were left out
}

// nearest compares the vector of a question with those of the entities that keep takes; nil where no graph has vectors. An embedder that does not work leaves vectors out.
func nearest(ctx context.Context, finders []*finder, question string, keep func(*finder, uint32) bool) (*nearness, error) {
	var n *nearness
	for _, f := range finders {
		if f.member.Vectors == nil {
			continue
		}
		if n == nil {
			n = &nearness{cosines: map[*finder]map[uint32]float64{}, least: map[*finder]float64{}, had: map[*finder][]bool{}, best: -1}
		}
		nodes, _ := f.g.Numbers()
		had := make([]bool, nodes)
		list, compared, err := f.member.Vectors.Near(ctx, f.g, question, meaningDepth, func(at uint32) bool {
			had[at] = keep(f, at)
			return had[at]
		})
		if err == nil {
			n.unrelated, err = f.member.Vectors.Unrelated(ctx)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return &nearness{failed: err}, nil
		}
		if compared > 0 {
			n.had[f] = had
		}
		n.compared += compared
		n.cosines[f] = map[uint32]float64{}
		for _, s := range list {
			n.cosines[f][s.Node] = s.Similarity
			n.best, n.least[f] = max(n.best, s.Similarity), s.Similarity
		}
	}
	return n, nil
}

// fuse joins what words found for a question, in place best first, with what is near. What words found and is not among the nearest is at most as near as the
// last of those. What has no vector though it is to have one (its graph has none, or they are being made) keeps its place by words: that nothing is known of
// how near it is must not put it behind what is far.
func (n *nearness) fuse(finders []*finder, list []found) []found {
	if n == nil || n.compared == 0 {
		return list
	}
	byWords := map[*finder]map[uint32]bool{}
	for _, f := range finders {
		byWords[f] = map[uint32]bool{}
	}
	slices.SortFunc(list, byScore)
	var fused []found
	places := map[int]found{} // by words, of what has no vector
	for i, h := range list {
		byWords[h.in][h.node] = true
		if n.lacks(h) {
			h.vectorless = true
			places[i] = h
			continue
		}
		cosine, ok := n.cosines[h.in][h.node]
		if h.similarity = cosine; !ok {
			cosine = n.least[h.in]
		}
		h.score = fusion.Score(h.score/list[0].score, fusion.Nearness(cosine, n.best, n.unrelated))
		fused = append(fused, h)
	}
	for _, f := range finders {
		for node, cosine := range n.cosines[f] {
			if !byWords[f][node] {
				fused = append(fused, found{in: f, node: node, similarity: cosine, wordless: true, score: fusion.Score(0, fusion.Nearness(cosine, n.best, n.unrelated))})
			}
		}
	}
	slices.SortFunc(fused, byScore)
	if len(places) == 0 {
		return fused
	}
	out := make([]found, 0, len(fused)+len(places))
	last := 1. // no score is above it
	for len(out) < cap(out) {
		h, ok := places[len(out)]
		if !ok && len(fused) > 0 {
			h, fused = fused[0], fused[1:]
		} else {
			next := 0.
			if len(fused) > 0 {
				next = fused[0].score
			}
			h.score = (last + next) / 2
		}
		last = h.score
		out = append(out, h)
	}
	return out
}

// lacks tells whether an entity has no vector though it is to have one.
func (n *nearness) lacks(h found) bool {
	had := n.had[h.in]
	return had == nil || !had[h.node] && vectors.Embeddable(h.in.g, h.node)
}

// share is how near an entity is, from 0 to 1 for the nearest.
func (n *nearness) share(h found) float64 {
	least := 0.
	if n != nil {
		least = n.least[h.in]
	}
	if h.similarity <= least || n.best <= least {
		return 0
	}
	return (h.similarity - least) / (n.best - least)
}
