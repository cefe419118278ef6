package procedure

import (
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

var (
	asksPerson   = lazyregexp.New(`(?i)\b(?:approv(?:e|ed|al)|sign(?:ed)?[ -]?off|sign(?:ed|ature)?|consent|permission|go-ahead|green light|my ok|for (?:an )?ok|yes|blessing|confirmation|confirm with|authori[sz]ation|agreement)\b`)
	letChoose    = lazyregexp.New(`(?i)^(?:let|have|ask|get|invite)\b.*\b(?:choose|decide|approve|confirm|sign|pick|agree|select|review|look|check|say)\b`)
	showPerson   = lazyregexp.New(`(?i)^(?:show|present|send|submit|hand|give|bring|pass)\b.*\b(?:to|for)\b`)
	makePlan     = lazyregexp.New(`(?i)^(?:write|draft|make|prepare|create|sketch|produce|draw up|put together|propose|set out|note down|compose|formulate|agree on|work out)\b.{0,60}?\b(?:plan|outline|design|proposal|sketch|approach|roadmap|strategy|concept)\b`)
	finalText    = lazyregexp.New(`(?i)^(?:write|produce|make|prepare|create|compose|give|put together|compile|provide|output|deliver|end with|finish with|close with|conclude with)\b.{0,50}?\b(?:answer|report|summary|conclusion|verdict|memo|table|list|reply|overview|recommendation|statement|explanation|assessment|review|evaluation|briefing)\b`)
	makeSure     = lazyregexp.New(`(?i)^(?:make (?:sure|certain)|(?:judge|consider|assess) (?:whether|if|for each)|see (?:that|whether|if)|be sure|test (?:that|whether|if)|look whether|find out whether|count|hold|watch|test for|make a comparison)\b`)
	goBack       = lazyregexp.New(`(?i)^(?:go|start|return|come|jump) (?:back|over|again|on|to step)\b|^repeat\b|^back to\b|^continue\b|^proceed\b`)
	lookUp       = lazyregexp.New(`(?i)^(?:look (?:up|for|in|into|through)|find out|go through|go over|search|find|locate|consult|browse|dig|check (?:in|the (?:manual|docs?|documentation|policy|literature|standard|spec)))\b`)
	lookAt       = lazyregexp.New(`(?i)^(?:look (?:at|over)|take a look|go to|turn to|open|read|study)\b`)
	whoUses      = lazyregexp.New(`(?i)\b(?:who (?:else )?(?:calls|uses|depends|relies|reads|imports|invokes)|callers?|call ?sites?|references (?:to|of)|the references|definitions?\b|defined|dependents|who .{0,20}calls|what (?:calls|uses|depends|reads)|depends? on|rel(?:y|ies) on|inherits?|subclass(?:es)?|implementations of|usages? of|uses of|(?:everything|anything|all|every \w+|functions?|code) (?:that|which) (?:reads|calls|uses|imports|depends|call|use|references))\b`)
	asksSomebody = lazyregexp.New(`(?i)^ask (?:the|a|my|our|your) \w+(?: \w+)? (?:to|which|whether|for|if|what|how)\b`)
	asksTool     = lazyregexp.New(`(?i)\b(?:server|graph|index|tool|database|search|model|compiler|shell|system)\b`)
	endWith      = lazyregexp.New(`(?i)^(?:finish|end|close|conclude) (?:with|by)\b`)
	makeChange   = lazyregexp.New(`(?i)^(?:make|do) (?:the|a|your|this|that|all) (?:\w+ )?(?:changes?|edits?|fix|fixes|patch|commit)\b|^take (?:it|them|out|the \w+ out)\b`)
	withCommand  = lazyregexp.New("(?i)\\b(?:with|using|by|through|via) `[^`]+`")
	seeWho       = lazyregexp.New(`(?i)^(?:see|check|note|list|work out|determine|identify|find out) (?:who|what|which \w+|everything that|everyone who)(?: else)? (?:\w+ )?(?:calls?|uses?|touch(?:es)?|reads?|depends?|relies|imports?)\b`)
	atCode       = lazyregexp.New(`(?i)^look (?:at|into|through|in) (?:the |our |this )?(?:source )?(?:code|source|sources|repository|repo|codebase|code base)$`)
	notDo        = lazyregexp.New(`(?i)^do(?: not|n't)\b`)
	presents     = lazyregexp.New(`(?i)^(?:show|present|submit|send|hand|give|bring) (?:me |us )?(?:the |a |your |this |that |it\b)(?:.{0,30}?\b(?:plan|design|draft|proposal|outline|sketch|list)\b)?.{0,30}?\b(?:to|for)\b.*\b(?:me|us|owners?|approval|consent|sign-?off|reviewers?|maintainers?|supervisor|council|committee|board|editor|signature|partner|lead|head|manager|architect|officer|team)\b`)
	testFirst    = lazyregexp.New(`(?i)\b(?:test|tests|suite|command|script|benchmark|build|program|migration|canary|linter|formatter)\b`)
	commandLine  = lazyregexp.New("`[^`]{2,}`")
)

// kindOf reads a clause. ok is false when it tells nobody to do anything.
func kindOf(c string, s sentence, first bool) (Kind, bool) {
	verb, kind, ok := verbOf(c)
	low := strings.ToLower(c)
	if !ok {
		return nominal(low, s, first)
	}
	has := func(set func() map[string]bool) bool { return mentions(low, set()) }
	switch {
	case verb == "do" && notDo.MatchString(c):
		return "", false
	case verb == "get" && has(docWords) && !asksPerson.MatchString(low):
		return ReadOne, true
	case verb == "fill" && strings.Contains(low, "table"):
		return Answer, true
	case verb == "list" && whoUses.MatchString(c):
		return Callers, true
	case verb == "show" && has(personWords), presents.MatchString(c):
		return Approve, true
	case goBack.MatchString(c):
		return Other, true
	case verb == "wait", verb == "await", verb == "obtain", verb == "approve":
		if verb == "wait" && !asksPerson.MatchString(low) && !has(personWords) {
			return Other, true
		}
		return Approve, true
	case letChoose.MatchString(c) && has(personWords), verb == "get" && asksPerson.MatchString(low), verb == "have" && asksPerson.MatchString(low):
		return Approve, true
	case verb == "ask" && whoUses.MatchString(c):
		return Callers, true
	case verb == "ask" && has(personWords):
		return Approve, true
	case showPerson.MatchString(c) && (asksPerson.MatchString(low) || has(personWords) && (has(planWords) || strings.Contains(low, " it ") || strings.Contains(low, "draft") || strings.Contains(low, "them")) && kind != Stop && (verb == "show" || asksPerson.MatchString(low))):
		return Approve, true
	case verb == "confirm" && has(personWords):
		return Approve, true
	case asksSomebody.MatchString(c) && !asksTool.MatchString(c):
		return Approve, true
	case makePlan.MatchString(c):
		return Plan, true
	case endWith.MatchString(c):
		return Answer, true
	case makeChange.MatchString(c):
		return Write, true
	case withCommand.MatchString(c) && kind != Write && kind != Answer && kind != ReadOne:
		return Run, true
	case seeWho.MatchString(c):
		return Callers, true
	case kind == Stop, strings.HasPrefix(low, "give up"):
		return Stop, true
	case makeSure.MatchString(c):
		return Check, true
	case whoUses.MatchString(c) && kind != Write && kind != Answer && kind != Check && kind != Run && verb != "read" && verb != "note":
		return Callers, true
	case atCode.MatchString(c):
		return SearchCode, true
	case lookAt.MatchString(c) && kind != SearchCode:
		if whoUses.MatchString(c) && !strings.HasPrefix(low, "read") {
			return Callers, true
		}
		return ReadOne, true
	case lookUp.MatchString(c), kind == SearchDocs:
		return searched(low), true
	case finalText.MatchString(c) && verb != "list":
		if strings.Contains(low, "`") || strings.Contains(low, "test") {
			return Write, true
		}
		return Answer, true
	case verb == "write" && strings.HasPrefix(low, "write down"), verb == "set" && strings.HasPrefix(low, "set down"):
		return Other, true
	case verb == "review" && !has(personWords), verb == "follow" && has(docWords):
		if has(docWords) && !has(planWords) && verb == "follow" {
			return ReadOne, true
		}
		return Check, true
	case kind == Run && verb == "test" && !commandLine.MatchString(c):
		return Run, true
	case kind == Run && verb == "start" && !testFirst.MatchString(c) && !commandLine.MatchString(c):
		return Other, true
	}
	return kind, true
}

// searched tells code from documents; what tells neither is taken for documents.
func searched(low string) Kind {
	code, docs := places(low)
	if code && !docs || strings.Contains(low, "codebase") || strings.Contains(low, "code base") || strings.Contains(low, "repo") || strings.Contains(low, "in the code") || strings.Contains(low, "in the source") {
		return SearchCode
	}
	return SearchDocs
}

// places reports words of code and of documents.
func places(low string) (code, docs bool) {
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool { return !(r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }) {
		code = code || codeWords()[w]
		docs = docs || docWords()[w] && w != "file" && w != "files" && w != "source"
	}
	return code, docs
}

// settle decides where a search looks of which its clause does not tell: as the search before it, else as most of the text.
func (r *Reading) settle(text string) {
	most := SearchDocs
	if c, d := tally(strings.ToLower(text)); c > d {
		most = SearchCode
	}
	for i := range r.Steps {
		st := &r.Steps[i]
		code, docs := places(strings.ToLower(st.Text))
		switch {
		case st.Kind == Callers:
			most = SearchCode
		case st.Kind == SearchCode, st.Kind == SearchDocs && (code || docs):
			most = st.Kind
		case st.Kind != SearchDocs:
		case identifier.MatchString(st.Sentence):
			st.Kind = SearchCode
		default:
			st.Kind = most
		}
	}
}

// identifier is a name of code in a text.
var identifier = lazyregexp.New("`[^` ]*[_.:()@A-Z][^` ]*`|`grep|\\brg\\b")

// tally counts the words of code and of documents.
func tally(low string) (code, docs int) {
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool { return !(r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }) {
		if codeWords()[w] {
			code++
		}
		if docWords()[w] {
			docs++
		}
	}
	return code, docs
}

func mentions(low string, set map[string]bool) bool {
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool { return !(r == '-' || r >= 'a' && r <= 'z') }) {
		if set[w] {
			return true
		}
	}
	return false
}

