package inclusion

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// A tongue is a language whose files include one another by path.
type tongue struct{}

func (tongue) Name() string         { return "t" }
func (tongue) Extensions() []string { return []string{".t"} }
func (tongue) FeatureVersion() int  { return 1 }
func (tongue) Rules() lang.Rules    { return lang.Rules{Includes: true} }
func (tongue) Parse(context.Context, string, []byte) (*lang.Facts, error) {
	return &lang.Facts{Lang: "t"}, nil
}
func (tongue) Resolver(t lang.Tree) lang.Resolver { return resolver{t} }

type resolver struct{ tree lang.Tree }

func (r resolver) Module(from string, imp lang.Import) (lang.Module, bool) {
	return lang.Module{Files: []string{imp.Module}}, r.tree.HasFile(imp.Module)
}
func (r resolver) Sub(lang.Module, string) (lang.Module, bool) { return lang.Module{}, false }

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

func include(paths ...string) (out []lang.Import) {
	for _, p := range paths {
		out = append(out, lang.Import{Module: p, Name: "*", Scope: lang.File})
	}
	return out
}

// open makes the inclusions of files, by path.
func open(files map[string]*lang.Facts) (*symtab.Program, *Inclusion) {
	var paths listing
	for p := range files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	prog := symtab.New()
	ms := modules.New(prog, []lang.Frontend{tongue{}}, paths)
	for _, p := range paths {
		f := prog.AddFile(p, "t", files[p], nil)
		f.Resolver = ms.Resolver("t")
		prog.Number(f)
		prog.Scopes(f)
	}
	in := New(prog, ms)
	in.Fill()
	return prog, in
}

func TestSees(t *testing.T) {
	prog, in := open(map[string]*lang.Facts{
		"a.t": {Imports: include("b.t")},
		"b.t": {Imports: include("c.t", "a.t")},
		"c.t": {},
		"d.t": {Imports: include("system.t")},
	})
	for _, tt := range []struct {
		from, to string
		want     bool
	}{{"a.t", "a.t", true}, {"a.t", "b.t", true}, {"a.t", "c.t", true}, {"b.t", "a.t", true}, {"c.t", "a.t", false}, {"a.t", "d.t", false}} {
		if got := in.Sees(prog.ByPath[tt.from], prog.ByPath[tt.to]); got != tt.want {
			t.Errorf("%s sees %s: %v, want %v", tt.from, tt.to, got, tt.want)
		}
	}
	if in.SeesOutside(prog.ByPath["a.t"]) || !in.SeesOutside(prog.ByPath["d.t"]) {
		t.Error("d.t alone includes something from outside")
	}
	if got := in.Includers(prog.ByPath["c.t"]); len(got) != 1 || got[0].Path != "b.t" {
		t.Errorf("c.t is included by %v", got)
	}
}

// A namespace is one over all files that open it, with what is written outside of it.
func TestNamespaces(t *testing.T) {
	decl := func(kind lang.DeclKind, name string, parent int32) lang.Decl {
		return lang.Decl{Kind: kind, Name: name, Parent: parent, Owner: lang.None, Elem: lang.None}
	}
	out := decl(lang.Function, "f", lang.File)
	out.Receiver, out.Flags = "n.m", lang.Hidden
	prog, in := open(map[string]*lang.Facts{
		"a.t": {Decls: []lang.Decl{decl(lang.Namespace, "n", lang.File), decl(lang.Namespace, "m", 0), decl(lang.Function, "f", 1)}},
		"b.t": {Decls: []lang.Decl{decl(lang.Namespace, "n", lang.File), decl(lang.Function, "f", 0), out}},
	})
	a, b := prog.ByPath["a.t"], prog.ByPath["b.t"]
	n, ok := in.Space(a, 0)
	if m, _ := in.Space(b, 0); !ok || m != n || in.Opening(n) != a.IDs[0] {
		t.Errorf("n is %d in one file and %d in the other", n, m)
	}
	inner, _ := in.Space(a, 1)
	if file, ok := in.Space(a, lang.File); !ok || file != 0 || inner == n || inner == 0 {
		t.Errorf("the file is %d, n is %d, n.m is %d", file, n, inner)
	}
	if _, ok := in.Space(a, 2); ok {
		t.Error("a function is a namespace")
	}
	if got := in.Spots(n, "f"); len(got) != 1 || got[0].F != b {
		t.Errorf("n.f is bound at %v, want b.t alone", got)
	}
	if d := cmp.Diff([]int32{b.IDs[2]}, in.Outside(inner, "f")); d != "" {
		t.Errorf("written outside of n.m (-want +got):\n%s", d)
	}
}
