package procedure

import (
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/lazyregexp"
)

const (
	negation = `(?:do not|don't|does not|doesn't|never|must not|mustn't|may not|cannot|can not|can't|should not|shouldn't|shall not|won't|will not|is not to|are not to|not|no|nobody|nothing|no one|none|refrain from|hands off|avoid|hold off|under no circumstances|on no account|at no point|in no case|resist the urge to|is forbidden|are forbidden|is not permitted|is not allowed|are not allowed|off limits|prohibited)`
	limit    = `(?:before|until|till|unless|without|as long as|so long as|while|prior to|ahead of|with fewer than|with less than|except after|other than after|if (?:you|we|i|it|they|there|nobody|no one) (?:have|has|is|are|had|was|were)(?:n't| not| no| never))`
)

// What lifts a prohibition stands behind it, before it, or around it. The first form that fits is taken.
var (
	forbids  = lazyregexp.New(`(?i)\b` + negation + `\b`)
	onlyForm = lazyregexp.New(`(?i)\bonly (?:once|after|when|if|then|with|on)\b|\b(?:must|has to|have to|needs? to) wait\b|\bprecondition\b|\bprerequisite\b`)
	forms    = []*lazyregexp.Regexp{
		// Until X, do not Y. Without X there is no Y. If you have not X, do not Y.
		lazyregexp.New(`(?i)^(?:until|till|before|unless|without|as long as|so long as|while|prior to|if (?:you|we|i|it|they|nobody|no one) (?:have|has|had|is|are)(?:n't| not| never)(?: yet)?) (?P<cond>.+?)(?:, ?| then | there is | there are | )(?P<pre>(?:[^,]{0,60}? )?)` + negation + `\b(?P<act>.*)$`),
		// Only once X may you Y. Not until X, Y.
		lazyregexp.New(`(?i)^(?:and |but |it is )?(?:only (?:once|after|when|if|with)|not (?:until|before))\s+(?P<cond>.+?)(?:,\s*|\s+(?:may|can|should|do|does|must|are|is)\s+(?:you|we|one|the \w+|anything|it|i)\s+|\s+that (?:you|we) (?:may|can)\s+)(?P<act>.*)$`),
		// Y must wait for X. Wait with Y until X.
		lazyregexp.New(`(?i)^(?P<act>.*?)\b(?:must|has to|have to|needs? to|should) wait (?:for|until|till)\s+(?P<cond>.*)$`),
		lazyregexp.New(`(?i)^(?:please )?(?:wait with|hold (?:back|off)(?: with| on)?|keep back|hold|leave|keep (?:your )?hands off|keep off)\s+(?P<act>.+?)\s+(?:until|till)\s+(?P<cond>.*)$`),
		// Y stays as it is until X.
		lazyregexp.New(`(?i)^(?P<act>.*?)\b(?:stays?|remains?|is left|are left|is kept|are kept|is frozen|are frozen|is closed|is locked)\b.{0,40}?\b(?:until|till|unless|before)\s+(?P<cond>.*)$`),
		// X is a precondition of Y. X must precede Y. Y requires X. Y comes after X.
		lazyregexp.New(`(?i)^(?P<cond>.*?)\b(?:is|are) (?:a |the )?(?:precondition|prerequisite|condition)s? (?:for|of|to)\s+(?P<act>.*)$`),
		lazyregexp.New(`(?i)^(?P<cond>.*?)\b(?:must|has to|have to) (?:precede|come before)\s+(?P<act>.*)$`),
		lazyregexp.New(`(?i)^(?P<act>\S+(?: \S+){0,3}) (?:requires?|needs?|presupposes?) (?P<cond>(?:an? |the |my |your |written |prior )*(?:approv|sign|consent|permission|accepted|agreed|review).*)$`),
		lazyregexp.New(`(?i)^(?P<act>.*?)\b(?:comes?|begins?|starts?|follows?) (?:only )?(?:after|when, and only when,|once)\s+(?P<cond>.*?)(?:, never before.*)?$`),
		// Do not Y before X. No Y without X. Y without X is rejected.
		lazyregexp.New(`(?i)^(?P<pre>.*?)\b` + negation + `\b(?P<act>.*?)\b` + limit + `\b(?P<cond>.*)$`),
		lazyregexp.New(`(?i)^(?P<act>.+?) without (?P<cond>.+?) (?:is|are|will be) (?:rejected|void|worthless|not acceptable|unacceptable|sent back|not accepted|ignored|no \w+)\b.*$`),
		// No verdict for what has not been read. Nothing unsigned.
		lazyregexp.New(`(?i)^(?P<act>.*?)\b(?:whose|that|which|where|when)\b.{0,60}?\b(?:has|have|had|is|are|was|were) (?:not|never)(?: yet)?(?: been)? (?P<cond>\w+)\b(?P<more>.*)$`),
		lazyregexp.New(`(?i)^(?P<act>.*?)\b(?P<cond>un(?:signed|approved|read|tested|verified|checked|reviewed|confirmed))\b(?P<more>.*)$`),
		// You may Y only once X.
		lazyregexp.New(`(?i)^(?P<act>.*?\b(?:may|can|allowed|permitted|free to|be|is|are|write|edit|deploy|commit|answer|run|do)\b.*?)\bonly (?:once|after|when|if|with|on)\s+(?P<cond>.*)$`),
	}
)

