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

// An evaluator gives the values of expressions.
type evaluator struct {
	prog       *symtab.Program
	modules    *modules.Modules
	solver     *solver.Solver
	names      *names
	exports    *exports
	classes    *classes
	members    *members
	containers *containers
	externals  *externals
	results    *results
	overloads  *overloads
	cells      symtab.PerFile[[]solver.ID] // of expressions
	exprKind   solver.Kind
}

// An exprRef is an expression with the file it is in.
type exprRef struct {
	f *symtab.File
	x int32
}

// eval gives what an expression may be; nil when nothing is known. Only expressions that others are built on have cells
// of their own: a long chain of calls is then followed once, not once for each of its links.
func (ev *evaluator) eval(f *symtab.File, x int32) []value.Value {
	if x == lang.None {
		return nil
	}
	switch e := f.Expr(x); e.Op {
	case lang.OpCall, lang.OpIndex, lang.OpDeref, lang.OpElem, lang.OpMembers, lang.OpReturn, lang.OpAny, lang.OpInstance:
	case lang.OpAttr:
		if o := f.Expr(e.X); o.Op != lang.OpAttr || f.Table.Op(o.X) != lang.OpAttr {
			return ev.evalOp(f, x)
		}
	case lang.OpElse:
		if f.Table.Op(e.X) == lang.OpName {
			return ev.evalOp(f, x)
		}
	default:
		return ev.evalOp(f, x)
	}
	cells := ev.cells.Of(f)
	if *cells == nil {
		*cells = make([]solver.ID, f.Table.Len())
	}
	id := (*cells)[x]
	if id == 0 {
		id = ev.solver.Add(ev.exprKind, f.Index, x)
		(*cells)[x] = id
	}
	return ev.solver.Read(id)
}

// replace keeps the cells of expressions that are still there.
func (ev *evaluator) replace(e *edit) {
	cells := ev.cells.Of(e.f)
	old := *cells
	if old == nil {
		return
	}
	*cells = make([]solver.ID, e.f.Table.Len())
	for x, id := range old {
		switch to := e.moved[x]; {
		case id == 0:
		case to == lang.None:
			e.stale.Add(id)
			ev.solver.Kill(id)
		default:
			(*cells)[to] = id
			ev.solver.Rekey(id, to)
		}
	}
}

