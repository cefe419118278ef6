package skill_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
	"github.com/findspot/findspot/skill/workflow"
)

func workflowSchema(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(workflow.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	rs, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return rs
}

// validate reads a workflow as an editor does.
func validate(t testing.TB, rs *jsonschema.Resolved, workflow string) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(workflow), &v); err != nil {
		t.Fatalf("%v\n%s", err, workflow)
	}
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	if err := json.Unmarshal(data, &plain); err != nil {
		t.Fatal(err)
	}
	return rs.Validate(plain)
}

func TestSchemaIsPublished(t *testing.T) {
	golden.Compare(t, "../docs/workflow.schema.json", workflow.Schema())
}

// TestSchemaAndParserAgree gives both the same workflows: what the parser takes the schema takes, and what the parser
// refuses for its shape the schema refuses.
func TestSchemaAndParserAgree(t *testing.T) {
	rs := workflowSchema(t)
	good := []string{
		"steps: [{id: x, finish: done}]",
		"name: a\ndescription: d\nlicense: MIT\ncompatibility: c\nmetadata: {examples: e}\nallowed-tools: t u\nsteps: [{id: x, call: t}]",
		"inputs: {a: string, b: {type: list, required: true, default: [1], description: d}, c: {}}\nsteps: [{id: x, finish: done}]",
		"limits: {tool_calls: 3, wall: 1m30s, tokens: 9}\nsteps: [{id: x, finish: done}]",
		"guards: [{deny: [a, b], until: passed.g, because: no}, {deny: c}]\nsteps: [{id: g, require: true}]",
		"scripts: [scripts/a.py, {path: b.sh, description: d, args: {type: object}}]\nsteps: [{id: x, finish: done}]",
		"telemetry: {n: 1}\nsteps: [{id: x, finish: done, when: true, on_error: stop}]",
		"steps: [{id: x, expand: q, add: [a], glossary: g, keep: 3}]",
		"steps: [{id: x, refine: {from: a, task: b, keep: 3}}]",
		"steps: [{id: x, search: {in: both, for: a, where: {doc: 38.331}, tiers: [phrase], keep: 4, merge: true}}]",
		"steps: [{id: x, call: t, args: {a: 1}, retry: {max: 2, on: e, wait: 2s}, fallback: {call: u, args: {}}}]",
		"steps: [{id: x, ask: q, from: ['${1}'], schema: {type: object}, with: [t]}]",
		"steps: [{id: x, write: plan, with: t, from: ['${1}'], sections: [a], cite: every_claim, check: c}]",
		"steps: [{id: x, each: '${[1]}', as: e, max: 3, steps: [{id: y, call: t}]}]",
		"steps: [{id: x, loop: {max: 2, until: 1 > 0}, steps: [{id: y, call: t}]}]",
		"steps: [{id: x, require: 1 > 0, because: b, else: stopped}]",
		"steps: [{id: x, approve: q, choices: [approve, revise], unattended: stop}]",
		"steps: [{id: x, synthesize: ['${1}'], verify: quotes, style: s}]",
		"steps: [{id: x, use: other, inputs: {a: 1}}]",
	}
	for _, w := range good {
		if _, err := skill.ParseWorkflow("w.yaml", w); err != nil {
			t.Errorf("parser: %v\n%s", err, w)
		}
		if err := validate(t, rs, w); err != nil {
			t.Errorf("schema: %v\n%s", err, w)
		}
	}
	step := "steps: [{id: x, finish: done}]\n"
	bad := []string{
		"stepz: []", "steps: []", "steps: {}", "inputs: {}", "steps: [x]", "steps: [{id: x}]", "steps: [{id: x, frobnicate: y}]",
		step + "inputs: []", step + "inputs: {a: strin}", step + "inputs: {a: {typ: string}}", step + "inputs: {a: {required: yes please}}",
		step + "limits: {calls: 3}", step + "limits: {tool_calls: 0}", step + "limits: {tool_calls: 1.5}", step + "limits: {wall: soon}", step + "limits: []",
		step + "guards: {}", step + "guards: [{until: passed.x}]", step + "guards: [{deny: [a], untill: passed.x}]", step + "guards: [x]",
		step + "scripts: x", step + "scripts: [{description: d}]", step + "scripts: [{path: a, run: b}]", step + "telemetry: []",
		"steps: [{id: x, finish: soon}]", "steps: [{id: x, finish: done, on_error: retry}]", "steps: [{id: x, finish: done, wen: a}]",
		"steps: [{id: x, finish: done, call: t}]", "steps: [{finish: done}]",
		"steps: [{id: x, expand: q, keep: 0}]", "steps: [{id: x, expand: [q]}]", "steps: [{id: x, refine: q}]", "steps: [{id: x, refine: {form: q}}]",
		"steps: [{id: x, search: {in: web, for: a}}]", "steps: [{id: x, search: {in: docs}}]", "steps: [{id: x, search: {for: a, where: b}}]",
		"steps: [{id: x, search: {for: a, keep: 1000}}]", "steps: [{id: x, search: {for: {a: b}}}]", "steps: [{id: x, search: {for: a, merge: 3}}]",
		"steps: [{id: x, call: t, args: [a]}]", "steps: [{id: x, call: t, retry: 3}]", "steps: [{id: x, call: t, retry: {max: 99}}]",
		"steps: [{id: x, call: t, fallback: {args: {}}}]", "steps: [{id: x, call: t, fallback: {call: u, retry: {}}}]", "steps: [{id: x, ask: q, schema: text}]",
		"steps: [{id: x, write: plan, cite: some}]", "steps: [{id: x, each: '${[1]}'}]", "steps: [{id: x, each: '${[1]}', steps: []}]",
		"steps: [{id: x, loop: {until: 1 > 0}, steps: [{id: y, call: t}]}]", "steps: [{id: x, loop: {max: 2}}]", "steps: [{id: x, loop: 3, steps: [{id: y, call: t}]}]",
		"steps: [{id: x, require: 1 > 0, else: done}]", "steps: [{id: x, approve: q, choice: [approve]}]", "steps: [{id: x, synthesize: ['${1}'], verify: some}]",
		"steps: [{id: x, use: other, with: {a: 1}}]", "steps: [{id: x, use: other, inputs: 3}]",
	}
	for _, w := range bad {
		if _, err := skill.ParseWorkflow("w.yaml", w); err == nil {
			t.Errorf("parser took\n%s", w)
		}
		if err := validate(t, rs, w); err == nil {
			t.Errorf("schema took\n%s", w)
		}
	}
}

