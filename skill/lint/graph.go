package lint

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/gate"
	"github.com/findspot/findspot/skill/internal/grammar"
	"github.com/findspot/findspot/skill/workflow"
)

// The graph of the steps that a run may take. See Report for what it stands for.

const (
	maxGraph   = 20000     // nodes, used skills counted at each use
	maxTracked = 4         // whens that are followed for one gate
	maxWork    = 3_000_000 // states, edges and places that the proof of one skill may look at
)

func noCall(context.Context, json.RawMessage) (*skill.Result, error) {
	return nil, errors.New("lint calls no tool")
}

// A graphFrame is one skill at one place: the linted one, and each use of another.
type graphFrame struct {
	skill  *skill.Skill
	parent int // -1 for the first
}

type gateKey struct {
	frame    int
	step     string
	approved bool
}

// A toolUse is a tool that a step, or the model within it, may call.
type toolUse struct {
	tool  string
	line  int
	model bool
}

// toolUses are all tools that a step may call itself; those of the steps in it are their own.
func toolUses(st *workflow.Step) (out []toolUse) {
	with := func(names []string) {
		for _, n := range names {
			out = append(out, toolUse{n, st.Line, true})
		}
	}
	switch {
	case st.Expand != nil && slices.Contains(st.Expand.By, grammar.ByCorpus):
		out = append(out, toolUse{convention.SearchDocs, st.Line, false})
	case st.Search != nil:
		for _, t := range convention.SearchToolsFor(st.Search.In) {
			out = append(out, toolUse{t, st.Line, false})
		}
	case st.Call != nil:
		for c := st.Call; c != nil; c = c.Fallback {
			line := c.Line
			if line == 0 {
				line = st.Line
			}
			out = append(out, toolUse{c.Tool, line, false})
		}
	case st.Ask != nil:
		with(st.Ask.With)
	case st.Write != nil:
		with(st.Write.With)
	}
	return out
}

type graphNode struct {
	frame int
	step  *workflow.Step
	runs  bool // the step runs here; otherwise a point before or behind it
	calls []toolUse
	next  []graphEdge
}

type graphEdge struct {
	to     int
	note   string
	assume []expression.Literal // conditions
	taken  whether              // whether all of them hold here
	binds  []string             // names of the frame, bound again or taken away
	opens  string               // a gate
	passed bool                 // it is a require: no approval
	closes string
	resets int // frame that begins anew; 0: none
}

// whether says what a path knows of the conditions of an edge.
type whether int8

const (
	unknown  whether = iota
	allHold          // each of them is true
	notAllDo         // at least one of them is false
)

// A place is a tool that a node may call.
type place struct {
	node int
	use  toolUse
}

type stepGraph struct {
	frames []graphFrame
	nodes  []graphNode
	calls  [][]place                       // by frame
	lits   map[string][]expression.Literal // of conditions, by their text
	why    string
	work   int // what the searches and guards may still look at; when it is used up nothing is proven
}

func buildGraph(s *skill.Skill) (g *stepGraph, problem string) {
	g = &stepGraph{frames: []graphFrame{{s, -1}}, lits: map[string][]expression.Literal{}, work: maxWork}
	end := -1
	g.list(0, g.point(0, nil), s.Workflow().Steps, end)
	return g, g.why
}

func (g *stepGraph) point(frame int, st *workflow.Step) int {
	if len(g.nodes) >= maxGraph {
		g.why = cmp.Or(g.why, fmt.Sprintf("with the skills it uses it has more than %d places", maxGraph))
		return 0
	}
	g.nodes = append(g.nodes, graphNode{frame: frame, step: st})
	return len(g.nodes) - 1
}

func (g *stepGraph) edge(from int, e graphEdge) {
	if g.why == "" {
		g.nodes[from].next = append(g.nodes[from].next, e)
	}
}

// list adds steps behind a point, and returns the point behind them. ends is where a step leads that ends the skill in use;
// -1: the run is over.
func (g *stepGraph) list(frame, at int, steps []*workflow.Step, ends int) int {
	for _, st := range steps {
		if g.why != "" {
			return at
		}
		at = g.step(frame, at, st, ends)
	}
	return at
}

