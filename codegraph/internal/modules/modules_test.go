package modules

import (
	"context"
	"path"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// A tongue is a language in which "a/b" is the module of all files in that folder, whose submodules are its folders, and "." is the
// file's own folder.
type tongue struct{}

func (tongue) Name() string         { return "t" }
func (tongue) Extensions() []string { return []string{".t"} }
func (tongue) FeatureVersion() int  { return 1 }
func (tongue) Rules() lang.Rules    { return lang.Rules{PackageScope: true} }
func (tongue) Parse(context.Context, string, []byte) (*lang.Facts, error) {
	return &lang.Facts{Lang: "t"}, nil
}
func (tongue) Resolver(t lang.Tree) lang.Resolver { return resolver{t} }

type resolver struct{ tree lang.Tree }

func (r resolver) Module(from string, imp lang.Import) (lang.Module, bool) {
	dir := imp.Module
	if dir == "." {
		dir = path.Dir(from)
	}
	files := r.tree.Files(dir)
	return lang.Module{Files: files, Dir: dir, HasDir: r.tree.HasDir(dir)}, len(files) > 0
}

func (r resolver) Sub(m lang.Module, name string) (lang.Module, bool) {
	return r.Module("", lang.Import{Module: m.Dir + "/" + name})
}

// A listing is a state of files.
type listing []string

func (l listing) Paths() []string { return l }
func (l listing) Lang(p string) string {
	if slices.Contains(l, p) {
		return "t"
	}
	return ""
}
func (l listing) Package(string) string      { return "" }
func (l listing) Configs() map[string][]byte { return nil }

// open makes the modules of a listing, in which every file imports "lib" and "none".
func open(l listing) (*symtab.Program, *Modules) {
	prog := symtab.New()
	ms := New(prog, []lang.Frontend{tongue{}}, l)
	for _, p := range l {
		f := prog.AddFile(p, "t", &lang.Facts{Imports: []lang.Import{{Module: "lib"}, {Module: "none"}}}, nil)
		f.Resolver = ms.Resolver("t")
	}
	return prog, ms
}

func TestImport(t *testing.T) {
	prog, ms := open(listing{"app/a.t", "app/b.t", "lib/x.t", "lib/sub/y.t"})
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
	before := listing{"app/a.t", "app/b.t", "lib/x.t"}
	prog, ms := open(before)
	a := prog.ByPath["app/a.t"]
	n, _ := ms.Import(a, 0)
	ms.Import(a, 1)
	ms.Siblings(a)
	if _, ok := ms.Sub(ms.At(n), "sub"); ok {
		t.Fatal("lib.sub is there")
	}

	r := ms.Reask(listing{"app/a.t", "app/b.t", "lib/x.t", "lib/z.t", "lib/sub/y.t"})
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

	r = ms.Reask(listing{"app/a.t", "app/b.t", "none/n.t"})
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
