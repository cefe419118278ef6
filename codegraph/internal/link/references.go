package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// refEdges makes the edges of one reference, or keeps it as unresolved.
func (l *Linker) refEdges(f *Linked, r lang.Ref) {
	at := model.Site{Line: r.Line, Col: r.Col, EndLine: r.EndLine, EndCol: r.EndCol}
	src := f.Owner(r.Scope)
	callee := r.X
	var vals []value
	var args []lang.Arg
	switch r.Kind {
	case lang.Use:
		l.mention(f, r.Name, src, union(l.values.eval(f.File, callee), l.values.getters(f.File, callee)...), at)
		return
	case lang.Call:
		callee, args = f.table.Operand(r.X), f.table.Args(r.X)
		vals = l.values.fitting(f.File, l.together(f, l.values.callees(f.File, callee, args)), args)
	default:
		vals = l.values.eval(f.File, callee)
	}
	made, outside := false, false
	for i, v := range vals {
		if v.kind == vClass && v.b != 0 && slices.ContainsFunc(vals[:i], func(w value) bool { return w.kind == vClass && w.a == v.a }) {
			continue // the same with other type arguments
		}
		switch v.kind {
		case vExternal:
			outside = outside || v.lvl < model.LevelName
		case vGive:
			outside = true
		case vFunc:
			made = true
			if d := l.prog.decls[v.a]; d.decl().Kind == lang.Function {
				f.edge(src, d, model.Invoke, max(v.lvl, model.LevelScope), at)
			}
		case vClass:
			made = true
			d := l.prog.decls[v.a]
			if v.bound {
				break // a pointer is made
			}
			if d.decl().Flags&lang.Interface != 0 && len(vals) > 1 {
				break // a type that shares its name with what is called
			}
			if d.f.rules.Conversion {
				f.edge(src, d, model.Reference, max(v.lvl, model.LevelScope), at)
				break
			}
			f.edge(src, d, model.Invoke, max(v.lvl, model.LevelScope), at)
			for _, m := range l.values.constructors(f.File, v, args) {
				f.edge(src, l.prog.decls[m.a], model.Invoke, max(v.lvl, m.lvl, model.LevelMember), at)
			}
		case vSuper: // super(...) in a constructor
			for _, c := range l.values.order(v.a).order {
				if c != v.a {
					made = true
					d := l.prog.decls[c]
					f.edge(src, d, model.Invoke, max(v.lvl, model.LevelMember), at)
					for _, m := range l.values.constructors(f.File, value{a: c}, args) {
						f.edge(src, l.prog.decls[m.a], model.Invoke, max(v.lvl, m.lvl, model.LevelMember), at)
					}
					break
				}
			}
		case vInst:
			for _, m := range l.values.callMethods(v) {
				made = true
				if d := l.prog.decls[m.a]; d.decl().Kind == lang.Function {
					f.edge(src, d, model.Invoke, max(m.lvl, model.LevelMember), at)
				}
			}
		}
	}
	if made || r.Name == "" {
		return
	}
	if outside && f.rules.Extends && f.table.Op(callee) == lang.OpAttr {
		if m, ok := l.extension(f, r.Name); ok && l.prog.decls[m] != (declRef{f.File, src}) {
			f.edge(src, l.prog.decls[m], model.Invoke, model.LevelName, at)
			return
		}
	}
	if !outside && f.table.Op(callee) == lang.OpAttr {
		if m, ok := l.onlyMethod(f, r.Name); ok && l.prog.decls[m] != (declRef{f.File, src}) { // a method that hands on to another of its name
			f.edge(src, l.prog.decls[m], model.Invoke, model.LevelName, at)
			return
		}
	}
	f.Linkage.Loose = append(f.Linkage.Loose, Unresolved{r.Name, at, outside})
}

// mention makes the edges of a reference that is no call. What a class or function mentions of itself is none, and neither
// is what only came to a member of another name.
func (l *Linker) mention(f *Linked, name string, src int32, vals []value, at model.Site) {
	for _, v := range l.values.plain(vals) {
		if v.kind != vClass && v.kind != vFunc {
			continue
		}
		d := l.prog.decls[v.a]
		if f.rules.Typed && v.lvl >= model.LevelFlow && d.decl().Name != name {
			continue
		}
		if d.decl().Kind != lang.Lambda && d != (declRef{f.File, src}) {
			f.edge(src, d, model.Reference, max(v.lvl, model.LevelScope), at)
		}
	}
}

// together leaves out the declarations of files that are never in one build with f.
func (l *Linker) together(f *Linked, vals []value) []value {
	ex, ok := f.res.(lang.Excluder)
	if !ok {
		return vals
	}
	apart := func(v value) bool {
		return (v.kind == vFunc || v.kind == vClass) && ex.Apart(f.Path, l.prog.decls[v.a].f.Path)
	}
	if !slices.ContainsFunc(vals, apart) {
		return vals
	}
	return slices.DeleteFunc(slices.Clone(vals), apart)
}

const maxFamily = 32 // methods of one name that are compared with one another

// onlyMethod gives the one method of this name in the language, if there is just one, or one that all others override.
func (l *Linker) onlyMethod(f *Linked, name string) (int32, bool) {
	if f.rules.Common[name] || f.rules.Builtins[name] || strings.HasPrefix(name, "__") {
		return 0, false
	}
	var all []int32
	for _, m := range l.values.methodsNamed(f.family, name) {
		if l.prog.decls[m].f.test && !f.test {
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
		c, ok := l.prog.classOf(m)
		if ok && !slices.ContainsFunc(all, func(o int32) bool {
			d, ok := l.prog.classOf(o)
			return !ok || !slices.Contains(l.values.order(d).order, c)
		}) {
			return m, true
		}
	}
	return 0, false
}

// extension gives the method of this name that a class of the repository gives to types outside of it, or to all types,
// where no other class has one of the name.
func (l *Linker) extension(f *Linked, name string) (int32, bool) {
	if f.rules.Common[name] || f.rules.Builtins[name] {
		return 0, false
	}
	all := l.values.methodsNamed(f.family, name)
	if len(all) == 0 || len(all) > maxFamily {
		return 0, false
	}
	found, given := int32(-1), false
	for _, m := range all {
		r := l.prog.decls[m]
		switch c, ok := l.prog.classOf(m); {
		case r.decl().Receiver != "":
			if len(l.values.owners(r.f, r.decl())) > 0 {
				if r.decl().Flags&lang.Secondary == 0 { // a type's own method, and not by a trait
					return 0, false
				}
			} else {
				given = true
			}
		case ok && l.prog.decls[c].decl().Flags&lang.Interface != 0 && found < 0:
			found = m
		default:
			return 0, false
		}
	}
	return found, given && found >= 0
}
