package procedure

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A phrase is an order as its verb, its object and the rest: "look up | the limit | in the travel policy".
type phrase struct {
	low    string // the clause in lower case
	verb   string // as in verbs
	kind   Kind   // that the verb has by itself
	object []string
	head   string // the last word of the object, which names it
	rest   string // what follows the object
}

// ends of an object; an "of" ends its head alone.
var ends = words(`of in on for from with by to at into onto against about per through throughout across within inside that which who whose where when if as using until before after so because under over between via
	during unless while whether how and or but not instead according what again too first one-by-one twice up down out off away`)

var particles = words(`up down out off over in back away together through on`)

// parse reads a clause that begins with a verb.
func parse(c string) (p phrase, ok bool) {
	p.low = strings.ToLower(strings.TrimSpace(c))
	f := strings.Fields(p.low)
	n := 0
	if p.verb, p.kind, n = verbAt(f); n == 0 {
		return phrase{}, false
	}
	i := n
	for ; i < len(f) && !strings.ContainsAny(f[i-1][len(f[i-1])-1:], ",;:") && !strings.HasPrefix(f[i], "("); i++ {
		w := strings.Trim(f[i], ",;:.)\"'")
		if ends()[w] {
			break
		}
		p.object = append(p.object, w)
	}
	if len(p.object) > 0 {
		p.head = strings.TrimSuffix(strings.TrimSuffix(p.object[len(p.object)-1], "'s"), "’s")
		if i < len(f) && n == 1 && particles()[f[i]] { // "look the company up"
			if k, known := verbs()[p.verb+" "+f[i]]; known {
				p.verb, p.kind = p.verb+" "+f[i], k
				i++
			}
		}
	}
	p.rest = strings.Join(f[i:], " ")
	return p, true
}

// verbAt gives the verb with which the words begin, its kind, and of how many words it is: 0: they begin with none.
func verbAt(f []string) (string, Kind, int) {
	for n := min(3, len(f)); n > 0; n-- {
		w := strings.Trim(strings.Join(f[:n], " "), ",:.;()\"'!?")
		if k, ok := verbs()[w]; ok {
			return w, k, n
		}
	}
	return "", "", 0
}

func (p *phrase) is(verbs string) bool {
	for v := range strings.FieldsSeq(verbs) {
		if strings.ReplaceAll(v, "_", " ") == p.verb {
			return true
		}
	}
	return false
}

func (p *phrase) has(set func() map[string]bool) bool { return mentions(p.low, set()) }

// about reports that the object is one of a set.
func (p *phrase) about(set func() map[string]bool) bool { return set()[p.head] }

// it reports an object that the text named before, or none.
func (p *phrase) it() bool {
	return p.head == "" || p.head == "it" || p.head == "them" || p.head == "this" || p.head == "that" || p.head == "one" || p.head == "these" || p.head == "those"
}

// takesUp is what a person does with a thing before deciding about it.
const takesUp = `(?:then )?[a-z]+s? (?:(?:over|at|through) )?(?:it|this|them|that \w+|the \w+)(?: and)?`

const approvals = `(?:pre-?)?approv(?:e|es|ed|al|als)|(?:counter)?sign(?:ed)?[ -]?off|signs off|(?:counter-?)?sign(?:ed|ature|atures)|consent|permission|go-ahead|green light|my ok|(?:an|the|her|his|their|our|'s) ok|okay|for ok|yes|thumbs[ -]up|blessing|confirmation|confirm with|authori[sz](?:ation|ed)|agreement|clearance|acks?|endorse(?:d|ment)|nod|assent`

