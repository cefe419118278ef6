//go:build unix

package skill_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
)

// TestLoadOpensNoPipe: what is no regular file is refused before it is opened, since opening a pipe waits for ever.
func TestLoadOpensNoPipe(t *testing.T) {
	dir := t.TempDir()
	text := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text("glossary/SKILL.md", md("glossary", "steps: [{id: x, expand: q, glossary: pipe.tsv}]\n"))
	text("script/SKILL.md", md("script", "scripts: [{path: run.py}]\nsteps: [{id: x, expand: q}]\n"))
	text("beside/SKILL.md", "---\nname: beside\ndescription: A workflow beside it.\n---\n")
	text("cases/SKILL.md", md("cases", "steps: [{id: x, expand: q}]\n"))
	text("late/SKILL.md", md("late", "steps: [{id: x, expand: q, glossary: words.tsv}]\n"))
	text("late/words.tsv", "a\tb\n")
	for _, name := range []string{"text/SKILL.md", "loose/workflow.yaml", "loose/x.workflow.yaml", "glossary/pipe.tsv", "script/run.py", "beside/workflow.yaml", "cases/tests/a.jsonl", "cases/tests/a.yaml"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Skip("no pipes here: ", err)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		skills, err := skill.Load(os.DirFS(dir))
		if got := names(skills); len(got) != 2 || got[0] != "cases" || got[1] != "late" || err == nil {
			t.Errorf("Load = %v, %v; want the skills without pipes", got, err)
			return
		}
		if cases, err := runner.Test(t.Context(), skills[0]); err != nil || len(cases) != 1 || cases[0].Passed {
			t.Errorf("Test = %v, %v", cases, err)
		}
		if err := os.Remove(filepath.Join(dir, "late/words.tsv")); err != nil {
			t.Error(err)
		}
		if err := syscall.Mkfifo(filepath.Join(dir, "late/words.tsv"), 0o644); err != nil {
			t.Error(err)
		}
		if out := mustRun(t, runner.New(nil, nil, nil), skills[1], nil); out.Steps[0].Status != "failed" {
			t.Errorf("a pipe in the place of a glossary: %+v", out.Steps)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it waits for a pipe")
	}
}
