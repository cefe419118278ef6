package procedure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/internal/bayes"
)

// Classes of steps: whether one is to be done in any case, and once.
const (
	isAlways, isConditional = "always", "conditional"
	isOnce, isRepeated      = "once", "repeated"
)

// Probabilities from which on a step is taken for conditional, where the grammar read no condition, and for repeated. A condition that was read stays: without it more would be done than is told.
// They were chosen by leaving authors out (TestQualityLabelled).
const (
	conditional = 0.45
	repeatedly  = 0.4
)

// circumstances decides which steps are to be done under a condition, and which several times.
func (m *model) circumstances(steps []Step) {
	told := make([][]string, len(steps)) // before any of them is changed
	for i := range steps {
		told[i] = circumstanceTerms(steps, i)
	}
	for i := range steps {
		st := &steps[i]
		if st.Condition == "" && probabilityOf(m.conditions, isConditional, told[i]) >= conditional {
			st.Condition = conditionOf(st)
		}
		st.Loop = probabilityOf(m.repetitions, isRepeated, told[i]) >= repeatedly
	}
}

func probabilityOf(l *bayes.Linear, class string, terms []string) float64 {
	i, ok := slices.BinarySearch(l.Classes, class)
	if !ok {
		return 0
	}
	return l.Of(terms)[i]
}

// conditionOf is what stands before a clause that is conditional though nothing in it says so: "Different revisions" of "Different revisions: return both"; else its sentence.
func conditionOf(st *Step) string {
	if before, _, ok := strings.Cut(st.Sentence, st.Text); ok {
		if before = strings.Trim(before, " ,:;–—-→"); before != "" {
			return before
		}
	}
	return st.Sentence
}

// circumstanceTerms are the words of a step, of what stands before and behind it in its sentence, and what the grammar read.
func circumstanceTerms(steps []Step, i int) (out []string) {
	st := steps[i]
	before, behind, ok := strings.Cut(st.Sentence, st.Text)
	if !ok {
		behind = ""
	}
	for _, part := range []struct{ name, text string }{{"<", before}, {"", st.Text}, {">", behind}} {
		for _, t := range kindTerms(part.text) {
			out = append(out, part.name+t)
		}
	}
	when, loop := fmt.Sprintf("#when:%t", st.Condition != ""), fmt.Sprintf("#loop:%t", st.Loop)
	out = append(out, when, when+"2", loop, loop+"2", "#kind:"+string(st.Kind), fmt.Sprintf("#index:%d", min(st.index, 2))) // twice, so that all of their evidence counts (independent)
	if st.asks {
		out = append(out, "#asks")
	}
	if i > 0 && steps[i-1].at == st.at {
		out = append(out, fmt.Sprintf("#before:%t,%t", steps[i-1].Condition != "", steps[i-1].Loop))
	}
	return out
}
