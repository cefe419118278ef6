package procedure

import (
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A Doubt is a sentence that may forbid something until something else, and was not understood: no guard stands for it.
type Doubt struct {
	Line int
	Text string // the sentence, on one line
}

var (
	// denial is what forbids: at the beginning of a clause, beside the verb of its subject, or told of a thing.
	denial = lazyregexp.New(`(?i)(?:^|[,;:.(] ?|\b(?:and|but|so|or|then|please|pls) )(?:do not|don't|never|not|no|nobody|nothing|no one|none|neither|nor|` + noWay + `|hands off|refrain|avoid|hold|only|wait with|postpone|(?:keep|leave) [^,;:]{1,60} ` + closed + `)\b|\b(?:must|may|shall|should|can|could|is|are|do|does|will|won|has|have|ought|you|we|be|i)(?: to)? ?(?:not|never|n't)\b|cannot|n't\b|\bonly (?:once|after|when|if|with|then|on)\b|\b(?:must|may|shall|should|can|could|is|are|will|be)\b[^,;:]{0,40}\bonly\b|\bnot? (?:before|until|sooner|earlier)\b|\b(?:waits|(?:must|should|shall|has to|have to|will|needs? to) wait)\b|\b(?:` + closed + `|` + barred + `)\b`)
	// lifting begins what lifts a prohibition.
	lifting = lazyregexp.New(`(?i)\b(?:before|until|till|unless|without|as long as|so long as|while|whilst|prior to|ahead of|pending|outstanding|absent|in the absence of|except|only (?:once|after|when|if|with)|waits? for|wait for|with no|whose|for which|(?:that|which|what) (?:has|have|had|is|are|was|were|you|nobody|no)\b[^,;:]{0,30}(?:not?|n't|never|nobody|unknown))\b`)
	// remarks tell, ask, or forbid to end or to forget something.
	remarks = lazyregexp.New(`(?i)\?$|^(?:for (?:example|instance)|e\.g\.|in \d{4})\b|\b(?:no|not|n't|never) (?:one )?(?:to )?(?:stop|wait|need|necessary|matter|mean|worry|hesitate|bother|expect|end|finish|quit|forget|be afraid|guess|lose|later than|more than|fewer than|longer|only|just|enough)\b`)
)

// mayForbid reports a sentence that forbids by its form, where what it forbids or what lifts that is known.
func mayForbid(text string) bool {
	text = strings.TrimRight(text, " .!")
	if remarks.MatchString(text) {
		return false
	}
	if b, ok := banOf(text); ok && known(b.who+" "+b.act, b.cond) {
		return true
	}
	text = text[len(lead.Get().FindString(text)):]
	places := lifting.Get().FindAllStringIndex(text, 12)
	for _, no := range denial.Get().FindAllStringIndex(text, 12) {
		if inQuotes(text, no[0]) {
			continue
		}
		for _, m := range places {
			switch {
			case m[0] == 0 && no[0] > m[1]: // "until ..., no ..."
				if known(text[no[1]:], text[m[1]:no[0]]) {
					return true
				}
			case m[0] >= no[0]:
				if known(text[:no[0]]+text[no[1]:max(no[1], m[0])], text[m[1]:]) {
					return true
				}
			}
		}
	}
	return false
}

// known reports an act that is one of reading, writing or running, or something that lifts a prohibition.
func known(act, cond string) bool {
	if len(gates(upTo(cond), false)) > 0 {
		return true
	}
	for w := range strings.FieldsSeq(strings.ToLower(act)) {
		if v := base(strings.Trim(w, ",.:;()\"'")); v != "" && verbs()[v] != Other && verbs()[v] != Stop {
			return true
		}
	}
	for _, d := range denials {
		if d.form.MatchString(act) {
			return true
		}
	}
	return false
}
