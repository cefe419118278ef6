package entail

import (
	"fmt"
	"slices"
	"strings"
)

// quantifiers compares all, some and only.
func (j *judge) quantifiers() (doubt *Judgement) {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found {
			continue
		}
		whole := a.sentenceOf()
		uni, part := a.p.holds(a.c, anyOf()), a.p.holds(a.c, partials()) || a.p.share(a.c) || a.p.holds(a.c, onlies())
		if !uni && !part && !slices.ContainsFunc(a.p.toks[a.c.from:a.c.to], func(t token) bool { return t.quantity >= 0 && a.p.nums[t.quantity].base == "" }) {
			uni, part = a.p.holds(whole.c, anyOf()), a.p.holds(whole.c, partials())
		}
		only := a.p.holds(whole.c, onlies())
		for i := c.from; i < c.to; i++ {
			t := j.claim.toks[i]
			next := token{}
			if i+1 < c.to {
				next = j.claim.toks[i+1]
			}
			denied := i > c.from && negators()[j.claim.toks[i-1].low]
			switch {
			case t.low == "exactly" || onlies()[t.low] && t.low != "except" && t.low != "unless":
				if !only && !denied && a.share >= 0.6 && !(next.kind == number && j.hasNumber(j.claim.nums[next.quantity])) && doubt == nil {
					doubt = open(fmt.Sprintf("%q is not in the evidence", t.raw), t.raw)
				}
			case (t.low == "most" || t.low == "majority") && next.low == "of":
				if f := a.p.fractions(a.c); len(f) > 0 && slices.Max(f) <= 0.5 && j.exact(c, a) >= 0.5 {
					return bad(fmt.Sprintf("%q: the evidence says it of a smaller part: %s", t.raw, whole.text()), t.raw)
				}
			case (several()[t.low] && next.quantity < 0 || t.low == "one" && next.low == "of") && !denied:
				switch {
				case t.low != "several" && t.low != "many" && a.p.holds(whole.c, every()) && uni && !part && j.exact(c, whole) >= 0.5:
					return bad(fmt.Sprintf("%q: the evidence says it of all", t.raw), t.raw)
				case a.p.holds(a.c, set("only sole single")) && !j.has(onlies()) && j.exact(c, whole) >= 0.5:
					return bad(fmt.Sprintf("%q: the evidence says it only of one", t.raw), t.raw)
				}
			case every()[t.low] || t.low == "any" && !(i > c.from && (j.claim.toks[i-1].low == "of" || j.claim.toks[i-1].low == "than")) && !j.claim.denied(c) && !j.claim.holds(c, conditions()) && next.low != "other" || t.low == "always" || t.low == "throughout" || t.low == "completely" || t.low == "fully":
				if denied || i > 0 && (j.claim.toks[i-1].low == "at" || j.claim.toks[i-1].low == "in" || j.claim.toks[i-1].low == "nearly" || j.claim.toks[i-1].low == "almost") && t.low == "all" && next.low != "of" && next.low != "the" && (next.kind == sign || next.low == "") {
					continue
				}
				excepted := a.p.holds(whole.c, set("except apart excluding unless subset")) && !j.has(set("except apart excluding unless other save")) && !j.claim.butName(c)
				switch {
				case (part && !uni || excepted) && t.low != "each" && !j.cited && j.exact(c, whole) >= 0.65:
					return bad(fmt.Sprintf("%q: the evidence says it of a part: %s", t.raw, whole.text()), t.raw)
				case !uni && t.low != "each" && !j.cited && j.exact(c, whole) >= sureAll:
					return bad(fmt.Sprintf("%q is not in the evidence", t.raw), t.raw)
				case (!uni || excepted) && t.low != "each" && doubt == nil:
					doubt = open(fmt.Sprintf("%q is not in the evidence", t.raw), t.raw)
				}
			}
		}
	}
	return doubt
}

const sureAll = 0.7

var (
	every   = lazy("all every each both whole entire entirely everyone everything everywhere whatever whichever")
	anyOf   = lazy("all every each both whole entire entirely everyone everything everywhere whatever whichever any no none never per always throughout")
	onlies  = lazy("only solely exclusively just alone sole except unless")
	several = lazy("some several many various subset")
)

