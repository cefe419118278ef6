package infer

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// members gives the values of members of values.
type members struct {
	prog       *symtab.Program
	modules    *modules.Modules
	solver     *solver.Solver
	deps       *dependencies
	ev         *evaluator
	names      *names
	exports    *exports
	classes    *classes
	containers *containers
	externals  *externals
	flows      *flows
	results    *results
	included   *includedNames
	defs       *definitions
	overloads  *overloads
	ownAttrs   map[attrKey]bool // attributes that methods of the class itself set
}

// attr looks a member up on a value; lvl is the level that the step is worth.
func (mb *members) attr(v value.Value, name string, lvl uint8) []value.Value {
	switch v.Kind {
	case value.External:
		return []value.Value{{Kind: value.External, Level: v.Level}}
	case value.Many:
		return value.TooMany()
	case value.Box:
		if r := mb.containers.boxes[v.A]; r.f.Rules.Objects && r.f.Table.Op(r.x) == lang.OpDict {
			if out := mb.containers.elementsAt(v, name, max(lvl, model.LevelMember)); out != nil {
				return out
			}
		}
		return []value.Value{mb.containers.boxMember(v, name)} // a method of a built-in container
	case value.Func:
		if mb.prog.Decls[v.A].F.Rules.Objects { // functions are objects, too
			return value.Weaken(mb.attrValues(v.A, name), max(v.Level, lvl))
		}
		return nil
	case value.Module:
		if out := mb.exports.exported(v.A, name); out != nil {
			return value.Weaken(out, max(v.Level, model.LevelImport))
		}
		return nil
	case value.Space:
		r := mb.prog.Decls[v.A]
		if r.F.Rules.Includes {
			return value.Weaken(mb.included.inSpace(mb.prog.Files[v.B], mb.included.spaceID(v), name), v.Level)
		}
		if n := mb.deps.find(r.F, r.D, name); n != nil {
			return value.Weaken(mb.names.bound(r.F, n), v.Level)
		}
		return mb.names.wildcardMember(r.F, r.D, name)
	case value.Class, value.Inst, value.Super:
		order := mb.classes.order(v.A)
		classes := order.Classes
		if v.Kind == value.Super {
			if i := slices.Index(classes, v.B); i >= 0 {
				classes = classes[i+1:]
			}
		}
		if v.Kind == value.Inst && name == mb.prog.Decls[v.A].F.Rules.Class && name != "" {
			return []value.Value{{Kind: value.Class, Bound: v.Bound, A: v.A, Level: v.Level}}
		}
		var out []value.Value
		found, hides := false, mb.declares(classes, name)
		for _, c := range classes {
			var more []value.Value
			more, found = mb.own(c, v, name, lvl, hides)
			if out = value.Union(out, more...); found {
				break
			}
		}
		if mb.prog.Decls[v.A].F.Rules.Derived && !slices.ContainsFunc(out, value.Inside) {
			out = value.Union(out, mb.subclassMember(v, classes, name)...)
		}
		if found {
			return out
		}
		if rules := mb.prog.Decls[v.A].F.Rules; out == nil && rules.Universal[name] {
			return []value.Value{mb.externals.outsideMember(rules, value.Value{Kind: value.External, Level: v.Level}, name)}
		}
		if order.Open {
			lvl := model.LevelName // a base class that is not here may have it
			if v.Kind == value.Super {
				lvl = v.Level // and only that
			}
			out = value.Union(out, value.Value{Kind: value.External, Level: lvl})
		}
		return out
	}
	return nil
}

// declares tells whether one of the classes has a method of this name, in a language where that says all.
func (mb *members) declares(classes []int32, name string) bool {
	return slices.ContainsFunc(classes, func(c int32) bool {
		r := mb.prog.Decls[c]
		if !r.F.Rules.Typed {
			return false
		}
		n := mb.deps.find(r.F, r.D, name)
		return n != nil && n.Decls > 0
	})
}

