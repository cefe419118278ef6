package gate

import (
	"slices"

	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/workflow"
)

// Watchers says for each name which gates of the workflow look at it. Names of gates are among the keys.
func Watchers(w *workflow.Workflow) map[string][]string {
	out := map[string][]string{}
	for st := range w.All() {
		for _, name := range Names(st) {
			if name != st.ID && !slices.Contains(out[name], st.ID) {
				out[name] = append(out[name], st.ID)
			}
		}
	}
	return out
}

// Names are the names that a gate looks at; inputs are none of them, since they never change.
func Names(st *workflow.Step) (out []string) {
	var exprs []string
	switch {
	case st.Kind == workflow.KindRequire && st.Require != nil:
		exprs = []string{st.Require.Cond}
	case st.Kind == workflow.KindApprove && st.Approve != nil:
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

// Revised is the write step whose text an approve step shows, and has written again for the choice revise; nil: there is none.
func Revised(w *workflow.Workflow, st *workflow.Step) *workflow.Step {
	e, err := expression.Compile(expression.Unwrap(st.Approve.What))
	if err != nil || len(e.Names) != 1 {
		return nil
	}
	for s := range w.All() {
		if s.ID == e.Names[0] && s.Kind == workflow.KindWrite {
			return s
		}
	}
	return nil
}
