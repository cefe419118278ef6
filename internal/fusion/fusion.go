// Package fusion joins what words and what vectors say about one thing into one score. It does not depend on what the things are.
//
// The score is a convex combination of both, each divided by the best of its list after its theoretical minimum, 0 of BM25 and -1 of a cosine, was
// taken away (Bruch, Gai and Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, TOIS 2023: TM2C2). The weight is the paper's.
package fusion

// vectorWeight is what vectors count; words count the rest.
const vectorWeight = .8

// Score joins the score of the words as a share of the best one, from 0 to 1, with a [Nearness].
func Score(words, nearness float64) float64 { return (1-vectorWeight)*words + vectorWeight*nearness }

// Nearness is a cosine as a share of the best one.
func Nearness(cosine, best float64) float64 {
	if best <= -1 { // all are opposite
		return 1
	}
	return (cosine + 1) / (best + 1)
}
