package gosyntax

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/findspot/findspot/codegraph/lang"
)

// value is expr for what is passed on, stored or returned: a member that is a function is mentioned by it.
func (w *walker) value(e ast.Expr, scope int32) int32 {
	x := w.expr(e, scope)
	if s, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && !w.isPackage(s.X) {
		w.mentionMember(s, x, scope)
	}
	return x
}

// isPackage tells whether an expression is the name of an imported package.
func (w *walker) isPackage(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	if _, ok := w.local(id.Name); ok {
		return false
	}
	_, ok = w.imports[id.Name]
	return ok
}

// expr records what an expression does and gives the sketch of its value.
func (w *walker) expr(e ast.Expr, scope int32) int32 {
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name == "nil" || e.Name == "true" || e.Name == "false" || e.Name == "_" {
			return lang.None
		}
		x := w.name(e.Name)
		if !w.isPackage(e) {
			w.mentionName(e, x, scope)
		}
		return x
	case *ast.SelectorExpr:
		x := w.b.Of(lang.OpAttr, w.expr(e.X, scope), e.Sel.Name)
		if w.isPackage(e.X) {
			w.mentionMember(e, x, scope)
		}
		return x
	case *ast.CallExpr:
		return w.call(e, scope)
	case *ast.ParenExpr:
		return w.expr(e.X, scope)
	case *ast.StarExpr:
		return w.expr(e.X, scope)
	case *ast.UnaryExpr:
		x := w.expr(e.X, scope)
		if e.Op == token.ARROW {
			return w.b.Of(lang.OpElem, x, "")
		}
		return x
	case *ast.BinaryExpr:
		x, y := w.expr(e.X, scope), w.expr(e.Y, scope)
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
			return w.b.Leaf(lang.OpExternal, lang.File, "")
		}
		if _, ok := e.X.(*ast.BasicLit); ok || x == lang.None {
			return y
		}
		return x // of the same type as y
	case *ast.BasicLit:
		return w.b.Leaf(lang.OpExternal, lang.File, "")
	case *ast.IndexExpr:
		x := w.expr(e.X, scope)
		w.expr(e.Index, scope)
		return w.b.Of(lang.OpIndex, x, constant(e.Index))
	case *ast.IndexListExpr:
		for _, i := range e.Indices {
			w.typ(i, scope)
		}
		return w.expr(e.X, scope)
	case *ast.SliceExpr:
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			w.expr(i, scope)
		}
		return w.expr(e.X, scope)
	case *ast.TypeAssertExpr:
		w.expr(e.X, scope)
		return w.b.Of(lang.OpInstance, w.typ(e.Type, scope), "")
	case *ast.CompositeLit:
		return w.literal(e, e.Type, scope)
	case *ast.KeyValueExpr:
		w.expr(e.Key, scope)
		return w.value(e.Value, scope)
	case *ast.FuncLit:
		d := w.b.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: w.span(e.Pos(), e.End()), Body: w.offset(e.Body.Pos())})
		w.push(d)
		w.signature(d, nil, e.Type)
		w.block(e.Body.List, d)
		w.pop()
		return w.b.Decl(d)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return w.typ(e, scope)
	}
	return lang.None
}

// literal reads a composite literal; typ is given from outside where the literal leaves it out.
func (w *walker) literal(e *ast.CompositeLit, typ ast.Expr, scope int32) int32 {
	if e.Type == nil {
		w.silent++
	}
	var key, elem ast.Expr
	switch t := typ.(type) {
	case *ast.ArrayType:
		elem = t.Elt
	case *ast.MapType:
		key, elem = t.Key, t.Value
	}
	var args []lang.Arg
	class := lang.None
	if elem == nil {
		class = w.typ(typ, scope)
	} else if box := w.typ(typ, scope); box != lang.None {
		args = append(args, w.b.Facts.Exprs[box].Args...)
	}
	if e.Type == nil {
		w.silent--
	}
	_, function := elem.(*ast.FuncType)
	for _, v := range e.Elts {
		name, x, k := "", lang.None, ast.Expr(nil)
		if kv, ok := v.(*ast.KeyValueExpr); ok {
			k, v = kv.Key, kv.Value
			if id, ok := k.(*ast.Ident); ok && elem == nil {
				name = id.Name
			} else {
				w.element(k, key, scope)
				name = constant(k)
			}
		}
		x = w.element(v, elem, scope)
		switch {
		case class != lang.None && name != "": // a field may be of a function or interface type: keep what is in it
			w.b.Set(lang.Assign, scope, w.b.Of(lang.OpInstance, class, ""), name, x, w.line(v))
		case elem != nil && (function || w.mayBeFunction(v)):
			args = append(args, lang.Arg{Name: name, X: x})
		}
	}
	if elem == nil {
		return w.b.Of(lang.OpInstance, class, "")
	}
	return w.b.Many(lang.OpDict, args)
}

