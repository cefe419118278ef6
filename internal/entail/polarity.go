package entail

import (
	"fmt"
	"slices"
	"strings"
)

// denials compares what the claim and the evidence deny.
func (j *judge) denials() (doubt *Judgement) {
	for _, e := range j.evidence {
		for _, x := range e.clauses {
			b := alignment{p: e, c: x, found: true}
			if e.contentsOf(x) == 1 && e.denied(x) {
				if found := j.deniesWord(b); found != nil {
					return found
				}
			}
			if e.contentsOf(x) < 2 {
				continue
			}
			found := j.denies(b)
			if !e.denied(x) {
				found = j.deniedHere(b)
			}
			if found != nil && found.Verdict == Unsupported {
				return found
			}
			if doubt == nil {
				doubt = found
			}
		}
	}
	return doubt
}

// denies looks whether the claim says what a clause of the evidence denies.
func (j *judge) denies(x alignment) *Judgement {
	if !x.p.denied(x.c) || j.answered(x) {
		return nil
	}
	said, within := j.saying(x)
	if said < 0.7 || !j.hasNames(x) {
		return nil
	}
	at := j.claim.clauseOf(within.from)
	if at < 0 || j.claim.denied(within) || j.said(within, false, j.overlap(within, x.p, x.c)) {
		return nil
	}
	c := j.claim.clauses[at]
	if j.claim.holds(clause{from: j.claim.sentence(c).from, to: within.to}, turningPoints()) && !x.p.holds(x.c, turningPoints()) {
		return nil
	}
	if j.claim.negative(clause{from: max(0, within.from-3), to: min(len(j.claim.toks), within.to+3), sentence: c.sentence}) || j.conditional(c, x) || j.cited {
		return nil
	}
	return bad("the evidence denies it: "+x.text(), j.words(within)...)
}

// deniesWord looks whether the claim says a word that a short clause of the evidence denies of what was said before it: compressed but not encrypted.
func (j *judge) deniesWord(x alignment) *Judgement {
	n := slices.Index(x.p.clauses, x.c)
	if n < 1 || x.p.clauses[n-1].sentence != x.c.sentence {
		return nil
	}
	k := x.p.terms(x.c)[0]
	for i, t := range j.claim.toks {
		if t.kind == sign || t.stem != x.p.toks[k].stem || j.claim.negatedAt(i) {
			continue
		}
		c := j.claim.clauseOf(i)
		if c < 0 {
			continue
		}
		said := j.claim.sentence(j.claim.clauses[c])
		before := alignment{p: x.p, c: x.p.clauses[n-1], found: true}
		if j.back(said, before) < 0.5 || j.claim.negative(said) || j.conditional(j.claim.clauses[c], x) {
			continue
		}
		return bad("the evidence denies it: "+x.text(), t.raw)
	}
	return nil
}

// saying is the share of a clause of the evidence that the claim says, and where.
func (j *judge) saying(x alignment) (share float64, within clause) {
	var best []int
	n := 0.0
	for k := x.c.from; k < x.c.to; k++ {
		if t := x.p.toks[k]; !x.p.content(k) && (t.quantity < 0 || x.p.nums[t.quantity].at != k) || negators()[t.low] {
			continue
		}
		n++
		for i := range j.claim.toks {
			if (j.claim.content(i) || j.claim.toks[i].quantity >= 0) && j.alike(i, x.p, k) {
				best = append(best, i)
				break
			}
		}
	}
	if len(best) < 2 {
		return 0, clause{}
	}
	within = clause{from: slices.Min(best), to: slices.Max(best) + 1}
	within.sentence = j.claim.sentenceAt(within.from)
	if float64(len(best)) < dense*float64(j.claim.contentsOf(within)) {
		return 0, clause{}
	}
	return float64(len(best)) / n, within
}

const dense = 0.4

// deniedHere looks whether a clause of the claim denies what a clause of the evidence says.
func (j *judge) deniedHere(x alignment) *Judgement {
	for _, c := range j.claim.clauses {
		if !j.claim.denied(c) || j.claim.contentsOf(c) < 2 {
			continue
		}
		share := j.overlap(c, x.p, x.c)
		none := j.claim.holds(clause{from: c.from, to: min(c.from+3, c.to)}, set("none neither"))
		if share < 0.75 || !none && j.back(j.claim.sentence(c), x) < 0.66 || j.said(c, true, share) || j.answered(x) {
			continue
		}
		if x.p.negative(x.c) || !j.claim.holds(c, plainNegators()) && !j.claim.holds(c, set("without")) || j.cited || j.conditional(c, x) || !j.sameNames(c, x) {
			continue
		}
		return bad("the evidence does not deny it: "+x.text(), j.words(c)...)
	}
	return nil
}

