package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// members gives the values of members of values.
type members struct {
	prog       *program
	modules    *modules
	solver     *solver
	deps       *dependencies
	ev         *evaluator
	names      *names
	exports    *exports
	classes    *classes
	containers *containers
	externals  *externals
	flows      *flows
	results    *results
	inc        *inclusion
	included   *includedNames
	defs       *definitions
	overloads  *overloads
	ownAttrs   map[attrKey]bool // attributes that methods of the class itself set
}

// attr looks a member up on a value; lvl is the level that the step is worth.
func (mb *members) attr(v value, name string, lvl uint8) []value {
	switch v.kind {
	case vExternal:
		return []value{{kind: vExternal, lvl: v.lvl}}
	case vMany:
		return many
	case vBox:
		if r := mb.containers.boxes[v.a]; r.f.rules.Objects && r.f.table.Op(r.x) == lang.OpDict {
			if out := mb.containers.elementsAt(v, name, max(lvl, model.LevelMember)); out != nil {
				return out
			}
		}
		return []value{mb.containers.boxMember(v, name)} // a method of a built-in container
	case vFunc:
		if mb.prog.decls[v.a].f.rules.Objects { // functions are objects, too
			return weaken(mb.attrValues(v.a, name), max(v.lvl, lvl))
		}
		return nil
	case vModule:
		if out := mb.exports.exported(v.a, name); out != nil {
			return weaken(out, max(v.lvl, model.LevelImport))
		}
		return nil
	case vSpace:
		r := mb.prog.decls[v.a]
		if r.f.rules.Includes {
			return weaken(mb.included.inSpace(mb.prog.Files[v.b], mb.inc.spaceID(v), name), v.lvl)
		}
		if n := mb.deps.find(r.f, r.d, name); n != nil {
			return weaken(mb.names.bound(r.f, n), v.lvl)
		}
		return mb.names.wildcardMember(r.f, r.d, name)
	case vClass, vInst, vSuper:
		order := mb.classes.order(v.a)
		classes := order.order
		if v.kind == vSuper {
			if i := slices.Index(classes, v.b); i >= 0 {
				classes = classes[i+1:]
			}
		}
		if v.kind == vInst && name == mb.prog.decls[v.a].f.rules.Class && name != "" {
			return []value{{kind: vClass, bound: v.bound, a: v.a, lvl: v.lvl}}
		}
		var out []value
		found, hides := false, mb.declares(classes, name)
		for _, c := range classes {
			var more []value
			more, found = mb.own(c, v, name, lvl, hides)
			if out = union(out, more...); found {
				break
			}
		}
		if mb.prog.decls[v.a].f.rules.Derived && !slices.ContainsFunc(out, inside) {
			out = union(out, mb.subclassMember(v, classes, name)...)
		}
		if found {
			return out
		}
		if rules := mb.prog.decls[v.a].f.rules; out == nil && rules.Universal[name] {
			return []value{mb.externals.outsideMember(rules, value{kind: vExternal, lvl: v.lvl}, name)}
		}
		if order.open {
			lvl := model.LevelName // a base class that is not here may have it
			if v.kind == vSuper {
				lvl = v.lvl // and only that
			}
			out = union(out, value{kind: vExternal, lvl: lvl})
		}
		return out
	}
	return nil
}

// declares tells whether one of the classes has a method of this name, in a language where that says all.
func (mb *members) declares(classes []int32, name string) bool {
	return slices.ContainsFunc(classes, func(c int32) bool {
		r := mb.prog.decls[c]
		if !r.f.rules.Typed {
			return false
		}
		n := mb.deps.find(r.f, r.d, name)
		return n != nil && n.decls > 0
	})
}

// own looks a member up in one class, for the receiver v.
// What is set on it from outside of its methods adds to what it has, and hides nothing.
func (mb *members) own(c int32, v value, name string, lvl uint8, declared bool) ([]value, bool) {
	r := mb.prog.decls[c]
	name = mb.fieldAt(c, name)
	var out []value
	found := false
	step := max(v.lvl, lvl)
	if n := mb.deps.find(r.f, r.d, name); n != nil {
		found = true
		for _, m := range mb.names.bound(r.f, n) {
			m.lvl = max(m.lvl, step)
			if m.kind == vFunc {
				d := mb.prog.decls[m.a].decl()
				if d.Flags&lang.Property != 0 && v.kind != vClass {
					out = union(out, mb.results.result(m)...)
					continue
				}
				m.bound = v.kind != vClass && d.Flags&lang.Static == 0 || d.Flags&lang.ClassMethod != 0
				m.fixed = v.fixed
				if v.kind == vInst && v.a != c && mb.results.fluent[m.a] {
					m.b = v.a + 1
				}
			}
			if m.kind == vInst && !m.bound && v.kind == vInst && v.fixed { // a part of what may not be changed
				m.fixed = true
			}
			if m.kind == vOver {
				m.bound, m.fixed = v.kind != vClass, v.fixed
				if r.f.rules.Inherit {
					m.b = v.a + 1
				}
			}
			out = union(out, m)
		}
	}
	if r.f.rules.Declared { // nothing is added from outside of a class
		return out, found
	}
	methods := mb.flows.inflows(sourceKey{kind: sourceMethod, a: c, name: name})
	primary := slices.ContainsFunc(methods, func(m inflow) bool { return mb.prog.decls[m.decl].decl().Flags&lang.Secondary == 0 })
	for _, m := range methods {
		found = true
		d := mb.prog.decls[m.decl].decl()
		if primary && d.Flags&lang.Secondary != 0 {
			continue
		}
		if r.f.rules.Includes && r.f.lookup(r.d, name) != nil {
			continue // its announcement in the class stands for it
		}
		if d.Kind != lang.Function {
			out = union(out, mb.ev.declValue(m.decl, step))
			continue
		}
		fn := value{kind: vFunc, a: m.decl, lvl: step, bound: v.kind != vClass && d.Flags&lang.Static == 0}
		if d.Flags&lang.Property != 0 && v.kind != vClass {
			out = union(out, mb.results.result(fn)...)
			continue
		}
		out = union(out, fn)
	}
	found = found || mb.ownAttrs[attrKey{c, name}]
	if declared || r.f.rules.Typed && says(out) {
		return out, found
	}
	out = union(out, weaken(mb.attrValues(c, name), step)...)
	return out, found
}

