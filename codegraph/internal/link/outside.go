package link

import (
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// An outsideType is a type that is not in the repository.
type outsideType struct {
	rules *lang.Rules
	name  string
}

func (t outsideType) isNull() bool { return t.rules.Outside != nil && t.name == t.rules.Outside.Null }

// outside gives a value of the type called name, or the type itself, that is not in the repository; "" says nothing of it.
func (xs *externals) outside(rules *lang.Rules, name string) value {
	if name == "" || rules.Outside == nil || rules.VarMark != "" && strings.HasPrefix(name, rules.VarMark) {
		return value{kind: vExternal}
	}
	k := outsideType{rules, name}
	n, ok := xs.outsideOf[k]
	if !ok {
		xs.outsides = append(xs.outsides, k)
		n = int32(len(xs.outsides))
		xs.outsideOf[k] = n
	}
	return value{kind: vExternal, a: n}
}

// outsideMember gives what a member of something outside is, or gives when it is called.
func (xs *externals) outsideMember(rules *lang.Rules, v value, name string) value {
	if rules.Outside != nil {
		switch t := rules.Outside.Results[name]; t {
		case "":
		case "=":
			return v
		default:
			w := xs.outside(rules, t)
			w.lvl = v.lvl
			return w
		}
	}
	return value{kind: vExternal, lvl: v.lvl}
}

// Views of a container: the container itself, its pairs, its keys.
const (
	viewPlain int32 = iota
	viewEntries
	viewKeys
	viewSame // a container of another type with the same in it
	viewBits = 2
)

// boxMember gives a member of a container: a method that gives its elements, or something outside.
func (ct *containers) boxMember(v value, name string) value {
	rules := ct.boxes[v.a].f.rules
	if rules.Outside == nil {
		return value{kind: vExternal}
	}
	if m := rules.Outside.Members[name]; m != 0 {
		return value{kind: vGive, a: v.a, b: int32(m)<<viewBits | v.b, lvl: v.lvl}
	}
	return ct.externals.outsideMember(rules, value{kind: vExternal}, name)
}

// gives is what calling a method of a container gives.
func (ct *containers) gives(v value) []value {
	m, view := lang.Member(v.b>>viewBits), v.b&(1<<viewBits-1)
	box := value{kind: vBox, a: v.a, b: view, lvl: v.lvl}
	var out []value
	if m&lang.Value != 0 {
		out = union(out, ct.elements(box, lang.Values)...)
	}
	if m&lang.Key != 0 {
		out = union(out, ct.elements(box, lang.Keys)...)
	}
	if m&lang.Same != 0 {
		if view == viewPlain {
			box.b = viewSame
		}
		out = union(out, box)
	}
	if m&lang.Entries != 0 {
		out = union(out, value{kind: vBox, a: v.a, b: viewEntries, lvl: v.lvl})
	}
	if m&lang.KeySet != 0 {
		out = union(out, value{kind: vBox, a: v.a, b: viewKeys, lvl: v.lvl})
	}
	if len(out) == 0 {
		return []value{{kind: vExternal, lvl: v.lvl}}
	}
	return out
}

// called gives what a call in f gives.
func (ev *evaluator) called(f *File, x int32) []value {
	e := f.expr(x)
	var out []value
	for _, v := range ev.overloads.fitting(f, ev.overloads.callees(f, e.X, e.Args), e.Args) {
		switch {
		case v.kind == vGive && lang.Member(v.b>>viewBits)&(lang.Mapped|lang.Flat) != 0:
			out = union(out, value{kind: vBox, a: ev.containers.box(f, x), lvl: max(v.lvl, model.LevelContainer)})
		case v.kind == vExternal && f.table.Op(e.X) == lang.OpName:
			out = union(out, value{kind: vExternal, lvl: v.lvl}) // a function of that name, no type
		default:
			out = union(out, ev.results.handed(f, e.X, v, ev.results.result(v))...)
			out = union(out, ev.results.handedBack(f, v, e.Args)...)
		}
	}
	return out
}

// applied gives a type with type arguments: the class where it is in the repository, else a container of them.
func (ev *evaluator) applied(f *File, x int32) []value {
	e := f.expr(x)
	vals := ev.eval(f, e.X)
	if within(vals) {
		return ev.withArgs(f, x, vals)
	}
	if f.rules.Outside == nil { // nothing is known of what is in it
		return vals
	}
	return []value{{kind: vBox, a: ev.containers.box(f, x), lvl: model.LevelScope}}
}

// contents gives what is in a container that a generic type or a call stands for.
func (ct *containers) contents(r exprRef, key string, lvl uint8) []value {
	e := r.f.expr(r.x)
	var out []value
	if e.Op == lang.OpApply {
		switch {
		case len(e.Args) == 0 || key == lang.Keys && len(e.Args) < 2:
		case key == lang.Keys:
			out = ct.ev.instances(ct.ev.eval(r.f, e.Args[0].X))
		default:
			out = ct.ev.instances(ct.ev.eval(r.f, e.Args[len(e.Args)-1].X))
		}
		return weaken(out, lvl)
	}
	for _, v := range ct.ev.eval(r.f, e.X) {
		if v.kind != vGive {
			continue
		}
		flat := lang.Member(v.b>>viewBits)&lang.Flat != 0
		for _, a := range e.Args {
			for _, fn := range ct.ev.eval(r.f, a.X) {
				if fn.kind != vFunc && fn.kind != vOver && fn.kind != vClass {
					continue
				}
				for _, w := range ct.results.result(fn) {
					if flat {
						out = union(out, ct.elements(w, lang.Values)...)
					} else {
						out = union(out, w)
					}
				}
			}
		}
	}
	return weaken(out, lvl)
}

// Keys of inflows to parameters that are not the value itself: an instance of the type, or what is in the container.
const inflowInstance = "\x00instance"

// drawn gives what an inflow to a parameter is.
func (ct *containers) drawn(g inflow) []value {
	vals := ct.ev.eval(g.f, g.x)
	switch g.key {
	case "":
		return vals
	case inflowInstance:
		return ct.ev.instances(vals)
	}
	var out []value
	for _, v := range vals {
		if v.kind == vGive { // a method of the container
			v = value{kind: vBox, a: v.a, b: v.b & (1<<viewBits - 1), lvl: v.lvl}
		}
		if v.kind == vBox {
			out = union(out, ct.elements(v, g.key)...)
		}
	}
	return out
}

// conform gives the parameters of a function that stands for a type the types of that type's one method.
func (ac *actions) conform(f *File, typ, fn int32, give func(sourceKey, inflow)) {
	for _, v := range ac.ev.eval(f, fn) {
		if v.kind != vFunc || ac.prog.decls[v.a].decl().Kind != lang.Lambda {
			continue
		}
		ac.conformTo(ac.ev.eval(f, typ), exprRef{f, typ}, v.a, give)
	}
}

// conformTo gives the parameters of the lambda fn the parameter types of the one method of a type, or what is in it where it
// is a type from outside with type arguments. typ is the expression of the type.
func (ac *actions) conformTo(types []value, typ exprRef, fn int32, give func(sourceKey, inflow)) {
	params := ac.prog.decls[fn].decl().Params
	for _, t := range types {
		switch t.kind {
		case vClass, vInst:
			m, ok := ac.classes.onlyAbstract(t.a)
			if !ok {
				continue
			}
			r := ac.prog.decls[m]
			for i := range min(len(params), len(r.decl().Params)) {
				if x := r.decl().Params[i].Type; params[i].Type == lang.None && x != lang.None {
					give(sourceKey{kind: sourceParam, a: fn, b: int32(i)}, inflow{f: r.f, x: x, key: inflowInstance})
				}
			}
		case vBox:
			r := ac.containers.boxes[t.a]
			e := r.f.expr(r.x)
			if e.Op != lang.OpApply {
				continue
			}
			for i := range params {
				if params[i].Type == lang.None && len(e.Args) > 0 {
					if x := e.Args[min(i, len(e.Args)-1)].X; x != lang.None {
						give(sourceKey{kind: sourceParam, a: fn, b: int32(i)}, inflow{f: r.f, x: x, key: inflowInstance})
					}
				}
			}
		}
	}
}

// passTyped gives to the functions among the arguments of a call, in a language where all other values are what their types
// say.
func (ac *actions) passTyped(f *File, call int32, give func(sourceKey, inflow)) {
	e := f.expr(call)
	for _, v := range ac.overloads.fitting(f, ac.overloads.callees(f, e.X, e.Args), e.Args) {
		switch v.kind {
		case vClass:
			for _, m := range ac.members.constructors(f, v, e.Args) {
				ac.passLambdas(f, e.Args, m.a, give)
			}
		case vFunc:
			ac.passLambdas(f, e.Args, v.a, give)
		case vGive:
			ac.passElements(f, e.Args, e.X, give, 0)
		}
	}
}

func (ac *actions) passLambdas(f *File, args []lang.Arg, fn int32, give func(sourceKey, inflow)) {
	r := ac.prog.decls[fn]
	params := r.decl().Params
	for i, a := range args {
		d, ok := lambdaAt(f, a.X)
		if !ok || len(params) == 0 {
			continue
		}
		typ := params[min(i, len(params)-1)].Type
		if typ != lang.None {
			ac.conformTo(ac.ev.eval(r.f, typ), exprRef{r.f, typ}, f.ids[d], give)
		}
	}
}

// passElements gives what is in a container to the functions that one of its methods takes, also within the arguments of
// calls among its arguments: stream.collect(groupingBy(x -> x.f())).
func (ac *actions) passElements(f *File, args []lang.Arg, method int32, give func(sourceKey, inflow), depth int) {
	for _, a := range args {
		if a.X == lang.None {
			continue
		}
		if d, ok := lambdaAt(f, a.X); ok {
			params := f.Facts.Decls[d].Params
			for i := range params {
				key := lang.Values
				if i == 0 && len(params) > 1 && ac.containers.keyed(f, method) {
					key = lang.Keys
				}
				give(sourceKey{kind: sourceParam, a: f.ids[d], b: int32(i)}, inflow{f: f, x: method, key: key})
			}
			continue
		}
		if e := f.expr(a.X); e.Op == lang.OpCall && depth < 4 {
			if vals := ac.ev.eval(f, e.X); len(vals) > 0 && !within(vals) {
				ac.passElements(f, e.Args, method, give, depth+1)
			}
		}
	}
}

// keyed tells whether a method is one of a container with keys.
func (ct *containers) keyed(f *File, method int32) bool {
	for _, v := range ct.ev.eval(f, method) {
		if v.kind == vGive && v.b&(1<<viewBits-1) == viewPlain {
			r := ct.boxes[v.a]
			if e := r.f.expr(r.x); e.Op == lang.OpApply && len(e.Args) > 1 {
				return true
			}
		}
	}
	return false
}

// lambdaAt gives the function without name that an expression is.
func lambdaAt(f *File, x int32) (int32, bool) {
	if x == lang.None {
		return 0, false
	}
	e := f.expr(x)
	return e.Decl, e.Op == lang.OpDecl && f.Facts.Decls[e.Decl].Kind == lang.Lambda
}

// hasLambda tells whether a function without name is among arguments, or among those of calls among them.
func hasLambda(f *File, args []lang.Arg, depth int) bool {
	for _, a := range args {
		if _, ok := lambdaAt(f, a.X); ok {
			return true
		}
		if a.X != lang.None && depth < 4 {
			if e := f.expr(a.X); e.Op == lang.OpCall && hasLambda(f, e.Args, depth+1) {
				return true
			}
		}
	}
	return false
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
