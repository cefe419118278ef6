package codegraph

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/internal/report"
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
	rep := report.Read(b.String())
	r := newRanking(Member{Graph: g}, g.locator(), &w, rep, report.Weigh(rep, w.ofWords()), nil)
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

// Folders of tests that hold sources are those within a package that code which is no test imports.
func TestSourcesAmongTests(t *testing.T) {
	source := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	g, err := Build(t.Context(), fstest.MapFS{
		"go.mod":                source("module m\n"),
		"main.go":               source("package main\n\nimport (\n\t_ \"m/app/testing\"\n\t_ \"m/test\"\n)\n\nfunc main() {}\n"),
		"app/testing/help.go":   source("package testing\n\nimport _ \"m/app/testing/test\"\n\nfunc Help() {}\n"),
		"app/testing/test/x.go": source("package test\n"),
		"app/test/only.go":      source("package test\n"),
		"app/app_test.go":       source("package app\n\nimport _ \"m/app/test\"\n"),
		"test/outer.go":         source("package test\n"),
		"web/types.d.ts":        source(""),
	}, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := g.locator()
	for p, want := range map[string]slotKind{"main.go": 0, "app/testing/help.go": 0, "app/testing/test/x.go": 0, "app/test/only.go": slotTest, "app/app_test.go": slotTest, "test/outer.go": slotTest} {
		s, ok := g.slotAt(p)
		if !ok || l.kinds[s] != want {
			t.Errorf("%s is of kind %b, want %b", p, l.kinds[s], want)
		}
	}
	for p, want := range map[string]bool{"types/rx.d.ts": true, "rx/rx.ts": false, "a/examples/rx.go": true, "tests_data/a.js": true, "gulpfile.js": true, "vite.config.ts": true, "rx/config.ts": false, "docs/conf.py": true, "latest/a.go": false} {
		if got := isAside(p); got != want {
			t.Errorf("isAside(%q) = %v", p, got)
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
	h := NewHistory([]Change{{"x", []string{"a.go", "b.go"}}, {"x", []string{"a.go", "b.go"}}, {"x", []string{"a.go", "c.go"}}})
	res, err := g.Locate(t.Context(), "squelch", &LocateOptions{History: h, Kinds: []Kind{KindFile}})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Spots) != 2 || res.Spots[0].ID != "a.go" || res.Spots[1].ID != "b.go" {
		t.Errorf("spots %+v, want a.go and b.go", res.Spots)
	}
}
