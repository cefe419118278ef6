package codegraph

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

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

// What changed together once says nothing.
func TestTogetherMoreThanOnce(t *testing.T) {
	fs := fstest.MapFS{}
	for _, n := range []string{"a", "b", "c"} {
		fs[n+".go"] = &fstest.MapFile{Data: []byte("package p\n\nfunc " + n + "() {}\n")}
	}
	fs["a.go"].Data = []byte("package p\n\n// squelch\nfunc a() {}\n")
	g, err := Build(t.Context(), fs, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h, err := ReadHistory(strings.NewReader("\x00x\x00\n\na.go\nb.go\n\x00x\x00\n\na.go\nb.go\n\x00x\x00\n\na.go\nc.go\n"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := g.Locate(t.Context(), "squelch", &LocateOptions{History: h, Kinds: []Kind{KindFile}})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Spots) != 2 || res.Spots[0].ID != "a.go" || res.Spots[1].ID != "b.go" {
		t.Errorf("spots %+v, want a.go and b.go", res.Spots)
	}
}
