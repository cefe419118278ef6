package runner

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/show"
	"github.com/findspot/findspot/skill/internal/toolset"
	"github.com/findspot/findspot/skill/record"
)

// Who asks for a call.
const (
	byStep  = "step"
	byModel = "model"
	byHost  = "host"

	byPerson = "callback" // who approves
	byPolicy = "policy"   // the skill itself, when nobody can be asked
)

// guarded returns the tools, sorted by name, with the guards of the run before them.
func (c *caller) guarded() []skill.Tool {
	out := make([]skill.Tool, 0, len(c.tools.Names))
	for _, name := range c.tools.Names {
		t := c.tools.ByName[name]
		t.Call = func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
			return c.call(ctx, name, args, byHost)
		}
		out = append(out, t)
	}
	return out
}

// A caller calls the tools of a run under its guards and limits, and keeps what they gave. Calls and what follows are guarded by state.mu.
type caller struct {
	state  *state
	tools  *toolset.Set
	ledger *evidence.Ledger
	scope  skill.Scope // what tools remember in this run

	calls    int
	used     map[string]int // calls by tool
	seen     map[string]bool
	items    []evidence.Item
	searched []evidence.Searched
	denied   []Denial
}

// allow says whether a tool may be called now. Every skill in use must allow it, the outer ones too. A tool that writes
// needs an approval that still stands, in one of them, beside what the guards ask. When the run has ended other than done, no gate
// of it is open any more. state.mu is held.
func (c *caller) allow(tool string, args json.RawMessage) *skill.DeniedError {
	writes := c.tools.Writes(tool)
	open := c.state.over == "" || c.state.over == skill.StatusDone
	approved := false
	for _, f := range c.state.frames {
		if f.skill.Allowed() != nil && !c.tools.Allows(f.skill.Allowed(), tool, args) {
			return &skill.DeniedError{Tool: tool, Because: fmt.Sprintf("skill %s does not list it in allowed-tools", f.skill.Name)}
		}
		if f.skill.Allowed() == nil && writes {
			return &skill.DeniedError{Tool: tool, Because: fmt.Sprintf("it writes, and skill %s has no allowed-tools that list it", f.skill.Name)}
		}
		for _, g := range f.skill.Workflow().Guards {
			if c.tools.Lists(g.Deny, tool) && !(open && f.holds(g)) {
				return &skill.DeniedError{Tool: tool, Because: cmp.Or(g.Because, "a guard of skill "+f.skill.Name), Until: g.Until}
			}
		}
		approved = approved || f.anyApproved()
	}
	if writes && !(open && approved) && !c.state.opt.AllowWrites {
		return &skill.DeniedError{Tool: tool, Because: "it writes, and nothing was approved in this run", Until: "an approve step is approved"}
	}
	return nil
}

// admit checks guards and limits and counts the call, in one step, so that no two calls pass on one ticket. It returns the
// number of the call.
func (c *caller) admit(tool string, args json.RawMessage, by string) (int, error) {
	c.state.mu.Lock()
	defer c.state.mu.Unlock()
	if d := c.allow(tool, args); d != nil {
		return 0, c.denyLocked(d, args, by)
	}
	var limit *limitError
	if by == byHost { // a step or model asked alive
		if limit = c.state.overtime(); limit == nil {
			limit = c.state.overspent()
		}
	}
	for _, f := range c.state.frames {
		if limit == nil && f.calls >= f.limits.ToolCalls {
			limit = &limitError{what: fmt.Sprintf("%d tool calls", f.limits.ToolCalls), skill: f.skill.Name, frame: f}
		}
	}
	if limit != nil {
		c.state.log.Write(limit.event(by))
		if by != byHost {
			c.state.stopped = limit
		}
		return 0, limit
	}
	if _, ok := c.tools.ByName[tool]; !ok {
		err := fmt.Errorf("tool %s: not offered here: %w", tool, skill.ErrUnsupported)
		c.unanswered(tool, args, by, err)
		c.state.log.Write(&record.Call{Tool: tool, Args: args, By: by, Step: c.state.current, Refused: err.Error()})
		return 0, err
	}
	c.count(tool)
	c.state.log.Write(&record.Call{Call: c.calls, Tool: tool, Args: args, By: by, Step: c.state.current})
	return c.calls, nil
}

// deny notes a refused call and returns its error.
func (c *caller) deny(d *skill.DeniedError, args json.RawMessage, by string) error {
	c.state.turn()
	c.state.mu.Lock()
	defer c.state.mu.Unlock()
	return c.denyLocked(d, args, by)
}

const maxDenied = 1000 // refused calls that an outcome lists

func (c *caller) denyLocked(d *skill.DeniedError, args json.RawMessage, by string) error {
	if len(c.denied) < maxDenied { // a model or host may ask for ever; the record has them all
		c.denied = append(c.denied, Denial{Tool: d.Tool, Because: d.Because, Until: d.Until, Step: c.state.current, By: by})
	}
	c.unanswered(d.Tool, args, by, d)
	c.state.log.Write(&record.Denied{Tool: d.Tool, Args: jsonvalue.Valid(args), By: by, Step: c.state.current, Because: d.Because, Until: d.Until})
	return d
}