func (g *stepGraph) step(frame, before int, st *workflow.Step, ends int) int {
	run, after := g.point(frame, st), g.point(frame, nil)
	if g.why != "" {
		return after
	}
	g.nodes[run].runs, g.nodes[run].calls = true, toolUses(st)
	always, constant := true, true
	if st.When != "" {
		always, constant = expression.Constant(st.When)
	}
	switch {
	case constant && always:
		g.edge(before, graphEdge{to: run})
	default:
		lits := g.literals(st.When)
		past := g.point(frame, st)
		g.edge(before, graphEdge{to: past, assume: lits, taken: notAllDo, note: "skipped"})
		g.edge(past, graphEdge{to: after})
		if !constant {
			g.edge(before, graphEdge{to: run, assume: lits, taken: allHold})
		}
	}
	out := graphEdge{to: after, binds: []string{st.ID}}
	switch st.Kind {
	case workflow.KindRequire:
		if v, ok := expression.Constant(st.Require.Cond); !ok || v {
			g.edge(run, graphEdge{to: after, binds: out.binds, opens: st.ID, passed: true, assume: g.literals(st.Require.Cond), taken: allHold})
		}
		if ends >= 0 && st.Require.Else != skill.StatusStopped {
			g.edge(run, graphEdge{to: ends, note: "does not hold, and the used skill ends"})
		}
	case workflow.KindApprove:
		yes := graphEdge{to: after, binds: out.binds, opens: st.ID}
		g.edge(run, yes)
		for _, c := range st.Approve.Offered() {
			switch c {
			case workflow.ChoiceApprove, workflow.ChoiceStop:
			case workflow.ChoiceRevise:
				if source := gate.Revised(g.frames[frame].skill.Workflow(), st); source != nil {
					yes.note, yes.binds = "revised, then approved", append(slices.Clone(out.binds), source.ID)
					g.edge(run, yes)
				}
			default:
				g.edge(run, graphEdge{to: after, binds: out.binds, closes: st.ID, note: "the answer is " + c})
			}
		}
	case workflow.KindFinish:
		if ends >= 0 && st.Finish != skill.StatusStopped {
			g.edge(run, graphEdge{to: ends})
		}
	case workflow.KindEach:
		as := st.Each.As
		g.edge(run, graphEdge{to: after, binds: out.binds, note: "no element"})
		body := g.point(frame, nil)
		g.edge(run, graphEdge{to: body, binds: []string{as}})
		last := g.list(frame, body, st.Each.Steps, ends)
		g.edge(last, graphEdge{to: body, binds: []string{as}, note: "next element"})
		g.edge(last, graphEdge{to: after, binds: []string{as, st.ID}})
	case workflow.KindLoop:
		body := g.point(frame, nil)
		g.edge(run, graphEdge{to: body})
		last := g.list(frame, body, st.Loop.Steps, ends)
		if st.Loop.Max > 1 {
			g.edge(last, graphEdge{to: body, note: "next round"})
		}
		g.edge(last, out)
	case workflow.KindUse:
		g.use(frame, run, after, st)
	default:
		g.edge(run, out)
	}
	return after
}

func (g *stepGraph) use(frame, run, after int, st *workflow.Step) {
	inner := g.frames[frame].skill.Uses()[st.Use.Skill]
	depth := 0
	for f := frame; f >= 0; f = g.frames[f].parent {
		depth++
	}
	switch {
	case inner == nil || inner.Workflow() == nil:
		g.why = cmp.Or(g.why, fmt.Sprintf("step %s (line %d) uses skill %s, which is not loaded here", st.ID, st.Line, st.Use.Skill))
		return
	case depth > grammar.MaxUses:
		g.why = cmp.Or(g.why, fmt.Sprintf("skills use each other over %d deep", grammar.MaxUses))
		return
	}
	g.frames = append(g.frames, graphFrame{inner, frame})
	fi := len(g.frames) - 1
	start, end := g.point(fi, nil), g.point(fi, nil)
	g.edge(run, graphEdge{to: start, resets: fi})
	g.edge(g.list(fi, start, inner.Workflow().Steps, end), graphEdge{to: end})
	g.edge(end, graphEdge{to: after})
	if g.why == "" { // the value of the use is bound in the outer frame
		g.nodes[end].frame = frame
		g.nodes[end].next[len(g.nodes[end].next)-1].binds = []string{st.ID}
	}
	if st.OnError == "continue" {
		g.edge(run, graphEdge{to: after, binds: []string{st.ID}, note: "failed"})
	}
}