// own looks a member up in one class, for the receiver v.
// What is set on it from outside of its methods adds to what it has, and hides nothing.
func (mb *members) own(c int32, v value.Value, name string, lvl uint8, declared bool) ([]value.Value, bool) {
	r := mb.prog.Decls[c]
	name = mb.fieldAt(c, name)
	var out []value.Value
	found := false
	step := max(v.Level, lvl)
	if n := mb.deps.find(r.F, r.D, name); n != nil {
		found = true
		for _, m := range mb.names.bound(r.F, n) {
			m.Level = max(m.Level, step)
			if m.Kind == value.Func {
				d := mb.prog.Decls[m.A].Decl()
				if d.Flags&lang.Property != 0 && v.Kind != value.Class {
					out = value.Union(out, mb.results.result(m)...)
					continue
				}
				m.Bound = v.Kind != value.Class && d.Flags&lang.Static == 0 || d.Flags&lang.ClassMethod != 0
				m.Fixed = v.Fixed
				if v.Kind == value.Inst && v.A != c && mb.results.fluent[m.A] {
					m.B = v.A + 1
				}
			}
			if m.Kind == value.Inst && !m.Bound && v.Kind == value.Inst && v.Fixed { // a part of what may not be changed
				m.Fixed = true
			}
			if m.Kind == value.Over {
				m.Bound, m.Fixed = v.Kind != value.Class, v.Fixed
				if r.F.Rules.Inherit {
					m.B = v.A + 1
				}
			}
			out = value.Union(out, m)
		}
	}
	if r.F.Rules.Declared { // nothing is added from outside of a class
		return out, found
	}
	methods := mb.flows.inflows(sourceKey{kind: sourceMethod, a: c, name: name})
	primary := slices.ContainsFunc(methods, func(m inflow) bool { return mb.prog.Decls[m.decl].Decl().Flags&lang.Secondary == 0 })
	for _, m := range methods {
		found = true
		d := mb.prog.Decls[m.decl].Decl()
		if primary && d.Flags&lang.Secondary != 0 {
			continue
		}
		if r.F.Rules.Includes && r.F.Lookup(r.D, name) != nil {
			continue // its announcement in the class stands for it
		}
		if d.Kind != lang.Function {
			out = value.Union(out, mb.ev.declValue(m.decl, step))
			continue
		}
		fn := value.Value{Kind: value.Func, A: m.decl, Level: step, Bound: v.Kind != value.Class && d.Flags&lang.Static == 0}
		if d.Flags&lang.Property != 0 && v.Kind != value.Class {
			out = value.Union(out, mb.results.result(fn)...)
			continue
		}
		out = value.Union(out, fn)
	}
	found = found || mb.ownAttrs[attrKey{c, name}]
	if declared || r.F.Rules.Typed && value.Says(out) {
		return out, found
	}
	out = value.Union(out, value.Weaken(mb.attrValues(c, name), step)...)
	return out, found
}

// visible looks a name up among the members of the class at scope s, inherited ones included, as its methods see them.
func (mb *members) visible(f *symtab.File, s int32, name string) []value.Value {
	return mb.visibleOn(f, s, name, false)
}

// visibleOn is visible from a method that may not change its receiver, when fixed says so.
func (mb *members) visibleOn(f *symtab.File, s int32, name string, fixed bool) []value.Value {
	c := f.IDs[s]
	self := value.Value{Kind: value.Inst, A: c, Level: model.LevelScope, Fixed: fixed}
	for _, k := range mb.classes.order(c).Classes {
		lvl := model.LevelScope
		if k != c {
			lvl = model.LevelMember
		}
		if f.Rules.Includes && mb.prog.Decls[k].Decl().Name == name { // a class sees its own name as the class, not as its constructors
			return []value.Value{{Kind: value.Class, A: k, Level: lvl}}
		}
		if out, ok := mb.own(k, self, name, lvl, false); ok {
			return out
		}
	}
	if f.Rules.Universal[name] {
		return []value.Value{mb.externals.outsideMember(f.Rules, value.Value{Kind: value.External}, name)}
	}
	return nil
}

// attrValues gives what is assigned to an attribute of a class.
func (mb *members) attrValues(class int32, name string) []value.Value {
	return mb.solver.Read(mb.flows.sourceCell(sourceKey{kind: sourceAttr, a: class, name: name}))
}

