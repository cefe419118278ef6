package link

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// What a parameter, an attribute, a container or a class is given elsewhere: by calls, assignments, and methods or bases
// written outside of their class. All that one scope of a file gives is one action.

type sourceKind uint8

const (
	sourceParam   sourceKind = iota // arguments: a: function, b: parameter
	sourceAttr                      // values of the attribute name: a: class
	sourceBox                       // elements: a: box
	sourceBase                      // base classes: a: class
	sourceMethod                    // methods called name: a: class
	sourceDerived                   // classes derived from it: a: class
)

type sourceKey struct {
	kind sourceKind
	a, b int32
	name string
}

// A packedSource is the key in less memory: there is one for every parameter and attribute that anything was asked of.
type packedSource struct {
	kind sourceKind
	a, b int32
	name uint32
}

// A source is all that is given to one receiver.
type source struct{ inflows []inflow }

// An inflow is one value, or a method, given to a receiver.
type inflow struct {
	f    *File
	x    int32  // expression in f
	decl int32  // for methods
	key  string // for elements
}

func (g inflow) expr() exprRef { return exprRef{g.f, g.x} }

type given struct {
	to cellID // the receiver's
	inflow
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
	cell      cellID
	held      bool // it may give less than before, which is seen to when all is known
}

// A decoration is what a decorator is applied to.
type decoration struct{ by, of int32 }

func (fl *flows) sourceCell(k sourceKey) cellID {
	p := packedSource{k.kind, k.a, k.b, fl.prog.reader.Name(k.name)}
	id := fl.sourceOf[p]
	if id == 0 {
		kind := fl.sourceKind // read for its inflows alone
		if k.kind == sourceAttr {
			kind = fl.attrKind
		}
		id = fl.solver.add(kind, 0, 0)
		fl.sourceOf[p] = id
	}
	return id
}

// source gives what is given to a receiver, for changing it.
func (fl *flows) source(id cellID) *source {
	c := fl.solver.cell(id)
	if c.a == 0 {
		c.a = int32(len(fl.sources))
		fl.sources = append(fl.sources, source{})
	}
	return &fl.sources[c.a]
}

// inflows lists what a receiver is given, in the order of files and places.
func (fl *flows) inflows(k sourceKey) []inflow {
	c := fl.solver.cell(fl.sourceCell(k))
	fl.solver.depend(c)
	return fl.sources[c.a].inflows
}

// attrValues gives what is assigned to an attribute of a class.
func (mb *members) attrValues(class int32, name string) []value {
	return mb.solver.read(mb.flows.sourceCell(sourceKey{kind: sourceAttr, a: class, name: name}))
}

// ownClass gives the class whose attribute a binding in one of its methods sets on the receiver.
func (ns *names) ownClass(f *File, b *lang.Binding) (int32, bool) {
	if x := f.expr(b.Target); b.Kind != lang.Assign || x.Op != lang.OpThis && (x.Op != lang.OpName || !ns.isReceiver(f, x)) {
		return 0, false
	}
	c, _, ok := ns.classAround(f, b.Scope)
	return c, ok
}

// assigned computes the value of such a cell.
func (fl *flows) assigned(c *cell) []value {
	var out []value
	for _, g := range fl.sources[c.a].inflows {
		out = union(out, weaken(fl.ev.eval(g.f, g.x), model.LevelFlow)...)
	}
	return out
}

func compareInflows(a, b inflow) int {
	return cmp.Or(strings.Compare(a.f.Path, b.f.Path), cmp.Compare(a.x, b.x), cmp.Compare(a.decl, b.decl), strings.Compare(a.key, b.key))
}

