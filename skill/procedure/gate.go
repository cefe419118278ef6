package procedure

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// until gives the kinds of what lifts a prohibition; none: it is no prohibition that is ever lifted, but a matter of style or a condition.
func (b *ban) until() []Kind {
	if asNeeded.MatchString(b.cond) || b.joint == "while" && gerund.MatchString(b.cond) {
		return nil
	}
	told := gates(b.cond, false)
	approved := slices.Contains(told, Approve)
	switch j := b.joint; {
	case j == "with failing":
		return []Kind{Check}
	case j == "need":
		if approved {
			return told
		}
		return nil
	case j == "without", strings.HasPrefix(j, "with "), j == "only with", j == "except with":
		return told
	case j == "unless", j == "while", j == "as long as", j == "so long as", j == "only when", j == "only if", b.tells:
		switch {
		case approved:
			return told
		case len(told) == 0 && (strings.HasSuffix(j, "long as") || j == "while") && !b.tells && !gerund.MatchString(b.cond):
			return []Kind{Check} // of a state that ends
		case len(told) == 0 && !(strings.HasPrefix(j, "only ") && hasBeen.MatchString(b.cond)):
			return nil
		}
	}
	return gates(b.cond, true)
}

var (
	asNeeded = lazyregexp.New(`(?i)^(?:absolutely |really |strictly |explicitly )?(?:necessary|needed|required|essential|appropriate|possible|too late|the end|it is too late|unavoidable|relevant|applicable|now|today|tomorrow|noon|lunch|\w+day|\d|recently|further notice)\b`)
	hasBeen  = lazyregexp.New(`(?i)\b(?:(?:has|have) (?:\w+ )?(?:been|\w+ed|gone|seen|read|run)|(?:was|were) (?:\w+ )?\w+ed)\b`)
	by       = lazyregexp.New(`(?i)^(?:i|(?:(?:the|a|an|my|our|your|both the|two|one|each|every|all) )?(?:[\w-]+ ){0,2}?[\w-]+)(?:'ve|'s| has| have| had| says?| said| agrees?| objects?| approves?| confirms?| signs?)\b`) // a person who has to do something
	called   = lazyregexp.New(`^(?:(?:Ms|Mrs|Mr|Dr|Prof)\.? )?\p{Lu}\p{Ll}+(?: (?:or|and) \p{Lu}\p{Ll}+)? (?:has|have|is|are|says?|agrees?|signs?|looks?|objects?)\b`)                                                      // "Anna has had a look"
	gerund   = lazyregexp.New(`(?i)^(?:\w*(?:[^t]h|[^h\W])ing|you|we|i am|at it)\b`)
	joined   = lazyregexp.New(`(?i),? (?:and|as well as|plus) (?:after |once |only |both )?|, `)
	// A person's word lifts; so do the next where the person is named.
	lifts       = lazyregexp.New(`(?i)\b(?:(?:un)?approv\w*|(?:un|counter)?sign(?:ed|s|ature|atures)|sign(?:ed|s)?[ -]?off|consent\w*|permission|go-ahead|green light|ok|okay|yes|thumbs[ -]up|says? (?:go|so)|said (?:go|so)|bless(?:ed|ing)|endorsed|ratified|waved through|initialled|authori[sz]\w+|decided|(?:been|was|were) (?:heard|consulted)|allow(?:s|ed)?|nod(?:s|ded)?|released by|discuss\w*|second pair of eyes|four eyes|(?:un)?review(?:s|ed|er|ers)?|voted?|go ahead|word from|(?:a|no|the|my|his|her|their|our) go|okay(?:s|ed)?|clearance|gives? (?:the |his |her )?word|all[- ]clear|acks?|acked|asking|resolved so|granted?|initial(?:s|led|ed)|stamped|sanction(?:ed|s)?|vet(?:s|ted)|vetoe?s?|objections?|released (?:it|them|this|the \w+)|okay|picked|chosen|chooses)\b`)
	maybe       = lazyregexp.New(`(?i)\b(?:agree[ds]?|agreement|confirm(?:s|ed|ation)?|accept(?:s|ed|ance)?|cleared|answered|tells? you|told you|decides?|agreeing|(?:made|taken|makes) (?:\w+ ){0,2}(?:selection|choice|decision))\b`)
	consults    = lazyregexp.New(`(?i)\bconsulted\b`)
	byTest      = lazyregexp.New(`(?i)\bby (?:a |an |the )?(?:\w+ )?(?:test|measurement|experiment|check|calculation|run)s?\b`)
	sayers      = lazyregexp.New(`(?i)\b(?:sources?|papers?|stud(?:y|ies)|references|groups|publications|documents)\b.* (?:agree|say|report|state|confirm|support)`)
	thingsAgree = lazyregexp.New(`(?i)\b\w+s (?:still )?agree\b`)
	handed      = lazyregexp.New(`(?i)\b(?:has|have|is|are|was|were|been) (?:\w+ )?(?:delivered|handed in|sent out|sent off|submitted|published)\b`)
	sound       = lazyregexp.New(`(?i)\b(?:pass(?:es|ed)?|green|red|healthy|clean|complete|closed|consistent|balanced|correct|fails?|failing|looks? (?:good|fine|right)|match(?:es)?|quiet|stable|empty|valid|within|equal)\b`)
	things      = []struct {
		kind Kind
		form *lazyregexp.Regexp
	}{
		{Callers, lazyregexp.New(`(?i)\b(?:callers?|call ?sites?|references (?:of|to)|its references|affected code|usages?|depend[ae]nts|who (?:calls|uses)|users of)\b`)},
		{Plan, lazyregexp.New(`(?i)\b(?:plan|outline|design|proposal|sketch|concept|protocol)\b`)},
		{Run, lazyregexp.New(`(?i)\b(?:dry run|test run|backup|measurements?|benchmarks?|experiment|simulation|test)\b`)},
		{Check, lazyregexp.New(`(?i)\b(?:check|verification|validation|comparison|audit|inspection|reconciliation)\b`)},
		{SearchCode, lazyregexp.New(`(?i)\b(?:code search|grep)\b`)},
		{SearchDocs, lazyregexp.New(`(?i)\b(?:references?|evidence|sources?|papers?|literature|search\w*|documents?|citations?|cited?|citing|clause|hypothes[ie]s|survives?|quotations?|page|independent|candidates|prior art|precedents?|studies|publications?|passages?|paragraphs?|reports?|manual|handbook|guidelines?|database|archive|library|stud(?:y|ies))\b`)},
	}
)

