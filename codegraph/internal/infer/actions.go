package infer

import (
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// actions gives arguments to parameters, values to attributes and containers, methods and bases to classes.
type actions struct {
	prog       *symtab.Program
	solver     *solver.Solver
	ev         *evaluator
	names      *names
	classes    *classes
	members    *members
	containers *containers
	flows      *flows
	overloads  *overloads
	plans      symtab.PerFile[[]*action]
	actionKind solver.Kind
}

// An action is what one scope of a file gives.
type action struct {
	scope     int32
	calls     []int32 // expressions
	decorated []decoration
	binds     []int32
	decls     []int32 // methods written outside of their class
	derived   []int32 // classes with bases
	given     []given
	cell      solver.ID
	held      bool // it may give less than before, which is seen to when all is known
}

// A decoration is what a decorator is applied to.
type decoration struct{ by, of int32 }

// plan sorts what a file gives by scope.
func (ac *actions) plan(f *symtab.File) {
	at := map[int32]*action{}
	var order []*action
	get := func(scope int32) *action {
		a := at[scope]
		if a == nil {
			a = &action{scope: scope}
			at[scope] = a
			order = append(order, a)
		}
		return a
	}
	for r := range f.Table.Refs() {
		switch {
		case r.Kind == lang.Decorator:
			a := get(r.Scope)
			a.decorated = append(a.decorated, decoration{r.X, r.Decl})
		case r.Kind == lang.Call && f.Table.NumArgs(r.X) > 0 && (!f.Rules.Declared || hasLambda(f, f.Table.Args(r.X), 0)):
			a := get(r.Scope)
			a.calls = append(a.calls, r.X)
		}
	}
	for i := range f.Facts.Bindings {
		b := &f.Facts.Bindings[i]
		if b.Target == lang.None {
			continue
		}
		a := get(b.Scope)
		a.binds = append(a.binds, int32(i))
		if c, ok := ac.names.ownClass(f, b); ok {
			ac.members.ownAttrs[attrKey{c, b.Name}] = true
		}
	}
	for i := range f.Facts.Decls {
		if f.Facts.Decls[i].Receiver != "" {
			a := get(f.Facts.Decls[i].Parent)
			a.decls = append(a.decls, int32(i))
		}
		if f.Rules.Derived && len(f.Facts.Decls[i].Bases) > 0 {
			a := get(f.Facts.Decls[i].Parent)
			a.derived = append(a.derived, int32(i))
		}
	}
	*ac.plans.Of(f) = order
	for i, a := range order {
		a.cell = ac.solver.Add(ac.actionKind, f.Index, int32(i))
	}
}

// act finds what an action gives, and passes on what changed since it was last asked.
func (ac *actions) act(c *solver.Cell) []value.Value {
	f := ac.prog.Files[c.File]
	a := (*ac.plans.Of(f))[c.Arg]
	var out []given
	give := func(k sourceKey, g inflow) {
		out = append(out, given{ac.flows.sourceCell(k), g})
	}
	for _, i := range a.decls {
		d := &f.Facts.Decls[i]
		for _, v := range ac.names.owners(f, d) {
			give(sourceKey{kind: sourceMethod, a: v, name: d.Name}, inflow{f: f, x: lang.None, decl: f.IDs[i]})
		}
	}
	for _, i := range a.derived {
		for _, x := range f.Facts.Decls[i].Bases {
			for _, v := range ac.ev.eval(f, x) {
				if v.Kind == value.Class && v.A != f.IDs[i] {
					give(sourceKey{kind: sourceDerived, a: v.A}, inflow{f: f, x: lang.None, decl: f.IDs[i]})
				}
			}
		}
	}
	for _, i := range a.binds {
		if b := &f.Facts.Bindings[i]; b.Kind == lang.Conform {
			ac.conform(f, b.Target, b.Value, give)
			continue
		}
		ac.assign(f, &f.Facts.Bindings[i], give)
	}
	passed := func(callee int32, args []lang.Arg) {
		for _, v := range ac.overloads.fitting(f, ac.ev.eval(f, callee), args) {
			ac.pass(f, args, v, give)
		}
	}
	for _, x := range a.calls {
		if f.Rules.Declared {
			ac.passTyped(f, x, give)
			continue
		}
		passed(f.Table.Operand(x), f.Table.Args(x))
	}
	for _, d := range a.decorated {
		if f.Rules.Declared {
			ac.passTyped(f, d.by, give)
			continue
		}
		passed(d.by, []lang.Arg{{X: d.of}})
	}
	ac.flows.deliver(f, a, out)
	return nil
}

// release takes back what actions no longer give, now that everything is known, and tells whether there was any.
func (ac *actions) release(stale *solver.Cone) bool {
	found := false
	for _, id := range ac.flows.held {
		c := ac.solver.Cell(id)
		if c.Kind != ac.actionKind {
			continue
		}
		a := (*ac.plans.Of(ac.prog.Files[c.File]))[c.Arg]
		if !a.held {
			continue
		}
		a.held = false
		ac.flows.final = true
		ac.solver.Run(id)
		ac.flows.final = false
		for _, k := range ac.flows.withdrawn {
			found = true
			ac.flows.lost(k, stale)
		}
		ac.flows.withdrawn = nil
	}
	ac.flows.held = nil
	return found
}

// assign gives what a binding sets on another object, or says of a class.
func (ac *actions) assign(f *symtab.File, b *lang.Binding, give func(sourceKey, inflow)) {
	g := inflow{f: f, x: b.Value}
	for _, v := range ac.ev.eval(f, b.Target) {
		switch {
		case b.Kind == lang.Extend:
			if v.Kind == value.Class {
				give(sourceKey{kind: sourceBase, a: v.A}, g)
			}
		case v.Kind == value.Inst && b.Kind != lang.Store && !ofOwner(f, b) && !ac.members.hasMember(v.A, ac.members.fieldAt(v.A, b.Name)):
		case (v.Kind == value.Inst || v.Kind == value.Class) && b.Kind != lang.Store:
			give(sourceKey{kind: sourceAttr, a: v.A, name: ac.members.fieldAt(v.A, b.Name)}, g)
		case v.Kind == value.Func && b.Kind != lang.Store && f.Rules.Objects:
			give(sourceKey{kind: sourceAttr, a: v.A, name: b.Name}, g)
		case v.Kind == value.Box && (b.Kind == lang.Store || f.Rules.Objects):
			g := g
			g.key = b.Name
			give(sourceKey{kind: sourceBox, a: v.A}, g)
		}
	}
}

// ofOwner tells whether a binding is in a method written outside of its class, and sets a member of the receiver.
func ofOwner(f *symtab.File, b *lang.Binding) bool {
	t := f.Expr(b.Target)
	if t.Op != lang.OpInstance {
		return false
	}
	for s := b.Scope; s != lang.File; s = f.Facts.Decls[s].Parent {
		if d := &f.Facts.Decls[s]; d.Receiver != "" {
			return d.Owner == t.X
		}
	}
	return false
}

// replace plans the actions of a file anew. What they gave and is still there keeps its place under another number.
func (ac *actions) replace(e *edit) {
	old := *ac.plans.Of(e.f)
	ac.flows.moveInflows(e, old)
	given := map[int32]*action{}
	for _, a := range old {
		given[e.old.ScopeID(a.scope)] = a
	}
	ac.plan(e.f)
	for i, a := range *ac.plans.Of(e.f) {
		s := e.f.ScopeID(a.scope)
		if o := given[s]; o != nil {
			delete(given, s)
			ac.solver.Kill(a.cell)
			a.cell, a.given = o.cell, o.given
			ac.solver.Rekey(a.cell, int32(i))
		}
		e.stale.Extend()
		e.stale.Add(a.cell)
	}
	for _, o := range given { // the scope is gone
		for _, g := range o.given {
			ac.flows.take(g, e.stale)
		}
		e.stale.Add(o.cell)
		ac.solver.Kill(o.cell)
	}
}
