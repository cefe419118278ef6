package procedure

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// What a sentence has that may forbid; for sentences beside the procedure.
var (
	forbids  = lazyregexp.New(`(?i)\b(?:do not|don't|never|must not|may not|cannot|can't|should not|shall not|not|no|nobody|nothing|no one|forbidden|off limits|prohibited|hands off|refrain)\b`)
	onlyForm = lazyregexp.New(`(?i)\bonly (?:once|after|when|if|then|with|on)\b|\b(?:must|has to|have to|needs? to) wait\b|\bprecondition\b|\bprerequisite\b`)
)

// another begins a further prohibition in a sentence: "no code before the plan is approved, and no merge before the tests are green".
var another = lazyregexp.New(`(?i)(?:[,;] (?:and |or |but )?|[,;]? (?:and|nor|or|but) )(?:no|never|do not|don't|nothing|nobody|neither)\b`)

// guardsOf reads the prohibitions of a sentence: of each part, where all of them are prohibitions, or of the whole.
func (r *Reading) guardsOf(s *sentence, numbers []int) (out []Guard) {
	if cuts := another.Get().FindAllStringIndex(s.text, 8); len(cuts) > 0 {
		start := 0
		for _, c := range append(cuts, []int{len(s.text), 0}) {
			part := sentence{line: s.line, text: strings.TrimLeft(s.text[start:c[0]], ",; ")}
			if g, ok := r.guardOf(&part, numbers); ok {
				g.Text = s.text
				out = append(out, g)
			}
			start = c[0]
		}
		if len(out) > 1 {
			return out
		}
	}
	if m := second.FindStringSubmatchIndex(s.text); m != nil && startsWithVerb(s.text[m[4]:]) {
		first, rest := sentence{line: s.line, text: s.text[:m[3]]}, sentence{line: s.line, text: "do not " + s.text[m[4]:]}
		a, ok1 := r.guardOf(&first, numbers)
		b, ok2 := r.guardOf(&rest, numbers)
		if ok1 && ok2 {
			a.Text, b.Text = s.text, s.text
			return []Guard{a, b}
		}
	}
	if g, ok := r.guardOf(s, numbers); ok {
		return []Guard{g}
	}
	return nil
}

// second is a further act below one negation: "do not edit before the plan is approved, or deploy before the tests are green".
var second = lazyregexp.New(`(?i)^(.*? (?:before|until|unless|without) .*?)(?:,? (?:and|or|nor) |, )(\w+(?: \S+){0,6}? (?:before|until|unless|without) .*)$`)

// guardOf reads a prohibition with what lifts it. numbers are those of the steps, as written; 0: none.
func (r *Reading) guardOf(s *sentence, numbers []int) (Guard, bool) {
	s.orders = ""
	b, ok := banOf(strings.TrimRight(s.text, " .!"))
	if !ok {
		return Guard{}, false
	}
	g := Guard{Line: s.line, Text: s.text, Deny: denied(&b), Until: r.named(b.cond, numbers)}
	if g.Until == nil {
		g.Until = b.until()
	}
	if len(g.Deny) == 0 || len(g.Until) == 0 {
		return Guard{}, false
	}
	s.orders = b.orders
	return g, true
}

var (
	thenForm   = lazyregexp.New(`(?i)^(?:then|that|this|that point|both|all (?:that|this|of this|of these))\b(?: (?:has|have|is|are)\b.*)?$`)
	stepForm   = lazyregexp.New(`(?i)\b(?:steps?|phases?|stages?|items?|points?) (\d{1,3})(?:\s*(?:to|through|until|and|or|-|–)\s*(\d{1,3}))?\b`)
	searchForm = lazyregexp.New(`(?i)\b(?:(?:both|all|the|two|three) )?search(?:es)? (?:has|have|is|are|was|were|came|come|comes|gives?|gave|brings?|brought)\b`)
)

