package infer

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// containers gives what is in lists, mappings and what else holds values.
type containers struct {
	prog      *symtab.Program
	solver    *solver.Solver
	ev        *evaluator
	members   *members
	externals *externals
	flows     *flows
	results   *results
	boxes     []exprRef
	boxOf     symtab.PerFile[map[int32]int32] // by expression
	elems     map[elemKey]solver.ID
	elemOf    []elemKey
	elemKind  solver.Kind
}

type elemKey struct {
	kind value.Kind
	lvl  uint8
	a    int32
	key  string
}

// Views of a container: the container itself, its pairs, its keys.
const (
	viewPlain int32 = iota
	viewEntries
	viewKeys
	viewSame // a container of another type with the same in it
	viewBits = 2
)

// box numbers a list or mapping.
func (ct *containers) box(f *symtab.File, x int32) int32 {
	boxes := ct.boxOf.Of(f)
	if *boxes == nil {
		*boxes = map[int32]int32{}
	}
	b, ok := (*boxes)[x]
	if !ok {
		b = int32(len(ct.boxes))
		ct.boxes = append(ct.boxes, exprRef{f, x})
		(*boxes)[x] = b
	}
	return b
}

// elements gives what is in a value under a constant key, or under any when key is "".
func (ct *containers) elements(v value.Value, key string) []value.Value {
	return ct.elementsAt(v, key, model.LevelContainer)
}

// elementsAt is elements with the level that the step is worth.
func (ct *containers) elementsAt(v value.Value, key string, lvl uint8) []value.Value {
	switch v.Kind {
	case value.External, value.Many:
		return []value.Value{v}
	case value.Box:
		switch v.B {
		case viewEntries:
			return []value.Value{{Kind: value.Box, A: v.A, Level: max(v.Level, lvl)}}
		case viewKeys:
			key = lang.Keys
		}
	case value.Gen, value.Inst, value.Class:
	default:
		return nil
	}
	k := elemKey{v.Kind, lvl, v.A, key}
	id := ct.elems[k]
	if id == 0 {
		id = ct.solver.Add(ct.elemKind, 0, int32(len(ct.elemOf)))
		ct.elemOf = append(ct.elemOf, k)
		ct.elems[k] = id
	}
	return value.Weaken(ct.solver.Read(id), v.Level)
}

func (ct *containers) inside(c *solver.Cell) []value.Value {
	k := ct.elemOf[c.Arg]
	v, key, lvl := value.Value{Kind: k.kind, A: k.a}, k.key, k.lvl
	var out []value.Value
	switch v.Kind {
	case value.Class: // what is of the types that it is another name of
		if r := ct.prog.Decls[v.A]; r.Decl().Flags&lang.AliasType != 0 {
			for _, x := range r.Decl().Bases {
				out = value.Union(out, value.Weaken(ct.ev.instances(ct.ev.eval(r.F, x)), model.LevelMember)...)
			}
		}
	case value.Gen:
		for _, r := range ct.results.yields[v.A] {
			out = value.Union(out, value.Weaken(ct.ev.eval(r.f, r.x), model.LevelFlow)...)
		}
	case value.Inst:
		if r := ct.prog.Decls[v.A]; r.Decl().Elem != lang.None {
			for _, w := range ct.ev.eval(r.F, r.Decl().Elem) {
				out = value.Union(out, ct.elements(w, key)...)
			}
			return out
		}
		for _, name := range []string{"__getitem__", "__next__"} {
			for _, m := range ct.members.attr(v, name, model.LevelMember) {
				if m.Kind == value.Func {
					out = value.Union(out, value.Weaken(ct.results.result(m), model.LevelFlow)...)
				}
			}
		}
		for _, m := range ct.members.attr(v, "__iter__", model.LevelMember) {
			if m.Kind == value.Func {
				for _, r := range ct.results.result(m) {
					if r.Kind != value.Inst || r.A != v.A {
						out = value.Union(out, ct.elements(r, key)...)
					}
				}
			}
		}
	case value.Box:
		r := ct.boxes[v.A]
		e := r.f.Expr(r.x)
		if e.Op == lang.OpApply || e.Op == lang.OpCall {
			return ct.contents(r, key, lvl)
		}
		if e.Op == lang.OpTuple {
			lvl = model.LevelFlow
		}
		// An element under a key that is known on both sides is a known value like any other; any element of many is only in the container.
		// A member that an object is known to have hides what is stored under keys that are not known.
		gifts := ct.flows.inflows(sourceKey{kind: sourceBox, a: v.A})
		has := r.f.Rules.Objects && e.Op == lang.OpDict && key != "" && (slices.ContainsFunc(e.Args, func(a lang.Arg) bool { return a.Name == key && !a.Spread }) ||
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
				out = value.Union(out, ct.ev.eval(r.f, a.X)...)
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
					out = value.Union(out, ct.elements(s, k)...)
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
				out = value.Union(out, value.Weaken(ct.ev.eval(r.f, a.X), step)...)
			}
		}
		if r.f.Rules.Typed && value.Says(out) {
			return out
		}
		for _, s := range gifts {
			if s.key == inflowSpread {
				for _, w := range ct.ev.eval(s.f, s.x) {
					out = value.Union(out, ct.elements(w, key)...)
				}
				continue
			}
			if step, ok := at(s.key); ok {
				out = value.Union(out, value.Weaken(ct.ev.eval(s.f, s.x), step)...)
			}
		}
	}
	return out
}