// formLacking and the next form forbid only where something else in the sentence does.
const formLacking = 11

// another begins a further prohibition in a sentence: "no code before the plan is approved, and no merge before the tests are green".
var another = lazyregexp.New(`(?i)(?:[,;] (?:and |or |but )?|[,;]? (?:and|nor|or|but) )(?:no|never|do not|don't|nothing|nobody|neither)\b`)

// guardsOf reads the prohibitions of a sentence: of each part, where all of them are prohibitions, or of the whole.
func guardsOf(s *sentence) (out []Guard) {
	if cuts := another.Get().FindAllStringIndex(s.text, 8); len(cuts) > 0 {
		start := 0
		for _, c := range append(cuts, []int{len(s.text), 0}) {
			part := sentence{line: s.line, text: strings.TrimLeft(s.text[start:c[0]], ",; ")}
			if g, ok := guardOf(&part); ok {
				g.Text = s.text
				out = append(out, g)
			}
			start = c[0]
		}
		if len(out) == len(cuts)+1 {
			return out
		}
	}
	if g, ok := guardOf(s); ok {
		return []Guard{g}
	}
	return nil
}

// signsOfGuards are what one of the forms has: most sentences have none, and looking for it is cheaper than the forms.
var signsOfGuards = []string{"until", "till", "before", "unless", "without", "only ", "wait", "as long as", "so long as", "while", "prior to", "ahead of", "fewer than", "less than", "except after", "after", "once",
	"if ", "stay", "remain", "is left", "are left", "kept", "frozen", "locked", "closed", "condition", "prerequisite", "precede", "require", "needs", "presuppose", "never", " not ", "unsigned", "unapproved", "unread", "untested", "unverified", "unchecked", "unreviewed", "unconfirmed"}

// guardOf reads a prohibition with what lifts it.
func guardOf(s *sentence) (Guard, bool) {
	low := strings.ToLower(s.text)
	if !slices.ContainsFunc(signsOfGuards, func(sign string) bool { return strings.Contains(low, sign) }) {
		return Guard{}, false
	}
	text := strings.TrimRight(s.text, " .!")
	text = orderWords.Get().ReplaceAllString(text, "")
	for i, form := range forms {
		m := form.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		get := func(name string) string {
			if at := form.SubexpIndex(name); at >= 0 {
				return strings.TrimSpace(m[at])
			}
			return ""
		}
		act, cond := get("act"), get("cond")
		if (i == formLacking || i == formLacking+1) && !forbids.MatchString(act+" "+get("more")) {
			continue // "the branch that is never taken"
		}
		if s.orders = ""; startsWithVerb(act) && i == 1 { // "Only when X, do Y" orders Y, too
			s.orders = act
		}
		act = strings.TrimSpace(get("pre") + " " + act + " " + get("more"))
		cond = strings.TrimPrefix(cond, "un")
		deny := forbidden(act)
		if len(deny) == 0 && until.MatchString(text) && forbids.MatchString(text) {
			deny = []Kind{Write} // what it is nobody can tell: nothing is written before
		}
		firm := firmly.MatchString(text) || slices.Contains(deny, Write) || slices.Contains(deny, Run) // a claim "without" something is a matter of style
		g := Guard{Line: s.line, Text: s.text, Deny: deny, Until: lifting(cond, firm)}
		if len(g.Deny) == 0 || len(g.Until) == 0 {
			continue
		}
		return g, true
	}
	s.orders = ""
	return Guard{}, false
}

var until = lazyregexp.New(`(?i)\b(?:until|till|before|unless)\b`)

var firmly = lazyregexp.New(`(?i)\b(?:until|till|before|unless|only (?:once|after|when|if)|wait|as long as|so long as|prior to|precondition|prerequisite|precede|come before)\b`)

var orderWords = lazyregexp.New(`(?i)^(?:please|also|and|but|note that|remember(?: that|:)?|important:?|rule:?|warning:?|caution:?|never, ever|above all,?)\s+`)

