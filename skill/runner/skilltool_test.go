package runner_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
	"github.com/findspot/findspot/skill/workflow"
)

func skillDigest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func TestSkillAsATool(t *testing.T) {
	s, w, tools := bench(t, "inputs: {task: {type: string, required: true, description: what to look for}, n: {type: integer, default: 2}, l: list}\nsteps:\n  - {id: refs, search: {for: \"${inputs.task}\"}}\n  - {id: enough, require: len(refs) >= inputs.n}\n  - {id: report, synthesize: [refs]}\n")
	r := runner.New(nil, tools, nil)
	tool, err := r.Tool(s)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{"task":{"type":"string","description":"what to look for"},"n":{"type":"integer","default":2},"l":{"type":"array"}},"required":["task"],"additionalProperties":false}`
	if diff := cmp.Diff(want, string(tool.Schema)); diff != "" || tool.Name != "a" || !tool.Writes {
		t.Errorf("%+v (-want +got)\n%s", tool, diff)
	}
	res, err := tool.Call(t.Context(), json.RawMessage(`{"task":"pss"}`))
	if err != nil || len(res.Items) != 6 || !strings.Contains(res.Text, ">\na: done") || !strings.HasPrefix(res.Text, "<data ") || !strings.Contains(res.Text, "[D1]") {
		t.Errorf("Call = %+v, %v", res, err)
	}
	if out, ok := res.Data.(*runner.Outcome); !ok || out.Status != skill.StatusDone {
		t.Errorf("data = %+v", res.Data)
	}
	if _, err := tool.Call(t.Context(), json.RawMessage(`{"n":3}`)); err == nil || !strings.Contains(err.Error(), `input "task" is missing`) {
		t.Errorf("without its input: %v", err)
	}
	if _, err := tool.Call(t.Context(), json.RawMessage(`[]`)); err == nil {
		t.Error("a list was taken for inputs")
	}
	if _, err := r.Tool(&skill.Skill{Name: "text"}); !errors.Is(err, skill.ErrUnsupported) {
		t.Errorf("a skill without a workflow: %v", err)
	}
	_ = w
}

// TestSkillAsAToolIsUnderTheOuterGuards has a model call a skill that writes, within a run whose guards deny writing.
func TestSkillAsAToolIsUnderTheOuterGuards(t *testing.T) {
	inner, w, tools := bench(t, "steps:\n  - {id: ok, approve: go}\n  - {id: c, call: write_file}\n")
	free, err := runner.New(nil, tools, approving()).Tool(inner)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := free.Call(t.Context(), nil); err != nil || len(w.Calls()) != 1 {
		t.Fatalf("by itself: %v, %d writes", err, len(w.Calls()))
	}
	outer, err := skill.New("outer", "outer", &workflow.Workflow{
		Guards: []workflow.Guard{{Deny: []string{"write_file"}, Until: "approved.plan_ok"}},
		Steps: []*workflow.Step{{ID: "first", Kind: workflow.KindApprove, Approve: &workflow.Approve{What: "start"}},
			{ID: "ask", Kind: workflow.KindAsk, Ask: &workflow.Ask{Prompt: "go", With: []string{"a"}}},
			{ID: "plan_ok", Kind: workflow.KindApprove, Approve: &workflow.Approve{What: "plan"}},
			{ID: "again", Kind: workflow.KindCall, Call: &workflow.Call{Tool: "a"}}},
	}, &skill.NewOptions{AllowedTools: []string{"a", "write_file", "search_internal"}})
	if err != nil {
		t.Fatal(err)
	}
	m := skilltest.NewModel(skilltest.Calls("a", `{}`), skilltest.Says("It was refused."))
	before := 0
	o := approving()
	o.Approve = func(_ context.Context, a runner.Approval) (string, error) {
		if a.Step == "plan_ok" {
			before = len(w.Calls())
		}
		return "approve", nil
	}
	out := mustRun(t, runner.New(m, append(tools, free), o), outer, nil)
	if before != 1 || len(w.Calls()) != 2 || out.Status != skill.StatusDone || len(out.Denied) != 1 || out.Denied[0].Tool != "write_file" {
		t.Errorf("%s: %s; %d writes before the plan, %d in all, %+v", out.Status, out.Reason, before, len(w.Calls()), out.Denied)
	}
}

func TestNewAndWorkflowFiles(t *testing.T) {
	_, err := skill.New("Bad Name", " ", &workflow.Workflow{Steps: []*workflow.Step{{ID: "x", Kind: workflow.KindUse, Use: &workflow.Use{Skill: "y"}}, {ID: "e", Kind: workflow.KindEach, Each: &workflow.Each{Of: "${[1]}", As: "it"}}, nil}}, nil)
	for _, want := range []string{`name "Bad Name"`, "description: missing", `uses skill "y"`, "each without steps", "a step is nil"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New = %v\nwant it to hold %q", err, want)
		}
	}
	const flow = "steps: [{id: x, finish: done}]\n"
	files := map[string]string{
		"beside/SKILL.md": "---\nname: beside\ndescription: d\nallowed-tools: t\n---\ntext\n", "beside/workflow.yaml": "steps: [{id: x, call: t}]\n",
		"named/SKILL.md": "---\nname: named\ndescription: d\n---\ntext\n", "named/named.workflow.yaml": flow,
		"loose.workflow.yaml": "name: loose\ndescription: d\n" + flow, "own/workflow.yaml": "name: own\ndescription: d\nsteps: [{id: u, use: loose}]\n",
		"ci/workflow.yaml": "jobs: {build: {runs-on: x}}\n", // of another program
		"two/SKILL.md":     md("two", flow), "two/workflow.yaml": flow,
		"other/SKILL.md": "---\nname: other\ndescription: d\n---\n", "other/workflow.yaml": "name: else\n" + flow,
		"bare.workflow.yaml":  flow,
		"wrong.workflow.yaml": "name: wrong\ndescription: d\nsteps:\n  - {id: x, cal: t}\n",
		"lists/SKILL.md":      "---\nname: lists\ndescription: d\nallowed-tools: u\n---\ntext\n", "lists/workflow.yaml": "steps: [{id: x, call: t}]\n",
	}
	skills, err := skill.Load(folder(files))
	if diff := cmp.Diff([]string{"beside", "loose", "named", "own"}, names(skills)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, want := range []string{"two/workflow.yaml:1: a second workflow: two/SKILL.md has a block", `other/workflow.yaml:1: name "else" differs`, "bare.workflow.yaml:1: name: missing",
		"wrong.workflow.yaml:4: a step without a known kind; did you mean call?", "lists/workflow.yaml:1: step \"x\": tool t is not in allowed-tools"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load = %v\nwant it to hold %q", err, want)
		}
	}
	if s, err := skill.LoadWorkflow(folder(files), "loose.workflow.yaml"); err != nil || s.Name != "loose" || s.Workflow() == nil || len(s.Digest) != 64 {
		t.Errorf("LoadWorkflow = %+v, %v", s, err)
	}
	for _, bad := range []string{"nosuch.yaml", "../x.yaml", "own/workflow.yaml", "ci/workflow.yaml"} {
		if _, err := skill.LoadWorkflow(folder(files), bad); err == nil {
			t.Errorf("LoadWorkflow(%q) was taken", bad)
		}
	}
}
