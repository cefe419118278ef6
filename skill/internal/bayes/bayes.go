package bayes

import (
	"math"
	"slices"
)

// An Example is a text of a known class.
type Example struct {
	Class string
	Terms []string // each once
}

// A Model is read-only; methods may be called at the same time.
type Model struct {
	Classes []string             // sorted
	Prior   []float64            // of each class
	terms   map[string][]float64 // log probability of a term under each class
}

// Learn learns a model. pseudo is added to the count of each term under each class.
func Learn(examples []Example, pseudo float64) *Model {
	m := &Model{terms: map[string][]float64{}}
	for _, ex := range examples {
		m.Classes = append(m.Classes, ex.Class)
	}
	slices.Sort(m.Classes)
	m.Classes = slices.Compact(m.Classes)
	m.Prior = make([]float64, len(m.Classes))
	total := make([]float64, len(m.Classes)) // of terms
	for _, ex := range examples {
		c, _ := slices.BinarySearch(m.Classes, ex.Class)
		m.Prior[c] += 1 / float64(len(examples))
		for _, t := range ex.Terms {
			if m.terms[t] == nil {
				m.terms[t] = make([]float64, len(m.Classes))
			}
			m.terms[t][c]++
			total[c]++
		}
	}
	for _, counts := range m.terms {
		for c, n := range counts {
			counts[c] = math.Log((n + pseudo) / (total[c] + pseudo*float64(len(m.terms))))
		}
	}
	return m
}

// Knows reports a term of an example.
func (m *Model) Knows(term string) bool { return m.terms[term] != nil }

// Of gives how probable each class is for a text with these terms. independent is the part of their evidence that counts, since neighbours are not independent: 1 is all of it.
func (m *Model) Of(terms []string, independent float64) []float64 {
	z := make([]float64, len(m.Prior))
	for c, p := range m.Prior {
		z[c] = math.Log(p)
	}
	for _, term := range terms {
		for c, l := range m.terms[term] {
			z[c] += l
		}
	}
	if len(z) == 0 {
		return z
	}
	top, sum := slices.Max(z), 0.0
	for c := range z {
		z[c] = math.Exp(independent * (z[c] - top))
		sum += z[c]
	}
	for c := range z {
		z[c] /= sum
	}
	return z
}
