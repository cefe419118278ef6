package gosyntax

import (
	"go/ast"
	"go/token"
	"strconv"

	"github.com/findspot/findspot/codegraph/lang"
)

// ownBlock reads statements in a block of their own.
func (w *walker) ownBlock(list []ast.Stmt, scope int32) {
	w.push(scope)
	w.block(list, scope)
	w.pop()
}

func (w *walker) block(list []ast.Stmt, scope int32) {
	for _, s := range list {
		w.stmt(s, scope)
	}
}

func (w *walker) stmt(s ast.Stmt, scope int32) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		if s != nil {
			w.ownBlock(s.List, scope)
		}
	case *ast.ExprStmt:
		w.expr(s.X, scope)
	case *ast.SendStmt:
		w.b.Set(lang.Store, scope, w.expr(s.Chan, scope), "", w.value(s.Value, scope), w.line(s))
	case *ast.IncDecStmt:
		w.expr(s.X, scope)
	case *ast.AssignStmt:
		w.assign(s, scope)
	case *ast.GoStmt:
		w.expr(s.Call, scope)
	case *ast.DeferStmt:
		w.expr(s.Call, scope)
	case *ast.ReturnStmt:
		var xs []lang.Arg
		for _, r := range s.Results {
			xs = append(xs, lang.Arg{X: w.value(r, scope)})
		}
		if scope != lang.File && len(xs) == 1 {
			w.b.Bind(lang.Return, scope, "", xs[0].X, w.line(s))
		} else if scope != lang.File && len(xs) > 1 {
			w.b.Bind(lang.Return, scope, "", w.b.Many(lang.OpTuple, xs), w.line(s))
		}
	case *ast.IfStmt:
		w.push(scope)
		w.stmt(s.Init, scope)
		w.expr(s.Cond, scope)
		w.stmt(s.Body, scope)
		w.stmt(s.Else, scope)
		w.pop()
	case *ast.ForStmt:
		w.push(scope)
		w.stmt(s.Init, scope)
		w.expr(s.Cond, scope)
		w.stmt(s.Post, scope)
		w.stmt(s.Body, scope)
		w.pop()
	case *ast.RangeStmt:
		w.rangeOver(s, scope)
	case *ast.SwitchStmt:
		w.push(scope)
		w.stmt(s.Init, scope)
		w.expr(s.Tag, scope)
		w.stmt(s.Body, scope)
		w.pop()
	case *ast.TypeSwitchStmt:
		w.push(scope)
		w.typeSwitch(s, scope)
		w.pop()
	case *ast.CaseClause:
		for _, e := range s.List {
			w.expr(e, scope)
		}
		w.ownBlock(s.Body, scope)
	case *ast.SelectStmt:
		w.stmt(s.Body, scope)
	case *ast.CommClause:
		w.push(scope)
		w.stmt(s.Comm, scope)
		w.block(s.Body, scope)
		w.pop()
	case *ast.LabeledStmt:
		w.stmt(s.Stmt, scope)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			w.general(d, scope)
		}
	}
}

func (w *walker) rangeOver(s *ast.RangeStmt, scope int32) {
	x := w.expr(s.X, scope)
	w.push(scope)
	defer w.pop()
	define := s.Tok == token.DEFINE
	if s.Key != nil {
		w.set(s.Key, w.b.Of(lang.OpIndex, x, first), define, scope)
	}
	if s.Value != nil {
		w.set(s.Value, w.b.Of(lang.OpElem, x, ""), define, scope)
	}
	w.stmt(s.Body, scope)
}

func (w *walker) typeSwitch(s *ast.TypeSwitchStmt, scope int32) {
	w.stmt(s.Init, scope)
	name, all := "", lang.None
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		if len(a.Lhs) == 1 {
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				name = id.Name
			}
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
		x := all
		for _, e := range cc.List {
			if id, ok := e.(*ast.Ident); ok && id.Name == "nil" {
				continue
			}
			if t := w.typ(e, scope); len(cc.List) == 1 {
				x = w.b.Of(lang.OpInstance, t, "")
			}
		}
		w.push(scope) // each clause has a variable of its own
		if name != "" && name != "_" {
			l := w.declare(name)
			if x == lang.None {
				w.bindUnknown(l, cc)
			} else {
				w.b.Bind(lang.Assign, l.scope, l.name, x, w.line(cc))
			}
		}
		w.block(cc.Body, scope)
		w.pop()
	}
}

// resultAt gives the value that the i-th of several left sides gets from one right side.
func (w *walker) resultAt(e ast.Expr, x int32, i int) int32 {
	if _, call := ast.Unparen(e).(*ast.CallExpr); call {
		return w.b.Of(lang.OpIndex, x, strconv.Itoa(i))
	}
	if i == 0 {
		return x // v, ok := m[k]
	}
	return lang.None
}

func (w *walker) assign(s *ast.AssignStmt, scope int32) {
	define := s.Tok == token.DEFINE
	if len(s.Rhs) == 1 && len(s.Lhs) > 1 {
		x := w.value(s.Rhs[0], scope)
		for i, l := range s.Lhs {
			w.set(l, w.resultAt(s.Rhs[0], x, i), define, scope)
		}
		return
	}
	xs := make([]int32, len(s.Rhs))
	for i, r := range s.Rhs {
		xs[i] = w.value(r, scope)
	}
	if s.Tok != token.ASSIGN && !define { // x += y
		for _, l := range s.Lhs {
			w.expr(l, scope)
		}
		return
	}
	for i, l := range s.Lhs {
		if i < len(xs) {
			w.set(l, xs[i], define, scope)
		}
	}
}

// set gives a left side its value, after declaring it where it is new.
func (w *walker) set(l ast.Expr, x int32, define bool, scope int32) {
	if id, ok := l.(*ast.Ident); ok && define && id.Name != "_" {
		w.declare(id.Name)
	}
	w.bind(l, x, scope)
}

func (w *walker) bind(l ast.Expr, x, scope int32) {
	switch l := l.(type) {
	case *ast.Ident:
		if l.Name == "_" {
			return
		}
		v, ok := w.local(l.Name)
		if !ok {
			if !w.vars[l.Name] {
				return // of another file: bound here, it would hide that
			}
			v = local{scope: lang.File, name: l.Name}
		}
		if x == lang.None {
			w.bindUnknown(v, l)
			return
		}
		w.b.Bind(lang.Assign, v.scope, v.name, x, w.line(l))
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
