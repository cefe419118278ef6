package link

import (
	"slices"
	"strconv"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// A class with type arguments is a value whose b is one more than the box of the expression that gives them. Its members
// speak of its type parameters; what these stand for is put in when a member is looked up or called on an instance.

const (
	maxGeneric  = 8  // classes between one and that whose type parameters are asked for
	maxTypeArgs = 16 // type arguments of one class
)

// typeParam gives a type parameter and what bounds it.
func (ev *evaluator) typeParam(f *File, e *lang.Expr) []value {
	n, err := strconv.Atoi(e.Name)
	if err != nil || n < 0 || n >= maxTypeArgs {
		n = maxTypeArgs // one of which nothing is known
	}
	var out []value
	if len(e.Args) > 0 {
		out = ev.eval(f, e.Args[0].X)
	}
	for _, v := range ev.eval(f, e.X) {
		if v.kind == vClass {
			out = union(out, value{kind: vParam, a: v.a, b: int32(n), lvl: model.LevelScope})
		}
	}
	return out
}

// withArgs gives classes the type arguments of expression x.
func (ev *evaluator) withArgs(f *File, x int32, vals []value) []value {
	if !slices.ContainsFunc(vals, func(v value) bool { return v.kind == vClass }) {
		return vals
	}
	vals = slices.Clone(vals)
	for i := range vals {
		if vals[i].kind == vClass {
			vals[i].b = ev.containers.box(f, x) + 1
		}
	}
	return vals
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

// filled puts what they stand for on an instance, or a class, in the place of type parameters. What bounds them is left
// out where the class that is put in is under it.
func (cs *classes) filled(vals []value, recv value) []value {
	if recv.kind != vInst && recv.kind != vClass || !generic(vals) {
		return vals
	}
	var out, rest []value
	for _, v := range vals {
		switch {
		case v.kind == vParam:
			if w := cs.typeArg(recv, v, 0); len(w) > 0 {
				out = union(out, weaken(w, v.lvl)...)
			} else {
				rest = append(rest, v)
			}
		case v.kind == vInst && v.b != 0 && v.a == recv.a && cs.ownParams(v): // the class of its own parameters
			v.b = recv.b
			rest = append(rest, v)
		default:
			rest = append(rest, v)
		}
	}
	for _, v := range rest {
		bound := v.kind == vExternal && len(out) > 0 || v.kind == vInst && slices.ContainsFunc(out, func(w value) bool {
			return w.kind == vInst && w.a != v.a && slices.Contains(cs.order(w.a).order, v.a)
		})
		if !bound {
			out = union(out, v)
		}
	}
	return out
}

// typeArg gives what the type parameter p stands for on an instance: by its type arguments, or by those that a class on the
// way names for its base.
func (cs *classes) typeArg(recv, p value, depth int) []value {
	if depth > maxGeneric {
		return nil
	}
	if recv.a == p.a {
		if recv.b == 0 {
			return nil
		}
		r := cs.containers.boxes[recv.b-1]
		if r.x == lang.None {
			return nil
		}
		e := r.f.expr(r.x)
		if int(p.b) >= len(e.Args) {
			return nil
		}
		return cs.ev.instances(cs.ev.eval(r.f, e.Args[p.b].X))
	}
	c := cs.prog.decls[recv.a]
	bases := make([]exprRef, 0, len(c.decl().Bases))
	for _, x := range c.decl().Bases {
		bases = append(bases, exprRef{c.f, x})
	}
	for _, g := range cs.flows.inflows(sourceKey{kind: sourceBase, a: recv.a}) {
		bases = append(bases, g.expr())
	}
	for _, b := range bases {
		for _, w := range cs.ev.eval(b.f, b.x) {
			if w.kind != vClass && w.kind != vInst || w.a == recv.a || !slices.Contains(cs.order(w.a).order, p.a) {
				continue
			}
			args := cs.typeArg(w, p, depth+1)
			if recv.b == 0 || !slices.ContainsFunc(args, func(v value) bool { return v.kind == vParam }) {
				return args
			}
			var out []value
			for _, v := range args { // the base is given the class's own parameters
				if v.kind == vParam && v.a == recv.a {
					out = union(out, cs.typeArg(recv, v, depth+1)...)
				} else {
					out = union(out, v)
				}
			}
			return out
		}
	}
	return nil
}

// ownParams tells whether an instance has the parameters of its class for type arguments.
func (cs *classes) ownParams(v value) bool {
	r := cs.containers.boxes[v.b-1]
	if r.x == lang.None {
		return false
	}
	for i, a := range r.f.expr(r.x).Args {
		if !slices.ContainsFunc(cs.ev.eval(r.f, a.X), func(w value) bool { return w.kind == vParam && w.a == v.a && int(w.b) == i }) {
			return false
		}
	}
	return true
}
