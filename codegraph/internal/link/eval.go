package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// An exprRef is an expression with the file it is in.
type exprRef struct {
	f *File
	x int32
}

type attrKey struct {
	class int32
	name  string
}

type elemKey struct {
	kind valKind
	lvl  uint8
	a    int32
	key  string
}

type moduleName struct {
	module int32
	name   string
}

type mro struct {
	order []int32 // class itself first
	depth []int32 // how far each is from the class, where the order is by that; ascending
	open  bool    // a base class is outside or unknown
}

// gatherResults notes what the functions of a file return.
func (rs *results) gatherResults(f *File) {
	for _, b := range f.Facts.Bindings {
		if b.Scope == lang.File {
			continue
		}
		r := exprRef{f, b.Value}
		switch d := f.ids[b.Scope]; b.Kind {
		case lang.Return:
			rs.returns[d] = append(rs.returns[d], r)
			rs.fluent[d] = rs.fluent[d] || rs.ev.isThis(r)
		case lang.Yield:
			rs.yields[d] = append(rs.yields[d], r)
		case lang.ReturnType:
			rs.returnTyp[d] = append(rs.returnTyp[d], r)
			rs.fluent[d] = rs.fluent[d] || rs.ev.isThis(r)
		}
	}
}

// eval gives what an expression may be; nil when nothing is known. Only expressions that others are built on have cells
// of their own: a long chain of calls is then followed once, not once for each of its links.
func (ev *evaluator) eval(f *File, x int32) []value {
	if x == lang.None {
		return nil
	}
	switch e := f.expr(x); e.Op {
	case lang.OpCall, lang.OpIndex, lang.OpDeref, lang.OpElem, lang.OpMembers, lang.OpReturn, lang.OpAny, lang.OpInstance:
	case lang.OpAttr:
		if o := f.expr(e.X); o.Op != lang.OpAttr || f.table.Op(o.X) != lang.OpAttr {
			return ev.evalOp(f, x)
		}
	case lang.OpElse:
		if f.table.Op(e.X) == lang.OpName {
			return ev.evalOp(f, x)
		}
	default:
		return ev.evalOp(f, x)
	}
	if f.cells == nil {
		f.cells = make([]cellID, f.table.Len())
	}
	if f.cells[x] == 0 {
		f.cells[x] = ev.solver.add(ev.exprKind, f.index, x)
	}
	return ev.solver.read(f.cells[x])
}

// bound gives the values of one name in one scope.
func (ns *names) bound(f *File, n *named) []value {
	if n.cell == 0 {
		n.cell = ns.solver.add(ns.nameKind, f.index, int32(len(ns.named)))
		ns.named = append(ns.named, n)
	}
	return ns.solver.read(n.cell)
}

// elements gives what is in a value under a constant key, or under any when key is "".
func (ct *containers) elements(v value, key string) []value {
	return ct.elementsAt(v, key, model.LevelContainer)
}

// elementsAt is elements with the level that the step is worth.
func (ct *containers) elementsAt(v value, key string, lvl uint8) []value {
	switch v.kind {
	case vExternal, vMany:
		return []value{v}
	case vBox:
		switch v.b {
		case viewEntries:
			return []value{{kind: vBox, a: v.a, lvl: max(v.lvl, lvl)}}
		case viewKeys:
			key = lang.Keys
		}
	case vGen, vInst, vClass:
	default:
		return nil
	}
	k := elemKey{v.kind, lvl, v.a, key}
	id := ct.elems[k]
	if id == 0 {
		id = ct.solver.add(ct.elemKind, 0, int32(len(ct.elemOf)))
		ct.elemOf = append(ct.elemOf, k)
		ct.elems[k] = id
	}
	return weaken(ct.solver.read(id), v.lvl)
}

// box numbers a list or mapping.
func (ct *containers) box(f *File, x int32) int32 {
	if f.boxes == nil {
		f.boxes = map[int32]int32{}
	}
	b, ok := f.boxes[x]
	if !ok {
		b = int32(len(ct.boxes))
		ct.boxes = append(ct.boxes, exprRef{f, x})
		f.boxes[x] = b
	}
	return b
}

// isThis tells whether an expression is the receiver.
func (ev *evaluator) isThis(r exprRef) bool {
	x := r.f.expr(r.x)
	return x.Op == lang.OpThis || x.Op == lang.OpName && ev.names.isReceiver(r.f, x)
}

