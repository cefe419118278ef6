package runner_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

func TestExpandAndRefineByCorpusAndModel(t *testing.T) {
	found := passages()
	found.Data = map[string]any{"suggestions": []any{map[string]any{"word": "sinchronization", "suggestion": "synchronization", "documents": 2}, "odd", map[string]any{"word": 3}}}
	const w = "inputs: {task: string}\nsteps:\n  - {id: q, expand: \"${inputs.task}\", by: [corpus, model], keep: 20}\n  - {id: r, search: {for: \"${q}\"}}\n  - {id: n, refine: {from: \"${r}\", task: \"${inputs.task}\", by: model, keep: 20}}\n"
	in := map[string]any{"task": "Design the sinchronization signal"}
	tests := []struct {
		name   string
		model  []skilltest.Turn
		expand []string // that must be among the queries
		refine string   // the first
		note   string
	}{
		{"without a model", nil, []string{"sinchronization signal", "synchronization signal", "primary synchronization signal"}, "primary synchronization signal", "no model"},
		{"with one", []skilltest.Turn{skilltest.Says(`{"queries":["cell  search\nprocedure","SSB"]}`), skilltest.Says(`{"queries":["SSB","burst set"]}`)},
			[]string{"cell search procedure", "SSB", "synchronization signal"}, "burst set", ""},
		{"with one that fails", []skilltest.Turn{skilltest.Says(`no JSON`), skilltest.Says(`{}`), skilltest.Says(`{"queries":[1]}`)}, []string{"sinchronization signal", "synchronization signal"}, "primary synchronization signal", "made no queries"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var m skill.Model
			if tt.model != nil {
				m = skilltest.NewModel(tt.model...)
			}
			var rec bytes.Buffer
			s := parse(t, w)
			out := mustRun(t, runner.New(m, skilltest.Tools(skilltest.NewTool("search_internal", found)), &runner.Options{Record: &rec}), s, in)
			got := asJSON(t, out.Outputs["q"])
			for _, want := range tt.expand {
				if !strings.Contains(got, `"`+want+`"`) {
					t.Errorf("expand: %q is not in %s", want, got)
				}
			}
			next, _ := out.Outputs["n"].([]any)
			if len(next) == 0 || next[0] != tt.refine && tt.name == "with one" {
				t.Errorf("refine = %v", next)
			}
			if !strings.Contains(out.Steps[0].Note, tt.note) {
				t.Errorf("note = %q", out.Steps[0].Note)
			}
			replayed(t, s, out, rec.Bytes())
		})
	}
	if _, err := skill.Parse("a/SKILL.md", md("a", "steps: [{id: q, expand: x, by: magic}]\n")); err == nil || !strings.Contains(err.Error(), "corpus or model") {
		t.Errorf("Parse = %v", err)
	}
}

func TestWrittenIsChecked(t *testing.T) {
	const w = "steps:\n  - {id: r, search: {for: x}}\n  - {id: plan, ask: parameters, schema: {type: array, items: {type: string}}}\n  - id: code\n    write: files\n    with: [write_file]\n    from: [r]\n" +
		"    sections: [Channel]\n    holds: [\"len(missing(it.files, plan)) == 0\", \"all(it.files, len(missing(.text, map(it.sections, .title))) == 0)\"]\n    check: every metric is stored\n"
	names := skilltest.Says(`["snr_db","cfo"]`)
	good := skilltest.Calls("write_file", `{"path":"a.py","text":"# Channel\nsnr_db = 1\ncfo = 2"}`)
	bad := skilltest.Calls("write_file", `{"path":"a.py","text":"# Channel\nsnr_db = 1"}`)
	yes, no := skilltest.Says(`{"holds":true,"problems":[]}`), skilltest.Says(`{"holds":false,"problems":["no metric is stored"]}`)
	said := skilltest.Says("Written [D1].")
	tests := []struct {
		name   string
		model  []skilltest.Turn
		status string
		reason string
		told   string // to the model
	}{
		{"at once", []skilltest.Turn{names, good, said, yes}, skill.StatusDone, "", ""},
		{"a parameter is missing, then not", []skilltest.Turn{names, bad, said, good, said, yes}, skill.StatusDone, "", "missing(it.files, plan)"},
		{"a parameter stays missing", []skilltest.Turn{names, bad, said, bad, said, bad, said}, skill.StatusInsufficient, "missing(it.files, plan)", ""},
		{"no file", []skilltest.Turn{names, said, said, said}, skill.StatusInsufficient, "no file was written", ""},
		{"the judge finds a fault", []skilltest.Turn{names, good, said, no, good, said, yes}, skill.StatusDone, "", "no metric is stored"},
		{"the judge finds it again and again", []skilltest.Turn{names, good, said, no, said, no, said, no}, skill.StatusInsufficient, "no metric is stored", ""},
		{"the judge does not say", []skilltest.Turn{names, good, said, skilltest.Says("well"), skilltest.Says("well"), skilltest.Says("well")}, skill.StatusInsufficient, "check", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := parse(t, w)
			s.AllowedTools = []string{"search_internal", "write_file"}
			m := skilltest.NewModel(tt.model...)
			var rec bytes.Buffer
			out := mustRun(t, runner.New(m, skilltest.Tools(skilltest.NewTool("search_internal", passages()), writer()), &runner.Options{Record: &rec, AllowWrites: true}), s, nil)
			if out.Status != tt.status || !strings.Contains(out.Reason, tt.reason) || len(m.Requests()) != len(tt.model) {
				t.Errorf("%s after %d requests: %s", out.Status, len(m.Requests()), out.Reason)
			}
			if tt.told != "" && !strings.Contains(asJSON(t, m.Requests()), tt.told) {
				t.Errorf("the model was not told %q", tt.told)
			}
			replayed(t, s, out, rec.Bytes())
		})
	}
}

func TestMissing(t *testing.T) {
	for _, tt := range []struct {
		expr string
		want any
	}{
		{`missing("The SNR_dB, and cfo-max.", ["snr_dB", "cfo max", "cfo", "NR", "seed"])`, []any{"NR", "seed"}},
		{`missing(["a b", {"x": ["c"]}], ["a", "b", "c", "b c"])`, []any{"b c"}},
		{`missing("", [""])`, []any{""}},
		{`missing("a", "a")`, []any{}},
	} {
		s := parse(t, "steps:\n  - {id: r, call: t, args: {v: \"${"+strings.ReplaceAll(tt.expr, `"`, `'`)+"}\"}}\n")
		tool := skilltest.NewTool("t", &skill.Result{Text: "x"})
		mustRun(t, runner.New(nil, skilltest.Tools(tool), nil), s, nil)
		if diff := cmp.Diff(`{"v":`+strings.ReplaceAll(strings.TrimSpace(string(mustMarshal(t, tt.want))), "\n", "")+`}`, strings.Join(tool.Calls(), "")); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.expr, diff)
		}
	}
}

func mustMarshal(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