var (
	approval     = lazyregexp.New(`(?i)\b(?:` + approvals + `)\b`)
	votes        = lazyregexp.New(`(?i)\b(?:choose|decide|vote|approve|pick|sign)\b`)
	forReview    = lazyregexp.New(`(?i)^(?:ask|request)(?: \w+)? for (?:a |an |the )?(?:\w+ )?(?:review|feedback|comments?|decision)\b`)
	forDecision  = lazyregexp.New(`(?i)\bfor (?:\w+ )?(?:` + approvals + `|review|comments?|decision|a decision|feedback|release|inspection|adoption|checking)\b`)
	choice       = lazyregexp.New(`(?i)\b(?:choose|decide|decision|approve|confirm|sign|pick|agree|select|review|look at|check|say|vote|chosen|reviewed|confirmed|released|accepted|cleared|countersigned)\b`)
	agreedBy     = lazyregexp.New(`(?i)\b(?:have|has) (?:\w+ )?(?:agreed|decided|chosen|answered|replied|accepted|released|voted|confirmed|looked|picked|responded)\b|\b(?:decision|answer|reply|choice|feedback|comments)\b`)
	withPerson   = lazyregexp.New(`(?i)\bwith (?:me|us)\b|\b(?:with|by|past) (?:the |a |an |my |our |your |all )?(?:\w+ ){0,2}\w+$`)
	asksTool     = lazyregexp.New(`(?i)\b(?:server|graph|index|tool|database|search|compiler|shell|system|debugger)\b`)
	asksWhat     = lazyregexp.New(`(?i)\b(?:which|whether|if|to (?:choose|decide|approve|confirm|pick|sign|agree|select|say)|for (?:a|an|the|her|his|their|my|our)? ?(?:decision|choice|ok))\b`)
	toPerson     = lazyregexp.New(`(?i)\b(?:to|before|past|among|with) (?:me|us|the|a|an|my|our|your|all|both|each)\b`)
	whatOf       = lazyregexp.New(`(?i)\b(?:what|how) (?:you|we|i) (?:intend|plan|propose|want|mean|are going|would|will)\b|\bhow (?:\w+ ){1,5}(?:is|are) to be \w+`)
	whoUses      = lazyregexp.New(`(?i)\b(?:who (?:else )?(?:\w+ )?(?:calls?|uses?|reads?|depends?|rel(?:y|ies)|imports?|invokes?|touch(?:es)?|implements?|instantiates?|consumes?|extends?)|callers?|callees?|call ?(?:sites?|graph|hierarchy|chain|tree)|references (?:to|of)|(?:the|all|its|their) references|definitions?\b|(?:where .{1,40} )?defined|depend[ae]nts|(?:what|which (?:\w+ ){0,2}\w+) (?:else )?(?:calls?|uses?|depends?|reads?|imports?|invokes?|touch(?:es)?)|depends? on|rel(?:y|ies) on|inherits?|subclass(?:es)?|overrides|implementations of|usages?|uses of|(?:everything|anything|all|every|each|functions?|code|packages?|modules?|class(?:es)?|files?|services?|tests?|places?)(?: \w+)? (?:that|which) (?:call|use|read|import|invoke|reference|depend|extend)s?(?: on)?)\b`)
	lookedFor    = lazyregexp.New(`(?i)\bto (?:see|find|learn|check) `)
	manner       = lazyregexp.New(`(?i)^(?:write (?:for|in|as|like|to the point|plainly|briefly)\b|follow (?:the|this|these) (?:below|above|following|order|steps?|procedure|list|instructions)\b)`)
	goBack       = lazyregexp.New(`(?i)^(?:(?:go|start|come|jump|return) (?:back|over|again|to (?:step|the (?:start|beginning|top)))|repeat|back to|continue|proceed)\b`)
	against      = lazyregexp.New(`(?i)\bagainst (?:the|its|our|your|their|this|that|these|those|each|every)\b.*(?:lists?|criteria|criterion|standards?|specifications?|spec|requirements?|template|rules|limits?|values|register|records?|clauses?)$`)
	endWith      = lazyregexp.New(`(?i)^(?:finish|end|close|conclude|stop) (?:with|by) (?:a|an|the|one|your|\w+ing)\b`)
	makeChange   = lazyregexp.New(`(?i)^(?:make|do|carry out|perform) (?:(?:the|a|an|your|this|that|all|these|those) )?(?:\w+ )?(?:changes?|edits?|fix|fixes|patch|commits?|corrections?)\b|^(?:take (?:it|them|out|the \w+ out)|(?:open|raise|create) (?:\w+ ){0,3}(?:pull|merge) request|open (?:the|your|an) (?:editor|ide)|open (?:a|an|one) (?:\w+ )?(?:pr|issue|ticket|branch)|leave .{3,60} as an? )\b`)
	withCommand  = lazyregexp.New("(?i)\\b(?:with|using|by|through|via|use) `[^`]+`|^[\\w ]+: `[^`]+`$")
	seeWho       = lazyregexp.New(`(?i)^(?:see|check|note|list|work out|determine|identify|find out|find|look|establish) (?:who|what|which \w+|everything that|everyone who)(?: else)? (?:\w+ )?(?:calls?|uses?|touch(?:es)?|reads?|depends?|rel(?:y|ies)|imports?|invokes?)\b`)
	decideIf     = lazyregexp.New(`(?i)^(?:(?:judge|consider|assess|evaluate|see|ask yourself)(?: for (?:each|every) [\w ]{1,30}?)?|look) (?:whether|if)\b`)
	lookIn       = lazyregexp.New(`(?i)^(?:check|see|look) (?:in(?:to|side)?|through|(?:in )?the (?:manual|docs?|documentation|policy|literature|standard|spec|wiki|archive|knowledge base|handbook|guidelines?|literature|faq|history|tracker|records?))\b(?:.*\b(?:for|whether|what|which|how)\b)?`)
	commandLine  = lazyregexp.New("`[^`]{2,}`")
	fileName     = lazyregexp.New("(?i)\\b(?:in|to|as|into|under|on) `[^`]+\\.\\w+`|`[^`]+\\.(?:md|csv|txt|tex|json|ya?ml|toml|bib|rst|tsv)`")
	inSource     = lazyregexp.New(`(?i)\bsource (?:code|tree|files?)\b|\bin (?:the|our) sources?(?:$|[,.;:)])`)
	otherCode    = lazyregexp.New(`(?i)\b(?:building|civil|penal|criminal|tax|commercial|dress|labou?r|country|area|post(?:al)?|zip) code\b|\bcode of\b`)
	elsewhere    = lazyregexp.New(`(?i)\b(?:from|in|to|into|on|at) (?:the |our |my )?(?:\w+ )?(?:console|calendar|crm|erp|portal|dashboard|inbox|mailbox|register|bank|fridge|freezer|bath|oven|tank|accounting|payroll|directory|queue|waiting list)\b`)
	identifier   = lazyregexp.New("`[^` ]*[_.:()@A-Z][^` ]*`|`(?:git )?grep|\\brg\\b")
	inTable      = lazyregexp.New(`(?i)\b(?:in|into|as) (?:a|the) (?:\w+ )?(?:table|list|spreadsheet)\b`)
	drawn        = lazyregexp.New(`(?i)^draw (?:the|a|an) (?:\w+ )?(?:map|plot|curve|figure|diagram|histogram|graph|chart|spectrum)`)
	physical     = lazyregexp.New(`(?i)^(?:give|send|hand|return|hand over|give back) (?:the|a|an|\d+|each|one) (?:\w+ )?(?:sample|samples|badge|laptop|key|keys|dose|mg|ml|parcel|specimen|device|blood)\b`)
	weakly       = `list state explain describe quote say tell give comment cite note claim declare recommend announce`
	placeVerbs   = `search grep browse query scan survey consult comb trawl scour mine go_through look_through go_over look_in look_into leaf_through check_in look check see google research`
	makers       = `write make produce prepare create compose compile generate provide put_together draft draw_up set_out set_up note_down write_down output deliver formulate fill work_out agree give list sketch map`
	alterations  = `change add create update rename delete remove merge move replace insert convert append apply restore extend fill fill_in correct adjust translate edit open touch cut trim annotate repair fix squash tag`
	vague        = `add create update change delete remove move replace apply merge insert adjust restore open`
	handings     = `show present send submit hand hand_over give bring pass forward circulate deliver put mail email post take distribute`
	acquisitions = `get obtain have seek request ask collect secure wait await gain make let invite need`
)

