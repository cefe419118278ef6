package entail

import (
	"fmt"
	"slices"
	"strings"
)

// roles looks whether what the claim says of its subject the evidence says of another thing.
func (j *judge) roles() *Judgement {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found || j.claim.contentsOf(c) < 3 {
			continue
		}
		s := j.claim.subject(c)
		t := a.p.subject(a.c)
		if first := a.p.sentence(a.c); t.to == t.from && (a.c.head == "but" || a.c.head == "and" || a.c.head == ",") && auxiliaries()[a.p.toks[min(a.c.from+1, a.c.to-1)].low] { // and must be kept
			t = a.p.subject(first)
		}
		if s.to == s.from || t.to == t.from || j.claim.passive(c) != a.p.passive(a.c) {
			continue
		}
		if m, ok := j.modifier(s, a.p, t); ok && j.exact(c, a) >= surelySwapped && !a.p.holdsName(a.sentenceOf().c, strings.ToLower(m)) { // the balancing circuit for the protection circuit
			return bad(fmt.Sprintf("the evidence says this of another %s: %s", j.claim.toks[s.to-1].raw, a.text()), m)
		}
		if j.overlaps(s, a.p, t) {
			continue
		}
		whole := a.sentenceOf()
		mine, theirs := j.claim.toks[s.from], a.p.toks[t.from]
		reason := fmt.Sprintf("the evidence says this of %q: %s", theirs.raw, a.text())
		exact, at := j.exact(c, a), j.object(s, a, t)
		behind := clause{from: s.to, to: c.to}
		elsewhere := !j.overlaps(s, a.p, whole.c) && (exact >= surelyOf || j.exact(behind, a) >= surelySwapped && len(j.claim.terms(behind)) > 2) ||
			!j.overlaps(s, a.p, a.c) && exact >= surelySwapped && mine.kind == name && theirs.kind == name
		switch {
		case at > 0 && !a.p.joined(max(at-2, 0), at) && exact >= surelySwapped && j.sameAct(c, s, a, t, at): // its subject is the object there
			return bad(reason, mine.raw)
		case elsewhere && j.inEvidence(mine.low) && !a.p.pronounBefore(whole.c, t.from):
			return bad(reason, mine.raw)
		}
	}
	return nil
}

// sameAct reports whether the verb behind the subject of the claim is the one between the evidence's subject t and the token at, and not one behind that.
func (j *judge) sameAct(c, s clause, a alignment, t clause, at int) bool {
	return !j.claim.passive(c) && !j.claim.copula(c) && j.verbBetween(s.to, c.to, a.p, t.to, max(at, t.to)) && !j.verbBetween(s.to, c.to, a.p, max(at, t.to), a.c.to)
}

const (
	surelySwapped = 0.8
	surelyOf      = 0.6
)

// modifier is the word that stands before the same noun in a part of the claim and in one of the evidence, where it is another that the evidence has elsewhere.
func (j *judge) modifier(s clause, p *passage, t clause) (string, bool) {
	if s.to-s.from != 2 || t.to-t.from != 2 || !j.alike(s.to-1, p, t.to-1) || j.alike(s.from, p, t.from) || lex().against(j.claim.toks[s.from], p.toks[t.from]) {
		return "", false
	}
	return j.claim.toks[s.from].raw, j.inEvidence(j.claim.toks[s.from].low)
}

// overlaps reports whether a part of the claim has a word of a part of the evidence.
func (j *judge) overlaps(s clause, p *passage, t clause) bool {
	for i := s.from; i < s.to; i++ {
		for k := t.from; k < t.to; k++ {
			if p.toks[k].kind != sign && j.claim.content(i) && j.alike(i, p, k) {
				return true
			}
		}
	}
	return false
}

// object is where the evidence has the subject of the claim behind its own, -1 for nowhere.
func (j *judge) object(s clause, a alignment, t clause) int {
	for k := t.to; k < a.c.to; k++ {
		for i := s.from; i < s.to; i++ {
			if j.alike(i, a.p, k) {
				return k
			}
		}
	}
	return -1
}

// verbBetween reports whether what looks like the same verb stands in a part of the claim and in one of the evidence.
func (j *judge) verbBetween(from, to int, p *passage, pfrom, pto int) bool {
	for i := from; i < to; i++ {
		for k := pfrom; k < pto; k++ {
			if j.claim.verbish(i) && p.verbish(k) && j.alike(i, p, k) {
				return true
			}
		}
	}
	return false
}

var auxiliaries = lazy("may must can shall should will would could might cannot not to does do did is are was were has have had be been never then")

// verbish reports whether a word looks like a verb.
func (p *passage) verbish(i int) bool {
	t := p.toks[i]
	return t.kind == word && p.content(i) && (strings.HasSuffix(t.low, "s") || strings.HasSuffix(t.low, "ed") || i > 0 && auxiliaries()[p.toks[i-1].low] || len(lex().groups(t)) > 0)
}

