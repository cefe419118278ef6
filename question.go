package findspot

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/findspot/findspot/internal/text"
)

// A question is what [Workspace.Ask] made of its text.
type question struct {
	callers []string // phrases whose callers or uses are asked for, as written
	topic   string   // the rest: what documents and code are searched for
	idents  []string // words of the whole text that are written like identifiers
}

const (
	verb = `(?:calls?|called|calling|invokes?|invoked|invoking|uses?|used|using|imports?|imported|importing|references?|referenced|referencing|depends? on|depending on|relies on)`
	// code is what calls.
	code = `(?:code|functions?|methods?|class|classes|files?|modules?|packages?|places?|parts?|tests?|lines?)`
	// wanted stands before a noun: "show me all the callers of".
	wanted = `(?:\b(?:find|show|list|give|get|print)\s+(?:me\s+|us\s+)?)?(?:\b(?:all|every|any)\s+)?(?:\bthe\s+)?`
	// what is asked about: something in back quotes, an identifier with its dots, or a few plain words with an article.
	object = "(?P<what>`[^`]{1,120}`|(?:(?:the|a|an|our|this)\\s+)?(?:(?:function|method|class|type|symbol|constant|interface)\\s+)?[\\pL_][\\pL\\pN_.:#/~-]*(?:\\(\\))?(?:\\s+[\\pL_][\\pL\\pN_-]*){0,3})"
)

// callerForms are the ways in which people ask for callers and uses. The object ends before "and", "or" and a preposition.
// They are made when the first question comes: a program that asks none would spend a third of its start on them.
var callerForms = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		// who calls X, what code uses X, which two functions call X, how many places call X
		regexp.MustCompile(`(?i)\b(?:who|what(?:\s+` + code + `)?|which\s+(?:[\pL\pN_]+\s+)?` + code + `|how\s+many\s+(?:[\pL\pN_]+\s+)?` + code + `|does\s+(?:anyone|anybody|anything|something|someone))\s+(?:else\s+|all\s+|actually\s+)?` + verb + `\s+` + object),
		// who is calling X, who's using X, is anybody using X
		regexp.MustCompile(`(?i)\b(?:who(?:\s+is|'s|’s)|what\s+is|is\s+(?:anyone|anybody|anything|someone|something))\s+(?:still\s+|else\s+)?(?:calling|invoking|using|importing|referencing|depending\s+on)\s+` + object),
		// where is X used, where does X get called
		regexp.MustCompile(`(?i)\b(?:where|how\s+often)\s+(?:else\s+)?(?:is|are|was|were|does|do)\s+` + object + `\s+(?:being\s+|get\s+)?(?:called|invoked|used|imported|referenced)\b`),
		// where do we use X
		regexp.MustCompile(`(?i)\bwhere\s+(?:do|does|did)\s+(?:we|you|it|they|[\pL\pN_]+)\s+` + verb + `\s+` + object),
		// callers of X, find all usages of X
		regexp.MustCompile(`(?i)` + wanted + `\b(?:callers?|users?|usages?|uses|call\s+sites?|references?)\s+(?:of|to)\s+` + object),
		// X callers, X usages: with a name that is written like one
		regexp.MustCompile("(?i)" + wanted + "(?P<what>`[^`]{1,120}`|\\b[\\pL_][\\pL\\pN]*[_.:][\\pL\\pN_.:]*[\\pL\\pN])\\s+(?:callers|usages|references|call\\s+sites)\\b"),
		// is X used anywhere, is X dead code: at the beginning of a clause, for "what is X used for" asks of something else
		regexp.MustCompile(`(?i)(?:^|[.,;:?!]\s*|\b(?:and|or|but)\s+)is\s+` + object + `\s+(?:ever\s+|still\s+)?(?:(?:called|used|imported|referenced)\b(?:\s+(?:anywhere|somewhere|at\s+all))?|unused\b|dead(?:\s+code)?\b)`),
	}
})

// objectEnd cuts plain words off that no longer belong to the object.
var objectEnd = regexp.MustCompile(`(?i)\s+(?:and|or|but|in|on|at|by|from|for|with|when|where|who|what|which|how|why|is|are|being|used|called|referenced|anywhere|ever|still|get|dead|unused|directly|then|to|as)\b.*$`)

