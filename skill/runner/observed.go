package runner

import (
	"math"
	"slices"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/gate"
	"github.com/findspot/findspot/skill/internal/toolset"
	"github.com/findspot/findspot/skill/workflow"
)

// Gates are the gates and guards of a skill whose steps another program works through: it observes what tools return, and
// asks here what is open. Conditions mean what they mean in a run. It is not safe for concurrent use.
type Gates struct {
	frame *frame
	seen  map[string]bool // steps whose values can be observed: whether a tool of them has answered
}

// An Answer is the evidence that one call of a tool returned, best first.
type Answer struct {
	Tool  string          `json:"tool"`
	Items []evidence.Item `json:"items"`
}

// NewGates returns the gates of a skill with a workflow, when tools have given these answers, in their order. Everything that a step's tools returned
// counts as found by the step, whatever was asked: a search merges it as one search with several queries does, keeps its best items
// and its tiers. Steps inside each and loop are observed like others.
func NewGates(s *skill.Skill, tools []skill.Tool, answers []Answer) *Gates {
	set, _ := toolset.New(tools) // what is wrong with tools is for who runs them
	inputs := map[string]any{}
	for _, in := range s.Workflow().Inputs {
		inputs[in.Name] = in.Default
	}
	g := &Gates{frame: newFrame(s, inputs, workflow.Limits{}, time.Time{}), seen: map[string]bool{}}
	for st := range s.Workflow().All() {
		by, keep := observedBy(st)
		if by == nil {
			continue
		}
		g.seen[st.ID] = false
		fu := newFusion()
		for _, a := range answers {
			if !slices.ContainsFunc(by, func(tool string) bool { return set.Canonical(tool) == set.Canonical(a.Tool) }) {
				continue
			}
			g.seen[st.ID] = true
			items := a.Items
			if st.Search != nil && len(st.Search.Tiers) > 0 && a.Tool == convention.SearchDocs {
				items = slices.DeleteFunc(slices.Clone(items), func(it evidence.Item) bool { return !slices.Contains(st.Search.Tiers, it.Tier) })
			}
			fu.add(items)
		}
		g.frame.set(st.ID, itemsValue(fu.best(keep)))
	}
	return g
}

// observedBy returns the tools whose answers are the value of a step, and how many items it keeps; nil: its value cannot be observed. That of an
// each or a loop is the value of its last inner step.
func observedBy(st *workflow.Step) (tools []string, keep int) {
	switch inner := st.Inner(); {
	case len(inner) > 0:
		return observedBy(inner[len(inner)-1])
	case st.Search != nil && st.Search.Keep > 0:
		return convention.SearchToolsFor(st.Search.In), st.Search.Keep
	case st.Search != nil:
		return convention.SearchToolsFor(st.Search.In), defaultKeep
	case st.Call != nil:
		return []string{st.Call.Tool}, math.MaxInt
	}
	return nil, 0
}

// Observable reports whether the condition of a require step can be decided from the answers of tools alone. A gate for which it
// cannot opens only when it is approved.
func (g *Gates) Observable(st *workflow.Step) bool {
	if st.Require == nil {
		return false
	}
	e, err := expression.Compile(st.Require.Cond)
	return err == nil && !slices.Contains(e.Names, "inputs") && !slices.Contains(e.Names, "results") &&
		!slices.ContainsFunc(gate.Names(st), func(name string) bool { _, ok := g.seen[name]; return !ok && !g.isGate(name) })
}

// asked reports whether a tool has answered for every step that a gate looks at. Before, it is closed: that nothing was found is known by
// asking alone.
func (g *Gates) asked(st *workflow.Step) bool {
	return !slices.ContainsFunc(gate.Names(st), func(name string) bool { asked, ok := g.seen[name]; return ok && !asked })
}

func (g *Gates) isGate(id string) bool {
	for st := range g.frame.skill.Workflow().All() {
		if st.ID == id {
			return st.Gate()
		}
	}
	return false
}

// Look looks at all gates in their order: a require whose condition holds is open, and so is one that cannot be observed and an approve,
// where approved names it.
func (g *Gates) Look(approved func(step string) bool) {
	for st := range g.frame.skill.Workflow().All() {
		switch {
		case !st.Gate():
		case g.Observable(st):
			yes, err := g.frame.cond(st.Require.Cond)
			g.frame.pass(st.ID, yes && err == nil && g.asked(st))
		case approved(st.ID):
			g.frame.pass(st.ID, true)
			if st.Approve != nil {
				g.frame.approve(st.ID)
			}
		}
	}
}

// Open reports whether a gate is open.
func (g *Gates) Open(step string) bool { return g.frame.passed[step] }

// Holds reports whether all gates of a guard are open.
func (g *Gates) Holds(guard workflow.Guard) bool { return g.frame.holds(guard) }