// decisions are idioms for having a person decide; the first two must name one.
var decisions = [...]*lazyregexp.Regexp{
	lazyregexp.New(`^(?:run|put|take|walk|talk) (?:it|them|this|that|the|your|both|all)\b.* (?:past|by|to|before|through with)\b`),
	lazyregexp.New(`^(?:have|let|get) .+ (?:(?:counter)?sign|release|approve|decide|clear|confirm|choose|pick|agree)\b|^(?:have|get) .+ (?:checked|reviewed|read|signed|approved|released|confirmed) by\b|^leave .+ to\b`),
	lazyregexp.New(`^(?:pause|stop|halt|hold)\b.* (?:for (?:my|the|an?|his|her|their) (?:` + approvals + `|word|answer|reply|decision)|and (?:ask|wait for) (?:me|us|the))\b`),
}

// kindOf reads a clause. ok is false when it tells nobody to do anything; weak when it only ends a text that has nothing else to do.
func kindOf(c string, s sentence) (kind Kind, weak, ok bool) {
	p, ok := parse(c)
	if !ok {
		return nominal(strings.ToLower(c), s)
	}
	if strings.HasPrefix(p.low, "do not ") || p.head == "nothing" || manner.MatchString(p.low) {
		return "", false, false
	}
	if goOf.MatchString(p.low) {
		return Approve, false, true
	}
	if nounLike()[p.verb] && !startsWithVerb2(p.low) {
		if m := decides.FindStringSubmatch(p.low); m != nil && mentions(m[1], personWords()) {
			return Approve, false, true // "change manager signs it"
		}
	}
	if asked, weak := p.asksPerson(); asked {
		return Approve, weak, true
	}
	for i, form := range decisions {
		if form.MatchString(p.low) && (i == 2 || p.has(personWords)) {
			return Approve, false, true
		}
	}
	switch {
	case goBack.MatchString(p.low) && !(p.verb == "repeat" && (p.about(measured) || verbs()[base(p.head)] == Run || verbs()[base(p.head)] == Write)):
		return Other, false, true
	case p.verb == "repeat" && verbs()[base(p.head)] == Write:
		return Write, false, true
	case p.verb == "repeat", p.verb == "take" && p.about(measured), p.verb == "make" && p.about(measured), drawn.MatchString(p.low):
		return Run, false, true
	case endWith.MatchString(p.low):
		return Answer, false, true
	case makeChange.MatchString(p.low):
		return Write, false, true
	case withCommand.MatchString(p.low) && p.kind != Write && p.kind != Answer && p.kind != ReadOne && p.kind != Plan && p.kind != Check || p.is(`use run call`) && commandLine.MatchString(p.low):
		return Run, false, true
	case decideIf.MatchString(p.low) && p.kind != SearchDocs, p.is("look") && decideIf.MatchString(p.low):
		return Check, false, true
	case p.callers():
		return Callers, false, true
	case p.kind != Check && p.kind != Write && p.kind != Run && against.MatchString(p.low):
		return Check, false, true // "screen the titles against the list"
	case lookIn.MatchString(p.low) && (p.is("check see look_in look_into look_through look check_in") && p.has(docWords) || p.is("look")):
		return p.where(), false, true
	case p.is(makers):
		if kind, weak, ok := p.made(s); ok {
			return kind, weak, true
		}
	}
	switch kind = p.kind; kind {
	case SearchDocs:
		switch {
		case p.is(`go_through go_over work_through`) && sideOf(p.place()) != SearchDocs && !lookedFor.MatchString(p.low), p.is(`pull`) && !p.has(docWords), p.is("gather collect get_hold_of") && !p.about(docWords) && !p.has(docWords), p.verb == "scan" && !strings.Contains(p.rest, "for "):
			return Other, false, true
		}
		return p.where(), false, true
	case ReadOne:
		if p.about(wares) && !p.is(`retrieve fetch read`) && p.head != "values" && p.head != "columns" || p.about(personWords) && p.is("examine inspect view study") {
			return Other, false, true
		}
	case Plan:
		if p.verb == "suggest" && strings.HasSuffix(strings.Fields(p.low + " x")[1], "ing") {
			return Other, false, true
		}
	case Write:
		if p.is(alterations) && (p.about(wares) || elsewhere.MatchString(p.low)) && !commandLine.MatchString(p.low) {
			return Other, false, true
		}
		known := p.it() && p.verb != "apply" || p.has(codeWords) || p.has(docWords) || p.has(texts) || p.has(planWords) || p.has(edits) || commandLine.MatchString(p.low)
		return Write, p.is(vague) && !known, true
	case Run:
		if p.is("release") && (p.about(docWords) || p.about(texts)) {
			return Answer, false, true
		}
		if p.is("start launch kick_off fire_up spin_up trigger release ship boot install") && !p.about(programs) && !(p.it() && !p.is("start install")) && !commandLine.MatchString(p.low) || p.is("execute carry_out") && p.about(wares) {
			return Other, false, true
		}
	case Answer:
		if physical.MatchString(p.low) || p.about(wares) && p.is("give send send_off send_back return hand hand_over hand_back post deliver submit") {
			return Other, false, true
		}
		if p.is("write_up summarise summarize sum_up describe list state explain") && fileName.MatchString(p.low) {
			return Write, false, true
		}
		return Answer, p.is(weakly), true
	case Other:
		switch {
		case p.verb == "follow" && p.about(docWords):
			return ReadOne, false, true
		case p.verb == "get" && p.about(docWords):
			return ReadOne, false, true
		case p.is("write_down note_down set_down save enter mark record store log") && fileName.MatchString(p.low):
			return Write, false, true
		case p.verb == "say" && !strings.HasPrefix(p.rest, "so") && p.head != "so":
			return Answer, true, true
		}
	}
	return kind, false, true
}

