package lint_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
	"github.com/findspot/findspot/skill/lint"
)

// lintText is a report in short: its guards, and of each finding severity, code, line and text.
func lintText(r *lint.Report) string {
	var b strings.Builder
	for _, g := range r.Guards {
		fmt.Fprintf(&b, "guard %d: %d places, proven %v\n", g.Line, g.Places, g.Proven)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s %s %d: %s\n", f.Severity, f.Code, f.Line, f.Text)
	}
	return b.String()
}

// lintOf parses a workflow whose skill lists the tools.
func lintOf(t *testing.T, workflow string, tools []skill.Tool) *lint.Report {
	t.Helper()
	s, err := skill.Parse("SKILL.md", "---\nname: a\ndescription: d\nallowed-tools: write_file look search_internal lok save\n---\n```yaml workflow\n"+workflow+"```\n")
	if err != nil {
		t.Fatal(err)
	}
	return lint.Check(s, tools)
}

func TestLintProof(t *testing.T) {
	const guard = "guards: [{deny: [write_file], until: passed.g && approved.ok}]\nsteps:\n" // in line 7; steps from line 9
	const refs = "  - {id: refs, search: {for: x}}\n"
	const gate = "  - {id: g, require: len(refs) > 2}\n"
	const plan = "  - {id: plan, write: plan, from: [refs]}\n"
	const ok = "  - {id: ok, approve: \"${plan}\", choices: [approve, revise, stop]}\n"
	const code = "  - {id: code, write: files, with: [write_file], from: [plan]}\n"
	tests := []struct {
		name, workflow, want string
	}{
		{"in order", guard + refs + gate + plan + ok + code, "guard 7: 1 places, proven true\n"},
		{"before the approval", guard + refs + gate + plan + code + ok,
			"guard 7: 1 places, proven false\nerror leak 12: the model may call write_file in step code before approved.ok, and is refused there: refs -> g -> plan -> code\n"},
		{"a gate that may be skipped", guard + refs + strings.Replace(gate, "require", "when: inputs.x == nil, require", 1) + plan + ok + code, ""},
		{"gate and call under one condition", "inputs: {deep: boolean}\nguards: [{deny: [write_file], until: approved.ok}]\nsteps:\n" + refs +
			"  - {id: ok, when: inputs.deep && len(refs) > 0, approve: \"${refs}\"}\n  - {id: code, when: \"len(refs) > 0 && inputs.deep\", call: write_file}\n",
			"guard 8: 1 places, proven true\n"},
		{"the call's condition is not the gate's", "inputs: {deep: boolean}\nguards: [{deny: [write_file], until: approved.ok}]\nsteps:\n" + refs +
			"  - {id: ok, when: inputs.deep && len(refs) > 0, approve: \"${refs}\"}\n  - {id: code, when: len(refs) > 0, call: write_file}\n",
			"guard 8: 1 places, proven false\nerror leak 12: write_file in step code before approved.ok, and is refused there: refs -> ok (skipped) -> code\n"},
		{"the condition changes between", "guards: [{deny: [write_file], until: approved.ok}]\nsteps:\n" + refs + "  - id: l\n    loop: {max: 3, until: len(refs) > 9}\n    steps:\n" +
			"      - {id: ok, when: len(refs) > 3, approve: go on}\n      - {id: refs, search: {for: y}}\n      - {id: code, when: len(refs) > 3, call: write_file}\n",
			"guard 7: 1 places, proven false\nerror leak 15: write_file in step code before approved.ok, and is refused there: refs -> l -> ok (skipped) -> refs -> code\n"},
		{"the call asks whether it was approved", "guards: [{deny: [write_file], until: approved.ok}]\nsteps:\n" + refs +
			"  - {id: ok, when: len(refs) > 5, approve: \"${refs}\", choices: [approve, later]}\n  - {id: code, when: approved.ok, call: write_file}\n",
			"guard 7: 1 places, proven true\n"},
		{"or whether it passed at all", "guards: [{deny: [write_file], until: approved.ok}]\nsteps:\n" + refs +
			"  - {id: ok, approve: \"${refs}\", choices: [approve, later]}\n  - {id: was, require: approved.ok == true}\n  - {id: code, call: write_file}\n",
			"guard 7: 1 places, proven true\n"},
		{"another answer goes on", "guards: [{deny: [write_file], until: approved.ok}]\nsteps:\n" + refs +
			"  - {id: ok, approve: \"${refs}\", choices: [approve, later]}\n  - {id: code, call: write_file}\n",
			"guard 7: 1 places, proven false\nerror leak 11: write_file in step code before approved.ok, and is refused there: refs -> ok (the answer is later) -> code\n"},
		{"a gate inside each", "inputs: {l: list}\nguards: [{deny: [write_file], until: approved.ok}]\nsteps:\n" + refs +
			"  - id: all\n    each: ${inputs.l}\n    steps:\n      - {id: ok, approve: \"${it}\"}\n  - {id: code, call: write_file}\n",
			"guard 8: 1 places, proven false\nerror leak 15: write_file in step code before approved.ok, and is refused there: refs -> all (no element) -> code\n"},
		{"a gate inside a loop", guard + refs + gate + plan + "  - id: again\n    loop: {max: 3, until: approved.ok}\n    steps:\n      - {id: ok, approve: \"${plan}\"}\n" + code,
			"guard 7: 1 places, proven true\n"},
		{"what was approved changes in the next round", "guards: [{deny: [look], until: approved.ok}]\nsteps:\n" + refs + "  - id: again\n    loop: {max: 3, until: len(plan.text) > 9}\n    steps:\n" +
			"      - {id: plan, write: plan, from: [refs]}\n      - {id: peek, when: \"len(refs) > 4\", call: look}\n      - {id: ok, approve: \"${plan}\"}\n",
			"guard 7: 1 places, proven false\nerror leak 14: look in step peek before approved.ok, and is refused there: refs -> again -> plan -> peek\n"},
		{"a revision changes what a gate looked at", "guards: [{deny: [write_file], until: passed.good && approved.ok}]\nsteps:\n" + refs + plan +
			"  - {id: good, require: \"len(plan.text) > 100\"}\n" + ok + code,
			"guard 7: 1 places, proven false\nerror leak 13: the model may call write_file in step code before passed.good, and is refused there: refs -> plan -> good -> ok (revised, then approved, plan changes, so good is closed) -> code\n"},
		{"a fallback", "guards: [{deny: [write_file], until: approved.ok}]\nsteps:\n  - {id: x, call: look, fallback: {call: write_file}}\n  - {id: ok, approve: \"${x}\"}\n  - {id: y, call: write_file}\n",
			"guard 7: 2 places, proven false\nerror leak 9: write_file in step x before approved.ok, and is refused there: x\n"},
		{"a gate that is never asked", guard + refs + strings.Replace(gate, "require", "when: \"false\", require", 1) + plan + ok + code,
			"guard 7: 1 places, proven false\nerror never-opens 7: the guard never opens: no path through the steps leaves passed.g open: its when is never true\n" +
				"error leak 13: the model may call write_file in step code before passed.g, and is refused there: refs -> g (skipped) -> plan -> ok -> code\nwarning unreachable 10: step g is never run: no path leads to it\n"},
		{"behind the end", guard + refs + gate + plan + "  - {id: e, finish: done}\n" + ok + code,
			"guard 7: 1 places, proven true\nerror never-opens 7: the guard never opens: no path through the steps leaves approved.ok open\nwarning unreachable 13: step ok is never run: no path leads to it\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == "" {
				tt.workflow = strings.Replace(tt.workflow, "inputs.x == nil", "len(refs) > 99", 1)
			}
			got := lintText(lintOf(t, tt.workflow, nil))
			if tt.want == "" { // the path is said, whatever its words
				if !strings.Contains(got, "error leak") {
					t.Errorf("no leak:\n%s", got)
				}
				return
			}
			var about strings.Builder // paths only: the other findings have a test of their own
			for line := range strings.Lines(got) {
				if !strings.HasPrefix(line, "warning") || strings.HasPrefix(line, "warning unreachable") {
					about.WriteString(line)
				}
			}
			if diff := cmp.Diff(tt.want, about.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestLintFindings(t *testing.T) {
	const ok = "  - {id: refs, search: {for: x}}\n  - {id: ok, approve: \"${refs}\"}\n"
	tests := []struct{ name, workflow, code, text string }{
		{"another writer is not denied", "guards: [{deny: [run_command], until: approved.ok}]\nsteps:\n" + ok + "  - {id: c, call: write_file}\n", "unguarded-write", ""}, // run_command is not listed
		{"no guard at all", "steps:\n" + ok + "  - {id: c, call: write_file}\n", "unguarded-write", "warning: write_file writes, and no guard denies it"},
		{"a guard without approval", "guards: [{deny: [write_file], until: passed.g}]\nsteps:\n" + ok + "  - {id: g, require: len(refs) > 1}\n  - {id: c, call: write_file}\n", "write-without-approval", "name no approval"},
		{"nothing is ever approved", "steps:\n  - {id: c, call: write_file}\n", "no-approval", "no approve step"},
		{"a true gate", "steps:\n  - {id: g, require: \"true\"}\n", "always-passes", "error: require g passes whatever"},
		{"a gate that counts nothing", "steps:\n" + ok + "  - {id: g, require: len(refs) >= 0}\n", "always-passes", ""},
		{"a gate with a tautology", "steps:\n" + ok + "  - {id: g, require: len(refs) > 3 || len(refs) <= 3}\n", "always-passes", ""},
		{"a gate that asks itself", "steps:\n" + ok + "  - {id: g, require: approved.ok || not approved.ok}\n", "always-passes", ""},
		{"a gate that never passes", "steps:\n" + ok + "  - {id: g, require: len(refs) < 0}\n", "never-passes", ""},
		{"a policy that approves", "steps:\n  - {id: refs, search: {for: x}}\n  - {id: ok, approve: \"${refs}\", unattended: approve}\n", "unattended-approve", "opens nothing"},
		{"approved unseen", "steps:\n  - {id: ok, approve: go on?}\n", "blind-approval", ""},
		{"an input for nothing", "inputs: {symbol: string}\nsteps:\n" + ok, "unused-input", "input symbol"},
		{"a loop without until", "steps:\n  - {id: l, loop: {max: 3}, steps: [{id: x, call: look}]}\n", "loop", "always runs 3 rounds"},
		{"loops in loops", "steps:\n  - id: l\n    loop: {max: 100, until: len(x) > 1}\n    steps:\n      - id: m\n        loop: {max: 100, until: len(x) > 2}\n        steps:\n          - {id: x, call: look}\n", "loop", "10000 or more steps"},
		{"a metric", "steps:\n" + ok + "telemetry: {Cost-EUR: \"1\"}\n", "metric-name", "Cost-EUR"},
		{"a guard that never opens", "guards: [{deny: [look]}]\nsteps:\n  - {id: x, call: look}\n", "never-opens", "no until"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := lintOf(t, tt.workflow, nil)
			var got []string
			for _, f := range r.Findings {
				if f.Code == tt.code {
					got = append(got, f.String())
				}
			}
			if len(got) != 1 || !strings.Contains(got[0], tt.text) {
				t.Errorf("findings %q, want one %s with %q\n%s", got, tt.code, tt.text, lintText(r))
			}
		})
	}
}

func TestLintKnowsTools(t *testing.T) {
	tools := []skill.Tool{
		{Name: "look", Schema: []byte(`{"type":"object","properties":{"query":{},"limit":{}},"required":["query"]}`)},
		{Name: "search_internal"}, {Name: "save", AliasOf: "write_file"}, {Name: "write_file", Writes: true},
	}
	got := lintText(lintOf(t, "guards: [{deny: [writefile], until: approved.ok}]\nsteps:\n  - {id: a, call: look, args: {qery: x}}\n  - {id: ok, approve: \"${a}\"}\n  - {id: b, ask: q, with: [lok, save]}\ntelemetry: {n: used('loook')}\n", tools))
	for _, want := range []string{
		"error argument 9: look needs query", "warning argument 9: look takes no qery; did you mean query?", "error unknown-tool 11: no tool is named lok; did you mean look?",
		"warning unknown-tool 7: the guard denies writefile, and no tool is named so; did you mean write_file?", "warning unknown-tool 12: telemetry n asks for loook", "unguarded-write",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	// an alias of a denied tool is that tool
	got = lintText(lintOf(t, "guards: [{deny: [write_file], until: approved.ok}]\nsteps:\n  - {id: b, ask: q, with: [save]}\n  - {id: ok, approve: \"${b}\"}\n", tools))
	if !strings.Contains(got, "error leak 9: the model may call save in step b before approved.ok") {
		t.Errorf("an alias:\n%s", got)
	}
}

// TestLintOfUsedSkills follows the steps of a used skill under the guards of both.
func TestLintOfUsedSkills(t *testing.T) {
	front := func(name, workflow string) string {
		return strings.Replace(md(name, workflow), "---\n\n", "allowed-tools: write_file look\n---\n\n", 1)
	}
	skills, err := skill.Load(folder(map[string]string{
		"inner/SKILL.md": front("inner", "guards: [{deny: [look], until: passed.g}]\nsteps:\n  - {id: a, call: look, on_error: continue}\n  - {id: g, require: len(a) > 1}\n  - {id: b, call: write_file}\n"),
		"early/SKILL.md": front("early", "guards: [{deny: [write_file], until: approved.ok}]\nsteps:\n  - {id: u, use: inner}\n  - {id: ok, approve: \"${u}\"}\n"),
		"late/SKILL.md":  front("late", "guards: [{deny: [write_file], until: approved.ok}]\nsteps:\n  - {id: ok, approve: go}\n  - {id: u, use: inner}\n  - {id: v, use: inner}\n"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	got := lintText(lint.Check(named(t, skills, "early"), nil))
	for _, want := range []string{"guard 10: 1 places, proven false", "error leak 14: write_file in step b before approved.ok, and is refused there: u -> inner/a -> inner/g -> inner/b",
		"error leak 12: look in step a before passed.g"} {
		if !strings.Contains(got, want) {
			t.Errorf("early: no %q in\n%s", want, got)
		}
	}
	got = lintText(lint.Check(named(t, skills, "late"), nil))
	if strings.Count(got, "leak") != 1 || !strings.Contains(got, "guard 10: 2 places, proven true") {
		t.Errorf("late:\n%s", got)
	}
	loose := parse(t, "steps: [{id: u, use: other}]\n")
	if got := lintText(lint.Check(loose, nil)); !strings.Contains(got, "error unproven 0: nothing is proven: step u (line 9) uses skill other, which is not loaded here") {
		t.Errorf("loose:\n%s", got)
	}
}

func TestShippedSkillsAreProven(t *testing.T) {
	skills, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	if dir := sharedSkills(t); dir != "" {
		more, err := skill.Load(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		skills = append(skills, more...)
	}
	own, err := skill.Load(os.DirFS("../runner/testdata/mutated"))
	if err != nil {
		t.Fatal(err)
	}
	skills = append(skills, own...)
	for _, s := range skills {
		r := lint.Check(s, nil)
		if len(r.Findings) > 0 {
			t.Errorf("%s:\n%s", s.Name, lintText(r))
		}
		for _, g := range r.Guards {
			if !g.Proven {
				t.Errorf("%s: the guard in line %d is not proven", s.Name, g.Line)
			}
		}
	}
}

// TestLintEnds lints workflows that make naive walks of all paths explode.
func TestLintEnds(t *testing.T) {
	var b strings.Builder
	b.WriteString("inputs: {n: number}\nguards: [{deny: [look], until: approved.g199}]\nsteps:\n")
	for i := range 200 {
		fmt.Fprintf(&b, "  - {id: g%d, when: inputs.n > %d, approve: \"${inputs.n}\"}\n  - {id: x%d, when: inputs.n < %d, call: look}\n", i, i, i, i)
	}
	if r := lintOf(t, b.String(), nil); r.Guards[0].Places != 200 || r.Guards[0].Proven || r.Errors() != 200 {
		t.Errorf("%+v, %d errors", r.Guards, r.Errors())
	}
	files := map[string]string{"s0/SKILL.md": md("s0", "steps: [{id: x, call: look}]\n")}
	for i := 1; i < 16; i++ { // each uses the one before eight times
		var b strings.Builder
		b.WriteString("guards: [{deny: [look], until: passed.g}]\nsteps:\n  - {id: g, require: passed.g == false}\n")
		for j := range 8 {
			fmt.Fprintf(&b, "  - {id: u%d, use: s%d}\n", j, i-1)
		}
		files[fmt.Sprintf("s%d/SKILL.md", i)] = md(fmt.Sprintf("s%d", i), b.String())
	}
	skills, err := skill.Load(folder(files))
	if err != nil {
		t.Fatal(err)
	}
	if got := lintText(lint.Check(named(t, skills, "s15"), nil)); !strings.Contains(got, "nothing is proven: with the skills it uses it has more than") {
		t.Errorf("%s", got)
	}
}

// A sentence that may be a prohibition and is in doubt is named with its line.
func TestLintUnread(t *testing.T) {
	body := "# Find it\n\n1. Search the papers for the limit.\n2. Read the clause.\n3. Unverified numbers do not belong in the report.\n4. Write a report.\n"
	s, err := skill.Parse("SKILL.md", "---\nname: find-it\ndescription: finds it\n---\n"+body)
	if err != nil {
		t.Fatal(err)
	}
	if s.Workflow() == nil {
		t.Fatal("the text is no procedure")
	}
	var lines []int
	for _, f := range lint.Check(s, nil).Findings {
		if f.Code == "unread-prohibition" {
			lines = append(lines, f.Line)
		}
	}
	if !slices.Equal(lines, []int{9}) {
		t.Errorf("warned in lines %v, want 9", lines)
	}
	if block := s.Block(); !strings.Contains(block, "# line 9: may forbid something, and is in doubt: Unverified") {
		t.Errorf("the block does not say so:\n%s", block)
	}
}

// What a text without a workflow forbids is named with its line: nothing enforces it. A text that forbids nothing, and one whose block holds it, has no such warning.
func TestLintUnenforced(t *testing.T) {
	const guide = "The parser has three parts. Each has tests. They are in the folder of that name, with their data.\n\nNever edit code before the plan is approved.\nThe limit is 3. Hold the merge until QA signs off.\n"
	for text, want := range map[string][]int{
		guide: {7, 8},
		"The parser has three parts. The moon is not seen unless it rains.\n":                                        nil,
		"The parser has three parts. Never guess.\n":                                                                 nil,
		"```yaml workflow\ninputs: {task: string}\nsteps:\n  - {id: a, search: {in: docs, for: x}}\n```\n" + guide:   nil,
		"1. Search the papers.\n2. Write the code.\n3. Report it.\n\nNever edit code before the plan is approved.\n": nil,
	} {
		s, err := skill.Parse("SKILL.md", "---\nname: x\ndescription: tells it\n---\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		var lines []int
		for _, f := range lint.Check(s, nil).Findings {
			if f.Code == "unenforced-prohibition" && f.Severity == lint.SeverityWarning {
				lines = append(lines, f.Line)
			}
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%q: warned in lines %v, want %v", text, lines, want)
		}
	}
}