var (
	pronouns     = lazy("it they this these that those he she its their his her both neither such one former latter")
	prepositions = lazy("in at with for from after before during by on under since among of to without within over above below between into through per like unlike despite besides except until against towards across")
	beings       = lazy("is are was were be been being")
)

// subject is what a clause begins with: its first words of content that stand together, behind what a comma sets off. It is empty where the clause begins with a preposition and has no comma, or with a pronoun.
func (p *passage) subject(c clause) (s clause) {
	i := c.from
	for i < c.to && (p.toks[i].kind == sign || heads()[p.toks[i].low] && !prepositions()[p.toks[i].low]) {
		i++
	}
	if i < c.to && prepositions()[p.toks[i].low] {
		for i < c.to && p.toks[i].raw != "," {
			i++
		}
		if i >= c.to-2 {
			return s
		}
	}
	for ; i < c.to; i++ {
		switch t := p.toks[i]; {
		case pronouns()[t.low] && t.quantity < 0, beings()[t.low], t.quantity >= 0 && p.nums[t.quantity].base != "":
			return s
		case p.content(i):
			s = clause{from: i, to: i + 1}
			for s.to < c.to && p.content(s.to) && !(p.verbish(s.to) && s.to+1 < c.to && !p.content(s.to+1)) && !(strings.HasSuffix(p.toks[s.to-1].low, "s") && p.toks[s.to].kind == word && len(lex().groups(p.toks[s.to])) > 0) {
				s.to++
			}
			return s
		}
	}
	return s
}

// pronounBefore reports whether a pronoun stands before a token of a clause.
func (p *passage) pronounBefore(c clause, to int) bool {
	for i := c.from; i < to; i++ {
		if pronouns()[p.toks[i].low] {
			return true
		}
	}
	return false
}

// passive reports whether something is done to the subject of a clause.
func (p *passage) passive(c clause) bool {
	for i := c.from; i < c.to; i++ {
		if p.toks[i].low == "by" {
			return true
		}
		if !beings()[p.toks[i].low] {
			continue
		}
		for k := i + 1; k < min(i+4, c.to); k++ {
			if low := p.toks[k].low; len(low) > 4 && (strings.HasSuffix(low, "ed") || strings.HasSuffix(low, "en")) || low == "kept" || low == "made" || low == "built" || low == "sent" || low == "found" || low == "held" || low == "put" || low == "set" {
				return true
			}
		}
	}
	return false
}

// copula reports whether a clause says that one thing is another, which can be turned round.
func (p *passage) copula(c clause) bool {
	return p.holds(c, beings()) && !p.passive(c)
}

// crossed looks for two things that the claim joins by "than", or by "from" and "to", the other way round.
func (j *judge) crossed() *Judgement {
	for i, t := range j.claim.toks {
		switch t.low {
		case "than":
			l, r := j.claim.sides(i)
			for _, e := range j.evidence {
				for k, x := range e.toks {
					if x.low != "than" {
						continue
					}
					el, er := e.sides(k)
					straight := j.likeness(l, e, el) + j.likeness(r, e, er)
					cross := j.likeness(r, e, el) + j.likeness(l, e, er)
					if n := j.claim.terms(r); len(n) == 0 || j.claim.toks[n[0]].quantity >= 0 {
						continue
					}
					if m, o := j.claim.comparative(i), e.comparative(k); cross > straight+0.4 && j.likeness(r, e, el) >= 0.9 && m >= 0 && o >= 0 && (j.claim.toks[m].stem == e.toks[o].stem || j.alike(m, e, o) && !lex().against(j.claim.toks[m], e.toks[o])) {
						return bad("the evidence compares them the other way round: "+e.around(k), t.raw)
					}
				}
			}
		case "from":
			a, b := j.claim.span(i)
			for _, e := range j.evidence {
				for k, x := range e.toks {
					if ea, eb := e.span(k); x.low == "from" && a >= 0 && ea >= 0 && b >= 0 && eb >= 0 && j.alike(a, e, eb) && j.alike(b, e, ea) && !j.alike(a, e, ea) {
						return bad("the evidence has it the other way round: "+e.around(k), j.claim.toks[a].raw, j.claim.toks[b].raw)
					}
				}
			}
		}
	}
	return nil
}

// sides are the parts of a sentence before and behind a token.
func (p *passage) sides(i int) (l, r clause) {
	c := p.clauseOf(i)
	if c < 0 {
		return l, r
	}
	return clause{from: p.clauses[c].from, to: i}, clause{from: i + 1, to: p.clauses[c].to}
}

