package gosyntax

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/findspot/findspot/codegraph/lang"
)

func (w *walker) block(list []ast.Stmt, scope int32) {
	for _, s := range list {
		w.stmt(s, scope)
	}
}

func (w *walker) stmt(s ast.Stmt, scope int32) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		if s != nil {
			w.block(s.List, scope)
		}
	case *ast.ExprStmt:
		w.expr(s.X, scope)
	case *ast.SendStmt:
		w.b.Set(lang.Store, scope, w.expr(s.Chan, scope), "", w.expr(s.Value, scope), w.line(s))
	case *ast.IncDecStmt:
		w.expr(s.X, scope)
	case *ast.AssignStmt:
		w.assign(s.Lhs, s.Rhs, scope)
	case *ast.GoStmt:
		w.expr(s.Call, scope)
	case *ast.DeferStmt:
		w.expr(s.Call, scope)
	case *ast.ReturnStmt:
		var xs []lang.Arg
		for _, r := range s.Results {
			xs = append(xs, lang.Arg{X: w.expr(r, scope)})
		}
		if scope != lang.File && len(xs) == 1 {
			w.b.Bind(lang.Return, scope, "", xs[0].X, w.line(s))
		} else if scope != lang.File && len(xs) > 1 {
			w.b.Bind(lang.Return, scope, "", w.b.Many(lang.OpTuple, xs), w.line(s))
		}
	case *ast.IfStmt:
		w.stmt(s.Init, scope)
		w.expr(s.Cond, scope)
		w.stmt(s.Body, scope)
		w.stmt(s.Else, scope)
	case *ast.ForStmt:
		w.stmt(s.Init, scope)
		w.expr(s.Cond, scope)
		w.stmt(s.Post, scope)
		w.stmt(s.Body, scope)
	case *ast.RangeStmt:
		x := w.expr(s.X, scope)
		elem := w.b.Of(lang.OpElem, x, "")
		if s.Value != nil {
			w.bind(s.Value, elem, scope)
		}
		if s.Key != nil {
			w.bind(s.Key, lang.None, scope)
		}
		w.stmt(s.Body, scope)
	case *ast.SwitchStmt:
		w.stmt(s.Init, scope)
		w.expr(s.Tag, scope)
		w.stmt(s.Body, scope)
	case *ast.TypeSwitchStmt:
		w.typeSwitch(s, scope)
	case *ast.CaseClause:
		for _, e := range s.List {
			w.expr(e, scope)
		}
		w.block(s.Body, scope)
	case *ast.SelectStmt:
		w.stmt(s.Body, scope)
	case *ast.CommClause:
		w.stmt(s.Comm, scope)
		w.block(s.Body, scope)
	case *ast.LabeledStmt:
		w.stmt(s.Stmt, scope)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			w.general(d, scope)
		}
	}
}

func (w *walker) typeSwitch(s *ast.TypeSwitchStmt, scope int32) {
	w.stmt(s.Init, scope)
	name, all := "", lang.None
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		if id, ok := a.Lhs[0].(*ast.Ident); ok && len(a.Lhs) == 1 {
			name = id.Name
		}
		for _, r := range a.Rhs {
			if t, ok := r.(*ast.TypeAssertExpr); ok {
				all = w.expr(t.X, scope)
			}
		}
	case *ast.ExprStmt:
		if t, ok := a.X.(*ast.TypeAssertExpr); ok {
			w.expr(t.X, scope)
		}
	}
	if s.Body == nil {
		return
	}
	for _, c := range s.Body.List {
		cc, ok := c.(*ast.CaseClause)
		if !ok {
			continue
		}
		if name == "" {
			w.block(cc.Body, scope)
			continue
		}
		// Each clause has a variable of its own; a scope keeps them apart.
		d := w.b.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: w.span(cc.Pos(), cc.End()), Body: w.offset(cc.Colon)})
		x := all
		if len(cc.List) == 1 {
			x = w.b.Of(lang.OpInstance, w.typ(cc.List[0], scope), "")
		}
		if x == lang.None {
			x = w.b.Leaf(lang.OpUnknown, lang.File, "")
		}
		w.b.Bind(lang.Assign, d, name, x, w.line(cc))
		w.block(cc.Body, d)
	}
}

// assign binds the left sides. One right side may give several values.
func (w *walker) assign(lhs, rhs []ast.Expr, scope int32) {
	if len(rhs) == 1 && len(lhs) > 1 {
		x := w.expr(rhs[0], scope)
		_, call := rhs[0].(*ast.CallExpr)
		for i, l := range lhs {
			switch {
			case call:
				w.bind(l, w.b.Of(lang.OpIndex, x, strconv.Itoa(i)), scope)
			case i == 0:
				w.bind(l, x, scope) // v, ok := m[k]
			default:
				w.bind(l, lang.None, scope)
			}
		}
		return
	}
	xs := make([]int32, len(rhs))
	for i, r := range rhs {
		xs[i] = w.expr(r, scope)
	}
	for i, l := range lhs {
		if i < len(xs) {
			w.bind(l, xs[i], scope)
		}
	}
}

func (w *walker) bind(l ast.Expr, x, scope int32) {
	switch l := l.(type) {
	case *ast.Ident:
		if l.Name == "_" {
			return
		}
		if x == lang.None {
			w.hide(l.Name, scope, l)
			return
		}
		w.b.Bind(lang.Assign, scope, l.Name, x, w.line(l))
	case *ast.SelectorExpr:
		w.b.Set(lang.Assign, scope, w.expr(l.X, scope), l.Sel.Name, x, w.line(l))
	case *ast.IndexExpr:
		target := w.expr(l.X, scope)
		w.expr(l.Index, scope)
		w.b.Set(lang.Store, scope, target, constant(l.Index), x, w.line(l))
	case *ast.StarExpr:
		w.expr(l.X, scope)
	case *ast.ParenExpr:
		w.bind(l.X, x, scope)
	}
}