// made reads what is written or made.
func (p *phrase) made(s sentence) (kind Kind, weak, ok bool) {
	planned := p.about(planWords) || strings.HasPrefix(p.rest, "of ") && mentions(strings.Join(p.object, " "), planWords()) || strings.Contains(p.rest, "in the design") || whatOf.MatchString(p.low) || strings.Contains(p.low, "`plan")
	switch {
	case p.it() && mentions(strings.ToLower(s.topic), planWords()):
		return Plan, false, true
	case planned && !p.is("fill give list output deliver"):
		return Plan, false, true
	case p.verb == "write" && inTable.MatchString(p.low) && !fileName.MatchString(p.low):
		return Other, false, true // for one's own use
	case p.is("write_down note_down"), p.verb == "draft":
		return "", false, false
	case p.about(texts) && !strings.HasSuffix(p.low, "`") && !fileName.MatchString(p.low):
		return Answer, p.verb != "fill" && p.head == "table" || p.head == "list" || p.head == "note" || p.head == "matrix" || p.head == "overview" || p.verb == "give" || p.verb == "list", true
	case p.verb == "list" && p.has(codeWords):
		return SearchCode, false, true
	case p.is("give output deliver list"):
		return Answer, true, true
	case p.verb == "compile" && !p.it() && !p.has(codeWords) && !p.about(programs):
		return Other, false, true
	}
	return "", false, false
}

