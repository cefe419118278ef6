package evidence

import (
	"strings"
	"testing"
)

// TestSourceAsHeading: a heading that is a source of the evidence needs no key; one that only looks like it, or whose title states something, does.
func TestSourceAsHeading(t *testing.T) {
	led := NewLedger()
	led.Add(Item{Kind: KindPassage, Text: "x", At: Place{Doc: "d", Name: "ts-38.331.pdf", Title: "TS 38.331 Radio Resource Control"}})
	led.Add(Item{Kind: KindPassage, Text: "y", At: Place{Doc: "e", Name: "all is well.md", Title: "The PSS has 128 samples"}})
	led.Add(Item{Kind: KindEntity, Text: "z", At: Place{Path: "rx/__init__.py", Entity: "rx/pss.py:detect"}})
	for heading, want := range map[string]bool{
		"## TS 38.331 Radio Resource Control":      true,
		"## ts-38.331.pdf":                         true,
		"## rx/__init__.py":                        true,
		"## rx/pss.py:detect":                      true,
		"## TS 38.332 Radio Resource Control":      false,
		"## TS 38.331 Radio Resource Control is 5": false,
		"## The PSS has 128 samples":               false,
		"## rx/pss.py:detect = 5":                  false,
	} {
		bad := CheckText(t.Context(), led, heading, &CheckOptions{EveryClaim: true})
		if got := len(bad) == 0; got != want {
			t.Errorf("%s: accepted %v, want %v (%v)", heading, got, want, bad)
		}
	}
}

// TestManyErrors gives a text of wrong keys only: each sentence is refused, and what is said of it is bounded.
func TestManyErrors(t *testing.T) {
	const n = 5000
	bad := CheckText(t.Context(), NewLedger(), strings.Repeat("A claim [D1-D100]. ", n), nil)
	said := map[int]bool{}
	for _, e := range bad {
		said[e.Sentence.Start] = true
	}
	if len(said) != n || len(bad) > 10_000+n {
		t.Errorf("%d errors for %d of %d sentences", len(bad), len(said), n)
	}
}
