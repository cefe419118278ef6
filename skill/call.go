package skill

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/evidence"
)

// Who asks for a call.
const (
	byStep  = "step"
	byModel = "model"
	byHost  = "host"
)

// A limitError ends a run: one of its limits is used up.
type limitError struct{ what string }

func (e *limitError) Error() string { return "limit reached: " + e.what }

// Tools returns the runner's tools, sorted by name, with the guards of the run before them. A host hands these out while
// the skill is active.
func (run *Run) Tools() []Tool {
	out := make([]Tool, 0, len(run.r.names))
	for _, name := range run.r.names {
		t := run.r.tools[name]
		t.Call = func(ctx context.Context, args json.RawMessage) (*Result, error) {
			return run.call(ctx, name, args, byHost)
		}
		out = append(out, t)
	}
	return out
}

// Call calls a tool under the guards and limits of the run. A refusal is a [*DeniedError], and is in the record.
func (run *Run) Call(ctx context.Context, tool string, args json.RawMessage) (*Result, error) {
	return run.call(ctx, tool, args, byHost)
}

// allow says whether a tool may be called now. Every skill in use must allow it, the outer ones too. A tool that writes
// needs an approval by a person that still stands, in one of them, beside what the guards ask; the choice that a skill
// itself makes for unattended runs is none. When the run has ended other than done, no gate of it is open any more. run.mu
// is held.
func (run *Run) allow(tool string, args json.RawMessage) *DeniedError {
	writes := run.r.writes(tool)
	open := run.over == "" || run.over == StatusDone
	approved := false
	for _, f := range run.frames {
		if f.skill.AllowedTools != nil && !run.r.allows(f.skill.AllowedTools, tool, args) {
			return &DeniedError{Tool: tool, Because: fmt.Sprintf("skill %s does not list it in allowed-tools", f.skill.Name)}
		}
		if f.skill.AllowedTools == nil && writes {
			return &DeniedError{Tool: tool, Because: fmt.Sprintf("it writes, and skill %s has no allowed-tools that list it", f.skill.Name)}
		}
		for _, g := range f.skill.Workflow.Guards {
			if run.r.lists(g.Deny, tool) && !(open && f.holds(g)) {
				return &DeniedError{Tool: tool, Because: cmpOr(g.Because, "a guard of skill "+f.skill.Name), Until: g.Until}
			}
		}
		approved = approved || f.personApproved()
	}
	if writes && !(open && approved) && !run.r.opt.AllowWrites {
		return &DeniedError{Tool: tool, Because: "it writes, and nothing was approved by a person in this run", Until: "an approve step is approved"}
	}
	return nil
}

// admit checks guards and limits and counts the call, in one step, so that no two calls pass on one ticket.
func (run *Run) admit(tool string, args json.RawMessage, by string) error {
	run.mu.Lock()
	defer run.mu.Unlock()
	if d := run.allow(tool, args); d != nil {
		return run.denyLocked(d, args, by)
	}
	if err := run.within(); err != nil {
		return err
	}
	if run.calls >= run.limits.ToolCalls {
		return &limitError{fmt.Sprintf("%d tool calls", run.limits.ToolCalls)}
	}
	if _, ok := run.r.tools[tool]; !ok {
		return fmt.Errorf("tool %s: not offered here: %w", tool, ErrUnsupported)
	}
	run.calls++
	run.used[run.r.canonical(tool)]++
	return nil
}

// deny notes a refused call and returns its error.
func (run *Run) deny(d *DeniedError, args json.RawMessage, by string) error {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.denyLocked(d, args, by)
}

const maxDenied = 1000 // refused calls that an outcome lists

func (run *Run) denyLocked(d *DeniedError, args json.RawMessage, by string) error {
	if len(run.denied) < maxDenied { // a model or host may ask for ever; the record has them all
		run.denied = append(run.denied, Denial{Tool: d.Tool, Because: d.Because, Until: d.Until, Step: run.current, By: by})
	}
	run.rec.event("denied", fields{{"tool", d.Tool}, {"args", args}, {"by", by}, {"step", run.current}, {"because", d.Because}, {"until", d.Until}})
	run.r.opt.Logger.Info("skill: tool denied", "skill", run.skill.Name, "tool", d.Tool, "by", by, "because", d.Because)
	return d
}

// before asks the host's hooks about a call that the guards allow, and returns the arguments to make it with. The guards are
// asked again, with those, when it is made.
func (run *Run) before(ctx context.Context, c HookCall) (json.RawMessage, error) {
	_, offered := run.r.tools[c.Tool]
	run.mu.Lock()
	d := run.allow(c.Tool, c.Args)
	run.mu.Unlock()
	if d != nil || !offered || len(run.r.opt.Hooks) == 0 {
		return c.Args, nil // whoever makes the call says why it cannot be made
	}
	c.Main, c.Writes = run.r.canonical(c.Tool), run.r.writes(c.Tool)
	args, d := beforeTool(ctx, run.r.opt.Hooks, c)
	if d != nil {
		return nil, run.deny(d, c.Args, c.By)
	}
	if !bytes.Equal(args, c.Args) {
		run.rec.event("rewritten", fields{{"tool", c.Tool}, {"by", c.By}, {"asked", c.Args}, {"args", args}})
	}
	return args, nil
}

// within checks the limits that are no counts of calls. run.mu is held.
func (run *Run) within() error {
	if run.r.opt.Now().Sub(run.started) > run.limits.Wall {
		return &limitError{run.limits.Wall.String() + " of time"}
	}
	if run.limits.Tokens > 0 && run.tokens > run.limits.Tokens {
		return &limitError{fmt.Sprintf("%d tokens", run.limits.Tokens)}
	}
	return nil
}

