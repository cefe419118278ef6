package export

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
)

const report = `---
name: threshold-report
description: Writes a report on thresholds.
allowed-tools: search_internal search_text write_file
---
Quote the number with its unit.

` + "```yaml workflow" + `
inputs:
  task: {type: string, required: true}
guards:
  - deny: [write_file]
    until: passed.enough && approved.plan_ok
    because: no report before evidence and an approved plan
steps:
  - id: papers
    search: {in: docs, for: "${inputs.task}", tiers: [phrase, all]}
  - id: enough
    require: docs(papers) >= 2
    because: a report needs two papers
  - id: plan
    write: plan of the report
    from: [papers]
  - id: plan_ok
    approve: ${plan}
    choices: [approve, revise, stop]
  - id: report
    write: files
    with: [write_file]
    from: [plan]
` + "```" + `
Say what is open.
`

// folder loads the skills of a folder.
func folder(t *testing.T, files map[string]string) map[string]*skill.Skill {
	t.Helper()
	var pairs []string
	for name, text := range files {
		pairs = append(pairs, name, text)
	}
	skills, err := skill.Load(fsOf(pairs...))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*skill.Skill{}
	for _, s := range skills {
		out[s.Name] = s
	}
	return out
}

// fsOf is a folder of files, each with its text behind its name.
func fsOf(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

func TestExport(t *testing.T) {
	s := folder(t, map[string]string{
		"threshold-report/SKILL.md":         report,
		"threshold-report/references/w.tsv": "a\tb\n",
		"threshold-report/tests/a.jsonl":    "{}",
		"threshold-report/.hidden/x":        "x",
	})["threshold-report"]
	want := map[string][]string{
		Claude:   {".claude/skills/threshold-report/SKILL.md", ".claude/skills/threshold-report/references/w.tsv"},
		Codex:    {".agents/skills/threshold-report/SKILL.md", ".agents/skills/threshold-report/references/w.tsv"},
		Cursor:   {".cursor/rules/threshold-report.mdc"},
		AgentsMD: {"AGENTS.md"},
	}
	for _, house := range Houses() {
		b, err := Export(s, house, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range b.Files {
			got = append(got, f.Path)
			if strings.HasSuffix(f.Path, "SKILL.md") && string(f.Data) != report {
				t.Errorf("%s: SKILL.md was changed", house)
			}
		}
		if diff := cmp.Diff(want[house], got); diff != "" {
			t.Errorf("%s: files (-want +got)\n%s", house, diff)
		}
		enforces := SkillsFolder(house) != ""
		if (b.Hooks != nil) != enforces || len(b.Enforced) > 0 != enforces || len(b.NotEnforced) == 0 {
			t.Errorf("%s: hooks %v, enforced %q, not %q", house, b.Hooks, b.Enforced, b.NotEnforced)
		}
		for _, h := range hooksOf(b) {
			if !strings.HasPrefix(h.Command, "findspot skill hook --house "+house+" --skill threshold-report --digest "+s.Digest) || !strings.HasSuffix(h.Command, " || exit 2") || !strings.Contains(h.Command, b.Hooks.Mark) {
				t.Errorf("%s: %s", house, h.Command)
			}
		}
	}
}

func hooksOf(b *Bundle) []HookEntry {
	if b.Hooks == nil {
		return nil
	}
	return b.Hooks.Hooks
}

func TestText(t *testing.T) {
	text := Text(folder(t, map[string]string{"threshold-report/SKILL.md": report})["threshold-report"])
	for _, want := range []string{
		"Quote the number with its unit.", "Say what is open.", "Do not call write_file until passed.enough && approved.plan_ok. Reason: no report",
		"- [ ] **enough**: check that `docs(papers) >= 2` holds", "You cannot approve it",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "yaml workflow") || strings.Contains(text, "```") {
		t.Errorf("the text has the workflow:\n%s", text)
	}
}

func TestExportRefuses(t *testing.T) {
	ok := folder(t, map[string]string{"threshold-report/SKILL.md": report})["threshold-report"]
	parsed, err := skill.Parse("SKILL.md", report)
	if err != nil {
		t.Fatal(err)
	}
	odd := *ok
	odd.Name = "../x"
	for _, tt := range []struct {
		s     *skill.Skill
		house string
		o     *Options
		want  string
	}{
		{ok, "emacs", nil, "there are agents-md, claude, codex, cursor"},
		{parsed, Claude, nil, "is no folder with a SKILL.md"},
		{&odd, Claude, nil, "lower-case letters"},
		{ok, Claude, &Options{Program: "it's"}, "cannot be named in a hook"},
	} {
		if _, err := Export(tt.s, tt.house, tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Export(%s) = %v, want %q", tt.house, err, tt.want)
		}
	}
}

// TestExportShipped exports every skill of the library to every house.
func TestExportShipped(t *testing.T) {
	skills, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range skills {
		for _, house := range Houses() {
			b, err := Export(s, house, nil)
			if err != nil || len(b.Files) == 0 {
				t.Errorf("%s to %s: %v", s.Name, house, err)
			}
		}
	}
}
