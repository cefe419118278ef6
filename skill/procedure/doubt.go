package procedure

import (
	"cmp"
	"slices"
)

// A Doubt is a sentence that may forbid something until something else: no guard stands for it.
type Doubt struct {
	Line int    `json:"line"`
	Text string `json:"text"` // the sentence, on one line

	acts []Kind // that it may forbid
	sure float64
}

// Prohibitions are the sentences that forbid something until something else, or may, in order. It is for a text that tells no procedure.
func (r *Reading) Prohibitions() []Doubt {
	out := slices.Clone(r.Unread)
	for _, g := range r.Guards {
		out = append(out, Doubt{Line: g.Line, Text: g.Text})
	}
	slices.SortStableFunc(out, func(a, b Doubt) int { return cmp.Compare(a.Line, b.Line) })
	return slices.CompactFunc(out, func(a, b Doubt) bool { return a.Line == b.Line && a.Text == b.Text })
}
