package link

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// announcements lists the announcements of a function of a language with included files: default arguments may stand there
// alone.
func (df *definitions) announcements(fn int32) []*lang.Decl {
	r := df.prog.decls[fn]
	d := r.decl()
	if !r.f.rules.Includes || d.Flags&lang.Forward != 0 {
		return nil
	}
	var out []*lang.Decl
	add := func(f *File, n *named) {
		for _, i := range f.names.decls(n) {
			c := &f.Facts.Decls[i]
			if c.Kind != lang.Function || c.Flags&lang.Forward == 0 {
				continue
			}
			if defs, _ := df.standing(f.ids[i]); slices.Contains(defs, fn) {
				out = append(out, c)
			}
		}
	}
	if d.Owner != lang.None {
		for _, v := range df.ev.eval(r.f, d.Owner) {
			if v.kind != vClass {
				continue
			}
			o := df.prog.decls[v.a]
			name := d.Name
			if name == o.decl().Name {
				name = "" // a constructor, see Rules.Constructors
			}
			if n := df.deps.find(o.f, o.d, name); n != nil {
				add(o.f, n)
			}
		}
		if out != nil {
			return out
		}
	}
	if id, ok := df.inc.paths[scopedFile{r.f, r.f.space(d.Parent)}]; ok {
		for _, s := range df.inc.spots[spotKey{id, d.Name}] {
			add(s.f, s.n)
		}
	}
	return out
}

// constant tells whether the function around a scope is a method that may not change its receiver.
func (ns *names) constant(f *File, scope int32) bool {
	for s := scope; s != lang.File; s = f.Facts.Decls[s].Parent {
		switch d := &f.Facts.Decls[s]; d.Kind {
		case lang.Function:
			return d.Flags&lang.Const != 0
		case lang.Class:
			return false
		}
	}
	return false
}

// changes tells whether a function is a method that may change its receiver.
func (ov *overloads) changes(v value) bool {
	r := ov.prog.decls[v.a]
	d := r.decl()
	method := d.Receiver != "" || d.Parent != lang.File && r.f.Facts.Decls[d.Parent].Kind == lang.Class
	return method && d.Flags&(lang.Const|lang.Static) == 0
}

// changing leaves out methods that would change a receiver that may not be changed.
func (ov *overloads) changing(all []value) []value {
	bad := func(v value) bool { return v.fixed && ov.changes(v) }
	if !slices.ContainsFunc(all, bad) || !slices.ContainsFunc(all, func(v value) bool { return !bad(v) }) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), bad)
}

// changeable prefers methods that may change their receiver where nothing says that the receiver may not be changed, and
// the arguments choose neither.
func (ov *overloads) changeable(all []value) []value {
	second := func(v value) bool { return !v.fixed && ov.prog.decls[v.a].decl().Flags&lang.Const != 0 }
	if len(all) < 2 || !slices.ContainsFunc(all, second) || !slices.ContainsFunc(all, ov.changes) {
		return all
	}
	return weaken(slices.DeleteFunc(slices.Clone(all), second), model.LevelFlow)
}

// A deducedParam is what a type parameter of a function was found to be by one argument.
type deducedParam struct {
	n    *named
	what value
}

// deduced gives the type parameter of function r itself that a parameter's type is, or points to; nil when it is none.
func (cv *conversions) deduced(r declRef, x int32) (n *named, pointer bool) {
	if !r.f.rules.Includes {
		return nil, false
	}
	for x != lang.None {
		switch e := r.f.expr(x); e.Op {
		case lang.OpPointer:
			x, pointer = e.X, true
		case lang.OpConst:
			x = e.X
		case lang.OpName:
			if n := r.f.lookup(r.d, e.Name); e.Scope == r.d && n != nil && n.param < 0 {
				return n, pointer
			}
			return nil, false
		default:
			return nil, false
		}
	}
	return nil, false
}

// deduce tells how far an argument is from a type parameter, -1 when it cannot be what the arguments before it were.
func (cv *conversions) deduce(arg []value, n *named, pointer bool, same []deducedParam) (int, []deducedParam) {
	var known []value
	for _, v := range arg {
		if v.kind == vExternal && v.a != 0 {
			o := cv.externals.outsides[v.a-1]
			if o.rules.Outside == nil || pointer && o.rules.Outside.Values[o.name] {
				return -1, same
			}
			if _, ok := o.rules.Outside.Wider[o.name]; ok {
				known = append(known, v)
			}
		} else if v.kind == vInst {
			known = append(known, v)
		}
	}
	if len(known) != 1 {
		return farUnknown, same
	}
	v := known[0]
	for _, s := range same {
		if s.n == n && !cv.alike(s.what, v) {
			return -1, same
		}
	}
	return farDeduced, append(same, deducedParam{n, v})
}

// alike tells whether two values are of one type. Files of two languages have types from outside in common.
func (cv *conversions) alike(v, w value) bool {
	if v.kind == vExternal && w.kind == vExternal {
		return cv.externals.outsides[v.a-1].name == cv.externals.outsides[w.a-1].name
	}
	return v.kind == w.kind && v.a == w.a
}