var objectHead = regexp.MustCompile(`(?i)^(?:(?:the|a|an|our|this)\s+)?(?:(?:function|method|class|type|symbol|constant|interface)\s+)`)

// parseQuestion takes a question apart. Nothing is decided here about whether an object exists.
func parseQuestion(s string) question {
	q := question{topic: s}
	for _, re := range callerForms() {
		m := re.FindStringSubmatchIndex(q.topic)
		if m == nil {
			continue
		}
		n := re.SubexpIndex("what")
		from, to := m[2*n], m[2*n+1]
		what := q.topic[from:to]
		end := m[1]
		if cut := objectEnd.FindStringIndex(what); cut != nil && what[0] != '`' {
			// What follows the object is the question's again, unless the form's own verb closes it.
			if to == m[1] {
				end = from + cut[0]
			}
			what = what[:cut[0]]
		}
		what = strings.Trim(objectHead.ReplaceAllString(what, ""), "`.:/- ")
		what = strings.TrimSuffix(what, "()")
		if what == "" {
			continue
		}
		q.callers = append(q.callers, what)
		q.topic = q.topic[:m[0]] + " " + q.topic[end:]
	}
	q.topic = trimTopic(q.topic)
	for f := range strings.FieldsSeq(s) {
		f = strings.Trim(f, "`\"'.,;:?!()[]{}")
		if looksLikeIdent(f) {
			q.idents = append(q.idents, f)
		}
	}
	return q
}

// trimTopic drops what taking the callers out left behind: punctuation and a joining word at either end.
func trimTopic(s string) string {
	fields := strings.Fields(s)
	loose := func(w string) bool {
		w = strings.ToLower(strings.Trim(w, ",;.?!:-"))
		return w == "" || joining[w]
	}
	for len(fields) > 0 && loose(fields[0]) {
		fields = fields[1:]
	}
	for len(fields) > 0 && loose(fields[len(fields)-1]) {
		fields = fields[:len(fields)-1]
	}
	return strings.TrimRight(strings.Join(fields, " "), ",;?! ")
}

var joining = map[string]bool{"and": true, "or": true, "but": true, "also": true, "then": true, "please": true}

// looksLikeIdent reports whether a word is written as programs write names: with an underscore, a dot or colons inside,
// or with a capital after a small letter.
func looksLikeIdent(w string) bool {
	if len(w) < 3 || !strings.ContainsFunc(w, unicode.IsLetter) {
		return false
	}
	if i := strings.IndexAny(w, "_.:"); i > 0 && i < len(w)-1 && !strings.HasSuffix(w, ".g") {
		return true
	}
	var prev rune
	for _, r := range w {
		if unicode.IsUpper(r) && unicode.IsLower(prev) {
			return true
		}
		prev = r
	}
	return false
}

// phrases returns the runs of two and more words without stop words in s, longest first, then as written: what a
// document may hold word for word. At most so many are returned.
func phrases(s string, most int) []string {
	type word struct{ start, end int }
	var runs [][]word
	var run []word
	for _, t := range text.Tokens(s) {
		if t.Stop || openers[t.Word] {
			runs, run = append(runs, run), nil
			continue
		}
		run = append(run, word{t.Start, t.End})
	}
	runs = append(runs, run)
	var out []string
	longest := 0
	for _, r := range runs {
		longest = max(longest, len(r))
	}
	for n := longest; n >= 2; n-- {
		for _, r := range runs {
			for i := 0; i+n <= len(r) && len(out) < most; i++ {
				out = append(out, s[r[i].start:r[i+n-1].end])
			}
		}
	}
	return out
}

// openers begin a request and say nothing of its subject.
var openers = map[string]bool{"find": true, "show": true, "explain": true, "describe": true, "tell": true, "list": true,
	"search": true, "give": true, "please": true, "mean": true, "means": true, "happen": true, "happens": true, "work": true, "works": true}

// contentWords returns the words of s that say something of its subject, as written.
func contentWords(s string) []string {
	var out []string
	for _, t := range text.Tokens(s) {
		if !t.Stop && !openers[t.Word] {
			out = append(out, s[t.Start:t.End])
		}
	}
	return out
}
