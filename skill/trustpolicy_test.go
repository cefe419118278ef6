package skill_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/skilltest"
)

// TestTrustPolicy: the skill's own approval lets tools write when the host trusts it, and nothing else becomes looser.
func TestTrustPolicy(t *testing.T) {
	const (
		noApproval = "inputs: {task: string}\nsteps:\n  - {id: refs, search: {in: docs, for: \"${inputs.task}\"}}\n  - {id: enough, require: len(refs) >= 1}\n  - {id: code, call: write_file, args: {path: a}}\n"
		late       = "inputs: {task: string}\nguards:\n  - {deny: [write_file], until: passed.enough && approved.ok, because: plan first}\nsteps:\n  - {id: ok, approve: go on, unattended: approve}\n" +
			"  - {id: code, call: write_file, args: {path: a}}\n  - {id: refs, search: {in: docs, for: \"${inputs.task}\"}}\n  - {id: enough, require: len(refs) >= 2}\n"
	)
	tests := []struct {
		name, workflow, status, reason string
		person                         bool // asks one, who stops
		writes                         int
	}{
		{name: "approves", workflow: guarded, status: skill.StatusDone, writes: 1},
		{name: "says stop", workflow: strings.Replace(guarded, "unattended: approve", "unattended: stop", 1), status: skill.StatusStopped, reason: "nobody can be asked"},
		{name: "says nothing", workflow: strings.Replace(guarded, ", unattended: approve", "", 1), status: skill.StatusStopped, reason: "nobody can be asked"},
		{name: "a gate does not hold", workflow: strings.Replace(guarded, ">= 2", ">= 200", 1), status: skill.StatusInsufficient, reason: "does not hold"},
		{name: "before its gate", workflow: late, status: skill.StatusStopped, reason: "plan first"},
		{name: "no approval at all", workflow: noApproval, status: skill.StatusStopped, reason: "nothing was approved in this run"},
		{name: "a person says no", workflow: guarded, person: true, status: skill.StatusStopped, reason: "the answer was stop"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := skilltest.NewTool("write_file", &skill.Result{Text: "written"})
			w.Writes = true
			tools := skilltest.Tools(w, skilltest.NewTool("search_internal", passages()))
			s := parse(t, tt.workflow)
			s.AllowedTools = []string{"write_file", "search_internal"}
			var rec, again bytes.Buffer
			o := &skill.RunnerOptions{}
			if tt.person {
				o.Approve = func(context.Context, skill.Approval) (string, error) { return "stop", nil }
			}
			o.TrustPolicy, o.Record = true, &rec
			run, err := skill.NewRunner(nil, tools, o).Start(t.Context(), s, map[string]any{"task": "x"})
			if err != nil {
				t.Fatal(err)
			}
			var denied *skill.DeniedError
			if _, err := run.Call(t.Context(), "write_file", json.RawMessage(`{}`)); !errors.As(err, &denied) {
				t.Fatalf("before the run: %v", err)
			}
			out, err := run.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if out.Status != tt.status || !strings.Contains(out.Reason, tt.reason) || len(w.Calls()) != tt.writes {
				t.Errorf("%s: %s; %d writes, want %s: %s; %d", out.Status, out.Reason, len(w.Calls()), tt.status, tt.reason, tt.writes)
			}
			if out.Status != skill.StatusDone {
				if _, err := run.Call(t.Context(), "write_file", json.RawMessage(`{}`)); !errors.As(err, &denied) {
					t.Errorf("behind the run: %v", err)
				}
			}
			if tt.name != "approves" {
				return
			}
			rec.Reset()
			if _, err := skill.NewRunner(nil, tools, o).Run(t.Context(), s, map[string]any{"task": "x"}); err != nil {
				t.Fatal(err)
			}
			replayed, err := skill.Replay(t.Context(), s, bytes.NewReader(rec.Bytes()), &again)
			if err != nil || replayed.Status != skill.StatusDone || rec.String() != again.String() {
				t.Errorf("replayed: %v, %v", replayed, err)
			}
		})
	}
}
