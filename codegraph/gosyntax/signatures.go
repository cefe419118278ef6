package gosyntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

// Shape gives the types of a method's parameters and results, without the names of parameters and packages, and where the
// method's name is not exported the folder whose package alone can have it. See [lang.Structural].
func (m *modules) Shape(path, name, signature string) string {
	k := [2]string{name, signature}
	s, ok := m.shapes[k]
	if !ok {
		s = shape(signature)
		m.shapes[k] = s
	}
	if s != "" && !ast.IsExported(name) {
		return dirOf(path) + " " + m.packageOf(path) + " " + s
	}
	return s
}

// shape reads a signature as the facts have it: a function's head or an element of an interface. It gives "" for what it
// cannot read, such as one that was cut.
func shape(signature string) string {
	src := "package p\n"
	if strings.HasPrefix(signature, "func") {
		src += signature + "\n"
	} else {
		src += "type i interface { " + signature + " }\n"
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return ""
	}
	var t *ast.FuncType
	switch d := f.Decls[0].(type) {
	case *ast.FuncDecl:
		t = d.Type
	case *ast.GenDecl:
		if s, ok := d.Specs[0].(*ast.TypeSpec); ok {
			if i, ok := s.Type.(*ast.InterfaceType); ok && len(i.Methods.List) == 1 {
				t, _ = i.Methods.List[0].Type.(*ast.FuncType)
			}
		}
	}
	if t == nil {
		return ""
	}
	var b strings.Builder
	list := func(l *ast.FieldList) {
		b.WriteByte('(')
		if l != nil {
			for _, f := range l.List {
				for range max(1, len(f.Names)) {
					b.WriteString(types.ExprString(withoutPackages(f.Type)))
					b.WriteByte(',')
				}
			}
		}
		b.WriteByte(')')
	}
	list(t.Params)
	list(t.Results)
	return b.String()
}

// withoutPackages takes the packages out of a type, in place.
func withoutPackages(e ast.Expr) ast.Expr {
	switch t := e.(type) {
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.StarExpr:
		t.X = withoutPackages(t.X)
	case *ast.ParenExpr:
		return withoutPackages(t.X)
	case *ast.ArrayType:
		t.Elt = withoutPackages(t.Elt)
	case *ast.Ellipsis:
		t.Elt = withoutPackages(t.Elt)
	case *ast.MapType:
		t.Key, t.Value = withoutPackages(t.Key), withoutPackages(t.Value)
	case *ast.ChanType:
		t.Value = withoutPackages(t.Value)
	case *ast.IndexExpr:
		t.X, t.Index = withoutPackages(t.X), withoutPackages(t.Index)
	case *ast.IndexListExpr:
		t.X = withoutPackages(t.X)
		for i := range t.Indices {
			t.Indices[i] = withoutPackages(t.Indices[i])
		}
	case *ast.InterfaceType:
		if t.Methods == nil || len(t.Methods.List) == 0 {
			return ast.NewIdent("any")
		}
	case *ast.FuncType:
		for _, l := range []*ast.FieldList{t.Params, t.Results} {
			if l == nil {
				continue
			}
			var fields []*ast.Field
			for _, f := range l.List {
				for range max(1, len(f.Names)) {
					fields = append(fields, &ast.Field{Type: withoutPackages(f.Type)})
				}
			}
			l.List = fields
		}
	}
	return e
}
