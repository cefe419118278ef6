package skill

import (
	"slices"

	"github.com/findspot/findspot/skill/internal/expression"
)

// looksOf says for each name which gates of the workflow look at it. Names of gates are among the keys.
func looksOf(w *Workflow) map[string][]string {
	out := map[string][]string{}
	for st := range allSteps(w.Steps) {
		for _, name := range gateNames(st) {
			if name != st.ID && !slices.Contains(out[name], st.ID) {
				out[name] = append(out[name], st.ID)
			}
		}
	}
	return out
}

// gateNames are the names that a gate looks at; inputs are none of them, since they never change.
func gateNames(st *Step) (out []string) {
	var exprs []string
	switch {
	case st.Kind == KindRequire && st.Require != nil:
		exprs = []string{st.Require.Cond}
	case st.Kind == KindApprove && st.Approve != nil:
		parts, err := expression.Split(st.Approve.What)
		if err != nil {
			return nil // does not load
		}
		for _, p := range parts {
			if p.Expr {
				exprs = append(exprs, p.Text)
			}
		}
	}
	for _, src := range exprs {
		e, err := expression.Compile(src)
		if err != nil {
			continue // does not load
		}
		for _, n := range e.Names {
			switch n {
			case "inputs":
			case "passed", "approved", "results":
				out = append(out, e.Members[n]...)
			default:
				out = append(out, n)
			}
		}
	}
	return out
}

// revisedBy is the write step whose text an approve step shows, and has written again for the choice revise; nil: there is none.
func revisedBy(w *Workflow, st *Step) *Step {
	e, err := expression.Compile(expression.Unwrap(st.Approve.What))
	if err != nil || len(e.Names) != 1 {
		return nil
	}
	for s := range allSteps(w.Steps) {
		if s.ID == e.Names[0] && s.Kind == KindWrite {
			return s
		}
	}
	return nil
}
