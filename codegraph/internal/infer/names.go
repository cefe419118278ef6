package infer

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// names gives the values of names in scopes.
type names struct {
	prog         *symtab.Program
	modules      *modules.Modules
	solver       *solver.Solver
	deps         *dependencies
	ev           *evaluator
	exports      *exports
	classes      *classes
	members      *members
	containers   *containers
	externals    *externals
	flows        *flows
	results      *results
	included     *includedNames
	defs         *definitions
	named        []*symtab.Symbol // of the cells of names
	nameKind     solver.Kind
	wildcards    map[wildcardKey]solver.ID
	wildcardOf   []wildcardKey
	wildcardKind solver.Kind
}

// name looks a name up from a scope outwards.
func (ns *names) name(f *symtab.File, scope int32, name string) []value.Value {
	if f.Rules.Includes {
		if v := ns.included.included(f, f, scope, name); v != nil || ns.bindsName(f, scope, name) {
			return v
		}
		return ns.included.outsideName(f, scope, name)
	}
	open := false // a class around has base classes that are not here
	for s := scope; ; s = f.Facts.Decls[s].Parent {
		if s == scope || s == lang.File || f.Rules.ClassScope || f.Facts.Decls[s].Kind != lang.Class {
			if f.Rules.Inherit && s != lang.File && f.Facts.Decls[s].Kind == lang.Class {
				if v := ns.members.visible(f, s, name); v != nil {
					return v
				}
				open = open || ns.classes.order(f.IDs[s]).Open
			} else if n := f.Lookup(s, name); n != nil {
				if v := ns.bound(f, n); len(v) > 0 || s == lang.File || !f.Rules.BlockScope {
					return v
				}
			}
			if v := ns.wildcardMember(f, s, name); value.AnyWithin(v) || v != nil && s == lang.File {
				return v
			}
		}
		if s == lang.File {
			break
		}
	}
	if f.Rules.PackageScope {
		var out []value.Value
		ns.deps.find(f, lang.File, name) // a token for all siblings
		for _, o := range ns.modules.Siblings(f) {
			if n := o.Lookup(lang.File, name); n != nil && n.Imports == 0 {
				out = value.Union(out, ns.bound(o, n)...)
			}
		}
		if out != nil {
			return out
		}
	}
	if v := ns.starred(f, name); v != nil {
		return v
	}
	if f.Rules.Builtins[name] {
		return []value.Value{ns.externals.outside(f.Rules, name)}
	}
	if open {
		return []value.Value{{Kind: value.External, Level: model.LevelName}}
	}
	return nil
}

// bound gives the values of one name in one scope.
func (ns *names) bound(f *symtab.File, n *symtab.Symbol) []value.Value {
	if n.Mark == 0 {
		n.Mark = uint32(ns.solver.Add(ns.nameKind, f.Index, int32(len(ns.named))))
		ns.named = append(ns.named, n)
	}
	return ns.solver.Read(solver.ID(n.Mark))
}

func (ns *names) bindings(c *solver.Cell) []value.Value {
	f, n := ns.prog.Files[c.File], ns.named[c.Arg]
	scope := n.Scope
	var out []value.Value
	out = value.Union(out, ns.declared(f, f.Symbols.Decls(n))...)
	out = value.Union(out, ns.aliased(f, f.Symbols.Binds(n))...)
	for _, i := range f.Symbols.Imports(n) {
		out = value.Union(out, ns.imported(f, i)...)
	}
	typed, boxed := false, false // a type from outside, or a container, may be that of a class that is here
	for _, i := range f.Symbols.Binds(n) {
		b := &f.Facts.Bindings[i]
		if b.Kind == lang.Annotate {
			if v := ns.ev.instances(ns.ev.eval(f, b.Value)); len(v) > 0 {
				out, typed = value.Union(out, value.Weaken(v, model.LevelMember)...), typed || slices.ContainsFunc(v, value.Inside) || f.Rules.Typed && value.Says(v)
				boxed = boxed || slices.ContainsFunc(v, func(v value.Value) bool { return v.Kind == value.Box })
			}
		}
	}
	for _, i := range f.Symbols.Binds(n) {
		if b := &f.Facts.Bindings[i]; b.Kind == lang.Assign {
			v := ns.ev.eval(f, b.Value)
			if typed {
				continue // the annotation says it
			}
			if boxed {
				v = slices.DeleteFunc(slices.Clone(v), func(v value.Value) bool { return !value.Inside(v) })
			}
			out = value.Union(out, value.Weaken(v, model.LevelFlow)...)
		}
	}
	if n.Param >= 0 && scope != lang.File {
		out = value.Union(out, ns.param(f, scope, n.Param)...)
	}
	return out
}

