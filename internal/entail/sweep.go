package entail

import (
	"fmt"
	"slices"
	"strings"
)

// sweeps are phrases that take every condition away.
var sweeps = []string{"even if", "even when", "whatever", "no matter", "come what may", "regardless", "irrespective", "without exception", "in all cases", "under any", "in any case", "or not", "straight away", "whichever", "unconditionally", "unanimously"}

// sweeping looks for a phrase of the claim that takes a condition away which the evidence makes, or that the evidence does not have.
func (j *judge) sweeping() (doubt *Judgement) {
	last := -1
	for _, c := range j.claim.clauses {
		if c.sentence == last { // a phrase may stand in two clauses: even | if
			continue
		}
		last, c = c.sentence, j.claim.sentence(c)
		text := " " + strings.Join(lows(j.claim.toks[c.from:c.to]), " ") + " "
		for _, phrase := range sweeps {
			if !strings.Contains(text, " "+phrase+" ") || slices.ContainsFunc(j.evidence, func(e *passage) bool {
				return strings.Contains(" "+strings.Join(lows(e.toks), " ")+" ", " "+phrase+" ")
			}) {
				continue
			}
			reason := fmt.Sprintf("%q is not in the evidence", phrase)
			a := j.align(c)
			if a.found && j.exact(c, a) >= 0.6 && a.p.holds(a.p.sentence(a.c), conditions()) {
				return bad(reason, phrase)
			}
			doubt = open(reason, phrase)
		}
	}
	return doubt
}

// wouldBe looks for what the evidence says only of a case that it supposes.
func (j *judge) wouldBe() (doubt *Judgement) {
	for _, c := range j.claim.clauses {
		a := j.align(c)
		if !a.found || a.share < 0.5 || j.claim.holds(j.claim.sentence(c), supposing()) {
			continue
		}
		if !a.p.holds(a.c, set("would")) && a.p.toks[a.p.sentence(a.c).from].low != "should" {
			continue
		}
		reason := "the evidence says it only of a case that it supposes: " + a.text()
		if j.exact(c, a) >= 0.7 && !j.quoted {
			return bad(reason, j.words(c)...)
		}
		doubt = open(reason, j.words(c)...)
	}
	return doubt
}

var supposing = lazy("when whenever once until while provided as would could might may should if without were had unless otherwise")
