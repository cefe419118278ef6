package entail

import (
	"fmt"
	"strings"
)

// opposite looks for a word whose opposite the evidence's sentence has in its place.
func (j *judge) opposite() (doubt *Judgement) {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found {
			continue
		}
		if j.exact(c, a) < 0.8 || j.claim.denied(c) || a.p.denied(a.c) {
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
		if n, words := j.turned(c, a); n == 1 && len(words[0]) > 3 && !j.cited {
			return bad(fmt.Sprintf("%q is the opposite of what the evidence says: %s", words[0], a.text()), words...)
		}
	}
	return doubt
}

// polarity compares whether the clauses are denied, words and their opposites included.
func (j *judge) polarity() (doubt *Judgement) {
	for _, c := range j.claim.clauses {
		for _, e := range j.evidence { // what another clause denies of what is claimed here
			for _, x := range e.clauses {
				b := alignment{p: e, c: x, found: true}
				n := e.contentsOf(x)
				if doubt == nil && n > 0 && (n > 1 || x.head == "not") && j.back(c, b) >= 0.66 && e.denied(x) && !j.claim.denied(c) && !hedged(j.claim, c) {
					doubt = open("the evidence denies it: "+b.text(), j.words(c)...)
				}
			}
		}
		a := j.align(c)
		if !a.found || a.share < 0.5 {
			continue
		}
		opp, words := j.turned(c, a)
		odd := opp%2 == 1
		if j.claim.denied(c) != a.p.denied(a.c) {
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
		limited := n < 3 && j.back(c, a) < 0.9 || conditions()[c.head] || conditions()[first(j.claim, c)]
		for _, x := range a.p.clauses {
			limited = limited || x.sentence == a.c.sentence && (x.head == "until" || x.head == "unless" || x.head == "if")
		}
		if j.exact(c, a) >= 0.75 && j.back(c, a) >= 0.5 && !j.cited && !limited && !hedged(j.claim, c) && !hedged(a.p, a.c) {
			return bad(reason, about...)
		}
		if doubt == nil && j.exact(c, a) >= 0.6 {
			doubt = open(reason, about...)
		}
	}
	return doubt
}

// denied reports whether a clause is denied, an odd number of times.
func (p *passage) denied(c clause) bool {
	n := 0
	for i := c.from; i < c.to; i++ {
		t := p.toks[i]
		if negators()[t.low] || strings.HasSuffix(t.low, "n't") {
			if p.bounds(i, c.to) || t.low == "nor" && n > 0 {
				continue
			}
			n++
		} else if denying()[t.low] {
			n++
		}
	}
	return n%2 == 1
}

// hedged reports whether a clause has a word that denies without a negator.
func hedged(p *passage, c clause) bool {
	for i := c.from; i < c.to; i++ {
		if denying()[p.toks[i].low] {
			return true
		}
	}
	return false
}

var denying = lazy("forbidden prohibited exempt hardly rarely seldom instead unchanged avoid avoids avoided stops stopped refused rejected miss misses alone except barely scarcely prevented prevents unlimited ruled omit omits exempted free leave leaves")

// bounds reports whether a negator belongs to a bound, as in "not be longer than" and "does not exceed", or denies nothing, as in "not only".
func (p *passage) bounds(i, to int) bool {
	for k := i + 1; k < min(to, i+9); k++ {
		if strings.HasPrefix(p.toks[k].low, "exceed") {
			return true
		}
	}
	for k := i + 1; k < min(to, i+7); k++ {
		low := p.toks[k].low
		switch {
		case k == i+1 && (low == "only" || bounding()[low] && low != "longer" && p.toks[i].low == "no"):
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
			same = same || t.stem == x.stem || lex().like(t, x) && !lex().against(t, x)
			against = against || lex().against(t, x)
		}
		if against && !same {
			n++
			words = append(words, t.raw)
		}
	}
	return n, words
}
