package pack

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/lint"
	"github.com/findspot/findspot/skill/workflow"
)

// Weakened says what a newer skill denies less than an older one of that name, one a line, in the order of the old one's guards: tools that no guard denies any more,
// gates that it no longer waits for, gates with another condition, approvals that the skill now gives itself, tools that it may call now, and guards that are no longer proven. What it
// does not list may still be weaker: a condition is not understood, only compared.
func Weakened(old, now *skill.Skill) (out []string) {
	say := func(format string, args ...any) {
		if line := old.Name + ": " + fmt.Sprintf(format, args...); !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	var guards []workflow.Guard
	if now.Workflow() != nil {
		guards = now.Workflow().Guards
	}
	if old.Workflow() != nil {
		for _, g := range old.Workflow().Guards {
			gates, _ := expression.ParseGates(g.Until)
			for _, tool := range g.Deny {
				var waits []expression.Gate
				denied := false
				for _, n := range guards {
					if slices.Contains(n.Deny, tool) {
						more, _ := expression.ParseGates(n.Until)
						denied, waits = true, append(waits, more...)
					}
				}
				if !denied {
					say("no guard denies %s any more", tool)
					continue
				}
				for _, gate := range gates {
					if !slices.Contains(waits, gate) {
						say("%s no longer waits for %s", tool, gate)
					}
				}
			}
		}
		for st := range old.Workflow().All() {
			if after := step(now, st.ID); st.Gate() && after != nil {
				if before, now := condition(st), condition(after); before != now {
					say("gate %s: %s, before %s", st.ID, now, before)
				}
			}
		}
	}
	if old.Allowed() != nil {
		if now.Allowed() == nil {
			say("allowed-tools is gone: any tool may be called")
		}
		for _, tool := range now.Allowed() {
			if !slices.Contains(old.Allowed(), tool) {
				say("it may now call %s", tool)
			}
		}
	}
	if lint.Check(old, nil).Errors() == 0 {
		for _, f := range lint.Check(now, nil).Findings {
			if f.Severity == lint.SeverityError {
				say("%s", f)
			}
		}
	}
	return out
}

func step(s *skill.Skill, id string) *workflow.Step {
	if s.Workflow() == nil {
		return nil
	}
	for st := range s.Workflow().All() {
		if st.ID == id {
			return st
		}
	}
	return nil
}

// condition is what opens a gate, to be read and compared.
func condition(st *workflow.Step) string {
	switch {
	case st.Require != nil:
		return "require " + st.Require.Cond
	case st.Approve != nil:
		return "approve " + strings.Join(strings.Fields(st.Approve.What), " ") + ", unattended " + cmp.Or(st.Approve.Unattended, workflow.ChoiceStop)
	}
	return "no gate"
}
