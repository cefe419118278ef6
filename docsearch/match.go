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

// slots lays a text out in the same places as [driver.Analyze] does.
func slots(s string) []slot {
	var out []slot
	for _, t := range text.Tokens(s) {
		for i, p := range t.Parts {
			sl := slot{term: p.Term, start: p.Start, end: p.End, stop: t.Stop}
			if i == 0 && t.Whole != "" {
				sl.whole, sl.wholeEnd = t.Whole, t.End
				if len(t.Parts) == 1 {
					sl.alt = driver.Alternatives(t.Whole)
				}
			}
			out = append(out, sl)
		}
	}
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

// rowAt returns the number of slots from i that the groups take in a row, or 0.
func rowAt(ss []slot, i int, groups []driver.Group) int {
	if len(groups) == 0 {
		return 0
	}
	g := groups[0]
	rest := func(n int) int {
		if len(groups) == 1 {
			return n
		}
		if m := rowAt(ss, i+n, groups[1:]); m > 0 {
			return n + m
		}
		return 0
	}
	if i+len(g.Parts) <= len(ss) {
		row := true
		for k, p := range g.Parts {
			if row = ss[i+k].is(p); !row {
				break
			}
		}
		if row {
			if n := rest(len(g.Parts)); n > 0 {
				return n
			}
		}
	}
	if g.Whole != "" && i < len(ss) && ss[i].alt != nil && ss[i].whole == g.Whole {
		return rest(1)
	}
	return 0
}

// wordSpans returns the places of the words of a query in order: whole words, and parts of identifiers where the whole
// word does not occur. Stop words are left out.
func wordSpans(ss []slot, groups []driver.Group) []span {
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
				if slices.ContainsFunc(g.Parts, ss[i].is) {
					out = append(out, span{ss[i].start, ss[i].end, gi, false})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b span) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	n := 0
	for _, s := range out {
		if n == 0 || s.start >= out[n-1].end {
			out[n] = s
			n++
		}
	}
	return out[:n]
}

// matchText decides how a whole text matches, without an index.
func matchText(ss []slot, p *plan, tier Tier) []span {
	if tier == TierPhrase {
		return phraseSpans(ss, p.phrase)
	}
	spans := wordSpans(ss, p.words)
	if tier == TierAll {
		seen := map[int]bool{}
		for _, s := range spans {
			seen[s.group] = true
		}
		for gi, g := range p.words {
			if !g.Stop && !seen[gi] {
				return nil
			}
		}
	}
	return spans
}