// planActions sorts what a file gives by scope.
func (ac *actions) planActions(f *File) {
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
	for r := range f.table.Refs() {
		switch {
		case r.Kind == lang.Decorator:
			a := get(r.Scope)
			a.decorated = append(a.decorated, decoration{r.X, r.Decl})
		case r.Kind == lang.Call && f.table.NumArgs(r.X) > 0 && (!f.rules.Declared || hasLambda(f, f.table.Args(r.X), 0)):
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
		if f.rules.Derived && len(f.Facts.Decls[i].Bases) > 0 {
			a := get(f.Facts.Decls[i].Parent)
			a.derived = append(a.derived, int32(i))
		}
	}
	f.actions = order
	for i, a := range order {
		a.cell = ac.solver.add(ac.actionKind, f.index, int32(i))
	}
}

// act finds what an action gives, and passes on what changed since it was last asked.
func (ac *actions) act(c *cell) []value {
	f := ac.prog.Files[c.file]
	a := f.actions[c.a]
	var out []given
	give := func(k sourceKey, g inflow) {
		out = append(out, given{ac.flows.sourceCell(k), g})
	}
	for _, i := range a.decls {
		d := &f.Facts.Decls[i]
		for _, v := range ac.names.owners(f, d) {
			give(sourceKey{kind: sourceMethod, a: v, name: d.Name}, inflow{f: f, x: lang.None, decl: f.ids[i]})
		}
	}
	for _, i := range a.derived {
		for _, x := range f.Facts.Decls[i].Bases {
			for _, v := range ac.ev.eval(f, x) {
				if v.kind == vClass && v.a != f.ids[i] {
					give(sourceKey{kind: sourceDerived, a: v.a}, inflow{f: f, x: lang.None, decl: f.ids[i]})
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
		if f.rules.Declared {
			ac.passTyped(f, x, give)
			continue
		}
		passed(f.table.Operand(x), f.table.Args(x))
	}
	for _, d := range a.decorated {
		if f.rules.Declared {
			ac.passTyped(f, d.by, give)
			continue
		}
		passed(d.by, []lang.Arg{{X: d.of}})
	}
	ac.flows.deliver(f, a, out)
	return nil
}

// track remembers who was given something of f, and by whom.
func (f *File) track(to cellID, by *File, a *action) {
	if f.asked == nil {
		f.asked, f.givers = map[cellID]bool{}, map[*action]bool{}
	}
	f.asked[to] = true
	if f != by {
		f.givers[a] = true
	}
}

// deliver replaces what an action gave before.
func (fl *flows) deliver(by *File, a *action, out []given) {
	slices.SortFunc(out, compareGiven)
	out = slices.Compact(out)
	if fl.holding {
		out = fl.putOff(a, out)
	}
	if slices.Equal(out, a.given) {
		return
	}
	var kept []given
	for _, g := range a.given {
		if _, ok := slices.BinarySearchFunc(out, g, compareGiven); ok {
			continue
		}
		if fl.holding && !fl.final {
			kept = append(kept, g)
			continue
		}
		s := fl.source(g.to)
		if i := slices.Index(s.inflows, g.inflow); i >= 0 {
			s.inflows = slices.Delete(slices.Clone(s.inflows), i, i+1) // somebody may be reading them
		}
		if k := (contribution{a.cell, g}); fl.final && fl.off[k] != wasOff {
			fl.withdrawn = append(fl.withdrawn, g.to)
			fl.off[k] = isOff
			continue
		}
		fl.solver.touch(g.to)
	}
	if len(kept) > 0 {
		fl.hold(a)
		defer func() {
			a.given = append(a.given, kept...)
			slices.SortFunc(a.given, compareGiven)
		}()
	}
	for _, g := range out {
		if _, ok := slices.BinarySearchFunc(a.given, g, compareGiven); ok {
			continue
		}
		s := fl.source(g.to)
		if fl.deps.tracking {
			g.f.track(g.to, by, a)
		}
		i, _ := slices.BinarySearchFunc(s.inflows, g.inflow, compareInflows)
		s.inflows = slices.Insert(s.inflows, i, g.inflow) // who reads them just now reads them again
		fl.solver.touch(g.to)
	}
	a.given = out
}

func (fl *flows) hold(a *action) {
	if !a.held {
		a.held = true
		fl.held = append(fl.held, a.cell)
	}
}

// putOff leaves out what an action of an update gave and took back in an earlier round: it often gives such a thing only until
// more is known again, which would never end. When all is known the action is asked once more, and what it still gives it gives for good.
func (fl *flows) putOff(a *action, out []given) []given {
	if len(fl.off) == 0 {
		return out
	}
	return slices.DeleteFunc(out, func(g given) bool {
		k := contribution{a.cell, g}
		switch {
		case fl.off[k] != isOff:
			return false
		case fl.final:
			fl.off[k] = wasOff
			return false
		}
		fl.hold(a)
		return true
	})
}

// A contribution is something that an action gives.
type contribution struct {
	by cellID
	given
}

// An offState says whether it is put off.
type offState uint8

const (
	notOff offState = iota
	isOff
	wasOff // it was given all the same: what follows from it, such as too many values, takes it away, and is not to be forgotten
)

func compareGiven(a, b given) int {
	return cmp.Or(cmp.Compare(a.to, b.to), compareInflows(a.inflow, b.inflow))
}

// assign gives what a binding sets on another object, or says of a class.
func (ac *actions) assign(f *File, b *lang.Binding, give func(sourceKey, inflow)) {
	g := inflow{f: f, x: b.Value}
	for _, v := range ac.ev.eval(f, b.Target) {
		switch {
		case b.Kind == lang.Extend:
			if v.kind == vClass {
				give(sourceKey{kind: sourceBase, a: v.a}, g)
			}
		case v.kind == vInst && b.Kind != lang.Store && !f.ofOwner(b) && !ac.members.hasMember(v.a, ac.members.fieldAt(v.a, b.Name)):
		case (v.kind == vInst || v.kind == vClass) && b.Kind != lang.Store:
			give(sourceKey{kind: sourceAttr, a: v.a, name: ac.members.fieldAt(v.a, b.Name)}, g)
		case v.kind == vFunc && b.Kind != lang.Store && f.rules.Objects:
			give(sourceKey{kind: sourceAttr, a: v.a, name: b.Name}, g)
		case v.kind == vBox && (b.Kind == lang.Store || f.rules.Objects):
			g := g
			g.key = b.Name
			give(sourceKey{kind: sourceBox, a: v.a}, g)
		}
	}
}

// ofOwner tells whether a binding is in a method written outside of its class, and sets a member of the receiver.
func (f *File) ofOwner(b *lang.Binding) bool {
	t := f.expr(b.Target)
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

// pass gives the arguments of one call to the parameters of one callee.
func (ac *actions) pass(f *File, args []lang.Arg, v value, give func(sourceKey, inflow)) {
	switch v.kind {
	case vClass:
		for _, m := range ac.members.constructors(f, v, args) {
			ac.pass(f, args, value{kind: vFunc, a: m.a, bound: true}, give)
		}
		return
	case vInst:
		if call := ac.prog.decls[v.a].f.rules.Call; call != "" {
			for _, m := range ac.members.attr(v, call, model.LevelMember) {
				if m.kind == vFunc {
					ac.pass(f, args, m, give)
				}
			}
		}
		return
	case vFunc:
	default:
		return
	}
	ac.arguments(args, v, func(p int, x int32) {
		if plainValue(f, x) {
			return
		}
		give(sourceKey{kind: sourceParam, a: v.a, b: int32(p)}, inflow{f: f, x: x})
		if t := ac.prog.decls[v.a].decl().Params[p].Type; t != lang.None {
			ac.handOver(f, x, ac.ev.instances(ac.ev.eval(ac.prog.decls[v.a].f, t)), give)
		}
	})
	ac.spreadArguments(f, args, v, give)
	params := ac.prog.decls[v.a].decl().Params
	last := len(params) - 1
	if last < 0 || last >= len(args) || params[last].Kind != lang.Rest || params[last].Type == lang.None {
		return
	}
	for _, list := range ac.ev.instances(ac.ev.eval(ac.prog.decls[v.a].f, params[last].Type)) {
		for i, a := range args[last:] {
			if !a.Spread && a.Name == "" && a.X != lang.None && list.kind == vBox {
				ac.handOver(f, a.X, ac.containers.elements(list, itoa(i)), give)
			}
		}
	}
}

// arguments says which argument goes to which parameter of a function.
func (ac *actions) arguments(args []lang.Arg, v value, to func(param int, x int32)) {
	d := ac.prog.decls[v.a].decl()
	next := ac.firstParam(v)
	for _, a := range args {
		if a.Spread {
			continue
		}
		if a.Name != "" {
			for p := range d.Params {
				if d.Params[p].Name == a.Name && d.Params[p].Kind != lang.Rest && d.Params[p].Kind != lang.RestNamed && a.X != lang.None {
					to(p, a.X)
				}
			}
			continue
		}
		if next < len(d.Params) && (d.Params[next].Kind == lang.Plain || d.Params[next].Kind == lang.Receiver) {
			if a.X != lang.None {
				to(next, a.X)
			}
			next++
		}
	}
}

// hasMember tells whether a class has a member of this name that can be set from outside; where a declared type does not
// say all, any name can be.
func (mb *members) hasMember(class int32, name string) bool {
	return !mb.prog.decls[class].f.rules.Typed || slices.ContainsFunc(mb.classes.order(class).order, func(c int32) bool {
		r := mb.prog.decls[c]
		return mb.deps.find(r.f, r.d, name) != nil || mb.ownAttrs[attrKey{c, name}]
	})
}

// handOver gives the parameters of a function that is passed where a function type is wanted the types that it says.
func (ac *actions) handOver(f *File, arg int32, types []value, give func(sourceKey, inflow)) {
	var want []value
	for _, w := range types {
		if w.kind == vFunc {
			want = append(want, w)
		}
	}
	if len(want) == 0 {
		return
	}
	for _, v := range ac.ev.eval(f, arg) {
		if v.kind != vFunc {
			continue
		}
		params := ac.prog.decls[v.a].decl().Params
		for _, w := range want {
			r := ac.prog.decls[w.a]
			for i, p := range r.decl().Params {
				if i < len(params) && p.Type != lang.None && p.Kind == lang.Plain && params[i].Kind == lang.Plain && params[i].Type == lang.None {
					give(sourceKey{kind: sourceParam, a: v.a, b: int32(i)}, inflow{f: r.f, x: p.Type, key: inflowInstance})
				}
			}
		}
	}
}
