package docsearch

import (
	"slices"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

// A span is a stretch of a text that matches a word or a phrase.
type span struct {
	start, end int  // bytes
	group      int  // index of the query's word; -1 for a phrase
	precise    bool // of a word of several parts, such as an identifier or the number of a clause, all of it
}

// slot is one place in a text that a part of a word takes.
type slot struct {
	term       string
	start, end int
	whole      string   // of the word that begins here, "" when it has none
	wholeEnd   int      // end of that word
	alt        []string // other forms of the one part, when a line end cut the word
	stop       bool
}

// memos are for slots: chunk after chunk has the same words.
var memos text.Memos

// slots lays a text out in the same places as [driver.Analyze] does.
func slots(s string) []slot {
	m := memos.Get()
	defer memos.Put(m)
	out := make([]slot, 0, len(s)/6+1)
	m.Each(s, func(t *text.Token, at int) {
		for i, p := range t.Parts {
			sl := slot{term: p.Term, start: at + p.Start, end: at + p.End, stop: t.Stop}
			if i == 0 && t.Whole != "" {
				sl.whole, sl.wholeEnd = t.Whole, at+t.End
				if len(t.Parts) == 1 {
					sl.alt = driver.Alternatives(t.Whole)
				}
			}
			out = append(out, sl)
		}
	})
	return out
}

func (s *slot) is(term string) bool { return s.term == term || slices.Contains(s.alt, term) }

// phraseSpans returns the places where all groups stand in a row, stop words included.
func phraseSpans(ss []slot, groups []driver.Group) []span {
	if len(groups) == 0 {
		return nil
	}
	var out []span
	for i := 0; i < len(ss); i++ {
		if n := rowAt(ss, i, groups); n > 0 {
			out = append(out, span{ss[i].start, ss[i+n-1].end, -1, false})
			i += n - 1
		}
	}
	return out
}

// rowAt returns the number of slots from i that the groups take in a row, or 0. It goes on from all places that the groups before may end at, at
// once, as [driver.PhraseCount] does.
func rowAt(ss []slot, i int, groups []driver.Group) int {
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

// wordSpans returns the places of the words of a query in order: whole words, and parts of identifiers where the whole
// word does not occur. Stop words are left out, and so is what overlaps.
func wordSpans(ss []slot, groups []driver.Group) []span { return outermost(allSpans(ss, groups)) }

// allSpans returns the places of each word of a query, word by word.
func allSpans(ss []slot, groups []driver.Group) []span {
	var out []span
	for gi, g := range groups {
		if g.Stop {
			continue
		}
		found := false
		for i := range ss {
			switch {
			case rowAt(ss, i, groups[gi:gi+1]) > 0:
				n := rowAt(ss, i, groups[gi:gi+1])
				out = append(out, span{ss[i].start, ss[i+n-1].end, gi, len(g.Parts) > 1})
				found = true
			case g.Whole != "" && ss[i].whole == g.Whole:
				out = append(out, span{ss[i].start, ss[i].wholeEnd, gi, len(g.Parts) > 1})
				found = true
			}
		}
		if !found && len(g.Parts) > 1 {
			for i := range ss {
				if !ss[i].stop && slices.ContainsFunc(g.Parts, ss[i].is) {
					out = append(out, span{ss[i].start, ss[i].end, gi, false})
				}
			}
		}
	}
	return out
}

// outermost returns places in order and without those that overlap one before or around them.
func outermost(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	n := 0
	for _, s := range spans {
		if n == 0 || s.start >= spans[n-1].end {
			spans[n] = s
			n++
		}
	}
	return spans[:n]
}

// matchText decides how a whole text matches, without an index.
func matchText(ss []slot, v *variant, tier Tier) []span {
	if tier == TierPhrase {
		return phraseSpans(ss, v.phrase)
	}
	spans := allSpans(ss, v.words)
	if tier == TierAll && !everyWord(v.words, spans) {
		return nil
	}
	return outermost(spans)
}

// everyWord reports whether each word, stop words aside, has a place.
func everyWord(words []driver.Group, spans []span) bool {
	seen := make([]bool, len(words))
	for _, s := range spans {
		seen[s.group] = true
	}
	for i, g := range words {
		if !g.Stop && !seen[i] {
			return false
		}
	}
	return true
}