// mayBeFunction tells whether an element may be a function that is named or written there. What else an element is, the
// type of its container says.
func (w *walker) mayBeFunction(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.FuncLit:
		return true
	case *ast.Ident:
		_, local := w.local(e.Name)
		return !local
	case *ast.SelectorExpr:
		return true
	}
	return false
}

// element reads one element or key of a literal, whose type may be left out.
func (w *walker) element(e, typ ast.Expr, scope int32) int32 {
	inner, ok := e.(*ast.CompositeLit)
	if !ok || inner.Type != nil {
		return w.value(e, scope)
	}
	if p, ok := typ.(*ast.StarExpr); ok {
		typ = p.X
	}
	return w.literal(inner, typ, scope)
}

// isBuiltin tells whether a name means what the language has under it.
func (w *walker) isBuiltin(name string) bool {
	_, local := w.local(name)
	return !local && !w.types[name] && !w.vars[name]
}

var basic = words(`any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8
uint16 uint32 uint64 uintptr`)

func (w *walker) call(e *ast.CallExpr, scope int32) int32 {
	fun := ast.Unparen(e.Fun)
	if id, ok := fun.(*ast.Ident); ok && len(e.Args) > 0 && w.isBuiltin(id.Name) {
		switch id.Name {
		case "new", "make":
			x := lang.None
			switch t := e.Args[0].(type) {
			case *ast.CallExpr, *ast.BasicLit, *ast.CompositeLit, *ast.FuncLit, *ast.BinaryExpr: // new(value)
				x = w.value(t, scope)
			default:
				x = w.b.Of(lang.OpInstance, w.typ(t, scope), "")
			}
			w.args(e, 1, scope)
			return x
		case "append":
			x := w.value(e.Args[0], scope)
			added := w.args(e, 1, scope)
			if slices.ContainsFunc(e.Args[1:], w.mayBeFunction) { // which functions are in it, the type does not say
				return w.b.Any(x, w.b.Many(lang.OpDict, added))
			}
			return x
		case "min", "max":
			return w.args(e, 0, scope)[0].X
		}
		if basic[id.Name] { // a conversion
			w.args(e, 0, scope)
			return w.b.Leaf(lang.OpExternal, lang.File, "")
		}
	}
	var callee int32
	switch f := fun.(type) {
	case *ast.Ident:
		callee = lang.None
		if f.Name != "_" {
			callee = w.name(f.Name)
		}
	case *ast.SelectorExpr:
		callee = w.b.Of(lang.OpAttr, w.expr(f.X, scope), f.Sel.Name)
	case *ast.IndexExpr: // an instantiated function or type, or an element that is a function
		x := w.callee(f.X, scope)
		w.expr(f.Index, scope)
		callee = w.b.Any(x, w.b.Of(lang.OpIndex, x, constant(f.Index)))
		fun = f.X
	case *ast.IndexListExpr:
		callee = w.callee(f.X, scope)
		for _, i := range f.Indices {
			w.typ(i, scope)
		}
		fun = f.X
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.InterfaceType, *ast.FuncType, *ast.StructType: // a conversion
		w.args(e, 0, scope)
		return w.b.Of(lang.OpInstance, w.typ(fun, scope), "")
	case *ast.StarExpr:
		w.args(e, 0, scope)
		if _, paren := e.Fun.(*ast.ParenExpr); paren { // a conversion to a pointer
			return w.b.Of(lang.OpInstance, w.typ(fun, scope), "")
		}
		return w.b.Call(w.expr(f.X, scope), nil)
	default:
		callee = w.expr(fun, scope)
	}
	x := w.b.Call(callee, w.args(e, 0, scope))
	var at ast.Node = fun
	name := ""
	switch f := fun.(type) {
	case *ast.SelectorExpr:
		at, name = f.Sel, f.Sel.Name
	case *ast.Ident:
		name = f.Name
	}
	s := w.span(at.Pos(), at.End())
	if _, lit := fun.(*ast.FuncLit); !lit {
		w.b.Facts.Refs = append(w.b.Facts.Refs, lang.Ref{Kind: lang.Call, Scope: scope, X: x, Decl: lang.None, Name: name,
			Line: s.Line, Col: s.Col, EndLine: s.EndLine, EndCol: s.EndCol})
	}
	return x
}

// callee is expr for what is called: the call says that it is used.
func (w *walker) callee(e ast.Expr, scope int32) int32 {
	switch f := e.(type) {
	case *ast.Ident:
		return w.name(f.Name)
	case *ast.SelectorExpr:
		return w.b.Of(lang.OpAttr, w.expr(f.X, scope), f.Sel.Name)
	}
	return w.expr(e, scope)
}

// args reads the arguments of a call from one on.
func (w *walker) args(e *ast.CallExpr, from int, scope int32) []lang.Arg {
	var out []lang.Arg
	for i := from; i < len(e.Args); i++ {
		out = append(out, lang.Arg{X: w.value(e.Args[i], scope), Spread: e.Ellipsis.IsValid() && i == len(e.Args)-1})
	}
	return out
}
