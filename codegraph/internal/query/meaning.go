package query

import (
	"context"

	"github.com/findspot/findspot/internal/fusion"
)

// meaningDepth is how many entities of a graph are near to a question. What is nearer than others is not yet near: behind these a vector brings nothing in.
const meaningDepth = 200

// A nearness is what vectors say about entities for a question.
type nearness struct {
	cosines  map[*finder]map[uint32]float64
	best     float64
	least    map[*finder]float64
	compared int   // entities whose vectors were compared
	failed   error // why vectors were left out
}

// nearest compares the vector of a question with those of the entities that keep takes; nil where no graph has vectors. An embedder that does not work leaves vectors out.
func nearest(ctx context.Context, finders []*finder, question string, keep func(*finder, uint32) bool) (*nearness, error) {
	var n *nearness
	for _, f := range finders {
		if f.member.Vectors == nil {
			continue
		}
		if n == nil {
			n = &nearness{cosines: map[*finder]map[uint32]float64{}, least: map[*finder]float64{}, best: -1}
		}
		list, compared, err := f.member.Vectors.Near(ctx, f.g, question, meaningDepth, func(at uint32) bool { return keep(f, at) })
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return &nearness{failed: err}, nil
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

// fuse joins what words found for a question, best first, with what is near. What words found and is not among the nearest is at most as near as the last of those.
func (n *nearness) fuse(finders []*finder, list []found) []found {
	if n == nil || n.compared == 0 {
		return list
	}
	byWords := map[*finder]map[uint32]bool{}
	for _, f := range finders {
		byWords[f] = map[uint32]bool{}
	}
	var best float64
	for _, h := range list {
		best = max(best, h.score)
	}
	for i := range list {
		h := &list[i]
		byWords[h.in][h.node] = true
		cosine, ok := n.cosines[h.in][h.node]
		if h.similarity = cosine; !ok {
			cosine = n.least[h.in]
		}
		h.score = fusion.Score(h.score/best, fusion.Nearness(cosine, n.best))
	}
	for _, f := range finders {
		for node, cosine := range n.cosines[f] {
			if !byWords[f][node] {
				list = append(list, found{in: f, node: node, similarity: cosine, wordless: true, score: fusion.Score(0, fusion.Nearness(cosine, n.best))})
			}
		}
	}
	return list
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
