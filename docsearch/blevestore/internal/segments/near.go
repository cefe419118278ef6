package segments

import (
	"github.com/findspot/findspot/internal/text"
)

// Beside each posting of the words stands a note of the words before and behind it in that record, stop words left out. Two
// words of a phrase that are nowhere neighbours are told so without reading the text, which most records that hold all words of a
// phrase are spared. It takes the place of the field's length in zapx's format, which the field "length" holds once.
//
// A note has ten bits for the words behind and ten for those before, and one that is always set (the format takes a note of 0
// for none). What the bits say follows from how often the word stands in the record:
//
//	once         a number from 1 to 1022; 0 is the end of the text
//	twice        two numbers from 1 to 30 of five bits
//	more often   bit h mod 10 for each neighbour h
//
// All bits set stands for any word: where a neighbour has several forms, or has the term of a stop word but is none.
const (
	nearBits = 10
	nearMask = 1<<nearBits - 1
	nearSet  = 1 << (2 * nearBits)
)

// LengthTerm is the one term of the field "length"; it stands there as often as the record has words.
const LengthTerm = "w"

// anyNeighbour is a [neighbour] that may be any word.
const anyNeighbour = ^uint32(0)

// neighbour returns what a note keeps of a term: never 0.
func neighbour(term string) uint32 {
	if text.IsStopTerm(term) {
		return anyNeighbour
	}
	h := uint32(2166136261) // FNV-1a
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	h ^= h >> 15
	h *= 0x2c1b3c6d
	h ^= h >> 12
	return max(1, min(h, anyNeighbour-1))
}

// addNear adds the neighbour h to one half of the note of a word that stands times in its record; 0: there is no word.
func addNear(half, times, h uint32) uint32 {
	switch {
	case h == 0:
		return half
	case h == anyNeighbour:
		return nearMask
	case half == nearMask:
		return half
	case times == 1:
		return h%1022 + 1
	case times == 2:
		x := h%30 + 1
		if half == 0 || half == x {
			return x
		}
		return half&31 | x<<5
	}
	return half | 1<<(h%nearBits)
}

// isNear reports whether the neighbour h may be in one half of a note.
func isNear(half, times, h uint32) bool {
	switch {
	case half == nearMask || h == anyNeighbour:
		return true
	case times == 1:
		return half == h%1022+1
	case times == 2:
		x := h%30 + 1
		return half&31 == x || half>>5 == x
	}
	return half>>(h%nearBits)&1 != 0
}

// behind and before are the halves of a note.
func behind(note uint32) uint32 { return note & nearMask }
func before(note uint32) uint32 { return note >> nearBits & nearMask }

// near is the two halves of a note that is being made.
type near struct{ behind, before uint32 }

// neighbours returns each word of the bag once with how often it stands there, and the notes beside.
func (a *analyst) neighbours(v *text.Vocabulary) (terms []uint64, notes []uint32) {
	if a.hashed != v {
		a.hashed, a.hashes = v, a.hashes[:0]
	}
	b := &a.bag
	distinct := 0
	for _, t := range b.Words {
		for int(t) >= len(a.times) {
			a.times = append(a.times, make([]uint32, max(1024, len(a.times)))...)
		}
		for int(t) >= len(a.near) {
			a.near = append(a.near, make([]near, max(1024, len(a.near)))...)
		}
		if a.times[t]++; a.times[t] == 1 {
			distinct++
		}
	}
	// The places become what a note keeps of them.
	var names []string
	for i, t := range b.Places {
		if t == text.ManyForms {
			continue // which is anyNeighbour
		}
		for int(t) >= len(a.hashes) {
			a.hashes = append(a.hashes, make([]uint32, max(1024, len(a.hashes)))...)
		}
		if a.hashes[t] == 0 {
			if names == nil {
				names = v.Terms()
			}
			a.hashes[t] = neighbour(names[t])
		}
		b.Places[i] = a.hashes[t]
	}
	for i, t := range b.Words {
		at := int(b.At[i])
		n, times := &a.near[t], a.times[t]
		if at+1 < len(b.Places) {
			n.behind = addNear(n.behind, times, b.Places[at+1])
		}
		if at > 0 {
			n.before = addNear(n.before, times, b.Places[at-1])
		}
	}
	if cap(a.arena)-len(a.arena) < distinct {
		a.arena = make([]uint64, 0, max(1<<15, distinct))
	}
	if cap(a.notes)-len(a.notes) < distinct {
		a.notes = make([]uint32, 0, max(1<<15, distinct))
	}
	from, fromNotes := len(a.arena), len(a.notes)
	for _, t := range b.Words {
		if n := a.times[t]; n > 0 {
			a.arena = append(a.arena, uint64(t)<<32|uint64(n))
			a.notes = append(a.notes, nearSet|a.near[t].before<<nearBits|a.near[t].behind)
			a.times[t], a.near[t] = 0, near{}
		}
	}
	return a.arena[from:len(a.arena):len(a.arena)], a.notes[fromNotes:len(a.notes):len(a.notes)]
}