func (ev *evaluator) evalOp(f *symtab.File, x int32) []value.Value {
	e := f.Expr(x)
	switch e.Op {
	case lang.OpName:
		return ev.names.name(f, e.Scope, e.Name)
	case lang.OpAttr:
		var out []value.Value
		for _, v := range ev.eval(f, e.X) {
			if v.Kind == value.External {
				out = value.Union(out, ev.externals.outsideMember(f.Rules, v, e.Name))
				continue
			}
			if v.Bound && v.Kind == value.Inst && strings.HasPrefix(e.Name, "operator") && f.Table.Op(e.X) != lang.OpThis {
				continue // operators of pointers are the language's
			}
			out = value.Union(out, ev.classes.filled(ev.members.attr(v, e.Name, model.LevelMember), v)...)
		}
		return out
	case lang.OpParam:
		return ev.typeParam(f, &e)
	case lang.OpPointer:
		vals := slices.Clone(ev.eval(f, e.X))
		for i := range vals {
			switch v := vals[i]; v.Kind {
			case value.Class, value.Inst, value.Box:
				vals[i].Bound = true
			case value.External:
				if v.A != 0 {
					o := ev.externals.outsides[v.A-1]
					vals[i] = ev.externals.outside(o.rules, o.name+"*")
					vals[i].Level = v.Level
				}
			}
		}
		return vals
	case lang.OpConst:
		vals := slices.Clone(ev.eval(f, e.X))
		for i := range vals {
			if vals[i].Kind == value.Class || vals[i].Kind == value.Inst {
				vals[i].Fixed = true
			}
		}
		return vals
	case lang.OpCall:
		return ev.called(f, x)
	case lang.OpApply:
		return ev.applied(f, x)
	case lang.OpDeref:
		var out []value.Value
		for _, v := range ev.eval(f, e.X) {
			out = value.Union(out, ev.pointed(v, e.Name)...)
		}
		return out
	case lang.OpMembers:
		var out []value.Value
		for _, v := range ev.eval(f, e.X) {
			out = value.Union(out, ev.members.members(v, e.Name)...)
		}
		return out
	case lang.OpReturn:
		var out []value.Value
		for _, v := range ev.eval(f, e.X) {
			if v.Kind == value.Func {
				out = value.Union(out, ev.results.result(v)...)
			} else {
				out = value.Union(out, v)
			}
		}
		return out
	case lang.OpIndex, lang.OpElem:
		var out []value.Value
		for _, v := range ev.eval(f, e.X) {
			out = value.Union(out, ev.containers.elements(v, e.Name)...)
		}
		return out
	case lang.OpDecl:
		if e.X != lang.None {
			return ev.names.decorated(f, e.Decl, e.X)
		}
		return []value.Value{ev.declValue(f.IDs[e.Decl], model.LevelScope)}
	case lang.OpHeld:
		return value.Weaken(ev.eval(f, e.X), model.LevelFlow)
	case lang.OpTypeOf:
		var out []value.Value
		for _, v := range ev.eval(f, e.X) {
			switch v.Kind {
			case value.Class:
				v.Kind = value.Type
				out = append(out, v)
			case value.Func, value.Box, value.Inst:
				out = append(out, v)
			}
		}
		return out
	case lang.OpClass:
		vals := ev.eval(f, e.X)
		notClass := func(v value.Value) bool { return v.Kind != value.Class && v.Kind != value.Type }
		if !slices.ContainsFunc(vals, notClass) || !slices.ContainsFunc(vals, func(v value.Value) bool { return !notClass(v) }) {
			return vals
		}
		return slices.DeleteFunc(slices.Clone(vals), notClass)
	case lang.OpInstance:
		var out []value.Value
		for _, v := range ev.eval(f, e.X) {
			out = value.Union(out, ev.instances([]value.Value{v})...)
		}
		return out
	case lang.OpThis:
		if c, static, ok := ev.names.classAround(f, e.Scope); ok {
			k := value.Inst
			if static {
				k = value.Class
			}
			return []value.Value{{Kind: k, Bound: f.Rules.Includes, Fixed: ev.names.constant(f, e.Scope), A: c, Level: model.LevelScope}}
		}
	case lang.OpSuper:
		if c, _, ok := ev.names.classAround(f, e.Scope); ok {
			return []value.Value{{Kind: value.Super, A: c, B: c, Level: model.LevelScope}}
		}
	case lang.OpList, lang.OpDict, lang.OpTuple:
		return []value.Value{{Kind: value.Box, A: ev.containers.box(f, x), Level: model.LevelScope}}
	case lang.OpAny:
		var out []value.Value
		for _, a := range e.Args {
			out = value.Union(out, ev.eval(f, a.X)...)
		}
		return out
	case lang.OpElse:
		return ev.either(f, e)
	case lang.OpModule:
		if n, ok := ev.modules.Named(f, e.Name); ok {
			out := []value.Value{{Kind: value.Module, A: n, Level: model.LevelImport}}
			if f.Rules.Objects { // what the module gives may itself be called
				out = value.Union(out, value.Weaken(ev.exports.exported(n, "default"), model.LevelImport)...)
			}
			return out
		}
		return []value.Value{{Kind: value.External}}
	case lang.OpExternal:
		return []value.Value{ev.externals.outside(f.Rules, e.Name)}
	case lang.OpString:
		return []value.Value{{Kind: value.External}}
	}
	return nil
}

// isThis tells whether an expression is the receiver.
func (ev *evaluator) isThis(r exprRef) bool {
	x := r.f.Expr(r.x)
	return x.Op == lang.OpThis || x.Op == lang.OpName && ev.names.isReceiver(r.f, x)
}

