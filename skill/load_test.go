package skill_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
)

func TestShippedSkillsLoadCleanly(t *testing.T) {
	skills, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"change-impact", "explain-code-behaviour", "literature-table", "reproduce-algorithm", "specification-clause",
		"synchronisation-signals", "who-calls"}, names(skills)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, s := range skills {
		if len(s.Warnings) > 0 || s.Workflow() == nil || len(s.Examples) == 0 || len(s.NotFor) == 0 {
			t.Errorf("%s: warnings %v, workflow %v", s.Name, s.Warnings, s.Workflow() != nil)
		}
	}
}

func TestSharedSkillsLoad(t *testing.T) {
	skills, err := skill.Load(os.DirFS(need.Shared(t, "skills")))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"synchronisation-signals", "ts-38331-lookup", "who-calls"}, names(skills)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, s := range skills {
		if s.Workflow() == nil || len(s.Warnings) > 0 {
			t.Errorf("%s: workflow %v, warnings %v", s.Name, s.Workflow() != nil, s.Warnings)
		}
	}
}

func TestLoadProblems(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // each must be in the error
	}{
		{"no front matter", "# Hello\n", []string{"a/SKILL.md:1: no front matter"}},
		{"open front matter", "---\nname: a\n", []string{"no closing line"}},
		{"no description", "---\nname: a\n---\n", []string{"description: missing"}},
		{"bad name", "---\nname: ../b\ndescription: d\n---\n", []string{`a/SKILL.md:2: name "../b"`}},
		{"bad yaml", "---\nname: [a\ndescription: d\n---\n", []string{"a/SKILL.md:", "front matter"}},
		{"alias", "---\nname: a\ndescription: &x d\nlicense: *x\n---\n", []string{"a/SKILL.md:3", "anchors"}},
		{"key twice", "---\nname: a\nname: b\ndescription: d\n---\n", []string{"a/SKILL.md:3"}},
		{"bad trigger", "---\nname: a\ndescription: d\nmetadata:\n  triggers: |\n    ok\n    (?<x\n---\n", []string{"a/SKILL.md:7: metadata.triggers"}},
		{"deep", "---\nname: a\ndescription: " + strings.Repeat("[", 5000) + "\n---\n", []string{"nested too deeply"}},
		{"dashes", md("a", strings.Repeat("- ", 30000)+"x\n"), []string{"nested too deeply"}},
		{"two blocks", md("a", "steps: [{id: x, finish: done}]\n") + "\n```yaml workflow\n```\n", []string{"second workflow block: the first starts in line 8"}},
		{"open block", strings.TrimSuffix(md("a", "steps: [{id: x, finish: done}]\n"), "```\n"), []string{"not closed"}},
		{"unknown kind", md("a", "steps:\n  - id: x\n    frobnicate: y\n"), []string{"a/SKILL.md:10: a step without a known kind"}},
		{"unknown key", md("a", "steps:\n  - id: x\n    call: t\n    argz: {}\n"), []string{`a/SKILL.md:12: step "x": unknown key "argz"`}},
		{"two kinds", md("a", "steps:\n  - id: x\n    call: t\n    finish: done\n"), []string{"a step does one thing"}},
		{"no steps", md("a", "inputs: {}\n"), []string{"steps: must be a list"}},
		{"id twice", md("a", "steps:\n  - {id: x, call: t}\n  - {id: x, call: t}\n"), []string{"a/SKILL.md:11", "the id is taken by the step in line 10"}},
		{"later step", md("a", "steps:\n  - {id: x, call: t, args: {q: \"${y}\"}}\n  - {id: y, call: t}\n"), []string{"a/SKILL.md:10", "y is bound only in line 11"}},
		{"unknown name", md("a", "steps:\n  - {id: x, call: t, when: nope > 1}\n"), []string{"nothing is named nope"}},
		{"unknown input", md("a", "steps:\n  - {id: x, call: t, when: inputs.nope}\n"), []string{"no input is named nope"}},
		{"broken expression", md("a", "steps:\n  - {id: x, call: t, when: \"1 +\"}\n"), []string{`a/SKILL.md:10: step "x".when`}},
		{"disabled builtin", md("a", "steps:\n  - {id: x, call: t, when: \"repeat('x', 9) == ''\"}\n"), []string{"repeat"}},
		{"nested closures", md("a", "steps:\n  - {id: x, call: t, when: \"all(1..9, all(1..9, all(1..9, true)))\"}\n"), []string{"closures nested"}},
		{"env by name", md("a", "steps:\n  - {id: x, call: t, when: \"$env['x'] == 1\"}\n"), []string{"$env"}},
		{"open template", md("a", "steps:\n  - {id: x, call: t, args: {q: \"a ${b\"}}\n"), []string{"without its }"}},
		{"loop without max", md("a", "steps:\n  - id: x\n    loop: {until: \"true\"}\n    steps: [{id: y, call: t}]\n"), []string{"a loop needs a max"}},
		{"guard without gate", md("a", "guards: [{deny: [w], until: passed.nope}]\nsteps:\n  - {id: x, call: t}\n"), []string{"no require step has this id"}},
		{"guard on a call", md("a", "guards: [{deny: [w], until: passed.x}]\nsteps:\n  - {id: x, call: t}\n"), []string{"no require step has this id"}},
		{"guard with or", md("a", "guards: [{deny: [w], until: passed.x || approved.y}]\nsteps:\n  - {id: x, require: \"true\"}\n  - {id: y, approve: ok}\n"), []string{"only && between gates"}},
		{"guard with not", md("a", "guards: [{deny: [w], until: \"!passed.x\"}]\nsteps:\n  - {id: x, require: \"true\"}\n"), []string{"only passed.STEP"}},
		{"claims verified none", md("a", "steps:\n  - {id: x, finish: verified_no_results}\n"), []string{"only the ledger"}},
		{"tool not allowed", strings.Replace(md("a", "steps:\n  - {id: x, call: t}\n"), "---\n\n", "allowed-tools: u v\n---\n\n", 1), []string{"tool t is not in allowed-tools"}},
		{"glossary outside", md("a", "steps:\n  - {id: x, expand: a, glossary: ../b/words.tsv}\n"), []string{"must stay inside"}},
		{"glossary missing", md("a", "steps:\n  - {id: x, expand: a, glossary: words.tsv}\n"), []string{"words.tsv"}},
		{"several at once", md("a", "steps:\n  - {id: x, call: t, when: nope}\n  - {id: X, call: t}\n"), []string{":10:", ":11:"}},
		{"too large", "---\nname: a\ndescription: d\n---\n" + strings.Repeat("x", 1<<20), []string{"over 1048576 bytes"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			skills, err := skill.Load(folder(map[string]string{"a/SKILL.md": tt.text, "good/SKILL.md": md("good", "steps: [{id: x, finish: done}]\n")}))
			if diff := cmp.Diff([]string{"good"}, names(skills)); diff != "" {
				t.Errorf("the other skill must load (-want +got)\n%s", diff)
			}
			var le *skill.LoadError
			if !errors.As(err, &le) || !errors.Is(err, skill.ErrFormat) {
				t.Fatalf("Load error = %v, want a LoadError", err)
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("Load error = %q, want it to hold %q", err, w)
				}
			}
		})
	}
}