type attrKey struct {
	class int32
	name  string
}

// hasMember tells whether a class has a member of this name that can be set from outside; where a declared type does not
// say all, any name can be.
func (mb *members) hasMember(class int32, name string) bool {
	return !mb.prog.Decls[class].F.Rules.Typed || slices.ContainsFunc(mb.classes.order(class).Classes, func(c int32) bool {
		r := mb.prog.Decls[c]
		return mb.deps.find(r.F, r.D, name) != nil || mb.ownAttrs[attrKey{c, name}]
	})
}

// fieldAt gives the name of the field of a class that "#i" means, the i-th.
func (mb *members) fieldAt(class int32, name string) string {
	at, ok := strings.CutPrefix(name, "#")
	if !ok {
		return name
	}
	i := 0
	for _, c := range at {
		if i = i*10 + int(c-'0'); i > 10_000 {
			return name
		}
	}
	if p := mb.prog.Decls[class].Decl().Params; i < len(p) {
		return p[i].Name
	}
	return name
}

// getters gives the properties that run when a member is read.
func (mb *members) getters(f *symtab.File, x int32) []value.Value {
	e := f.Expr(x)
	if e.Op != lang.OpAttr {
		return nil
	}
	var out []value.Value
	for _, v := range mb.ev.eval(f, e.X) {
		if v.Kind != value.Inst && v.Kind != value.Super {
			continue
		}
		for _, c := range mb.classes.order(v.A).Classes {
			if v.Kind == value.Super && c == v.B {
				continue
			}
			r := mb.prog.Decls[c]
			n := mb.deps.find(r.F, r.D, e.Name)
			if n == nil {
				continue
			}
			for _, d := range r.F.Symbols.Decls(n) {
				if r.F.Facts.Decls[d].Flags&lang.Property != 0 {
					out = value.Union(out, value.Value{Kind: value.Func, A: r.F.IDs[d], Level: max(v.Level, model.LevelMember)})
					break // the getter stands before the setter
				}
			}
			break
		}
	}
	return out
}

// constructors gives the methods that run when a class is instantiated; of overloaded ones those that take the arguments.
func (mb *members) constructors(f *symtab.File, v value.Value, args []lang.Arg) []value.Value {
	r := mb.prog.Decls[v.A]
	var out []value.Value
	for _, name := range r.F.Rules.Constructors {
		order := mb.classes.order(v.A).Classes
		if name == "" { // those called like their class are not inherited
			order = order[:1]
		}
		for _, c := range order {
			o := mb.prog.Decls[c]
			n := mb.deps.find(o.F, o.D, name)
			if n == nil || n.Decls == 0 {
				continue
			}
			decls := o.F.Symbols.Decls(n)
			last := decls[len(decls)-1]
			if o.F.Facts.Decls[last].Flags&lang.Overload == 0 {
				out = append(out, value.Value{Kind: value.Func, A: o.F.IDs[last]})
				break
			}
			var all []value.Value
			for _, d := range decls {
				for _, w := range mb.defs.standValues(o.F.IDs[d]) {
					if !slices.ContainsFunc(all, w.Same) {
						all = append(all, w)
					}
				}
			}
			out = append(out, mb.overloads.choose(f, all, args)...)
			break
		}
	}
	return out
}

// callMethods gives the methods that run when an instance is called.
func (mb *members) callMethods(v value.Value) []value.Value {
	call := mb.prog.Decls[v.A].F.Rules.Call
	if call == "" {
		return nil
	}
	var out []value.Value
	for _, m := range mb.attr(v, call, model.LevelMember) {
		if m.Kind == value.Func {
			out = append(out, m)
		}
	}
	return out
}

// replace notes which attributes methods set now.
func (mb *members) replace(e *edit) {
	for k := range e.before.attrs {
		delete(mb.ownAttrs, k)
	}
	for k := range e.after.attrs {
		mb.ownAttrs[k] = true
	}
	for k := range differing(e.before.attrs, e.after.attrs) {
		mb.deps.nameChanged(k.class, k.name, e.stale)
	}
}