// reached are the nodes that some path leads to.
func (g *stepGraph) reached() map[int]bool {
	seen := map[int]bool{0: true}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		for _, e := range g.nodes[queue[0]].next {
			if !seen[e.to] {
				seen[e.to] = true
				queue = append(queue, e.to)
			}
		}
	}
	return seen
}

// literals is literals, remembered: a skill may be used at many places.
func (g *stepGraph) literals(src string) []expression.Literal {
	out, known := g.lits[src]
	if !known {
		out = expression.Literals(src)
		g.lits[src] = out
	}
	return out
}

// closure are the names that a gate looks at, and those that the gates look at at which it looks.
func closure(w *workflow.Workflow, id string) map[string]bool {
	byID := map[string]*workflow.Step{}
	for st := range w.All() {
		byID[st.ID] = st
	}
	out := map[string]bool{}
	for queue := []string{id}; len(queue) > 0; queue = queue[1:] {
		st := byID[queue[0]]
		if st == nil || !st.Gate() {
			continue
		}
		for _, n := range gate.Names(st) {
			if n != id && !out[n] {
				out[n] = true
				queue = append(queue, n)
			}
		}
	}
	return out
}

// A search walks all paths with one gate in view, breadth first, so that the first path to a place is a shortest.
type search struct {
	key    gateKey
	opens  bool // the gate is open somewhere
	states []searchState
	depth  []int
	at     map[int][]int // states with the gate closed, by node
	graph  *stepGraph
	rows   map[searchState]int
	from   []int
	notes  []string
	whens  []trackedWhen
}

type searchState struct {
	node int
	held bool
	lits [maxTracked]int8 // 1 true, -1 false, 0 unknown
}

func (g *stepGraph) search(k gateKey) *search {
	s := &search{key: k, graph: g, at: map[int][]int{}, rows: map[searchState]int{}}
	var looks map[string]bool
	if k.frame >= 0 {
		w := g.frames[k.frame].skill.Workflow()
		looks = closure(w, k.step)
		s.whens = trackedWhens(w, k.step)
	}
	s.push(searchState{}, -1, "")
	for i := 0; i < len(s.states) && g.work > 0; i++ {
		st := s.states[i]
		frame := g.nodes[st.node].frame
		for _, e := range g.nodes[st.node].next {
			g.work -= 1 + len(e.binds)
			next, note := searchState{e.to, st.held, st.lits}, e.note
			mine := frame == k.frame
			if mine && !s.agrees(&next, e) {
				continue
			}
			if e.resets != 0 && e.resets == k.frame {
				next.held, next.lits = false, [maxTracked]int8{}
			}
			if mine {
				for _, n := range e.binds {
					if looks[n] && next.held {
						next.held = false
						note = strings.TrimPrefix(note+", ", ", ") + n + " changes, so " + k.step + " is closed"
					}
					for t, w := range s.whens {
						if slices.Contains(w.names, n) {
							next.lits[t] = 0
						}
					}
				}
				if e.opens == k.step && !(e.passed && k.approved) {
					next.held, s.opens = true, true
				}
				if e.closes == k.step {
					next.held = false
				}
			}
			s.push(next, i, note)
		}
	}
	s.rows = nil
	return s
}

