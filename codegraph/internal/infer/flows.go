package infer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// What a parameter, an attribute, a container or a class is given elsewhere: by calls, assignments, and methods or bases
// written outside of their class. All that one scope of a file gives is one action.

// A sourceKind says what is given, and to what.
type sourceKind uint8

const (
	sourceParam   sourceKind = iota // arguments: a: function, b: parameter
	sourceAttr                      // values of the attribute name: a: class
	sourceBox                       // elements: a: box
	sourceBase                      // base classes: a: class
	sourceMethod                    // methods called name: a: class
	sourceDerived                   // classes derived from it: a: class
)

// A sourceKey names a receiver.
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
	f    *symtab.File
	x    int32  // expression in f
	decl int32  // for methods
	key  string // for elements
}

func (g inflow) expr() exprRef { return exprRef{g.f, g.x} }

// flows holds what parameters, attributes, containers and classes are given elsewhere.
type flows struct {
	prog       *symtab.Program
	solver     *solver.Solver
	deps       *dependencies
	ev         *evaluator
	given      symtab.PerFile[outflows]
	sources    []source // the first one is that of receivers which nothing is given to
	sourceOf   map[packedSource]solver.ID
	sourceKind solver.Kind               // read for its inflows alone
	attrKind   solver.Kind               // has a value
	holding    bool                      // actions do not take back what they gave
	final      bool                      // they do, and it is noted
	off        map[contribution]offState // of an update: what actions gave and took back
	held       []solver.ID               // actions that would have
	withdrawn  []solver.ID               // what was taken back
}

type given struct {
	to solver.ID // the receiver's
	inflow
}

// A contribution is something that an action gives.
type contribution struct {
	by solver.ID
	given
}

// An offState says whether it is put off.
type offState uint8

const (
	notOff offState = iota
	isOff
	wasOff // it was given all the same: what follows from it, such as too many values, takes it away, and is not to be forgotten
)

func (fl *flows) sourceCell(k sourceKey) solver.ID {
	p := packedSource{k.kind, k.a, k.b, fl.prog.Reader.Name(k.name)}
	id := fl.sourceOf[p]
	if id == 0 {
		kind := fl.sourceKind // read for its inflows alone
		if k.kind == sourceAttr {
			kind = fl.attrKind
		}
		id = fl.solver.Add(kind, 0, 0)
		fl.sourceOf[p] = id
	}
	return id
}

// source gives what is given to a receiver, for changing it.
func (fl *flows) source(id solver.ID) *source {
	c := fl.solver.Cell(id)
	if c.Arg == 0 {
		c.Arg = int32(len(fl.sources))
		fl.sources = append(fl.sources, source{})
	}
	return &fl.sources[c.Arg]
}

// inflows lists what a receiver is given, in the order of files and places.
func (fl *flows) inflows(k sourceKey) []inflow {
	id := fl.sourceCell(k)
	fl.solver.Depend(id)
	return fl.sources[fl.solver.Cell(id).Arg].inflows
}

// assigned computes the value of such a cell.
func (fl *flows) assigned(c *solver.Cell) []value.Value {
	var out []value.Value
	for _, g := range fl.sources[c.Arg].inflows {
		out = value.Union(out, value.Weaken(fl.ev.eval(g.f, g.x), model.LevelFlow)...)
	}
	return out
}

// deliver replaces what an action gave before.
func (fl *flows) deliver(by *symtab.File, a *action, out []given) {
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
		fl.solver.Touch(g.to)
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
			fl.track(g.f, g.to, by, a)
		}
		i, _ := slices.BinarySearchFunc(s.inflows, g.inflow, compareInflows)
		s.inflows = slices.Insert(s.inflows, i, g.inflow) // who reads them just now reads them again
		fl.solver.Touch(g.to)
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

func compareInflows(a, b inflow) int {
	return cmp.Or(strings.Compare(a.f.Path, b.f.Path), cmp.Compare(a.x, b.x), cmp.Compare(a.decl, b.decl), strings.Compare(a.key, b.key))
}

func compareGiven(a, b given) int {
	return cmp.Or(cmp.Compare(a.to, b.to), compareInflows(a.inflow, b.inflow))
}

// outflows are who was given expressions or methods of a file.
type outflows struct {
	to map[solver.ID]bool
	by map[*action]bool // actions of other files that gave them
}

// track remembers who was given something of f, and by whom.
func (fl *flows) track(f *symtab.File, to solver.ID, by *symtab.File, a *action) {
	o := fl.given.Of(f)
	if o.to == nil {
		o.to, o.by = map[solver.ID]bool{}, map[*action]bool{}
	}
	o.to[to] = true
	if f != by {
		o.by[a] = true
	}
}

// moveInflows gives the inflows that are expressions of a file their new numbers, and takes back those that are gone.
func (fl *flows) moveInflows(e *edit, own []*action) {
	move := func(g *inflow) bool {
		if g.x == lang.None {
			return !e.dead[g.decl]
		}
		if g.f != e.f {
			return true
		}
		g.x = e.moved[g.x]
		return g.x != lang.None
	}
	given := fl.given.Of(e.f)
	for _, a := range own {
		a.given = moveGiven(a.given, move)
	}
	for a := range given.by {
		a.given = moveGiven(a.given, move)
	}
	for id := range given.to {
		s := fl.source(id)
		var kept []inflow
		for _, g := range s.inflows {
			if move(&g) {
				kept = append(kept, g)
			}
		}
		lost := len(kept) < len(s.inflows)
		slices.SortFunc(kept, compareInflows)
		s.inflows = kept
		if lost {
			fl.lost(id, e.stale)
		}
		if !slices.ContainsFunc(kept, func(g inflow) bool { return g.f == e.f }) {
			delete(given.to, id)
		}
	}
}

func moveGiven(list []given, move func(*inflow) bool) []given {
	var kept []given
	for _, g := range list {
		if move(&g.inflow) {
			kept = append(kept, g)
		}
	}
	slices.SortFunc(kept, compareGiven)
	return kept
}

// lost gathers what rests on a receiver that lost an inflow.
func (fl *flows) lost(id solver.ID, stale *solver.Cone) {
	stale.Readers(id)
	if fl.solver.Cell(id).Kind == fl.attrKind {
		stale.Add(id)
	}
}

// take takes one inflow back.
func (fl *flows) take(g given, stale *solver.Cone) {
	s := fl.source(g.to)
	if i := slices.Index(s.inflows, g.inflow); i >= 0 {
		s.inflows = slices.Delete(slices.Clone(s.inflows), i, i+1)
		fl.lost(g.to, stale)
	}
}
