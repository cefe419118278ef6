package inline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// A term is a word of running text: what stands between blanks.
type term struct {
	parts []Span
	kind  termKind
}

type termKind int

const (
	textTerm termKind = iota
	mathTerm
	operatorTerm // says nothing alone: "=", "+"
	numberTerm   // numbers, brackets and function names: part of a formula only beside one
	codeTerm
)

var (
	operatorWord = pattern.Regexp{Regexp: lazyregexp.New(`^[=<>≤≥≠≈∼≃≡±∓×·∗⋆+−–/∈∉⊂⊆⊃∪∩∧∨¬→←↔⇒⇐⇔↦∝|:∘⊕⊗…-]+$`), Maybe: func(s string) bool { return s != "" && !pattern.IsLetter(s[0]) && !pattern.StartsWithDigit(s) }}
	numberWord   = pattern.Regexp{Regexp: lazyregexp.New(`^[()\[\]{}\d.,'′%!]+$`), Maybe: func(s string) bool { return s != "" && !pattern.IsLetter(s[0]) }}
	functionWord = pattern.Regexp{Regexp: lazyregexp.New(`^\(?(log|ln|exp|sin|cos|tan|min|max|arg|argmin|argmax|lim|sup|inf|det|mod|Pr|gcd)\(?$`), Maybe: func(s string) bool { return functionNames[strings.Trim(s, "(")] }}
	footMark     = lazyregexp.New(`^[\d,∗*†‡§¶a-z#]{1,6}$`)
)

// longestFunction is no less than the length of what functionWord matches.
const longestFunction = 8

// functionNames are those that functionWord knows.
var functionNames = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("log ln exp sin cos tan min max arg argmin argmax lim sup inf det mod Pr gcd") {
		m[w] = true
	}
	return m
}()

func (t *term) text() string {
	if len(t.parts) == 1 {
		return t.parts[0].Text
	}
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// terms cuts spans at their blanks and tells what each word is.
func terms(spans []Span) []term {
	n := len(spans)
	for i := range spans {
		n += strings.Count(spans[i].Text, " ")
	}
	out := make([]term, 0, n)
	parts := make([]Span, 0, n) // of all terms; there are no more than spans and blanks
	fresh := true
	for _, s := range spans {
		for len(s.Text) > 0 {
			i := strings.IndexByte(s.Text, ' ')
			if i == 0 {
				fresh = true
				s.Text = s.Text[1:]
				continue
			}
			word := s.Text
			if i > 0 {
				word = s.Text[:i]
			}
			parts = append(parts, Span{word, s.Face})
			if fresh {
				out = append(out, term{parts: parts[len(parts)-1:]})
				fresh = false
			} else {
				t := &out[len(out)-1]
				t.parts = t.parts[:len(t.parts)+1]
			}
			s.Text = s.Text[len(word):]
		}
	}
	for i := range out {
		out[i].parts = slices.Clip(out[i].parts)
		out[i].kind = out[i].classify()
	}
	return out
}

func (t *term) classify() termKind {
	text := t.text()
	if len(t.parts) == 1 && t.parts[0].Face&(Mono|Math) == 0 && pattern.IsLetter(text[0]) { // nearly all words
		if len(text) <= longestFunction && functionWord.MatchString(text) {
			return numberTerm
		}
		return textTerm
	}
	mono, math, low, high := 0, false, false, false
	for i, p := range t.parts {
		if p.Face&Mono != 0 {
			mono += len(p.Text)
		}
		if p.Face&Math != 0 && p.Face&Superscript == 0 && strings.ContainsFunc(p.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Sm, r) }) {
			math = true
		}
		if i > 0 && p.Face&Subscript != 0 {
			low = true
		}
		if p.Face&Superscript != 0 && i > 0 {
			// After a word it is a mark, after a letter or a number a power.
			at := i - 1
			for at > 0 && t.parts[at].Face&(Superscript|Subscript) != 0 {
				at--
			}
			base, under := t.parts[at].Text, t.parts[at].Face
			r, _ := utf8.DecodeLastRuneInString(base)
			n := utf8.RuneCountInString(strings.TrimLeft(base, "(["))
			switch {
			case strings.Trim(p.Text, "∗*†‡§¶#,+") == "" && n > 1:
			case under&Math != 0, unicode.IsDigit(r) && strings.Trim(p.Text, "0123456789-−–") == "", n == 1 && unicode.IsLetter(r) && under&Italic != 0:
				high = true
			}
		}
	}
	switch {
	case mono > 0 && mono*10 >= len(strings.Trim(text, ".,;:()[]“”\"'’!?"))*7:
		return codeTerm
	case operatorWord.MatchString(text) || strings.IndexFunc(text, func(r rune) bool { return !unicode.Is(unicode.Sm, r) }) < 0:
		return operatorTerm
	case math || low || high:
		return mathTerm
	case numberWord.MatchString(text) || functionWord.MatchString(text):
		return numberTerm
	}
	return textTerm
}

// IsFootMark reports whether a raised text may be the mark of a footnote.
func IsFootMark(s string) bool { return footMark.MatchString(s) }
