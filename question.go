package findspot

import (
	"strings"
	"unicode"

	"github.com/findspot/findspot/internal/text"
)

// A question is what [Workspace.Ask] made of its text.
type question struct {
	callers []asked  // what callers or uses are asked for, as written
	topic   string   // the rest: what documents and code are searched for
	idents  []string // words of the whole text that are written like identifiers
}

// parseQuestion takes a question apart. Nothing is decided here about whether an object exists.
func parseQuestion(s string) question {
	found, _ := referenceForms(s)
	q := question{callers: found}
	var b strings.Builder
	at := 0
	for _, f := range found {
		if f.start >= at { // objects of one form share its place
			b.WriteString(s[at:f.start])
			b.WriteByte(' ')
			at = f.end
		}
	}
	b.WriteString(s[at:])
	q.topic = trimTopic(b.String())
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
