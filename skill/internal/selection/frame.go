package selection

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/text"
)

// A frame is what a text wants done, and with what kind of thing: "why does Retry.next return 0" wants an explanation of code. Words tell
// topics apart, and frames tell wishes apart, also where no word of the topic is known.
type frame struct {
	acts  set
	kinds set
	daily bool // everyday things are named more often than things of any kind
}

// A set has a bit for each act, or for each kind.
type set uint16

const (
	actUses    set = 1 << iota // who calls or uses something
	actEffect                  // what a change would do
	actExplain                 // how and why something behaves
	actLookUp                  // what a document says, word for word
	actCompare                 // several things side by side
	actBuild                   // code from a description
	actStudy                   // design, simulation, evaluation
	actHands                   // something done: a file written, a mail sent, a bug fixed
	actFact                    // how many, how much, who was, how to
)

const (
	kindName set = 1 << iota // a function, class, variable ... by its name
	kindCode
	kindPaper
	kindSpec
)

// The names of the bits, in order.
var (
	actNames = [...]string{"the users", "the effects of a change", "an explanation", "the words", "a comparison", "an implementation", "a study",
		"something done", "a fact"}
	kindNames = [...]string{"a named piece of code", "code", "papers", "a specification"}
)

// The forms are looked for in the words of a sentence in lower case, with a blank between them; names stand as their classes.
const (
	changing    = `(?:chang|renam|remov|delet|drop|modif|alter|refactor|split|mov|replac|deprecat|rework|add|mak|edit|touch|inlin|extract|merg|return|throw|becom|turn|rais|swap|rid|kill|convert|switch|widen|narrow)\w*`
	somebody    = `(?:what|who|whom|which(?: \S+)?|anything|everything|anybody|anyone|everyone|everybody|something|somebody|someone|nothing|nobody)`
	publication = `(?:papers?|articles?|publications?|pdfs?|authors?|studies|preprints?|works)`
)