func (run *Run) call(ctx context.Context, tool string, args json.RawMessage, by string) (*Result, error) {
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	asked := HookCall{Tool: tool, Args: args, By: by, Step: run.at()}
	args, err := run.before(ctx, asked)
	if err != nil {
		return nil, err
	}
	if err := run.admit(tool, args, by); err != nil {
		return nil, err
	}
	res, err := callTool(WithScope(ctx, &run.scope), run.r.tools[tool], args)
	if err == nil && len(run.r.opt.Hooks) > 0 {
		asked.Args, asked.Main, asked.Writes = args, run.r.canonical(tool), run.r.writes(tool)
		res, err = afterTool(ctx, run.r.opt.Hooks, asked, res)
	}
	if err != nil {
		run.rec.event("call", fields{{"tool", tool}, {"args", args}, {"by", by}, {"error", err.Error()}})
		run.searchFailed(tool, args, err)
		return nil, err
	}
	out := *res
	out.Items = slices.Clone(res.Items)
	keys := make([]string, len(out.Items))
	given := map[string]string{}
	run.mu.Lock()
	for i, it := range out.Items {
		if it.Via == "" {
			it.Via = tool
		}
		old := it.Key
		it = run.ledger.Add(it)
		out.Items[i], keys[i] = it, it.Key
		if old != "" {
			given[old] = it.Key
		}
		if !run.seen[it.Key] {
			run.seen[it.Key] = true
			run.items = append(run.items, it)
		}
	}
	run.mu.Unlock()
	out.Text = rekey(out.Text, given)
	data, err := toPlain(res.Data)
	if err != nil {
		return nil, fmt.Errorf("tool %s: its data is no JSON: %w", tool, err)
	}
	out.Data = data
	if len(out.Searched) == 0 {
		out.Searched = searchedOf(tool, args, &out)
	}
	for _, s := range out.Searched {
		run.record(s)
	}
	whole, err := marshal(&out)
	if err != nil {
		return nil, fmt.Errorf("tool %s: its result is no JSON: %w", tool, err)
	}
	run.rec.event("call", fields{{"tool", tool}, {"args", args}, {"by", by}, {"result_hash", evidence.Hash(string(whole))},
		{"items", keys}, {"verdict", out.Verdict}, {"searched", out.Searched}})
	return &out, nil
}

// callTool keeps a panic of one tool from ending the host.
func callTool(ctx context.Context, t Tool, args json.RawMessage) (res *Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, fmt.Errorf("tool %s: panic: %v", t.Name, p)
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !json.Valid(args) {
		return nil, fmt.Errorf("tool %s: arguments are no JSON: %w", t.Name, ErrFormat)
	}
	res, err = t.Call(ctx, args)
	if err == nil && res == nil {
		err = fmt.Errorf("tool %s: returned nothing", t.Name)
	}
	return res, err
}

func (run *Run) record(s evidence.Searched) {
	run.ledger.Record(s)
	run.mu.Lock()
	run.searched = append(run.searched, s)
	run.mu.Unlock()
}

// searchTools are those whose failing means that a search was not answered.
var searchTools = []string{searchDocsTool, searchCodeTool, "references", "lsp_references", "search_text", "search_file"}

func (run *Run) searchFailed(tool string, args json.RawMessage, err error) {
	if slices.Contains(searchTools, tool) {
		run.record(evidence.Searched{Tool: tool, Query: queryOf(args), Failed: err.Error()})
	}
}

func queryOf(args json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return string(args)
	}
	for _, k := range []string{"query", "symbol", "pattern", "name"} {
		if s, ok := m[k].(string); ok {
			return s
		}
	}
	return string(args)
}

// searchedOf reads off a result what was searched, when the tool does not say it itself. It believes only what is there:
// what is not stated counts as not fresh and not full. A verdict of "verified none" states both.
func searchedOf(tool string, args json.RawMessage, res *Result) []evidence.Searched {
	m, _ := res.Data.(map[string]any)
	_, stated := m["searched"]
	if !slices.Contains(searchTools, tool) && !stated {
		return nil
	}
	s := evidence.Searched{Tool: tool, Query: queryOf(args), Total: len(res.Items)}
	if n, ok := m["total"].(float64); ok {
		s.Total = max(s.Total, int(n))
	}
	if v := verdict(res.Verdict); v != "" {
		s.Full = v == VerdictVerifiedNone
		s.Fresh = s.Full
		return []evidence.Searched{s}
	}
	if in, ok := m["searched"].(map[string]any); ok {
		s.Tiers = texts(in["tiers"])
		want := []string{"phrase", "all", "any"}
		if tool == searchCodeTool {
			want = []string{"name", "body"}
		}
		s.Full = true
		for _, t := range want {
			s.Full = s.Full && slices.Contains(s.Tiers, t)
		}
		if full, ok := in["full_text"].(bool); ok && tool == searchDocsTool {
			s.Full = s.Full && (full || s.Total > 0)
		}
		for _, k := range []string{"documents", "files", "entities"} {
			if n, ok := in[k].(float64); ok {
				s.Size, s.Empty = int(n), n == 0
			}
		}
	}
	if f, ok := m["freshness"].(map[string]any); ok {
		s.Fresh = said(f["checked"]) && !said(f["changed"])
	}
	var a map[string]any
	if json.Unmarshal(args, &a) == nil {
		s.Scope, _ = a["doc"].(string)
	}
	return []evidence.Searched{s}
}

// said reports whether a JSON value states something: true, a number that is not 0, a time, a list with elements.
func said(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		return v != "" && !strings.HasPrefix(v, "0001-01-01")
	case []any:
		return len(v) > 0
	}
	return false
}
