package entail

import "fmt"

// bound looks whether words that stand together in the claim stand together in the evidence. A claim of the right words in a wrong relation has many that do not.
func (j *judge) bound() *Judgement {
	if j.quoted {
		return nil
	}
	for _, c := range j.claim.clauses {
		var at []int
		for i := c.from; i < c.to; i++ {
			t := j.claim.toks[i]
			if (j.claim.content(i) || t.quantity >= 0 && j.claim.nums[t.quantity].at == i) && j.inProse(i) {
				at = append(at, i)
			}
		}
		if len(at) < minBound {
			continue
		}
		together := 0
		for k := 1; k < len(at); k++ {
			if j.together(at[k-1], at[k]) {
				together++
			}
		}
		if float64(together) < leastBound*float64(len(at)-1) {
			return open(fmt.Sprintf("its words stand apart in the evidence: %d of %d neighbours stand together", together, len(at)-1))
		}
	}
	return nil
}

var (
	minBound   = 4
	leastBound = 0.6
)

// inProse reports whether a token of the claim is in a sentence of the evidence.
func (j *judge) inProse(i int) bool {
	for _, e := range j.evidence {
		for k := range e.toks {
			if j.alike(i, e, k) {
				return true
			}
		}
	}
	return false
}

func (j *judge) alike(i int, e *passage, k int) bool {
	a, b := j.claim.toks[i], e.toks[k]
	if a.quantity >= 0 || b.quantity >= 0 {
		return a.quantity >= 0 && b.quantity >= 0 && same(j.claim.nums[a.quantity], e.nums[b.quantity])
	}
	return lex().like(a, b)
}

// together reports whether a clause of the evidence has both.
func (j *judge) together(a, b int) bool {
	for _, e := range j.evidence {
		for _, c := range e.clauses {
			first, second := false, false
			for k := c.from; k < c.to; k++ {
				first = first || j.alike(a, e, k)
				second = second || j.alike(b, e, k)
			}
			if first && second {
				return true
			}
		}
	}
	return false
}
