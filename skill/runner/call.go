package runner

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/show"
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

// Tools returns the runner's tools, sorted by name, with the guards of the run before them. A host hands these out while
// the skill is active.
func (run *Run) Tools() []skill.Tool {
	out := make([]skill.Tool, 0, len(run.r.tools.Names))
	for _, name := range run.r.tools.Names {
		t := run.r.tools.ByName[name]
		t.Call = func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
			return run.call(ctx, name, args, byHost)
		}
		out = append(out, t)
	}
	return out
}

// Call calls a tool under the guards and limits of the run. A refusal is a [*DeniedError], and is in the record.
func (run *Run) Call(ctx context.Context, tool string, args json.RawMessage) (*skill.Result, error) {
	return run.call(ctx, tool, args, byHost)
}

// allow says whether a tool may be called now. Every skill in use must allow it, the outer ones too. A tool that writes
// needs an approval that still stands, in one of them, beside what the guards ask. When the run has ended other than done, no gate
// of it is open any more. run.mu is held.
func (run *Run) allow(tool string, args json.RawMessage) *skill.DeniedError {
	writes := run.r.tools.Writes(tool)
	open := run.over == "" || run.over == skill.StatusDone
	approved := false
	for _, f := range run.frames {
		if f.skill.AllowedTools != nil && !run.r.tools.Allows(f.skill.AllowedTools, tool, args) {
			return &skill.DeniedError{Tool: tool, Because: fmt.Sprintf("skill %s does not list it in allowed-tools", f.skill.Name)}
		}
		if f.skill.AllowedTools == nil && writes {
			return &skill.DeniedError{Tool: tool, Because: fmt.Sprintf("it writes, and skill %s has no allowed-tools that list it", f.skill.Name)}
		}
		for _, g := range f.skill.Workflow.Guards {
			if run.r.tools.Lists(g.Deny, tool) && !(open && f.holds(g)) {
				return &skill.DeniedError{Tool: tool, Because: cmp.Or(g.Because, "a guard of skill "+f.skill.Name), Until: g.Until}
			}
		}
		approved = approved || f.anyApproved()
	}
	if writes && !(open && approved) && !run.r.opt.AllowWrites {
		return &skill.DeniedError{Tool: tool, Because: "it writes, and nothing was approved in this run", Until: "an approve step is approved"}
	}
	return nil
}

// admit checks guards and limits and counts the call, in one step, so that no two calls pass on one ticket. It returns the
// number of the call.
func (run *Run) admit(tool string, args json.RawMessage, by string) (int, error) {
	run.mu.Lock()
	defer run.mu.Unlock()
	if d := run.allow(tool, args); d != nil {
		return 0, run.denyLocked(d, args, by)
	}
	var limit *limitError
	if by == byHost { // a step or model asked alive
		if limit = run.overtime(); limit == nil {
			limit = run.overspent()
		}
	}
	for _, f := range run.frames {
		if limit == nil && f.calls >= f.limits.ToolCalls {
			limit = &limitError{what: fmt.Sprintf("%d tool calls", f.limits.ToolCalls), skill: f.skill.Name, frame: f}
		}
	}
	if limit != nil {
		run.rec.Write(limit.event(by))
		if by != byHost {
			run.stopped = limit
		}
		return 0, limit
	}
	if _, ok := run.r.tools.ByName[tool]; !ok {
		err := fmt.Errorf("tool %s: not offered here: %w", tool, skill.ErrUnsupported)
		run.unanswered(tool, args, by, err)
		run.rec.Write(&record.Call{Tool: tool, Args: args, By: by, Step: run.current, Refused: err.Error()})
		return 0, err
	}
	run.count(tool)
	run.rec.Write(&record.Call{Call: run.calls, Tool: tool, Args: args, By: by, Step: run.current})
	return run.calls, nil
}

// deny notes a refused call and returns its error.
func (run *Run) deny(d *skill.DeniedError, args json.RawMessage, by string) error {
	run.turn()
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.denyLocked(d, args, by)
}

const maxDenied = 1000 // refused calls that an outcome lists

func (run *Run) denyLocked(d *skill.DeniedError, args json.RawMessage, by string) error {
	if len(run.denied) < maxDenied { // a model or host may ask for ever; the record has them all
		run.denied = append(run.denied, Denial{Tool: d.Tool, Because: d.Because, Until: d.Until, Step: run.current, By: by})
	}
	run.unanswered(d.Tool, args, by, d)
	run.rec.Write(&record.Denied{Tool: d.Tool, Args: jsonvalue.Valid(args), By: by, Step: run.current, Because: d.Because, Until: d.Until})
	return d
}

