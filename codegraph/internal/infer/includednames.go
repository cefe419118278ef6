package infer

import (
	"github.com/findspot/findspot/codegraph/internal/inclusion"
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// includedNames gives the values of names in languages with included files.
type includedNames struct {
	prog      *symtab.Program
	ev        *evaluator
	names     *names
	members   *members
	externals *externals
	inc       *inclusion.Inclusion
	opening   bool // a name is looked up in the namespaces that a scope opens
}

// included looks a name up from a scope outwards, as eye sees it: eye is the file itself, or one that takes it in.
func (iv *includedNames) included(eye, f *symtab.File, scope int32, name string) []value.Value {
	for s := scope; ; s = f.Facts.Decls[s].Parent {
		var v []value.Value
		found := false
		if id, ok := iv.inc.Space(f, s); ok {
			v = iv.inSpace(eye, id, name)
			found = v != nil || eye == f && f.Lookup(s, name) != nil
		} else {
			switch d := &f.Facts.Decls[s]; d.Kind {
			case lang.Class:
				if v = iv.members.visibleOn(f, s, name, iv.names.constant(f, scope)); !value.AnyWithin(v) && d.Receiver != "" {
					v = value.Union(v, iv.fromOwner(eye, f, d, name)...)
				}
			default:
				if n := f.Lookup(s, name); n != nil {
					return iv.names.bound(f, n)
				}
				if d.Receiver != "" {
					v = iv.fromOwner(eye, f, d, name)
				}
			}
			if n := f.Lookup(s, name); n != nil {
				found = true
			}
		}
		if value.AnyWithin(v) || found {
			return v
		}
		if v := iv.opened(eye, f, s, name); v != nil {
			return v
		}
		if s == lang.File {
			return nil
		}
	}
}

// fromOwner looks a name up among the members of the class, or the namespace, that a function or class written outside of it
// is of.
func (iv *includedNames) fromOwner(eye, f *symtab.File, d *lang.Decl, name string) []value.Value {
	for _, v := range iv.ev.eval(f, d.Owner) {
		switch v.Kind {
		case value.Class:
			r := iv.prog.Decls[v.A]
			if out := iv.members.visibleOn(r.F, r.D, name, d.Flags&lang.Const != 0); value.AnyWithin(out) {
				return out
			}
			// Classes around the class are seen, too, also where it is written outside of them.
			if r.Decl().Receiver != "" {
				if out := iv.fromOwner(eye, r.F, r.Decl(), name); value.AnyWithin(out) {
					return out
				}
			}
			for p := r.Decl().Parent; p != lang.File && r.F.Facts.Decls[p].Kind == lang.Class; p = r.F.Facts.Decls[p].Parent {
				if out := iv.members.visible(r.F, p, name); value.AnyWithin(out) {
					return out
				}
			}
			if p := r.Decl().Parent; p != lang.File && d.Parent == lang.File {
				if out := iv.included(eye, r.F, p, name); value.AnyWithin(out) {
					return out
				}
			}
		case value.Space:
			if out := iv.inSpace(eye, iv.spaceID(v), name); value.AnyWithin(out) {
				return out
			}
		}
	}
	return nil
}

// opened looks a name up in the namespaces whose names a scope takes as its own.
func (iv *includedNames) opened(eye, f *symtab.File, scope int32, name string) []value.Value {
	brings := f.Wildcards[f.Space(scope)]
	if len(brings) == 0 || iv.opening {
		return nil // the names of namespaces are not looked for in the namespaces that they open
	}
	iv.opening = true
	defer func() { iv.opening = false }()
	var out []value.Value
	for _, x := range brings {
		for _, v := range iv.ev.eval(f, x) {
			switch v.Kind {
			case value.Space:
				out = value.Union(out, iv.inSpace(eye, iv.spaceID(v), name)...)
			case value.Class:
				out = value.Union(out, iv.members.attr(v, name, model.LevelImport)...)
			}
		}
	}
	if value.AnyWithin(out) {
		return value.Weaken(out, model.LevelImport)
	}
	return nil
}

// spaceID gives the number of the namespace that a value is.
func (iv *includedNames) spaceID(v value.Value) int32 {
	r := iv.prog.Decls[v.A]
	id, _ := iv.inc.Space(r.F, r.D)
	return id
}

// inSpace looks a name up in a namespace, in all files that eye sees.
func (iv *includedNames) inSpace(eye *symtab.File, id int32, name string) []value.Value {
	var out []value.Value
	for _, s := range iv.inc.Spots(id, name) {
		if !iv.inc.Sees(eye, s.F) {
			continue
		}
		vals := iv.names.bound(s.F, s.N)
		if s.F != eye {
			vals = value.Weaken(vals, model.LevelImport)
		}
		for _, v := range vals {
			if v.Kind == value.Space { // of all files, and as this one sees it
				v.A, v.B = iv.inc.Opening(iv.spaceID(v)), eye.Index
			}
			out = value.Union(out, v)
		}
	}
	return out
}

// outsideName gives what a name is that nothing binds.
func (iv *includedNames) outsideName(f *symtab.File, scope int32, name string) []value.Value {
	for _, u := range iv.inc.Includers(f) { // a piece of another file, that leans on what is around it
		if v := iv.included(u, f, scope, name); value.AnyWithin(v) {
			return value.Weaken(v, model.LevelImport)
		}
	}
	if f.Rules.Builtins[name] || iv.inc.SeesOutside(f) {
		return []value.Value{iv.externals.outside(f.Rules, name)}
	}
	for _, u := range iv.inc.Includers(f) {
		if iv.inc.SeesOutside(u) {
			return []value.Value{iv.externals.outside(f.Rules, name)}
		}
	}
	return nil
}

// associated looks the plain name of a called function up in the namespaces of the classes of its arguments (C++17,
// 6.4.2).
func (iv *includedNames) associated(f *symtab.File, callee int32, args []lang.Arg) []value.Value {
	e := f.Expr(callee)
	if e.Op != lang.OpName {
		return nil
	}
	var out []value.Value
	for _, a := range args {
		for _, v := range iv.ev.eval(f, a.X) {
			if v.Kind != value.Inst {
				continue
			}
			r := iv.prog.Decls[v.A]
			p := r.Decl().Parent
			for p != lang.File && r.F.Facts.Decls[p].Kind != lang.Namespace {
				p = r.F.Facts.Decls[p].Parent
			}
			if id, ok := iv.inc.Space(r.F, p); ok && id != 0 {
				for _, w := range iv.inSpace(f, id, e.Name) {
					if w.Kind == value.Func || w.Kind == value.Over {
						w.Level = max(w.Level, model.LevelMember)
						out = value.Union(out, w)
					}
				}
			}
		}
	}
	return out
}
