package runner

import (
	"fmt"
	"maps"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/gate"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/workflow"
)

// A frame is the state of one skill within a run: the run's own, and one for each skill in use. The maps that guards look
// at (passed, approved) and the counts are guarded by state.mu; all else belongs to the steps alone.
type frame struct {
	skill    *skill.Skill
	inputs   map[string]any
	shown    map[string]string // inputs that are not the user's own word, as prompts show them, by name
	vars     map[string]value
	passed   map[string]bool
	approved map[string]bool     // by a person, or by a skill that the host's policy names
	looks    map[string][]string // by name: the gates that look at it
	fused    map[string]*fusion  // ranks of search steps that merge, by step id
	asked    map[string]bool     // queries that were searched, folded

	env     map[string]any // what expressions see, kept up to date
	results map[string]any // in env

	limits  workflow.Limits
	started time.Time
	calls   int
	tokens  int
}

// newFrame begins a skill: its limits are the tighter ones of its own and the host's.
func newFrame(s *skill.Skill, inputs map[string]any, host workflow.Limits, now time.Time) *frame {
	f := &frame{skill: s, inputs: inputs, vars: map[string]value{}, passed: map[string]bool{}, approved: map[string]bool{}, looks: gate.Watchers(s.Workflow()),
		fused: map[string]*fusion{}, asked: map[string]bool{}, limits: tighter(s.Workflow().Limits, host), started: now}
	f.results = map[string]any{}
	f.env = map[string]any{}
	passed, approved := map[string]any{}, map[string]any{}
	for st := range s.Workflow().All() {
		f.env[st.ID], f.results[st.ID] = []any{}, map[string]any{}
		passed[st.ID], approved[st.ID] = false, false // a gate that was not asked yet is closed, not unknown
	}
	f.env["inputs"], f.env["results"] = inputs, f.results
	f.env["passed"], f.env["approved"] = passed, approved
	return f
}

// set binds a value to a name.
func (f *frame) set(id string, v value) {
	f.vars[id] = v
	f.env[id] = v.plain
	if v.extra != nil {
		f.results[id] = v.extra
	} else {
		f.results[id] = map[string]any{}
	}
}

// unset takes a name away that is no step's.
func (f *frame) unset(id string) {
	delete(f.vars, id)
	delete(f.env, id)
	delete(f.results, id)
}

// pass opens or closes the gate that a step is. state.mu is held.
func (f *frame) pass(id string, yes bool) {
	f.passed[id] = yes
	f.env["passed"].(map[string]any)[id] = yes
}

// approve notes an approval. state.mu is held.
func (f *frame) approve(id string) {
	f.approved[id] = true
	f.env["approved"].(map[string]any)[id] = true
}

// close closes a gate until it is asked again. state.mu is held.
func (f *frame) close(id string) {
	f.pass(id, false)
	f.approved[id] = false
	f.env["approved"].(map[string]any)[id] = false
}

// environment is what expressions see at the end of a run, with names of its own.
func (f *frame) environment(more map[string]any) map[string]any {
	env := maps.Clone(f.env)
	maps.Copy(env, more)
	return env
}

func (f *frame) eval(src string) (any, error) {
	c, err := expression.Compile(src)
	if err != nil {
		return nil, err
	}
	return c.Eval(f.env)
}

func (f *frame) cond(src string) (bool, error) {
	v, err := f.eval(src)
	if err != nil {
		return false, fmt.Errorf("%s: %w", src, err)
	}
	b, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("%s: is neither true nor false", src)
	}
	return b, nil
}

// template evaluates the expressions of a text, once. A text that is one expression keeps its type. What comes out is
// never looked at for expressions again.
func (f *frame) template(s string) (any, error) {
	parts, err := expression.Split(s)
	if err != nil {
		return nil, err
	}
	if len(parts) == 1 && parts[0].Expr {
		v, err := f.eval(parts[0].Text)
		if err != nil {
			return nil, fmt.Errorf("${%s}: %w", parts[0].Text, err)
		}
		return jsonvalue.Of(v)
	}
	return expression.Fill(parts, func(src string) (string, error) {
		v, err := f.eval(src)
		return jsonvalue.Render(v), err
	})
}