// contents gives what is in a container that a generic type or a call stands for.
func (ct *containers) contents(r exprRef, key string, lvl uint8) []value.Value {
	e := r.f.Expr(r.x)
	var out []value.Value
	if e.Op == lang.OpApply {
		switch {
		case len(e.Args) == 0 || key == lang.Keys && len(e.Args) < 2:
		case key == lang.Keys:
			out = ct.ev.instances(ct.ev.eval(r.f, e.Args[0].X))
		default:
			out = ct.ev.instances(ct.ev.eval(r.f, e.Args[len(e.Args)-1].X))
		}
		return value.Weaken(out, lvl)
	}
	for _, v := range ct.ev.eval(r.f, e.X) {
		if v.Kind != value.Give {
			continue
		}
		flat := lang.Member(v.B>>viewBits)&lang.Flat != 0
		for _, a := range e.Args {
			for _, fn := range ct.ev.eval(r.f, a.X) {
				if fn.Kind != value.Func && fn.Kind != value.Over && fn.Kind != value.Class {
					continue
				}
				for _, w := range ct.results.result(fn) {
					if flat {
						out = value.Union(out, ct.elements(w, lang.Values)...)
					} else {
						out = value.Union(out, w)
					}
				}
			}
		}
	}
	return value.Weaken(out, lvl)
}

// boxMember gives a member of a container: a method that gives its elements, or something outside.
func (ct *containers) boxMember(v value.Value, name string) value.Value {
	rules := ct.boxes[v.A].f.Rules
	if rules.Outside == nil {
		return value.Value{Kind: value.External}
	}
	if m := rules.Outside.Members[name]; m != 0 {
		return value.Value{Kind: value.Give, A: v.A, B: int32(m)<<viewBits | v.B, Level: v.Level}
	}
	return ct.externals.outsideMember(rules, value.Value{Kind: value.External}, name)
}

// gives is what calling a method of a container gives.
func (ct *containers) gives(v value.Value) []value.Value {
	m, view := lang.Member(v.B>>viewBits), v.B&(1<<viewBits-1)
	box := value.Value{Kind: value.Box, A: v.A, B: view, Level: v.Level}
	var out []value.Value
	if m&lang.Value != 0 {
		out = value.Union(out, ct.elements(box, lang.Values)...)
	}
	if m&lang.Key != 0 {
		out = value.Union(out, ct.elements(box, lang.Keys)...)
	}
	if m&lang.Same != 0 {
		if view == viewPlain {
			box.B = viewSame
		}
		out = value.Union(out, box)
	}
	if m&lang.Entries != 0 {
		out = value.Union(out, value.Value{Kind: value.Box, A: v.A, B: viewEntries, Level: v.Level})
	}
	if m&lang.KeySet != 0 {
		out = value.Union(out, value.Value{Kind: value.Box, A: v.A, B: viewKeys, Level: v.Level})
	}
	if len(out) == 0 {
		return []value.Value{{Kind: value.External, Level: v.Level}}
	}
	return out
}

