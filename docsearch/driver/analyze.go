package driver

import (
	"cmp"
	"math"

	"github.com/findspot/findspot/internal/text"
)

// A Field is a bag of terms with their positions in increasing order.
type Field struct {
	Terms  map[string][]int
	Length int // number of tokens that count for [BM25]
}

// Analysis is what an engine indexes of a record's text.
type Analysis struct {
	Words  Field
	Idents Field // every position is 0: only the number of positions counts
}

// Analyze turns the text of a record into its two token fields. Stop words are left out of both, but take a position. A
// word that a line end hyphenates has, at one position, its joined form, its form with the hyphen, and both halves: nobody
// can know which of them the writer meant.
func Analyze(s string) Analysis {
	a := Analysis{Words: Field{Terms: map[string][]int{}}, Idents: Field{Terms: map[string][]int{}}}
	pos := 0
	for _, t := range text.Tokens(s) {
		if t.Stop {
			pos++
			continue
		}
		for _, p := range t.Parts {
			a.Words.Terms[p.Term] = append(a.Words.Terms[p.Term], pos)
			a.Words.Length++
			pos++
		}
		if t.Whole != "" {
			a.Idents.Terms[t.Whole] = append(a.Idents.Terms[t.Whole], 0)
			a.Idents.Length++
			if len(t.Parts) == 1 {
				for _, w := range text.Alternatives(t.Whole) {
					if ps := a.Words.Terms[w]; len(ps) == 0 || ps[len(ps)-1] != pos-1 {
						a.Words.Terms[w] = append(ps, pos-1)
					}
				}
			}
		}
	}
	return a
}

// Groups returns the words of a query.
func Groups(s string) []Group {
	var out []Group
	for _, t := range text.Tokens(s) {
		g := Group{Whole: t.Whole, Stop: t.Stop}
		for _, p := range t.Parts {
			g.Parts = append(g.Parts, p.Term)
		}
		out = append(out, g)
	}
	return out
}

// A Term is one term that a query scores.
type Term struct {
	Term   string
	Ident  bool    // of the idents field
	Weight float64 // sum of the weights of the groups that it stands in, by default the times it stands in the query
}

// ScoreTerms returns the terms whose scores are summed for MatchAll and MatchAny, in the order of the sum: the parts and
// then the wholes of groups that are no stop words, each once, by first appearance.
func ScoreTerms(groups []Group) []Term {
	var out []Term
	add := func(term string, ident bool, weight float64) {
		for i := range out {
			if out[i].Term == term && out[i].Ident == ident {
				out[i].Weight += weight
				return
			}
		}
		out = append(out, Term{term, ident, weight})
	}
	for _, ident := range []bool{false, true} {
		for _, g := range groups {
			weight := cmp.Or(g.Weight, 1)
			switch {
			case g.Stop:
			case !ident:
				for _, p := range g.Parts {
					add(p, false, weight)
				}
			case g.Whole != "":
				add(g.Whole, true, weight)
			}
		}
	}
	return out
}

// IDF is the weight of a term that df of n records hold: ln(1 + (n-df+0.5)/(df+0.5)).
func IDF(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+.5)/(float64(df)+.5))
}

// BM25 is the score of a term that stands tf times in a field whose length has a norm ([LengthNorm]): idf·tf/(tf + k1·(1-b+b·length/mean)) with
// k1 = 1.2 and b = 0.75 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009; the form Lucene uses, but with exact
// lengths).
func BM25(idf float64, tf int, norm float64) float64 {
	f := float64(tf)
	return idf * f / (f + norm)
}

// LengthNorm is the part of [BM25] that follows from the length: k1·(1-b+b·length/mean). It is rounded here, lest processors that
// add and multiply in one step score otherwise than others.
func LengthNorm(length int, mean float64) float64 {
	const k1, b = 1.2, 0.75
	return float64(k1 * (1 - b + b*float64(length)/mean))
}
