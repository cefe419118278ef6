package entail

import "strings"

// forward are markers that stand behind the cause, backward those that stand before it.
var (
	forward  = []string{"therefore", "thus", "hence", "so that", "so", "which is why", "which causes", "leads to", "led to", "results in", "resulted in", "causes", "caused", "makes", "made", "prevents", "triggers", "consequently", "disables"}
	backward = []string{"because of", "because", "due to", "owing to", "caused by", "thanks to", "since", "as a result of", "results from", "resulted from", "stems from", "by reason of"}
)

// A cause is what a sentence says makes what.
type cause struct{ cause, effect []token }

// causeOf reads a sentence that says so.
func (p *passage) causeOf(sentence int) (cause, bool) {
	from, to := len(p.toks), 0
	for _, c := range p.clauses {
		if c.sentence == sentence {
			from, to = min(from, c.from), max(to, c.to)
		}
	}
	if from >= to {
		return cause{}, false
	}
	toks := p.toks[from:to]
	low := lows(toks)
	for side, list := range [][]string{backward, forward} {
		for _, marker := range list {
			words := strings.Fields(marker)
			for i := 0; i+len(words) <= len(low); i++ {
				if strings.Join(low[i:i+len(words)], " ") != marker {
					continue
				}
				before, after := toks[:i], toks[i+len(words):]
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
		mine, ok := j.claim.causeOf(c.sentence)
		if !ok {
			continue
		}
		said := !j.strong()
		for _, e := range j.evidence {
			done := map[int]bool{}
			for _, x := range e.clauses {
				if done[x.sentence] {
					continue
				}
				done[x.sentence] = true
				theirs, ok := e.causeOf(x.sentence)
				if !ok {
					continue
				}
				straight := shared(mine.cause, theirs.cause) + shared(mine.effect, theirs.effect)
				crossed := shared(mine.cause, theirs.effect) + shared(mine.effect, theirs.cause)
				if crossed > straight+0.3 && crossed >= 0.8 {
					return bad("cause and effect are the other way round in the evidence")
				}
				said = true
			}
		}
		if !said {
			return open("that one is the cause of the other is not in the evidence")
		}
	}
	return nil
}

// strong reports whether the claim says plainly that one thing is the cause of another.
func (j *judge) strong() bool {
	return j.has(set("because due owing caused causes led leads results resulted triggers triggered therefore"))
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
