package intent

import (
	"strings"
	"unicode"

	"github.com/findspot/findspot/internal/text"
)

// A Question is the text of a question, taken apart.
type Question struct {
	References  []Object // what callers or uses are asked for, as written
	Topic       string   // the rest: what documents and code are searched for
	Identifiers []string // words of the whole text that are written like identifiers
}

// Parse takes a question apart. It does not look whether an object exists.
func Parse(s string) Question {
	found, _ := referenceForms(s)
	q := Question{References: found}
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
	q.Topic = TrimTopic(b.String())
	for f := range strings.FieldsSeq(s) {
		f = strings.Trim(f, "`\"'.,;:?!()[]{}")
		if looksLikeIdent(f) {
			q.Identifiers = append(q.Identifiers, f)
		}
	}
	return q
}

// TrimTopic drops what taking the callers out left behind: punctuation and a joining word at either end.
func TrimTopic(s string) string {
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

// openers begin a request and say nothing of its subject.
var openers = map[string]bool{"find": true, "show": true, "explain": true, "describe": true, "tell": true, "list": true,
	"search": true, "give": true, "please": true, "mean": true, "means": true, "happen": true, "happens": true, "work": true, "works": true}

// ContentWords returns the words of s that say something of its subject, as written.
func ContentWords(s string) []string {
	var out []string
	for _, t := range text.Tokens(s) {
		if !t.Stop && !openers[t.Word] {
			out = append(out, s[t.Start:t.End])
		}
	}
	return out
}