func (ev *evaluator) evalOp(f *File, x int32) []value {
	e := f.expr(x)
	switch e.Op {
	case lang.OpName:
		return ev.names.name(f, e.Scope, e.Name)
	case lang.OpAttr:
		var out []value
		for _, v := range ev.eval(f, e.X) {
			if v.kind == vExternal {
				out = union(out, ev.externals.outsideMember(f.rules, v, e.Name))
				continue
			}
			if v.bound && v.kind == vInst && strings.HasPrefix(e.Name, "operator") && f.table.Op(e.X) != lang.OpThis {
				continue // operators of pointers are the language's
			}
			out = union(out, ev.classes.filled(ev.members.attr(v, e.Name, model.LevelMember), v)...)
		}
		return out
	case lang.OpParam:
		return ev.typeParam(f, &e)
	case lang.OpPointer:
		vals := slices.Clone(ev.eval(f, e.X))
		for i := range vals {
			switch v := vals[i]; v.kind {
			case vClass, vInst, vBox:
				vals[i].bound = true
			case vExternal:
				if v.a != 0 {
					o := ev.externals.outsides[v.a-1]
					vals[i] = ev.externals.outside(o.rules, o.name+"*")
					vals[i].lvl = v.lvl
				}
			}
		}
		return vals
	case lang.OpConst:
		vals := slices.Clone(ev.eval(f, e.X))
		for i := range vals {
			if vals[i].kind == vClass || vals[i].kind == vInst {
				vals[i].fixed = true
			}
		}
		return vals
	case lang.OpCall:
		return ev.called(f, x)
	case lang.OpApply:
		return ev.applied(f, x)
	case lang.OpDeref:
		var out []value
		for _, v := range ev.eval(f, e.X) {
			out = union(out, ev.pointed(v, e.Name)...)
		}
		return out
	case lang.OpMembers:
		var out []value
		for _, v := range ev.eval(f, e.X) {
			out = union(out, ev.members.members(v, e.Name)...)
		}
		return out
	case lang.OpReturn:
		var out []value
		for _, v := range ev.eval(f, e.X) {
			if v.kind == vFunc {
				out = union(out, ev.results.result(v)...)
			} else {
				out = union(out, v)
			}
		}
		return out
	case lang.OpIndex, lang.OpElem:
		var out []value
		for _, v := range ev.eval(f, e.X) {
			out = union(out, ev.containers.elements(v, e.Name)...)
		}
		return out
	case lang.OpDecl:
		if e.X != lang.None {
			return ev.names.decorated(f, e.Decl, e.X)
		}
		return []value{ev.declValue(f.ids[e.Decl], model.LevelScope)}
	case lang.OpHeld:
		return weaken(ev.eval(f, e.X), model.LevelFlow)
	case lang.OpTypeOf:
		var out []value
		for _, v := range ev.eval(f, e.X) {
			switch v.kind {
			case vClass:
				v.kind = vType
				out = append(out, v)
			case vFunc, vBox, vInst:
				out = append(out, v)
			}
		}
		return out
	case lang.OpClass:
		vals := ev.eval(f, e.X)
		notClass := func(v value) bool { return v.kind != vClass && v.kind != vType }
		if !slices.ContainsFunc(vals, notClass) || !slices.ContainsFunc(vals, func(v value) bool { return !notClass(v) }) {
			return vals
		}
		return slices.DeleteFunc(slices.Clone(vals), notClass)
	case lang.OpInstance:
		var out []value
		for _, v := range ev.eval(f, e.X) {
			out = union(out, ev.instances([]value{v})...)
		}
		return out
	case lang.OpThis:
		if c, static, ok := ev.names.classAround(f, e.Scope); ok {
			k := vInst
			if static {
				k = vClass
			}
			return []value{{kind: k, bound: f.rules.Includes, fixed: ev.names.constant(f, e.Scope), a: c, lvl: model.LevelScope}}
		}
	case lang.OpSuper:
		if c, _, ok := ev.names.classAround(f, e.Scope); ok {
			return []value{{kind: vSuper, a: c, b: c, lvl: model.LevelScope}}
		}
	case lang.OpList, lang.OpDict, lang.OpTuple:
		return []value{{kind: vBox, a: ev.containers.box(f, x), lvl: model.LevelScope}}
	case lang.OpAny:
		var out []value
		for _, a := range e.Args {
			out = union(out, ev.eval(f, a.X)...)
		}
		return out
	case lang.OpElse:
		return ev.either(f, e)
	case lang.OpModule:
		if n, ok := ev.modules.moduleNamed(f, e.Name); ok {
			out := []value{{kind: vModule, a: n, lvl: model.LevelImport}}
			if f.rules.Objects { // what the module gives may itself be called
				out = union(out, weaken(ev.exports.exported(n, "default"), model.LevelImport)...)
			}
			return out
		}
		return []value{{kind: vExternal}}
	case lang.OpExternal:
		return []value{ev.externals.outside(f.rules, e.Name)}
	case lang.OpString:
		return []value{{kind: vExternal}}
	}
	return nil
}