func TestLoadUseCycle(t *testing.T) {
	use := func(name string) string { return "steps: [{id: x, use: " + name + "}]\n" }
	skills, err := skill.Load(folder(map[string]string{
		"a/SKILL.md": md("a", use("b")), "b/SKILL.md": md("b", use("c")), "c/SKILL.md": md("c", use("a")),
		"d/SKILL.md": md("d", use("a")), "e/SKILL.md": md("e", use("nowhere")), "f/SKILL.md": md("f", use("g")),
		"g/SKILL.md": md("g", "steps: [{id: x, finish: done}]\n"),
	}))
	if diff := cmp.Diff([]string{"f", "g"}, names(skills)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, want := range []string{"a/SKILL.md:9: skills use each other in a circle: a -> b -> c -> a", "c -> a -> b -> c",
		`d/SKILL.md:9: step "x" uses skill "a", which has errors`, `uses skill "nowhere", which is not loaded`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load error = %v\nwant it to hold %q", err, want)
		}
	}
}

func TestLoadLenient(t *testing.T) {
	skills, err := skill.Load(folder(map[string]string{
		"other/SKILL.md":     "---\nname: a\ndescription: Use when: a colon is in it\nallowed-tools:\n  - x\n  - Bash(git add:*)\nfuture: {deep: [1]}\n---\nbody\n",
		"crlf/SKILL.md":      "\ufeff---\r\nname: crlf\r\ndescription: d\r\nallowed-tools: \"x, y\"\r\n---\r\n\r\n```yaml workflow\r\nsteps: [{id: x, finish: done}]\r\n```\r\n",
		"odd/SKILL.md":       "---\nname: Odd_Name\ndescription: d\nlicense: [MIT, BSD]\ncompatibility:\nmetadata: {n: 3, tags: [x, y], examples: [one, two]}\nallowed-tools: {a: b}\n---\n",
		"plain/SKILL.md":     "---\nname: plain\ndescription: d\nmetadata: [x]\n---\n",
		".hidden/SKILL.md":   "---\nname: hidden\n---\n",
		"deep/er/SKILL.md":   "---\nname: er\ndescription: |\n  two\n  lines\nallowed-tools: Bash(git add:*) y\n---\n",
		"deep/er/x/SKILL.md": "broken, but inside a skill's folder",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Odd_Name", "a", "crlf", "er", "plain"}, names(skills)); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
	odd := skills[0]
	if len(odd.Warnings) != 6 || odd.Metadata["tags"] != `["x","y"]` || odd.Metadata["n"] != "3" || odd.AllowedTools == nil || len(odd.AllowedTools) != 0 || len(odd.Examples) != 2 {
		t.Errorf("odd: %v, %+v", odd.Warnings, odd)
	}
	skills = skills[1:]
	if got := skills[0]; len(got.Warnings) != 2 || got.Description != "Use when: a colon is in it" {
		t.Errorf("a: warnings %v, description %q", got.Warnings, got.Description)
	}
	if diff := cmp.Diff([]string{"x", "Bash(git add:*)"}, skills[0].AllowedTools); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"x", "y"}, skills[1].AllowedTools); diff != "" || skills[1].Workflow() == nil {
		t.Errorf("crlf: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Bash(git add:*)", "y"}, skills[2].AllowedTools); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLoadDoesNotFollowLinks(t *testing.T) {
	dir := t.TempDir()
	outside := dir + "/outside.md"
	for _, d := range []string{"root/a", "root/b"} {
		if err := os.MkdirAll(dir+"/"+d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(outside, md("a", "steps: [{id: x, finish: done}]\n"))
	write(dir+"/root/b/SKILL.md", md("b", "steps: [{id: x, expand: q, glossary: g.tsv}]\n"))
	for _, l := range []string{"/root/a/SKILL.md", "/root/b/g.tsv"} {
		if err := os.Symlink(outside, dir+l); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	skills, err := skill.Load(os.DirFS(dir + "/root"))
	if len(skills) != 0 || err == nil || strings.Count(err.Error(), "links are not followed") != 2 {
		t.Errorf("Load = %v, %v", names(skills), err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "---\n---\n", md("a", "steps: [{id: x, finish: done}]\n"),
		md("a", "inputs: {task: {type: string, required: true}}\nguards: [{deny: [w], until: passed.g && approved.o}]\nsteps:\n  - {id: q, expand: \"${inputs.task}\"}\n  - {id: g, require: len(q) > 0}\n  - {id: o, approve: \"${q}\"}\n"),
		"---\nname: a\ndescription: d\nmetadata: {triggers: '(?P<x>a+)', examples: \"a\\nb\"}\nallowed-tools: [a, b]\n---\n",
		"---\nname: a\ndescription: d: e\n---\n~~~yaml workflow\nsteps: {}\n~~~\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := skill.Parse("SKILL.md", text)
		if (s == nil) == (err == nil) {
			t.Fatalf("Parse = %v, %v", s, err)
		}
		if err == nil && (s.Name == "" || s.Description == "") {
			t.Fatal("a skill without name or description")
		}
		if err == nil && s.Workflow() != nil {
			if p := s.Workflow().Check("SKILL.md", s.AllowedTools); len(p) > 0 {
				t.Fatalf("a parsed workflow does not check: %v", p)
			}
		}
	})
}
