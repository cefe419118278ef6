package evidence

import (
	"context"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/hyphen"
)

// wholeSource has one document.
type wholeSource string

func (s wholeSource) Text(_ context.Context, at Place) (string, error) {
	if at.End > 0 {
		return string(s)[at.Start:at.End], nil
	}
	return string(s), nil
}

// passage is an item of all that stands from one text to another in a source, as a search shows it.
func (s wholeSource) passage(from, to string) Item {
	start := strings.Index(string(s), from)
	stop := start + strings.Index(string(s)[start:], to) + len(to)
	return Item{Kind: KindPassage, Text: oneLine(string(s)[start:stop]), At: Place{Doc: "d", Page: 1, Start: start, End: stop}}
}

func TestRunningText(t *testing.T) {
	const numbered = "10 The hash of a page gives the cache that\n11 holds it, and so clients find a page with\n12 no directory. We show that its random-\n13 ness spreads load over all of the caches,\n" +
		"14 and that the well-\n15 known bound of the paper holds. It is a\n16 bound on load.\n"
	for _, tt := range []struct{ name, source, from, to, want string }{
		{"a line end", "The detec-\ntion of cells.\n", "The", "cells.", "The detection of cells."},
		{"the hyphen is the word's", "A well-known fact. It is well-\nknown.\n", "It", "known.", "It is well-known."},
		{"the word stands elsewhere", "Its randomness is high. By random-\nness we mean this.\n", "By", "this.", "By randomness we mean this."},
		{"a number of a page", "By random-\n\n14\n\nness we mean this.\n", "By", "this.", "By randomness we mean this."},
		{"a mark of a note", "The randomness is high. By random-\n14 ness we mean this.\n", "By", "this.", "By randomness we mean this."},
		{"a number that is none of a line", "For COVID-\n19 cases we mean this.\n", "For", "this.", "For COVID- 19 cases we mean this."},
		{"a small word and a number", "Cases of type-\n2 diabetes are common.\n", "Cases", "common.", "Cases of type- 2 diabetes are common."},
		{"suspended", "It has pre- and postambles, and one- or two-sided bands.\n", "It", "bands.", "It has pre- and postambles, and one- or two-sided bands."},
		{"numbers in the margin", numbered, "We show", "holds.", "We show that its randomness spreads load over all of the caches, and that the well-known bound of the paper holds."},
		{"on lines of their own", strings.NewReplacer("10 ", "10\n", "11 ", "11\n", "12 ", "12\n", "13 ", "13\n", "14 ", "14\n", "15 ", "15\n", "16 ", "16\n").Replace(numbered), "We show", "caches",
			"We show that its randomness spreads load over all of the caches"},
		{"in the right margin", "The hash of a page gives the cache that 10\nholds it, and so clients find a page with 11\nno directory. We show that its random- 12\nness spreads load over all of the caches, 13\nand that it is so. 14\n",
			"We show", "caches", "We show that its randomness spreads load over all of the caches"},
		{"each fifth line", "the hash of a page\ngives the cache\n5 that holds\nit and so\nclients find\na page\nwith no\n10 directory\nwe show\nthat its\nrandom-\nness\n15 spreads\nload\n", "we show", "load", "we show that its randomness spreads load"},
		{"a list of contents", "1 Introduction\n2 Related work\n3 Method\n4 Results\n5 Discussion\n6 Conclusion\n", "2", "Discussion", "2 Related work 3 Method 4 Results 5 Discussion"},
		{"a table", "1 0.5 x\n2 0.7 y\n3 0.9 z\n4 0.2 k\n5 0.1 m\n", "2", "k", "2 0.7 y 3 0.9 z 4 0.2 k"},
		{"numbers of a sentence", "There are\n3 cells, and\n2 of them\n7 of those\nare near.\n", "There", "near.", "There are 3 cells, and 2 of them 7 of those are near."},
		{"quoted", "The paper says “its random-\n\n14\n\nness is high” of it.\n", "The", "of it.", "The paper says “its random- 14 ness is high” of it."},
	} {
		src := wholeSource(tt.source)
		g := &group{items: []Item{src.passage(tt.from, tt.to)}}
		if g.read(t.Context(), src); g.flow[0] != tt.want {
			t.Errorf("%s:\n%q, want\n%q", tt.name, g.flow[0], tt.want)
		}
		if err := VerifyQuote(t.Context(), src, g.items[0], g.items[0].Text); err != nil {
			t.Errorf("%s: the item does not stand in its source: %v", tt.name, err)
		}
	}
}

// Without the source there are the texts of the items alone.
func TestRunningTextOfItems(t *testing.T) {
	for in, want := range map[string]string{
		"The synchronization sig- nal takes one form.":             "The synchronization signal takes one form.",
		"Its randomness is high. By random- 14 ness we mean this.": "Its randomness is high. By randomness we mean this.",
		"By random- 14 ness we mean this.":                         "By random- 14 ness we mean this.",
		"A maximum-length m- sequence, one- or two-sided.":         "A maximum-length m- sequence, one- or two-sided.",
		"An m-sequence x- y. The m- sequence.":                     "An m-sequence x- y. The m-sequence.",
	} {
		g := &group{items: []Item{{Kind: KindPassage, Text: in}}}
		if g.read(t.Context(), nil); g.flow[0] != want {
			t.Errorf("%q: %q, want %q", in, g.flow[0], want)
		}
	}
}

func TestListAnswerJoinsWords(t *testing.T) {
	src := wholeSource("We need random functions. By random-\n14\nness we mean this: a client knows\nnothing. It has [3] none.\n")
	led := NewLedger()
	ans, err := ListAnswer(t.Context(), led, []Item{led.Add(src.passage("We need", "none."))}, "what is meant by randomness?", &CompactOptions{Source: src})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(ans.Text, "By randomness we mean this: a client knows nothing. [D1]") {
		t.Errorf("answer %q", ans.Text)
	}
	if err := ans.Seal(t.Context(), src, led); err != nil {
		t.Fatal(err)
	}
	if rep, err := ans.Verify(t.Context(), src, nil); err != nil || !rep.Holds {
		t.Errorf("verify: %+v, %v", rep, err)
	}
}

func FuzzRunningText(f *testing.F) {
	f.Add("By random-\n14\nness we mean\n15 this\n16 that\n17 and\n18 so\n19 on.\n", 3, 20)
	f.Fuzz(func(t *testing.T, s string, start, stop int) {
		if start < 0 || stop > len(s) || start >= stop {
			return
		}
		g := &group{items: []Item{{Kind: KindPassage, Text: oneLine(s[start:stop]), At: Place{Doc: "d", Start: start, End: stop}}}}
		g.read(t.Context(), wholeSource(s))
		letters := func(s string) string { // hyphens, blanks and digits may go, nothing comes
			return strings.Map(func(r rune) rune {
				if strings.ContainsRune(hyphen.Signs+"0123456789 \u00a0", r) {
					return -1
				}
				return r
			}, s)
		}
		if got, want := letters(g.flow[0]), letters(oneLine(s[start:stop])); got != want {
			t.Errorf("letters %q, want %q", got, want)
		}
	})
}
