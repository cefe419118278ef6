package segments

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

// A note never denies a neighbour that is there, and denies most others.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	denied, asked := 0, 0
	for range 2000 {
		times := uint32(1 + r.IntN(5))
		var half uint32
		var there []uint32
		for range times {
			h := neighbour(fmt.Sprint("word", r.IntN(1000)))
			if r.IntN(10) == 0 {
				h = 0 // the end of the text
			} else {
				there = append(there, h)
			}
			half = addNear(half, times, h)
		}
		for _, h := range there {
			if !isNear(half, times, h) {
				t.Fatalf("%d of %v is denied: %b", h, there, half)
			}
		}
		asked++
		if !isNear(half, times, neighbour("elsewhere")) {
			denied++
		}
		if half = addNear(half, times, anyNeighbour); !isNear(half, times, 12345) {
			t.Errorf("after any word 12345 is denied")
		}
	}
	if denied < asked*3/4 {
		t.Errorf("%d of %d words that are not there are denied", denied, asked)
	}
	if neighbour("the") != anyNeighbour || neighbour("doe") != anyNeighbour {
		t.Error("the terms of stop words may be anywhere")
	}
}

// The notes of a text know every pair of words in a row.
func TestNotes(t *testing.T) {
	words := strings.Fields("signal primary the of detec- tion RRC_CONNECTED 38.331 state-of-the-art doe cell")
	r := rand.New(rand.NewPCG(2, 3))
	for range 200 {
		var b strings.Builder
		for range 1 + r.IntN(30) {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteString([]string{" ", "\n", ", "}[r.IntN(3)])
		}
		v := text.NewVocabulary()
		a := &analyst{counter: text.NewCounter(v)}
		a.counter.Bag(b.String(), &a.bag)
		terms, notes := a.neighbours(v)
		note := map[string]uint32{}
		times := map[string]uint32{}
		for i, x := range terms {
			name := v.Terms()[x>>32]
			note[name], times[name] = notes[i], uint32(x)
		}
		an := driver.Analyze(b.String())
		if len(an.Words.Terms) != len(terms) {
			t.Fatalf("%q: %d terms, want %d", b.String(), len(terms), len(an.Words.Terms))
		}
		for name, ps := range an.Words.Terms {
			if int(times[name]) != len(ps) {
				t.Fatalf("%q: %q stands %d times, want %d", b.String(), name, times[name], len(ps))
			}
		}
		for _, first := range []string{"signal", "primari", "tion", "rrc", "connect", "331", "art", "doe", "cell"} {
			for _, second := range []string{"signal", "primari", "detec", "detect", "rrc", "38", "state", "doe", "cell"} {
				phrase := driver.Clause{{Parts: []string{first}}, {Parts: []string{second}}}
				stops := driver.Clause{phrase[0], {Parts: []string{"the"}, Stop: true}, phrase[1]}
				if driver.PhraseCount(b.String(), phrase) == 0 && driver.PhraseCount(b.String(), stops) == 0 {
					continue
				}
				if !isNear(behind(note[first]), times[first], neighbour(second)) || !isNear(before(note[second]), times[second], neighbour(first)) {
					t.Errorf("%q: %q and %q are denied", b.String(), first, second)
				}
			}
		}
	}
}