// fractions are those of a part of a text.
func (p *passage) fractions(c clause) (out []float64) {
	for _, q := range p.nums {
		if q.at >= c.from && q.at < c.to && q.base == "ratio" {
			out = append(out, q.value)
		}
	}
	return out
}

// butName reports whether a clause excepts something by name: all but Tunnel Mouth.
func (p *passage) butName(c clause) bool {
	for i := c.from; i+1 < len(p.toks) && i <= c.to; i++ {
		if p.toks[i].low == "but" && p.toks[i+1].kind == name {
			return true
		}
	}
	return false
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
	if j.quoted {
		return nil
	}
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found || a.share < 0.5 || timing()[c.head] {
			continue
		}
		whole := a.sentenceOf()
		said := j.claim.sentence(c)
		plan, far := a.p.intends(a.c), a.p.intends(whole.c)
		if !far || j.claim.holds(said, may()) || j.claim.holds(said, plans()) || j.claim.intends(said) {
			continue
		}
		reason := "the evidence says that it is planned: " + whole.text()
		if plan && j.exact(c, a) >= 0.5 && (j.claim.happened(c) || j.back(c, a) >= 0.5 && !a.p.will(a.c)) || j.exact(c, whole) >= 0.75 && j.claim.happened(c) {
			return bad(reason, j.words(c)...)
		}
		if plan {
			doubt = open(reason, j.words(c)...)
		}
	}
	return doubt
}

var timing = lazy("until when if while since once")

// intends reports whether a clause tells of a plan.
func (p *passage) intends(c clause) bool {
	for i := c.from; i < c.to; i++ {
		low := p.toks[i].low
		switch {
		case plans()[low] && i > c.from && (negators()[p.toks[i-1].low] || low == "proposed" && beings()[p.toks[i-1].low] || articles()[p.toks[i-1].low] && strings.HasSuffix(low, "ed")): // the expected flow
		case plans()[low]:
			return true
		case (beings()[low] || low == "means" || low == "wants" || low == "going" || low == "yet" || low == "still") && i+1 < c.to && p.toks[i+1].low == "to":
			return true
		}
	}
	return false
}

var articles = lazy("the a an of any its their our with more than")

// will reports whether nothing but "will" makes a clause a plan, which may be a rule as well.
func (p *passage) will(c clause) bool {
	return !slices.ContainsFunc(p.toks[c.from:c.to], func(t token) bool { return t.low != "will" && plans()[t.low] })
}

// happened reports whether a clause tells of what is done.
func (p *passage) happened(c clause) bool {
	for i := c.from; i < c.to; i++ {
		if low := p.toks[i].low; low == "was" || low == "were" || low == "has" || low == "have" || low == "now" || low == "since" || len(low) > 4 && strings.HasSuffix(low, "ed") && (i == 0 || p.toks[i-1].low != "be") {
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
				if bounding()[a.p.toks[k].low] {
					break
				}
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
		whole := a.p.sentence(a.c)
		for _, x := range a.p.clauses {
			if x.sentence != a.c.sentence || x == a.c || j.quoted || x.head == "while" || !conditions()[x.head] && !conditions()[first(a.p, x)] && !(first(a.p, x) == "should" && x.from == whole.from) && first(a.p, x) != "without" {
				continue
			}
			n, have, lost, kept := 0, 0, false, false
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
				if q := a.p.toks[k].quantity; q >= 0 && !a.p.nums[q].weak { // its number
					has := slices.ContainsFunc(j.claim.nums, func(y quantity) bool { return same(y, a.p.nums[q]) })
					lost, kept = lost || !has, kept || has
				}
			}
			if n > 0 && (have*2 < n && !kept || lost) {
				text := strings.TrimSpace(a.p.text[a.p.toks[x.from].start:a.p.toks[x.to-1].end])
				head := first(a.p, x)
				strong := head == "only" || head == "unless" || head == "provided" || head == "except" || x.from > 0 && a.p.toks[x.from-1].low == "only"
				if !strong && j.has(supposing()) {
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