// denials are words of what is forbidden, by kind, looked for in this order.
var denials = []struct {
	kind Kind
	form *lazyregexp.Regexp
}{
	{Write, lazyregexp.New(`(?i)\b(?:code|coding|edit(?:ed|s|ing)?|patch(?:es|ed|ing)?|commit(?:s|ted|ting)?|writ(?:e|es|ing|ten) (?:any |a |the |single )?(?:line|code|file|rust|function|test)\S*|chang(?:e|es|ed|ing)|touch(?:ed|es|ing)?|fix(?:es|ed|ing)?|implement\w*|delet(?:e|es|ed|ing)|remov(?:e|es|ed|ing)|renam(?:e|es|ed|ing)|refactor\w*|merg(?:e|es|ed|ing)|modif\w+|file|files|push(?:ed|es)?|migrat(?:e|ed|ing)|rewrit\w+|implementation|branch|source|config\w*|schema|tickets?|records?|text|touches|draft(?:ed|s|ing)?|translat\w+|apply|applied|port)\b`)},
	{Run, lazyregexp.New(`(?i)\b(?:deploy\w*|roll(?:ed|ing)? out|rollout|run(?:s|ning)?|execut\w+|launch\w*|start(?:ed|s|ing)?|releas\w+|ship(?:ped|s|ping)?|restart\w*|switch(?:ed|ing)? over|build|builds|experiments?|simulat\w+|benchmark\w*)\b`)},
	{Answer, lazyregexp.New(`(?i)\b(?:answer\w*|repl(?:y|ies|ied)|report\w*|quot(?:e|es|ed|ing)|stat(?:e|es|ed|ing|ement)|claim\w*|conclu\w+|summar\w+|send|sent|publish\w*|leave|leaves|number|figure|verdicts?|explanations?|advice|opinion|say|says|present\w*|return\w*|submit\w*|recommend\w*|file|post(?:ed)?|hand(?:ed)?|deliver\w*|letter|table|list|value|finding|memo|word|go(?:es)? out|quotations?|opinion|appear)\b`)},
	{Plan, lazyregexp.New(`(?i)\b(?:plan\w*|design\w*|propos\w+|outline\w*)\b`)},
	{SearchDocs, lazyregexp.New(`(?i)\b(?:search\w*|look(?:ing)? up)\b`)},
}

func forbidden(act string) []Kind {
	for _, d := range denials {
		if d.form.MatchString(act) {
			return []Kind{d.kind}
		}
	}
	kinds := verbsIn(act)
	for _, k := range kinds {
		if k != Other {
			return []Kind{k}
		}
	}
	return kinds[:min(1, len(kinds))]
}

// verbsIn are the kinds of the verbs in a text, whatever their form.
func verbsIn(s string) (out []Kind) {
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !(r == '-' || r >= 'a' && r <= 'z') }) {
		for _, base := range []string{w, strings.TrimSuffix(w, "s"), strings.TrimSuffix(w, "es"), strings.TrimSuffix(w, "d"), strings.TrimSuffix(w, "ed"), strings.TrimSuffix(w, "ing"), strings.TrimSuffix(w, "ing") + "e", doubled(strings.TrimSuffix(w, "ed")), doubled(strings.TrimSuffix(w, "ing")), strings.TrimSuffix(w, "ied") + "y", irregular()[w]} {
			if k, ok := verbs()[base]; ok && base != "" && !helpers()[w] {
				out = append(out, k)
				break
			}
		}
	}
	return out
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
	{Approve, lazyregexp.New(`(?i)\b(?:(?:un)?approv\w*|unsigned|sign(?:ed|s|ature|-off)?|signed off|consent\w*|permission|go-ahead|green light|ok|okay|yes|agree[ds]?|says? (?:go|yes|so|ok)|said (?:yes|go|so|ok)|confirm(?:s|ed|ation)?|chosen|chooses|accept(?:s|ed)?|blessing|authori[sz]\w+|decided|allow(?:s|ed)?|tells? you|told you|nod(?:s|ded)?|released by|cleared|answered|second pair of eyes|four eyes|blessing|review(?:s|ed)?|reviewers?|voted|vote|(?:has|have) seen (?:it|the)|countersign\w*|go ahead|word from|asking)\b`)},
	{Callers, lazyregexp.New(`(?i)\b(?:callers?|call ?sites?|references (?:of|to)|affected code|usages?|dependents|who (?:calls|uses)|depends|users of)\b`)},
	{Check, lazyregexp.New(`(?i)\b(?:check(?:s|ed)?|verif\w+|validat\w+|compar\w+|pass(?:es|ed)?|green|healthy|clean|reconcil\w+|match(?:es|ed)?|cross-?checked|proved|confirmed by (?:a )?test|tested|audit\w*|complete|closed|consistent|balanced|counted|tallied|correct)\b`)},
	{Run, lazyregexp.New(`(?i)\b(?:run|ran|reproduc\w+|dry run|backup|executed|measured|restored|built|compiles?|benchmark\w*)\b`)},
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