// either gives what an expression leads to within the repository, else what the other one does.
func (ev *evaluator) either(f *symtab.File, e lang.Expr) []value.Value {
	vals := ev.eval(f, e.X)
	if value.AnyWithin(vals) || len(e.Args) == 0 {
		return vals
	}
	if other := ev.eval(f, e.Args[0].X); len(other) > 0 {
		return other
	}
	return vals
}

func (ev *evaluator) declValue(d int32, lvl uint8) value.Value {
	switch ev.prog.Decls[d].Decl().Kind {
	case lang.Class:
		return value.Value{Kind: value.Class, A: d, Level: lvl}
	case lang.Namespace:
		return value.Value{Kind: value.Space, A: d, Level: lvl}
	}
	return value.Value{Kind: value.Func, A: d, Level: lvl}
}

// instances gives what is of a type: an instance of a class, or a container or function itself.
func (ev *evaluator) instances(vals []value.Value) []value.Value {
	var out []value.Value
	for _, v := range vals {
		switch v.Kind {
		case value.Class:
			if ev.prog.Decls[v.A].Decl().Flags&lang.AliasType != 0 {
				out = value.Union(out, ev.containers.elements(v, "")...)
				continue
			}
			out = append(out, value.Value{Kind: value.Inst, A: v.A, B: v.B, Level: max(v.Level, model.LevelMember), Bound: v.Bound, Fixed: v.Fixed})
		case value.Type:
			out = append(out, value.Value{Kind: value.Class, A: v.A, Level: max(v.Level, model.LevelMember)})
		case value.Inst, value.Box, value.External, value.Func, value.Param, value.Many:
			out = append(out, v)
		}
	}
	return out
}

// called gives what a call in f gives.
func (ev *evaluator) called(f *symtab.File, x int32) []value.Value {
	e := f.Expr(x)
	var out []value.Value
	for _, v := range ev.overloads.fitting(f, ev.overloads.callees(f, e.X, e.Args), e.Args) {
		switch {
		case v.Kind == value.Give && lang.Member(v.B>>viewBits)&(lang.Mapped|lang.Flat) != 0:
			out = value.Union(out, value.Value{Kind: value.Box, A: ev.containers.box(f, x), Level: max(v.Level, model.LevelContainer)})
		case v.Kind == value.External && f.Table.Op(e.X) == lang.OpName:
			out = value.Union(out, value.Value{Kind: value.External, Level: v.Level}) // a function of that name, no type
		default:
			out = value.Union(out, ev.results.handed(f, e.X, v, ev.results.result(v))...)
			out = value.Union(out, ev.results.handedBack(f, v, e.Args)...)
		}
	}
	return out
}

// pointed gives what a value points to or holds.
func (ev *evaluator) pointed(v value.Value, operator string) []value.Value {
	switch v.Kind {
	case value.External:
		if v.A == 0 {
			break
		}
		if o := ev.externals.outsides[v.A-1]; strings.HasSuffix(o.name, "*") {
			name := strings.TrimSuffix(o.name, "*")
			if !strings.HasSuffix(name, "*") {
				name = strings.TrimPrefix(name, lang.ConstType)
			}
			w := ev.externals.outside(o.rules, name)
			w.Level = max(w.Level, v.Level)
			return []value.Value{w}
		}
	case value.Box:
		if v.Bound {
			v.Bound = false
			break
		}
		return ev.containers.elementsAt(v, "", model.LevelMember)
	case value.Inst:
		if v.Bound {
			v.Bound = false
			break
		}
		if operator == "" {
			break
		}
		for _, c := range ev.classes.order(v.A).Classes {
			out, ok := ev.members.own(c, v, operator, model.LevelMember, false)
			if !ok {
				continue
			}
			var held []value.Value
			for _, m := range out {
				held = value.Union(held, ev.results.result(m)...)
			}
			return held
		}
	}
	return []value.Value{v}
}
