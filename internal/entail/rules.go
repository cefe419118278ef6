package entail

import (
	"fmt"
	"math"
	"slices"
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
			if e.toks[k].quantity < 0 && (lex.like(t, e.toks[k]) || lex.against(t, e.toks[k])) {
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

// numbers looks for each quantity of the claim.
func (j *judge) numbers() *Judgement {
	var soft *Judgement
	for _, q := range j.claim.nums {
		raw := j.claim.text[q.start:q.end]
		if q.weak || j.hasNumber(q) {
			continue
		}
		if j.derived(q) {
			continue
		}
		near := ""
		for _, e := range j.evidence {
			for _, x := range e.nums {
				if x.base == q.base && near == "" || equal(x.value, q.value) {
					near = e.text[x.start:x.end]
				}
			}
		}
		if q.words && q.value <= 20 || q.base == "ratio" && q.words || q.value == 0 {
			soft = open(fmt.Sprintf("%q is not in the evidence as it is written", raw), raw)
			continue
		}
		if near != "" {
			return bad(fmt.Sprintf("%q is not in the evidence, which has %q", raw, near), raw)
		}
		return bad(fmt.Sprintf("%q is not in the evidence", raw), raw)
	}
	return soft
}

// hasNumber reports whether the evidence has a quantity, in a table too.
func (j *judge) hasNumber(q quantity) bool {
	for _, e := range j.evidence {
		for _, x := range e.nums {
			if same(q, x) {
				return true
			}
		}
		for _, t := range e.tables {
			for _, cells := range append([][]string{t.head}, t.rows...) {
				for c, cell := range cells {
					for _, x := range cellNumbers(t, c, cell) {
						if same(q, x) {
							return true
						}
					}
				}
			}
		}
		for _, t := range e.toks { // KR-240, 16-bit
			if t.kind == name && strings.Contains(t.raw, j.claim.text[q.start:q.end]) {
				return true
			}
		}
	}
	return false
}

// cellNumbers reads a cell with the unit that its column's head names.
func cellNumbers(t table, c int, cell string) []quantity {
	toks := tokenize(cell)
	nums := quantities(cell, toks)
	if c >= len(t.head) {
		return nums
	}
	for _, open := range []string{"(", ","} {
		if i := strings.LastIndex(t.head[c], open); i >= 0 {
			if u, ok := unitOf(strings.Trim(t.head[c][i+1:], " )")); ok {
				for k := range nums {
					if nums[k].base == "" {
						base, factor := u.base, u.factor
						if base == "%" {
							base, factor = "ratio", factor/100
						}
						nums[k].base, nums[k].factor, nums[k].value = base, factor, nums[k].value*factor
					}
				}
			}
		}
	}
	if strings.Contains(t.head[c], "%") {
		for k := range nums {
			if nums[k].base == "" {
				nums[k].base, nums[k].factor, nums[k].value = "ratio", 0.01, nums[k].value/100
			}
		}
	}
	return nums
}

// derived reports whether a quantity is the sum, the difference or the ratio of two of the evidence, where the claim's words say so.
func (j *judge) derived(q quantity) bool {
	says := false
	for _, t := range j.claim.toks {
		switch t.low {
		case "more", "less", "fewer", "higher", "lower", "difference", "total", "together", "all", "sum", "share", "times", "rise", "rose", "fell", "increase", "decrease", "remaining", "rest",
			"gap", "better", "worse", "longer", "shorter", "faster", "slower", "later", "earlier", "combined", "twice", "half", "above", "below", "between", "over", "apart", "left", "saves", "saved", "extra", "wide", "lasted", "of", "after", "down", "up", "drop", "dropped", "by", "ahead", "behind":
			says = true
		}
	}
	if !says {
		return false
	}
	var all []quantity
	for _, e := range j.evidence {
		all = append(all, e.nums...)
		for _, t := range e.tables {
			for _, cells := range t.rows {
				for c, cell := range cells {
					all = append(all, cellNumbers(t, c, cell)...)
				}
			}
		}
	}
	if len(all) > 60 {
		all = all[:60]
	}
	for i, a := range all {
		for k, b := range all {
			if i == k {
				continue
			}
			for _, v := range []float64{a.value + b.value, math.Abs(a.value - b.value)} {
				x := a
				x.value, x.digits = v, 9
				if a.base == b.base && same(q, x) {
					return true
				}
			}
			if b.value != 0 && a.base == b.base {
				x := quantity{value: a.value / b.value, base: "ratio", factor: 0.01, digits: 9}
				if q.base == "ratio" && same(q, x) {
					return true
				}
				x.base = ""
				if q.base == "" && same(q, x) && a.value > b.value {
					return true
				}
			}
		}
	}
	return false
}

// sides compares what stands at a number: at most for at least, and the subject that it belongs to.
func (j *judge) sides() *Judgement {
	for _, q := range j.claim.nums {
		var got []quantity
		for _, e := range j.evidence {
			for _, x := range e.nums {
				if same(q, x) {
					got = append(got, x)
				}
			}
		}
		if len(got) == 0 || q.bound == exactly {
			continue
		}
		conflict := 0
		for _, x := range got {
			if q.bound.up() && x.bound.down() || q.bound.down() && x.bound.up() {
				conflict++
			}
		}
		if conflict == len(got) {
			raw := j.claim.text[q.start:q.end]
			return bad(fmt.Sprintf("%q has another side in the evidence: at most for at least, or above for below", raw), raw)
		}
	}
	return j.subjects()
}

// subjects looks whether a number or word of the claim belongs to another of several names that both texts have.
func (j *judge) subjects() *Judgement {
	names := j.parallel()
	if len(names) < 2 {
		return nil
	}
	for _, q := range j.claim.nums {
		if q.weak {
			continue
		}
		mine := nearestName(j.claim, q.at, names)
		if mine == "" {
			continue
		}
		has, others := false, ""
		for _, e := range j.evidence {
			for _, x := range e.nums {
				if !same(q, x) {
					continue
				}
				switch other := nearestName(e, x.at, names); other {
				case mine, "":
					has = true
				default:
					others = other
				}
			}
		}
		if !has && others != "" {
			raw := j.claim.text[q.start:q.end]
			return bad(fmt.Sprintf("%q belongs to %s in the evidence, not to %s", raw, others, mine), raw, mine)
		}
	}
	return nil
}

// parallel lists the names that the claim and the evidence have, and that are of one kind there.
func (j *judge) parallel() []string {
	var out []string
	for _, t := range j.claim.toks {
		if t.kind == name && t.quantity < 0 && !slices.Contains(out, t.low) {
			out = append(out, t.low)
		}
	}
	for _, e := range j.evidence {
		for _, t := range e.toks {
			if t.kind == name && t.quantity < 0 && !slices.Contains(out, t.low) {
				out = append(out, t.low)
			}
		}
	}
	return out
}

// nearestName is the name next to a token in its clause; "" when there is none, or two are as near.
func nearestName(p *passage, at int, names []string) string {
	best, dist := "", 1000
	for _, c := range p.clauses {
		if at < c.from || at >= c.to {
			continue
		}
		for i := c.from; i < c.to; i++ {
			if t := p.toks[i]; t.kind == name && slices.Contains(names, t.low) {
				d := i - at
				if d < 0 {
					d = -d
				}
				if d < dist {
					best, dist = t.low, d
				}
			}
		}
	}
	return best
}

// polarity compares whether the clauses are denied.
func (j *judge) polarity() *Judgement {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found || a.share < 0.6 {
			continue
		}
		if j.denied(j.claim, c) != j.denied(a.p, a.c) {
			opp, words := j.turned(c, a)
			if opp%2 == 0 {
				return bad("one is denied, the other is not: "+a.text(), j.words(c)...)
			}
			_ = words
			continue
		}
		if opp, words := j.turned(c, a); opp%2 == 1 {
			return bad(fmt.Sprintf("%q is the opposite of what the evidence says: %s", words[0], a.text()), words...)
		}
	}
	return nil
}

func (a alignment) text() string {
	return strings.TrimSpace(a.p.text[a.p.toks[a.c.from].start:a.p.toks[a.c.to-1].end])
}

func (j *judge) words(c clause) []string {
	return []string{strings.TrimSpace(j.claim.text[j.claim.toks[c.from].start:j.claim.toks[c.to-1].end])}
}

// denied reports whether a clause is denied, an odd number of times.
func (j *judge) denied(p *passage, c clause) bool {
	n := 0
	for i := c.from; i < c.to; i++ {
		t := p.toks[i]
		if negators[t.low] || strings.HasSuffix(t.low, "n't") {
			if t.low == "no" && i+1 < c.to && (set("less fewer more later earlier longer")[p.toks[i+1].low]) || t.low == "not" && i+1 < c.to && set("only more less")[p.toks[i+1].low] {
				continue
			}
			n++
		}
	}
	return n%2 == 1
}

// turned counts the words of a clause whose opposite the evidence's clause has, and not themselves.
func (j *judge) turned(c clause, a alignment) (n int, words []string) {
	for i := c.from; i < c.to; i++ {
		t := j.claim.toks[i]
		if t.kind == sign || t.quantity >= 0 {
			continue
		}
		same, against := false, false
		for k := a.c.from; k < a.c.to; k++ {
			x := a.p.toks[k]
			if x.quantity >= 0 {
				continue
			}
			same = same || t.stem == x.stem || lex.like(t, x) && !lex.against(t, x)
			against = against || lex.against(t, x)
		}
		if against && !same {
			n++
			words = append(words, t.raw)
		}
	}
	return n, words
}

// quantifiers compares all with some.
func (j *judge) quantifiers() *Judgement {
	for _, c := range j.claim.clauses {
		var word string
		for i := c.from; i < c.to; i++ {
			if t := j.claim.toks[i]; universals[t.low] && !negators[t.low] && t.low != "both" {
				word = t.raw
			}
		}
		if word == "" {
			continue
		}
		a := j.align(c)
		if !a.found {
			continue
		}
		uni, part := false, false
		for _, e := range j.evidence {
			for _, x := range e.clauses {
				if e != a.p || x.sentence != a.c.sentence {
					continue
				}
				for k := x.from; k < x.to; k++ {
					uni = uni || universals[e.toks[k].low]
					part = part || partials[e.toks[k].low]
				}
			}
		}
		if !uni {
			if part {
				return bad(fmt.Sprintf("%q: the evidence says it of a part", word), word)
			}
			return open(fmt.Sprintf("%q is not in the evidence", word), word)
		}
	}
	return nil
}

// tense compares plans with results.
func (j *judge) tense() *Judgement {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found || a.share < 0.5 {
			continue
		}
		plan := ""
		for k := a.c.from; k < a.c.to; k++ {
			if plans[a.p.toks[k].low] {
				plan = a.p.toks[k].raw
			}
		}
		if plan == "" || j.has(plans) || j.has(may) {
			continue
		}
		return bad(fmt.Sprintf("the evidence says %q: it is not done", plan), j.words(c)...)
	}
	return nil
}

