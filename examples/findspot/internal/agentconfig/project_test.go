package agentconfig

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPlanHooks(t *testing.T) {
	const mark = "hook --skill s "
	hooks := []Hook{{"PreToolUse", "", "p hook --skill s 1 || exit 2"}, {"UserPromptSubmit", "", "p hook --skill s 1 || exit 2"}}
	mine := `{"hooks":[{"type":"command","command":"p hook --skill s 1 || exit 2"}]}`
	old := strings.Replace(mine, " 1 ", " 0 ", 1)
	both := strings.Replace(old, "]}", `,{"type":"command","command":"other"}]}`, 1)
	for name, tt := range map[string]struct {
		text         string
		force        bool
		change, hold string // what must still stand
	}{
		"no file":        {"", false, Written, ""},
		"empty":          {"{}\n", false, Written, ""},
		"other settings": {"{\"a\": 1,\n \"hooks\": {\"Stop\": [ ]}}\n", false, Written, `"Stop": [ ]`},
		"empty list":     {`{"hooks": {"PreToolUse": []}}`, false, Written, ""},
		"others":         {"{\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{\"matcher\": \"Bash\", \"hooks\": []}\n\t\t]\n\t}\n}\n", false, Written, `{"matcher": "Bash", "hooks": []}`},
		"there":          {`{"hooks":{"PreToolUse":[` + mine + `],"UserPromptSubmit":[` + mine + `]}}`, false, Unchanged, ""},
		"older":          {`{"hooks":{"PreToolUse":[` + old + `],"UserPromptSubmit":[` + old + `]}}`, false, Updated, ""},
		"shared":         {`{"hooks":{"PreToolUse":[` + both + `]}}`, false, Kept, "other"},
		"shared, forced": {`{"hooks":{"PreToolUse":[` + both + `]}}`, true, Updated, ""},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, ".claude", "settings.json")
		if tt.text != "" {
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(tt.text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p, err := PlanHooks(dir, ".claude/settings.json", mark, hooks, tt.force)
		if err != nil || p.Change != tt.change {
			t.Errorf("%s: %+v, %v, want %s", name, p, err, tt.change)
			continue
		}
		if err := p.Write(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		data, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(data), tt.hold) {
			t.Errorf("%s: %v: %s lacks %q", name, err, data, tt.hold)
		}
		var got struct{ Hooks map[string][]hookGroup }
		if err := json.Unmarshal(data, &got); err != nil {
			t.Errorf("%s: %v: %s", name, err, data)
		}
		for _, h := range hooks {
			n := 0
			for _, g := range got.Hooks[h.Event] {
				if len(g.Hooks) > 0 && g.Hooks[0].Command == h.Command {
					n++
				}
			}
			if want := map[bool]int{true: 0, false: 1}[tt.change == Kept]; n != want {
				t.Errorf("%s: %d hooks of %s, want %d: %s", name, n, h.Event, want, data)
			}
		}
	}
	for name, text := range map[string]string{"no list": `{"hooks":{"PreToolUse":{}}}`, "no object": `{"hooks":[]}`, "torn": `{"hooks":`} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "s.json"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if p, err := PlanHooks(dir, "s.json", mark, hooks, true); err == nil || !strings.Contains(err.Error(), "s.json") {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	if _, err := PlanFile(t.TempDir(), "../x", nil, true); err == nil {
		t.Error("a file outside of the project")
	}
}

func TestPlanBlock(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "AGENTS.md")
	if err := os.WriteFile(file, []byte("# Mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{Written, Unchanged, Updated} {
		text := []string{"one", "one", "two"}[i]
		p, err := PlanBlock(dir, "AGENTS.md", "skill:s", []byte(text))
		if err != nil || p.Change != want {
			t.Fatalf("%d: %+v, %v, want %s", i, p, err, want)
		}
		if err := p.Write(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(data), "# Mine\n\n<!--") || strings.Count(string(data), text) != 1 || strings.Count(string(data), ":begin") != 1 {
			t.Errorf("%d: %v:\n%s", i, err, data)
		}
	}
	if err := os.WriteFile(file, []byte("<!-- findspot:skill:s:end -->\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := PlanBlock(dir, "AGENTS.md", "skill:s", []byte("x")); err == nil || !strings.Contains(err.Error(), "repair or delete") {
		t.Errorf("marks that do not match: %v", err)
	}
}
