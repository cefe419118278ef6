package modules

import (
	"path"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/internal/facttest"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// folders is a language in which "a/b" is the module of all files in that folder, whose submodules are its folders, and "." is the
// file's own folder.
var folders = facttest.Language{Rule: lang.Rules{PackageScope: true}, Find: func(t lang.Tree, from, module string) (lang.Module, bool) {
	if module == "." {
		module = path.Dir(from)
	}
	files := t.Files(module)
	return lang.Module{Files: files, Dir: module, HasDir: t.HasDir(module)}, len(files) > 0
}}

// state has files that import "lib" and "none".
func state(paths ...string) facttest.Files {
	out := facttest.Files{}
	for _, p := range paths {
		out[p] = &lang.Facts{Imports: []lang.Import{{Module: "lib"}, {Module: "none"}}}
	}
	return out
}

// open makes the modules of a state.
func open(s facttest.Files) (*symtab.Program, *Modules) {
	prog := symtab.New()
	ms := New(prog, []lang.Frontend{folders}, s)
	for _, p := range s.Paths() {
		f := prog.AddFile(p, facttest.Name, s[p], nil)
		f.Resolver = ms.Resolver(facttest.Name)
	}
	return prog, ms
}

func TestImport(t *testing.T) {
	prog, ms := open(state("app/a.t", "app/b.t", "lib/x.t", "lib/sub/y.t"))
	a, b := prog.ByPath["app/a.t"], prog.ByPath["app/b.t"]
	n, ok := ms.Import(a, 0)
	if m, _ := ms.Import(b, 0); !ok || m != n {
		t.Errorf("two files find lib as %d and %d, want one module", n, m)
	}
	if d := cmp.Diff([]string{"lib/x.t"}, ms.At(n).Files); d != "" {
		t.Errorf("files of lib (-want +got):\n%s", d)
	}
	if _, ok := ms.Import(a, 1); ok {
		t.Error("a module that is not there is found")
	}
	if m, ok := ms.Sub(ms.At(n), "sub"); !ok || !slices.Equal(ms.At(m).Files, []string{"lib/sub/y.t"}) {
		t.Error("lib.sub is not found")
	}
	if got := ms.Siblings(a); len(got) != 1 || got[0] != b {
		t.Errorf("siblings of %s are %v", a.Path, got)
	}
	if got := ms.Sharing(b); len(got) != 1 || got[0] != a {
		t.Errorf("the names of %s are shared by %v", b.Path, got)
	}
	if in := ms.With("lib/x.t"); !in[n] || len(in) != 1 {
		t.Errorf("lib/x.t is in %v", in)
	}
}

// A module that everybody finds in other files keeps its number; an import that leads elsewhere makes its file one to look at.
func TestReask(t *testing.T) {
	prog, ms := open(state("app/a.t", "app/b.t", "lib/x.t"))
	a := prog.ByPath["app/a.t"]
	n, _ := ms.Import(a, 0)
	ms.Import(a, 1)
	ms.Siblings(a)
	if _, ok := ms.Sub(ms.At(n), "sub"); ok {
		t.Fatal("lib.sub is there")
	}

	r := ms.Reask(state("app/a.t", "app/b.t", "lib/x.t", "lib/z.t", "lib/sub/y.t"))
	if !r.Ask(nil) {
		t.Fatal("Ask gives up")
	}
	if d := cmp.Diff(map[int32][2][]string{n: {{"lib/x.t"}, {"lib/x.t", "lib/z.t"}}}, r.Files); d != "" {
		t.Errorf("modules in other files (-want +got):\n%s", d)
	}
	if m, _ := ms.Import(a, 0); m != n || len(ms.At(n).Files) != 2 {
		t.Errorf("lib is now module %d in %v, want %d", m, ms.At(m).Files, n)
	}
	if d := cmp.Diff([]Name{{n, "sub"}}, r.Subs); d != "" {
		t.Errorf("submodules (-want +got):\n%s", d)
	}
	if len(r.Others) > 0 || len(r.Dirs) > 0 {
		t.Errorf("others %v, folders %v, want none", r.Others, r.Dirs)
	}
	if _, ok := r.Siblings[a]; !ok {
		t.Error("who shared names before is not told")
	}

	r = ms.Reask(state("app/a.t", "app/b.t", "none/n.t"))
	if !r.Ask(nil) {
		t.Fatal("Ask gives up")
	}
	if len(r.Others) != 1 || r.Others[0] != a {
		t.Errorf("imports lead elsewhere in %v, want %s alone", r.Others, a.Path)
	}
	if !slices.Equal(r.Dirs, []int32{n}) {
		t.Errorf("folders came or went of %v, want %d", r.Dirs, n)
	}
}
