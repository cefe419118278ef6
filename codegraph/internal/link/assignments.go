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

func (l *Linker) sourceCell(k sourceKey) cellID {
	p := packedSource{k.kind, k.a, k.b, l.reader.Name(k.name)}
	id := l.sourceOf[p]
	if id == 0 {
		kind := l.sourceKind // read for its inflows alone
		if k.kind == sourceAttr {
			kind = l.attrKind
		}
		id = l.add(kind, 0, 0)
		l.sourceOf[p] = id
	}
	return id
}

// source gives what is given to a receiver, for changing it.
func (l *Linker) source(id cellID) *source {
	c := l.cell(id)
	if c.a == 0 {
		c.a = int32(len(l.sources))
		l.sources = append(l.sources, source{})
	}
	return &l.sources[c.a]
}

// inflows lists what a receiver is given, in the order of files and places.
func (l *Linker) inflows(k sourceKey) []inflow {
	c := l.cell(l.sourceCell(k))
	l.depend(c)
	return l.sources[c.a].inflows
}

// attrValues gives what is assigned to an attribute of a class.
func (l *Linker) attrValues(class int32, name string) []value {
	return l.read(l.sourceCell(sourceKey{kind: sourceAttr, a: class, name: name}))
}

// ownClass gives the class whose attribute a binding in one of its methods sets on the receiver.
func (l *Linker) ownClass(f *File, b *lang.Binding) (int32, bool) {
	if x := f.expr(b.Target); b.Kind != lang.Assign || x.Op != lang.OpThis && (x.Op != lang.OpName || !l.isReceiver(f, x)) {
		return 0, false
	}
	c, _, ok := l.classAround(f, b.Scope)
	return c, ok
}

// assigned computes the value of such a cell.
func (l *Linker) assigned(c *cell) []value {
	var out []value
	for _, g := range l.sources[c.a].inflows {
		out = union(out, weaken(l.eval(g.f, g.x), model.LevelFlow)...)
	}
	return out
}

func compareInflows(a, b inflow) int {
	return cmp.Or(strings.Compare(a.f.Path, b.f.Path), cmp.Compare(a.x, b.x), cmp.Compare(a.decl, b.decl), strings.Compare(a.key, b.key))
}

// planActions sorts what a file gives by scope.
func (l *Linker) planActions(f *File) {
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
		if c, ok := l.ownClass(f, b); ok {
			l.ownAttrs[attrKey{c, b.Name}] = true
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
		a.cell = l.add(l.actionKind, f.index, int32(i))
	}
}

