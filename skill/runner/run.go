package runner

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

// A Run is one run of a skill. Its guards hold for every call through it. Tools and Call are safe for concurrent use, also
// while Run runs; Run itself is called once.
type Run struct {
	state  *state
	caller *caller
	exec   *executor
	ran    bool // guarded by state.mu
}

// Ledger returns the ledger of the run.
func (run *Run) Ledger() *evidence.Ledger { return run.caller.ledger }

// Tools returns the runner's tools, sorted by name, with the guards of the run before them. A host hands these out while
// the skill is active.
func (run *Run) Tools() []skill.Tool { return run.caller.guarded() }

// Call calls a tool under the guards and limits of the run. A refusal is a [*skill.DeniedError], and is in the record.
func (run *Run) Call(ctx context.Context, tool string, args json.RawMessage) (*skill.Result, error) {
	return run.caller.call(ctx, tool, args, byHost)
}

// Run executes the steps in order and returns how it ended. It is called once.
func (run *Run) Run(ctx context.Context) (*Outcome, error) {
	run.state.mu.Lock()
	if run.ran {
		run.state.mu.Unlock()
		return nil, errors.New("the run has already run")
	}
	run.ran = true
	run.state.mu.Unlock()

	f := run.state.frames[0]
	wall, cancel := run.state.deadline(ctx, f)
	defer cancel()
	err := run.exec.stepList(wall, f, f.skill.Workflow().Steps)
	out := &Outcome{Skill: run.state.frames[0].skill.Name, Status: skill.StatusDone}
	var (
		end       *endError
		limit     *limitError
		denied    *skill.DeniedError
		cancelled *cancelError
		missing   *ReplayError
	)
	at := run.state.endedAt()
	switch {
	case err == nil:
		out.Reason = run.state.doneReason()
	case errors.As(err, &missing):
		return nil, missing
	case errors.As(err, &cancelled):
		out.Status, out.Reason, out.At = skill.StatusStopped, cancelled.Error(), at
	case errors.As(err, &limit):
		out.Status, out.Reason, out.At = skill.StatusStopped, limit.Error(), at
	case errors.As(err, &end):
		out.Status, out.Reason, out.At = end.status, end.reason, end.at
	case errors.As(err, &denied):
		out.Status, out.Reason, out.At = skill.StatusStopped, denied.Error(), at
	default:
		out.Status, out.Reason, out.At = skill.StatusInsufficient, err.Error(), at
	}
	run.finish(out)
	if cancelled != nil && run.state.play == nil {
		return out, ctx.Err()
	}
	return out, run.state.log.Err()
}

// finish fills in what the run holds, computes the telemetry and closes the record.
func (run *Run) finish(out *Outcome) {
	run.state.turn()
	f := run.state.frames[0]
	out.Outputs = map[string]any{}
	for st := range f.skill.Workflow().All() {
		if v, ok := f.vars[st.ID]; ok {
			out.Outputs[st.ID] = v.plain
		}
	}
	// What the host still calls counts before the outcome or after it, never in one and not the other.
	run.state.mu.Lock()
	out.Items = append([]evidence.Item{}, run.caller.items...)
	out.Denied = append([]Denial{}, run.caller.denied...)
	out.Steps = append([]StepRecord{}, run.exec.steps...)
	out.ToolCalls, out.Tokens = run.caller.calls, run.exec.composer.writer.tokens
	out.Telemetry = run.telemetry(f, out.Status)
	keys := make([]string, len(out.Items))
	for i, it := range out.Items {
		keys[i] = it.Key
	}
	run.state.over = out.Status
	run.state.log.Write(&record.Outcome{Status: out.Status, Reason: out.Reason, At: out.At, Items: keys, ToolCalls: out.ToolCalls, Tokens: out.Tokens, Telemetry: out.Telemetry})
	out.Measures = run.state.log.Measures(out.Status)
	run.state.mu.Unlock()
	run.state.turn()
}

// telemetry computes the skill's own metrics, and those of reference questions where there was one. Nil: there are none.
// state.mu is held.
func (run *Run) telemetry(f *frame, status string) map[string]any {
	out := map[string]any{}
	for _, m := range f.skill.Workflow().Telemetry {
		v, err := run.metric(f, m, status)
		if err != nil {
			v = "error: " + err.Error()
		}
		out[m.Name] = v
	}
	if m := run.state.log.Measures(status); m.ReferenceToolHits > 0 {
		for name, v := range map[string]any{"reference_tool_hits": m.ReferenceToolHits, "caller_resolution_rate": m.CallerResolutionRate} {
			if _, own := out[name]; !own {
				out[name] = v
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// metric is one number of the skill's. state.mu is held.
func (run *Run) metric(f *frame, m workflow.Metric, status string) (any, error) {
	c, err := expression.CompileUsed(m.Expr, func(args ...any) (any, error) {
		if len(args) != 1 {
			return nil, errors.New("used takes the name of a tool")
		}
		name, _ := args[0].(string)
		return run.caller.used[run.caller.tools.Canonical(name)] > 0, nil
	})
	if err != nil {
		return nil, err
	}
	return c.Eval(f.environment(map[string]any{"status": status}))
}

// An Outcome is how a run ended and what it holds.
type Outcome struct {
	Skill   string          `json:"skill"`
	Status  string          `json:"status"`       // one of the Status constants
	Reason  string          `json:"reason"`       // why, in a sentence; for done, what a reader must know, if anything
	At      string          `json:"at,omitempty"` // id of the step at which it ended
	Outputs map[string]any  `json:"outputs"`      // value of each step that ran, as plain JSON, by step id
	Items   []evidence.Item `json:"items"`        // evidence in the order the run first saw it
	Denied  []Denial        `json:"denied"`       // refused calls, in order; at most the first 1,000
	Steps   []StepRecord    `json:"steps"`        // what ran, in order; inner steps before the loop that holds them ends
	// Telemetry holds the skill's own metrics and, when a reference tool was called, reference_tool_hits and
	// caller_resolution_rate of [record.Measures], unless the skill computes metrics of these names itself.
	Telemetry map[string]any  `json:"telemetry,omitempty"`
	Measures  record.Measures `json:"measures"`
	ToolCalls int             `json:"tool_calls"` // tools that were really called
	Tokens    int             `json:"tokens"`     // input and output together
}

// A Denial is one refused tool call.
type Denial struct {
	Tool    string `json:"tool"`
	Because string `json:"because"`
	Until   string `json:"until,omitempty"`
	Step    string `json:"step,omitempty"` // id of the running step; empty: called through the guarded tools
	By      string `json:"by"`             // step, model or host
}

// A StepRecord is what became of one execution of a step.
type StepRecord struct {
	ID     string        `json:"id"`
	Kind   workflow.Kind `json:"kind"`
	Status string        `json:"status"` // ok, skipped, failed or ended
	Note   string        `json:"note,omitempty"`
	Items  []string      `json:"items,omitempty"` // keys
	Text   string        `json:"-"`               // of a call: the whole answer of the tool
	Err    error         `json:"-"`               // of a step that failed
}