// said reports whether a clause of the evidence that is denied like the claim's, or not denied like it, has as much of it.
func (j *judge) said(c clause, denied bool, share float64) bool {
	for _, e := range j.evidence {
		for _, x := range e.clauses {
			if e.denied(x) == denied && j.overlap(c, e, x) >= share {
				return true
			}
		}
	}
	return false
}

// answered reports whether another clause of the claim is denied as a clause of the evidence is, or not denied as it is.
func (j *judge) answered(a alignment) bool {
	denied := a.p.denied(a.c)
	return slices.ContainsFunc(j.claim.clauses, func(c clause) bool {
		return j.claim.denied(c) == denied && j.claim.contentsOf(c) > 1 && j.overlap(c, a.p, a.c) >= 0.5
	})
}

// sameNames reports whether the numbers and names of a clause are in a clause of the evidence.
func (j *judge) sameNames(c clause, a alignment) bool {
	for i := c.from; i < c.to; i++ {
		if t := j.claim.toks[i]; t.kind != name && t.quantity < 0 {
			continue
		}
		found := false
		for k := a.c.from; k < a.c.to && !found; k++ {
			found = j.alike(i, a.p, k)
		}
		if !found {
			return false
		}
	}
	return true
}

// hasNames reports whether the claim has the numbers and names of a clause of the evidence.
func (j *judge) hasNames(x alignment) bool {
	for k := x.c.from; k < x.c.to; k++ {
		t := x.p.toks[k]
		if (t.kind == name || t.quantity >= 0 && !x.p.nums[t.quantity].weak) && !slices.ContainsFunc(j.claim.toks, func(y token) bool {
			return y.quantity >= 0 && t.quantity >= 0 && same(j.claim.nums[y.quantity], x.p.nums[t.quantity]) || y.quantity < 0 && t.quantity < 0 && y.kind != sign && lex().like(y, t)
		}) {
			return false
		}
	}
	return true
}

// conditional reports whether one of two clauses depends on a condition or a time that the other does not have, which may turn it.
func (j *judge) conditional(c clause, a alignment) bool {
	if c.head != "" && c.head == a.c.head {
		return false
	}
	if conditions()[c.head] || conditions()[first(j.claim, c)] || c.head == "before" || c.head == "after" || first(j.claim, c) == "before" || first(j.claim, c) == "after" {
		return true
	}
	return slices.ContainsFunc(a.p.clauses, func(x clause) bool {
		return x.sentence == a.c.sentence && (x.head == "until" || x.head == "unless" || x.head == "if")
	})
}

var turningPoints = lazy("before until unless if")

// sentence is the whole sentence of a clause.
func (p *passage) sentence(c clause) clause {
	for _, x := range p.clauses {
		if x.sentence == c.sentence {
			c.from, c.to = min(c.from, x.from), max(c.to, x.to)
		}
	}
	return c
}

// negative reports whether a part of a text has a word that may deny.
func (p *passage) negative(c clause) bool {
	for i := c.from; i < c.to; i++ {
		t := p.toks[i]
		if negators()[t.low] && !p.bounds(i, c.to) || denying()[t.low] || strings.HasSuffix(t.low, "n't") || leaning()[t.low] || len(t.low) > 5 && (strings.HasPrefix(t.low, "un") || strings.HasPrefix(t.low, "non") || strings.HasSuffix(t.low, "less")) {
			return true
		}
	}
	return false
}

var leaning = lazy("limited keeps keep kept instead except alone few little only rather bad barred apart freely outstanding waiting reject rejects refuse refuse failed fail fails failing ended ends end far different otherwise against banned ban withdrawn removed missing absent loses lost ruled shortage save")