// named gives the kinds of the steps that a condition names: "steps 1 to 5 are done", "both searches came back empty", "until then"; nil: it names none.
func (r *Reading) named(cond string, numbers []int) (out []Kind) {
	var is func(i int) bool
	switch m := stepForm.FindStringSubmatch(cond); {
	case m != nil:
		first, _ := strconv.Atoi(m[1])
		last := first
		if m[2] != "" {
			last, _ = strconv.Atoi(m[2])
		}
		is = func(i int) bool { return numbers[i] >= first && numbers[i] <= last }
	case searchForm.MatchString(cond):
		is = func(i int) bool {
			return slices.Contains([]Kind{SearchDocs, SearchCode, Callers}, r.Steps[i].Kind)
		}
	case thenForm.MatchString(cond):
		if n := len(r.Guards); n > 0 && len(r.Steps) > 0 && r.Guards[n-1].Line >= r.Steps[len(r.Steps)-1].Line {
			return slices.Clone(r.Guards[n-1].Until)
		}
		is = func(i int) bool { return i == len(r.Steps)-1 }
	default:
		return nil
	}
	for i, st := range r.Steps {
		if is(i) && st.Kind != Other && st.Kind != Stop {
			out = append(out, st.Kind)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var (
	happens  = lazyregexp.New(`(?i)\b(?:has|have|had|is|are|was|were|came|comes?|gets?|got|says?|said|agrees?|exists?|pass(?:es)?|succeeds?|hold|holds|survives?|confirms?|approves?|chooses?|shows?)\b`)
	asNeeded = lazyregexp.New(`(?i)^(?:absolutely |really |strictly |explicitly )?(?:necessary|needed|required|essential|appropriate|possible|too late|the end|it is too late|unavoidable|relevant|applicable)\b`)
	asks     = lazyregexp.New(`(?i)\b(?:i|user|person|owner|maintainer|team|they|client|customer|partner|supervisor|reviewer|somebody|someone)s?(?: \w+)? (?:asks?|says?|said|requests?|wants?|insists?|orders?|asked|requested)\b`)
	by       = lazyregexp.New(`(?i)^(?:i|(?:the|a|an|my|our|your|both the|two|one) (?:[\w-]+ ){0,2}?[\w-]+)(?:'ve|'s| has| have| had| says?| said| agrees?| objects?| approves?| confirms?| signs?)\b`) // a person who has to do something
	gerund   = lazyregexp.New(`(?i)^(?:first |having |actually )?(\w+ing)\b`)
)

// until gives the kinds of what lifts a prohibition; none: it is no prohibition that is ever lifted, but a matter of style or a condition.
func (b *ban) until() []Kind {
	if asNeeded.MatchString(b.cond) {
		return nil
	}
	told := lifting(b.cond, false)
	if by.MatchString(b.cond) && mentions(strings.ToLower(by.Get().FindString(b.cond)), deciders()) {
		told = []Kind{Approve} // what a person has to do, a person confirms
	}
	if len(told) == 0 && asks.MatchString(b.cond) {
		told = []Kind{Approve}
	}
	approved := slices.Contains(told, Approve)
	switch j := b.joint; {
	case j == "without", strings.HasPrefix(j, "with "), j == "only with", j == "except with":
		if m := gerund.FindStringSubmatch(b.cond); m != nil {
			told = slices.DeleteFunc(verbsIn(m[1]), func(k Kind) bool { return k == Other || k == Answer || k == Write || k == Stop })
			if strings.EqualFold(m[1], "asking") {
				told = []Kind{Approve}
			}
		} else if len(told) == 0 {
			told = slices.DeleteFunc(verbsIn(b.cond), func(k Kind) bool { return k != Check && k != Run && k != Plan })
			told = told[:min(1, len(told))]
		}
		return told
	case j == "need":
		if approved {
			return told
		}
		return nil
	case j == "unless", j == "while", j == "as long as", j == "so long as", j == "only when", j == "only if", b.tells:
		switch {
		case approved:
			return told
		case !happens.MatchString(b.cond), b.tells && len(told) == 0:
			return nil
		}
		return lifting(b.cond, true)
	}
	if slices.Equal(told, []Kind{Approve}) {
		return told
	}
	return lifting(b.cond, true)
}

// denials are words of what is forbidden, by kind, looked for in this order.
var denials = []struct {
	kind Kind
	form *lazyregexp.Regexp
}{
	{Write, lazyregexp.New(`(?i)\b(?:code|coding|edit(?:ed|s|ing)?|patch(?:es|ed|ing)?|commit(?:s|ted|ting)?|writ(?:e|es|ing|ten) (?:any |a |the |single )?(?:line|code|file|rust|function|test)\S*|chang(?:e|es|ed|ing)|touch(?:ed|es|ing)?|fix(?:es|ed|ing)?|implement\w*|delet(?:e|es|ed|ing|ions?)|remov(?:e|es|ed|ing|als?)|renam(?:e|es|ed|ing)|refactor\w*|merg(?:e|es|ed|ing)|modif\w+|file|files|push(?:ed|es)?|migrat(?:e|ed|ing)|rewrit\w+|implementation|branch|source|config\w*|schema|tickets?|records?|text|touches|draft(?:ed|s|ing)?|translat\w+|appl(?:y|ied|ying)|port|scripts?|enter(?:ed|s|ing)?)\b`)},
	{Run, lazyregexp.New(`(?i)\b(?:deploy\w*|roll(?:ed|ing)? out|rollout|run(?:s|ning)?|execut\w+|launch\w*|start(?:ed|s|ing)?|releas\w+|ship(?:ped|s|ping)?|restart\w*|switch(?:ed|ing)? over|build|builds|experiments?|production|simulat\w+|benchmark\w*)\b`)},
	{Answer, lazyregexp.New(`(?i)\b(?:answer\w*|cit(?:e|es|ed|ing)|declar\w+|repl(?:y|ies|ied)|report\w*|quot(?:e|es|ed|ing)|stat(?:e|es|ed|ing|ement)|claim\w*|conclu\w+|summar\w+|send|sent|publish\w*|leave|leaves|number|figure|verdicts?|explanations?|advice|opinion|say|says|present\w*|return\w*|submit\w*|recommend\w*|file|post(?:ed)?|hand(?:ed)?|deliver\w*|letter|table|list|value|finding|memo|word|go(?:es)? out|quotations?|opinion|appear)\b`)},
	{Plan, lazyregexp.New(`(?i)\b(?:plan\w*|design\w*|propos\w+|outline\w*)\b`)},
	{SearchDocs, lazyregexp.New(`(?i)\b(?:search\w*|look(?:ing)? up)\b`)},
}

// denied gives the kind of what is not to be done.
func denied(b *ban) []Kind {
	if acts := acts(b.act); len(acts) > 1 {
		var out []Kind
		for _, a := range acts {
			if k := actOf(b.who, a); k != "" {
				out = append(out, k)
			}
		}
		if len(out) > 0 {
			slices.Sort(out)
			return slices.Compact(out)
		}
	}
	if k := actOf(b.who, b.act); k != "" {
		return []Kind{k}
	}
	for _, d := range denials {
		if d.form.MatchString(b.who + " " + b.act) {
			return []Kind{d.kind}
		}
	}
	kinds := verbsIn(b.act)
	for _, k := range kinds {
		if k != Other && !b.named {
			return []Kind{k}
		}
	}
	if b.named || b.tells || b.joint == "without" || b.joint == "unless" || strings.HasPrefix(strings.ToLower(b.act), "wait") {
		return nil
	}
	if len(kinds) == 0 {
		return []Kind{Write} // what it is nobody can tell: nothing is written before
	}
	return kinds[:1]
}

var either = lazyregexp.New(`(?i),? (?:or|nor|and) (?:to )?|, `)

// acts cuts what is not to be done where another verb begins: "write code or send the report".
func acts(act string) (out []string) {
	start := 0
	for _, m := range either.Get().FindAllStringIndex(act, 12) {
		rest := act[m[1]:]
		if word, _, _ := verbOf(rest); startsWithVerb(rest) && (!nounLike()[word] || startsWithVerb2(rest)) {
			out = append(out, act[start:m[0]])
			start = m[1]
		}
	}
	return append(out, act[start:])
}

// doneTo is the verb of a condition.
var doneTo = lazyregexp.New(`(?i)(?:\b(?:has|have|had|is|are|was|were)(?: been| both| all)? |^)(\w+)\b`)

var article = lazyregexp.New(`(?i)^(?:the|a|an|any|your|our|this|that|these|those) `)

// actOf reads an act as the order that it would be: "writing any code", "be published" of the advert; "" when it is told by nouns alone.
func actOf(who, act string) Kind {
	f := strings.Fields(act)
	passive := false
	for len(f) > 0 {
		w := strings.ToLower(strings.Trim(f[0], ",.:"))
		if w == "be" || w == "is" || w == "are" || w == "been" {
			passive = true
		} else if !fillers()[w] {
			break
		}
		f = f[1:]
	}
	if len(f) == 0 {
		return ""
	}
	verb := base(strings.ToLower(strings.Trim(f[0], ",.:")))
	if verb == "" {
		return ""
	}
	rest, _, _ := strings.Cut(strings.Join(f[1:], " "), ",")
	order := verb + " " + rest
	if passive && who != "" {
		order = verb + " the " + article.Get().ReplaceAllString(who, "") + " " + rest
	}
	k, _, ok := kindOf(strings.TrimSpace(order), sentence{}, true)
	if !ok || k == Other || k == Approve || k == Stop {
		return ""
	}
	return k
}

// fillers stand before the verb that tells what is done.
var fillers = words(`may can must should shall will do does have has to you we i it ever even just yet also already start starts begin begins started starting beginning try trying attempt continue proceed proceeding go going think of with on under any circumstances simply ahead and`)

// verbsIn are the kinds of the verbs in a text, whatever their form.
func verbsIn(s string) (out []Kind) {
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !(r == '-' || r >= 'a' && r <= 'z') }) {
		if v := base(w); v != "" && !helpers()[w] {
			out = append(out, verbs()[v])
		}
	}
	return out
}

// base gives the verb of a form ("writing", "written"), or "".
func base(w string) string {
	for _, v := range []string{w, irregular()[w], strings.TrimSuffix(w, "s"), strings.TrimSuffix(w, "es"), strings.TrimSuffix(w, "d"), strings.TrimSuffix(w, "ed"), strings.TrimSuffix(w, "ing") + "e", strings.TrimSuffix(w, "ing"),
		doubled(strings.TrimSuffix(w, "ed")), doubled(strings.TrimSuffix(w, "ing")), strings.TrimSuffix(w, "ied") + "y"} {
		if _, ok := verbs()[v]; ok {
			return v
		}
	}
	return ""
}

// doubled takes the doubled letter of "stopped" off.
func doubled(w string) string {
	if n := len(w); n > 2 && w[n-1] == w[n-2] {
		return w[:n-1]
	}
	return w
}

var irregular = sync.OnceValue(func() map[string]string {
	return map[string]string{"written": "write", "sent": "send", "paid": "pay", "begun": "start", "built": "build", "found": "find", "sought": "seek", "drawn": "draw", "given": "give", "taken": "take",
		"chosen": "choose", "held": "hold", "put": "put", "seen": "see", "known": "know", "shown": "show", "told": "tell", "broken": "break", "withdrawn": "draw"}
})

// helpers are verbs that tell little beside another.
var helpers = words(`do let have get make go keep take set put be start`)

// lifts are words of what lifts a prohibition, by kind.
var lifts = []struct {
	kind Kind
	form *lazyregexp.Regexp
}{
	{Approve, lazyregexp.New(`(?i)\b(?:(?:un)?approv\w*|unsigned|sign(?:ed|s|ature|-off)?|signed off|consent\w*|permission|go-ahead|green light|ok|okay|yes|agree[ds]?|says? (?:go|yes|so|ok)|said (?:yes|go|so|ok)|confirm(?:s|ed|ation)?|chosen|chooses|accept(?:s|ed)?|blessing|authori[sz]\w+|decided|allow(?:s|ed)?|tells? you|told you|nod(?:s|ded)?|released by|cleared|answered|discuss\w*|second pair of eyes|four eyes|blessing|review(?:s|ed)?|reviewers?|voted|vote|(?:has|have) seen (?:it|the)|countersign\w*|go ahead|word from|asking)\b`)},
	{Answer, lazyregexp.New(`(?i)\b(?:delivered|handed in|sent out|sent off|submitted|published|reported)\b`)},
	{Callers, lazyregexp.New(`(?i)\b(?:callers?|call ?sites?|references (?:of|to)|affected code|usages?|dependents|who (?:calls|uses)|depends|users of)\b`)},
	{Check, lazyregexp.New(`(?i)\b(?:check(?:s|ed)?|verif\w+|validat\w+|compar\w+|pass(?:es|ed)?|green|healthy|clean|reconcil\w+|match(?:es|ed)?|cross-?checked|proved|confirmed by (?:a )?test|tested|audit\w*|complete|closed|consistent|balanced|counted|tallied|correct)\b`)},
	{Run, lazyregexp.New(`(?i)\b(?:run|ran|reproduc\w+|dry run|backup|executed|measur\w+|restored|built|compiles?|benchmark\w*)\b`)},
	{ReadOne, lazyregexp.New(`(?i)\b(?:read(?:ing)?|opened|open(?:ing)?|studied|seen the|looked at|look(?:ing)? at)\b`)},
	{Plan, lazyregexp.New(`(?i)\b(?:plan|outline|design|proposal|sketch)\b`)},
	{SearchDocs, lazyregexp.New(`(?i)\b(?:references?|evidence|sources?|papers?|literature|found|search\w*|looked up|documents?|citations?|clause|hypothes[ie]s|survives?|literature|quotations?|page|independent|looked? up|collected|gathered|cited?|citing|prior art|precedents?)\b`)},
	{SearchCode, lazyregexp.New(`(?i)\b(?:searched the code|code search|grep)\b`)},
}

// lifting are the kinds of what lifts a prohibition. firm tells that something surely does: "until", and no mere "without".
func lifting(cond string, firm bool) (out []Kind) {
	for _, l := range lifts {
		if l.form.MatchString(cond) {
			out = append(out, l.kind)
		}
	}
	if len(out) == 0 && firm {
		for _, k := range verbsIn(cond) {
			if k != Other && k != Answer && k != Stop && k != Write {
				out = append(out, k)
				break
			}
		}
		if len(out) == 0 && mentions(strings.ToLower(cond), personWords()) {
			out = append(out, Approve)
		}
		if len(out) == 0 {
			out = append(out, Check) // a condition that must hold
		}
	}
	if m := doneTo.FindStringSubmatch(cond); m != nil && len(out) > 1 && !strings.Contains(cond, " and ") {
		if k := verbs()[base(strings.ToLower(m[1]))]; slices.Contains(out, k) {
			return []Kind{k} // "the backup has been verified"
		}
	}
	if slices.Contains(out, Answer) {
		return []Kind{Answer}
	}
	// A plan that is approved is one gate, the approval; what was read was found before.
	if slices.Contains(out, Approve) {
		out = slices.DeleteFunc(out, func(k Kind) bool {
			return k == Plan || k == ReadOne || k == Run || k == Check && !strings.Contains(cond, " and ") || k == SearchDocs && !strings.Contains(cond, " and ")
		})
	}
	if slices.Contains(out, Callers) {
		out = slices.DeleteFunc(out, func(k Kind) bool { return k == ReadOne })
	}
	if slices.Contains(out, Check) || slices.Contains(out, ReadOne) || slices.Contains(out, Callers) {
		out = slices.DeleteFunc(out, func(k Kind) bool { return k == SearchDocs || k == Plan && len(out) > 1 })
	}
	slices.Sort(out)
	return out
}