func (ev *evaluator) declValue(d int32, lvl uint8) value {
	switch ev.prog.decls[d].decl().Kind {
	case lang.Class:
		return value{kind: vClass, a: d, lvl: lvl}
	case lang.Namespace:
		return value{kind: vSpace, a: d, lvl: lvl}
	}
	return value{kind: vFunc, a: d, lvl: lvl}
}

// inside tells a value of the repository from one outside, and from a container of the language.
func inside(v value) bool { return v.kind != vExternal && v.kind != vBox && v.kind != vParam }

// says tells whether what a declared type gives is more than that a value is some function or container.
func says(vals []value) bool {
	return slices.ContainsFunc(vals, func(v value) bool { return v.kind == vInst || v.kind == vClass || v.kind == vExternal })
}

func (ct *containers) inside(c *cell) []value {
	k := ct.elemOf[c.a]
	v, key, lvl := value{kind: k.kind, a: k.a}, k.key, k.lvl
	var out []value
	switch v.kind {
	case vClass: // what is of the types that it is another name of
		if r := ct.prog.decls[v.a]; r.decl().Flags&lang.AliasType != 0 {
			for _, x := range r.decl().Bases {
				out = union(out, weaken(ct.ev.instances(ct.ev.eval(r.f, x)), model.LevelMember)...)
			}
		}
	case vGen:
		for _, r := range ct.results.yields[v.a] {
			out = union(out, weaken(ct.ev.eval(r.f, r.x), model.LevelFlow)...)
		}
	case vInst:
		if r := ct.prog.decls[v.a]; r.decl().Elem != lang.None {
			for _, w := range ct.ev.eval(r.f, r.decl().Elem) {
				out = union(out, ct.elements(w, key)...)
			}
			return out
		}
		for _, name := range []string{"__getitem__", "__next__"} {
			for _, m := range ct.members.attr(v, name, model.LevelMember) {
				if m.kind == vFunc {
					out = union(out, weaken(ct.results.result(m), model.LevelFlow)...)
				}
			}
		}
		for _, m := range ct.members.attr(v, "__iter__", model.LevelMember) {
			if m.kind == vFunc {
				for _, r := range ct.results.result(m) {
					if r.kind != vInst || r.a != v.a {
						out = union(out, ct.elements(r, key)...)
					}
				}
			}
		}
	case vBox:
		r := ct.boxes[v.a]
		e := r.f.expr(r.x)
		if e.Op == lang.OpApply || e.Op == lang.OpCall {
			return ct.contents(r, key, lvl)
		}
		if e.Op == lang.OpTuple {
			lvl = model.LevelFlow
		}
		// An element under a key that is known on both sides is a known value like any other; any element of many is only in the container.
		// A member that an object is known to have hides what is stored under keys that are not known.
		gifts := ct.flows.inflows(sourceKey{kind: sourceBox, a: v.a})
		has := r.f.rules.Objects && e.Op == lang.OpDict && key != "" && (slices.ContainsFunc(e.Args, func(a lang.Arg) bool { return a.Name == key && !a.Spread }) ||
			slices.ContainsFunc(gifts, func(g inflow) bool { return g.key == key }))
		at := func(name string) (uint8, bool) {
			switch {
			case key != "" && name == key:
				return min(lvl, model.LevelFlow), true
			case key == "" || name == "" && !has:
				return lvl, true
			}
			return 0, false
		}
		first, last := len(e.Args), -1 // of the spread elements
		for i, a := range e.Args {
			if a.Spread {
				first, last = min(first, i), i
			}
		}
		if e.Op == lang.OpDict && e.Name == "*" {
			for _, a := range e.Args {
				out = union(out, ct.ev.eval(r.f, a.X)...)
			}
			e = lang.Expr{}
		}
		for i, a := range e.Args {
			if a.Spread {
				k := key
				if e.Op != lang.OpDict && i > 0 { // which of its elements that is depends on how many stand before
					k = ""
				}
				for _, s := range ct.ev.eval(r.f, a.X) {
					out = union(out, ct.elements(s, k)...)
				}
				continue
			}
			name := a.Name
			if e.Op != lang.OpDict {
				switch back := strings.HasPrefix(key, "-"); {
				case key == "" || back && i < last || !back && i > first: // how many stand between is not known
					name = ""
				case back:
					name = "-" + itoa(len(e.Args)-i)
				default:
					name = itoa(i)
				}
			}
			if step, ok := at(name); ok {
				out = union(out, weaken(ct.ev.eval(r.f, a.X), step)...)
			}
		}
		if r.f.rules.Typed && says(out) {
			return out
		}
		for _, s := range gifts {
			if s.key == inflowSpread {
				for _, w := range ct.ev.eval(s.f, s.x) {
					out = union(out, ct.elements(w, key)...)
				}
				continue
			}
			if step, ok := at(s.key); ok {
				out = union(out, weaken(ct.ev.eval(s.f, s.x), step)...)
			}
		}
	}
	return out
}
