package link

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/lang"
)

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
