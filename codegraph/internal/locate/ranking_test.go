package locate

import (
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/internal/report"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/update"
	"github.com/findspot/findspot/codegraph/lang"
)

func build(t *testing.T, fsys fs.FS) *snapshot.Graph {
	t.Helper()
	b, err := update.NewBuilder(fsys, []lang.Frontend{gosyntax.Frontend()}, update.Options{Options: scan.Options{MaxFile: 1 << 20, Logger: slog.New(slog.DiscardHandler), Progress: func(string, int, int) {}}})
	if err != nil {
		t.Fatal(err)
	}
	g, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Names that many entities have are looked up as far as a bound allows, and those that stand first before the others.
func TestNamesAskedAreBounded(t *testing.T) {
	fs := fstest.MapFS{"q/a.go": {Data: []byte("package q\n\nfunc (r *R) SetGain() {}\n")}}
	for i := range 300 {
		fs[fmt.Sprintf("p%d/a.go", i)] = &fstest.MapFile{Data: []byte(fmt.Sprintf("package p%d\n\nfunc (r *R) GetGain() {}\n", i))}
	}
	g := build(t, fs)
	var b strings.Builder
	b.WriteString("`R.SetGain` fails\n\n")
	for i := range 190 {
		fmt.Fprintf(&b, "`A%d%s`\n", i, strings.Repeat(".GetGain", 10))
	}
	w, err := NewWeights(nil)
	if err != nil {
		t.Fatal(err)
	}
	rep := report.Read(b.String())
	r := newRanking(Member{Locator: New(g)}, &w, rep, report.Weigh(rep, w.ofWords()), nil)
	if r.lookups < maxLookups || r.lookups > maxLookups+emptyLookup+300 {
		t.Errorf("%d entities asked, want the bound of %d", r.lookups, maxLookups)
	}
	n, _ := g.Find("q/a.go:R.SetGain")
	if r.ent[eModule][n] == 0 {
		t.Error("the first name leads nowhere")
	}
}

// Folders of tests that hold sources are those within a package that code which is no test imports.
func TestSourcesAmongTests(t *testing.T) {
	source := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	g := build(t, fstest.MapFS{
		"go.mod":                source("module m\n"),
		"main.go":               source("package main\n\nimport (\n\t_ \"m/app/testing\"\n\t_ \"m/test\"\n)\n\nfunc main() {}\n"),
		"app/testing/help.go":   source("package testing\n\nimport _ \"m/app/testing/test\"\n\nfunc Help() {}\n"),
		"app/testing/test/x.go": source("package test\n"),
		"app/test/only.go":      source("package test\n"),
		"app/app_test.go":       source("package app\n\nimport _ \"m/app/test\"\n"),
		"test/outer.go":         source("package test\n"),
		"web/types.d.ts":        source(""),
	})
	l := New(g)
	for p, want := range map[string]slotKind{"main.go": 0, "app/testing/help.go": 0, "app/testing/test/x.go": 0, "app/test/only.go": slotTest, "app/app_test.go": slotTest, "test/outer.go": slotTest} {
		s, ok := g.SlotAt(p)
		if !ok || l.kinds[s] != want {
			t.Errorf("%s is of kind %b, want %b", p, l.kinds[s], want)
		}
	}
}
