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
