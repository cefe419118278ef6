package symbolname

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/source"
)

// MatchParams reports whether a declared parameter list has the types that were written. Each side is a list of types
// or of names with types, so a type matches when it is a word of the other side, or all of it.
func MatchParams(want, have []string) bool {
	if len(want) != len(have) {
		return false
	}
	for i, w := range want {
		w, h := wordsOf(w), wordsOf(have[i])
		if len(w) == 0 || !slices.ContainsFunc(w, func(word string) bool { return slices.Contains(h, word) }) {
			return false
		}
		// "T*" is not "T", "int[]" is not "int".
		if typeMarks(want[i]) != typeMarks(have[i]) {
			return false
		}
	}
	return true
}

// typeMarks returns what makes another type of one: pointers, references and arrays.
func typeMarks(s string) string {
	if i := strings.IndexAny(s, "=:"); i >= 0 && s[i] == '=' {
		s = s[:i]
	}
	s = strings.ReplaceAll(s, "...", "[]")
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("*&[]", r) {
			return r
		}
		return -1
	}, s)
}

// wordsOf returns the last components of the names in a type, without type arguments and qualifiers.
func wordsOf(s string) []string {
	if i := strings.IndexByte(s, '<'); i >= 0 {
		s = s[:i] + s[i+Balanced(s[i:], '<', '>'):]
	}
	if i := strings.IndexByte(s, '='); i >= 0 {
		s = s[:i] // a default value
	}
	var words []string
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return !source.IsIdent(r) && r != '.' }) {
		f = strings.Trim(f, ".")
		f = f[strings.LastIndexByte(f, '.')+1:]
		switch f {
		case "", "const", "final", "volatile", "mut", "ref", "struct":
			continue
		}
		words = append(words, f)
	}
	return words
}
