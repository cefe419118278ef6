package apitest

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// Print returns the exported API of a package, one declaration a line, sorted. Types of other packages are written with the
// last element of their package's path.
func Print(pkg *types.Package) []byte {
	p := &printer{pkg: pkg}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		if obj := scope.Lookup(name); obj.Exported() {
			p.object(obj)
		}
	}
	slices.Sort(p.lines)
	return []byte("package " + pkg.Name() + "\n\n" + strings.Join(p.lines, "\n") + "\n")
}

type printer struct {
	pkg   *types.Package
	lines []string
}

func (p *printer) add(format string, args ...any) {
	p.lines = append(p.lines, fmt.Sprintf(format, args...))
}

func (p *printer) object(obj types.Object) {
	switch obj := obj.(type) {
	case *types.Const:
		p.add("const %s %s = %s", obj.Name(), p.str(obj.Type()), obj.Val().ExactString())
	case *types.Var:
		p.add("var %s %s", obj.Name(), p.str(obj.Type()))
	case *types.Func:
		p.add("func %s%s", obj.Name(), p.signature(obj.Signature()))
	case *types.TypeName:
		if obj.IsAlias() {
			p.add("type %s = %s", obj.Name(), p.str(types.Unalias(obj.Type())))
			return
		}
		p.named(obj)
	}
}

func (p *printer) named(obj *types.TypeName) {
	named := obj.Type().(*types.Named)
	name := obj.Name()
	switch u := named.Underlying().(type) {
	case *types.Struct:
		p.add("type %s struct", name)
		for i := range u.NumFields() {
			if f := u.Field(i); f.Exported() {
				p.add("type %s struct, %s %s%s", name, f.Name(), p.str(f.Type()), tag(u.Tag(i)))
			}
		}
	case *types.Interface:
		p.add("type %s interface", name)
		for m := range u.Methods() {
			if m.Exported() {
				p.add("type %s interface, %s%s", name, m.Name(), p.signature(m.Signature()))
			} else {
				p.add("type %s interface, unexported methods", name)
			}
		}
	default:
		p.add("type %s %s", name, p.str(u))
	}
	for m := range named.Methods() {
		if m.Exported() {
			p.add("method (%s) %s%s", p.str(m.Signature().Recv().Type()), m.Name(), p.signature(m.Signature()))
		}
	}
}

// signature writes parameters without their names, which are no part of the promise.
func (p *printer) signature(s *types.Signature) string {
	var params, results []string
	for i := range s.Params().Len() {
		t := s.Params().At(i).Type()
		if s.Variadic() && i == s.Params().Len()-1 {
			params = append(params, "..."+p.str(t.(*types.Slice).Elem()))
			continue
		}
		params = append(params, p.str(t))
	}
	for v := range s.Results().Variables() {
		results = append(results, p.str(v.Type()))
	}
	out := "(" + strings.Join(params, ", ") + ")"
	switch len(results) {
	case 0:
		return out
	case 1:
		return out + " " + results[0]
	}
	return out + " (" + strings.Join(results, ", ") + ")"
}

func (p *printer) str(t types.Type) string {
	if s, ok := t.(*types.Signature); ok {
		return "func" + p.signature(s)
	}
	return types.TypeString(t, func(q *types.Package) string {
		if q == p.pkg {
			return ""
		}
		return q.Name()
	})
}

// tag returns a struct tag as it stands in the source: the names in JSON are part of the promise.
func tag(s string) string {
	if s == "" {
		return ""
	}
	return " `" + s + "`"
}
