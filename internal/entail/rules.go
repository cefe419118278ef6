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
		if q.words && q.value <= 3 {
			continue
		}
		if q.words && q.value <= 20 || q.base == "ratio" && q.words || q.base == "" && q.value <= 12 || j.within(q) {
			soft = open(fmt.Sprintf("%q is not in the evidence as it is written", raw), raw)
			continue
		}
		if j.inName(raw) {
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

// inName reports whether the digits of a quantity are a part of a name of the evidence.
func (j *judge) inName(raw string) bool {
	digits := strings.TrimRight(strings.SplitN(raw, " ", 2)[0], "%")
	return slices.ContainsFunc(j.evidence, func(e *passage) bool {
		return slices.ContainsFunc(e.toks, func(t token) bool { return t.kind == name && t.raw == digits })
	})
}

// within reports whether a quantity lies within a bound of the evidence: what holds up to 5 holds for 3.
func (j *judge) within(q quantity) bool {
	for _, e := range j.evidence {
		for _, x := range e.nums {
			if x.base == q.base && q.bound == exactly && (x.bound.down() && q.value < x.value || x.bound.up() && q.value > x.value) {
				return true
			}
		}
	}
	return false
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

// sides compares what stands at a number: at most for at least.
func (j *judge) sides() (doubt *Judgement) {
	for _, q := range j.claim.nums {
		c := j.claim.clauseOf(q.at)
		if q.bound == exactly || c < 0 || j.denied(j.claim, j.claim.clauses[c]) {
			continue
		}
		agree, against := 0.0, 0.0
		for _, e := range j.evidence {
			for _, x := range e.nums {
				at := e.clauseOf(x.at)
				if !same(q, x) || at < 0 || x.bound == exactly || j.denied(e, e.clauses[at]) {
					continue
				}
				near := 0.1 + j.overlap(j.claim.clauses[c], e, e.clauses[at])
				if q.bound.up() == x.bound.up() {
					agree = max(agree, near)
				} else {
					against = max(against, near)
				}
			}
		}
		if against <= agree {
			continue
		}
		raw := j.claim.text[q.start:q.end]
		reason := fmt.Sprintf("%q has another side in the evidence: at most for at least, or above for below", raw)
		if against < 0.5 || q.base == "" && q.value < 2 {
			doubt = open(reason, raw)
			continue
		}
		return bad(reason, raw)
	}
	return doubt
}

// A named is a name of a text, of one word or several: "Pier South".
type named struct {
	low      string
	from, to int // tokens
}

// besideNumber reports whether a token may tell the bound of a number, which is compared elsewhere.
func (p *passage) besideNumber(i int) bool {
	if !bounding[p.toks[i].low] {
		return false
	}
	for k := max(0, i-2); k < min(len(p.toks), i+4); k++ {
		if p.toks[k].quantity >= 0 {
			return true
		}
	}
	return false
}

var months = set("january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday table figure section clause")

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
		if t.kind != name || t.quantity >= 0 || len(t.low) < 2 || months[t.low] {
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

// at is the name that a token belongs to: the nearest in its clause, else in its sentence.
func (p *passage) at(i int, names []named) string {
	best, dist := "", 1000
	for _, n := range names {
		d := max(n.from-i, i-n.to+1)
		if d > 8 {
			continue
		}
		if c := p.clauseOf(i); c >= 0 && (n.from < p.clauses[c].from || n.from >= p.clauses[c].to) {
			continue
		}
		if d < dist {
			best, dist = n.low, d
		}
	}
	return best
}

func (p *passage) clauseOf(i int) int {
	return slices.IndexFunc(p.clauses, func(c clause) bool { return c.from <= i && i < c.to })
}

// subjects looks whether a number of the claim belongs to another name in the evidence, where the name that the claim gives it has another number.
func (j *judge) subjects() *Judgement {
	mine := j.claim.named()
	for _, q := range j.claim.nums {
		if q.weak || q.base == "" && q.words {
			continue
		}
		owner := j.claim.at(q.at, mine)
		if owner == "" {
			continue
		}
		has, other, rival := false, "", false
		for _, e := range j.evidence {
			names := e.named()
			for _, x := range e.nums {
				at := e.at(x.at, names)
				switch {
				case same(q, x) && (at == "" || kin(at, owner)):
					has = true
				case same(q, x):
					other = at
				case x.base == q.base && at != "" && kin(at, owner):
					rival = true
				}
			}
		}
		if !has && other != "" && rival {
			raw := j.claim.text[q.start:q.end]
			return bad(fmt.Sprintf("%q belongs to %s in the evidence, not to %s", raw, other, owner), raw, owner)
		}
	}
	return nil
}

// sentenceOf is the whole sentence of an alignment.
func (a alignment) sentenceOf() alignment {
	for _, x := range a.p.clauses {
		if x.sentence == a.c.sentence {
			a.c.from, a.c.to = min(a.c.from, x.from), max(a.c.to, x.to)
		}
	}
	return a
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
			if a = a.sentenceOf(); j.exact(c, a) < 0.5 || a.p.holdsName(a.c, n.low) || !j.known(n.low) {
				continue
			}
			other := ""
			for _, o := range a.p.named() {
				if o.from >= a.c.from && o.from < a.c.to && !kin(o.low, n.low) && !j.claim.holdsName(clause{from: 0, to: len(j.claim.toks)}, o.low) {
					other = o.low
				}
			}
			if other == "" {
				continue
			}
			reason := fmt.Sprintf("the evidence says this of %s, not of %s", other, n.low)
			if j.exact(c, a) >= 0.65 {
				return bad(reason, n.low)
			}
			doubt = open(reason, n.low)
		}
	}
	return doubt
}

// holdsName reports whether the words of a name stand in a clause.
func (p *passage) holdsName(c clause, low string) bool {
	for w := range strings.FieldsSeq(low) {
		if !slices.ContainsFunc(p.toks[c.from:c.to], func(t token) bool { return t.low == w || strings.TrimSuffix(t.low, "s") == strings.TrimSuffix(w, "s") }) {
			return false
		}
	}
	return true
}

// known reports whether a name stands anywhere in the evidence.
func (j *judge) known(low string) bool {
	return slices.ContainsFunc(j.evidence, func(e *passage) bool { return e.holdsName(clause{from: 0, to: len(e.toks)}, low) })
}

// A pair is a number with what stands next to it, which may own it.
type pair struct{ num, partner int } // a quantity, and a token

// pairs gives the pairs of a text, before and behind numbers.
func (p *passage) pairs() (out []pair) {
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
	mine := j.claim.pairs()
	for i, a := range mine {
		for _, b := range mine[i+1:] {
			q, r := j.claim.nums[a.num], j.claim.nums[b.num]
			if a.num == b.num || q.base != r.base || same(q, r) || j.claim.likeAt(a.partner, j.claim, b.partner) {
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

// paired counts where a text has a number next to a partner.
func (j *judge) paired(e *passage, q quantity, partner int) (n int) {
	for _, x := range e.pairs() {
		if same(q, e.nums[x.num]) && j.claim.likeAt(partner, e, x.partner) {
			n++
		}
	}
	return n
}

func (p *passage) count(t token) (n int) {
	for _, x := range p.toks {
		if x.stem == t.stem {
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

// opposite looks for a word whose opposite the evidence's sentence has in its place.
func (j *judge) opposite() (doubt *Judgement) {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found {
			continue
		}
		a = a.sentenceOf()
		if j.exact(c, a) < 0.8 || j.denied(j.claim, c) || j.denied(a.p, a.c) {
			continue
		}
		for _, e := range j.evidence { // a part of the claim that another sentence turns
			for _, x := range e.clauses {
				b := alignment{p: e, c: x, found: true}
				if b.c == a.c && e == a.p || j.back(c, b) < 0.7 || x.to-x.from < 3 {
					continue
				}
				if n, words := j.turned(c, b); n == 1 && len(words[0]) > 3 && doubt == nil {
					doubt = open(fmt.Sprintf("%q is the opposite of what the evidence says: %s", words[0], b.text()), words...)
				}
			}
		}
		if n, words := j.turned(c, a); n == 1 && len(words[0]) > 3 {
			return bad(fmt.Sprintf("%q is the opposite of what the evidence says: %s", words[0], a.text()), words...)
		}
	}
	return doubt
}

// polarity compares whether the clauses are denied, words and their opposites included.
func (j *judge) polarity() (doubt *Judgement) {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found || a.share < 0.5 {
			continue
		}
		opp, words := j.turned(c, a)
		odd := opp%2 == 1
		if j.denied(j.claim, c) != j.denied(a.p, a.c) {
			odd = !odd
		}
		if !odd {
			continue
		}
		reason, about := "one is denied, the other is not: "+a.text(), j.words(c)
		if len(words) > 0 {
			reason, about = fmt.Sprintf("%q is the opposite of what the evidence says: %s", words[0], a.text()), words
		}
		n := 0
		for i := c.from; i < c.to; i++ {
			if j.claim.content(i) || j.claim.toks[i].quantity >= 0 {
				n++
			}
		}
		if n < 2 {
			continue
		}
		limited := n < 3 && j.back(c, a) < 0.9 || conditions[c.head] || conditions[first(j.claim, c)]
		for _, x := range a.p.clauses {
			limited = limited || x.sentence == a.c.sentence && (x.head == "until" || x.head == "unless" || x.head == "if")
		}
		if j.exact(c, a) >= 0.75 && j.back(c, a) >= 0.5 && !limited && !hedged(j.claim, c) && !hedged(a.p, a.c) {
			return bad(reason, about...)
		}
		if doubt == nil && j.exact(c, a) >= 0.6 {
			doubt = open(reason, about...)
		}
	}
	return doubt
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
			if t.quantity >= 0 && x.quantity >= 0 && same(j.claim.nums[t.quantity], a.p.nums[x.quantity]) || t.quantity < 0 && x.quantity < 0 && (t.stem == x.stem || lex.against(t, x)) {
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

// denied reports whether a clause is denied, an odd number of times.
func (j *judge) denied(p *passage, c clause) bool {
	n := 0
	for i := c.from; i < c.to; i++ {
		t := p.toks[i]
		if negators[t.low] || strings.HasSuffix(t.low, "n't") {
			if p.bounds(i, c.to) || t.low == "nor" && n > 0 {
				continue
			}
			n++
		} else if denying[t.low] {
			n++
		}
	}
	return n%2 == 1
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
			if t.quantity >= 0 && x.quantity >= 0 && same(j.claim.nums[t.quantity], a.p.nums[x.quantity]) || t.quantity < 0 && x.quantity < 0 && (lex.like(t, x) || lex.against(t, x)) {
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

// hedged reports whether a clause has a word that denies without a negator.
func hedged(p *passage, c clause) bool {
	for i := c.from; i < c.to; i++ {
		if denying[p.toks[i].low] {
			return true
		}
	}
	return false
}

var denying = set("forbidden prohibited exempt hardly rarely seldom instead unchanged avoid avoids avoided stops stopped refused rejected miss misses alone except barely scarcely prevented prevents unlimited ruled omit omits dropped exempted free leave leaves")

// bounds reports whether a negator belongs to a bound, as in "not be longer than" and "does not exceed", or denies nothing, as in "not only".
func (p *passage) bounds(i, to int) bool {
	for k := i + 1; k < min(to, i+9); k++ {
		if strings.HasPrefix(p.toks[k].low, "exceed") {
			return true
		}
	}
	for k := i + 1; k < min(to, i+5); k++ {
		switch low := p.toks[k].low; {
		case k == i+1 && (low == "only" || bounding[low] && low != "longer" && p.toks[i].low == "no"):
			return true
		case bounding[low] || strings.HasPrefix(low, "exceed"):
			return k+1 < len(p.toks) && (p.toks[k+1].low == "than" || p.toks[k+1].quantity >= 0 || strings.HasPrefix(low, "exceed"))
		case low == "be" || low == "take" || low == "have" || low == "last" || low == "is" || low == "of" || low == "to" || low == "grow" || low == "go":
		default:
			return false
		}
	}
	return false
}

var bounding = set("more less fewer later earlier longer shorter higher lower larger smaller greater above below over under beyond")

// turned counts the words of a clause whose opposite the evidence's clause has, and not themselves.
func (j *judge) turned(c clause, a alignment) (n int, words []string) {
	for i := c.from; i < c.to; i++ {
		t := j.claim.toks[i]
		if t.kind == sign || t.quantity >= 0 || j.claim.besideNumber(i) {
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
func (j *judge) quantifiers() (doubt *Judgement) {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found {
			continue
		}
		whole := a.sentenceOf()
		uni, part, only := a.p.holds(whole.c, universals), a.p.holds(whole.c, partials), a.p.holds(whole.c, set("only exactly solely exclusively just alone unless except"))
		for i := c.from; i < c.to; i++ {
			t := j.claim.toks[i]
			switch {
			case t.low == "exactly" || t.low == "only" || t.low == "solely" || t.low == "exclusively":
				if !only && !(i+1 < c.to && j.claim.toks[i+1].quantity >= 0 && j.hasNumber(j.claim.nums[j.claim.toks[i+1].quantity])) && doubt == nil {
					doubt = open(fmt.Sprintf("%q is not in the evidence", t.raw), t.raw)
				}
			case t.low == "some" || t.low == "subset":
				if uni && !part && j.exact(c, whole) >= 0.5 {
					return bad(fmt.Sprintf("%q: the evidence says it of all", t.raw), t.raw)
				}
			case universals[t.low] && !negators[t.low] && t.low != "both":
				excepted := a.p.holds(whole.c, set("except apart excluding unless subset")) && !j.has(set("except apart excluding unless other but"))
				switch {
				case (part && !uni || excepted) && j.exact(c, whole) >= 0.6:
					return bad(fmt.Sprintf("%q: the evidence says it of a part: %s", t.raw, whole.text()), t.raw)
				case (!uni || excepted) && doubt == nil:
					doubt = open(fmt.Sprintf("%q is not in the evidence", t.raw), t.raw)
				}
			}
		}
	}
	return doubt
}

// holds reports whether a clause has one of some words.
func (p *passage) holds(c clause, words map[string]bool) bool {
	return slices.ContainsFunc(p.toks[c.from:c.to], func(t token) bool { return words[t.low] })
}

// tense compares plans with results.
func (j *judge) tense() (doubt *Judgement) {
	if j.has(plans) || j.has(may) || j.claim.intends(clause{from: 0, to: len(j.claim.toks)}) {
		return nil
	}
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found || a.share < 0.5 {
			continue
		}
		whole := a.sentenceOf()
		plan := a.p.intends(a.c)
		if !plan && !a.p.intends(whole.c) {
			continue
		}
		reason := "the evidence says that it is planned: " + whole.text()
		if c.head == "until" || c.head == "when" || c.head == "if" || c.head == "while" || c.head == "since" {
			continue
		}
		if plan && j.exact(c, a) >= 0.5 && (j.claim.happened(c) || j.back(c, a) >= 0.5) || j.exact(c, whole) >= 0.6 && j.claim.happened(c) {
			return bad(reason, j.words(c)...)
		}
		doubt = open(reason, j.words(c)...)
	}
	return doubt
}

// intends reports whether a clause tells of a plan.
func (p *passage) intends(c clause) bool {
	for i := c.from; i < c.to; i++ {
		low := p.toks[i].low
		if plans[low] || (low == "is" || low == "are" || low == "means" || low == "wants" || low == "going") && i+1 < c.to && p.toks[i+1].low == "to" {
			return true
		}
	}
	return false
}

// happened reports whether a clause tells of what is done.
func (p *passage) happened(c clause) bool {
	for i := c.from; i < c.to; i++ {
		if low := p.toks[i].low; low == "was" || low == "were" || low == "has" || low == "have" || low == "now" || low == "since" || len(low) > 4 && strings.HasSuffix(low, "ed") {
			return true
		}
	}
	return false
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
				if !a.p.content(k) && a.p.toks[k].quantity < 0 || conditions[a.p.toks[k].low] {
					continue
				}
				n++
				for i, t := range j.claim.toks {
					if j.claim.content(i) && lex.like(t, a.p.toks[k]) || t.quantity >= 0 && a.p.toks[k].quantity >= 0 && same(j.claim.nums[t.quantity], a.p.nums[a.p.toks[k].quantity]) {
						have++
						break
					}
				}
			}
			if n > 0 && have*3 < n {
				text := strings.TrimSpace(a.p.text[a.p.toks[x.from].start:a.p.toks[x.to-1].end])
				head := first(a.p, x)
				strong := head == "only" || head == "unless" || head == "provided" || head == "except" || x.from > 0 && a.p.toks[x.from-1].low == "only"
				if !strong && j.has(conditions) {
					continue
				}
				if j.exact(c, a) < 0.6 || !strong {
					return open("the evidence says so under a condition: "+text, j.words(c)...)
				}
				return bad("the evidence says so only under a condition: "+text, j.words(c)...)
			}
		}
	}
	return nil
}

func first(p *passage, c clause) string { return p.toks[c.from].low }