// declared chooses among the declarations of one name: the last, and every conditional or overloaded one.
func (ns *names) declared(f *symtab.File, decls []int32) []value.Value {
	var out []value.Value
	over := false
	if f.Rules.Includes {
		decls = ns.defs.withoutAnnounced(f, decls)
	}
	stub := func(d int32) bool { return f.Facts.Decls[d].Flags&lang.Stub != 0 }
	if slices.ContainsFunc(decls, stub) && !stub(decls[len(decls)-1]) {
		decls = slices.DeleteFunc(slices.Clone(decls), stub)
	}
	for i, d := range decls {
		if c := &f.Facts.Decls[d]; c.Kind == lang.Function && c.Flags&lang.Overload != 0 {
			if !over {
				out = value.Union(out, value.Value{Kind: value.Over, A: f.IDs[d], Level: model.LevelScope})
			}
			over = true
			continue
		}
		cond := f.Facts.Decls[d].Flags&(lang.Conditional|lang.Overload) != 0 || f.Facts.Decls[d].Kind == lang.Namespace
		if i == len(decls)-1 || cond || f.Rules.Includes && !slices.ContainsFunc(decls[i+1:], func(e int32) bool {
			return f.Facts.Decls[e].Kind == f.Facts.Decls[d].Kind // a structure and a function may have one name
		}) || slices.ContainsFunc(decls[i+1:], func(e int32) bool {
			return f.Facts.Decls[e].Flags&lang.Conditional != 0
		}) {
			out = value.Union(out, ns.decorated(f, d, lang.None)...)
		}
	}
	return out
}

// decorated gives what the name of a declaration stands for: itself, and what its decorators make of it, where that is
// known. A call of the name is a call of the declaration to whoever reads it, even where a wrapper comes first. With a
// decorator outer it gives only what those inside of that one make of it.
func (ns *names) decorated(f *symtab.File, d, outer int32) []value.Value {
	self := ns.defs.standValues(f.IDs[d])
	dec := f.Facts.Decls[d].Decorated
	if len(dec) == 0 || f.Facts.Decls[d].Flags&(lang.Property|lang.Static|lang.ClassMethod) != 0 {
		return self
	}
	vals := self
	for i := len(dec) - 1; i >= 0 && dec[i] != outer; i-- {
		var next []value.Value
		for _, v := range ns.ev.eval(f, dec[i]) {
			for _, r := range ns.results.result(v) {
				if (r.Kind == value.Func || r.Kind == value.Class) && ns.passedOn(r, f.IDs[d]) {
					continue
				}
				if r.Kind == value.Func || r.Kind == value.Class || r.Kind == value.Inst {
					next = value.Union(next, r)
				}
			}
		}
		if len(next) > 0 {
			vals = value.Weaken(next, model.LevelFlow)
		}
	}
	if outer != lang.None {
		return vals
	}
	return value.Union(self, vals...)
}

// passedOn tells whether v came through a decorator that gives back what it is applied to, from another declaration than d.
func (ns *names) passedOn(v value.Value, d int32) bool {
	o := ns.prog.Decls[v.A]
	if v.A == d || len(o.Decl().Decorated) == 0 {
		return false
	}
	p := o.Decl().Parent
	return p == lang.File || o.F.Facts.Decls[p].Kind == lang.Class
}

