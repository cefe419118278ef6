package selection

import (
	"strings"
	"sync"
	"unicode"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/text"
)

// What a task is about and what is to be done are told by words; the names in it (functions, files, clause numbers) are
// opaque: "who calls detect_pss" is no question about detection. So a name counts as one term of its class.
const (
	symbolTerm = "‹symbol›" // a name of code
	fileTerm   = "‹file›"   // a file that is no code, such as report.txt
	clauseTerm = "‹clause›" // a number such as 5.3.5.3
	specTerm   = "‹spec›"   // a number of a specification such as 38.331
)

// questionWords are stop words for a search of documents, and the beginning of an intent here.
var questionWords = map[string]bool{"who": true, "whom": true, "where": true, "how": true, "why": true, "what": true, "which": true, "when": true}

// requestWords stand in requests of any kind: they say that something is wanted, not what. They weigh little.
var requestWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`please want wish need like make made making get got give given gave show shown tell told say said says find
		found look looking help let see seen know known try tried work works working do done go going take taken put thing things
		stuff way ways new old good better best many much well also one two three four five first second third last next thank thanks
		ok okay hello hi dear start started begin stop end right left big small long short lot lots bit set sets setting kind type types
		sort part parts part come came ask asks asked request requests user users skill skills own able actual actually really anyway still already currently
		now today tomorrow yesterday here there every everything everybody anything anybody something somebody nothing nobody anywhere
		somewhere whole full exact exactly just maybe perhaps possible problem question task issue case cases example examples point
		people time times day name names word words list lists check checks write written writes read reads run runs running
		have has had does did can could would should may might must will shall be been being is are was were this that these those`) {
		m[stemmed(w)] = true
	}
	return m
})

// everydayWords name subjects of daily life, of the office and of running computers. A skill that is about one of them says so; where a skill does not
// know such a word, the task is about something else, more surely than with a technical word, which may be the object of any research task.
var everydayWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`email mail letter message chat phone telephone mobile app apps calendar appointment meeting invitation agenda
		 office boss colleague customer client company employee salary job interview application cv resume holiday vacation birthday party wedding
		friend family mother father child children baby dog cat animal plant garden tree flower bee bird fish insect
		weather rain sun snow wind sky sea river mountain city street house home flat room kitchen bathroom ceiling wall lamp 
		chair sofa bed furniture coffee tea beer wine water bread cake soup recipe cook cooking bake dinner lunch breakfast restaurant hotel
		flight bus taxi bicycle ticket travel trip tour visa passport airport shipping parcel
		car cars motor traffic tyre brake shop store buy sell price prices cheap expensive discount money euro dollar account
		tax taxes insurance rent lease loan bill invoice budget law lawyer court contract police crime war politics election president minister country
		capital government teacher homework exam grade student university lesson language french german english spanish grammar
		sentence poem story novel joke song music film movie video photo picture photos game games chess football sport ball player dice
		doctor dentist hospital clinic patient patients medicine drug pill pain liver heart blood skin sleep health diet vitamin
		clothes shirt shoes colour color font logo style theme layout banner button menu website homepage browser desktop laptop printer 
		login password username registration newsletter upload download disk backup install installation deploy deployment docker
		kubernetes cloud staging production commit push pull rebase upstream fork submodule 
		database databases postgres mysql sql query queries dashboard excel word powerpoint slide slides presentation spreadsheet
		climate animal ocean coral planet history religion god love happiness luck`) {
		m[stemmed(w)] = true
	}
	return m
})

// sameMeaning groups words that mean one thing in tasks about papers, specifications and code, whatever skill is asked.
var sameMeaning = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, group := range meaningGroups {
		words := strings.Fields(group)
		to := "=" + words[0]
		for _, w := range words {
			m[stemmed(w)] = to
		}
	}
	return m
})

var groupedWords = sync.OnceValue(func() (out []string) {
	for _, g := range meaningGroups {
		out = append(out, strings.Fields(g)...)
	}
	return out
})

var meaningGroups = []string{
	"paper papers article articles publication publications preprint preprints literature",
	"specification specifications spec specs standard standards normative 3gpp etsi ieee rfc itu iso iec",
	"clause clauses subclause section sections subsection annex",
	"code codebase repository repositories repo repos",
	"function functions routine routines subroutine",
	"call calls called calling caller callers callee invoke invokes invoked invoking invocation invocations callsite",
	"use uses used using usage usages",
	"reference references referenced referencing refer refers",
	"change changes changed changing modify modifies modified modifying modification alter alters edit edits refactor refactoring adjust",
	"remove removes removed removing removal delete deletes deleted deleting deletion drop drops dropped dropping",
	"impact impacts impacted affect affects affected affecting consequence consequences ripple fallout",
	"break breaks broken breaking",
	"depend depends depending dependent dependents dependency dependencies",
	"explain explains explained explaining explanation understand understanding clarify",
	"behavior behaviors behaves behave logic",
	"compare compares compared comparing comparison comparisons contrast contrasts contrasting versus vs differ differs difference differences",
	"table tables tabulate tabular matrix row rows column columns",
	"simulate simulates simulated simulating simulation simulations simulator",
	"detect detects detected detecting detection detector detectors",
	"synchronize synchronizes synchronized synchronizing synchronization sync",
	"evaluate evaluates evaluated evaluating evaluation experiment experiments",
	"quote quotes quoted verbatim wording cite cites",
	"require requires required requirement requirements",
	"implement implements implemented implementing implementation reimplement reimplements",
	"reproduce reproduces reproduced reproducing reproduction replicate replicates replicating replication recreate recreates",
	"algorithm algorithms pseudocode",
	"equation equations eq formula formulas formulae",
	"author authors researcher researchers",
	"overview survey review surveys",
}