// drawn gives what an inflow to a parameter is.
func (ct *containers) drawn(g inflow) []value.Value {
	vals := ct.ev.eval(g.f, g.x)
	switch g.key {
	case "":
		return vals
	case inflowInstance:
		return ct.ev.instances(vals)
	}
	var out []value.Value
	for _, v := range vals {
		if v.Kind == value.Give { // a method of the container
			v = value.Value{Kind: value.Box, A: v.A, B: v.B & (1<<viewBits - 1), Level: v.Level}
		}
		if v.Kind == value.Box {
			out = value.Union(out, ct.elements(v, g.key)...)
		}
	}
	return out
}

// keyed tells whether a method is one of a container with keys.
func (ct *containers) keyed(f *symtab.File, method int32) bool {
	for _, v := range ct.ev.eval(f, method) {
		if v.Kind == value.Give && v.B&(1<<viewBits-1) == viewPlain {
			r := ct.boxes[v.A]
			if e := r.f.Expr(r.x); e.Op == lang.OpApply && len(e.Args) > 1 {
				return true
			}
		}
	}
	return false
}

// boxType gives the name of a container's type, and the types of its elements.
func (ct *containers) boxType(v value.Value) (name string, elem []value.Value, ok bool) {
	if v.Kind == value.External && v.A != 0 {
		if t := ct.externals.outsides[v.A-1]; strings.HasSuffix(t.name, lang.Array) {
			return lang.Array, []value.Value{ct.externals.outside(t.rules, strings.TrimSuffix(t.name, lang.Array))}, true
		}
	}
	if v.Kind != value.Box || v.B != viewPlain {
		return "", nil, false
	}
	r := ct.boxes[v.A]
	e := r.f.Expr(r.x)
	if e.Op != lang.OpApply {
		return "", nil, false
	}
	if len(e.Args) > 0 {
		elem = ct.ev.eval(r.f, e.Args[len(e.Args)-1].X)
	}
	return e.Name, elem, true
}

// arrayElements gives what is in an array, nil when no value is one.
func (ct *containers) arrayElements(vals []value.Value) []value.Value {
	var out []value.Value
	for _, v := range vals {
		if name, elem, ok := ct.boxType(v); ok && name == lang.Array {
			out = value.Union(out, elem...)
		}
	}
	return out
}

// Keys of inflows to parameters that are not the value itself: an instance of the type, or what is in the container.
const inflowInstance = "\x00instance"

// Arguments that are left over go into the containers of a function's rest parameters, and containers that are spread out in
// a call go to the parameters that are left: so do values pass through functions that only hand on what they are given.

// inflowSpread is the key of an inflow to a container that is a container itself, whose elements are meant.
const inflowSpread = "\x00spread"

// replace keeps the numbers of containers that are still there, and gathers what was in the others.
func (ct *containers) replace(e *edit) {
	old := *ct.boxOf.Of(e.f)
	var kept map[int32]int32
	for x, b := range old {
		to := e.moved[x]
		ct.boxes[b] = exprRef{e.f, to}
		if to != lang.None {
			if kept == nil {
				kept = map[int32]int32{}
			}
			kept[to] = b
		}
	}
	*ct.boxOf.Of(e.f) = kept
	gone := func(k elemKey) bool {
		if k.kind == value.Box {
			r := ct.boxes[k.a]
			return r.f == e.f && r.x == lang.None
		}
		return e.touched[k.a]
	}
	for i, k := range ct.elemOf {
		if gone(k) {
			id := ct.elems[k]
			e.stale.Add(id)
			if k.kind == value.Box || e.dead[k.a] {
				ct.solver.Kill(id)
				delete(ct.elems, k)
				ct.elemOf[i] = elemKey{}
			}
		}
	}
}