// likeness is the share of the terms of a part of the claim that a part of the evidence has.
func (j *judge) likeness(c clause, p *passage, in clause) float64 {
	mine, theirs := j.claim.terms(c), p.terms(in)
	n := 0.0
	for _, i := range mine {
		if slices.ContainsFunc(theirs, func(k int) bool { return j.alike(i, p, k) }) {
			n++
		}
	}
	return n / max(1, float64(len(mine)))
}

// comparative is the word before "than" that compares, -1 for none.
func (p *passage) comparative(than int) int {
	for i := than - 1; i >= max(0, than-8); i-- {
		if comparing()[p.toks[i].low] {
			return i
		}
	}
	return -1
}

// span is what "from" and "to" join: the first term behind each, -1 for none.
func (p *passage) span(from int) (a, b int) {
	a, b = -1, -1
	term := func(i int) int {
		for k := i; k < min(i+4, len(p.toks)); k++ {
			if p.content(k) || p.toks[k].quantity >= 0 {
				return k
			}
		}
		return -1
	}
	a = term(from + 1)
	for i := from + 2; i < min(from+9, len(p.toks)) && a >= 0; i++ {
		if p.toks[i].low == "to" && i > a {
			return a, term(i + 1)
		}
	}
	return -1, -1
}

// An act is what a verb tells: who does it, and to whom.
type act struct{ agent, patient clause }

// actOf reads the act of a verb: what stands before and behind it, or behind "by" where it is passive.
func (p *passage) actOf(v int) (a act) {
	c := p.clauses[p.clauseOf(v)]
	before, after := clause{from: max(c.from, v-6), to: v}, clause{from: v + 1, to: min(c.to, v+7)}
	for i := before.to - 1; i >= before.from; i-- { // what a comma or another verb sets off
		if p.toks[i].kind == sign || p.toks[i].low == "and" {
			before.from = i + 1
			break
		}
	}
	for i := after.from; i < after.to; i++ {
		if low := p.toks[i].low; p.toks[i].kind == sign || low == "and" || low == "by" || low == "but" {
			after.to = i
			break
		}
	}
	if !p.holds(clause{from: max(c.from, v-3), to: v}, beings()) {
		return act{before, after}
	}
	a.patient = before
	for i := v + 1; i < min(c.to, v+8); i++ {
		if p.toks[i].low == "by" {
			a.agent = clause{from: i + 1, to: min(c.to, i+5)}
			break
		}
	}
	return a
}

// agents looks whether what the claim says that one does another does in the evidence.
func (j *judge) agents() *Judgement {
	for v := range j.claim.toks {
		if !j.claim.acts(v) || j.claim.clauseOf(v) < 0 {
			continue
		}
		mine := j.claim.actOf(v)
		if !j.claim.says(mine.agent) || !j.claim.says(mine.patient) {
			continue
		}
		agree, reason := false, ""
		for _, e := range j.evidence {
			for k := range e.toks {
				if e.clauseOf(k) < 0 || j.claim.toks[v].stem != e.toks[k].stem {
					continue
				}
				theirs := e.actOf(k)
				if !e.says(theirs.agent) || !e.says(theirs.patient) || e.holds(theirs.agent, pronouns()) {
					agree = true // it does not say who
					continue
				}
				switch {
				case j.overlaps(mine.agent, e, theirs.agent):
					agree = true
				case !e.acts(k):
				case j.overlaps(mine.agent, e, theirs.patient) && j.overlaps(mine.patient, e, theirs.agent) && !j.overlaps(mine.patient, e, theirs.patient):
					reason = "it is the other way round in the evidence: " + e.around(k)
				case j.overlaps(mine.patient, e, theirs.patient) && j.known(mine.agent):
					reason = "the evidence says that another does it: " + e.around(k)
				}
			}
		}
		if reason != "" && !agree {
			return bad(reason, j.claim.toks[v].raw)
		}
	}
	return nil
}

// acts reports whether a word is a verb of a sentence: behind an auxiliary, or with the ending of one and before an article, a number or a name.
func (p *passage) acts(i int) bool {
	t := p.toks[i]
	if t.kind != word || !p.content(i) || i+1 >= len(p.toks) || i == 0 {
		return false
	}
	next, last := p.toks[i+1], p.toks[i-1]
	if auxiliaries()[last.low] && last.low != "to" {
		return true
	}
	return (strings.HasSuffix(t.low, "s") || strings.HasSuffix(t.low, "ed") || len(lex().groups(t)) > 0) && (articles()[next.low] && next.low != "of" && next.low != "with" && next.low != "than" || next.low == "the" || next.low == "it" || next.kind == name) && !articles()[last.low]
}

// says reports whether a part has a word of content.
func (p *passage) says(c clause) bool {
	return slices.ContainsFunc(p.terms(c), func(i int) bool { return p.content(i) })
}

// known reports whether the evidence has all words of a part of the claim.
func (j *judge) known(c clause) bool {
	return !slices.ContainsFunc(j.claim.terms(c), func(i int) bool { return !j.anywhere(i) })
}
