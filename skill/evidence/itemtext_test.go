package evidence

import (
	"strings"
	"testing"
)

func TestItemText(t *testing.T) {
	it := Item{Key: "D1", Kind: KindPassage, Tier: "all", Note: "odd\x1b[2J", Text: "the signal is\nhere", Matches: [][2]int{{4, 10}}, At: Place{Doc: "ab", Name: "a.pdf", Title: "A", Page: 2, Line: 3}}
	var b strings.Builder
	if err := it.WriteText(&b, "<", ">"); err != nil {
		t.Fatal(err)
	}
	want := "[D1] " + it.At.String() + "  (all; odd[U+001B][2J)\n     the <signal> is\n     here\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}
