package pdf

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch"
)

// divided reports what to do where a line ends in a hyphen: drop it, as the two parts are one word, or keep it ("signal-to-" and
// "noise"). The document decides where it writes the word elsewhere, either way.
func (st *style) divided(before, after string) (drop bool) {
	head := before[strings.LastIndexAny(before, " (\u201c\"/")+1:]
	tail := after
	if i := strings.IndexFunc(after, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' }); i >= 0 {
		tail = after[:i]
	}
	first, _ := utf8.DecodeRuneInString(tail)
	last, _ := utf8.DecodeLastRuneInString(head)
	if !unicode.IsLetter(first) || !unicode.IsLetter(last) {
		return false
	}
	joined, kept := strings.ToLower(head+tail), strings.ToLower(head+"-"+tail)
	if unicode.IsUpper(first) {
		return st.known(joined) && !st.known(kept)
	}
	switch {
	case st.known(joined):
		return true
	case st.known(kept):
		return false
	case strings.Contains(head, "-"):
		return false // "signal-to-": a compound of several words goes on
	}
	if len(head) > 3 && len(tail) > 3 && st.known(strings.ToLower(head)) && st.known(strings.ToLower(tail)) {
		return false // two words
	}
	switch strings.ToLower(head) {
	case "self", "non", "well", "all", "ex", "quasi", "semi", "half", "cross", "high", "low", "real", "large", "small", "long", "short", "two", "three",
		"four", "five", "six", "one", "state", "end", "peer", "user", "so", "first", "second", "third", "multi", "single", "double", "hand", "time", "data":
		return st.known(strings.ToLower(head)) && !st.known(strings.ToLower(tail))
	}
	return true
}

// with is the style with the words of a page beside those of the sampled pages. It is not for several goroutines.
func (st *style) with(p *docsearch.Page) *style {
	local := *st
	local.page = sync.OnceValue(func() map[string]bool {
		words := make(map[string]bool, min(len(p.Text)/10, 4096))
		learnWords(words, p.Text)
		return words
	})
	return &local
}

// joinLines appends a line to running text in a table or a caption. A word divided at the end of the first is put
// together; a hyphen that belongs to the word stays, without a space after it. A nil style knows no words.
func (st *style) joinLines(a, b string) string {
	if st == nil || a == "" || b == "" {
		return joinLines(a, b)
	}
	r, size := utf8.DecodeLastRuneInString(a)
	if strings.ContainsRune(hyphens, r) {
		before, _ := utf8.DecodeLastRuneInString(a[:len(a)-size])
		after, _ := utf8.DecodeRuneInString(b)
		switch {
		case !unicode.IsLetter(before) || !unicode.IsLetter(after):
		case r == '\u00ad' || st.divided(a[:len(a)-size], b):
			return a[:len(a)-size] + b
		default:
			return a + b
		}
	}
	if cjkEnd(a) && cjkStart(b) {
		return a + b
	}
	return a + " " + b
}

const hyphens = "-\u2010\u00ad"

// joinSpans appends the spans of the next line to those of a paragraph.
func (st *style) joinSpans(para, next []span) []span {
	if len(para) == 0 || len(next) == 0 {
		return append(para, next...)
	}
	last := &para[len(para)-1]
	r, size := utf8.DecodeLastRuneInString(last.text)
	if strings.ContainsRune(hyphens, r) && utf8.RuneCountInString(last.text) > 1 {
		before := plainSpans(para)
		before = before[:len(before)-size]
		prev, _ := utf8.DecodeLastRuneInString(before)
		switch {
		case r == '\u00ad' || st.divided(before, plainSpans(next)):
			last.text = last.text[:len(last.text)-size]
			return append(para, next...)
		case unicode.IsLetter(prev) || unicode.IsDigit(prev):
			return append(para, next...) // the hyphen stays, and so does the word
		}
	}
	if cjkEnd(last.text) && cjkStart(next[0].text) {
		return append(para, next...)
	}
	last.text += " "
	return append(para, next...)
}

func plainSpans(spans []span) string {
	if len(spans) == 1 {
		return spans[0].text
	}
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.text)
	}
	return b.String()
}

// Chinese and Japanese have no blanks between words.
func cjk(r rune) bool {
	return r >= 0x3000 && r <= 0x30FF || r >= 0x3400 && r <= 0x9FFF || r >= 0xFF00 && r <= 0xFFEF || r >= 0x20000 && r <= 0x3FFFF
}

func cjkEnd(s string) bool   { r, _ := utf8.DecodeLastRuneInString(s); return cjk(r) }
func cjkStart(s string) bool { r, _ := utf8.DecodeRuneInString(s); return cjk(r) }
