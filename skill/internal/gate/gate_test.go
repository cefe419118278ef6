package gate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill/workflow"
)

// TestNames: a gate looks at steps, elements and other gates, and at no input.
func TestNames(t *testing.T) {
	w := &workflow.Workflow{Steps: []*workflow.Step{
		{ID: "plan", Kind: workflow.KindWrite, Write: &workflow.Write{What: "plan"}},
		{ID: "enough", Kind: workflow.KindRequire, Require: &workflow.Require{Cond: "len(found) > inputs.least && results.refs.text != ''"}},
		{ID: "ok", Kind: workflow.KindApprove, Approve: &workflow.Approve{What: "${plan.text}, after ${passed.enough}"}},
		{ID: "fine", Kind: workflow.KindApprove, Approve: &workflow.Approve{What: "${plan}"}},
	}}
	for i, want := range [][]string{nil, {"found", "refs"}, {"plan", "enough"}, {"plan"}} {
		if diff := cmp.Diff(want, Names(w.Steps[i])); diff != "" {
			t.Errorf("Names of %s (-want +got):\n%s", w.Steps[i].ID, diff)
		}
	}
	want := map[string][]string{"found": {"enough"}, "refs": {"enough"}, "plan": {"ok", "fine"}, "enough": {"ok"}}
	if diff := cmp.Diff(want, Watchers(w)); diff != "" {
		t.Errorf("Watchers (-want +got):\n%s", diff)
	}
	if got := Revised(w, w.Steps[3]); got != w.Steps[0] {
		t.Errorf("Revised(fine) = %v, want the step plan", got)
	}
	if got := Revised(w, w.Steps[2]); got != nil {
		t.Errorf("Revised(ok) = %v, want none: it shows more than a text", got)
	}
}
