package procedure

import "github.com/findspot/findspot/internal/lazyregexp"

// A measure is what of a text speaks for a procedure.
type measure struct {
	all                int   // lines
	lines, code        int   // that are not empty; those of code and tables among them
	lineOf             []int // of each sentence outside of code and asides
	beyond             int   // the line of the first sentence that was not looked at; 0: there is none
	sentences, telling int   // those that were read for steps; and of them those that order or forbid something
	ordered            int   // steps in numbered items, below titles of steps, or with a word of order
}

// What a text must have to be a procedure. The numbers were chosen on the labelled procedures and forty public skills (docs/bench/skills.md).
const (
	mostCode        = 0.4  // of the lines
	leastUnderstood = 2    // steps: any text has an imperative
	understoodShare = 0.3  // of the steps
	tellingShare    = 0.4  // of the sentences, where nothing tells an order
	orderedShare    = 0.45 // of the sentences, where most steps are in an order
	leastOrdered    = 3    // steps in an order
	mostUnordered   = 15   // steps, most of them in no order: a longer list is one of rules, unless none of it is in an order,
	longUnordered   = 30   // it has so many at most, and
	longTelling     = 0.65 // so much of it tells, with
	longCode        = 0.2  // so little code, and
	longKinds       = 4    // so many kinds of steps
)

// sequence begins a sentence that tells when its order is to be followed.
var sequence = lazyregexp.New(`(?i)^(?:first|firstly|second|secondly|third|thirdly|then|next|now|after (?:that|this)|afterwards|finally|lastly|last|at the end|begin|start|once .+, then)\b`)

// count counts what was read in the sentences before end.
func (r *Reading) count(end int) {
	m, tells := &r.measure, map[int]bool{}
	m.sentences = end
	for _, st := range r.Steps {
		tells[st.at] = tells[st.at] || st.at < end
		if st.ordered || sequence.MatchString(st.Sentence) {
			m.ordered++
		}
	}
	for _, g := range r.Guards {
		tells[g.at] = tells[g.at] || g.at < end
	}
	for _, is := range tells {
		if is {
			m.telling++
		}
	}
}

// isProcedure tells a text that says step by step what is to be done from one that explains something and has an imperative here and there.
func (r *Reading) isProcedure() bool {
	m, steps, understood, kinds := r.measure, len(r.Steps), 0, map[Kind]bool{}
	for _, st := range r.Steps {
		if st.Kind != Other {
			understood++
			kinds[st.Kind] = true
		}
	}
	if understood+len(r.Guards) < leastUnderstood || understood == 0 || float64(understood) < understoodShare*float64(steps) || 4*m.ordered < 3*steps && float64(m.code) > mostCode*float64(m.lines) {
		return false
	}
	telling := float64(m.telling) / float64(m.sentences)
	return m.ordered >= leastOrdered && 2*m.ordered >= steps && telling >= orderedShare || steps <= mostUnordered && telling >= tellingShare ||
		m.ordered < leastOrdered && steps <= longUnordered && len(kinds) >= longKinds && telling >= longTelling && float64(m.code) <= longCode*float64(m.lines)
}