// agrees notes in the state what the conditions of an edge say, and reports whether they can hold in it.
func (s *search) agrees(st *searchState, e graphEdge) bool {
	if e.taken == unknown {
		return true
	}
	gate := "passed." + s.key.step
	if s.key.approved {
		gate = "approved." + s.key.step
	}
	for _, lit := range e.assume {
		if lit.Text == gate && (e.taken == allHold || len(e.assume) == 1) && (lit.Value == st.held) != (e.taken == allHold) {
			return false
		}
	}
	for t, w := range s.whens {
		s.graph.work -= len(e.assume) * len(w.conds) / 8
		said := int8(0)
		switch {
		case e.taken == allHold && contains(e.assume, w.conds):
			said = 1
		case e.taken == allHold && slices.ContainsFunc(e.assume, func(l expression.Literal) bool {
			return slices.Contains(w.conds, expression.Literal{Text: l.Text, Value: !l.Value})
		}):
			said = -1
		case e.taken == notAllDo && contains(w.conds, e.assume):
			said = -1
		}
		if said != 0 {
			if st.lits[t] == -said {
				return false
			}
			st.lits[t] = said
		}
	}
	return true
}

// contains reports whether all of some are among list.
func contains(list, some []expression.Literal) bool {
	for _, l := range some {
		if !slices.Contains(list, l) {
			return false
		}
	}
	return len(some) > 0
}

func (s *search) push(st searchState, from int, note string) {
	if _, seen := s.rows[st]; seen {
		return
	}
	i := len(s.states)
	s.rows[st] = i
	s.states, s.from, s.notes = append(s.states, st), append(s.from, from), append(s.notes, note)
	d := 0
	if from >= 0 {
		d = s.depth[from] + 1
	}
	s.depth = append(s.depth, d)
	if !st.held {
		s.at[st.node] = append(s.at[st.node], i)
	}
}

// closedAt returns the first state in which the node is reached with the gate closed.
func (s *search) closedAt(node int) (state int, reached bool) {
	if l := s.at[node]; len(l) > 0 {
		return l[0], true
	}
	return 0, false
}

// path lists the steps to a state, in order.
func (s *search) path(state int) []PathStep {
	var out []PathStep
	for i := state; i >= 0; i = s.from[i] {
		n := &s.graph.nodes[s.states[i].node]
		note := s.notes[i]
		switch {
		case n.step != nil:
			p := PathStep{Step: n.step.ID, Line: n.step.Line, Note: note}
			if n.frame > 0 {
				p.Skill = s.graph.frames[n.frame].skill.Name
			}
			out = append(out, p)
		case note != "" && s.from[i] >= 0: // what happens on the way out of a step belongs to it
			out = append(out, PathStep{Step: "\x00", Note: note})
		}
	}
	slices.Reverse(out)
	var joined []PathStep
	for _, p := range out {
		if p.Step == "\x00" && len(joined) > 0 {
			last := &joined[len(joined)-1]
			last.Note = strings.TrimPrefix(last.Note+", ", ", ") + p.Note
		} else if p.Step != "\x00" {
			joined = append(joined, p)
		}
	}
	return joined
}

// A trackedWhen is a when that a search follows, and what it names.
type trackedWhen struct {
	conds []expression.Literal
	names []string
}

// trackedWhens are the conditions under which a gate is asked: its own when, and those of the steps around it. Those that
// name gates are left out, as gates open and close without a name being bound.
func trackedWhens(w *workflow.Workflow, gate string) (out []trackedWhen) {
	var find func(steps []*workflow.Step, around []*workflow.Step) []*workflow.Step
	find = func(steps []*workflow.Step, around []*workflow.Step) []*workflow.Step {
		for _, st := range steps {
			way := append(slices.Clone(around), st)
			if st.ID == gate {
				return way
			}
			if found := find(st.Inner(), way); found != nil {
				return found
			}
		}
		return nil
	}
	for _, st := range find(w.Steps, nil) {
		if st.When == "" || len(out) == maxTracked {
			continue
		}
		e, err := expression.Compile(st.When)
		if err != nil || slices.Contains(e.Names, "passed") || slices.Contains(e.Names, "approved") {
			continue
		}
		out = append(out, trackedWhen{expression.Literals(st.When), append(slices.Clone(e.Names), e.Members["results"]...)})
	}
	return out
}