var actForms = []struct {
	act  set
	form *lazyregexp.Regexp
}{
	{actUses, lazyregexp.New(`\b(?:` + somebody + `|where|list|all|every|everywhere|anywhere|places?|functions?|tests?|code)\b(?: \S+){0,6}? (?:calls?|called|calling|uses?|used|using|invokes?|invoked|invoking|references?|referenced|referencing|imports?|imported|instantiates?|constructs?|consumes?)\b`)},
	{actUses, lazyregexp.New(`\b(?:callers?|callsites|usages?|uses|references|invocations|consumers|occurrences|users|xrefs?)(?: and \S+)? (?:of|to|for)\b|\b(?:lines?|places?|spots?|files?|functions?|tests?) (?:that|which|where) (?:\S+ ){0,3}?(?:touch\w*|mention\w*|call|use|reference|read|write)\b|\bcall(?:ed|ers?)? (?:by|from)\b|‹symbol› (?:callers?|usages?|references|call ?sites?|uses)\b|\b(?:is|are) (?:\S+ ){1,4}(?:still |ever |even )?(?:called|used|referenced|imported)\b|\bmakes? use of\b`)},
	{actEffect, lazyregexp.New(`\b(?:` + somebody + `|will|would|does|tests?|code|how much)\b(?: \S+){0,8}? (?:breaks?|broken|affect(?:s|ed)?|impacted|hurt|hit|suffers?|falls? over|falls? apart|blows? up|depends? (?:up)?on|rel(?:y|ies) on|adapted|inherits?|notice|adjust(?:ed)?|touched)\b`)},
	{actEffect, lazyregexp.New(`\b(?:if|before|once|in case|suppose|assuming|should|were|when) (?:i|we|you|they|somebody|someone|one|‹symbol›|the \S+|it|that)\b(?: \S+){0,4}? ` + changing + `\b`)},
	{actEffect, lazyregexp.New(`\b(?:impacts?|effects?|consequences?|ripples?|fall ?out|risks?|implications?) (?:analysis|of)\b|\bimpact\b|\bblast radius\b|\bsafe (?:to|if)\b|\bcan (?:i|we|‹symbol›|the \S+)(?: be| just| safely)* ` + changing + `\b|\bno longer\b|\bwithout breaking\b|\b(?:thinking (?:of|about)|considering|planning (?:to|on)|about to|plan to) ` + changing + `\b`)},
	{actExplain, lazyregexp.New(`^(?:so|and|but|hey|hi|also|please|ok|now|then|or|hello)* ?(?:how|why)(?: come| exactly| on earth| actually)? (?:does|do|did|is|are|was|were|can|could|would|should|has|have|am|the|our|my|it|‹symbol›)\b|\b(?:and|but|or) (?:how|why) (?:does|do|did|is|are)\b`)},
	{actExplain, lazyregexp.New(`\bexpla(?:in\w*|nation)\b|\bwalk (?:me |us )?through\b|\bunderst(?:and|ood)\w*|\bdescribe\b|\b(?:tell me|tell us|wonder(?:ing)?|know|see|figure out|find out|show me) (?:exactly )?(?:how|why)\b|\bmake sense of\b|\btrace\b|\bwhat (?:does|do|did) (?:\S+ ){1,12}do\b|\bwhat (?:exactly |actually )?(?:happens|is happening|goes on|is going on|s going on|gets)\b|\bwhat is (?:\S+ ){1,5}for\b|\b(?:meaning|purpose|point|idea|logic|role) (?:of|behind)\b|\bunder (?:which|what) (?:circumstances|conditions)\b|\bin (?:which|what) order\b|\bbehav\w+|\bwhat (?:causes|makes|triggers|decides|determines)\b|\bcontrol flow\b|\bstep by step\b|\btake (?:me|us) through\b|\beli5\b|\bfor (?:what|which) reason\b|\breasons? (?:why|for|that|behind)\b|\bwhat becomes of\b|\bmechanism\b|\bwhat is the order\b|\bwhere (?:is|are|s) (?:that|it|this|these|they) (?:decided|done|computed|set|checked|handled)\b|\b(?:what|which \S+) (?:gives|prints|sets|raises|writes|decides)\b|\b(?:how|why) works\b|\bhow (?:the |our |this |that |an? )?(?:\S+ ){1,3}(?:goes|works?|is done|decides?|gets)\b`)},
	{actExplain, lazyregexp.New(`^(?:does|do|is|are|can|will|has) (?:the |our )?‹(?:symbol|source)›`)},
	{actLookUp, lazyregexp.New(`\bquot\w+|\bverbatim\b|\bword for word\b|\bwording\b|\bexact(?:ly)? (?:text|sentence|words)\b|\bnormative\b|\b(?:what|where|how) (?:does|do) (?:\S+ ){1,6}(?:say|says|require|specify|mandate|allow|define|state|demand)\b|\baccording to\b|\bdefin(?:ition|e|es|ed)\b|\brequire(?:s|d|ment|ments)?\b|\bmandat\w+|\bconformance\b|\bclauses?\b|\bsections?\b|\bannex\b|\bparagraph\b|\bshall\b|\bpermit\w*|\ballow(?:s|ed)?\b|\bmaximum\b|\bminimum\b|\bvalues?\b`)},
	{actCompare, lazyregexp.New(`\bcompar\w+|\bcontrast\w*|\bversus\b|\bvs\b|\bdiffer\w*|\bdisagree\w*|\bside by side\b|\btabl\w+|\btabulat\w+|\bmatrix\b|\boverview\b|\bsurvey\w*|\breview\b|\bsynthesis\b|\bstate of (?:the )?(?:art|research)\b|\brelated work\b|\bone (?:row|line)\b|\bper ` + publication + `\b|\b(?:(?:each|every|all|which|how many) of (?:the |these |our |those |my )?|(?:each|every|all|which|these|those) )` + publication + `\b|\b(?:rows?|cols?|columns?)\b|\bwho (?:claims|reports|proposed|measured|says) what\b|\bagree\b|\bput together what\b`)},
	{actBuild, lazyregexp.New(`\b(?:re ?)?implement\w*|\breproduc\w*|\breplicat\w*|\bport\b|\bre(?:build|create|code)\b|\bto program\b|^program\b|\bprogram (?:the|it|their|this|an?)\b|\bcode (?:it |this |that )?up\b|\bprototype\b|\bpseudocode\b|\b(?:turn|translate|put|bring|make|get|take) (?:\S+ ){1,10}(?:in|into|to|as|run) (?:\S+ )?(?:code|python|rust|go|julia|matlab|numpy|function|script|c|java|pytorch)\b|\bcode from scratch\b|\bwrite (?:\S+ ){0,3}code\b|\b(?:write|code|build|redo|re do) (?:it|them|this|that|the experiment|the method|the algorithm)\b`)},
	{actStudy, lazyregexp.New(`\bsimulat\w*|\bmonte carlo\b|\bdesign\w*|\bevaluat\w*|\bstud(?:y|ies)\b|\binvestigat\w*|\bassess\w*|\bbenchmark\w*|\bplots?\b|\bcurves?\b|\bexperiments?\b|\btrade ?offs?\b|\bhow (?:well|robust|fast|good)\b`)},
	{actFact, lazyregexp.New(`\bhow (?:many|much|long|often|far|old|to|do i|can i|should i|big|tall)\b|\bwho (?:is|was|were|are|invented|wrote|won|discovered|painted)\b|\bwhen (?:is|was|did|does|will|were)\b|\bwhat (?:time|day|year|date)\b`)},
}

