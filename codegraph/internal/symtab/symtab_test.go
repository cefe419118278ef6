package symtab

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/internal/facttest"
	"github.com/findspot/findspot/codegraph/lang"
)

func program(t *testing.T, rules lang.Rules, facts *lang.Facts) (*Program, *File) {
	t.Helper()
	p := New()
	p.Rules["l"] = &rules
	f := p.AddFile("a.l", "l", facts, nil)
	p.Number(f)
	p.Scopes(f)
	return p, f
}

func TestLookup(t *testing.T) {
	_, f := program(t, lang.Rules{Constructors: []string{""}}, &lang.Facts{
		Decls: []lang.Decl{facttest.Decl(lang.Class, "C", lang.File), facttest.Decl(lang.Function, "C", 0), facttest.Decl(lang.Function, "m", 0), facttest.Decl(lang.Namespace, "n", lang.File),
			facttest.Decl(lang.Function, "f", 3), facttest.Decl(lang.Namespace, "n", lang.File), {Kind: lang.Function, Name: "g", Parent: 5, Params: []lang.Param{{Name: "p"}}}},
		Imports: []lang.Import{{Module: "m", Alias: "C", Scope: lang.File}, {Module: "all", Name: "*", Scope: lang.File}},
		Bindings: []lang.Binding{{Kind: lang.Assign, Name: "C", Scope: lang.File, Target: lang.None, Value: 0},
			{Kind: lang.Using, Name: "*", Scope: 5, Target: lang.None, Value: 7}},
	})
	c := f.Lookup(lang.File, "C")
	if c == nil {
		t.Fatal("C is not bound")
	}
	got := [][]int32{f.Symbols.Decls(c), f.Symbols.Imports(c), f.Symbols.Binds(c)}
	if d := cmp.Diff([][]int32{{0}, {0}, {0}}, got); d != "" {
		t.Errorf("C is bound by (-want +got):\n%s", d)
	}
	if f.Lookup(0, "m") == nil || f.Lookup(lang.File, "m") != nil {
		t.Error("m is to be a name of C alone")
	}
	if f.Lookup(0, "C") != nil || f.Lookup(0, "") == nil {
		t.Error("in its class a constructor is to have no name")
	}
	if f.Lookup(3, "g") == nil || f.Lookup(5, "f") == nil || f.ScopeID(3) != f.ScopeID(5) {
		t.Error("a namespace opened again is to be the same scope")
	}
	if p := f.Lookup(6, "p"); p == nil || p.Param != 0 {
		t.Error("p is to be a parameter of g")
	}
	if d := cmp.Diff([]int32{1}, f.Stars); d != "" {
		t.Errorf("star imports (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[int32][]int32{3: {7}}, f.Wildcards); d != "" {
		t.Errorf("wildcards (-want +got):\n%s", d)
	}
}

// A declaration that is still there after an edit keeps its number, wherever it stands now.
func TestReplace(t *testing.T) {
	p, f := program(t, lang.Rules{}, &lang.Facts{Decls: []lang.Decl{facttest.Decl(lang.Class, "A", lang.File), facttest.Decl(lang.Function, "m", 0), facttest.Decl(lang.Function, "g", lang.File)}})
	m, g := f.IDs[1], f.IDs[2]
	dead := p.Replace(f, &lang.Facts{Decls: []lang.Decl{facttest.Decl(lang.Function, "new", lang.File), facttest.Decl(lang.Class, "A", lang.File), facttest.Decl(lang.Function, "other", 1), facttest.Decl(lang.Function, "m", 1)}}, nil)
	if f.IDs[3] != m || p.Decls[m].Decl().Name != "m" {
		t.Errorf("m has number %d, want %d", f.IDs[3], m)
	}
	if d := cmp.Diff(map[int32]bool{g: true}, dead); d != "" {
		t.Errorf("declarations that are gone (-want +got):\n%s", d)
	}
	if p.Decls[g].F != nil {
		t.Error("the number of what is gone still leads to a declaration")
	}
	if d := cmp.Diff([]int32{m}, p.Methods["l"]["m"]); d != "" {
		t.Errorf("methods named m (-want +got):\n%s", d)
	}
	if c, ok := p.ClassOf(m); !ok || c != f.IDs[1] {
		t.Errorf("ClassOf = %d, %v, want the class A", c, ok)
	}
}