// before asks the host's hooks about a call that the guards allow, and returns the arguments to make it with. The guards are
// asked again, with those, when it is made.
func (c *caller) before(ctx context.Context, h skill.HookCall) (json.RawMessage, error) {
	_, offered := c.tools.ByName[h.Tool]
	c.state.mu.Lock()
	d := c.allow(h.Tool, h.Args)
	c.state.mu.Unlock()
	if d != nil || !offered || len(c.state.opt.Hooks) == 0 && c.state.play == nil {
		return h.Args, nil // whoever makes the call says why it cannot be made
	}
	var args json.RawMessage
	if c.state.play != nil {
		args, d = c.state.play.before(h)
	} else {
		h.Main, h.Writes = c.tools.Canonical(h.Tool), c.tools.Writes(h.Tool)
		args, d = invoke.BeforeTool(ctx, c.state.opt.Hooks, c.state.opt.Grace, h)
	}
	if d != nil {
		return nil, c.deny(d, h.Args, h.By)
	}
	if !bytes.Equal(args, h.Args) {
		c.state.commit(&record.Rewritten{Tool: h.Tool, By: h.By, Asked: jsonvalue.Valid(h.Args), Args: args}, nil)
	}
	return args, nil
}

// count counts a call for the run and all skills in use. state.mu is held.
func (c *caller) count(tool string) {
	c.calls++
	c.used[c.tools.Canonical(tool)]++
	for _, f := range c.state.frames {
		f.calls++
	}
}

func (c *caller) call(ctx context.Context, tool string, args json.RawMessage, by string) (*skill.Result, error) {
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	valid := json.Valid(args)
	args = jsonvalue.Valid(args)
	if by != byHost {
		if err := c.state.alive(ctx, by); err != nil {
			return nil, err
		}
	}
	asked := skill.HookCall{Tool: tool, Args: args, By: by, Step: c.state.running()}
	args, err := c.before(ctx, asked)
	if err != nil {
		return nil, err
	}
	n, err := c.admit(tool, args, by)
	if err != nil {
		return nil, err
	}
	var res *skill.Result
	if c.state.play != nil {
		res, err = c.state.play.result(n, tool, args)
	} else if !valid {
		err = fmt.Errorf("tool %s: arguments are not JSON: %w", tool, skill.ErrFormat)
	} else if res, err = invoke.Tool(withCaller(skill.WithScope(ctx, &c.scope), c), c.tools.ByName[tool], args, c.state.opt.Grace); err == nil {
		if res, err = invoke.CleanResult(tool, args, res); err == nil && len(c.state.opt.Hooks) > 0 {
			asked.Args, asked.Main, asked.Writes = args, c.tools.Canonical(tool), c.tools.Writes(tool)
			res, err = invoke.AfterTool(ctx, c.state.opt.Hooks, c.state.opt.Grace, asked, res)
		}
	}
	res, err = c.returned(n, tool, args, by, res, err)
	if by != byHost {
		if over := c.state.alive(ctx, by); over != nil {
			return nil, over
		}
	}
	return res, err
}

// returned takes in what a tool returned: its evidence gets keys, its searches go to the ledger.
func (c *caller) returned(n int, tool string, args json.RawMessage, by string, res *skill.Result, err error) (*skill.Result, error) {
	e := &record.Result{Call: n, Tool: tool, By: by, Result: res}
	if err != nil {
		e.Fail(err)
	}
	c.state.commit(e, func() { c.takeIn(e, args) })
	return res, err
}

// takeIn gives the items of a result their keys, in place, and notes what was searched. state.mu is held.
func (c *caller) takeIn(e *record.Result, args json.RawMessage) {
	if e.Result == nil {
		if convention.Searches(c.tools.Canonical(e.Tool)) {
			c.record(evidence.Searched{Tool: e.Tool, Query: invoke.QueryOf(args), Failed: e.Error})
		}
		return
	}
	given := map[string]string{} // a sub-agent's text speaks of keys of its own
	for i, it := range e.Result.Items {
		if c.state.play != nil {
			c.state.play.restore(c.ledger, it)
		} else {
			old := it.Key
			if it = c.ledger.Add(it); old != "" {
				given[old] = it.Key
			}
		}
		e.Result.Items[i] = it
		if !c.seen[it.Key] {
			c.seen[it.Key] = true
			c.items = append(c.items, it)
		}
	}
	if text := show.Rekey(e.Result.Text, given); text != e.Result.Text {
		e.Result.Text, e.Result.Structured = text, nil // it has the keys of the other ledger
	}
	for _, s := range e.Result.Searched {
		c.record(s)
	}
}

// unanswered remembers a search of a step that was not made: without its answer nothing is proven. What a model or host asks
// for beside the steps is no part of the method. state.mu is held.
func (c *caller) unanswered(tool string, args json.RawMessage, by string, why error) {
	if by == byStep && convention.Searches(c.tools.Canonical(tool)) {
		c.record(evidence.Searched{Tool: tool, Query: invoke.QueryOf(args), Failed: why.Error()})
	}
}

// record remembers a search. state.mu is held.
func (c *caller) record(s evidence.Searched) {
	c.ledger.Record(s)
	c.searched = append(c.searched, s)
}

func (c *caller) usedTools(names []string) (n int) {
	c.state.mu.Lock()
	defer c.state.mu.Unlock()
	for _, t := range names {
		n += c.used[c.tools.Canonical(t)]
	}
	return n
}

// known leaves out the arguments that the tool's schema does not have, and names them.
func (c *caller) known(tool string, where map[string]any) (out map[string]any, dropped []string) {
	out = map[string]any{}
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	_ = json.Unmarshal(c.tools.ByName[tool].Schema, &schema) // no schema or a broken one: everything is passed on
	for _, k := range slices.Sorted(maps.Keys(where)) {
		if _, ok := schema.Properties[k]; schema.Properties != nil && !ok {
			dropped = append(dropped, k)
			continue
		}
		out[k] = where[k]
	}
	return out, dropped
}
