package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/grammar"
	"github.com/findspot/findspot/skill/internal/show"
	"github.com/findspot/findspot/skill/workflow"
)

// Tool offers a skill as a tool of its name, so that an agent or an MCP client runs it by one call. Its arguments are the
// skill's inputs; its answer has the outcome as data, the evidence as items, and as text the status, the reason and what
// the last writing step wrote. The guards, approvals and limits of the skill hold inside. When it is called within a run,
// by a step, a model or a host of another skill, it calls that run's guarded tools and shares its ledger, so that the outer
// guards and limits hold too. The tool writes when the skill may call a tool that does. A skill without a workflow, or one
// that does not check, is an error.
func (r *Runner) Tool(s *skill.Skill) (skill.Tool, error) {
	switch {
	case s == nil:
		return skill.Tool{}, fmt.Errorf("no skill is given: %w", skill.ErrNotFound)
	case s.Workflow() == nil:
		return skill.Tool{}, fmt.Errorf("skill %s: it has no workflow block, and is text for a model only: %w", s.Name, skill.ErrUnsupported)
	}
	if problems := s.Workflow().Check(s.Source(), s.Allowed()); len(problems) > 0 {
		return skill.Tool{}, &skill.LoadError{File: s.Source(), Problems: problems}
	}
	var inputs []grammar.Input
	for _, in := range s.Workflow().Inputs {
		inputs = append(inputs, grammar.Input(in))
	}
	schema, err := json.Marshal(grammar.InputSchema(inputs))
	if err != nil {
		return skill.Tool{}, fmt.Errorf("skill %s: inputs: %w", s.Name, err)
	}
	guidance := ""
	if len(s.Examples) > 0 {
		guidance = "For tasks such as: " + strings.Join(s.Examples[:min(3, len(s.Examples))], "; ") + "."
	}
	if len(s.NotFor) > 0 {
		guidance = strings.TrimSpace(guidance + " Not for: " + strings.Join(s.NotFor[:min(3, len(s.NotFor))], "; ") + ".")
	}
	return skill.Tool{Name: s.Name, Description: s.Description, Guidance: guidance, Schema: schema, Writes: r.mayWrite(s, 0),
		Call: func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
			var inputs map[string]any
			if len(args) > 0 {
				if err := json.Unmarshal(args, &inputs); err != nil {
					return nil, fmt.Errorf("skill %s: inputs: %w: %v", s.Name, skill.ErrFormat, err)
				}
			}
			out, err := r.under(ctx).Run(ctx, s, inputs)
			if err != nil {
				return nil, err
			}
			return outcomeResult(s, out), nil
		}}, nil
}

// under is the runner itself, or within a run one over that run's guarded tools.
func (r *Runner) under(ctx context.Context) *Runner {
	outer := callerOf(ctx)
	if outer == nil {
		return r
	}
	o := r.opt
	o.Ledger, o.Record, o.Events, o.Scripts = outer.ledger, nil, nil, nil // the outer run records the calls
	return New(r.model, outer.guarded(), &o)
}

// mayWrite reports whether a run of the skill may call a tool that writes.
func (r *Runner) mayWrite(s *skill.Skill, depth int) bool {
	if depth > grammar.MaxUses {
		return true
	}
	if s.Allowed() != nil && slices.ContainsFunc(r.tools.Names, func(n string) bool { return r.tools.Writes(n) && r.tools.Allows(s.Allowed(), n, nil) }) {
		return true
	}
	for _, inner := range s.Uses() {
		if r.mayWrite(inner, depth+1) {
			return true
		}
	}
	return false
}

// outcomeResult is an outcome as a tool gives it.
func outcomeResult(s *skill.Skill, out *Outcome) *skill.Result {
	res := &skill.Result{Items: slices.Clone(out.Items), Data: out, Verdict: skill.VerdictFound}
	for i := range res.Items {
		res.Items[i].Via = cmp.Or(res.Items[i].Via, s.Name)
	}
	switch {
	case out.Status == skill.StatusVerifiedNone:
		res.Verdict = skill.VerdictVerifiedNone
	case len(out.Items) == 0:
		res.Verdict = skill.VerdictNoneKnown
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", s.Name, out.Status)
	if out.At != "" {
		fmt.Fprintf(&b, " at %s", out.At)
	}
	if out.Reason != "" {
		fmt.Fprintf(&b, ": %s", out.Reason)
	}
	written := ""
	for st := range s.Workflow().All() {
		if st.Kind == workflow.KindWrite || st.Kind == workflow.KindSynthesize {
			if v, ok := out.Outputs[st.ID].(map[string]any); ok {
				if text, ok := v["text"].(string); ok && text != "" {
					written = text
				}
			}
		}
	}
	if written != "" {
		b.WriteString("\n\n" + written)
	}
	res.Text = show.Data(b.String())
	return res
}