// before asks the host's hooks about a call that the guards allow, and returns the arguments to make it with. The guards are
// asked again, with those, when it is made.
func (run *Run) before(ctx context.Context, c skill.HookCall) (json.RawMessage, error) {
	_, offered := run.r.tools.ByName[c.Tool]
	run.mu.Lock()
	d := run.allow(c.Tool, c.Args)
	run.mu.Unlock()
	if d != nil || !offered || len(run.r.opt.Hooks) == 0 && run.play == nil {
		return c.Args, nil // whoever makes the call says why it cannot be made
	}
	var args json.RawMessage
	if run.play != nil {
		args, d = run.play.before(run, c)
	} else {
		c.Main, c.Writes = run.r.tools.Canonical(c.Tool), run.r.tools.Writes(c.Tool)
		args, d = invoke.BeforeTool(ctx, run.r.opt.Hooks, run.r.opt.Grace, c)
	}
	if d != nil {
		return nil, run.deny(d, c.Args, c.By)
	}
	if !bytes.Equal(args, c.Args) {
		run.commit(&record.Rewritten{Tool: c.Tool, By: c.By, Asked: jsonvalue.Valid(c.Args), Args: args}, nil)
	}
	return args, nil
}

// count counts a call for the run and all skills in use. run.mu is held.
func (run *Run) count(tool string) {
	run.calls++
	run.used[run.r.tools.Canonical(tool)]++
	for _, f := range run.frames {
		f.calls++
	}
}

func (run *Run) call(ctx context.Context, tool string, args json.RawMessage, by string) (*skill.Result, error) {
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	valid := json.Valid(args)
	args = jsonvalue.Valid(args)
	if by != byHost {
		if err := run.alive(ctx, by); err != nil {
			return nil, err
		}
	}
	asked := skill.HookCall{Tool: tool, Args: args, By: by, Step: run.running()}
	args, err := run.before(ctx, asked)
	if err != nil {
		return nil, err
	}
	n, err := run.admit(tool, args, by)
	if err != nil {
		return nil, err
	}
	var res *skill.Result
	if run.play != nil {
		res, err = run.play.result(run, n, tool, args)
	} else if !valid {
		err = fmt.Errorf("tool %s: arguments are no JSON: %w", tool, skill.ErrFormat)
	} else if res, err = invoke.Tool(withRun(skill.WithScope(ctx, &run.scope), run), run.r.tools.ByName[tool], args, run.r.opt.Grace); err == nil {
		if res, err = invoke.CleanResult(tool, args, res); err == nil && len(run.r.opt.Hooks) > 0 {
			asked.Args, asked.Main, asked.Writes = args, run.r.tools.Canonical(tool), run.r.tools.Writes(tool)
			res, err = invoke.AfterTool(ctx, run.r.opt.Hooks, run.r.opt.Grace, asked, res)
		}
	}
	res, err = run.returned(n, tool, args, by, res, err)
	if by != byHost {
		if over := run.alive(ctx, by); over != nil {
			return nil, over
		}
	}
	return res, err
}

// returned takes in what a tool returned: its evidence gets keys, its searches go to the ledger.
func (run *Run) returned(n int, tool string, args json.RawMessage, by string, res *skill.Result, err error) (*skill.Result, error) {
	e := &record.Result{Call: n, Tool: tool, By: by, Result: res}
	if err != nil {
		record.SetError(e, err)
	}
	run.commit(e, func() { run.takeIn(e, args) })
	return res, err
}

// takeIn gives the items of a result their keys, in place, and notes what was searched. run.mu is held.
func (run *Run) takeIn(e *record.Result, args json.RawMessage) {
	if e.Result == nil {
		if slices.Contains(convention.SearchTools, run.r.tools.Canonical(e.Tool)) {
			run.record(evidence.Searched{Tool: e.Tool, Query: invoke.QueryOf(args), Failed: e.Error})
		}
		return
	}
	given := map[string]string{} // a sub-agent's text speaks of keys of its own
	for i, it := range e.Result.Items {
		if run.play != nil {
			run.play.restore(run.ledger, it)
		} else {
			old := it.Key
			if it = run.ledger.Add(it); old != "" {
				given[old] = it.Key
			}
		}
		e.Result.Items[i] = it
		if !run.seen[it.Key] {
			run.seen[it.Key] = true
			run.items = append(run.items, it)
		}
	}
	e.Result.Text = show.Rekey(e.Result.Text, given)
	for _, s := range e.Result.Searched {
		run.record(s)
	}
}

// unanswered remembers a search of a step that was not made: without its answer nothing is proven. What a model or host asks
// for beside the steps is no part of the method. run.mu is held.
func (run *Run) unanswered(tool string, args json.RawMessage, by string, why error) {
	if by == byStep && slices.Contains(convention.SearchTools, run.r.tools.Canonical(tool)) {
		run.record(evidence.Searched{Tool: tool, Query: invoke.QueryOf(args), Failed: why.Error()})
	}
}

// record remembers a search. run.mu is held.
func (run *Run) record(s evidence.Searched) {
	run.ledger.Record(s)
	run.searched = append(run.searched, s)
}
