package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// refEdges makes the edges of one reference, or keeps it as unresolved.
func (l *Linker) refEdges(f *Linked, r lang.Ref) {
	at := model.Site{Line: r.Line, Col: r.Col, EndLine: r.EndLine, EndCol: r.EndCol}
	src := f.Owner(r.Scope)
	callee := r.X
	var vals []value.Value
	var args []lang.Arg
	switch r.Kind {
	case lang.Use:
		l.mention(f, r.Name, src, value.Union(l.values.Eval(f.File, callee), l.values.Getters(f.File, callee)...), at)
		return
	case lang.Call:
		callee, args = f.Table.Operand(r.X), f.Table.Args(r.X)
		vals = l.values.Fitting(f.File, l.together(f, l.values.Callees(f.File, callee, args)), args)
	default:
		vals = l.values.Eval(f.File, callee)
	}
	made, outside := false, false
	for i, v := range vals {
		if v.Kind == value.Class && v.B != 0 && slices.ContainsFunc(vals[:i], func(w value.Value) bool { return w.Kind == value.Class && w.A == v.A }) {
			continue // the same with other type arguments
		}
		switch v.Kind {
		case value.External:
			outside = outside || v.Level < model.LevelName
		case value.Give:
			outside = true
		case value.Func:
			made = true
			if d := l.prog.Decls[v.A]; d.Decl().Kind == lang.Function {
				f.edge(src, d, model.Invoke, max(v.Level, model.LevelScope), at)
			}
		case value.Class:
			made = true
			d := l.prog.Decls[v.A]
			if v.Bound {
				break // a pointer is made
			}
			if d.Decl().Flags&lang.Interface != 0 && len(vals) > 1 {
				break // a type that shares its name with what is called
			}
			if d.F.Rules.Conversion {
				f.edge(src, d, model.Reference, max(v.Level, model.LevelScope), at)
				break
			}
			f.edge(src, d, model.Invoke, max(v.Level, model.LevelScope), at)
			for _, m := range l.values.Constructors(f.File, v, args) {
				f.edge(src, l.prog.Decls[m.A], model.Invoke, max(v.Level, m.Level, model.LevelMember), at)
			}
		case value.Super: // super(...) in a constructor
			for _, c := range l.values.Order(v.A).Classes {
				if c != v.A {
					made = true
					d := l.prog.Decls[c]
					f.edge(src, d, model.Invoke, max(v.Level, model.LevelMember), at)
					for _, m := range l.values.Constructors(f.File, value.Value{A: c}, args) {
						f.edge(src, l.prog.Decls[m.A], model.Invoke, max(v.Level, m.Level, model.LevelMember), at)
					}
					break
				}
			}
		case value.Inst:
			for _, m := range l.values.CallMethods(v) {
				made = true
				if d := l.prog.Decls[m.A]; d.Decl().Kind == lang.Function {
					f.edge(src, d, model.Invoke, max(m.Level, model.LevelMember), at)
				}
			}
		}
	}
	if made || r.Name == "" {
		return
	}
	if outside && f.Rules.Extends && f.Table.Op(callee) == lang.OpAttr {
		if m, ok := l.extension(f, r.Name); ok && l.prog.Decls[m] != f.File.Decl(src) {
			f.edge(src, l.prog.Decls[m], model.Invoke, model.LevelName, at)
			return
		}
	}
	if !outside && f.Table.Op(callee) == lang.OpAttr {
		if m, ok := l.onlyMethod(f, r.Name); ok && l.prog.Decls[m] != f.File.Decl(src) { // a method that hands on to another of its name
			f.edge(src, l.prog.Decls[m], model.Invoke, model.LevelName, at)
			return
		}
	}
	f.Linkage.Loose = append(f.Linkage.Loose, Unresolved{r.Name, at, outside})
}

// mention makes the edges of a reference that is no call. What a class or function mentions of itself is none, and neither
// is what only came to a member of another name.
func (l *Linker) mention(f *Linked, name string, src int32, vals []value.Value, at model.Site) {
	for _, v := range l.values.Plain(vals) {
		if v.Kind != value.Class && v.Kind != value.Func {
			continue
		}
		d := l.prog.Decls[v.A]
		if f.Rules.Typed && v.Level >= model.LevelFlow && d.Decl().Name != name {
			continue
		}
		if d.Decl().Kind != lang.Lambda && d != f.File.Decl(src) {
			f.edge(src, d, model.Reference, max(v.Level, model.LevelScope), at)
		}
	}
}

// together leaves out the declarations of files that are never in one build with f.
func (l *Linker) together(f *Linked, vals []value.Value) []value.Value {
	ex, ok := f.Resolver.(lang.Excluder)
	if !ok {
		return vals
	}
	apart := func(v value.Value) bool {
		return (v.Kind == value.Func || v.Kind == value.Class) && ex.Apart(f.Path, l.prog.Decls[v.A].F.Path)
	}
	if !slices.ContainsFunc(vals, apart) {
		return vals
	}
	return slices.DeleteFunc(slices.Clone(vals), apart)
}

const maxFamily = 32 // methods of one name that are compared with one another

// onlyMethod gives the one method of this name in the language, if there is just one, or one that all others override.
func (l *Linker) onlyMethod(f *Linked, name string) (int32, bool) {
	if f.Rules.Common[name] || f.Rules.Builtins[name] || strings.HasPrefix(name, "__") {
		return 0, false
	}
	var all []int32
	for _, m := range l.values.MethodsNamed(f.Family, name) {
		if l.prog.Decls[m].F.Test && !f.Test {
			continue
		}
		if all = append(all, m); len(all) > maxFamily {
			return 0, false
		}
	}
	if len(all) == 1 {
		return all[0], true
	}
	for _, m := range all {
		c, ok := l.prog.ClassOf(m)
		if ok && !slices.ContainsFunc(all, func(o int32) bool {
			d, ok := l.prog.ClassOf(o)
			return !ok || !slices.Contains(l.values.Order(d).Classes, c)
		}) {
			return m, true
		}
	}
	return 0, false
}

// extension gives the method of this name that a class of the repository gives to types outside of it, or to all types,
// where no other class has one of the name.
func (l *Linker) extension(f *Linked, name string) (int32, bool) {
	if f.Rules.Common[name] || f.Rules.Builtins[name] {
		return 0, false
	}
	all := l.values.MethodsNamed(f.Family, name)
	if len(all) == 0 || len(all) > maxFamily {
		return 0, false
	}
	found, given := int32(-1), false
	for _, m := range all {
		r := l.prog.Decls[m]
		switch c, ok := l.prog.ClassOf(m); {
		case r.Decl().Receiver != "":
			if len(l.values.Owners(r.F, r.Decl())) > 0 {
				if r.Decl().Flags&lang.Secondary == 0 { // a type's own method, and not by a trait
					return 0, false
				}
			} else {
				given = true
			}
		case ok && l.prog.Decls[c].Decl().Flags&lang.Interface != 0 && found < 0:
			found = m
		default:
			return 0, false
		}
	}
	return found, given && found >= 0
}
