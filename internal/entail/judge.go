package entail

import (
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Verdict says whether evidence says what a sentence claims.
type Verdict string

const (
	Supported   Verdict = "supported"   // its words, numbers and relations were found
	Unsupported Verdict = "unsupported" // something is not so, or not there
	Undecided   Verdict = "undecided"   // words cannot tell
)

// A Judgement is a verdict with its reason.
type Judgement struct {
	Verdict Verdict
	Reason  string   // why it is not Supported
	Words   []string // of the sentence, that the reason is about
	Copy    bool     // it is Supported, and a quotation or the evidence's own words in their order
}

// Judge judges one sentence by the texts that it cites; see [Reader.Judge].
func Judge(sentence string, evidence ...string) Judgement {
	return NewReader().Judge(sentence, evidence...)
}

// Judge judges a sentence by the texts that it cites.
//
// A sentence of over 4,000 bytes, or evidence of over 16 KB, is Undecided.
func (r *Reader) Judge(sentence string, evidence ...string) Judgement {
	size := 0
	for _, e := range evidence {
		size += len(e)
	}
	if len(sentence) > maxSentence || size > maxEvidence {
		return Judgement{Verdict: Undecided, Reason: "it is too long to be judged"}
	}
	j := &judge{reader: r, claim: read(plain(sentence))}
	var whole []string
	for _, e := range evidence {
		whole = append(whole, mended(e, sentence))
	}
	j.raw = j.nearby(whole)
	for _, e := range j.raw {
		j.evidence = append(j.evidence, r.own(e))
	}
	said := j.judge()
	said.elsewhere(j.raw, whole)
	return said
}

func (j *judge) judge() Judgement {
	if text := flat(strings.Trim(j.claim.text, " .")); len(strings.Fields(text)) > 2 && j.verbatim(text) {
		if bad := j.quotation(text); bad != nil {
			return *bad
		}
		if j.under != nil { // cut out, and not marked as a quotation
			return *j.under
		}
		return Judgement{Verdict: Supported, Copy: true}
	}
	if bad := j.quotations(); bad != nil {
		return *bad
	}
	j.capitals()
	for _, rule := range []func() *Judgement{j.names, j.numbers, j.tableCells, j.belongs, j.inPlace, j.sides, j.owners, j.roles, j.crossed, j.agents, j.sweeping, j.wouldBe, j.swapped, j.opposite, j.denials, j.quantifiers, j.tense, j.conditions, j.direction, j.turnedRound, j.leavesOut, j.reordered, j.coverage} {
		found := rule()
		if found != nil && found.Verdict == Unsupported {
			return *found
		}
		if found != nil {
			j.doubts = append(j.doubts, found)
		}
	}
	if len(j.doubts) > 0 {
		return *j.doubts[0]
	}
	return Judgement{Verdict: Supported, Copy: j.quoted || j.copied()}
}

// The bounds of what is judged, whose time grows with the square of its size.
const (
	maxSentence = 4000
	maxEvidence = 16 << 10
	maxNumbers  = 40 // of a sentence, that are compared with one another
)

type judge struct {
	reader   *Reader
	claim    *passage
	evidence []*passage
	raw      []string // the texts of the evidence
	doubts   []*Judgement
	under    *Judgement // what was quoted last stands behind a condition
	told     []fact     // see facts
	aligned  map[clause]alignment
	cited    bool // a part of the claim is a quotation, which was found
	quoted   bool // most of the claim is a quotation, which was found
}

func bad(reason string, words ...string) *Judgement {
	return &Judgement{Verdict: Unsupported, Reason: reason, Words: words}
}

func open(reason string, words ...string) *Judgement {
	return &Judgement{Verdict: Undecided, Reason: reason, Words: words}
}

// escaped are signs that Markdown would take for its own.
var escaped = lazyregexp.New(`\\([\\\[\]*_` + "`" + `#|<>~-])`)

var ordinal = lazyregexp.New(`^\d+(?:st|nd|rd|th)$`)

// capitals makes names of words at the beginning of a sentence that are names elsewhere.
func (j *judge) capitals() {
	names, capital, small := map[string]bool{}, map[string]int{}, map[string]bool{}
	all := append([]*passage{j.claim}, j.evidence...)
	for i, p := range all {
		for _, t := range p.toks {
			switch {
			case t.kind == name:
				names[t.low] = true
			case t.kind == word && t.raw == t.low:
				small[t.low] = true
			case t.kind == word && !lex().stop[t.low]:
				capital[t.low] |= 1 << min(i, 1)
			}
		}
	}
	for low, where := range capital { // a name that only begins sentences
		if where == 3 && !small[low] {
			names[low] = true
		}
	}
	for _, p := range all {
		for i, t := range p.toks {
			if t.kind == word && names[t.low] && t.raw != t.low {
				p.toks[i].kind = name
			}
		}
	}
}

// verbatim reports whether the evidence has the whole claim as it stands.
func (j *judge) verbatim(text string) bool {
	return slices.ContainsFunc(j.raw, func(e string) bool { return strings.Contains(small(flat(e)), small(text)) })
}

// plain takes keys and emphasis off a sentence.
func plain(s string) string {
	s = escaped.ReplaceAllString(keys.ReplaceAllString(s, ""), "$1")
	return strings.NewReplacer("**", "", "__", "").Replace(s)
}

// names reports names that the evidence does not have.
func (j *judge) names() (doubt *Judgement) {
	for i, t := range j.claim.toks {
		if t.kind != name || t.quantity >= 0 {
			continue
		}
		if !j.anywhere(i) && !ordinal.MatchString(t.low) && strings.ContainsAny(t.raw, "0123456789_.:{}") {
			if t.raw[0] >= '0' && t.raw[0] <= '9' || !strings.ContainsAny(t.raw, "_.:{}-") { // a part of a name, or short for another
				doubt = open(fmt.Sprintf("%q is not in the evidence", t.raw), t.raw)
				continue
			}
			return bad(fmt.Sprintf("%q is not in the evidence", t.raw), t.raw)
		}
	}
	return doubt
}

// anywhere reports whether a token of the claim is in the evidence, in a table too.
func (j *judge) anywhere(i int) bool {
	t := j.claim.toks[i]
	for _, e := range j.evidence {
		for _, x := range e.toks {
			if lex().like(t, x) {
				return true
			}
		}
		for _, tab := range e.tables {
			for _, row := range append([][]string{tab.head}, tab.rows...) {
				for _, c := range row {
					for _, x := range tokenize(c) {
						if lex().like(t, x) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

// coverage is the share of the claim's words that the evidence has, clause by clause.
func (j *judge) coverage() *Judgement {
	if j.quoted {
		return nil
	}
	all, missing := 0, []string{}
	for _, c := range j.claim.clauses {
		n, miss := 0, []string{}
		for i := c.from; i < c.to; i++ {
			if !j.claim.content(i) {
				continue
			}
			n++
			if !j.anywhere(i) {
				miss = append(miss, j.claim.toks[i].raw)
			}
		}
		all += n
		missing = append(missing, miss...)
		if n >= 3 && len(miss)*10 >= n*9 || len(miss) >= 3 && float64(len(miss)) >= partMissing*float64(n) && len(j.claim.clauses) > 1 {
			return open("nothing of this part is in the evidence: "+strings.Join(miss, ", "), miss...)
		}
	}
	if len(missing)*100 > all*mostMissing {
		return open("these words are not in the evidence: "+strings.Join(missing, ", "), missing...)
	}
	return nil
}

const partMissing = 0.8

// mostMissing is the share of a claim's words, in percent, that may be missing in what supports it.
const mostMissing = 60
