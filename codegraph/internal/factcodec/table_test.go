package factcodec

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/lang"
)

// A table must give the expressions and references of the facts, whatever the reader has read before.
func TestTable(t *testing.T) {
	facts := func(n int) *lang.Facts {
		var b lang.Builder
		d := b.Declare(lang.Decl{Name: "f", Kind: lang.Function, Parent: lang.File, Span: lang.Span{Start: 1, End: 9, Line: 1, EndLine: 3}})
		self := b.Name(lang.File, "self")
		attr := b.Of(lang.OpAttr, self, "name")
		b.Decl(d)
		list := b.Many(lang.OpList, []lang.Arg{{X: attr}, {Name: "k", X: self, Spread: true}, {X: lang.None}})
		for range n {
			call := b.Call(b.Name(d, "other"), []lang.Arg{{X: list}})
			b.Facts.Refs = append(b.Facts.Refs,
				lang.Ref{Kind: lang.Call, Scope: d, X: call, Decl: lang.None, Name: "other", Line: 2, Col: 3, EndLine: 2, EndCol: 8},
				lang.Ref{Kind: lang.Decorator, Scope: lang.File, X: attr, Decl: b.Decl(d), Name: "name", Line: 1, Col: 70000, EndLine: 3, EndCol: 2},
				lang.Ref{Kind: lang.Use, Scope: lang.File, X: self, Decl: lang.None, Name: "by another name", Line: 9, Col: 1, EndLine: 9, EndCol: 1})
		}
		return &b.Facts
	}
	var r Reader
	for _, n := range []int{3, 0, 1, 40} {
		want := facts(n)
		got, table, err := r.Decode(Encode(want))
		if err != nil {
			t.Fatal(err)
		}
		if got.Exprs != nil || got.Refs != nil || table.Len() != len(want.Exprs) {
			t.Fatalf("%d expressions and %d references beside a table of %d", len(got.Exprs), len(got.Refs), table.Len())
		}
		for x := range want.Exprs {
			w, g := want.Exprs[x], table.At(int32(x))
			if len(g.Args) == 0 {
				g.Args = nil
			}
			if d := cmp.Diff(w, g); d != "" {
				t.Errorf("expression %d (-want +got):\n%s", x, d)
			}
			if table.Op(int32(x)) != w.Op || table.Operand(int32(x)) != w.X || !slices.Equal(table.Args(int32(x)), w.Args) {
				t.Errorf("parts of expression %d differ from the whole", x)
			}
		}
		if d := cmp.Diff(want.Refs, slices.Collect(table.Refs())); d != "" {
			t.Errorf("references (-want +got):\n%s", d)
		}
	}
	if _, _, err := r.Decode([]byte{4, 200}); err == nil {
		t.Error("damaged facts were read")
	}
}