// gates are the kinds of what lifts a prohibition: of each part of its condition. firm tells that something surely does: "until", and no mere "without".
func gates(cond string, firm bool) (out []Kind) {
	var parts []string
	start := 0
	for _, m := range append(joined.Get().FindAllStringIndex(cond, 8), []int{len(cond), len(cond)}) {
		parts = append(parts, cond[start:m[0]])
		start = m[1]
	}
	for _, part := range parts {
		if k := gate(part); k != "" {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		switch {
		case gate(cond) != "":
			out = append(out, gate(cond))
		case firm && mentions(strings.ToLower(cond), personWords()):
			out = append(out, Approve)
		case firm:
			out = append(out, Check) // a condition that must hold
		}
	}
	if slices.Contains(out, Approve) { // a plan that is approved is one gate, the approval
		out = slices.DeleteFunc(out, func(k Kind) bool { return k == Plan })
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// gate is the kind of one thing that has to be done, by a person, by the reader, or to something; "" where nothing tells.
func gate(part string) Kind {
	low := strings.ToLower(strings.TrimSpace(part))
	person := by.MatchString(low) && mentions(by.Get().FindString(low), deciders()) || called.MatchString(part) && !sound.MatchString(low)
	switch {
	case handed.MatchString(low) && !strings.Contains(low, "approv"):
		return Answer
	case sayers.MatchString(low):
		return SearchDocs
	case byTest.MatchString(low), thingsAgree.MatchString(low) && !mentions(low, personWords()):
		return Check
	case lifts.MatchString(low) && !(consults.MatchString(low) && mentions(low, docWords()) && !mentions(low, deciders())), person, maybe.MatchString(low) && (!sound.MatchString(low) || mentions(low, deciders())):
		return Approve
	}
	if k := done(low); k != "" {
		return k
	}
	if sound.MatchString(low) && !things[0].form.MatchString(low) {
		return Check
	}
	for _, t := range things {
		if t.form.MatchString(low) {
			return t.kind
		}
	}
	return ""
}

var (
	// reader is what stands before the verb of a condition that is the reader's: "you have read it", "having read it".
	reader = lazyregexp.New(`(?i)^(?:first |having |actually )*(?:(?:(?:you|we|i|one)(?: must| should| have to| need to)?(?:'ve| have| has| had| were| are)?|(?:it|they) (?:have|has|had|were|are|is)) )?(?:actually |first |at least |all |already |having |been )*`)
	isDone = lazyregexp.New(`(?i)^(.+) (?:having|has|have|had|is|are|was|were|gets?|be)(?: not| never)?(?: (?:been|being|once|all|both|actually|fully|first))* ([\w-]+(?: (?:up|at|through|down|out))?)\b`)
)

// done reads a condition as the order that it would be: "the clause has been read", "you have read the clause": read the clause.
func done(low string) Kind {
	order := ""
	if m := isDone.FindStringSubmatch(low); m != nil && !pronoun.MatchString(m[1]) && base(firstWords(m[2], 1)) != "" {
		f := strings.Fields(m[2])
		f[0] = base(f[0])
		if i := strings.LastIndexByte(m[1], ' '); f[0] == "do" && base(m[1][i+1:]) != "" { // "the reading is done"
			return verbs()[base(m[1][i+1:])]
		}
		if mentions(m[1], planWords()) && verbs()[f[0]] != Check {
			return Plan
		}
		order = strings.Join(f, " ") + " the " + article.Get().ReplaceAllString(m[1], "")
	} else {
		begin := reader.Get().FindString(low)
		f := strings.Fields(low[len(begin):])
		if len(f) == 0 || begin == "" && strings.HasSuffix(f[0], "s") { // "tests fail"
			return ""
		}
		v := base(strings.Trim(f[0], ",."))
		if f[0] == "know" {
			v = "find"
		}
		if v == "" || begin == "" && v == f[0] && nounLike()[v] && !startsWithVerb2(strings.Join(f, " ")) {
			return adjective(low)
		}
		f[0] = v
		order = strings.Join(f, " ")
	}
	if v, _, _ := verbOf(order); names()[v] {
		return "" // "giving its source"
	}
	switch k, _, ok := kindOf(order, sentence{}); {
	case !ok || k == Other || k == Stop || k == Approve:
		return adjective(low)
	case k == Callers && refs.MatchString(low) && !things[0].form.MatchString(low):
		return SearchDocs // "the references have been found"
	case k == SearchCode && sideOf(strings.ReplaceAll(low, "source", "")) != SearchCode:
		return SearchDocs // "its source is known"
	default:
		return k
	}
}

// names are verbs that tell of what they name only that it is there.
var names = words(`give name state cite quote have hold get provide supply carry bear show add`)

// adjective reads what has been done to a thing from a word before it: "a verified number".
func adjective(low string) Kind {
	for w := range strings.FieldsSeq(low) {
		if k := verbs()[base(w)]; strings.HasSuffix(w, "ed") && (k == Check || k == Run || k == ReadOne) {
			return k
		}
	}
	return ""
}
