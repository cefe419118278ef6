package link

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/internal/facttest"
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// byPath is a language in which a module is the file of that path.
var byPath = facttest.Language{Rule: lang.Rules{AllExported: true}, Find: func(t lang.Tree, _, module string) (lang.Module, bool) {
	return lang.Module{Files: []string{module}}, t.HasFile(module)
}}

// caller has a function go that calls a function which is imported from another file, if that name is not "".
func caller(from, name string) *lang.Facts {
	var b lang.Builder
	d := b.Declare(facttest.Decl(lang.Function, "go", lang.File))
	if name != "" {
		b.Facts.Imports = []lang.Import{{Module: from, Name: name, Alias: name, Scope: lang.File}}
		b.Facts.Refs = []lang.Ref{{Kind: lang.Call, Scope: d, X: b.Call(b.Name(d, name), nil), Decl: lang.None, Name: name}}
	}
	return &b.Facts
}

// callee has functions.
func callee(names ...string) *lang.Facts {
	var b lang.Builder
	for _, n := range names {
		b.Declare(facttest.Decl(lang.Function, n, lang.File))
	}
	return &b.Facts
}

// found lists the edges and open references of all files that are there.
func found(l *Linker, files facttest.Files) []string {
	name := func(f *symtab.File, d int32) string {
		if d == lang.File {
			return f.Path
		}
		return f.Path + ":" + f.Facts.Decls[d].Name
	}
	var out []string
	for _, f := range l.Files() {
		if files[f.Path] == nil {
			continue
		}
		for _, e := range f.Linkage.Edges {
			out = append(out, fmt.Sprintf("%s -> %s %s %d", name(f.File, e.SrcDecl), name(e.Dst, e.DstDecl), []string{model.Invoke: "calls", model.Import: "imports"}[e.Kind], e.Level))
		}
		for _, u := range f.Linkage.Loose {
			out = append(out, f.Path+" -> "+u.Name+"?")
		}
	}
	slices.Sort(out)
	return out
}

func link(t *testing.T, files facttest.Files, track bool) *Linker {
	t.Helper()
	l, err := New(t.Context(), []lang.Frontend{byPath}, files, Options{Track: track})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestNew(t *testing.T) {
	files := facttest.Files{"a.t": caller("b.t", "run"), "b.t": callee("run"), "c.t": caller("b.t", "none"), "d.t": caller("outside.t", "far")}
	want := []string{
		fmt.Sprintf("a.t -> b.t:run imports %d", model.LevelImport),
		fmt.Sprintf("a.t:go -> b.t:run calls %d", model.LevelImport),
		fmt.Sprintf("c.t -> b.t imports %d", model.LevelImport),
		"c.t -> none?",
		"d.t -> far?",
	}
	if d := cmp.Diff(want, found(link(t, files, false), files)); d != "" {
		t.Errorf("edges (-want +got):\n%s", d)
	}
}

// After files changed, came and went there must be the edges that a new linker finds, and only files whose linkage may be
// another are told.
func TestUpdate(t *testing.T) {
	files := facttest.Files{"a.t": caller("b.t", "run"), "b.t": callee("other"), "c.t": caller("", "")}
	l := link(t, files, true)
	for _, step := range []struct {
		what    string
		change  func()
		changes Changes
		told    []string
	}{
		{"a name comes", func() { files["b.t"] = callee("other", "run") }, Changes{Changed: []string{"b.t"}}, []string{"a.t", "b.t"}},
		{"another name is wanted", func() { files["a.t"] = caller("b.t", "other") }, Changes{Changed: []string{"a.t"}}, []string{"a.t"}},
		{"the file goes", func() { delete(files, "b.t") }, Changes{Removed: []string{"b.t"}}, []string{"a.t"}},
		{"it comes back", func() { files["b.t"] = callee("other") }, Changes{Added: []string{"b.t"}}, []string{"a.t", "b.t"}},
		{"nothing that counts", func() { files["c.t"] = callee("go") }, Changes{Changed: []string{"c.t"}}, []string{"c.t"}},
	} {
		step.change()
		changed, why, err := l.Update(t.Context(), files, &step.changes)
		if why != "" || err != nil {
			t.Fatalf("%s: %s %v", step.what, why, err)
		}
		var told []string
		for _, f := range changed {
			told = append(told, f.Path)
		}
		if d := cmp.Diff(step.told, told); d != "" {
			t.Errorf("%s: files told (-want +got):\n%s", step.what, d)
		}
		if d := cmp.Diff(found(link(t, files, false), files), found(l, files)); d != "" {
			t.Errorf("%s: edges (-anew +updated):\n%s", step.what, d)
		}
	}
}
