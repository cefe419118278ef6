package match

import (
	"slices"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

// A Span is a stretch of a text that matches a word or a phrase.
type Span struct {
	Start, End int  // bytes
	Group      int  // index of the query's word; -1 for a phrase
	Precise    bool // of a word of several parts, such as an identifier or the number of a clause, all of it
}

// A Token is one place in a text that a part of a word takes.
type Token struct {
	term       string
	start, end int
	whole      string   // of the word that begins here, "" when it has none
	wholeEnd   int      // end of that word
	alt        []string // other forms of the one part, when a line end cut the word
	stop       bool
}

// memos are for Tokens: chunk after chunk has the same words.
var memos text.Memos

// Tokens lays a text out in the same places as [driver.Analyze] does.
func Tokens(s string) []Token {
	m := memos.Get()
	defer memos.Put(m)
	out := make([]Token, 0, len(s)/6+1)
	m.Each(s, func(t *text.Token, at int) {
		for i, p := range t.Parts {
			sl := Token{term: p.Term, start: at + p.Start, end: at + p.End, stop: t.Stop}
			if i == 0 && t.Whole != "" {
				sl.whole, sl.wholeEnd = t.Whole, at+t.End
				if len(t.Parts) == 1 {
					sl.alt = text.Alternatives(t.Whole)
				}
			}
			out = append(out, sl)
		}
	})
	return out
}

func (s *Token) is(term string) bool { return s.term == term || slices.Contains(s.alt, term) }

// PhraseSpans returns the places where all groups stand in a row, stop words included.
func PhraseSpans(ss []Token, groups []driver.Group) []Span {
	if len(groups) == 0 {
		return nil
	}
	var out []Span
	for i := 0; i < len(ss); i++ {
		if n := rowAt(ss, i, groups); n > 0 {
			out = append(out, Span{ss[i].start, ss[i+n-1].end, -1, false})
			i += n - 1
		}
	}
	return out
}

// rowAt returns the number of slots from i that the groups take in a row, or 0. It goes on from all places that the groups before may end at, at
// once, as [driver.PhraseCount] does.
func rowAt(ss []Token, i int, groups []driver.Group) int {
	if len(groups) == 0 {
		return 0
	}
	var buf [8]int
	ends := append(buf[:0], i)
	for _, g := range groups {
		var next []int
		for _, at := range ends {
			row := at+len(g.Parts) <= len(ss)
			for k := 0; row && k < len(g.Parts); k++ {
				row = ss[at+k].is(g.Parts[k]) && (g.Stop || !ss[at+k].stop)
			}
			if row && !slices.Contains(next, at+len(g.Parts)) {
				next = append(next, at+len(g.Parts))
			}
			if g.Whole != "" && at < len(ss) && ss[at].alt != nil && ss[at].whole == g.Whole && !slices.Contains(next, at+1) {
				next = append(next, at+1)
			}
		}
		if len(next) == 0 {
			return 0
		}
		ends = next
	}
	return ends[0] - i
}

// WordSpans returns the places of the words of a query in order: whole words, and parts of identifiers where the whole
// word does not occur. Stop words are left out, and so is what overlaps.
func WordSpans(ss []Token, groups []driver.Group) []Span { return Outermost(AllSpans(ss, groups)) }

// AllSpans returns the places of each word of a query, word by word.
func AllSpans(ss []Token, groups []driver.Group) []Span {
	var out []Span
	for gi, g := range groups {
		if g.Stop {
			continue
		}
		found := false
		for i := range ss {
			switch {
			case rowAt(ss, i, groups[gi:gi+1]) > 0:
				n := rowAt(ss, i, groups[gi:gi+1])
				out = append(out, Span{ss[i].start, ss[i+n-1].end, gi, len(g.Parts) > 1})
				found = true
			case g.Whole != "" && ss[i].whole == g.Whole:
				out = append(out, Span{ss[i].start, ss[i].wholeEnd, gi, len(g.Parts) > 1})
				found = true
			}
		}
		if !found && len(g.Parts) > 1 {
			for i := range ss {
				if !ss[i].stop && slices.ContainsFunc(g.Parts, ss[i].is) {
					out = append(out, Span{ss[i].start, ss[i].end, gi, false})
				}
			}
		}
	}
	return out
}

// Outermost returns places in order and without those that overlap one before or around them.
func Outermost(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	n := 0
	for _, s := range spans {
		if n == 0 || s.Start >= spans[n-1].End {
			spans[n] = s
			n++
		}
	}
	return spans[:n]
}

// EveryWord reports whether each word, stop words aside, has a place.
func EveryWord(words []driver.Group, spans []Span) bool {
	seen := make([]bool, len(words))
	for _, s := range spans {
		seen[s.Group] = true
	}
	for i, g := range words {
		if !g.Stop && !seen[i] {
			return false
		}
	}
	return true
}
