package relevance

import (
	"slices"
	"strings"
)

// A Kind is what sort of thing a question asks for.
type Kind string

// The kinds. The zero Kind says that a question does not show it.
const (
	Number     Kind = "number"
	Time       Kind = "time"
	Definition Kind = "definition"
	Reason     Kind = "reason"
	Limit      Kind = "limitation"
	List       Kind = "list"
	Comparison Kind = "comparison"
	Document   Kind = "document"
	Code       Kind = "code"
)

// measures are the words behind "how" that ask for a number, with words that stand beside one.
var measures = map[string]string{
	"many": "number total", "much": "amount total", "large": "size", "big": "size", "small": "size", "long": "length time duration seconds minutes", "short": "length time",
	"fast": "speed rate time throughput", "slow": "speed rate time", "quickly": "time speed", "often": "every per interval frequency period", "frequently": "every per interval frequency",
	"old": "age years", "high": "height", "deep": "depth", "far": "distance", "wide": "width", "expensive": "cost", "accurate": "accuracy", "tall": "height", "heavy": "weight",
}

var adverb = set("exactly actually really then basically")

var documentNouns = set("paper papers document documents article articles manual book specification spec standard thesis publication report page plugin guide")

var anyOf = set("a an any some")

var ofDocument = set("about on that which describing introducing whether")

// kindOf reads the kind from the words of a question. used are the words that it took for asking.
func kindOf(words []string) (kind Kind, used map[int]bool) {
	used = map[int]bool{}
	at := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	for i, w := range words {
		next := at(i + 1)
		switch {
		case w == "how" && measures[next] != "":
			used[i+1] = true
			return Number, used
		case (w == "what" || w == "which") && (next == "percentage" || next == "fraction" || next == "percent" || next == "share" || next == "number" || next == "size"):
			return Number, used
		case w == "why":
			return Reason, used
		case w == "when" && i == 0, w == "what" && (next == "year" || next == "date"):
			return Time, used
		case (w == "which" || w == "what") && documentNouns[next]:
			used[i+1] = true
			return Document, used
		case documentNouns[w] && i > 0 && i < 6 && anyOf[words[i-1]] && ofDocument[next]: // "is there a paper about"
			return Document, used
		}
	}
	for i, w := range words {
		switch w {
		case "reason", "reasons", "motivation", "rationale":
			return Reason, used
		case "limitation", "limitations", "drawback", "drawbacks", "disadvantage", "disadvantages", "weakness", "weaknesses", "shortcoming", "shortcomings", "restriction", "restrictions", "downside", "downsides":
			return Limit, used
		case "difference", "differences", "differ", "differs", "compare", "compared", "versus", "vs", "than":
			return Comparison, used
		case "define", "definition", "meaning":
			return Definition, used
		case "mean", "means":
			if slices.Contains(words[:i], "what") {
				return Definition, used
			}
		case "percentage", "percent", "maximum", "minimum", "default":
			if slices.Contains(words, "what") {
				return Number, used
			}
		case "list", "types", "kinds", "steps", "phases", "examples", "ways":
			return List, used
		case "implemented", "implements", "function", "method", "class", "code", "struct":
			return Code, used
		}
	}
	for i, w := range words {
		if w != "what" && w != "who" {
			continue
		}
		be := i + 1
		for adverb[at(be)] {
			be++
		}
		if is := at(be); (is == "is" || is == "are" || is == "was" || is == "were") && len(words)-be <= 14 {
			if (is == "are" || is == "were") && at(be+1) == "the" {
				return List, used
			}
			return Definition, used
		}
	}
	return "", used
}

// cues are the words that stand in an answer of a kind, by how much they say; a negative one counts only near a word of the question.
var cues = map[Kind]map[string]float64{
	Definition: weighed(1, "is are means mean denotes denote refers called defined define definition termed known represents consists stands describes say call"),
	Reason: merged(weighed(1, "because since due therefore thus hence reason reasons avoid avoids prevent prevents otherwise ensures ensure so"),
		weighed(.5, "allows would order cannot without reduce reduces necessary needed")),
	Limit: merged(weighed(1, "cannot limitation limitations limited unfortunately drawback drawbacks disadvantage disadvantages problem problems restrict restricted restricts restriction lack lacks unable"),
		weighed(.6, "not only however fail fails difficult without expensive worse never but although despite impossible yet future")),
	Comparison: merged(weighed(1, "than whereas unlike compared versus contrast differ differs difference differences instead"),
		weighed(.5, "while both however more less better worse faster slower rather other hand")),
	List:     merged(weighed(.6, "following namely include includes including such first second third"), weighed(.5, "one two three four five six several")),
	Document: merged(weighed(1, "abstract paper propose introduce presents present"), weighed(.6, "describe describes introduces introduced specification document specifies defines plugin")),
}

func weighed(v float64, words string) map[string]float64 {
	m := map[string]float64{}
	for w := range strings.FieldsSeq(words) {
		m[w] = v
	}
	return m
}

func merged(a, b map[string]float64) map[string]float64 {
	for w, v := range b {
		a[w] = max(a[w], v)
	}
	return a
}

var (
	numberWords = set("one two three four five six seven eight nine ten eleven twelve twenty hundred thousand million billion dozen half twice once third quarter zero")
	unitWords   = set(`percent per cent kb mb gb tb kib mib gib byte bytes bit bits s ms us ns second seconds sec minute minutes min hour hours day days week weeks month months year years hz khz mhz ghz
		pages nodes machines servers times users lines million billion thousand euro euros ecu dollars usd eur people households km m cm mm kg g x fold ops requests items entries`)
	beforeNumber = set("figure fig figures table tables section sections sect eq equation chapter page pages ref clause subclause appendix annex note step version rfc release no")
)

// A cue is a word beside which an answer stands.
type cue struct {
	pos, start int
	weight     float64
	whole      bool // it is at the words that are asked for, however near others are
}

// cueOf says whether a word of a text is one. before and after are the words beside it, and mark is the byte behind it.
func (q *Question) cueOf(word, before, after string, mark byte) float64 {
	switch q.Kind {
	case Number, Time:
		digit := word[0] >= '0' && word[0] <= '9'
		if !digit && !numberWords[word] {
			return 0
		}
		if _, asked := q.index[word]; asked || beforeNumber[before] {
			return 0
		}
		if q.Kind == Time {
			if digit && len(word) == 4 && (word[0] == '1' || word[0] == '2') {
				return 1
			}
			return .4
		}
		switch {
		case mark == ']' || mark == ')':
			return .2
		case mark == '%' || unitWords[after] || digit && unitWords[strings.TrimLeft(word, "0123456789.,")]:
			return 1
		case digit:
			return .6
		}
		return .5
	}
	return cues[q.Kind][word]
}
