package infer

import (
	"slices"
	"strconv"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// A class with type arguments is a value whose B is one more than the box of the expression that gives them. Its members
// speak of its type parameters; what these stand for is put in when a member is looked up or called on an instance.

const (
	maxGeneric  = 8  // classes between one and that whose type parameters are asked for
	maxTypeArgs = 16 // type arguments of one class
)

// typeParam gives a type parameter and what bounds it.
func (ev *evaluator) typeParam(f *symtab.File, e *lang.Expr) []value.Value {
	n, err := strconv.Atoi(e.Name)
	if err != nil || n < 0 || n >= maxTypeArgs {
		n = maxTypeArgs // one of which nothing is known
	}
	var out []value.Value
	if len(e.Args) > 0 {
		out = ev.eval(f, e.Args[0].X)
	}
	for _, v := range ev.eval(f, e.X) {
		if v.Kind == value.Class {
			out = value.Union(out, value.Value{Kind: value.Param, A: v.A, B: int32(n), Level: model.LevelScope})
		}
	}
	return out
}

// withArgs gives classes the type arguments of expression x.
func (ev *evaluator) withArgs(f *symtab.File, x int32, vals []value.Value) []value.Value {
	if !slices.ContainsFunc(vals, func(v value.Value) bool { return v.Kind == value.Class }) {
		return vals
	}
	vals = slices.Clone(vals)
	for i := range vals {
		if vals[i].Kind == value.Class {
			vals[i].B = ev.containers.box(f, x) + 1
		}
	}
	return vals
}

// applied gives a type with type arguments: the class where it is in the repository, else a container of them.
func (ev *evaluator) applied(f *symtab.File, x int32) []value.Value {
	e := f.Expr(x)
	vals := ev.eval(f, e.X)
	if value.AnyWithin(vals) {
		return ev.withArgs(f, x, vals)
	}
	if f.Rules.Outside == nil { // nothing is known of what is in it
		return vals
	}
	return []value.Value{{Kind: value.Box, A: ev.containers.box(f, x), Level: model.LevelScope}}
}

// filled puts what they stand for on an instance, or a class, in the place of type parameters. What bounds them is left
// out where the class that is put in is under it.
func (cs *classes) filled(vals []value.Value, recv value.Value) []value.Value {
	if recv.Kind != value.Inst && recv.Kind != value.Class || !value.Generic(vals) {
		return vals
	}
	var out, rest []value.Value
	for _, v := range vals {
		switch {
		case v.Kind == value.Param:
			if w := cs.typeArg(recv, v, 0); len(w) > 0 {
				out = value.Union(out, value.Weaken(w, v.Level)...)
			} else {
				rest = append(rest, v)
			}
		case v.Kind == value.Inst && v.B != 0 && v.A == recv.A && cs.ownParams(v): // the class of its own parameters
			v.B = recv.B
			rest = append(rest, v)
		default:
			rest = append(rest, v)
		}
	}
	for _, v := range rest {
		bound := v.Kind == value.External && len(out) > 0 || v.Kind == value.Inst && slices.ContainsFunc(out, func(w value.Value) bool {
			return w.Kind == value.Inst && w.A != v.A && slices.Contains(cs.order(w.A).Classes, v.A)
		})
		if !bound {
			out = value.Union(out, v)
		}
	}
	return out
}

// typeArg gives what the type parameter p stands for on an instance: by its type arguments, or by those that a class on the
// way names for its base.
func (cs *classes) typeArg(recv, p value.Value, depth int) []value.Value {
	if depth > maxGeneric {
		return nil
	}
	if recv.A == p.A {
		if recv.B == 0 {
			return nil
		}
		r := cs.containers.boxes[recv.B-1]
		if r.x == lang.None {
			return nil
		}
		e := r.f.Expr(r.x)
		if int(p.B) >= len(e.Args) {
			return nil
		}
		return cs.ev.instances(cs.ev.eval(r.f, e.Args[p.B].X))
	}
	c := cs.prog.Decls[recv.A]
	bases := make([]exprRef, 0, len(c.Decl().Bases))
	for _, x := range c.Decl().Bases {
		bases = append(bases, exprRef{c.F, x})
	}
	for _, g := range cs.flows.inflows(sourceKey{kind: sourceBase, a: recv.A}) {
		bases = append(bases, g.expr())
	}
	for _, b := range bases {
		for _, w := range cs.ev.eval(b.f, b.x) {
			if w.Kind != value.Class && w.Kind != value.Inst || w.A == recv.A || !slices.Contains(cs.order(w.A).Classes, p.A) {
				continue
			}
			args := cs.typeArg(w, p, depth+1)
			if recv.B == 0 || !slices.ContainsFunc(args, func(v value.Value) bool { return v.Kind == value.Param }) {
				return args
			}
			var out []value.Value
			for _, v := range args { // the base is given the class's own parameters
				if v.Kind == value.Param && v.A == recv.A {
					out = value.Union(out, cs.typeArg(recv, v, depth+1)...)
				} else {
					out = value.Union(out, v)
				}
			}
			return out
		}
	}
	return nil
}

// ownParams tells whether an instance has the parameters of its class for type arguments.
func (cs *classes) ownParams(v value.Value) bool {
	r := cs.containers.boxes[v.B-1]
	if r.x == lang.None {
		return false
	}
	for i, a := range r.f.Expr(r.x).Args {
		if !slices.ContainsFunc(cs.ev.eval(r.f, a.X), func(w value.Value) bool { return w.Kind == value.Param && w.A == v.A && int(w.B) == i }) {
			return false
		}
	}
	return true
}
