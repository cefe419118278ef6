package entail

import (
	"fmt"
	"slices"
	"strings"
)

// quantifiers compares all with some.
func (j *judge) quantifiers() (doubt *Judgement) {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found {
			continue
		}
		whole := a.sentenceOf()
		uni, part := a.p.holds(a.c, universals()), a.p.holds(a.c, partials()) || a.p.share(a.c)
		if !uni && !part {
			uni, part = a.p.holds(whole.c, universals()), a.p.holds(whole.c, partials())
		}
		only := a.p.holds(whole.c, set("only exactly solely exclusively just alone unless except"))
		for i := c.from; i < c.to; i++ {
			t := j.claim.toks[i]
			switch {
			case t.low == "exactly" || t.low == "only" || t.low == "solely" || t.low == "exclusively":
				if !only && a.share >= 0.6 && !(i+1 < c.to && j.claim.toks[i+1].quantity >= 0 && j.hasNumber(j.claim.nums[j.claim.toks[i+1].quantity])) && doubt == nil {
					doubt = open(fmt.Sprintf("%q is not in the evidence", t.raw), t.raw)
				}
			case t.low == "some" && !(i+1 < c.to && j.claim.toks[i+1].quantity >= 0) || t.low == "subset" || t.low == "one" && i+1 < c.to && j.claim.toks[i+1].low == "of" && !j.has(set("only")):
				if uni && !part && j.exact(c, whole) >= 0.5 {
					return bad(fmt.Sprintf("%q: the evidence says it of all", t.raw), t.raw)
				}
			case universals()[t.low] && !negators()[t.low] && t.low != "both":
				excepted := a.p.holds(whole.c, set("except apart excluding unless subset")) && !j.has(set("except apart excluding unless other but"))
				switch {
				case (part && !uni || excepted) && j.exact(c, whole) >= 0.75:
					return bad(fmt.Sprintf("%q: the evidence says it of a part: %s", t.raw, whole.text()), t.raw)
				case (!uni || excepted) && doubt == nil:
					doubt = open(fmt.Sprintf("%q is not in the evidence", t.raw), t.raw)
				}
			}
		}
	}
	return doubt
}

// share reports whether a clause tells of some of a number, as in "three of the five".
func (p *passage) share(c clause) bool {
	for i := c.from; i+3 < c.to; i++ {
		if p.toks[i].quantity >= 0 && p.toks[i+1].low == "of" && p.toks[i+2].low == "the" && p.toks[i+3].quantity >= 0 {
			return true
		}
	}
	return false
}

// holds reports whether a clause has one of some words.
func (p *passage) holds(c clause, words map[string]bool) bool {
	return slices.ContainsFunc(p.toks[c.from:c.to], func(t token) bool { return words[t.low] })
}

// tense compares plans with results.
func (j *judge) tense() (doubt *Judgement) {
	if j.quoted || j.has(plans()) || j.has(may()) || j.claim.intends(clause{from: 0, to: len(j.claim.toks)}) {
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
		if plans()[low] && !(i > c.from && negators()[p.toks[i-1].low]) || (low == "is" || low == "are" || low == "means" || low == "wants" || low == "going") && i+1 < c.to && p.toks[i+1].low == "to" {
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
		if only := a.p.only(a.c); only >= 0 && !j.quoted && !j.has(set("only except unless alone just solely choice")) {
			for k := only + 1; k < min(only+5, a.c.to); k++ {
				if !a.p.content(k) {
					continue
				}
				if !slices.ContainsFunc(j.claim.toks, func(t token) bool { return lex().like(t, a.p.toks[k]) }) {
					if reason := "the evidence says so only of a part: " + a.text(); j.exact(c, a) >= 0.75 {
						return bad(reason, j.words(c)...)
					} else {
						return open(reason, j.words(c)...)
					}
				}
				break
			}
		}
		for _, x := range a.p.clauses {
			if x.sentence != a.c.sentence || x == a.c || j.quoted || x.head == "while" || !conditions()[x.head] && !conditions()[first(a.p, x)] {
				continue
			}
			n, have, lost := 0, 0, false
			for k := x.from; k < x.to; k++ {
				if !a.p.content(k) && a.p.toks[k].quantity < 0 || conditions()[a.p.toks[k].low] {
					continue
				}
				n++
				for i, t := range j.claim.toks {
					if j.claim.content(i) && lex().like(t, a.p.toks[k]) || t.quantity >= 0 && a.p.toks[k].quantity >= 0 && same(j.claim.nums[t.quantity], a.p.nums[a.p.toks[k].quantity]) {
						have++
						break
					}
				}
			}
			for k := x.from; k < x.to; k++ {
				if q := a.p.toks[k].quantity; q >= 0 && !a.p.nums[q].weak && !slices.ContainsFunc(j.claim.nums, func(y quantity) bool { return same(y, a.p.nums[q]) }) {
					lost = true // its number
				}
			}
			if n > 0 && (have*2 < n || lost) {
				text := strings.TrimSpace(a.p.text[a.p.toks[x.from].start:a.p.toks[x.to-1].end])
				head := first(a.p, x)
				strong := head == "only" || head == "unless" || head == "provided" || head == "except" || x.from > 0 && a.p.toks[x.from-1].low == "only"
				if !strong && j.has(conditions()) {
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

// only is where a clause says "only", -1 for nowhere.
func (p *passage) only(c clause) int {
	for i := c.from; i < c.to; i++ {
		if p.toks[i].low == "only" {
			return i
		}
	}
	return -1
}

func first(p *passage, c clause) string { return p.toks[c.from].low }
