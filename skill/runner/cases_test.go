package runner_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

func recordOf(t testing.TB, s *skill.Skill, in map[string]any, o runner.Options, m skill.Model, tools ...*skilltest.ScriptedTool) string {
	t.Helper()
	var rec bytes.Buffer
	o.Record = &rec
	mustRun(t, runner.New(m, skilltest.Tools(tools...), &o), s, in)
	return rec.String()
}

func TestCases(t *testing.T) {
	const workflow = "steps:\n  - {id: r, search: {for: x}}\n  - {id: g, require: len(r) > 0}\n  - {id: w, call: save}\n"
	load := func(workflow string, more map[string]string) *skill.Skill {
		files := map[string]string{"a/SKILL.md": md("a", workflow)}
		for k, v := range more {
			files["a/tests/"+k] = v
		}
		skills, err := skill.Load(folder(files))
		if err != nil {
			t.Fatal(err)
		}
		return skills[0]
	}
	rec := recordOf(t, load(workflow, nil), nil, runner.Options{}, nil, skilltest.NewTool("search_internal", passages()), writer())
	tests := []struct {
		name, workflow, expect string
		problems               []string // parts of them, in order; none: passes
	}{
		{"the same", workflow, "", nil},
		{"all that can be expected", workflow, "status: done\nreason: tool save\ncalls: search_internal\nnever: [write_file]\nkeys: [D1, D6]\nholds: [len(r) == 6, status == 'done']\n", nil},
		{"nothing of it", workflow, "status: stopped\nat: g\nreason: [because]\ncalls: [write_file]\nnever: [search_internal]\ndenied: [write_file]\nkeys: [D7]\ntelemetry: {rate: 1}\nholds: [len(r) == 5]\n",
			[]string{"yaml:1: status stopped", "yaml:2: the end", "yaml:3: the reason", "yaml:4: write_file is expected to be called", "yaml:5: search_internal must not", "yaml:6: write_file is expected to be denied", "yaml:7: evidence D7", "yaml:8: telemetry rate", "yaml:9: len(r) == 5 does not hold"}},
		{"unknown expectation", workflow, "statsu: done\n", []string{`"statsu" is not a known expectation`}},
		{"no mapping", workflow, "- done\n", []string{"no YAML mapping"}},
		{"another condition", strings.Replace(workflow, "> 0", "> 9", 1), "status: done\n", []string{"parts from its record in step g", "status done is expected"}},
		{"another question", strings.Replace(workflow, "for: x", "for: y", 1), "", []string{"holds no answer to this call"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{"c.jsonl": rec}
			if tt.expect != "" {
				files["c.yaml"] = tt.expect
			}
			got, err := runner.Test(t.Context(), load(tt.workflow, files))
			if err != nil || len(got) != 1 {
				t.Fatalf("Test = %v, %v", got, err)
			}
			if len(got[0].Problems) != len(tt.problems) || got[0].Passed != (len(tt.problems) == 0) {
				t.Fatalf("problems: %q", got[0].Problems)
			}
			for i, want := range tt.problems {
				if !strings.Contains(got[0].Problems[i], want) {
					t.Errorf("problem %q, want %q", got[0].Problems[i], want)
				}
			}
		})
	}
	for name, files := range map[string]map[string]string{
		"expectations without a record": {"d.yaml": "status: done\n"},
		"a damaged record":              {"d.jsonl": "{}\n"},
		"a record of another skill":     {"d.jsonl": strings.ReplaceAll(rec, `"skill":"a"`, `"skill":"b"`)},
	} {
		got, err := runner.Test(t.Context(), load(workflow, files))
		if err != nil || len(got) != 1 || got[0].Passed {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := runner.Test(t.Context(), load(workflow, nil)); err != nil || len(got) != 0 {
		t.Errorf("no cases: %v, %v", got, err)
	}
}

func TestDiff(t *testing.T) {
	s := parse(t, "inputs: {q: string}\nsteps:\n  - id: l\n    loop: {max: 3, until: len(r) > 1}\n    steps:\n      - {id: r, search: {for: \"${inputs.q}\"}}\n      - {id: x, call: t}\n")
	run := func(q string, results ...*skill.Result) string {
		return recordOf(t, s, map[string]any{"q": q}, runner.Options{}, nil, skilltest.NewTool("search_internal", passages()), skilltest.NewTool("t", results...))
	}
	diff := func(a, b string) *record.Difference {
		t.Helper()
		d, err := record.Diff(strings.NewReader(a), strings.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	one := run("a", &skill.Result{Text: "x"})
	if d := diff(one, run("a", &skill.Result{Text: "x"})); !d.Same {
		t.Errorf("two runs at two times: %+v", d)
	}
	d := diff(one, run("a", &skill.Result{Text: "y"}))
	want := []record.FieldDelta{{Path: "result.text", A: `"x"`, B: `"y"`}}
	if cmp.Diff(want, d.Fields) != "" || d.Step != "l > x" || d.A.Event != "result" || len(d.Outcome) != 0 || d.Same {
		t.Errorf("another result: %+v", d)
	}
	if d := diff(one, run("b", &skill.Result{Text: "x"})); d.Step != "" || d.Fields[0].Path != "inputs.q" {
		t.Errorf("another input: %+v", d)
	}
	lines := strings.SplitAfter(one, "\n")
	if d := diff(one, strings.Join(lines[:8], "")); d.B != nil || d.A.Line != 9 || d.Outcome[0].Path == "" {
		t.Errorf("one that ends early: %+v", d)
	}
	if d := diff(one, strings.ReplaceAll(one, `"tool":"t"`, `"tool":"\u001b[2J\u202e"`)); strings.ContainsAny(d.A.Text+d.B.Text, "\x1b\u202e") {
		t.Errorf("a record writes to the terminal: %q", d.B.Text)
	}
	var text strings.Builder
	if err := d.WriteText(&text, "a", "b"); err != nil || !strings.Contains(text.String(), "the runs part in step l > x") {
		t.Errorf("%v: %s", err, text.String())
	}
}
