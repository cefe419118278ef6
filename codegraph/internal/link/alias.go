package link

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// either gives what an expression leads to within the repository, else what the other one does.
func (ev *evaluator) either(f *File, e lang.Expr) []value {
	vals := ev.eval(f, e.X)
	if within(vals) || len(e.Args) == 0 {
		return vals
	}
	if other := ev.eval(f, e.Args[0].X); len(other) > 0 {
		return other
	}
	return vals
}

// within tells whether any of the values is in the repository.
func within(vals []value) bool {
	return slices.ContainsFunc(vals, func(v value) bool { return v.kind != vExternal && v.kind != vParam })
}

// aliased gives what the aliases of a name stand for.
func (ns *names) aliased(f *File, binds []int32) []value {
	var out []value
	for _, i := range binds {
		if b := &f.Facts.Bindings[i]; b.Kind == lang.Alias || b.Kind == lang.Bring {
			out = union(out, weaken(ns.ev.eval(f, b.Value), model.LevelImport)...)
		}
	}
	return out
}

// A wildcardKey is a name looked up in what a scope brings in as a whole.
type wildcardKey struct {
	f     *File
	scope int32
	name  string
}

// wildcardMember looks a name up in what a scope brings in as a whole.
func (ns *names) wildcardMember(f *File, scope int32, name string) []value {
	scope = f.space(scope)
	if len(f.wildcards[scope]) == 0 {
		return nil
	}
	k := wildcardKey{f, scope, name}
	id := ns.wildcards[k]
	if id == 0 {
		id = ns.solver.add(ns.wildcardKind, f.index, int32(len(ns.wildcardOf)))
		ns.wildcardOf = append(ns.wildcardOf, k)
		ns.wildcards[k] = id
	}
	return ns.solver.read(id)
}

func (ns *names) wildcardValues(c *cell) []value {
	k := ns.wildcardOf[c.a]
	f, scope, name := k.f, k.scope, k.name
	var out []value
	outside := false
	for _, x := range f.wildcards[scope] {
		for _, v := range ns.ev.eval(f, x) {
			if v.kind == vExternal {
				outside = true
				continue
			}
			vals := ns.members.attr(v, name, model.LevelImport)
			if v.kind != vClass { // a class says nothing of names that it may have from outside
				outside = outside || len(vals) > 0
			}
			out = union(out, vals...)
		}
	}
	if within(out) {
		return weaken(out, model.LevelImport)
	}
	if outside && !f.rules.Builtins[name] {
		return []value{{kind: vExternal, lvl: model.LevelName}}
	}
	return nil
}

// wildcardEdges makes the import edge of a name that is brought in from elsewhere.
func (l *Linker) wildcardEdges(f *File, b *lang.Binding) {
	at := model.AtLine(b.Line)
	for _, v := range l.ev.eval(f, b.Value) {
		switch v.kind {
		case vClass, vFunc:
			if d := l.prog.decls[v.a]; d.decl().Kind != lang.Lambda && d.f != f {
				f.edge(lang.File, d, model.Import, model.LevelImport, at)
			}
		case vSpace:
			if d := l.prog.decls[v.a]; d.f != f {
				f.edge(lang.File, declRef{d.f, lang.File}, model.Import, model.LevelImport, at)
			}
		case vModule:
			l.importFiles(f, v.a, at)
		}
	}
}
