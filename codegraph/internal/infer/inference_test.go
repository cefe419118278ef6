package infer

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/internal/facttest"
	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// byPath is a language in which a module is the file of that path.
var byPath = facttest.Language{Rule: lang.Rules{AllExported: true, Constructors: []string{"init"}}, Find: func(t lang.Tree, _, module string) (lang.Module, bool) {
	return lang.Module{Files: []string{module}}, t.HasFile(module)
}}

func open(t *testing.T, files facttest.Files) (*symtab.Program, *Inference) {
	t.Helper()
	prog := symtab.New()
	ms := modules.New(prog, []lang.Frontend{byPath}, files)
	for _, p := range files.Paths() {
		facts, table, err := files.Facts(p, &prog.Reader)
		if err != nil {
			t.Fatal(err)
		}
		f := prog.AddFile(p, facttest.Name, facts, table)
		f.Resolver = ms.Resolver(facttest.Name)
		prog.Number(f)
		prog.Scopes(f)
	}
	r := rand.New(rand.NewPCG(1, 1))
	s := solver.New(func(n int, swap func(i, j int)) { swap(0, r.IntN(n)) })
	in := New(prog, ms, s, true)
	if err := in.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Solve(t.Context().Err); err != nil {
		t.Fatal(err)
	}
	return prog, in
}

// named lists the declarations that an expression may be, by kind and name.
func named(prog *symtab.Program, in *Inference, f *symtab.File, x int32) []string {
	kinds := map[value.Kind]string{value.Class: "class ", value.Func: "func ", value.Inst: "instance of "}
	var out []string
	for _, v := range in.Eval(f, x) {
		if k, ok := kinds[v.Kind]; ok {
			out = append(out, k+prog.Decls[v.A].Decl().Name)
		} else {
			out = append(out, "other")
		}
	}
	return out
}

// A class in one file, an instance of its derived class in another: members are found through imports, calls and bases.
func TestMembers(t *testing.T) {
	var a, b lang.Builder
	c := a.Declare(facttest.Decl(lang.Class, "C", lang.File))
	a.Declare(facttest.Decl(lang.Function, "m", c))
	b.Facts.Imports = []lang.Import{{Module: "a.t", Name: "C", Alias: "Base", Scope: lang.File}}
	d := facttest.Decl(lang.Class, "D", lang.File)
	d.Bases = []int32{b.Name(lang.File, "Base")}
	b.Declare(d)
	b.Bind(lang.Assign, lang.File, "x", b.Call(b.Name(lang.File, "D"), nil), 1)
	base, x := b.Name(lang.File, "Base"), b.Name(lang.File, "x")
	member, none := b.Of(lang.OpAttr, x, "m"), b.Of(lang.OpAttr, x, "none")
	prog, in := open(t, facttest.Files{"a.t": &a.Facts, "b.t": &b.Facts})
	for _, tt := range []struct {
		what string
		x    int32
		want []string
	}{
		{"an import", base, []string{"class C"}},
		{"a variable", x, []string{"instance of D"}},
		{"an inherited member", member, []string{"func m"}},
		{"a member that is not there", none, nil},
	} {
		if diff := cmp.Diff(tt.want, named(prog, in, prog.ByPath["b.t"], tt.x)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.what, diff)
		}
	}
}

// caller imports run and calls it with a function of its own, when it has a name for it.
func caller(callback string) *lang.Facts {
	var b lang.Builder
	b.Facts.Imports = []lang.Import{{Module: "run.t", Name: "run", Alias: "run", Scope: lang.File}}
	if callback != "" {
		b.Declare(facttest.Decl(lang.Function, callback, lang.File))
		x := b.Call(b.Name(lang.File, "run"), []lang.Arg{{X: b.Name(lang.File, callback)}})
		b.Facts.Refs = append(b.Facts.Refs, lang.Ref{Kind: lang.Call, Scope: lang.File, X: x, Decl: lang.None, Name: "run"})
	}
	return &b.Facts
}

// Arguments flow into parameters of other files, and go again when an edit takes them away.
func TestReplace(t *testing.T) {
	var run lang.Builder
	f := facttest.Decl(lang.Function, "run", lang.File)
	f.Params = []lang.Param{{Name: "back", Type: lang.None, Def: lang.None}}
	back := run.Name(run.Declare(f), "back")
	files := facttest.Files{"run.t": &run.Facts, "use.t": caller("one")}
	prog, in := open(t, files)
	for _, callback := range []string{"", "two", "one"} {
		files["use.t"] = caller(callback)
		facts, table, err := files.Facts("use.t", &prog.Reader)
		if err != nil {
			t.Fatal(err)
		}
		use, stale := prog.ByPath["use.t"], in.solver.NewCone()
		in.Replace(use, facts, table, false, stale)
		if why, err := in.Resettle(t.Context(), []*symtab.File{use}, stale); why != "" || err != nil {
			t.Fatal(why, err)
		}
		var want []string
		if callback != "" {
			want = []string{"func " + callback}
		}
		if diff := cmp.Diff(want, named(prog, in, prog.ByPath["run.t"], back)); diff != "" {
			t.Errorf("after run(%s) the parameter is (-want +got):\n%s", callback, diff)
		}
	}
}

// Of overloaded functions the one that takes the arguments is chosen.
func TestCallees(t *testing.T) {
	var b lang.Builder
	for n := range 3 {
		d := facttest.Decl(lang.Function, "f", lang.File)
		d.Flags = lang.Overload
		for range n {
			d.Params = append(d.Params, lang.Param{Name: "p", Type: lang.None, Def: lang.None})
		}
		b.Declare(d)
	}
	callee := b.Name(lang.File, "f")
	arg := lang.Arg{X: b.Leaf(lang.OpExternal, lang.File, "int")}
	prog, in := open(t, facttest.Files{"a.t": &b.Facts})
	a := prog.ByPath["a.t"]
	for n := range 3 {
		args := []lang.Arg{arg, arg}[:n]
		got := in.Fitting(a, in.Callees(a, callee, args), args)
		if len(got) != 1 || len(prog.Decls[got[0].A].Decl().Params) != n {
			t.Errorf("with %d arguments %d functions are chosen: %+v", n, len(got), got)
		}
	}
}
