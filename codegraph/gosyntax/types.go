package gosyntax

import (
	"go/ast"

	"github.com/findspot/findspot/codegraph/lang"
)

// typ gives the sketch of a type: a class, or a container of instances; None for what has no methods or elements.
func (w *walker) typ(e ast.Expr, scope int32) int32 {
	switch t := e.(type) {
	case *ast.Ident:
		return w.b.Name(scope, t.Name)
	case *ast.SelectorExpr:
		return w.b.Of(lang.OpAttr, w.typ(t.X, scope), t.Sel.Name)
	case *ast.StarExpr:
		return w.typ(t.X, scope)
	case *ast.ParenExpr:
		return w.typ(t.X, scope)
	case *ast.IndexExpr:
		return w.typ(t.X, scope)
	case *ast.IndexListExpr:
		return w.typ(t.X, scope)
	case *ast.ArrayType:
		return w.box(t.Elt, scope)
	case *ast.Ellipsis:
		return w.box(t.Elt, scope)
	case *ast.MapType:
		return w.box(t.Value, scope)
	case *ast.ChanType:
		return w.box(t.Value, scope)
	case *ast.UnaryExpr: // ~T in a constraint
		return w.typ(t.X, scope)
	case *ast.FuncType: // a value of it gives what its result types say
		d := w.b.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: w.span(t.Pos(), t.End()), Body: w.offset(t.End())})
		w.signature(d, nil, t, scope)
		return w.b.Decl(d)
	}
	return lang.None
}

// box gives a container of instances of a type.
func (w *walker) box(elem ast.Expr, scope int32) int32 {
	x := w.typ(elem, scope)
	if x == lang.None {
		return lang.None
	}
	return w.b.Many(lang.OpDict, []lang.Arg{{X: w.b.Of(lang.OpInstance, x, "")}})
}
