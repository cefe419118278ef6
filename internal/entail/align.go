package entail

import (
	"strings"
)

// An alignment is the clause of the evidence that is nearest to one of the claim.
type alignment struct {
	p     *passage
	c     clause
	share float64 // of the claim's content and numbers that is in the clause
	found bool
}

// align finds the nearest clause, or sentence, of the evidence.
func (j *judge) align(c clause) (best alignment) {
	if a, ok := j.aligned[c]; ok {
		return a
	}
	defer func() {
		if j.aligned == nil {
			j.aligned = map[clause]alignment{}
		}
		j.aligned[c] = best
	}()
	for _, e := range j.evidence {
		for _, x := range e.clauses {
			if s := j.overlap(c, e, x); s > best.share {
				best = alignment{e, x, s, true}
			}
		}
	}
	return best
}

// overlap is the share of a clause's content that is in a clause of the evidence.
func (j *judge) overlap(c clause, e *passage, x clause) float64 {
	n, have := 0.0, 0.0
	for i := c.from; i < c.to; i++ {
		t := j.claim.toks[i]
		w := 1.0
		switch {
		case t.quantity >= 0:
			if t.quantity >= 0 && j.claim.nums[t.quantity].at != i {
				continue
			}
			n += 1.5
			for k := x.from; k < x.to; k++ {
				if q := e.toks[k].quantity; q >= 0 && e.nums[q].at == k && same(j.claim.nums[t.quantity], e.nums[q]) {
					have += 1.5
					break
				}
			}
			continue
		case !j.claim.content(i):
			continue
		case t.kind == name:
			w = 1.5
		}
		n += w
		for k := x.from; k < x.to; k++ {
			if e.toks[k].quantity < 0 && (lex().like(t, e.toks[k]) || lex().against(t, e.toks[k])) {
				have += w
				break
			}
		}
	}
	if n == 0 {
		return 0
	}
	return have / n
}

// sentenceOf is the whole sentence of an alignment.
func (a alignment) sentenceOf() alignment {
	a.c = a.p.sentence(a.c)
	return a
}

// exact is the share of a clause's content whose very words the aligned clause has.
func (j *judge) exact(c clause, a alignment) float64 {
	n, have := 0.0, 0.0
	for i := c.from; i < c.to; i++ {
		t := j.claim.toks[i]
		if t.quantity >= 0 && j.claim.nums[t.quantity].at != i || t.quantity < 0 && !j.claim.content(i) {
			continue
		}
		n++
		for k := a.c.from; k < a.c.to; k++ {
			x := a.p.toks[k]
			if t.quantity >= 0 && x.quantity >= 0 && same(j.claim.nums[t.quantity], a.p.nums[x.quantity]) || t.quantity < 0 && x.quantity < 0 && (t.stem == x.stem || lex().against(t, x)) {
				have++
				break
			}
		}
	}
	if n < 2 {
		return 0
	}
	return have / n
}

func (a alignment) text() string {
	return strings.TrimSpace(a.p.text[a.p.toks[a.c.from].start:a.p.toks[a.c.to-1].end])
}

func (j *judge) words(c clause) []string {
	return []string{strings.TrimSpace(j.claim.text[j.claim.toks[c.from].start:j.claim.toks[c.to-1].end])}
}

// back is the share of the aligned clause's content that the clause has.
func (j *judge) back(c clause, a alignment) float64 {
	n, have := 0.0, 0.0
	for k := a.c.from; k < a.c.to; k++ {
		x := a.p.toks[k]
		if x.quantity < 0 && !a.p.content(k) {
			continue
		}
		n++
		for i := c.from; i < c.to; i++ {
			t := j.claim.toks[i]
			if t.quantity >= 0 && x.quantity >= 0 && same(j.claim.nums[t.quantity], a.p.nums[x.quantity]) || t.quantity < 0 && x.quantity < 0 && (lex().like(t, x) || lex().against(t, x)) {
				have++
				break
			}
		}
	}
	if n == 0 {
		return 0
	}
	return have / n
}

// alike reports whether a token of the claim and one of the evidence say the same.
func (j *judge) alike(i int, e *passage, k int) bool {
	a, b := j.claim.toks[i], e.toks[k]
	if a.quantity >= 0 || b.quantity >= 0 {
		return a.quantity >= 0 && b.quantity >= 0 && same(j.claim.nums[a.quantity], e.nums[b.quantity])
	}
	return lex().like(a, b)
}
