package python

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A nameKind says what may bind a name in one scope.
type nameKind uint8

const (
	nameDecl    nameKind = 1 << iota // a class or function
	nameFrom                         // an import of a name from a module that may be in the repository
	nameModule                       // an import of such a module
	nameOutside                      // an import from the standard library
	nameParam                        // a parameter without annotation
	nameTyped                        // a variable or parameter with an annotation, or one that holds what a call gives
	nameAlias                        // a variable that holds another name's value
	nameOther                        // any other variable
)

type scopes struct {
	f     *lang.Facts
	names map[int32]map[string]nameKind
	stars bool
}

// prune takes out mentions that cannot lead to a class or function: of local variables, of constants, of modules of the
// standard library, of attributes that are only ever assigned. Most names and attributes of a program are such.
func (p *sketch) prune() {
	f := &p.B.Facts
	if !slices.ContainsFunc(f.Refs, func(r lang.Ref) bool { return r.Kind == lang.Use }) {
		return
	}
	s := &scopes{f: f, names: map[int32]map[string]nameKind{}}
	add := func(scope int32, name string, k nameKind) {
		if s.names[scope] == nil {
			s.names[scope] = map[string]nameKind{}
		}
		s.names[scope][name] |= k
	}
	for i := range f.Decls {
		d := &f.Decls[i]
		if d.Name != "" {
			add(d.Parent, d.Name, nameDecl)
		}
		for _, q := range d.Params {
			if q.Type != lang.None && !p.isBuiltin(q.Type) {
				add(int32(i), q.Name, nameTyped)
			} else {
				add(int32(i), q.Name, nameParam)
			}
		}
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		first, _, _ := strings.Cut(m.Module, ".")
		k := nameFrom
		switch {
		case m.Level == 0 && stdlib[first]:
			k = nameOutside
		case m.Name == "*":
			s.stars = true
			continue
		case m.Name == "":
			k = nameModule
		}
		add(m.Scope, m.Alias, k)
	}
	set := map[string]bool{} // attributes that some method of the file assigns
	for i := range f.Bindings {
		b := &f.Bindings[i]
		switch {
		case b.Name == "" || b.Kind != lang.Assign && b.Kind != lang.Annotate:
		case b.Target != lang.None:
			set[b.Name] = true
		case b.Kind == lang.Annotate:
			if !p.isBuiltin(b.Value) {
				add(b.Scope, b.Name, nameTyped)
			}
		default:
			k := nameOther
			switch e := &f.Exprs[b.Value]; e.Op {
			case lang.OpName, lang.OpAttr, lang.OpHeld, lang.OpAny:
				k = nameAlias
			case lang.OpCall, lang.OpInstance:
				k = nameTyped
			}
			add(b.Scope, b.Name, k)
		}
	}
	f.Refs = slices.DeleteFunc(f.Refs, func(r lang.Ref) bool { return r.Kind == lang.Use && !s.keep(r.X, r.Scope, set) })
}

// keep tells whether what is mentioned may be a class or function, or a property.
func (s *scopes) keep(x, scope int32, set map[string]bool) bool {
	e := &s.f.Exprs[x]
	switch e.Op {
	case lang.OpName:
		k, at := s.find(e.Scope, e.Name)
		return k&(nameDecl|nameFrom) != 0 || k&nameAlias != 0 && at == lang.File
	case lang.OpHeld:
		if k, at := s.find(scope, e.Name); k&(nameDecl|nameFrom) != 0 || k&nameAlias != 0 && at == lang.File {
			return true
		}
	case lang.OpAttr:
		o := &s.f.Exprs[e.X]
		switch o.Op {
		case lang.OpHeld:
			return !set[e.Name] && s.mayBeObject(o.X)
		case lang.OpThis, lang.OpSuper, lang.OpInstance:
			return !set[e.Name]
		case lang.OpAttr:
			return s.keep(e.X, scope, set) && !set[e.Name]
		case lang.OpName:
			k, at := s.find(o.Scope, o.Name)
			switch {
			case k == nameParam && at != lang.File && s.f.Decls[at].Params[0].Name == o.Name && s.f.Decls[at].Params[0].Kind == lang.Receiver:
				return !set[e.Name]
			case k&(nameDecl|nameFrom|nameModule) != 0:
				return true
			}
			return k&nameTyped != 0 && !set[e.Name]
		}
	}
	return false
}

// mayBeObject tells whether a value may be an object of the repository: something that is called, named or typed, not a constant.
func (s *scopes) mayBeObject(x int32) bool {
	for x != lang.None {
		switch e := &s.f.Exprs[x]; e.Op {
		case lang.OpCall, lang.OpInstance, lang.OpThis, lang.OpSuper, lang.OpAny:
			return true
		case lang.OpHeld:
			x = e.X
		default:
			return false
		}
	}
	return false
}

// find gives what binds a name as seen from a scope, and the scope that does; 0 when nothing in the file does.
func (s *scopes) find(scope int32, name string) (nameKind, int32) {
	for at := scope; ; at = s.f.Decls[at].Parent {
		if at == scope || at == lang.File || s.f.Decls[at].Kind != lang.Class {
			if k := s.names[at][name]; k != 0 {
				return k, at
			}
		}
		if at == lang.File {
			break
		}
	}
	if s.stars && !rules.Builtins[name] {
		return nameFrom, lang.File
	}
	return 0, lang.File
}
