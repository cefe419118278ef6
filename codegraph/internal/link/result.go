package link

import (
	"iter"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// result gives what calling a value gives.
func (rs *results) result(v value) []value {
	switch v.kind {
	case vExternal, vMany:
		return []value{v}
	case vClass:
		return []value{{kind: vInst, bound: v.bound, a: v.a, b: v.b, lvl: v.lvl}}
	case vInst:
		f := rs.prog.decls[v.a].f
		if f.rules.Call == "" {
			return nil
		}
		var out []value
		for _, m := range rs.members.attr(v, f.rules.Call, model.LevelMember) {
			if m.kind == vFunc {
				out = union(out, rs.result(m)...)
			}
		}
		return out
	case vFunc:
		id := rs.results[v.a]
		if id == 0 {
			id = rs.solver.add(rs.resultKind, 0, v.a)
			rs.results[v.a] = id
		}
		out := weaken(rs.solver.read(id), v.lvl)
		if v.b != 0 { // the receiver itself, which is of a class under the method's own
			out = slices.Clone(out)
			own := rs.prog.decls[v.a]
			for i := range out {
				if p := own.decl().Parent; p != lang.File && out[i].kind == vInst && out[i].a == own.f.ids[p] {
					out[i].a, out[i].b = v.b-1, 0
				}
			}
		}
		return out
	case vOver:
		var out []value
		all, _ := rs.overloads.overloads(v)
		for _, w := range all {
			out = union(out, rs.result(w)...)
		}
		return out
	case vGive:
		return rs.containers.gives(v)
	}
	return nil
}

// ownParam tells which parameter of a function an expression in it is, when it is nothing else: what such a function
// gives back is what each call gives to it, not what all calls do.
func (rs *results) ownParam(d int32, r exprRef) (int, bool) {
	if r.x == lang.None {
		return 0, false
	}
	e, o := r.f.expr(r.x), rs.prog.decls[d]
	if e.Op != lang.OpName || o.f != r.f || e.Scope != o.d {
		return 0, false
	}
	n := r.f.lookup(o.d, e.Name)
	if n == nil || n.param < 0 || n.decls+n.imports+n.binds > 0 {
		return 0, false
	}
	return int(n.param), o.decl().Params[n.param].Kind == lang.Plain
}

// choices yields expressions; of a choice between several, each of those.
func (rs *results) choices(exprs []exprRef) iter.Seq[exprRef] {
	return func(yield func(exprRef) bool) {
		for _, r := range exprs {
			if r.x == lang.None || r.f.expr(r.x).Op != lang.OpAny {
				if !yield(r) {
					return
				}
				continue
			}
			for _, a := range r.f.expr(r.x).Args {
				if !yield(exprRef{r.f, a.X}) {
					return
				}
			}
		}
	}
}

// handedBack gives the arguments of a call that the callee returns as they are.
func (rs *results) handedBack(f *File, v value, args []lang.Arg) []value {
	if v.kind != vFunc {
		return nil
	}
	var out []value
	for r := range rs.choices(rs.returns[v.a]) {
		if p, ok := rs.ownParam(v.a, r); ok {
			given := false
			rs.actions.arguments(args, v, func(q int, x int32) {
				if p == q {
					out, given = union(out, weaken(rs.ev.eval(f, x), model.LevelFlow)...), true
				}
			})
			if d := rs.prog.decls[v.a]; !given {
				out = union(out, weaken(rs.ev.eval(d.f, d.decl().Params[p].Def), model.LevelFlow)...)
			}
		}
	}
	return out
}

// returned gives what calling a function gives, but for what it hands back.
func (rs *results) returned(c *cell) []value {
	d := c.a
	if len(rs.yields[d]) > 0 {
		return []value{{kind: vGen, a: d, lvl: model.LevelFlow}}
	}
	var out []value
	for _, r := range rs.returnTyp[d] {
		out = union(out, weaken(rs.ev.instances(rs.ev.eval(r.f, r.x)), model.LevelMember)...)
	}
	if len(plainly(out)) > 0 && rs.prog.decls[d].f.rules.Typed || slices.ContainsFunc(out, inside) && !slices.ContainsFunc(out, func(v value) bool { return v.kind == vExternal }) {
		return out
	}
	boxed := slices.ContainsFunc(out, func(v value) bool { return v.kind == vBox })
	for r := range rs.choices(rs.returns[d]) { // a type from outside, or a container, may be that of a class that is here
		if _, ok := rs.ownParam(d, r); ok {
			continue
		}
		for _, v := range weaken(rs.ev.eval(r.f, r.x), model.LevelFlow) {
			if !boxed || inside(v) {
				out = union(out, v)
			}
		}
	}
	return out
}
