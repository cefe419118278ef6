package findspot

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ReferenceQuestion tells whether a text asks who calls or uses something in code ("who calls X", "where is X
// referenced", "list every place that uses X", "X's callers"), and what: the objects as they are written, in order, without
// quotes, articles and argument lists. "the run method of Server" is Server.run.
//
// It reads the form first, then the look of the object: something in back quotes, a word that is written as programs write
// names, a word that the text calls a function or class, or a noun phrase that may name a piece of code ("the cell
// searcher"). A phrase that only a graph could tell ("the shots") is none; [Workspace.ReferenceAnswer] looks there.
// Questions about documents ("which standard references X", "where is X used in TS 38.331") are none. At most the first
// 4,000 bytes are read, and at most 8 objects are given.
func ReferenceQuestion(text string) (objects []string, ok bool) {
	found, w := referenceForms(text)
	for i, f := range found {
		if f.pronoun() {
			f = antecedent(w, f)
			if slices.ContainsFunc(found, func(o asked) bool { return o.name == f.name }) {
				continue
			}
			found[i] = f
		}
		if f.look >= lookPhrase {
			objects = append(objects, f.name)
		}
	}
	return objects, len(objects) > 0
}

const (
	maxQuestion = 4000 // bytes of a question that are read for its form
	maxObjects  = 8
)

// A look is how much an object looks like a name of code.
type look int

const (
	lookNone   look = iota
	lookWord        // plain words: the graph decides
	lookPhrase      // words that may well name code: a capital, an agent ("the detector"), a single word that is called
	lookName        // written as a name, or called one
)

// An asked object of a reference question.
type asked struct {
	name       string // as written, normalised
	look       look
	in         string // where the question looks: "receiver/pss.py", "the tests"; "" for everywhere
	start, end int    // bytes of the question that this form takes up, its scope included
}

// A word of a question.
type word struct {
	low        string // lower case
	raw        string
	start, end int
	quoted     bool // in quotes or back quotes
	stop       bool // a mark that ends a clause stands behind it
	comma      bool // a comma stands behind it
	possessive bool // 's stands behind it
}

// referenceForms finds the forms in a text, in order, and returns its words too.
func referenceForms(text string) ([]asked, []word) {
	if len(text) > maxQuestion {
		cut := maxQuestion
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	p := &formReader{w: words(text)}
	var out []asked
	for i := 0; i < len(p.w); {
		found, next := p.formAt(i)
		if next <= i {
			i++
			continue
		}
		for _, f := range found {
			if len(out) < maxObjects {
				out = append(out, f)
			}
		}
		i = next
	}
	return out, p.w
}

func (a *asked) pronoun() bool { return a.look == lookWord && pronounWords[strings.ToLower(a.name)] }

// antecedent resolves "it" where one name alone stands in the text before: "before I touch X, tell me who calls it".
func antecedent(ws []word, a asked) asked {
	name := ""
	for _, w := range ws {
		if w.start >= a.start && a.start > 0 {
			break
		}
		if nameLook(w) != lookName || w.end > a.end {
			continue
		}
		if n := cleanName(w.raw); name != "" && name != n {
			return a // which of them, nobody can tell
		} else {
			name = n
		}
	}
	if name != "" {
		a.name, a.look = name, lookName
	}
	return a
}

// words cuts a text into words. What is in back quotes or quotes is one, and so are a name and its argument list.
func words(s string) []word {
	var out []word
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if closing, ok := quotes[r]; ok {
			if j := strings.IndexRune(s[i+n:], closing); j > 0 && j <= 120 && (r == '`' || !strings.ContainsAny(s[i+n:i+n+j], "\n") && (r != '\'' || startsWord(s, i))) {
				inner := s[i+n : i+n+j]
				end := i + n + j + utf8.RuneLen(closing)
				if strings.TrimSpace(inner) != "" && (r == '`' || len(strings.Fields(inner)) <= 4) {
					out = append(out, word{low: strings.ToLower(inner), raw: strings.TrimSpace(inner), start: i, end: end, quoted: true})
					i = end
					continue
				}
			}
		}
		if unicode.IsSpace(r) {
			i += n
			continue
		}
		if strings.ContainsRune(",;?!.:…", r) || r == '-' || r == '–' || r == '—' {
			if k := len(out) - 1; k >= 0 {
				out[k].comma = out[k].comma || r == ','
				out[k].stop = out[k].stop || r != ','
			}
			i += n
			continue
		}
		if suffix := possessive(s[i:]); suffix > 0 && len(out) > 0 && out[len(out)-1].end == i {
			out[len(out)-1].possessive = true
			i += suffix
			continue
		}
		end := i + wordLen(s[i:])
		raw := s[i:end]
		w := word{start: i, end: end}
		trimmed := strings.TrimRight(raw, ",;?!.:…)]}\"'”’")
		if strings.HasSuffix(raw[:min(len(raw), len(trimmed)+1)], ")") && strings.Contains(trimmed, "(") { // main()
			trimmed = raw[:len(trimmed)+1]
		}
		for _, r := range raw[len(trimmed):] {
			w.comma = w.comma || r == ','
			w.stop = w.stop || strings.ContainsRune(";?!.:…", r)
		}
		lead := len(trimmed) - len(strings.TrimLeft(trimmed, "([{\"'“‘&*@#"))
		w.start += lead
		trimmed = trimmed[lead:]
		for _, q := range []string{"'s", "’s"} {
			if t, ok := strings.CutSuffix(trimmed, q); ok && t != "" {
				trimmed, w.possessive = t, true
			}
		}
		if trimmed == "" {
			if k := len(out) - 1; k >= 0 {
				out[k].stop = out[k].stop || w.stop
				out[k].comma = out[k].comma || w.comma
			}
			i = end
			continue
		}
		w.raw, w.low = trimmed, strings.ToLower(trimmed)
		switch w.low { // "who's calling" and "isn't": two words, or the one that counts
		case "who", "what", "where", "that", "there":
			if w.possessive {
				w.possessive = false
				is := word{low: "is", raw: "is", start: w.start + len(trimmed), end: end, stop: w.stop, comma: w.comma}
				w.stop, w.comma = false, false
				w.end = is.start
				out = append(out, w, is)
				i = end
				continue
			}
		default:
			for _, q := range []string{"n't", "n’t"} {
				if t, ok := strings.CutSuffix(w.low, q); ok && auxiliary[t] {
					w.low = t
				}
			}
		}
		w.end = end
		out = append(out, w)
		i = end
	}
	return out
}

var quotes = map[rune]rune{'`': '`', '"': '"', '“': '”', '‘': '’', '\'': '\''}

func startsWord(s string, i int) bool { return i == 0 || s[i-1] == ' ' || s[i-1] == '(' }

func possessive(s string) int {
	for _, q := range []string{"'s", "’s"} {
		if strings.HasPrefix(s, q) && (len(s) == len(q) || strings.ContainsAny(s[len(q):len(q)+1], " ?.,!;")) {
			return len(q)
		}
	}
	return 0
}

// wordLen is the length of the word at the beginning of s: up to a blank, but a list of arguments or of type arguments
// behind a name belongs to it, blanks and all.
func wordLen(s string) int {
	depth, name := 0, false
	for i, r := range s {
		switch {
		case depth == 0 && unicode.IsSpace(r) || r == '`' && i > 0 || i > 200 && unicode.IsSpace(r):
			return i
		case r == '(' || r == '<' && name:
			if (name || depth > 0) && strings.ContainsRune(s[i:], map[rune]rune{'(': ')', '<': '>'}[r]) {
				depth++
			}
		case (r == ')' || r == '>') && depth > 0:
			depth--
		case r == '\n':
			return i
		}
		name = unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
	}
	return len(s)
}

func set(s string) map[string]bool { return names(s) }

var (
	auxiliary = set("is are was were be been being am do does did has have had can could would will might may should shall must get gets got gotten")
	beForms   = set("is are was were be been being")
	adverbs   = set("still ever actually really currently also directly indirectly else all now already explicitly transitively even only just exactly possibly ultimately internally themselves itself anywhere any in-turn typically normally usually often ")
	// The verbs of calling and using, by their form.
	baseVerbs = set("call calls invoke invokes use uses import imports reference references mention mentions instantiate instantiates reads utilize utilizes utilise utilises consume consumes access accesses construct constructs subclass subclasses extend extends")
	ingVerbs  = set("calling invoking using importing referencing mentioning instantiating utilizing utilising consuming accessing constructing subclassing extending")
	pastVerbs = set("called invoked used imported referenced mentioned instantiated utilized utilised consumed accessed constructed subclassed extended touched")
	// twoWord verbs: the second word by the first.
	twoWord = map[string]string{"depend": "on", "depends": "on", "depended": "on", "depending": "on", "rely": "on", "relies": "on", "relied": "on", "relying": "on",
		"refer": "to", "refers": "to", "referred": "to", "referring": "to", "inherit": "from", "inherits": "from", "inheriting": "from", "derive": "from", "derives": "from"}
	threeWord = map[string]bool{"make use of": true, "makes use of": true, "made use of": true, "making use of": true}
	// callVerbs say that what they are about runs: their object is code even as a plain word.
	callVerbs = set("call calls called calling invoke invokes invoked invoking import imports imported importing instantiate instantiates instantiated instantiating reference references referenced referencing")

	interrogative = set("who what which whom")
	indefinite    = set("anyone anybody anything someone somebody something everyone everybody everything nobody nothing")
	// codeNouns are what calls and uses.
	codeNouns = set("code codebase function functions method methods class classes file files module modules package packages place places part parts test tests line lines " +
		"spot spots location locations component components service services endpoint endpoints handler handlers command commands script scripts program programs caller callers " +
		"helper helpers hook hooks struct structs trait traits interface interfaces type types symbol symbols entity entities member members constructor constructors " +
		"sites site subsystem subsystems crate crates layer layers job jobs task tasks worker workers route routes controller controllers view views macro macros binary binaries " +
		"library libraries repository repositories project app application suite example examples notebook notebooks routine routines subroutine subroutines procedure procedures object objects callsite callsites")
	// refNouns are the callers and uses themselves.
	refNouns = set("callers users usages uses references consumers dependents dependants occurrences invocations importers calls callsites xrefs cross-references back-references mentions instantiations call-sites")
	// singular ones need a word before them that looks for something.
	refSingular = set("caller user usage use reference consumer dependent occurrence invocation importer call callsite mention")
	// symbolNouns stand beside a name and say what it is.
	symbolNouns = set("function functions method methods class classes type types symbol constant constants interface variable field fields enum struct trait module package helper decorator macro hook component property attribute object routine procedure singleton alias typedef namespace component constructor file")

	articles = set("the a an our my your this that these those its their")
	// openers may stand before the noun of a request: what is asked for is then callers, not something else about them.
	openWords = set("find show list give get print count search look lookup enumerate display tell fetch locate identify collect grep see know check determine name report figure out up for me us please pls " +
		"can could would will you i we let lets let's want need like i'd to want wanted would be is are was were there do does have any some all every each the a an what who which where how many much " +
		"full complete exact list lists of number in code now just also and or then so but existing current known direct indirect other remaining real actual possible hey hi ok okay well " +
		"hello quickly kindly go run do it mean help with information about whether if by still any got ever actually really test production internal external different various those these are")
	// stopAfter may not begin or be a plain word of an object.
	objectStops = set("and or but in on at by from for with when where who what which how why is are was were be been being do does did has have had to of as if while after before than then because since " +
		"anywhere somewhere elsewhere ever still get gets got directly there here not so about into over under inside within outside without instead during per via across throughout it's i whom whose most more much at left right today")
	pronounWords = set("it this that them these those him her us me you itself themselves one ones anyone anything everything something nothing someone each other")
	// documentWords say that a text is looked at, not code.
	documentWords = set("standard standards spec specs specification specifications clause clauses section sections paper papers document documents literature book books article articles thesis chapter chapters " +
		"rfc ts tr pdf annex figure table tables release theory author authors publication publications report reports page pages patent patents")
	// worldWords say that people or things outside of code are meant.
	worldWords = set("industry practice world academia companies company market life deployments deployment lte nr 5g 4g 6g wifi networks operators history business school schools europe china general research")
	codeWords  = set("code codebase base tests test repo repository project package module modules file files class classes function functions method methods app application program programs source sources backend frontend library folder directory directories " +
		"folders tree here component components suite examples example workspace crate script scripts")
	// genericNouns with "this" or "our" mean the whole, which is no symbol.
	genericNouns = set("library project tool product software repository repo code codebase package paper approach algorithm technique technology method system app application framework standard program language model signal feature")
	// products are written like names and are none of the code asked about.
	products = set("github gitlab javascript typescript youtube openai linkedin iphone ipad macos pytorch tensorflow numpy scipy mysql postgresql mongodb graphql latex bibtex facebook whatsapp paypal powerpoint " +
		"chatgpt devops wifi ios node.js vue.js next.js")
)
