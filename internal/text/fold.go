package text

import (
	"strings"
	"sync"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

// Fold makes spellings of one word equal: compatibility forms such as ligatures and full-width letters are replaced by
// plain ones (Unicode NFKC), letters are lowered, accents and soft hyphens are dropped. Folding twice changes nothing.
func Fold(s string) string {
	if isLowerASCII(s) {
		return s
	}
	if isASCII(s) {
		return strings.ToLower(s)
	}
	// Lowering may bring marks of its own (İ), and dropping marks may let parts compose anew, hence the order.
	s = norm.NFKD.String(strings.ToLower(norm.NFKC.String(s)))
	s = strings.Map(func(r rune) rune {
		if r == '\u00ad' || unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
	return norm.NFKC.String(s)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func isLowerASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return true
}

// Stem reduces a folded English word to its stem (Snowball English, also known as Porter 2). Words with digits or
// letters outside a to z come back as they are.
func Stem(word string) string {
	if len(word) < 3 {
		return word
	}
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return word
		}
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// IsStop reports whether a folded word is so common in English prose that it says nothing about a text.
func IsStop(word string) bool { return stopWords[word] }

// IsStopTerm reports whether a term is that of some common word, and maybe of other words too.
func IsStopTerm(term string) bool { return stopTerms()[term] }

var stopTerms = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool, len(stopWords))
	for w := range stopWords {
		m[Stem(w)] = true
	}
	return m
})

var stopWords = func() map[string]bool {
	m := make(map[string]bool)
	for w := range strings.FieldsSeq(`a about after all also am an and any are as at be because been before being both
		but by can could did do does doing during each few for from further had has have having he her here hers him his
		how i if in into is it its itself just me more most my no nor not of off on once only or other our ours out over
		own same she should so some such than that the their theirs them then there these they this those through to too
		under until up very was we were what when where which while who whom why will with would you your yours`) {
		m[w] = true
	}
	return m
}()