var (
	mustHold   = lazyregexp.New(`(?i)\b(?:must|has to|have to|should|needs? to|shall)\b(?: not)? (?:be|hold|match|agree|fail|pass|have|contain|show|fit|equal|come|stay|give|name|carry|stand)\b`)
	personDoes = lazyregexp.New(`(?i)^(?:i|the \w+(?: \w+)?|a \w+|my \w+|our \w+) (?:reads? (?:it|this|that file|them) and )?(?:look|looks|decides?|chooses?|signs?|approves?|confirms?|reviews?|picks?|comments?)\b`)
	stateOf    = lazyregexp.New(`(?i)\b(?:green|pass(?:es)?|quiet|clean|empty|up to date|signed|attached|checked|present|complete|shows?|has an?|have an?|matches|agrees)\b`)
	signs      = lazyregexp.New(`(?i)^(?:the |a |our )?\w+(?: \w+)? (?:reads? it and )?(?:signs|approves|confirms|chooses|agrees)\b`)
	bumped     = lazyregexp.New(`(?i)\b(?:bumped|updated|written|added|changed|renamed|removed|merged|committed|edited|fixed)\b`)
	goOf       = lazyregexp.New(`(?i)^(?:go|ok|approval|sign-?off|signature|consent|yes|green light|permission)\b.*\b(?:from|of|by)\b`)
)

// nominal reads what has no order in it: items of checklists ("tests green", "approval of the owner"), and what must hold.
func nominal(low string, s sentence, first bool) (Kind, bool) {
	switch {
	case !first:
		return "", false
	case s.item && signs.MatchString(low):
		return Approve, true
	case personDoes.MatchString(low) && mentions(low, personWords()) || strings.HasPrefix(low, "i look"), strings.HasPrefix(low, "i decide"):
		return Approve, true
	case goOf.MatchString(low):
		return Approve, true
	case mustHold.MatchString(low) && !strings.Contains(low, "you must"):
		return Check, true
	case !s.item:
		return "", false
	case strings.HasPrefix(low, "no ") || strings.HasPrefix(low, "zero "):
		return Check, true
	case bumped.MatchString(low):
		return Write, true
	case commandLine.MatchString(low):
		return Run, true
	case stateOf.MatchString(low):
		return Check, true
	}
	return "", false
}
