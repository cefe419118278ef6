package codegraph

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

// Names that many entities have are looked up as far as a bound allows, and those that stand first before the others.
func TestNamesAskedAreBounded(t *testing.T) {
	fs := fstest.MapFS{"q/a.go": {Data: []byte("package q\n\nfunc (r *R) SetGain() {}\n")}}
	for i := range 300 {
		fs[fmt.Sprintf("p%d/a.go", i)] = &fstest.MapFile{Data: []byte(fmt.Sprintf("package p%d\n\nfunc (r *R) GetGain() {}\n", i))}
	}
	g, err := Build(t.Context(), fs, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("`R.SetGain` fails\n\n")
	for i := range 190 {
		fmt.Fprintf(&b, "`A%d%s`\n", i, strings.Repeat(".GetGain", 10))
	}
	w, err := newWeights(nil)
	if err != nil {
		t.Fatal(err)
	}
	rep := readReport(b.String())
	r := newRanking(Member{Graph: g}, g.locator(), &w, rep, newReportWords(rep, &w), nil)
	if r.asked < maxAsked || r.asked > maxAsked+leastAsked+300 {
		t.Errorf("%d entities asked, want the bound of %d", r.asked, maxAsked)
	}
	n, _ := g.find("q/a.go:R.SetGain")
	if r.ent[entModule][n] == 0 {
		t.Error("the first name leads nowhere")
	}
}

// What a file keeps of PerFile are its best ones.
func TestPerFileKeepsTheBest(t *testing.T) {
	fs := fstest.MapFS{"a.go": {Data: []byte("package a\n\nfunc first() {}\n\nfunc second() {}\n\n// third mutes the squelch.\nfunc third() {}\n")}}
	g, err := Build(t.Context(), fs, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := g.Locate(t.Context(), "squelch stays mute", &LocateOptions{PerFile: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Spots) != 2 || res.Spots[1].ID != "a.go:third" || !res.Truncated {
		t.Fatalf("spots %+v", res.Spots)
	}
	res, err = g.Locate(t.Context(), "first and only", &LocateOptions{Kinds: []Kind{KindFunction}})
	if err != nil || len(res.Spots) != 3 || res.Spots[0].ID != "a.go:first" {
		t.Fatalf("functions alone: %+v, %v", res, err)
	}
}

// Reasons of parts of names and of the title tell the words.
func TestReasonsOfNames(t *testing.T) {
	fs := fstest.MapFS{"a.go": {Data: []byte("package a\n\nfunc muteSquelch() {}\n")}}
	g, err := Build(t.Context(), fs, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := g.Locate(t.Context(), "The squelch is mute\n\nAlways so in the package.", nil)
	if err != nil {
		t.Fatal(err)
	}
	words := func(id, signal string) []string {
		for _, s := range res.Spots {
			for _, r := range s.Why {
				if s.ID == id && r.Signal == signal {
					return r.Words
				}
			}
		}
		return nil
	}
	for _, c := range []struct {
		id, signal string
		want       []string
	}{
		{"a.go:muteSquelch", "entity_covered", []string{"mute", "squelch"}},
		{"a.go", "covered", []string{"mute", "squelch"}},
		{"a.go", "lead", []string{"mute", "squelch"}},
		{"a.go", "file", []string{"mute", "packag", "squelch"}},
	} {
		got := slices.Sorted(slices.Values(words(c.id, c.signal)))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s of %s found %q, want %q", c.signal, c.id, got, c.want)
		}
	}
}