// param gives what a parameter may be: its annotation, its default, and the arguments seen so far.
func (ns *names) param(f *symtab.File, scope, i int32) []value.Value {
	d := &f.Facts.Decls[scope]
	p := &d.Params[i]
	var typed []value.Value
	if p.Kind == lang.Receiver && p.Type == lang.None {
		if c, static, ok := ns.classAround(f, scope); ok {
			if static {
				return []value.Value{{Kind: value.Class, A: c, Level: model.LevelScope}}
			}
			return []value.Value{{Kind: value.Inst, A: c, Level: model.LevelScope}}
		}
	}
	if p.Type != lang.None {
		if v := ns.ev.instances(ns.ev.eval(f, p.Type)); len(v) > 0 && p.Kind != lang.Rest && p.Kind != lang.RestNamed {
			if slices.ContainsFunc(v, func(v value.Value) bool {
				return v.Kind != value.Func && v.Kind != value.External && v.Kind != value.Param
			}) || f.Rules.Typed && value.Says(v) {
				return value.Weaken(v, model.LevelMember)
			}
			typed = v // a type from outside, or of functions: which it is, the arguments say
		}
	}
	out := value.Weaken(ns.ev.eval(f, p.Def), model.LevelFlow)
	out = slices.DeleteFunc(slices.Clone(out), func(v value.Value) bool { return v.Kind == value.External })
	out = value.Union(out, typed...)
	for _, g := range ns.flows.inflows(sourceKey{kind: sourceParam, a: f.IDs[scope], b: i}) {
		for _, v := range ns.containers.drawn(g) {
			if v.Kind != value.External || f.Rules.Declared {
				v.Level = max(v.Level, model.LevelFlow)
				out = value.Union(out, v)
			}
		}
	}
	return out
}

// imported gives what an import binds.
func (ns *names) imported(f *symtab.File, i int32) []value.Value {
	imp := &f.Facts.Imports[i]
	if imp.Dotted {
		// "import a.b.c" binds a, from which b and c are reached.
		n, ok := ns.modules.First(f, i)
		if !ok {
			return []value.Value{{Kind: value.External}}
		}
		return []value.Value{{Kind: value.Module, A: n, Level: model.LevelImport}}
	}
	m, ok := ns.modules.Import(f, i)
	if !ok {
		return []value.Value{ns.externals.outside(f.Rules, imp.Name)}
	}
	if imp.Name == "" || imp.Name == "*" {
		return []value.Value{{Kind: value.Module, A: m, Level: model.LevelImport}}
	}
	if v := ns.exports.exported(m, imp.Name); v != nil {
		return value.Weaken(v, model.LevelImport)
	}
	return nil
}

// replace gathers what rests on names that are bound otherwise; those that are bound keep their cells.
func (ns *names) replace(e *edit) {
	f := e.f
	was, is := map[symtab.ScopedName]uint64{}, map[symtab.ScopedName]uint64{} // digests, by ScopeID and name
	old := map[symtab.ScopedName]*symtab.Symbol{}
	for i := range e.old.Symbols.List {
		n := &e.old.Symbols.List[i]
		s := symtab.ScopedName{Scope: e.old.ScopeID(n.Scope), Name: n.Name}
		was[s], old[s] = e.before.names[symtab.ScopedName{Scope: n.Scope, Name: n.Name}], n
	}
	for i := range f.Symbols.List {
		n := &f.Symbols.List[i]
		s := symtab.ScopedName{Scope: f.ScopeID(n.Scope), Name: n.Name}
		is[s] = e.after.names[symtab.ScopedName{Scope: n.Scope, Name: n.Name}]
		if o := old[s]; o != nil && o.Mark != 0 {
			n.Mark = o.Mark
			ns.named[ns.solver.Cell(solver.ID(n.Mark)).Arg] = n
		}
	}
	sharing := ns.modules.Sharing(f)
	scopes := map[int32]bool{}
	for s := range differing(was, is) {
		scopes[s.Scope] = true
		ns.deps.nameChanged(s.Scope, s.Name, e.stale)
		if n := old[s]; n != nil {
			e.stale.Add(solver.ID(n.Mark))
			if _, ok := is[s]; !ok && n.Mark != 0 {
				ns.solver.Kill(solver.ID(n.Mark))
			}
		}
		if s.Scope < 0 { // a name of the file itself
			e.rebound[s.Name] = true
			for _, g := range sharing {
				ns.deps.nameChanged(g.ScopeID(lang.File), s.Name, e.stale)
			}
		}
	}
	for s := range scopes {
		ns.deps.changed(tokenKey{scope: s, bucket: wholeScope}, e.stale)
	}
	for s := range differing(e.before.wildcards, e.after.wildcards) {
		ns.deps.scopeChanged(s, e.stale)
	}
	for i, k := range ns.wildcardOf {
		if id := ns.wildcards[k]; k.f == f && id != 0 {
			e.stale.Add(id)
			ns.solver.Kill(id)
			delete(ns.wildcards, k)
			ns.wildcardOf[i] = wildcardKey{}
		}
	}
}
