package runner_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/lint"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
	"github.com/findspot/findspot/skill/workflow"
)

// repeated joins what a line is for each of n numbers.
func repeated(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// hostileWorkflows are small files that want much work of whoever reads, proves, tries or runs them.
func hostileWorkflows() map[string]string {
	nested := func(d int, head, last string) string { // steps in steps
		var b strings.Builder
		for i := range d {
			ind := strings.Repeat("  ", i+1)
			b.WriteString(ind + "- " + strings.ReplaceAll(fmt.Sprintf(head, i, i), "\n", "\n"+ind+"  ") + "\n" + ind + "  steps:\n")
		}
		return b.String() + strings.ReplaceAll("\n"+last, "\n", "\n"+strings.Repeat("  ", d+1))
	}
	return map[string]string{
		"inputs that no condition names": "inputs:\n" + repeated(3000, func(i int) string { return fmt.Sprintf("  i%d: list", i) }) + "steps:\n" +
			repeated(100, func(i int) string { return fmt.Sprintf("  - {id: g%d, require: len(inputs.i%d) >= 0}", i, i) }),
		"conditions of many names": "steps:\n" + repeated(60, func(i int) string { return fmt.Sprintf("  - {id: s%d, call: look}", i) }) +
			repeated(100, func(i int) string {
				var names []string
				for j := range 7 {
					names = append(names, fmt.Sprintf("s%d[0].a.b.c.d.e.f.g.h == %d", (i+j)%60, 299+i))
				}
				return fmt.Sprintf("  - {id: g%d, require: %q}", i, strings.Join(names, " || "))
			}),
		"closures in closures": "steps:\n  - {id: s, call: look}\n" + repeated(100, func(i int) string {
			return fmt.Sprintf("  - {id: g%d, require: \"all(s, all(s, any(s, true) || #.x != %d)) || len(s) == 300\"}", i, i)
		}) + repeated(100, func(i int) string {
			return fmt.Sprintf("  - {id: h%d, require: \"all(s, {all(s, {#.text != 'abc%d'})}) || len(s) == 300\"}", i, i)
		}),
		"gates under whens in loops": "guards:\n" + repeated(200, func(i int) string { return fmt.Sprintf("  - {deny: [write_file, 'lsp_*'], until: passed.g%d}", i) }) +
			"steps:\n" + repeated(20, func(i int) string { return fmt.Sprintf("  - {id: s%d, call: look}", i) }) +
			nested(4, "id: l%d\nwhen: len(s%d) > 0\nloop: {max: 100, until: len(s1) > 3}", repeated(200, func(i int) string {
				return fmt.Sprintf("- {id: r%d, when: len(s%d) > 0, call: look}\n- {id: g%d, when: len(s%d) > 1, require: len(s%d) > 2 && len(r%d) > 1}", i, i%4, i, i%4, (i+1)%20, i)
			})+"- {id: w, call: write_file}"),
		"guards that leak everywhere": "guards:\n" + repeated(450, func(i int) string { return "  - {deny: ['*a*b*c*d*e*', 'w*'], until: passed.g}" }) + "steps:\n" +
			repeated(490, func(i int) string { return fmt.Sprintf("  - {id: s%d, ask: x, with: [look, write_file, look2]}", i) }) + "  - {id: g, require: 1 > 0}\n",
		"a long list of patterns": "guards:\n  - {deny: [" + strings.Repeat("'*a*b*c*d*e*f*g*', ", 9000) + "w], until: passed.g}\nsteps:\n  - {id: g, require: 1 > 0}\n" +
			repeated(490, func(i int) string { return fmt.Sprintf("  - {id: s%d, ask: x, with: [look, write_file]}", i) }),
		"gates that wait for gates": "guards: [{deny: [write_file], until: passed.g399}]\nsteps:\n  - {id: g0, require: 1 > 0}\n" +
			repeated(400, func(i int) string {
				return fmt.Sprintf("  - {id: g%d, when: passed.g%d, require: passed.g%d}", i+1, i, i)
			}) + "  - {id: w, call: write_file}\n",
		"each in each": "inputs: {q: {type: list, default: [" + strings.Repeat("1, ", 40) + "1]}}\nsteps:\n  - {id: f, call: look}\n" +
			nested(8, "id: e%d\neach: ${inputs.q}\nas: x%d", "- {id: c, when: len(f) < 0, call: look}"),
		"long whens": "inputs: {q: list}\nsteps:\n" + repeated(490, func(i int) string {
			return fmt.Sprintf("  - {id: s%d, when: %q, call: look}", i, strings.Repeat("len(inputs.q) > 1 || ", 20)+fmt.Sprintf("len(inputs.q) > %d", i))
		}),
		"keys":         "telemetry:\n" + repeated(9000, func(i int) string { return fmt.Sprintf("  a%d: status", i) }) + "steps: [{id: x, finish: done}]\n",
		"unknown keys": repeated(9000, func(i int) string { return fmt.Sprintf("stepx%d: y", i) }) + "steps: [{id: x, finish: done}]\n",
		"templates": "steps:\n" + repeated(400, func(i int) string {
			return fmt.Sprintf("  - {id: x%d, call: look, args: {q: %q}}", i, repeated(60, func(j int) string { return fmt.Sprintf("${%d}", i*100+j) }))
		}),
		"open templates":    "steps: [{id: x, call: look, args: {q: \"" + strings.Repeat("${", 120000) + "\"}}]",
		"escaped templates": "steps: [{id: x, call: look, args: {q: \"" + strings.Repeat("$${", 80000) + "\"}}]",
		"empty steps":       "steps:\n" + strings.Repeat("- \n", 80000),
	}
}

// TestHostileWorkflowsAreBounded loads, lints and runs them. Work is measured in bytes allocated, since time is not
// measured in tests; without the bounds some of these do not come back at all.
func TestHostileWorkflowsAreBounded(t *testing.T) {
	const most = 1 << 30
	for name, text := range hostileWorkflows() {
		t.Run(name, func(t *testing.T) {
			var last runtime.MemStats
			runtime.ReadMemStats(&last)
			spent := func(what string) {
				var now runtime.MemStats
				runtime.ReadMemStats(&now)
				if n := now.TotalAlloc - last.TotalAlloc; n > most {
					t.Errorf("%s took %d MB", what, n>>20)
				}
				runtime.ReadMemStats(&last)
			}
			w, err := skill.ParseWorkflow("w.yaml", text)
			spent("loading")
			if err != nil {
				if n := len(err.Error()); n > 100_000 {
					t.Errorf("an error of %d bytes", n)
				}
				return
			}
			s, err := skill.New("a", "d", w, &skill.NewOptions{AllowedTools: []string{"look", "write_file", "look2"}})
			if err != nil {
				t.Fatal(err)
			}
			spent("checking")
			r := lint.Check(s, nil)
			spent("lint")
			if n := len(r.Findings); n > 1001 {
				t.Errorf("%d findings", n)
			}
			out, err := runner.New(nil, skilltest.Tools(skilltest.NewTool("look", &skill.Result{Text: "x"})), &runner.Options{Wait: noWait}).Run(t.Context(), s, nil)
			spent("the run")
			if err != nil || out.Status == "" {
				t.Errorf("Run = %+v, %v", out, err)
			}
		})
	}
}

// TestLintSaysWhatItDidNotProve gives lint more paths than it walks: no guard may then count as proven, since the path
// that leaks may be among the others.
func TestLintSaysWhatItDidNotProve(t *testing.T) {
	outer := "guards:\n" + repeated(300, func(i int) string { return fmt.Sprintf("  - {deny: [write_file], until: passed.g%d}", i) }) +
		"steps:\n" + repeated(300, func(i int) string { return fmt.Sprintf("  - {id: g%d, require: len('x') > 0}", i) }) +
		repeated(10, func(i int) string { return fmt.Sprintf("  - {id: u%d, use: inner}", i) }) + "  - {id: w, call: write_file}\n"
	inner := "steps:\n" + repeated(490, func(i int) string { return fmt.Sprintf("  - {id: s%d, call: look}", i) })
	file := func(name, workflow string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\nname: " + name + "\ndescription: d\nallowed-tools: look write_file\n---\n```yaml workflow\n" + workflow + "```\n")}
	}
	skills, err := skill.Load(fstest.MapFS{"inner/SKILL.md": file("inner", inner), "outer/SKILL.md": file("outer", outer)})
	if err != nil {
		t.Fatal(err)
	}
	s := skills[1]
	r := lint.Check(s, nil)
	if !slices.ContainsFunc(r.Findings, func(f lint.Finding) bool { return f.Code == "unproven" }) {
		t.Errorf("%d findings, none says that the proof is not whole", len(r.Findings))
	}
	if len(r.Guards) != 300 {
		t.Errorf("%d guards in the report, want 300", len(r.Guards))
	}
	for _, g := range r.Guards {
		if g.Proven {
			t.Fatalf("a proven guard in a proof that was cut short: %+v", g)
		}
	}
}

// TestListsOfARunAreBounded hands a list that one call found on through steps in steps.
func TestListsOfARunAreBounded(t *testing.T) {
	w, err := skill.ParseWorkflow("w.yaml", `inputs: {q: {type: list, default: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]}}
steps:
  - {id: all, loop: {max: 1}, steps: [{id: z, call: look}]}
  - id: e
    on_error: continue
    each: ${inputs.q}
    as: a
    steps: [{id: f, each: "${inputs.q}", as: b, steps: [{id: g, each: "${inputs.q}", as: c, steps: [{id: h, call: look}]}]}]
  - id: l
    loop: {max: 100}
    steps:
      - id: m
        loop: {max: 100}
        steps: [{id: z, when: "false", call: look}]
`)
	if err != nil {
		t.Fatal(err)
	}
	s, err := skill.New("a", "d", w, nil)
	if err != nil {
		t.Fatal(err)
	}
	var items []evidence.Item
	for i := range 5000 {
		items = append(items, evidence.Item{Kind: evidence.KindPassage, Text: "x", At: evidence.Place{Doc: "d", Name: "d", Page: i + 1}})
	}
	o := &runner.Options{Wait: noWait, Limits: workflow.Limits{ToolCalls: 1000}}
	out := mustRun(t, runner.New(nil, skilltest.Tools(skilltest.NewTool("look", &skill.Result{Items: items})), o), s, nil)
	keys := 0
	for _, st := range out.Steps {
		keys += len(st.Items)
	}
	if keys > 2_100_000 {
		t.Errorf("%d keys in the steps of the outcome", keys)
	}
	for id, v := range out.Outputs {
		if l, ok := v.([]any); ok && len(l) > 100_000 {
			t.Errorf("%s has %d elements", id, len(l))
		}
	}
	if out.Status == skill.StatusDone {
		t.Errorf("the run ended %s: no bound was met", out.Status)
	}
}

// TestManyUsesOfOneSkill lays skills so that each is used twice by the one before: two to the power of thirty ways.
func TestManyUsesOfOneSkill(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 30 {
		steps := ""
		for j := range 2 {
			steps += fmt.Sprintf("  - {id: u%d, when: 1 > 2, use: s%02d%c}\n", j, i+1, 'a'+j)
		}
		if i == 29 {
			steps = "  - {id: x, finish: done}\n"
		}
		for _, c := range "ab" {
			name := fmt.Sprintf("s%02d%c", i, c)
			files[name+"/SKILL.md"] = &fstest.MapFile{Data: []byte(fmt.Sprintf("---\nname: %s\ndescription: d\nallowed-tools: other\n---\n```yaml workflow\nsteps:\n%s```\n", name, steps))}
		}
	}
	skills, err := skill.Load(files)
	var load *skill.LoadError
	if err != nil && !errors.As(err, &load) || len(skills) != 60 {
		t.Fatalf("%d skills, %v", len(skills), err)
	}
	lint.Check(skills[0], nil)
	out := mustRun(t, runner.New(nil, skilltest.Tools(skilltest.NewTool("look", &skill.Result{Text: "x"})), nil), skills[0], nil)
	if out.Status != skill.StatusDone {
		t.Errorf("%+v", out)
	}
}