// visible looks a name up among the members of the class at scope s, inherited ones included, as its methods see them.
func (mb *members) visible(f *File, s int32, name string) []value {
	return mb.visibleOn(f, s, name, false)
}

// visibleOn is visible from a method that may not change its receiver, when fixed says so.
func (mb *members) visibleOn(f *File, s int32, name string, fixed bool) []value {
	c := f.ids[s]
	self := value{kind: vInst, a: c, lvl: model.LevelScope, fixed: fixed}
	for _, k := range mb.classes.order(c).order {
		lvl := model.LevelScope
		if k != c {
			lvl = model.LevelMember
		}
		if f.rules.Includes && mb.prog.decls[k].decl().Name == name { // a class sees its own name as the class, not as its constructors
			return []value{{kind: vClass, a: k, lvl: lvl}}
		}
		if out, ok := mb.own(k, self, name, lvl, false); ok {
			return out
		}
	}
	if f.rules.Universal[name] {
		return []value{mb.externals.outsideMember(f.rules, value{kind: vExternal}, name)}
	}
	return nil
}

// attrValues gives what is assigned to an attribute of a class.
func (mb *members) attrValues(class int32, name string) []value {
	return mb.solver.read(mb.flows.sourceCell(sourceKey{kind: sourceAttr, a: class, name: name}))
}

type attrKey struct {
	class int32
	name  string
}

// hasMember tells whether a class has a member of this name that can be set from outside; where a declared type does not
// say all, any name can be.
func (mb *members) hasMember(class int32, name string) bool {
	return !mb.prog.decls[class].f.rules.Typed || slices.ContainsFunc(mb.classes.order(class).order, func(c int32) bool {
		r := mb.prog.decls[c]
		return mb.deps.find(r.f, r.d, name) != nil || mb.ownAttrs[attrKey{c, name}]
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
	if p := mb.prog.decls[class].decl().Params; i < len(p) {
		return p[i].Name
	}
	return name
}

// getters gives the properties that run when a member is read.
func (mb *members) getters(f *File, x int32) []value {
	e := f.expr(x)
	if e.Op != lang.OpAttr {
		return nil
	}
	var out []value
	for _, v := range mb.ev.eval(f, e.X) {
		if v.kind != vInst && v.kind != vSuper {
			continue
		}
		for _, c := range mb.classes.order(v.a).order {
			if v.kind == vSuper && c == v.b {
				continue
			}
			r := mb.prog.decls[c]
			n := mb.deps.find(r.f, r.d, e.Name)
			if n == nil {
				continue
			}
			for _, d := range r.f.names.decls(n) {
				if r.f.Facts.Decls[d].Flags&lang.Property != 0 {
					out = union(out, value{kind: vFunc, a: r.f.ids[d], lvl: max(v.lvl, model.LevelMember)})
					break // the getter stands before the setter
				}
			}
			break
		}
	}
	return out
}

// constructors gives the methods that run when a class is instantiated; of overloaded ones those that take the arguments.
func (mb *members) constructors(f *File, v value, args []lang.Arg) []value {
	r := mb.prog.decls[v.a]
	var out []value
	for _, name := range r.f.rules.Constructors {
		order := mb.classes.order(v.a).order
		if name == "" { // those called like their class are not inherited
			order = order[:1]
		}
		for _, c := range order {
			o := mb.prog.decls[c]
			n := mb.deps.find(o.f, o.d, name)
			if n == nil || n.decls == 0 {
				continue
			}
			decls := o.f.names.decls(n)
			last := decls[len(decls)-1]
			if o.f.Facts.Decls[last].Flags&lang.Overload == 0 {
				out = append(out, value{kind: vFunc, a: o.f.ids[last]})
				break
			}
			var all []value
			for _, d := range decls {
				for _, w := range mb.defs.standValues(o.f.ids[d]) {
					if !slices.ContainsFunc(all, w.same) {
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
func (mb *members) callMethods(v value) []value {
	call := mb.prog.decls[v.a].f.rules.Call
	if call == "" {
		return nil
	}
	var out []value
	for _, m := range mb.attr(v, call, model.LevelMember) {
		if m.kind == vFunc {
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