// asksPerson reports an order to have a person confirm or choose. It is weak where something is only shown: at the end of a text that is the answer.
func (p *phrase) asksPerson() (yes, weak bool) {
	person := p.has(personWords)
	switch {
	case p.is("approve await"), p.is(acquisitions) && approval.MatchString(p.low):
		return true, false
	case p.verb == "wait":
		return person || agreedBy.MatchString(p.low), false
	case p.is("ask request") && forReview.MatchString(p.low), whoDecide.MatchString(p.low):
		return true, false
	case p.is("ask"):
		return !p.callers() && (person && !strings.HasPrefix(p.rest, "for ") || asksWhat.MatchString(p.rest) || asksWhat.MatchString(strings.Join(p.object, " "))) && !asksTool.MatchString(strings.Join(p.object, " ")), false
	case p.is("let have get invite"):
		return choice.MatchString(p.low) && (person || p.verb == "let" && votes.MatchString(p.low) || p.verb == "have" && strings.Contains(p.low, "ed by ")), false
	case p.is("confirm clear agree discuss check coordinate settle") && person && withPerson.MatchString(p.low) && !p.is("check") || p.is("check confirm") && strings.Contains(p.low, " with ") && mentions(p.low[strings.Index(p.low, " with "):], deciders()):
		return true, false
	case !p.is(handings):
		return false, false
	case forDecision.MatchString(p.low), approval.MatchString(p.rest) && person:
		return true, false
	case p.verb == "show":
		return person, true
	}
	handed := p.it() || p.about(planWords) || mentions(strings.Join(p.object, " "), handedOver()) || p.about(personWords) && mentions(p.rest, planWords())
	to := toPerson.FindString(p.low)
	return handed && to != "" && (strings.HasSuffix(to, " me") || strings.HasSuffix(to, " us") || mentions(p.low[strings.Index(p.low, to):], deciders())), true
}

// edits are what changes of code and texts are called.
var edits = words(`fix fixes patch patches change changes edit edits correction corrections draft branch commit version line lines tag tags release`)

// handedOver is what is handed to somebody for a decision.
var handedOver = words(`draft drafts plan plans proposal design outline sketch version wording question matter decision case`)