func constant(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok {
		if l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil && len(s) <= 80 {
				return s
			}
			return ""
		}
		return l.Value
	}
	return ""
}

// expr records what an expression does and gives the sketch of its value.
func (w *walker) expr(e ast.Expr, scope int32) int32 {
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name == "nil" || e.Name == "true" || e.Name == "false" || e.Name == "_" {
			return lang.None
		}
		return w.b.Name(w.visible(scope, e.Name), e.Name)
	case *ast.SelectorExpr:
		return w.b.Of(lang.OpAttr, w.expr(e.X, scope), e.Sel.Name)
	case *ast.CallExpr:
		return w.call(e, scope)
	case *ast.ParenExpr:
		return w.expr(e.X, scope)
	case *ast.StarExpr:
		return w.expr(e.X, scope)
	case *ast.UnaryExpr:
		x := w.expr(e.X, scope)
		switch e.Op {
		case token.AND:
			return x
		case token.ARROW:
			return w.b.Of(lang.OpElem, x, "")
		}
		return w.b.Leaf(lang.OpExternal, lang.File, "")
	case *ast.BinaryExpr:
		w.expr(e.X, scope)
		w.expr(e.Y, scope)
		return w.b.Leaf(lang.OpExternal, lang.File, "")
	case *ast.BasicLit:
		return w.b.Leaf(lang.OpExternal, lang.File, "")
	case *ast.IndexExpr:
		x := w.expr(e.X, scope)
		w.expr(e.Index, scope)
		return w.b.Of(lang.OpIndex, x, constant(e.Index))
	case *ast.IndexListExpr:
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
		return w.expr(e.Value, scope)
	case *ast.FuncLit:
		d := w.b.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: w.span(e.Pos(), e.End()), Body: w.offset(e.Body.Pos())})
		w.signature(d, nil, e.Type, scope)
		w.block(e.Body.List, d)
		return w.b.Decl(d)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType:
		return w.typ(e, scope)
	}
	return lang.None
}

// literal reads a composite literal; typ is given from outside where the literal leaves it out.
func (w *walker) literal(e *ast.CompositeLit, typ ast.Expr, scope int32) int32 {
	var elem ast.Expr
	switch t := typ.(type) {
	case *ast.ArrayType:
		elem = t.Elt
	case *ast.MapType:
		elem = t.Value
	}
	var args []lang.Arg
	class := lang.None
	if elem == nil {
		class = w.typ(typ, scope)
	}
	for _, v := range e.Elts {
		var a lang.Arg
		if kv, ok := v.(*ast.KeyValueExpr); ok {
			v = kv.Value
			if elem != nil {
				w.expr(kv.Key, scope)
				a.Name = constant(kv.Key)
			} else if id, ok := kv.Key.(*ast.Ident); ok {
				a.Name = id.Name
			}
		}
		if inner, ok := v.(*ast.CompositeLit); ok && inner.Type == nil {
			t := elem
			if p, ok := t.(*ast.StarExpr); ok {
				t = p.X
			}
			a.X = w.literal(inner, t, scope)
		} else {
			a.X = w.expr(v, scope)
		}
		if class != lang.None && a.Name != "" { // a field may be of a function or interface type: keep what is in it
			w.b.Set(lang.Assign, scope, w.b.Of(lang.OpInstance, class, ""), a.Name, a.X, w.line(v))
		}
		args = append(args, a)
	}
	if elem == nil {
		return w.b.Of(lang.OpInstance, class, "")
	}
	if x := w.b.Of(lang.OpInstance, w.typ(elem, scope), ""); x != lang.None {
		args = append(args, lang.Arg{X: x})
	}
	return w.b.Many(lang.OpDict, args)
}

func (w *walker) call(e *ast.CallExpr, scope int32) int32 {
	fun := ast.Unparen(e.Fun)
	if id, ok := fun.(*ast.Ident); ok && len(e.Args) > 0 {
		switch id.Name {
		case "new", "make":
			for _, a := range e.Args[1:] {
				w.expr(a, scope)
			}
			return w.b.Of(lang.OpInstance, w.typ(e.Args[0], scope), "")
		case "append":
			x := w.expr(e.Args[0], scope)
			var added []lang.Arg
			for i, a := range e.Args[1:] {
				added = append(added, lang.Arg{X: w.expr(a, scope), Spread: e.Ellipsis.IsValid() && i == len(e.Args)-2})
			}
			return w.b.Any(x, w.b.Many(lang.OpDict, added))
		}
	}
	var callee int32
	switch f := fun.(type) {
	case *ast.IndexExpr: // an instantiated function, or an element that is one
		x := w.expr(f.X, scope)
		w.expr(f.Index, scope)
		callee = w.b.Any(x, w.b.Of(lang.OpIndex, x, constant(f.Index)))
		fun = f.X
	case *ast.IndexListExpr:
		callee = w.expr(f.X, scope)
		fun = f.X
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.InterfaceType, *ast.FuncType, *ast.StarExpr: // a conversion
		for _, a := range e.Args {
			w.expr(a, scope)
		}
		return w.b.Of(lang.OpInstance, w.typ(fun, scope), "")
	default:
		callee = w.expr(fun, scope)
	}
	var args []lang.Arg
	for i, a := range e.Args {
		args = append(args, lang.Arg{X: w.expr(a, scope), Spread: e.Ellipsis.IsValid() && i == len(e.Args)-1})
	}
	x := w.b.Call(callee, args)
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
