package lang

import (
	"errors"
	"fmt"
)

var errFacts = errors.New("damaged facts")

// Check tells whether every index in f points to something and nothing points forwards where that would make a circle.
func (f *Facts) Check() error {
	expr := func(i int32) bool { return i >= None && int(i) < len(f.Exprs) }
	scope := func(i int32) bool { return i >= File && int(i) < len(f.Decls) }
	bad := func(what string, i int) error { return fmt.Errorf("%w: %s %d", errFacts, what, i) }
	for i := range f.Decls {
		d := &f.Decls[i]
		ok := d.Parent >= File && int(d.Parent) < i && d.Kind >= Class && d.Kind <= Namespace && d.Span.Start >= 0 &&
			d.Span.Start <= d.Span.End && d.Body >= d.Span.Start && d.Body <= d.Span.End && expr(d.Elem) && expr(d.Owner)
		for _, b := range d.Bases {
			ok = ok && expr(b)
		}
		for _, b := range d.Decorated {
			ok = ok && expr(b)
		}
		for _, p := range d.Params {
			ok = ok && expr(p.Type) && expr(p.Def)
		}
		if !ok {
			return bad("declaration", i)
		}
	}
	for i := range f.Imports {
		if !scope(f.Imports[i].Scope) {
			return bad("import", i)
		}
	}
	for i := range f.Exprs {
		x := &f.Exprs[i]
		ok := x.X >= None && int(x.X) < i && (x.Op != OpDecl || scope(x.Decl) && x.Decl != File) && scope(x.Scope)
		for _, a := range x.Args {
			ok = ok && a.X >= None && int(a.X) < i
		}
		if !ok {
			return bad("expression", i)
		}
	}
	for i, b := range f.Bindings {
		if !scope(b.Scope) || !expr(b.Target) || !expr(b.Value) {
			return bad("binding", i)
		}
	}
	for i, r := range f.Refs {
		if !scope(r.Scope) || !expr(r.X) || r.X == None || !expr(r.Decl) {
			return bad("reference", i)
		}
		if x := f.Exprs[r.X]; r.Kind == Call && (x.Op != OpCall || x.X == None) {
			return bad("call", i)
		}
	}
	return nil
}
