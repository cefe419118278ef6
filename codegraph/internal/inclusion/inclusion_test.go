package inclusion

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/internal/facttest"
	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// including is a language whose files include one another by path.
var including = facttest.Language{Rule: lang.Rules{Includes: true}, Find: func(t lang.Tree, _, module string) (lang.Module, bool) {
	return lang.Module{Files: []string{module}}, t.HasFile(module)
}}

func include(paths ...string) (out []lang.Import) {
	for _, p := range paths {
		out = append(out, lang.Import{Module: p, Name: "*", Scope: lang.File})
	}
	return out
}

// open makes the inclusions of files.
func open(files facttest.Files) (*symtab.Program, *Inclusion) {
	prog := symtab.New()
	ms := modules.New(prog, []lang.Frontend{including}, files)
	for _, p := range files.Paths() {
		f := prog.AddFile(p, facttest.Name, files[p], nil)
		f.Resolver = ms.Resolver(facttest.Name)
		prog.Number(f)
		prog.Scopes(f)
	}
	in := New(prog, ms)
	in.Fill()
	return prog, in
}

func TestSees(t *testing.T) {
	prog, in := open(facttest.Files{
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
	out := facttest.Decl(lang.Function, "f", lang.File)
	out.Receiver, out.Flags = "n.m", lang.Hidden
	prog, in := open(facttest.Files{
		"a.t": {Decls: []lang.Decl{facttest.Decl(lang.Namespace, "n", lang.File), facttest.Decl(lang.Namespace, "m", 0), facttest.Decl(lang.Function, "f", 1)}},
		"b.t": {Decls: []lang.Decl{facttest.Decl(lang.Namespace, "n", lang.File), facttest.Decl(lang.Function, "f", 0), out}},
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
