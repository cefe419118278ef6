package runner_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

const scriptWorkflow = `scripts:
  - {path: scripts/count.py, description: counts, args: {type: object, properties: {n: {type: integer}}, additionalProperties: false}}
  - scripts/other.sh
steps:
  - {id: refs, search: {for: x}}
  - {id: ok, approve: "${refs}"}
  - {id: ran, call: run_script, args: {script: "SCRIPT", args: ARGS}, on_error: stop}
`

// scripted loads a skill in a real folder whose step runs the script.
func scripted(t *testing.T, script, args string) (*skill.Skill, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(dir+"/counts/scripts", 0o755); err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(md("counts", strings.NewReplacer("SCRIPT", script, "ARGS", args).Replace(scriptWorkflow)), "---\n\n", "allowed-tools: run_script search_internal\n---\n\n", 1)
	for name, data := range map[string]string{"SKILL.md": text, "scripts/count.py": "print(1)\n", "scripts/other.sh": "echo 2\n", "scripts/secret.py": "print(3)\n"} {
		if err := os.WriteFile(dir+"/counts/"+name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	skills, err := skill.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return skills[0], dir + "/counts/"
}

func TestScripts(t *testing.T) {
	const digest = "43e14432c69d5d23bf90bb8e47d98eb7fb1e5f5c9c9d7eb2fa8f95f3e6f0be4d"
	tests := []struct {
		name, script, args string
		change             func(t *testing.T, dir string, o *runner.ScriptOptions)
		ran                string // the bytes that ran
		reason             string
	}{
		{"approved by digest", "scripts/count.py", "{n: 3}", func(t *testing.T, dir string, o *runner.ScriptOptions) {
			o.Digests = []string{strings.ToUpper(digestOf(t, dir+"scripts/count.py"))}
		}, "print(1)\n", ""},
		{"approved when asked", "scripts/count.py", "{n: 3}", func(_ *testing.T, _ string, o *runner.ScriptOptions) {
			o.Approve = func(_ context.Context, c *runner.ScriptCall) (bool, error) { c.Content[0] = 'X'; return true, nil }
		}, "print(1)\n", ""},
		{"nobody approved", "scripts/count.py", "{n: 3}", func(*testing.T, string, *runner.ScriptOptions) {}, "", "is not approved by the host"},
		{"another digest", "scripts/count.py", "{n: 3}", func(_ *testing.T, _ string, o *runner.ScriptOptions) { o.Digests = []string{digest} }, "", "is not approved"},
		{"changed since", "scripts/count.py", "{n: 3}", func(t *testing.T, dir string, o *runner.ScriptOptions) {
			o.Digests = []string{digestOf(t, dir+"scripts/count.py")}
			if err := os.WriteFile(dir+"scripts/count.py", []byte("print(9)\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "", "has changed since the skill was loaded"},
		{"no way to run it", "scripts/other.sh", "{}", func(t *testing.T, dir string, o *runner.ScriptOptions) {
			o.Digests = []string{digestOf(t, dir+"scripts/other.sh")}
		}, "", `no way to run ".sh" files`},
		{"not listed", "scripts/secret.py", "{}", func(t *testing.T, dir string, o *runner.ScriptOptions) {
			o.Digests = []string{digestOf(t, dir+"scripts/secret.py")}
		}, "", `does not list "scripts/secret.py"`},
		{"another spelling", "scripts/../scripts/count.py", "{}", func(t *testing.T, dir string, o *runner.ScriptOptions) {
			o.Digests = []string{digestOf(t, dir+"scripts/count.py")}
		}, "", "does not list"},
		{"wrong arguments", "scripts/count.py", "{m: 3}", func(t *testing.T, dir string, o *runner.ScriptOptions) {
			o.Digests = []string{digestOf(t, dir+"scripts/count.py")}
		}, "", "arguments"},
		{"a link by now", "scripts/count.py", "{n: 3}", func(t *testing.T, dir string, o *runner.ScriptOptions) {
			o.Digests = []string{digestOf(t, dir+"scripts/count.py")}
			if err := os.Rename(dir+"scripts/count.py", dir+"scripts/real.py"); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("real.py", dir+"scripts/count.py"); err != nil {
				t.Skip("no links here: ", err)
			}
		}, "", "links are not followed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, dir := scripted(t, tt.script, tt.args)
			ran := ""
			o := approving()
			o.Scripts = &runner.ScriptOptions{Run: map[string]func(context.Context, *runner.ScriptCall) (*skill.Result, error){
				".py": func(_ context.Context, c *runner.ScriptCall) (*skill.Result, error) {
					ran = string(c.Content)
					return &skill.Result{Text: "ran " + c.Path}, nil
				}}}
			tt.change(t, dir, o.Scripts)
			out := mustRun(t, runner.New(nil, skilltest.Tools(skilltest.NewTool("search_internal", passages())), o), s, nil)
			if ran != tt.ran || !strings.Contains(out.Reason, tt.reason) || (out.Status == skill.StatusDone) != (tt.reason == "") {
				t.Errorf("%s: %q; ran %q", out.Status, out.Reason, ran)
			}
		})
	}
}

// TestScriptsNeedWhatOtherWritersNeed has everything approved but the run.
func TestScriptsNeedWhatOtherWritersNeed(t *testing.T) {
	s, dir := scripted(t, "scripts/count.py", "{}")
	ran := 0
	o := &runner.Options{Scripts: &runner.ScriptOptions{Digests: []string{digestOf(t, dir+"scripts/count.py")},
		Run: map[string]func(context.Context, *runner.ScriptCall) (*skill.Result, error){".py": func(context.Context, *runner.ScriptCall) (*skill.Result, error) {
			ran++
			return &skill.Result{Text: "ran"}, nil
		}}}}
	r := runner.New(nil, skilltest.Tools(skilltest.NewTool("search_internal", passages())), o)
	run, err := r.Start(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Call(t.Context(), "run_script", json.RawMessage(`{"script":"scripts/count.py"}`)); err == nil || ran != 0 {
		t.Errorf("before an approval: %v, ran %d times", err, ran)
	}
	if _, err := runner.New(nil, nil, nil).Start(t.Context(), s, nil); err != nil {
		t.Fatal(err)
	}
	plain, err := runner.New(nil, skilltest.Tools(skilltest.NewTool("search_internal", passages())), approving()).Run(t.Context(), s, nil)
	if err != nil || !strings.Contains(plain.Reason, "run_script: not offered here") {
		t.Errorf("without a way to run scripts: %v, %+v", err, plain)
	}
	for _, bad := range []string{"../x.py", "/etc/x.py", ".", "a/../x.py", "noending", ""} {
		if _, err := skill.Parse("SKILL.md", md("a", "scripts: [\""+bad+"\"]\nsteps: [{id: x, finish: done}]\n")); err == nil {
			t.Errorf("scripts: %q was taken", bad)
		}
	}
}

func digestOf(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return skillDigest(data)
}