// act finds what an action gives, and passes on what changed since it was last asked.
func (l *Linker) act(c *cell) []value {
	f := l.Files[c.file]
	a := f.actions[c.a]
	var out []given
	give := func(k sourceKey, g inflow) {
		out = append(out, given{l.sourceCell(k), g})
	}
	for _, i := range a.decls {
		d := &f.Facts.Decls[i]
		for _, v := range l.owners(f, d) {
			give(sourceKey{kind: sourceMethod, a: v, name: d.Name}, inflow{f: f, x: lang.None, decl: f.ids[i]})
		}
	}
	for _, i := range a.derived {
		for _, x := range f.Facts.Decls[i].Bases {
			for _, v := range l.eval(f, x) {
				if v.kind == vClass && v.a != f.ids[i] {
					give(sourceKey{kind: sourceDerived, a: v.a}, inflow{f: f, x: lang.None, decl: f.ids[i]})
				}
			}
		}
	}
	for _, i := range a.binds {
		if b := &f.Facts.Bindings[i]; b.Kind == lang.Conform {
			l.conform(f, b.Target, b.Value, give)
			continue
		}
		l.assign(f, &f.Facts.Bindings[i], give)
	}
	passed := func(callee int32, args []lang.Arg) {
		for _, v := range l.fitting(f, l.eval(f, callee), args) {
			l.pass(f, args, v, give)
		}
	}
	for _, x := range a.calls {
		if f.rules.Declared {
			l.passTyped(f, x, give)
			continue
		}
		passed(f.table.Operand(x), f.table.Args(x))
	}
	for _, d := range a.decorated {
		if f.rules.Declared {
			l.passTyped(f, d.by, give)
			continue
		}
		passed(d.by, []lang.Arg{{X: d.of}})
	}
	l.deliver(f, a, out)
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
func (l *Linker) deliver(by *File, a *action, out []given) {
	slices.SortFunc(out, compareGiven)
	out = slices.Compact(out)
	if l.holding {
		out = l.putOff(a, out)
	}
	if slices.Equal(out, a.given) {
		return
	}
	var kept []given
	for _, g := range a.given {
		if _, ok := slices.BinarySearchFunc(out, g, compareGiven); ok {
			continue
		}
		if l.holding && !l.final {
			kept = append(kept, g)
			continue
		}
		s := l.source(g.to)
		if i := slices.Index(s.inflows, g.inflow); i >= 0 {
			s.inflows = slices.Delete(slices.Clone(s.inflows), i, i+1) // somebody may be reading them
		}
		if k := (contribution{a.cell, g}); l.final && l.off[k] != wasOff {
			l.withdrawn = append(l.withdrawn, g.to)
			l.off[k] = isOff
			continue
		}
		l.touch(g.to)
	}
	if len(kept) > 0 {
		l.hold(a)
		defer func() {
			a.given = append(a.given, kept...)
			slices.SortFunc(a.given, compareGiven)
		}()
	}
	for _, g := range out {
		if _, ok := slices.BinarySearchFunc(a.given, g, compareGiven); ok {
			continue
		}
		s := l.source(g.to)
		if l.tracking {
			g.f.track(g.to, by, a)
		}
		i, _ := slices.BinarySearchFunc(s.inflows, g.inflow, compareInflows)
		s.inflows = slices.Insert(s.inflows, i, g.inflow) // who reads them just now reads them again
		l.touch(g.to)
	}
	a.given = out
}

func (l *Linker) hold(a *action) {
	if !a.held {
		a.held = true
		l.held = append(l.held, a.cell)
	}
}

// putOff leaves out what an action of an update gave and took back in an earlier round: it often gives such a thing only until
// more is known again, which would never end. When all is known the action is asked once more, and what it still gives it gives for good.
func (l *Linker) putOff(a *action, out []given) []given {
	if len(l.off) == 0 {
		return out
	}
	return slices.DeleteFunc(out, func(g given) bool {
		k := contribution{a.cell, g}
		switch {
		case l.off[k] != isOff:
			return false
		case l.final:
			l.off[k] = wasOff
			return false
		}
		l.hold(a)
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
func (l *Linker) assign(f *File, b *lang.Binding, give func(sourceKey, inflow)) {
	g := inflow{f: f, x: b.Value}
	for _, v := range l.eval(f, b.Target) {
		switch {
		case b.Kind == lang.Extend:
			if v.kind == vClass {
				give(sourceKey{kind: sourceBase, a: v.a}, g)
			}
		case v.kind == vInst && b.Kind != lang.Store && !f.ofOwner(b) && !l.hasMember(v.a, l.fieldAt(v.a, b.Name)):
		case (v.kind == vInst || v.kind == vClass) && b.Kind != lang.Store:
			give(sourceKey{kind: sourceAttr, a: v.a, name: l.fieldAt(v.a, b.Name)}, g)
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
func (l *Linker) pass(f *File, args []lang.Arg, v value, give func(sourceKey, inflow)) {
	switch v.kind {
	case vClass:
		for _, m := range l.constructors(f, v, args) {
			l.pass(f, args, value{kind: vFunc, a: m.a, bound: true}, give)
		}
		return
	case vInst:
		if call := l.decls[v.a].f.rules.Call; call != "" {
			for _, m := range l.attr(v, call, model.LevelMember) {
				if m.kind == vFunc {
					l.pass(f, args, m, give)
				}
			}
		}
		return
	case vFunc:
	default:
		return
	}
	l.arguments(args, v, func(p int, x int32) {
		if plainValue(f, x) {
			return
		}
		give(sourceKey{kind: sourceParam, a: v.a, b: int32(p)}, inflow{f: f, x: x})
		if t := l.decls[v.a].decl().Params[p].Type; t != lang.None {
			l.handOver(f, x, l.instances(l.eval(l.decls[v.a].f, t)), give)
		}
	})
	l.spreadArguments(f, args, v, give)
	params := l.decls[v.a].decl().Params
	last := len(params) - 1
	if last < 0 || last >= len(args) || params[last].Kind != lang.Rest || params[last].Type == lang.None {
		return
	}
	for _, list := range l.instances(l.eval(l.decls[v.a].f, params[last].Type)) {
		for i, a := range args[last:] {
			if !a.Spread && a.Name == "" && a.X != lang.None && list.kind == vBox {
				l.handOver(f, a.X, l.elements(list, itoa(i)), give)
			}
		}
	}
}

// arguments says which argument goes to which parameter of a function.
func (l *Linker) arguments(args []lang.Arg, v value, to func(param int, x int32)) {
	d := l.decls[v.a].decl()
	next := l.firstParam(v)
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
func (l *Linker) hasMember(class int32, name string) bool {
	return !l.decls[class].f.rules.Typed || slices.ContainsFunc(l.order(class).order, func(c int32) bool {
		r := l.decls[c]
		return l.find(r.f, r.d, name) != nil || l.ownAttrs[attrKey{c, name}]
	})
}

// handOver gives the parameters of a function that is passed where a function type is wanted the types that it says.
func (l *Linker) handOver(f *File, arg int32, types []value, give func(sourceKey, inflow)) {
	var want []value
	for _, w := range types {
		if w.kind == vFunc {
			want = append(want, w)
		}
	}
	if len(want) == 0 {
		return
	}
	for _, v := range l.eval(f, arg) {
		if v.kind != vFunc {
			continue
		}
		params := l.decls[v.a].decl().Params
		for _, w := range want {
			r := l.decls[w.a]
			for i, p := range r.decl().Params {
				if i < len(params) && p.Type != lang.None && p.Kind == lang.Plain && params[i].Kind == lang.Plain && params[i].Type == lang.None {
					give(sourceKey{kind: sourceParam, a: v.a, b: int32(i)}, inflow{f: r.f, x: p.Type, key: inflowInstance})
				}
			}
		}
	}
}
