package gosyntax

import (
	"go/ast"

	"github.com/findspot/findspot/codegraph/lang"
)

// first is the key under which a container holds what a range over it gives first: the keys of a map, the elements of a
// channel, the first values of an iterator.
const first = "·key"

// typ gives the sketch of a type: a class, or a container of instances; None for what has no methods or elements. The types
// it names are mentioned in scope.
func (w *walker) typ(e ast.Expr, scope int32) int32 {
	switch t := e.(type) {
	case *ast.Ident:
		if t.Name == "_" {
			return lang.None
		}
		x := w.name(t.Name)
		w.mentionName(t, x, scope)
		return x
	case *ast.SelectorExpr:
		x := lang.None
		if id, ok := t.X.(*ast.Ident); ok {
			x = w.b.Of(lang.OpAttr, w.name(id.Name), t.Sel.Name)
			w.mentionMember(t, x, scope)
		}
		return x
	case *ast.StarExpr:
		return w.typ(t.X, scope)
	case *ast.ParenExpr:
		return w.typ(t.X, scope)
	case *ast.IndexExpr:
		return w.instantiated(t.X, []ast.Expr{t.Index}, scope)
	case *ast.IndexListExpr:
		return w.instantiated(t.X, t.Indices, scope)
	case *ast.ArrayType:
		return w.container(nil, t.Elt, scope)
	case *ast.Ellipsis:
		return w.container(nil, t.Elt, scope)
	case *ast.MapType:
		return w.container(t.Key, t.Value, scope)
	case *ast.ChanType:
		return w.containerOf(lang.None, w.typ(t.Value, scope), true)
	case *ast.UnaryExpr: // ~T in a constraint
		return w.typ(t.X, scope)
	case *ast.BinaryExpr: // A | B in a constraint
		return w.b.Any(w.typ(t.X, scope), w.typ(t.Y, scope))
	case *ast.StructType: // without a name: its fields' types are mentioned
		if t.Fields != nil {
			for _, f := range t.Fields.List {
				w.typ(f.Type, scope)
			}
		}
	case *ast.InterfaceType:
		if t.Methods != nil {
			return w.embedded(t, scope)
		}
	case *ast.FuncType: // a value of it gives what its result types say
		d := w.b.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: w.span(t.Pos(), t.End()), Body: w.offset(t.End())})
		w.push(d)
		w.signature(d, nil, t)
		x := w.b.Decl(d)
		if it := w.iterated(t); it != lang.None {
			x = w.b.Any(x, it)
		}
		w.pop()
		return x
	}
	return lang.None
}

// embedded gives what an interface without a name embeds, such as interface{ *T; M() }.
func (w *walker) embedded(t *ast.InterfaceType, scope int32) int32 {
	var args []lang.Arg
	for _, m := range t.Methods.List {
		if len(m.Names) == 0 {
			args = append(args, lang.Arg{X: w.typ(m.Type, scope)})
			continue
		}
		if ft, ok := m.Type.(*ast.FuncType); ok {
			w.typ(ft, scope)
		}
	}
	return w.b.Many(lang.OpAny, args)
}

// instantiated gives a generic type with arguments; the iterators of the standard library hold what they give.
func (w *walker) instantiated(t ast.Expr, args []ast.Expr, scope int32) int32 {
	xs := make([]int32, len(args))
	for i, a := range args {
		xs[i] = w.typ(a, scope)
	}
	if s, ok := t.(*ast.SelectorExpr); ok {
		id, isName := s.X.(*ast.Ident)
		switch {
		case !isName || w.imports[id.Name] != "iter":
		case s.Sel.Name == "Seq" && len(xs) == 1:
			return w.containerOf(lang.None, xs[0], true)
		case s.Sel.Name == "Seq2" && len(xs) == 2:
			return w.containerOf(xs[0], xs[1], false)
		}
	}
	x := w.typ(t, scope)
	if x == lang.None {
		return x
	}
	for i, a := range xs {
		if a != lang.None {
			w.b.Set(lang.Assign, scope, x, typeParam(i), a, w.line(t))
		}
	}
	return x
}

// typeParam is the name under which a generic type holds its parameters; no member can have it.
func typeParam(i int) string { return "[" + string(rune('0'+min(i, 9))) + "]" }

// iterated gives what a range over a function gives: what it hands to its parameter.
func (w *walker) iterated(t *ast.FuncType) int32 {
	if t.Params == nil || len(t.Params.List) != 1 || t.Results != nil {
		return lang.None
	}
	yield, ok := t.Params.List[0].Type.(*ast.FuncType)
	if !ok || yield.Params == nil || yield.Results == nil || len(yield.Results.List) != 1 || len(yield.Params.List) > 2 {
		return lang.None
	}
	if id, ok := yield.Results.List[0].Type.(*ast.Ident); !ok || id.Name != "bool" {
		return lang.None
	}
	var types []ast.Expr
	for _, f := range yield.Params.List {
		for range max(len(f.Names), 1) {
			types = append(types, f.Type)
		}
	}
	w.silent++
	defer func() { w.silent-- }()
	switch len(types) {
	case 1:
		return w.containerOf(lang.None, w.typ(types[0], w.env.scope), true)
	case 2:
		return w.containerOf(w.typ(types[0], w.env.scope), w.typ(types[1], w.env.scope), false)
	}
	return lang.None
}

// container gives a container of instances of a type, under keys of another.
func (w *walker) container(key, elem ast.Expr, scope int32) int32 {
	k := lang.None
	if key != nil {
		k = w.typ(key, scope)
	}
	return w.containerOf(k, w.typ(elem, scope), false)
}

// containerOf gives a container; only says that a range over it gives its elements first.
func (w *walker) containerOf(key, elem int32, only bool) int32 {
	if key == lang.None && elem == lang.None {
		return lang.None
	}
	var args []lang.Arg
	if elem != lang.None {
		args = append(args, lang.Arg{X: w.b.Of(lang.OpInstance, elem, "")})
		if only {
			args = append(args, lang.Arg{Name: first, X: args[0].X})
		}
	}
	if key != lang.None {
		args = append(args, lang.Arg{Name: first, X: w.b.Of(lang.OpInstance, key, "")})
	}
	x := w.b.Many(lang.OpDict, args)
	if len(args) == 1 && elem != lang.None {
		w.b.Facts.Exprs[x].Name = "*"
	}
	return x
}
