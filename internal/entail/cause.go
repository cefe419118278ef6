package entail

import (
	"slices"
	"strings"
)

// forward are markers that stand behind the cause, backward those that stand before it.
var (
	forward  = []string{"therefore", "thus", "hence", "so that", "so", "is why", "which causes", "leads to", "led to", "results in", "resulted in", "causes", "caused", "makes", "made", "prevents", "triggers", "consequently", "disables", "reason for", "reason why", "as a result"}
	backward = []string{"because of", "because", "due to", "owing to", "caused by", "thanks to", "since", "as a result of", "results from", "resulted from", "stems from", "by reason of", "ascribed to", "attributed to", "explained by", "follows from", "on account of"}
)

// A cause is what a sentence says makes what.
type cause struct{ cause, effect []token }

// causeOf reads a sentence that says so.
func (p *passage) causeOf(c clause) (cause, bool) {
	c = p.sentence(c)
	toks := p.toks[c.from:c.to]
	low := lows(toks)
	for side, list := range [][]string{backward, forward} {
		for _, marker := range list {
			words := strings.Fields(marker)
			for i := 0; i+len(words) <= len(low); i++ {
				if strings.Join(low[i:i+len(words)], " ") != marker {
					continue
				}
				before, after := toks[:i], toks[i+len(words):]
				if marker == "since" && len(after) > 0 && (after[0].quantity >= 0 || after[0].kind == name || months()[after[0].low] || slices.ContainsFunc(after[:min(3, len(after))], func(t token) bool { return t.quantity >= 0 })) { // since 2024
					continue
				}
				if i == 0 && side == 0 { // Because of this, that.
					for k, t := range after {
						if t.raw == "," {
							return cause{after[:k], after[k:]}, true
						}
					}
					continue
				}
				if side == 0 {
					return cause{after, before}, true
				}
				return cause{before, after}, true
			}
		}
	}
	return cause{}, false
}

// direction compares what is the cause of what.
func (j *judge) direction() *Judgement {
	seen := map[int]bool{}
	for _, c := range j.claim.clauses {
		if seen[c.sentence] {
			continue
		}
		seen[c.sentence] = true
		mine, ok := j.claim.causeOf(c)
		if !ok || !contents(mine.cause) || !contents(mine.effect) {
			continue
		}
		said, other := !j.strong(), false
		for _, theirs := range j.causes() {
			straight := (shared(mine.cause, theirs.cause) + shared(mine.effect, theirs.effect)) / 2
			crossed := (shared(mine.cause, theirs.effect) + shared(mine.effect, theirs.cause)) / 2
			if crossed > straight+0.2 && crossed >= 0.4 {
				return bad("cause and effect are the other way round in the evidence")
			}
			said = said || min(shared(mine.cause, theirs.cause), shared(mine.effect, theirs.effect)) >= sameCause || straight >= 0.5 && shared(mine.cause, theirs.cause) >= 0.2
			other = other || shared(mine.effect, theirs.effect) >= 0.7 && shared(mine.cause, theirs.cause) < 0.2
		}
		if said {
			continue
		}
		if other {
			return bad("the evidence has another cause for it")
		}
		return open("that one is the cause of the other is not in the evidence")
	}
	return nil
}

const sameCause = 0.25

// contents reports whether some tokens say anything.
func contents(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool { return t.kind != sign && !lex().stop[t.low] })
}

// causes are those of the whole evidence.
func (j *judge) causes() (out []cause) {
	for _, e := range j.evidence {
		last := -1
		for _, x := range e.clauses {
			if x.sentence == last {
				continue
			}
			last = x.sentence
			if c, ok := e.causeOf(x); ok {
				out = append(out, c)
			}
		}
	}
	return out
}

// strong reports whether the claim says plainly that one thing is the cause of another.
func (j *judge) strong() bool {
	return j.has(causing())
}

// shared is the share of the content of a that b has.
func shared(a, b []token) float64 {
	n, have := 0.0, 0.0
	for _, t := range a {
		if t.kind == sign || lex().stop[t.low] || t.quantity >= 0 {
			continue
		}
		n++
		for _, x := range b {
			if x.kind != sign && lex().like(t, x) {
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

var causing = lazy("because due owing caused causes led leads results resulted result triggers triggered therefore why reason thanks thus hence consequently ascribed attributed")

// turnedRound looks for a condition, or a time, that the evidence has as what follows from it: "the belt stops when the guard opens".
func (j *judge) turnedRound() *Judgement {
	for _, c := range j.claim.clauses {
		if !turning()[c.head] && !turning()[first(j.claim, c)] || j.claim.contentsOf(c) < 2 {
			continue
		}
		main, ok := j.claim.other(c)
		if !ok {
			continue
		}
		for _, e := range j.evidence {
			for _, x := range e.clauses {
				if !turning()[x.head] && !turning()[first(e, x)] {
					continue
				}
				other, ok := e.other(x)
				if !ok {
					continue
				}
				straight := j.overlap(c, e, x) + j.overlap(main, e, other)
				crossed := j.overlap(c, e, other) + j.overlap(main, e, x)
				if crossed >= 1.4 && crossed > straight+0.5 {
					return bad("the evidence has it the other way round: "+alignment{p: e, c: e.sentence(x)}.text(), j.words(c)...)
				}
			}
		}
	}
	return nil
}

var turning = lazy("when whenever if once because since")

// other is the clause that one with a condition belongs to: that before it, or behind it where it begins the sentence.
func (p *passage) other(c clause) (main clause, ok bool) {
	i := slices.Index(p.clauses, c)
	for _, k := range []int{i - 1, i + 1} {
		if i >= 0 && k >= 0 && k < len(p.clauses) && p.clauses[k].sentence == c.sentence {
			return p.clauses[k], p.contentsOf(p.clauses[k]) >= 2
		}
	}
	return clause{}, false
}
