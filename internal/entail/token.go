package entail

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/text"
)

// A token is a word, a number or a sign of a text.
type token struct {
	raw        string
	low        string // folded
	stem       string // of a word
	start, end int    // bytes in the text
	kind       tokenKind
	quantity   int // which quantity it belongs to, -1 for none
}

type tokenKind uint8

const (
	word tokenKind = iota
	name           // a word that names something: an identifier, a capital inside a sentence, letters with digits
	number
	sign
)

// tokenize cuts a text. What stands in backticks is one name.
func tokenize(s string) []token {
	out := make([]token, 0, len(s)/5)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r):
			i += n
		case r == '`':
			end := strings.IndexByte(s[i+1:], '`')
			if end < 0 {
				i += n
				continue
			}
			code := s[i+1 : i+1+end]
			called, _, _ := strings.Cut(code, "(")
			if called == "" {
				called = code
			}
			out = append(out, token{raw: code, low: text.Fold(called), stem: text.Fold(called), start: i, end: i + end + 2, kind: name, quantity: -1})
			i += end + 2
		case digitAt(s, i) || (r == '-' || r == '+' || r == '−') && digitAt(s, i+n) && !wordBefore(s, i):
			j := i + n
			for j < len(s) {
				c := s[j]
				if c >= '0' && c <= '9' || (c == '.' || c == ',' || c == ':') && digitAt(s, j+1) {
					j++
					continue
				}
				break
			}
			if k := letters(s, j); k > j && !unitLike(s[j:k]) { // 2nd, 3GPP, 16A
				raw := s[i:k]
				out = append(out, token{raw: raw, low: text.Fold(raw), stem: text.Fold(raw), start: i, end: k, kind: name, quantity: -1})
				i = k
				continue
			}
			out = append(out, token{raw: s[i:j], low: s[i:j], start: i, end: j, kind: number, quantity: -1})
			i = j
		case wordRune(r):
			j := i
			for j < len(s) {
				r, n := utf8.DecodeRuneInString(s[j:])
				if wordRune(r) || (r == '\'' || r == '’' || r == '-' || r == '_' || r == '/' || r == '.') && j > i && j+n < len(s) && nextWord(s[j+n:]) && (r != '/' || true) {
					j += n
					continue
				}
				break
			}
			out = append(out, words(s, i, j)...)
			i = j
		default:
			out = append(out, token{raw: s[i : i+n], low: s[i : i+n], start: i, end: i + n, kind: sign, quantity: -1})
			i += n
		}
	}
	return out
}

// words cuts a run of word signs: a name is whole, other words are cut at hyphens and slashes.
func words(s string, from, to int) (out []token) {
	raw := s[from:to]
	if isName(raw) {
		low := text.Fold(raw)
		return []token{{raw: raw, low: low, stem: low, start: from, end: to, kind: name, quantity: -1}}
	}
	for at := from; at < to; {
		end := strings.IndexAny(s[at:to], "-/.")
		if end < 0 {
			end = to - at
		}
		if end > 0 {
			raw := s[at : at+end]
			low := strings.TrimSuffix(strings.TrimSuffix(text.Fold(strings.ReplaceAll(raw, "’", "'")), "'s"), "'")
			k := word
			if c, _ := utf8.DecodeRuneInString(raw); unicode.IsUpper(c) && !starts(s, at) {
				k = name
			}
			out = append(out, token{raw: raw, low: low, stem: text.Stem(low), start: at, end: at + end, kind: k, quantity: -1})
		}
		at += end + 1
	}
	return out
}

// isName reports a run with digits, an underscore, a dot, or capitals beyond the first letter.
func isName(raw string) bool {
	digits, letters, caps := false, false, 0
	for i, r := range raw {
		switch {
		case unicode.IsDigit(r):
			digits = true
		case r == '_' || r == '.':
			return true
		case unicode.IsUpper(r):
			if i > 0 {
				caps++
			}
			letters = true
		case unicode.IsLetter(r):
			letters = true
		}
	}
	return digits && letters || caps > 0 && !strings.ContainsAny(raw, "/")
}

// starts reports whether a sentence begins at an offset.
func starts(s string, at int) bool {
	head := strings.TrimRight(s[:at], " \t\n\"“'*_(|")
	if n := len(head); n > 1 && head[n-1] == '.' && head[n-2] >= 'A' && head[n-2] <= 'Z' && (n == 2 || head[n-3] == ' ' || head[n-3] == '.') { // an initial
		return false
	}
	return head == "" || strings.ContainsAny(head[len(head)-1:], ".!?:")
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func nextWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return wordRune(r)
}

func digitAt(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

func wordBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return i > 0 && (wordRune(r) || r == ')')
}

func letters(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		i += n
	}
	return i
}