// politeness may stand before what is wanted.
var politeness = wordSet(`please pls plz can could would will you u i we want need like d to help me us let s lets now then and just go hi hey hello ok okay dear
	team all folks everyone thanks ll have must should also first next finally quickly kindly somebody someone the following task todo might try`)

// handVerbs begin orders to do something with one's hands; what they order is not found in documents or code.
var handVerbs = wordSet(`rename fix mend repair patch resolve split add delete remove refactor write create update move commit push merge rebase install deploy translate summarise summarize
	format convert draft send call order book buy generate change configure download upload upgrade bump replace insert clean sort rewrite reformat lint
	restart reply remind schedule print draw proofread correct calculate compute solve wrap migrate revert tag release publish
	improve optimise optimize comment mock rotate encrypt archive zip rank rate recommend suggest invite pay ring tweet share export
	import fork clone enable disable paint cook bake shorten extend polish rephrase paraphrase brainstorm invent cancel reserve`)

// codeWords name what programs are made of, and what they do.
var codeWords = wordSet(`function functions method methods class classes module modules package packages constant constants variable variables parameter parameters argument
	arguments code source implementation repository repo codebase struct structs interface interfaces enum trait type field fields constructor destructor helper callback handler handlers
	loop loops branch exception exceptions error errors traceback stack crash bug test tests unit cache caches buffer buffers queue queues scheduler thread threads mutex lock
	locks deadlock channel channels goroutine coroutine async pointer null nil returns returned raises throws config configuration env flag flags option options api endpoint client server request response
	session token tokens parser lexer compiler decoder encoder serializer driver register interrupt socket packet retry timeout backoff logger logging middleware router
	database migration transaction commit hook plugin library wrapper iterator generator hash hashmap array list dict map string integer boolean float bytes script
	job jobs worker workers event events listener state machine heap allocation garbage collector render renderer widget component signature argument default defaults
	empty evict evicts sentinel init initialise initialize refactor deprecated subclass subclasses base inherits dependency dependencies pipeline daemon process frontend backend`)

// paperWords name what is published.
var paperWords = wordSet(`paper papers article articles publication publications preprint preprints literature lit author authors researchers pdf pdfs thesis arxiv journal proceedings et
	published study studies related survey tbl fig figure`)

// specWords name what sets rules for others.
var specWords = wordSet(`specification specifications spec specs standard standards 3gpp etsi ieee rfc itu iso iec ietf w3c normative ts tr en nist ansi bluetooth asn release annex datasheet`)

// wordSet gives the words of s, made when they are first asked for.
func wordSet(s string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(s) {
			m[w] = true
		}
		return m
	})
}

// readFrame reads the frame of a text.
func readFrame(s string, own bool) (f frame) {
	daily, named := 0, 0
	for _, sentence := range taskSentences(s) {
		words := frameWords(sentence, own)
		line := strings.Join(words, " ")
		var acts set
		for _, a := range actForms {
			if acts&a.act == 0 && a.form.MatchString(line) {
				acts |= a.act
			}
		}
		if i := slices.IndexFunc(words, func(w string) bool { return !politeness()[w] }); i >= 0 && handVerbs()[words[i]] {
			acts = acts&^(actUses|actExplain|actLookUp) | actHands // "remove it and all its uses" asks for no uses
		}
		for i, w := range words[:max(len(words)-1, 0)] {
			if handVerbs()[w] && (words[i+1] == "it" || words[i+1] == "them") {
				acts |= actHands
			}
		}
		if slices.Contains(words, numberedTerm) && slices.ContainsFunc(words, func(w string) bool { return w == specTerm || specWords()[w] }) {
			acts |= actLookUp
		}
		f.acts |= acts
		for _, w := range words {
			switch {
			case w == symbolTerm, w == sourceTerm:
				f.kinds |= kindName | kindCode
				named++
			case codeWords()[w]:
				f.kinds |= kindCode
				named++
			case w == specTerm, w == clauseTerm, specWords()[w]:
				f.kinds |= kindSpec
				named++
			case w == fileTerm, paperWords()[w]:
				f.kinds |= kindPaper
				named++
			case everydayWords()[stemmed(w)]:
				daily++
			}
		}
	}
	if f.daily = daily > named; f.daily {
		f.kinds = 0
	}
	return f
}

const (
	numberedTerm = "‹numbered›"
	sourceTerm   = "‹source›"
)

var sourceFile = lazyregexp.New(`(?i)\.(?:c|cc|cpp|cxx|h|hpp|py|go|rs|js|jsx|ts|tsx|java|kt|rb|php|cs|swift|scala|m|sh|sql|jl|lua|pl|r)$`)

var roman = lazyregexp.New(`^[IVX]+$`)

var inTicks = lazyregexp.New("`[^`\n]{1,200}`")

