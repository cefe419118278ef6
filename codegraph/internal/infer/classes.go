package infer

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/mro"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// classes is the hierarchy of classes: their lookup orders, what is derived from them, and what their type parameters are.
type classes struct {
	prog       *symtab.Program
	solver     *solver.Solver
	deps       *dependencies
	ev         *evaluator
	containers *containers
	flows      *flows
	orders     map[int32]solver.ID
	mros       map[int32]*mro.Order
	orderKind  solver.Kind
}

// order gives the lookup order of a class's members.
func (cs *classes) order(c int32) *mro.Order {
	id := cs.orders[c]
	if id == 0 {
		id = cs.solver.Add(cs.orderKind, 0, c)
		cs.orders[c] = id
	}
	cs.solver.Read(id)
	if m := cs.mros[c]; m != nil {
		return m
	}
	return mro.Alone(c) // a class under its own bases
}

// reorder computes the lookup order of a class again.
func (cs *classes) reorder(c *solver.Cell) []value.Value {
	if m, old := cs.findOrder(c.Arg), cs.mros[c.Arg]; old == nil || !m.Equal(old) {
		if cs.solver.Changing(c) || old == nil {
			cs.mros[c.Arg] = m
			cs.solver.Fire(c)
		}
	}
	return nil
}

// findOrder computes the lookup order of a class.
func (cs *classes) findOrder(c int32) *mro.Order {
	r := cs.prog.Decls[c]
	var bases []int32
	open := false
	exprs := make([]exprRef, 0, len(r.Decl().Bases))
	for _, x := range r.Decl().Bases {
		exprs = append(exprs, exprRef{r.F, x})
	}
	for _, g := range cs.flows.inflows(sourceKey{kind: sourceBase, a: c}) {
		exprs = append(exprs, g.expr())
	}
	for _, x := range exprs {
		vals := cs.ev.eval(x.f, x.x)
		known := false
		for _, v := range vals {
			if (v.Kind == value.Class || v.Kind == value.Inst) && v.A != c {
				known = true
				if !slices.Contains(bases, v.A) {
					bases = append(bases, v.A)
				}
			}
		}
		if e := x.f.Expr(x.x); !known && !(e.Op == lang.OpName && plainBase[e.Name]) {
			open = true
		}
	}
	above := make([]*mro.Order, 0, len(bases))
	for _, b := range bases {
		above = append(above, cs.order(b))
	}
	var m *mro.Order
	if r.F.Rules.Linear {
		m = mro.Linear(c, bases, above)
	} else {
		m = mro.Nearest(c, above)
	}
	m.Open = m.Open || open
	return m
}

// derivedFrom lists the classes derived from a class, the nearest first; nil when there are too many.
func (cs *classes) derivedFrom(c int32) []int32 {
	all := []int32{c}
	for i := 0; i < len(all); i++ {
		for _, g := range cs.flows.inflows(sourceKey{kind: sourceDerived, a: all[i]}) {
			if slices.Contains(all, g.decl) {
				continue
			}
			if len(all) > maxDerived {
				return nil
			}
			all = append(all, g.decl)
		}
	}
	return all[1:]
}

// onlyAbstract gives the one method without a body that a class has, where it has just one.
func (cs *classes) onlyAbstract(class int32) (int32, bool) {
	found, n := int32(0), 0
	for _, c := range cs.order(class).Classes {
		r := cs.prog.Decls[c]
		if r.Decl().Flags&lang.Interface == 0 {
			continue
		}
		cs.deps.watch(r.F, r.D)
		for i := r.D + 1; int(i) < len(r.F.Facts.Decls) && r.F.Facts.Decls[i].Span.Start < r.Decl().Span.End; i++ {
			d := &r.F.Facts.Decls[i]
			if d.Parent != r.D || d.Kind != lang.Function || d.Flags&lang.Interface == 0 || r.F.Rules.Universal[d.Name] {
				continue
			}
			if n > 0 && cs.prog.Decls[found].Decl().Name == d.Name {
				continue // the base interface's, declared again
			}
			found = r.F.IDs[i]
			n++
		}
	}
	return found, n == 1
}

// plainBase are bases that add no members anyone calls by accident.
var plainBase = map[string]bool{"object": true, "Generic": true, "Protocol": true, "ABC": true}
