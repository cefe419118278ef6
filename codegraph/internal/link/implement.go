package link

import (
	"context"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// A shaped is a method with the form in which it is compared.
type shaped struct {
	name string
	of   symtab.DeclRef
}

// implement makes the inherit edges from classes to the interfaces of which they have all methods, in languages where that is
// enough. They take no part in the lookup of members. An interface of which something lies outside of the repository is left
// out: its methods are not all known.
func (l *Linker) implement(ctx context.Context) error {
	own := map[int32][]shaped{} // by class
	for i, f := range l.files.List {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		f.Linkage.Implied = nil
		if !structural(f.File) {
			continue
		}
		for i := range f.Facts.Decls {
			d := &f.Facts.Decls[i]
			if d.Kind != lang.Function {
				continue
			}
			switch {
			case d.Receiver != "":
				for _, c := range l.values.Owners(f.File, d) {
					own[c] = append(own[c], shaped{d.Name, f.File.Decl(int32(i))})
				}
			case f.InClass(d):
				c := f.IDs[d.Parent]
				own[c] = append(own[c], shaped{d.Name, f.File.Decl(int32(i))})
			}
		}
	}
	if len(own) == 0 {
		return nil
	}
	having := map[string][]int32{} // classes with a method of this name, their own or promoted
	sets := map[int32]map[string]symtab.DeclRef{}
	var promised []int32
	for n, r := range l.prog.Decls {
		c := int32(n)
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if r.F == nil {
			continue // it went with an edit
		}
		if !structural(r.F) || r.Decl().Kind != lang.Class {
			continue
		}
		order := l.values.Order(c)
		set := map[string]symtab.DeclRef{}
		for _, k := range order.Classes {
			for _, m := range own[k] {
				if _, ok := set[m.name]; !ok {
					set[m.name] = m.of
				}
			}
		}
		if len(set) == 0 {
			continue
		}
		sets[c] = set
		if r.Decl().Flags&lang.Interface == 0 {
			for name := range set {
				having[name] = append(having[name], c)
			}
		} else if !order.Open {
			promised = append(promised, c)
		}
	}
	for n, i := range promised {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var fewest []int32
		first := true
		for name := range sets[i] {
			if c := having[name]; first || len(c) < len(fewest) {
				fewest, first = c, false
			}
		}
		for _, c := range fewest {
			if implements(sets[c], sets[i]) && !slices.Contains(l.values.Order(c).Classes, i) {
				r := l.prog.Decls[c]
				(*l.files.Of(r.F)).imply(r.D, l.prog.Decls[i], model.SiteOf(r.Decl()))
			}
		}
	}
	return nil
}

// implements tells whether a class with some methods has all those of an interface.
func implements(methods, wanted map[string]symtab.DeclRef) bool {
	shape := func(r symtab.DeclRef) string {
		return r.F.Resolver.(lang.Structural).Shape(r.F.Path, r.Decl().Name, r.Decl().Signature)
	}
	for name := range wanted {
		if _, ok := methods[name]; !ok {
			return false
		}
	}
	for name, w := range wanted {
		if s := shape(w); s == "" || s != shape(methods[name]) {
			return false
		}
	}
	return true
}

// structural tells whether classes of a file inherit from what they have the methods of.
func structural(f *symtab.File) bool {
	_, ok := f.Resolver.(lang.Structural)
	return ok
}