// formWords are the words of the forms, by their first letter.
var formWords = sync.OnceValue(func() map[byte][]string {
	m := map[byte][]string{}
	for _, a := range actForms {
		for _, w := range formWord.FindAllString(a.form.String(), -1) {
			if len(w) >= 5 && !slices.Contains(m[w[0]], w) {
				m[w[0]] = append(m[w[0]], w)
			}
		}
	}
	return m
})

var formWord = lazyregexp.New(`[a-z]+`)

// meantWord gives the word of a form that a word is a slip of, or the word itself.
func meantWord(w string) string {
	if len(w) < 5 || codeWords()[w] || paperWords()[w] || specWords()[w] || slices.Contains(formWords()[w[0]], w) {
		return w
	}
	for _, form := range formWords()[w[0]] {
		if nearWord(form, w) && !strings.HasPrefix(w, form) {
			return form
		}
	}
	return w
}

// nounsOfNames stand before a name: "the interface Clock".
var nounsOfNames = wordSet(`function method class interface type struct constant module package variable enum trait macro symbol parameter field constructor`)

// numbered are parts of documents, where a number follows.
var numbered = wordSet(`table tables tbl figure figures fig figs equation eq eqs algorithm section sec chapter step page`)

// frameWords are the words of a sentence in lower case, names as their classes.
func frameWords(s string, own bool) (out []string) {
	s = inTicks.ReplaceAllString(s, " `name` ")
	for _, t := range text.Tokens(s) {
		raw := s[t.Start:t.End]
		low := strings.ToLower(raw)
		last := ""
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		switch {
		case specNumber.MatchString(raw):
			out = append(out, specTerm)
		case numbered()[last] && (raw[0] >= '0' && raw[0] <= '9' || roman.MatchString(raw)):
			out[len(out)-1] = numberedTerm
		case clauseNumber.MatchString(raw) && strings.HasPrefix(strings.TrimLeft(s[t.End:], " "), "%"): // a share
		case clauseNumber.MatchString(raw):
			out = append(out, clauseTerm)
		case fileName.MatchString(raw):
			out = append(out, fileTerm)
		case sourceFile.MatchString(raw):
			out = append(out, sourceTerm)
		case t.Start > 0 && s[t.Start-1] == '`', strings.HasPrefix(s[t.End:], "("), symbolName.MatchString(raw), own && placeholder.MatchString(raw),
			nounsOfNames()[last] && raw != low,
			strings.HasSuffix(s[:t.Start], ")."):
			out = append(out, symbolTerm)
		case last == "call" && strings.HasPrefix(low, "site"):
			out[len(out)-1] = "callsites"
		default:
			out = append(out, meantWord(low))
		}
	}
	return out
}

// What counts as common to the examples of a skill, and how much it lifts the score of a task that wants the same. They were chosen on the labelled
// tasks of two authors; between .2 and .3, .2 and .5, and .10 and .13, nothing changes there but two tasks.
const (
	commonAct  = 0.2
	commonKind = 0.5
	wishLift   = 0.12
)

// readFrames reads what the examples have in common.
func (p *Profile) readFrames() {
	acts, kinds, n := [len(actNames)]float64{}, [len(kindNames)]float64{}, 0.0
	for _, ex := range p.examples {
		f := readFrame(ex.text, true)
		if f.acts == 0 && f.kinds == 0 {
			continue
		}
		n++
		for i := range acts {
			acts[i] += float64(f.acts >> i & 1)
		}
		for i := range kinds {
			kinds[i] += float64(f.kinds >> i & 1)
		}
	}
	for i, k := range acts {
		if k > 0 && k >= commonAct*n {
			p.frame.acts |= 1 << i
		}
	}
	for i, k := range kinds {
		if k > 0 && k >= commonKind*n {
			p.frame.kinds |= 1 << i
		}
	}
}

// judge lifts a fit when the task wants what the skill's examples want, and denies it when it wants something else done, or speaks of everyday things alone.
func (p *Profile) judge(f *Fit, wish frame) {
	acts, kinds := wish.acts&p.frame.acts, wish.kinds&p.frame.kinds
	switch other := wish.acts & (actHands | actFact); {
	case acts != 0 && kinds != 0:
		f.Wish = nameOf(actNames[:], acts) + " of " + nameOf(kindNames[:], kinds)
	case acts != 0 && p.frame.kinds == 0 && f.shared > 0:
		f.Wish = nameOf(actNames[:], acts)
	case p.frame.acts != 0 && acts == 0 && other != 0:
		f.Denied, f.Unlike = true, nameOf(actNames[:], other)
	case p.frame.kinds != 0 && wish.daily:
		f.Denied, f.Unlike = true, "something of everyday life"
	}
	if f.Wish != "" {
		f.Score = min(f.Score+wishLift, 1)
	}
}

// nameOf names the lowest bit of a set.
func nameOf(names []string, s set) string { return names[bits.TrailingZeros16(uint16(s))] }
