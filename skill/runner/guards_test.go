package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
	"github.com/findspot/findspot/skill/workflow"
	"github.com/google/go-cmp/cmp"
)

func TestGuards(t *testing.T) {
	newTools := func() (*skilltest.ScriptedTool, []skill.Tool) {
		w := skilltest.NewTool("write_file", &skill.Result{Text: "written"})
		w.Writes = true
		return w, skilltest.Tools(w, skilltest.NewTool("search_internal", passages()))
	}
	withTools := func(s *skill.Skill) *skill.Skill {
		s.AllowedTools = []string{"write_file", "search_internal"}
		return s
	}
	t.Run("order holds", func(t *testing.T) {
		w, tools := newTools()
		out := mustRun(t, runner.New(nil, tools, approving()), withTools(parse(t, guarded)), map[string]any{"task": "x"})
		if out.Status != skill.StatusDone || len(w.Calls()) != 1 {
			t.Errorf("%s: %s", out.Status, out.Reason)
		}
	})
	t.Run("the skill's own policy is no person", func(t *testing.T) {
		w, tools := newTools()
		out := mustRun(t, runner.New(nil, tools, nil), withTools(parse(t, guarded)), map[string]any{"task": "x"})
		if out.Status != skill.StatusStopped || len(w.Calls()) != 0 || !strings.Contains(out.Reason, "does not name this skill") {
			t.Errorf("%s: %s", out.Status, out.Reason)
		}
		out = mustRun(t, runner.New(nil, tools, &runner.Options{AllowWrites: true}), withTools(parse(t, guarded)), map[string]any{"task": "x"})
		if out.Status != skill.StatusStopped || len(w.Calls()) != 0 {
			t.Errorf("the host allows writes: %s: %s", out.Status, out.Reason)
		}
	})
	t.Run("step before its gate", func(t *testing.T) {
		w, tools := newTools()
		s := withTools(parse(t, guarded))
		st := s.Workflow().Steps
		st[0], st[3] = st[3], st[0]
		st[0].Call.Args = nil
		s.Workflow().Steps = []*workflow.Step{st[0], st[3], st[1], st[2]}
		out := mustRun(t, runner.New(nil, tools, nil), s, map[string]any{"task": "x"})
		want := []runner.Denial{{Tool: "write_file", Because: "plan first", Until: "passed.enough && approved.ok", Step: "code", By: "step"}}
		if diff := cmp.Diff(want, out.Denied); diff != "" || len(w.Calls()) != 0 || out.Status != skill.StatusStopped || out.At != "code" {
			t.Errorf("%s at %s (-want +got)\n%s", out.Status, out.At, diff)
		}
	})
	t.Run("host's tools", func(t *testing.T) {
		w, tools := newTools()
		run, err := runner.New(nil, tools, approving()).Start(t.Context(), withTools(parse(t, guarded)), map[string]any{"task": "x"})
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range run.Tools() {
			_, err := tool.Call(t.Context(), json.RawMessage(`{}`))
			var de *skill.DeniedError
			if tool.Name == "write_file" && (!errors.As(err, &de) || de.Until != "passed.enough && approved.ok") {
				t.Errorf("%s: %v", tool.Name, err)
			}
			if tool.Name == "search_internal" && err != nil {
				t.Errorf("%s: %v", tool.Name, err)
			}
		}
		if _, err := run.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := run.Call(t.Context(), "write_file", nil); err != nil || len(w.Calls()) != 2 {
			t.Errorf("behind the gates: %v, %d calls", err, len(w.Calls()))
		}
	})
	t.Run("guards cut out", func(t *testing.T) {
		w, tools := newTools()
		s := withTools(parse(t, "steps: [{id: x, call: write_file}]\n"))
		out := mustRun(t, runner.New(nil, tools, nil), s, nil)
		if len(w.Calls()) != 0 || len(out.Denied) != 1 {
			t.Errorf("%s: %s", out.Status, out.Reason)
		}
		out = mustRun(t, runner.New(nil, tools, &runner.Options{AllowWrites: true}), s, nil)
		if len(w.Calls()) != 1 || out.Status != skill.StatusDone {
			t.Errorf("the host allows writes: %s: %s", out.Status, out.Reason)
		}
	})
	t.Run("gate gone", func(t *testing.T) {
		_, tools := newTools()
		s := withTools(parse(t, guarded))
		s.Workflow().Steps = slices.Delete(s.Workflow().Steps, 1, 2)
		_, err := runner.New(nil, tools, nil).Run(t.Context(), s, map[string]any{"task": "x"})
		if err == nil || !strings.Contains(err.Error(), "passed.enough") {
			t.Errorf("Run = %v", err)
		}
	})
	t.Run("not in allowed-tools", func(t *testing.T) {
		_, tools := newTools()
		s := parse(t, "steps: [{id: x, search: {for: x}}]\n")
		s.AllowedTools = []string{"search_internal"}
		run, err := runner.New(nil, tools, nil).Start(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		var de *skill.DeniedError
		if _, err := run.Call(t.Context(), "view_file", nil); !errors.As(err, &de) || !strings.Contains(de.Because, "allowed-tools") {
			t.Errorf("Call = %v", err)
		}
	})
	t.Run("model", func(t *testing.T) {
		w, tools := newTools()
		s := withTools(parse(t, "guards: [{deny: [write_file], until: approved.ok}]\nsteps:\n  - {id: q, ask: Write now., with: [write_file]}\n  - {id: ok, approve: \"${q}\"}\n"))
		m := skilltest.NewModel(skilltest.Calls("write_file", `{"path": "x"}`), skilltest.Says("I was refused."))
		out := mustRun(t, runner.New(m, tools, nil), s, nil)
		if len(w.Calls()) != 0 || len(out.Denied) != 1 || out.Denied[0].By != "model" || out.Outputs["q"] != "I was refused." {
			t.Errorf("denied %v, outputs %v", out.Denied, out.Outputs)
		}
		if msgs := m.Requests()[1].Messages; !msgs[len(msgs)-1].Error || !strings.Contains(msgs[len(msgs)-1].Text, "is denied") {
			t.Errorf("the model was not told: %+v", msgs)
		}
	})
}

// TestMutatedWorkflowsLeakNothing deletes, swaps and repeats the steps of a workflow in every way, and calls the denied
// tool through the host's tools after each step; it may run only when both gates have passed.
func TestMutatedWorkflowsLeakNothing(t *testing.T) {
	base := func() []*workflow.Step {
		s := parse(t, strings.Replace(guarded, "\"${inputs.task}\"", "x", 1))
		return s.Workflow().Steps
	}
	n := 0
	for a := range 4 {
		for b := range 4 {
			for c := range 4 {
				for d := range 5 {
					steps := base()
					var mutated []*workflow.Step
					for i, k := range []int{a, b, c, d} {
						if k == 4 {
							continue
						}
						st := *steps[k]
						if slices.ContainsFunc(mutated, func(o *workflow.Step) bool { return o.ID == st.ID }) {
							st.ID += strings.Repeat("x", i)
						}
						if st.Approve != nil {
							st.Approve = &workflow.Approve{What: "plan", Unattended: "approve"}
						}
						mutated = append(mutated, &st)
					}
					s := parse(t, guarded)
					s.AllowedTools = []string{"write_file", "search_internal"}
					s.Workflow().Steps = mutated
					var run *runner.Run
					passed := map[string]bool{}
					w := skill.Tool{Name: "write_file", Call: func(context.Context, json.RawMessage) (*skill.Result, error) {
						if !passed["enough"] || !passed["ok"] {
							t.Errorf("write_file ran in %d%d%d%d with only %v passed", a, b, c, d, passed)
						}
						return &skill.Result{Text: "ok"}, nil
					}}
					rec := writerFunc(func(p []byte) (int, error) {
						var e struct {
							Event, ID, Choice string
							Passed            bool
						}
						if err := json.Unmarshal(p, &e); err != nil {
							t.Error(err)
						}
						passed[e.ID] = passed[e.ID] || e.Event == "gate" && e.Passed || e.Event == "approval" && e.Choice == "approve"
						return len(p), nil
					})
					tools := append(skilltest.Tools(skilltest.NewTool("search_internal", passages())), w)
					run, err := runner.New(nil, tools, &runner.Options{Record: rec, AllowWrites: true, TrustDigests: []string{s.Digest}}).Start(t.Context(), s, nil)
					if err != nil {
						continue // refused before it runs
					}
					n++
					if _, err := run.Run(t.Context()); err != nil {
						t.Error(err)
					}
					_, _ = run.Call(t.Context(), "write_file", nil)
				}
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d mutants ran", n)
	}
	t.Logf("%d of 320 mutants ran, the others were refused", n)
}