// TestShippedWorkflowsAreOfTheSchema validates each shipped skill.
func TestShippedWorkflowsAreOfTheSchema(t *testing.T) {
	rs := workflowSchema(t)
	n := 0
	err := fs.WalkDir(library.Skills(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, "SKILL.md") {
			return err
		}
		text, err := fs.ReadFile(library.Skills(), p)
		if err != nil {
			return err
		}
		_, rest, ok := strings.Cut(string(text), "```yaml workflow\n")
		if !ok {
			return nil
		}
		block, _, _ := strings.Cut(rest, "\n```")
		if err := validate(t, rs, block); err != nil {
			t.Errorf("%s: %v", p, err)
		}
		n++
		return nil
	})
	if err != nil || n == 0 {
		t.Fatalf("%d workflows, %v", n, err)
	}
}

func TestNearNamesInErrors(t *testing.T) {
	for w, want := range map[string]string{
		"stesp: [{id: x, finish: done}]":             "did you mean steps?",
		"steps: [{id: x, serach: {for: a}}]":         "did you mean search?",
		"steps: [{id: x, search: {fro: a, for: b}}]": "did you mean for?",
		"steps: [{id: x, call: t, arg: {}}]":         "did you mean args?",
		"steps: [{id: x, require: a, becuase: b}]":   "did you mean because?",
		"limits: {toolcalls: 3}\nsteps: []":          "did you mean tool_calls?",
	} {
		if _, err := skill.ParseWorkflow("w.yaml", w); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "w.yaml:1: ") {
			t.Errorf("%s: %v, want it to hold %q", w, err, want)
		}
	}
}
