package driver

import (
	"slices"

	"github.com/findspot/findspot/internal/text"
)

// slot is a place of a text: the term of one part of a word, and the other forms it may have.
type slot struct {
	term  string
	stop  bool     // a common word, which only a group of its kind stands for
	whole string   // of a word that a line end cut, or ""
	alt   []string // see text.Alternatives
}

func (s *slot) is(term string) bool { return s.term == term || slices.Contains(s.alt, term) }

// PhraseCount returns the number of places of a text at which all groups stand in a row. Places are counted in the parts of words,
// stop words included, in the order of [Analyze]. A group takes as many places as it has parts; one whose whole is a word that a
// line end cut takes that word's one place. Only a stop group stands where the text has a stop word, so that an index without
// them can narrow. Who asks about many texts makes a [Phrase].
func PhraseCount(s string, groups []Group) int { return NewPhrase(groups).Count([]byte(s)) }

// countPlain is PhraseCount by its definition.
func countPlain(s string, groups []Group) int {
	if len(groups) == 0 {
		return 0
	}
	return countRows(appendSlots(nil, s), groups)
}

// appendSlots lays a text out in places.
func appendSlots(slots []slot, s string) []slot {
	for _, t := range text.Tokens(s) {
		for _, p := range t.Parts {
			sl := slot{term: p.Term, stop: t.Stop}
			if t.Whole != "" && len(t.Parts) == 1 {
				sl.whole, sl.alt = t.Whole, text.Alternatives(t.Whole)
			}
			slots = append(slots, sl)
		}
	}
	return slots
}

func countRows(slots []slot, groups []Group) int {
	n := 0
	for i := range slots {
		if rowAt(slots, i, groups) {
			n++
		}
	}
	return n
}

// rowAt reports whether the groups stand in a row from a slot. It goes on from all places that the groups before may end at, at
// once: to try one after the other could take exponential time.
func rowAt(slots []slot, from int, groups []Group) bool {
	var buf [8]int
	ends, next := append(buf[:0:4], from), buf[4:4]
	for _, g := range groups {
		next = next[:0]
		add := func(end int) {
			if !slices.Contains(next, end) {
				next = append(next, end)
			}
		}
		for _, at := range ends {
			if partsAt(slots[at:], g) {
				add(at + len(g.Parts))
			}
			if g.Whole != "" && at < len(slots) && slots[at].whole == g.Whole {
				add(at + 1)
			}
		}
		if len(next) == 0 {
			return false
		}
		ends, next = next, ends
	}
	return true
}

func partsAt(slots []slot, g Group) bool {
	if len(g.Parts) > len(slots) {
		return false
	}
	for i, p := range g.Parts {
		if !slots[i].is(p) || slots[i].stop && !g.Stop {
			return false
		}
	}
	return true
}