// commonWords are the words of the groups above, as written, to their terms: they may be misspelt too.
var commonWords = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, w := range groupedWords() {
		m[w] = canonicalTerm(w)
	}
	return m
})

// spelling brings British and American endings together.
var spelling = strings.NewReplacer("isation", "ization", "ising", "izing", "ised", "ized", "yse", "yze", "ysing", "yzing", "iour", "ior", "olour", "olor", "entre", "enter")

func stemmed(w string) string {
	w = spelling.Replace(w)
	if strings.HasSuffix(w, "ise") || strings.HasSuffix(w, "ises") {
		w = w[:strings.LastIndex(w, "is")] + "iz" + w[strings.LastIndex(w, "is")+2:]
	}
	return text.Stem(w)
}

// canonicalTerm is the term that a folded word counts as.
func canonicalTerm(word string) string {
	s := stemmed(word)
	if g, ok := sameMeaning()[s]; ok {
		return g
	}
	return s
}

// A taskWord is one word of a task or of a skill's text.
type taskWord struct {
	term  string
	word  string // as written, folded; of a class, the name
	class bool   // a name or number, which counts as its class
	light bool   // a word of requests of any kind
	daily bool   // a word of everyday subjects
}

var (
	clauseNumber = lazyregexp.New(`^[A-Za-z]?\d*(?:\.\d+[a-z]?)+$`)
	specNumber   = lazyregexp.New(`^\d{2}\.\d{3}$`)
	fileName     = lazyregexp.New(`(?i)^[\w-]+\.(?:txt|md|pdf|docx?|xlsx?|pptx?|csv|tsv|png|jpe?g|gif|svg|html?|zip|odt|tex|bib|log|mp3|mp4)$`)
	symbolName   = lazyregexp.New(`^(?:\w*[a-z0-9]_\w+|_+\w+|[A-Za-z]\w+(?:(?:\.|::)[A-Za-z_]\w+)+|\w*[a-z][A-Z]\w*|[A-Z]+[a-z]+[A-Z]\w*|[A-Z][A-Z0-9]*_[A-Z0-9_]+)$`)
	placeholder  = lazyregexp.New(`^[XYZ]$`) // X in "who calls X"
)

// taskWords reads the words of a text. In a skill's own text a lone capital stands for a name.
func taskWords(s string, own bool) []taskWord {
	var out []taskWord
	for _, t := range text.Tokens(s) {
		raw := s[t.Start:t.End]
		ticked := t.Start > 0 && s[t.Start-1] == '`' && t.End < len(s) && s[t.End] == '`'
		called := strings.HasPrefix(s[t.End:], "()")
		switch {
		case specNumber.MatchString(raw):
			out = append(out, taskWord{term: specTerm, word: raw, class: true})
		case clauseNumber.MatchString(raw) && strings.HasPrefix(strings.TrimLeft(s[t.End:], " "), "%"): // a share
		case clauseNumber.MatchString(raw):
			out = append(out, taskWord{term: clauseTerm, word: raw, class: true})
		case fileName.MatchString(raw):
			out = append(out, taskWord{term: fileTerm, word: raw, class: true})
		case ticked, called, strings.HasSuffix(s[:t.Start], ")."), symbolName.MatchString(raw), own && placeholder.MatchString(raw):
			out = append(out, taskWord{term: symbolTerm, word: raw, class: true})
		case t.Stop:
			if questionWords[t.Word] {
				out = append(out, taskWord{term: "?" + t.Word, word: t.Word, light: true})
			}
		default:
			for _, p := range t.Parts {
				w := text.Fold(s[p.Start:p.End])
				if len(t.Parts) == 1 {
					w = t.Word // a word cut by a line end is one
				}
				if len(w) > 1 && !text.IsStop(w) && strings.ContainsFunc(w, unicode.IsLetter) {
					out = append(out, taskWord{term: canonicalTerm(w), word: w, light: requestWords()[stemmed(w)], daily: everydayWords()[stemmed(w)]})
				}
			}
		}
	}
	return out
}

// nearWord reports whether b is a with one letter wrong, missing, too many, or two neighbours swapped; in long words two
// such slips, in one of five letters only two swapped. Shorter words are too near to one another to tell.
func nearWord(a, b string) bool {
	x, y := []rune(a), []rune(b)
	most := 1
	switch n := min(len(x), len(y)); {
	case n < 5 || x[0] != y[0]:
		return false
	case n == 5: // login is not logic, but usign is using
		return len(x) == len(y) && swapped(x, y)
	case n >= 10:
		most = 2
	}
	if d := len(x) - len(y); d > most || -d > most {
		return false
	}
	return text.EditDistance(x, y) <= most
}

// swapped reports whether two words of one length differ by two neighbouring letters that changed places.
func swapped(x, y []rune) bool {
	for i := 0; i+1 < len(x); i++ {
		if x[i] != y[i] {
			return x[i] == y[i+1] && x[i+1] == y[i] && string(x[i+2:]) == string(y[i+2:])
		}
	}
	return false
}

// taskSentences cuts a task where a sentence or a line ends; a long issue states its wish in one of them.
func taskSentences(task string) (out []string) {
	start := 0
	for i, r := range task {
		end := r == '\n' || (r == '.' || r == '?' || r == '!' || r == ';') && (i+1 == len(task) || task[i+1] == ' ' || task[i+1] == '\n')
		if end {
			if s := strings.TrimSpace(task[start:i]); s != "" {
				out = append(out, s)
			}
			start = i + 1
		}
	}
	if s := strings.TrimSpace(task[start:]); s != "" {
		out = append(out, s)
	}
	return out
}
