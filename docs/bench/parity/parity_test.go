package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/need"
)

// TestCompare: what falls or grows by more than a twentieth fails, by name, and so does what nobody watches.
func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "baseline.json")
	base := []result{{"graph/a/edges", 100, false}, {"graph/a/lost", 20, true}, {"graph/b/edges", 7, false}}
	if err := write(file, "graph", base); err != nil {
		t.Fatal(err)
	}
	if err := compare(file, []result{{"graph/a/edges", 95, false}, {"graph/a/lost", 21, true}}); err != nil {
		t.Errorf("within a twentieth: %v", err)
	}
	for want, r := range map[string]result{
		"graph/a/edges fell from 100 to 94.9": {"graph/a/edges", 94.9, false},
		"graph/a/lost grew from 20 to 22":     {"graph/a/lost", 22, true},
		"-update adds it":                     {"graph/c/edges", 1, false},
	} {
		if err := compare(file, []result{r}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", r, err, want)
		}
	}
	// New numbers of one repository leave those of the others.
	if err := write(file, "graph", []result{{"graph/a/edges", 50, false}}); err != nil {
		t.Fatal(err)
	}
	got, err := read(file)
	if diff := cmp.Diff(map[string]float64{"graph/a/edges": 50, "graph/b/edges": 7}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestTakeApart(t *testing.T) {
	got, err := takeApart("a.py:A\n├── contains ── a.py:A.f\n│               └── invokes ── b.py:g\n└── inherits-by ── c.py:C")
	want := []line{{"a.py:A", "contains", "a.py:A.f"}, {"a.py:A.f", "invokes", "b.py:g"}, {"a.py:A", "inherits-by", "c.py:C"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(line{})); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if e := got[2].edge(); e.Src != "c.py:C" || e.Dst != "a.py:A" {
		t.Errorf("an edge that leads here: %v", e)
	}
	if _, err := takeApart("a\nno tree"); err == nil {
		t.Error("text that is no tree")
	}
}

// TestLocalise makes a repository with two fixes, and scores what is found for them beside what another found.
func TestLocalise(t *testing.T) {
	dir := t.TempDir()
	need.Tool(t, "git", "--version")
	repo := filepath.Join(dir, "repositories", "harbour", "tides")
	put(t, repo, "tides/gauge.py", "class Gauge:\n    def __init__(self, port):\n        self.port = port\n\n    def read_level(self):\n        return self.port.level\n\n\ndef calibrate(gauge):\n    return gauge\n")
	put(t, repo, "tides/report.py", "def print_report(levels):\n    for level in levels:\n        print(level)\n")
	git(t, repo, "init", "--quiet")
	git(t, repo, "add", ".")
	git(t, repo, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "Tides")
	base := strings.TrimSpace(git(t, repo, "rev-parse", "HEAD"))
	put(t, repo, "tides/chart.txt", "too large to be kept\n")
	git(t, repo, "add", ".")
	git(t, repo, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "Chart")
	partial := strings.TrimSpace(git(t, repo, "rev-parse", "HEAD"))
	blob := strings.TrimSpace(git(t, repo, "rev-parse", "HEAD:tides/chart.txt"))
	if err := os.Remove(filepath.Join(repo, ".git", "objects", blob[:2], blob[2:])); err != nil { // as in a partial clone
		t.Fatal(err)
	}
	issues := filepath.Join(dir, "issues.jsonl")
	put(t, dir, "issues.jsonl", `{"instance_id": "tides-1", "repo": "harbour/tides", "base_commit": "`+base+`", "problem_statement": "Gauge.read_level ignores the surge", "patch": "--- a/tides/gauge.py\n+++ b/tides/gauge.py\n@@ -6 +6 @@\n-        return self.port.level\n+        return self.port.level + self.port.surge\n"}
{"instance_id": "tides-2", "repo": "harbour/tides", "base_commit": "`+base+`", "problem_statement": "print_report should print a heading", "patch": "--- a/tides/report.py\n+++ b/tides/report.py\n@@ -1,2 +1,3 @@\n def print_report(levels):\n+    print(\"Levels\")\n     for level in levels:\n"}
{"instance_id": "tides-3", "repo": "harbour/tides", "base_commit": "0000000000000000000000000000000000000000", "problem_statement": "x", "patch": "--- a/x\n+++ b/x\n"}
{"instance_id": "tides-4", "repo": "harbour/tides", "base_commit": "`+partial+`", "problem_statement": "x", "patch": "--- a/x\n+++ b/x\n"}
{"instance_id": "other-1", "repo": "harbour/other", "base_commit": "`+base+`", "problem_statement": "x", "patch": "--- a/x\n+++ b/x\n"}
`)
	put(t, dir, "theirs.jsonl", `{"instance_id": "tides-1", "found_files": ["tides/gauge.py"], "found_modules": ["tides/gauge.py:Gauge"], "found_entities": ["tides/gauge.py:Gauge.read_level"]}`+"\n")
	results, err := localise(t.Context(), issues, filepath.Join(dir, "repositories"), filepath.Join(dir, "theirs.jsonl"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Value != 1 { // both are plain
			t.Errorf("%s = %v", r.Name, r.Value)
		}
	}
	if len(results) != 14 {
		t.Errorf("%d numbers", len(results))
	}
	if _, err := localise(t.Context(), issues, dir, "", ""); err == nil || !strings.Contains(err.Error(), "no issue") {
		t.Errorf("without a repository: %v", err)
	}
}

// TestTools runs LocAgent's recorded calls on the repositories below the folder that FINDSPOT_PARITY names, requests at 1f6589ec3a1e and
// flask at 2ac89889f4cc, and compares with the baseline.
func TestTools(t *testing.T) {
	dir := need.Folder(t, "parity", "requests and flask stand in it, see docs/bench/parity.md")
	results, err := tools(t.Context(), need.Shared(t, "codegraph", "locagent_outputs.json"), map[string]string{"requests": filepath.Join(dir, "requests"), "flask": filepath.Join(dir, "flask")}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := compare("baseline.json", results); err != nil {
		t.Error(err)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", args[0], err, out)
	}
	return string(out)
}
