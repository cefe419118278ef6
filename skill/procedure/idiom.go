package procedure

import (
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// idioms are orders whose verb alone tells little: light verbs ("do a search"), verbs with a particle behind their object ("put the fix in") and figures of speech.
// The first that fits holds.
var idioms = []struct {
	kind   Kind
	person bool // it must name a person
	form   *lazyregexp.Regexp
}{
	{Approve, true, lazyregexp.New(`^(?:run|put|take|walk|talk) (?:it|them|this|that|the|your|both|all)\b.* (?:past|by|to|before|through with)\b`)},
	{Approve, true, lazyregexp.New(`^(?:have|let|get) .+ (?:(?:counter)?sign|release|approve|decide|clear|confirm|choose|pick|agree)\b|^(?:have|get) .+ (?:checked|reviewed|read|signed|approved|released|confirmed) by\b|^leave .+ to\b`)},
	{Approve, false, lazyregexp.New(`^(?:pause|stop|halt|hold)\b.* (?:for (?:my|the|an?|his|her|their) (?:` + approvals + `|word|answer|reply|decision)|and (?:ask|wait for) (?:me|us|the))\b`)},
	{Answer, true, lazyregexp.New(`^let .+ know\b`)},
	{Answer, false, lazyregexp.New(`^(?:(?:write|get|report) back\b|(?:wrap up|round off|end) with (?:a|an|the)\b|(?:put|set down|enter|give|pass on) the (?:results?|answer|outcome|findings?)\b)`)},
	{Check, false, lazyregexp.New(`^(?:(?:hold|weigh|set|put|tick) .+ against\b|(?:satisfy|convince|assure) yourself\b|tick off\b|.+ for (?:any |more )?(?:mistakes|errors|typos|contradictions|gaps|inconsistencies|omissions|slips)\b|(?:establish|see to it|ascertain) that\b)`)},
	{Run, false, lazyregexp.New(`^(?:let (?:it|them|the .+) run\b|put .+ through (?:its|their) paces|give .+ (?:a|another) (?:run|try|spin)\b|try (?:it|them|this|the \w+)(?: out)? (?:on|in|against) the\b|(?:do|make|have) (?:a|an|the|another) (?:\w+ )?(?:run|rehearsal|measurement|test)(?:$| (?:of|on|with|in|for|to)\b)|process .+ with (?:the|a) script|fit (?:a|the) (?:\w+ )?model\b)`)},
	{Write, false, lazyregexp.New("^(?:make (?:it|them|the .+|all .+) (?:pass|work|compile)\\b|turn .+ into (?:an? |the )?(?:minutes|report|letter|text|draft|summary|function|tests?)\\b|bring .+ up to date|(?:put|check) (?:it|them|the (?:\\w+ )?(?:fix|patch|change|edit|correction)s?) in\\b|cover .+ with (?:an? |unit |regression )*tests?\\b|type .+ in(?:to)? )")},
	{Plan, false, lazyregexp.New(`^(?:come up with|lay out|map out|think up|settle on|decide on|prepare|sketch out) (?:an?|the|your|one) (?:[\w-]+ ){0,2}?(?:design|plan|approach|schedule|layout|structure|chapters|strategy|migration|concept|outline)\b`)},
	{ReadOne, false, lazyregexp.New(`^(?:(?:have|take) (?:an?|another) (?:\w+ )?look (?:at|through|over)|(?:call|bring) up the|(?:familiari[sz]e|acquaint) yourself with|listen to|go (?:over|through) (?:the|its|your) (?:\w+ )?(?:diff|draft|text|report|letter|log|ticket|trace|output|change|minutes))\b`)},
}

// idiom gives the kind of an order that is an idiom, or "".
func (p *phrase) idiom() Kind {
	if traced.MatchString(p.low) && !p.has(docWords) {
		return Callers
	}
	if lightSearch.MatchString(p.low) {
		return p.where()
	}
	for _, one := range idioms {
		if one.form.MatchString(p.low) && (!one.person || p.has(personWords)) {
			return one.kind
		}
	}
	return ""
}

var (
	lightSearch = lazyregexp.New(`^(?:(?:do|run|make|carry out|perform|conduct) (?:an?|the|another|one more) (?:[\w-]+ )?(?:search|look-?up|query)\b|go looking for\b|(?:skim|read|scan|look through|go through) .+ for (?:mentions?|anything|signs|hits|references)\b|(?:gather|collect|get hold of) (?:what|everything|all) .*(?:written|published|known)\b)`)
	// asked is what an order to find something out asks.
	asked   = lazyregexp.New(`^(?:see|check|find out|note|learn|work out|establish|determine|figure out|clarify|look up|look)(?: for (?:each|every) [\w ]{1,30}?)? ((?:(?:from|in|with) (?:the|our|your|its) [\w ]{1,40}? )?)(what|which|how|when|where|whether|if|who)\b(.*)$`)
	says    = lazyregexp.New(`\b(?:says?|states?|allows?|requires?|prescribes?|recommends?|demands?|permits?|provides?|(?:has|have|holds?|contains?) (?:anything|something|any|an?)|published|known about|applies|has on)\b`)
	setAt   = lazyregexp.New(`\b(?:is|are|gets?|was|were) (?:\w+ )?(?:set|implemented|handled|built|computed|created|written|read|parsed|logged|raised|thrown|stored|done|checked|called)\b|\bhappens?\b`)
	has     = lazyregexp.New(`\b(?:code ?base|repository|repo|source) (?:already )?(?:has|contains|knows|offers)\b`)
	traced  = lazyregexp.New(`^(?:trace|follow) .+ (?:back to (?:where|its|the)|upwards?\b|to (?:its|the) (?:callers?|entry))`)
	breaks  = lazyregexp.New(`\b(?:would|will|might|could) (?:break|be affected|notice)\b|\b(?:is|are) affected\b`)
	codeSet = lazyregexp.New("`|\\bin the (?:code|source|repository|module)\\b")
)

// question gives the kind of an order to find something out, or "".
func (p *phrase) question() Kind {
	m := asked.FindStringSubmatch(p.low)
	if m == nil {
		return ""
	}
	_, docs := places(m[1])
	switch where, word, rest := m[1] != "", m[2], m[3]; {
	case where && docs:
		return SearchDocs
	case breaks.MatchString(rest):
		return Callers
	case word == "where" && (setAt.MatchString(rest) || codeSet.MatchString(p.low)):
		return SearchCode
	case has.MatchString(rest):
		return SearchCode
	case says.MatchString(rest) && mentions(rest, docWords()), word == "what" && strings.Contains(rest, " published"):
		return SearchDocs
	}
	return ""
}