// callers reports a question for callers, references, definitions or dependents.
func (p *phrase) callers() bool {
	switch {
	case p.kind == Write && p.verb != "fill", p.kind == Run, p.kind == Plan, p.is("read note write_down decide explain tell report give return summarise summarize describe classify rank sort"),
		!whoUses.MatchString(p.low), p.kind == Check && !seeWho.MatchString(p.low):
		return false
	case p.kind == Answer:
		return p.verb == "list"
	}
	for _, part := range []string{p.place(), headOf(strings.Join(p.object, " "))} {
		if code, docs := places(part); docs && !code && p.head != "references" {
			return false // "look up in the statutes who inherits", "find every clause that uses the term"
		}
	}
	return true
}

// place is the part of a clause that tells where to look.
func (p *phrase) place() string {
	var out []string
	if p.is(placeVerbs) {
		out = append(out, p.object...)
	}
	f := strings.Fields(p.rest)
	in := false
	for _, w := range f {
		bare := strings.Trim(w, ",;:.()")
		switch bare {
		case "in", "within", "inside", "across", "through", "throughout", "from", "on", "at", "into", "over":
			in = true
		default:
			if ends()[bare] && bare != "and" && bare != "or" && bare != "of" {
				in = false
			}
			if in {
				out = append(out, bare)
			}
		}
	}
	return strings.Join(out, " ")
}

// where tells a search of code from one of documents: by the place, by what is looked for, by the rest; what tells neither is one of documents for now (settle).
func (p *phrase) where() Kind {
	_, target, ok := strings.Cut(" "+p.rest, " for ")
	if !ok {
		target = strings.Join(p.object, " ")
	}
	for _, part := range []string{p.place(), headOf(target), p.low} {
		if k := sideOf(part); k != "" {
			return k
		}
	}
	return SearchDocs
}

// headOf is the noun that names a thing: "the function that parses the header" is a function.
func headOf(s string) string {
	head := ""
	for w := range strings.FieldsSeq(s) {
		bare := strings.Trim(w, ",;:.()\"")
		if ends()[bare] {
			break
		}
		head = bare
	}
	return strings.TrimSuffix(head, "'s")
}

// sideOf is the search that the words of a text speak for, or "".
func sideOf(s string) Kind {
	switch code, docs := places(s); {
	case code && !docs, strings.Contains(s, "codebase"), strings.Contains(s, "code base"), inSource.MatchString(s):
		return SearchCode
	case docs && !code:
		return SearchDocs
	}
	return ""
}

// places reports words of code and of documents.
func places(low string) (code, docs bool) {
	c, d := tally(low)
	return c > 0, d > 0
}

// settle decides what a clause alone does not tell: where a search looks (as the search before it, else as the title above it and most of the text), and whether what is
// told or shown is the end.
func (r *Reading) settle(text string) {
	most := SearchDocs
	c, d := tally(strings.ToLower(text))
	if c > d {
		most = SearchCode
	}
	r.papers = c < d && !strings.Contains(text, "`")
	last, title := len(r.Steps)-1, ""
	for last >= 0 && (r.Steps[last].Kind == Answer || r.Steps[last].Kind == Other || r.Steps[last].Kind == Stop || r.Steps[last].Kind == Approve) {
		last--
	}
	for i := range r.Steps {
		st := &r.Steps[i]
		if st.title != title {
			title = st.title
			if k := sideOf(strings.ToLower(title)); k != "" {
				most = k
			}
		}
		p, _ := parse(st.Text)
		switch {
		case st.Kind == Approve && st.weak && i == len(r.Steps)-1:
			st.Kind = Answer // shown, and nothing after it
		case st.Kind == Write && st.weak && r.papers:
			st.Kind = Other // "create the vendor", in a text that is not about code
		case st.made && (i < last || slices.ContainsFunc(r.Steps[i+1:], func(later Step) bool {
			return later.Kind == Answer && !later.weak || later.Kind == Approve && later.weak
		})):
			st.Kind = Write // a draft of what is sent
		case st.Kind == Answer && st.weak && i < last:
			st.Kind = Other
		case st.Kind == Callers && c == 0:
			st.Kind = SearchDocs
		case st.Kind == Callers:
			most = SearchCode
		case st.Kind != SearchDocs && st.Kind != SearchCode:
		case identifier.MatchString(st.Text):
			st.Kind = SearchCode
		case st.Kind == SearchCode, sideOf(p.low) != "" || sideOf(p.place()) != "":
			most = st.Kind
		default:
			st.Kind = most
		}
	}
}

