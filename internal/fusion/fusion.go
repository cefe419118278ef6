package fusion

// vectorWeight is what vectors count; words count the rest.
const vectorWeight = .8

// Score joins the score of the words as a share of the best one, from 0 to 1, with a [Nearness].
func Score(words, nearness float64) float64 { return (1-vectorWeight)*words + vectorWeight*nearness }

// Nearness is a cosine as a share of the best one, above a least one that the model decides. unrelated is how near texts lie to each other that have nothing in
// common, about 0 with some models and .7 with others. The least is half as far below that as 1 is above it, so that a query that nothing is near to
// does not make much of small differences.
func Nearness(cosine, best, unrelated float64) float64 {
	least := unrelated - (1-unrelated)/2
	if best <= least {
		return 1
	}
	return max(cosine-least, 0) / (best - least)
}
