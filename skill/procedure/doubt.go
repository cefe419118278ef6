package procedure

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Doubt is a sentence that may forbid something until something else, and was not understood: no guard stands for it.
type Doubt struct {
	Line int    `json:"line"`
	Text string `json:"text"` // the sentence, on one line

	acts []Kind // that it names
	sure bool   // it names an act, or what lifts a prohibition
}

var (
	// denial is what forbids: at the beginning of a clause, beside the verb of its subject, or told of a thing.
	denial = lazyregexp.New(`(?i)(?:^|[,;:.] ?|\b(?:and|but|so|or|then|please|pls) )(?:do not|don't|never|not|no|nobody|nothing|no one|none|neither|nor|without|` + noWay + `|hands off|refrain|avoid|hold|only|wait with|postpone|(?:keep|leave) [^,;:]{1,60} ` + closed + `)\b|\b(?:must|may|shall|should|can|could|is|are|do|does|will|won|has|have|ought|you|we|be|i)(?: to)? ?(?:not|never|n't)\b|cannot|n't\b|\b(?:nothing|nobody|no one)\b|\bonly (?:once|after|when|if|with|then|on)\b|\b(?:must|may|shall|should|can|could|is|are|will|be)\b[^,;:]{0,40}\bonly\b|\bnot? (?:before|until|sooner|earlier)\b|\b(?:waits|(?:must|should|shall|has to|have to|will|needs? to) wait)\b|\b(?:is|are|be|stays?|remains?|keeps?|kept)(?: [\w-]+)? (?:` + closed + `|` + barred + `)\b`)
	// lifting begins what lifts a prohibition.
	lifting  = lazyregexp.New(`(?i)\b(?:before|until|till|unless|without|as long as|so long as|while|whilst|prior to|ahead of|pending|outstanding|absent|in the absence of|except|only (?:once|after|when|if|with)|waits? for|wait for|with no|whose|for which|(?:that|which|what) (?:has|have|had|is|are|was|were|you|nobody|no)\b[^,;:]{0,30}(?:not?|n't|never|nobody|unknown))\b`)
	onlyWhen = lazyregexp.New(`(?i)^only (?:when|if|with)$`)
	// remarks tell, ask, or forbid to end or to forget something.
	remarks = lazyregexp.New(`(?i)\?$|^(?:for (?:example|instance)|e\.g\.|in \d{4})\b|(?:\b(?:no|not|never)|n't) (?:one |just |simply )?(?:to )?(?:stop|wait|need|necessary|matter|mean|worry|hesitate|bother|expect|end|finish|quit|forget|be afraid|guess|lose|later than|more than|fewer than|longer|only|just|enough)\b`)
)

// Prohibitions are the sentences that forbid something, or may, in order: those of the guards, and of those that were not understood the ones that name an act or
// something that lifts a prohibition. It is for a text that tells no procedure: there, "not" and "until" seldom forbid.
func (r *Reading) Prohibitions() []Doubt {
	out := slices.DeleteFunc(slices.Clone(r.Unread), func(d Doubt) bool { return !d.sure })
	for _, g := range r.Guards {
		out = append(out, Doubt{Line: g.Line, Text: g.Text})
	}
	slices.SortStableFunc(out, func(a, b Doubt) int { return cmp.Compare(a.Line, b.Line) })
	return slices.CompactFunc(out, func(a, b Doubt) bool { return a.Line == b.Line && a.Text == b.Text })
}

// doubtOf reads a sentence that forbids by its form.
func doubtOf(s *sentence) (d Doubt, ok bool) {
	d = Doubt{Line: s.line, Text: s.text}
	text := strings.TrimRight(s.text, " .!")
	if remarks.MatchString(text) || !mayBan(text) {
		return d, false
	}
	if b := s.ban; b != nil && !(b.alone && !hasBeen.MatchString(b.cond)) && !(b.joint == "need" && !slices.Contains(gates(b.cond, false), Approve)) {
		ok = d.names(b.who+" "+b.act, b.cond)
	}
	text = text[len(lead.Get().FindString(text)):]
	places := lifting.Get().FindAllStringIndex(text, 4)
	for _, no := range denial.Get().FindAllStringIndex(text, 4) {
		if inQuotes(text, no[0]) {
			continue
		}
		for _, m := range places {
			act, cond := short(text[:no[0]]+text[no[1]:max(no[1], m[0])]), short(text[m[1]:])
			if m[0] == 0 && no[0] > m[1] { // "until ..., no ..."
				if _, main, ok := strings.Cut(text[m[1]:], ", "); ok && startsWithVerb(main) {
					continue // "before concluding, verify that nothing"
				}
				act, cond = short(text[no[1]:]), short(text[m[1]:no[0]])
			} else if m[0] < no[0] {
				continue
			}
			if onlyWhen.MatchString(text[m[0]:m[1]]) && len(gates(cond, false)) == 0 {
				continue // "only when it is needed"
			}
			if ok = d.names(act, cond) || ok; d.sure {
				return d, true
			}
		}
	}
	return d, ok
}

// names takes up the kinds of what an act does, of those of reading, writing and running. It reports whether the condition may lift a prohibition.
func (d *Doubt) names(act, cond string) bool {
	if asNeeded.MatchString(strings.TrimSpace(cond)) {
		return false
	}
	for w := range strings.FieldsSeq(strings.ToLower(act)) {
		if k := verbs()[base(strings.Trim(w, ",.:;()\"'"))]; k != "" && k != Other && k != Stop {
			d.acts = append(d.acts, k)
		}
	}
	for _, noun := range denials {
		if noun.form.MatchString(act) {
			d.acts = append(d.acts, noun.kind)
			break
		}
	}
	d.sure = d.sure || len(d.acts) > 0 || len(gates(upTo(cond), false)) > 0
	return true
}