// tally counts the words of code and of documents.
func tally(low string) (code, docs int) {
	if strings.Contains(low, " code") && otherCode.MatchString(low) {
		low = otherCode.Get().ReplaceAllString(low, "law")
	}
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool { return !(r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }) {
		switch {
		case codeWords()[w]:
			code++
		case docWords()[w] && w != "file" && w != "files" && w != "source":
			docs++
		}
	}
	return code, docs
}

var article = lazyregexp.New(`(?i)^(?:the|a|an|any|your|our|this|that|these|those) `)

func mentions(low string, set map[string]bool) bool {
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool { return !(r == '-' || r >= 'a' && r <= 'z') }) {
		if set[w] {
			return true
		}
	}
	return false
}

var (
	mustHold   = lazyregexp.New(`(?i)\b(?:must|has to|have to|should|needs? to|shall)\b(?: not)? (?:be|hold|match|agree|fail|pass|have|contain|show|fit|equal|come|stay|give|name|carry|stand)\b|\b(?:none|nothing) (?:may|must) be left\b`)
	decides    = lazyregexp.New(`(?i)^((?:[\pL\d-]+ ){0,5}?[\pL\d-]+) (?:(?:both |then |all )?(?:must|has to|have to|should|needs? to|will|` + takesUp + `) )?(?:both |then |all |first )?(?:signs?|approves?|says? (?:go|yes|ok)\b|decides?|chooses?|picks?|consents?|countersigns?|votes?)(?: .*)?$`)
	reviews    = lazyregexp.New(`(?i)^((?:[\pL\d-]+ ){0,5}?[\pL\d-]+) (?:(?:both |then )?(?:must|has to|have to|should|needs? to|will|` + takesUp + `) )?(?:then )?(?:agrees?|confirms?|reviews?|comments?|looks?(?: at| over)?|accepts?)(?: .*)?$`)
	gives      = lazyregexp.New(`(?i)^([\pL\d-]+(?: [\pL\d-]+){0,3})(?: \S+){0,12}? (?:gives?|grants?) (?:\w+ ){0,2}(?:` + approvals + `)\b`)
	approvedBy = lazyregexp.New(`(?i)\b(?:be|is|are|gets?) (?:approved|signed(?: off)?|countersigned|confirmed|accepted|agreed|authori[sz]ed|released|cleared|reviewed|endorsed) by\b`)
	actor      = lazyregexp.New(`^((?:the|an?|one|our|each) (?:[\pL\d-]+ ){0,2}?[\pL\d-]+) (\w+s)( (?:the|an?|one|two|each|every|all|it|them|its|their|for|in|through|whether|that)\b.*)$`) // "a second librarian checks one chart in five"
	isToBe     = lazyregexp.New(`(?i)^((?:[\pL\d-]+ ){0,6}?[\pL\d-]+) (?:must|has to|have to|shall|should|is to|are to|needs? to) be (?:then |also |always |now )?(\w+)( .*)?$`)            // "the figures are to be checked"
	whoDecide  = lazyregexp.New(`(?i)\b(?:to|by|with) (?:the |our |my |a )?[\w ]{2,30}, (?:who|which) (?:then )?(?:decides?|approves?|signs?|chooses?|picks?)\b`)
	isDoneItem = lazyregexp.New(`^((?:[\w-]+ ){0,3}[\w-]+) (\w+ed|written|sent|built|run|read|found|drawn)((?: (?:in|on|by|to|from|into|with|for|as) .+)?)$`)
	askedWho   = lazyregexp.New(`(?i)^(?:who|what) (?:else )?(?:calls?|uses?|depends?|imports?|reads?)\b`)
	named      = lazyregexp.New(`(?i)^[\w /-]{2,30}: (.+)$`)
	ofThis     = lazyregexp.New(`^(?:i|we) (?:\w+ )?(?:\w+|look (?:at|over)) (?:it|this|that|the|your|them|these)\b`)
	notAtAll   = lazyregexp.New(`(?i)\b(?:not|n't|no)\b`)
	stateOf    = lazyregexp.New(`(?i)\b(?:green|pass(?:es)?|quiet|clean|empty|up to date|signed|attached|checked|present|complete|shows?|has an?|have an?|matches|agrees)\b`)
	bumped     = lazyregexp.New(`(?i)\b(?:bumped|updated|written|added|changed|renamed|removed|merged|committed|edited|fixed)$`)
	goOf       = lazyregexp.New(`(?i)^(?:(?:written |explicit |final )*(?:go|ok|approval|sign-?off|signature|consent|yes|green light|permission))(?: in writing)? (?:from|of|by)\b`)
	planned    = lazyregexp.New(`(?i)^(?:[\w-]+ ){0,3}(?:plan|outline|design|proposal|sketch):`)
	finally    = lazyregexp.New(`(?i)^(?:(?:i|we) (?:want|need|would like|expect) |the (?:answer|result|output) is )?(?:a|an|one) (?:\w+ ){0,2}(?:table|list|report|summary|matrix|memo|paragraph|overview)\b(?:.*\b(?:at the end|with|of|per)\b|:)`)
	unknownAct = lazyregexp.New(`^[A-Z]?[a-z]+(?:-[a-z]+)? (?:(?:off|on|out|up|down|away|back|in|over|aside) )?(?:the|a|an|each|all|every|your|this|these|it|them|both|any|one|two|three|its|their|that)\b`)
	finite     = lazyregexp.New(`(?i)^\S+ (?:\S+ ){0,6}?(?:is|are|was|were|has|have|must|may|can|takes?|needs?|means?|should|will|does|do)\b`)
)

