package infer

import (
	"iter"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// results gives what calls of functions give.
type results struct {
	prog       *symtab.Program
	solver     *solver.Solver
	ev         *evaluator
	names      *names
	classes    *classes
	members    *members
	containers *containers
	overloads  *overloads
	actions    *actions
	results    map[int32]solver.ID
	resultKind solver.Kind
	returns    map[int32][]exprRef
	returnTyp  map[int32][]exprRef
	yields     map[int32][]exprRef
	fluent     map[int32]bool // methods that return their receiver
}

// gather notes what the functions of a file return.
func (rs *results) gather(f *symtab.File) {
	for _, b := range f.Facts.Bindings {
		if b.Scope == lang.File {
			continue
		}
		r := exprRef{f, b.Value}
		switch d := f.IDs[b.Scope]; b.Kind {
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

// result gives what calling a value gives.
func (rs *results) result(v value.Value) []value.Value {
	switch v.Kind {
	case value.External, value.Many:
		return []value.Value{v}
	case value.Class:
		return []value.Value{{Kind: value.Inst, Bound: v.Bound, A: v.A, B: v.B, Level: v.Level}}
	case value.Inst:
		var out []value.Value
		for _, m := range rs.members.callMethods(v) {
			out = value.Union(out, rs.result(m)...)
		}
		return out
	case value.Func:
		id := rs.results[v.A]
		if id == 0 {
			id = rs.solver.Add(rs.resultKind, 0, v.A)
			rs.results[v.A] = id
		}
		out := value.Weaken(rs.solver.Read(id), v.Level)
		if v.B != 0 { // the receiver itself, which is of a class under the method's own
			out = slices.Clone(out)
			own := rs.prog.Decls[v.A]
			for i := range out {
				if p := own.Decl().Parent; p != lang.File && out[i].Kind == value.Inst && out[i].A == own.F.IDs[p] {
					out[i].A, out[i].B = v.B-1, 0
				}
			}
		}
		return out
	case value.Over:
		var out []value.Value
		all, _ := rs.overloads.overloads(v)
		for _, w := range all {
			out = value.Union(out, rs.result(w)...)
		}
		return out
	case value.Give:
		return rs.containers.gives(v)
	}
	return nil
}

// returned gives what calling a function gives, but for what it hands back.
func (rs *results) returned(c *solver.Cell) []value.Value {
	d := c.Arg
	if len(rs.yields[d]) > 0 {
		return []value.Value{{Kind: value.Gen, A: d, Level: model.LevelFlow}}
	}
	var out []value.Value
	for _, r := range rs.returnTyp[d] {
		out = value.Union(out, value.Weaken(rs.ev.instances(rs.ev.eval(r.f, r.x)), model.LevelMember)...)
	}
	if len(value.WithoutParams(out)) > 0 && rs.prog.Decls[d].F.Rules.Typed || slices.ContainsFunc(out, value.Inside) && !slices.ContainsFunc(out, func(v value.Value) bool { return v.Kind == value.External }) {
		return out
	}
	boxed := slices.ContainsFunc(out, func(v value.Value) bool { return v.Kind == value.Box })
	for r := range choices(rs.returns[d]) { // a type from outside, or a container, may be that of a class that is here
		if _, ok := ownParam(rs.prog.Decls[d], r); ok {
			continue
		}
		for _, v := range value.Weaken(rs.ev.eval(r.f, r.x), model.LevelFlow) {
			if !boxed || value.Inside(v) {
				out = value.Union(out, v)
			}
		}
	}
	return out
}

// ownParam tells which parameter of a function an expression in it is, when it is nothing else: what such a function
// gives back is what each call gives to it, not what all calls do.
func ownParam(o symtab.DeclRef, r exprRef) (int, bool) {
	if r.x == lang.None {
		return 0, false
	}
	e := r.f.Expr(r.x)
	if e.Op != lang.OpName || o.F != r.f || e.Scope != o.D {
		return 0, false
	}
	n := r.f.Lookup(o.D, e.Name)
	if n == nil || n.Param < 0 || n.Decls+n.Imports+n.Binds > 0 {
		return 0, false
	}
	return int(n.Param), o.Decl().Params[n.Param].Kind == lang.Plain
}

// choices yields expressions; of a choice between several, each of those.
func choices(exprs []exprRef) iter.Seq[exprRef] {
	return func(yield func(exprRef) bool) {
		for _, r := range exprs {
			if r.x == lang.None || r.f.Expr(r.x).Op != lang.OpAny {
				if !yield(r) {
					return
				}
				continue
			}
			for _, a := range r.f.Expr(r.x).Args {
				if !yield(exprRef{r.f, a.X}) {
					return
				}
			}
		}
	}
}

// handedBack gives the arguments of a call that the callee returns as they are.
func (rs *results) handedBack(f *symtab.File, v value.Value, args []lang.Arg) []value.Value {
	if v.Kind != value.Func {
		return nil
	}
	var out []value.Value
	for r := range choices(rs.returns[v.A]) {
		if p, ok := ownParam(rs.prog.Decls[v.A], r); ok {
			given := false
			rs.actions.arguments(args, v, func(q int, x int32) {
				if p == q {
					out, given = value.Union(out, value.Weaken(rs.ev.eval(f, x), model.LevelFlow)...), true
				}
			})
			if d := rs.prog.Decls[v.A]; !given {
				out = value.Union(out, value.Weaken(rs.ev.eval(d.F, d.Decl().Params[p].Def), model.LevelFlow)...)
			}
		}
	}
	return out
}

// handed gives what a call gives, with the type parameters of the receiver's class filled in.
func (rs *results) handed(f *symtab.File, callee int32, v value.Value, vals []value.Value) []value.Value {
	if v.Kind != value.Func || !value.Generic(vals) && !rs.fluent[v.A] {
		return vals
	}
	var recv []value.Value
	switch e := f.Expr(callee); {
	case e.Op == lang.OpAttr:
		recv = rs.ev.eval(f, e.X)
	case e.Op == lang.OpName && f.Rules.Inherit: // a member of the class around
		if c, _, ok := rs.names.classAround(f, e.Scope); ok {
			recv = []value.Value{{Kind: value.Inst, A: c}}
		}
	}
	for _, r := range recv {
		vals = rs.classes.filled(vals, r)
		if r.Kind == value.Inst && r.B != 0 && rs.fluent[v.A] { // it returns its receiver
			vals = slices.Clone(vals)
			for i := range vals {
				if vals[i].Kind == value.Inst && vals[i].A == r.A && vals[i].B == 0 {
					vals[i].B = r.B
				}
			}
		}
	}
	return vals
}

// replace notes what the functions of a file return now.
func (rs *results) replace(e *edit) {
	for _, i := range e.old.IDs {
		delete(rs.returns, i)
		delete(rs.returnTyp, i)
		delete(rs.yields, i)
		delete(rs.fluent, i)
	}
	rs.gather(e.f)
}
