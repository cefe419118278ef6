package entail

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A named is a name of a text, of one word or several: "Pier South".
type named struct {
	low      string
	from, to int // tokens
}

var months = lazy("january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday table figure section clause")

// kin reports whether the words of one name are among those of another.
func kin(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	return !slices.ContainsFunc(x, func(w string) bool { return !slices.Contains(y, w) })
}

// named finds the names of a text.
func (p *passage) named() (out []named) {
	for i := 0; i < len(p.toks); i++ {
		t := p.toks[i]
		if t.kind != name || t.quantity >= 0 || len(t.low) < 2 || months()[t.low] || !strings.ContainsFunc(t.low, unicode.IsLetter) {
			continue
		}
		n := named{t.low, i, i + 1}
		for n.to < len(p.toks) && p.toks[n.to].kind == name && p.toks[n.to].quantity < 0 && p.text[p.toks[n.to-1].end:p.toks[n.to].start] == " " {
			n.low += " " + p.toks[n.to].low
			n.to++
		}
		out = append(out, n)
		i = n.to - 1
	}
	return out
}

func (p *passage) clauseOf(i int) int {
	return slices.IndexFunc(p.clauses, func(c clause) bool { return c.from <= i && i < c.to })
}

// owners looks whether the evidence says of another name what the claim says of one.
func (j *judge) owners() (doubt *Judgement) {
	for _, c := range j.claim.clauses {
		for _, n := range j.claim.named() {
			if n.from < c.from || n.from >= c.to {
				continue
			}
			a := j.align(c)
			if !a.found {
				continue
			}
			if a = a.sentenceOf(); j.exact(c, a) < 0.5 || a.p.holdsName(a.c, n.low) {
				continue
			}
			other := ""
			for _, o := range a.p.named() {
				if o.from >= a.c.from && o.from < a.c.to && !kin(o.low, n.low) && !j.claim.holdsName(c, o.low) && !(j.inEvidence(n.low) && j.claim.holdsName(clause{from: 0, to: len(j.claim.toks)}, o.low)) {
					other = o.low
				}
			}
			if other == "" {
				continue
			}
			reason := fmt.Sprintf("the evidence says this of %s, not of %s", other, n.low)
			if j.exact(c, a) >= 0.65 && !a.p.pronounBefore(a.c, a.c.to) {
				return bad(reason, n.low)
			}
			doubt = open(reason, n.low)
		}
	}
	return doubt
}

// holdsName reports whether the words of a name stand in a clause.
func (p *passage) holdsName(c clause, low string) bool {
	if slices.ContainsFunc(p.toks[c.from:c.to], func(t token) bool { return t.low == low }) {
		return true
	}
	for w := range strings.FieldsSeq(low) {
		if !slices.ContainsFunc(p.toks[c.from:c.to], func(t token) bool { return t.low == w || strings.TrimSuffix(t.low, "s") == strings.TrimSuffix(w, "s") }) {
			return false
		}
	}
	return true
}

// inEvidence reports whether a name stands anywhere in the evidence.
func (j *judge) inEvidence(low string) bool {
	return slices.ContainsFunc(j.evidence, func(e *passage) bool { return e.holdsName(clause{from: 0, to: len(e.toks)}, low) })
}

// A pair is a number with what stands next to it, which may own it.
type pair struct{ num, partner int } // a quantity, and a token

// pairs gives the pairs of a text, before and behind numbers.
func (p *passage) pairs() (out []pair) {
	if p.paired != nil {
		return p.paired
	}
	defer func() { p.paired = out }()
	for n, q := range p.nums {
		if q.weak {
			continue
		}
		for _, side := range []int{-1, 1} {
			found := 0
			for i := q.at + side; i >= 0 && i < len(p.toks) && found < 3 && p.sentenceAt(i) == p.sentenceAt(q.at) && max(i-q.at, q.at-i) < 10; i += side {
				t := p.toks[i]
				if t.quantity == n {
					continue
				}
				if t.quantity >= 0 && p.nums[t.quantity].base == q.base {
					break
				}
				if (t.quantity >= 0 || p.content(i)) && p.nearest(i, q.base) == n {
					out = append(out, pair{n, i})
					found++
				}
			}
		}
	}
	return out
}

// apart is the distance of two tokens; what joins parts counts more.
func (p *passage) apart(i, k int) int {
	d := max(i-k, k-i)
	for x := min(i, k); x < max(i, k); x++ {
		if low := p.toks[x].low; low == "and" || low == "," || low == ";" || low == "but" || low == "or" {
			d += 4
		}
	}
	return d
}

// nearest is the number of a unit that stands nearest to a token in its sentence, -1 for none.
func (p *passage) nearest(i int, base string) int {
	best, dist := -1, 1000
	for n, q := range p.nums {
		if q.base == base && !q.weak && p.sentenceAt(q.at) == p.sentenceAt(i) {
			if d := p.apart(i, q.at); d < dist {
				best, dist = n, d
			}
		}
	}
	return best
}

func (p *passage) sentenceAt(i int) int {
	if c := p.clauseOf(i); c >= 0 {
		return p.clauses[c].sentence
	}
	return -1
}

// swapped looks for two numbers that have one another's partners in the evidence.
func (j *judge) swapped() *Judgement {
	if len(j.claim.nums) > maxNumbers {
		return nil
	}
	mine := j.claim.pairs()
	for i, a := range mine {
		for _, b := range mine[i+1:] {
			q, r := j.claim.nums[a.num], j.claim.nums[b.num]
			if a.num == b.num || j.claim.kindOf(a.partner) != j.claim.kindOf(b.partner) || q.base != r.base || same(q, r) || j.claim.likeAt(a.partner, j.claim, b.partner) {
				continue
			}
			straight, crossed := 0, 0
			for _, e := range j.evidence {
				straight += j.paired(e, q, a.partner) + j.paired(e, r, b.partner)
				if x := j.paired(e, q, b.partner); x > 0 && j.paired(e, r, a.partner) > 0 {
					crossed++
				}
			}
			if straight == 0 && crossed > 0 {
				t, u := j.claim.toks[a.partner].raw, j.claim.toks[b.partner].raw
				return bad(fmt.Sprintf("%q and %q are exchanged", t, u), t, u)
			}
		}
	}
	return nil
}

// kindOf tells numbers, names and words apart.
func (p *passage) kindOf(i int) tokenKind {
	if p.toks[i].quantity >= 0 {
		return number
	}
	return p.toks[i].kind
}

// paired counts where a text has a number next to a partner.
func (j *judge) paired(e *passage, q quantity, partner int) (n int) {
	for _, x := range e.pairs() {
		if same(q, e.nums[x.num]) && j.claim.likeAt(partner, e, x.partner) {
			n++
		}
	}
	return n
}

// likeAt compares tokens of two texts, quantities too.
func (p *passage) likeAt(i int, e *passage, k int) bool {
	a, b := p.toks[i], e.toks[k]
	if a.quantity >= 0 || b.quantity >= 0 {
		return a.quantity >= 0 && b.quantity >= 0 && same(p.nums[a.quantity], e.nums[b.quantity])
	}
	return a.stem == b.stem
}