func (j *judge) has(m map[string]bool) bool {
	return slices.ContainsFunc(j.claim.toks, func(t token) bool { return m[t.low] })
}

// conditions looks for a condition that the evidence makes and the claim does not.
func (j *judge) conditions() *Judgement {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found || a.share < 0.5 {
			continue
		}
		for _, x := range a.p.clauses {
			if x.sentence != a.c.sentence || x == a.c || !conditions[x.head] && !conditions[first(a.p, x)] {
				continue
			}
			n, have := 0, 0
			for k := x.from; k < x.to; k++ {
				if !a.p.content(k) && a.p.toks[k].quantity < 0 {
					continue
				}
				n++
				for _, t := range j.claim.toks {
					if lex.like(t, a.p.toks[k]) || t.quantity >= 0 && a.p.toks[k].quantity >= 0 && same(j.claim.nums[t.quantity], a.p.nums[a.p.toks[k].quantity]) {
						have++
						break
					}
				}
			}
			if n > 0 && have*3 < n && !j.has(conditions) {
				text := strings.TrimSpace(a.p.text[a.p.toks[x.from].start:a.p.toks[x.to-1].end])
				return bad("the evidence says so only under a condition: "+text, j.words(c)...)
			}
		}
	}
	return nil
}

func first(p *passage, c clause) string { return p.toks[c.from].low }

// direction compares what is the cause of what.
func (j *judge) direction() *Judgement { return nil }

// tableCells looks up rows and columns.
func (j *judge) tableCells() *Judgement { return nil }
