package elasticstore

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

// The server splits what we send at white space, and what same stands in again: those words share a position. The place of a stop word
// holds its term behind stop, which no word begins with, so that phrases are decided by the index while stop words neither
// match nor count. A place whose word has the term of a stop word holds both: stop words of a phrase stand for such words too.
const (
	same  = "\u0002"
	stop  = "\u0001"
	other = '\u0003' // instead of what would be white space within a term
)

// term is how a term stands in the index.
func term(t string) string {
	odd := func(r rune) bool { return r <= ' ' || r >= 0x7f && unicode.IsSpace(r) }
	if strings.IndexFunc(t, odd) < 0 {
		return t
	}
	return strings.Map(func(r rune) rune {
		if odd(r) {
			return other
		}
		return r
	}, t)
}

// stopTerm is how a stop word stands in the index.
func stopTerm(t string) string { return stop + term(t) }

// A bag is a token field as the server gets it.
type bag struct {
	text   string
	length int // tokens that count for [driver.BM25]
}

// analyze lays out the tokens of [driver.Analyze] with their places.
func analyze(s string) (words, idents bag) {
	var w, id strings.Builder
	w.Grow(len(s) + len(s)/2)
	for _, t := range text.Tokens(s) {
		for _, p := range t.Parts {
			if w.Len() > 0 {
				w.WriteByte(' ')
			}
			if t.Stop {
				w.WriteString(stopTerm(p.Term))
				continue
			}
			words.length++
			at := []string{p.Term}
			if t.Whole != "" && len(t.Parts) == 1 {
				at = append(at, text.Alternatives(t.Whole)...)
			}
			for i, a := range at {
				if slices.Contains(at[:i], a) {
					continue
				}
				if i > 0 {
					w.WriteString(same)
				}
				w.WriteString(term(a))
				if text.IsStopTerm(a) {
					w.WriteString(same)
					w.WriteString(stopTerm(a))
				}
			}
		}
		if t.Whole != "" && !t.Stop {
			if id.Len() > 0 {
				id.WriteByte(' ')
			}
			id.WriteString(term(t.Whole))
			idents.length++
		}
	}
	words.text, idents.text = w.String(), id.String()
	return words, idents
}

// analyzeHeads lays out the tokens of heads, which have no places.
func analyzeHeads(s string) bag {
	f := driver.Analyze(s).Words
	var b strings.Builder
	for _, t := range slices.Sorted(maps.Keys(f.Terms)) {
		for range f.Terms[t] {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(term(t))
		}
	}
	return bag{b.String(), f.Length}
}