// opposite looks for a word whose opposite the evidence has in its place.
func (j *judge) opposite() (doubt *Judgement) {
	for _, c := range j.claim.clauses {
		for i := c.from; i < c.to; i++ {
			t := j.claim.toks[i]
			if t.kind == sign || t.quantity >= 0 || len(t.low) < 3 || j.claim.besideNumber(i) {
				continue
			}
			own, other := 0, 0
			at := spot{}
			for _, e := range j.evidence {
				for k, x := range e.toks {
					if x.kind == sign || x.quantity >= 0 || e.besideNumber(k) {
						continue
					}
					switch {
					case lex().against(t, x) && t.stem != x.stem:
						if n := j.around(c, i, e, k); n > other && j.claim.negatedAt(i) == e.negatedAt(k) {
							other, at = n, spot{e, k}
						}
					case t.stem == x.stem || lex().like(t, x) && (e.content(k) || comparing()[x.low]):
						own = max(own, j.around(c, i, e, k))
					}
				}
			}
			if other < 2 || own >= other {
				continue
			}
			reason := fmt.Sprintf("%q: the evidence says %q: %s", t.raw, at.p.toks[at.k].raw, at.p.around(at.k))
			if other >= 3 && own <= other-2 && !j.cited {
				return bad(reason, t.raw)
			}
			if doubt == nil {
				doubt = open(reason, t.raw)
			}
		}
	}
	return doubt
}

// A spot is a token of the evidence.
type spot struct {
	p *passage
	k int
}

// slot is how many tokens around a word tell its place.
const slot = 5

// around counts the words, names and numbers that stand around a token of the claim and around one of the evidence.
func (j *judge) around(c clause, i int, p *passage, k int) (n int) {
	for m := max(c.from, i-slot); m < min(c.to, i+slot+1); m++ {
		if t := j.claim.toks[m]; m == i || !j.claim.content(m) && (t.quantity < 0 || j.claim.nums[t.quantity].at != m) {
			continue
		}
		for y := max(0, k-slot); y < min(len(p.toks), k+slot+1); y++ {
			if y != k && p.sentenceAt(y) == p.sentenceAt(k) && j.alike(m, p, y) && !lex().against(j.claim.toks[m], p.toks[y]) {
				n++
				break
			}
		}
	}
	return n
}

// around is the text around a token.
func (p *passage) around(k int) string {
	return strings.TrimSpace(p.text[p.toks[max(0, k-slot)].start:p.toks[min(len(p.toks)-1, k+slot)].end])
}

// negatedAt reports whether a plain negator stands just before a token.
func (p *passage) negatedAt(i int) bool {
	for k := max(0, i-4); k < i; k++ {
		if low := p.toks[k].low; plainNegators()[low] || strings.HasSuffix(low, "n't") || low == "without" {
			return true
		}
	}
	return false
}

// denied reports whether a clause is denied, an odd number of times.
func (p *passage) denied(c clause) bool {
	n := 0
	for i := c.from; i < c.to; i++ {
		t := p.toks[i]
		if negators()[t.low] || strings.HasSuffix(t.low, "n't") || t.low == "yet" && i+1 < c.to && p.toks[i+1].low == "to" {
			if p.bounds(i, c.to) || t.low == "nor" && n > 0 || t.low == "none" && i-c.from > 3 || i == c.to-1 && p.holds(c, set("than")) {
				continue
			}
			n++
		} else if denying()[t.low] || strings.HasPrefix(t.low, "le") && i+1 < c.to && p.toks[i+1].low == "out" { // left out
			n++
		}
	}
	return n%2 == 1
}

var denying = lazy("forbidden prohibited exempt hardly rarely seldom unchanged avoid avoids avoided stops stopped refused rejected miss misses barely scarcely prevented prevents unlimited ruled omit omits exempted free leave leaves")

// bounds reports whether a negator belongs to a bound, as in "not be longer than" and "does not exceed", or denies nothing, as in "not only".
func (p *passage) bounds(i, to int) bool {
	if low := p.toks[i].low; low == "nobody" || low == "none" || low == "nothing" || low == "neither" {
		return false
	}
	for k := i + 1; k < min(to, i+9); k++ {
		if strings.HasPrefix(p.toks[k].low, "exceed") {
			return true
		}
	}
	for k := i + 1; k < min(to, i+7); k++ {
		low := p.toks[k].low
		switch {
		case k == i+1 && (low == "only" || bounding()[low] && p.toks[i].low == "no" && k+1 < len(p.toks) && p.toks[k+1].low == "than"):
			return true
		case bounding()[low] && k+1 < len(p.toks) && (p.toks[k+1].low == "than" || p.toks[k+1].quantity >= 0):
			return true
		case p.toks[k].kind == sign:
			return false
		}
	}
	return false
}

var bounding = lazy("more less fewer later earlier longer shorter higher lower larger smaller greater above below over under beyond")

var comparing = lazy("more less fewer greater larger smaller higher lower longer shorter faster slower better worse earlier later stronger weaker cheaper older younger most least best worst highest lowest largest smallest")