// nominal reads what has no order in it: items of checklists ("tests green", "approval of the owner"), what a person does, and what must hold.
func nominal(low string, s sentence) (kind Kind, weak, ok bool) {
	does := func(form *lazyregexp.Regexp, anybody bool) bool {
		m := form.FindStringSubmatch(low)
		return m != nil && !notAtAll.MatchString(m[1]) && (anybody || mentions(m[1], personWords()) || m[1] == "they" || m[1] == "she" || m[1] == "he" || (m[1] == "i" || m[1] == "we") && ofThis.MatchString(low))
	}
	switch {
	case does(decides, true), does(reviews, false), does(gives, false), approvedBy.MatchString(low) && mentions(low, personWords()), whoDecide.MatchString(low), goOf.MatchString(low):
		return Approve, false, true
	case finally.MatchString(low):
		return Answer, true, true
	case actor.MatchString(low):
		if m := actor.FindStringSubmatch(low); mentions(m[1], personWords()) && base(m[2]) != "" {
			if kind, weak, ok := kindOf(base(m[2])+m[3], s); ok && kind != Other && kind != Stop {
				return kind, weak, true
			}
		}
		return "", false, false
	case isToBe.MatchString(low):
		if m := isToBe.FindStringSubmatch(low); base(m[2]) != "" && !notAtAll.MatchString(low) {
			if kind, weak, ok := kindOf(base(m[2])+" the "+article.Get().ReplaceAllString(m[1], "")+m[3], s); ok && kind != Approve && kind != Stop && kind != Other {
				return kind, weak, true
			}
		}
		return Check, !s.listed, mustHold.MatchString(low)
	case mustHold.MatchString(low) && !strings.Contains(low, "you must"):
		return Check, !s.listed, true
	case !s.item:
		return "", false, false
	case askedWho.MatchString(low):
		return Callers, false, true
	case strings.HasPrefix(low, "no ") || strings.HasPrefix(low, "zero "):
		return Check, false, true
	case planned.MatchString(low):
		return Plan, false, true
	case bumped.MatchString(low):
		return Write, false, true
	case stateOf.MatchString(low) && !notAtAll.MatchString(low) && !commandLine.MatchString(low):
		return Check, false, true
	}
	if word, _, _ := strings.Cut(low, " "); strings.HasSuffix(word, "ing") && base(word) != "" && !finite.MatchString(low) {
		return kindOf(base(word)+low[len(word):], s) // "programming in Python"
	}
	if m := isDoneItem.FindStringSubmatch(low); m != nil && base(m[2]) != "" { // "column names documented in the readme"
		if kind, weak, ok := kindOf(base(m[2])+" the "+m[1]+m[3], s); ok && kind != Approve && kind != Stop {
			return kind, weak, true
		}
	}
	if commandLine.MatchString(low) {
		return Run, false, true
	}
	if m := named.FindStringSubmatch(low); m != nil && !s.labelled {
		s.labelled = true
		return nominal(m[1], s) // "peer review: a colleague confirms it"
	}
	if word, _, _ := strings.Cut(low, " "); !ends()[word] && unknownAct.MatchString(low) && !finite.MatchString(low) {
		return Other, false, true
	}
	return "", false, false
}
