package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// An evaluator gives the values of expressions.
type evaluator struct {
	prog       *program
	modules    *modules
	solver     *solver
	names      *names
	exports    *exports
	classes    *classes
	members    *members
	containers *containers
	externals  *externals
	results    *results
	overloads  *overloads
	cells      perFile[[]cellID] // of expressions
	exprKind   cellKind
}

// An exprRef is an expression with the file it is in.
type exprRef struct {
	f *File
	x int32
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
	cells := ev.cells.of(f)
	if *cells == nil {
		*cells = make([]cellID, f.table.Len())
	}
	id := (*cells)[x]
	if id == 0 {
		id = ev.solver.add(ev.exprKind, f.index, x)
		(*cells)[x] = id
	}
	return ev.solver.read(id)
}

// replace keeps the cells of expressions that are still there.
func (ev *evaluator) replace(e *edit) {
	cells := ev.cells.of(e.f)
	old := *cells
	if old == nil {
		return
	}
	*cells = make([]cellID, e.f.table.Len())
	for x, id := range old {
		switch to := e.moved[x]; {
		case id == 0:
		case to == lang.None:
			e.stale.add(id)
			ev.solver.kill(id)
		default:
			(*cells)[to] = id
			ev.solver.rekey(id, to)
		}
	}
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

// isThis tells whether an expression is the receiver.
func (ev *evaluator) isThis(r exprRef) bool {
	x := r.f.expr(r.x)
	return x.Op == lang.OpThis || x.Op == lang.OpName && ev.names.isReceiver(r.f, x)
}

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

func (ev *evaluator) declValue(d int32, lvl uint8) value {
	switch ev.prog.decls[d].decl().Kind {
	case lang.Class:
		return value{kind: vClass, a: d, lvl: lvl}
	case lang.Namespace:
		return value{kind: vSpace, a: d, lvl: lvl}
	}
	return value{kind: vFunc, a: d, lvl: lvl}
}

// instances gives what is of a type: an instance of a class, or a container or function itself.
func (ev *evaluator) instances(vals []value) []value {
	var out []value
	for _, v := range vals {
		switch v.kind {
		case vClass:
			if ev.prog.decls[v.a].decl().Flags&lang.AliasType != 0 {
				out = union(out, ev.containers.elements(v, "")...)
				continue
			}
			out = append(out, value{kind: vInst, a: v.a, b: v.b, lvl: max(v.lvl, model.LevelMember), bound: v.bound, fixed: v.fixed})
		case vType:
			out = append(out, value{kind: vClass, a: v.a, lvl: max(v.lvl, model.LevelMember)})
		case vInst, vBox, vExternal, vFunc, vParam, vMany:
			out = append(out, v)
		}
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

// pointed gives what a value points to or holds.
func (ev *evaluator) pointed(v value, operator string) []value {
	switch v.kind {
	case vExternal:
		if v.a == 0 {
			break
		}
		if o := ev.externals.outsides[v.a-1]; strings.HasSuffix(o.name, "*") {
			name := strings.TrimSuffix(o.name, "*")
			if !strings.HasSuffix(name, "*") {
				name = strings.TrimPrefix(name, lang.ConstType)
			}
			w := ev.externals.outside(o.rules, name)
			w.lvl = max(w.lvl, v.lvl)
			return []value{w}
		}
	case vBox:
		if v.bound {
			v.bound = false
			break
		}
		return ev.containers.elementsAt(v, "", model.LevelMember)
	case vInst:
		if v.bound {
			v.bound = false
			break
		}
		if operator == "" {
			break
		}
		for _, c := range ev.classes.order(v.a).order {
			out, ok := ev.members.own(c, v, operator, model.LevelMember, false)
			if !ok {
				continue
			}
			var held []value
			for _, m := range out {
				held = union(held, ev.results.result(m)...)
			}
			return held
		}
	}
	return []value{v}
}
