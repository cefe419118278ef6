package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The program prints a line for what it found and one for each update, and ends without a complaint when interrupted.
func TestCodeWatch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted by another there")
	}
	for _, format := range []string{"text", "json"} {
		t.Run(format, func(t *testing.T) {
			repo := filepath.Join(t.TempDir(), "repo")
			put := func(text string) { // in one step, as an update may come between two
				tmp := filepath.Join(t.TempDir(), "a.py")
				if err := os.WriteFile(tmp, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(tmp, filepath.Join(repo, "a.py")); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(repo, 0o777); err != nil {
				t.Fatal(err)
			}
			put("def a():\n    pass\n")
			cmd := exec.CommandContext(t.Context(), "findspot", "code", "watch", "--repo", repo, "--dir", t.TempDir())
			if format == "json" {
				cmd.Args = append(cmd.Args, "--json")
			}
			cmd.Env = append(os.Environ(), apart(t)...)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			next := func() string {
				if !lines.Scan() {
					t.Fatalf("the output ended: %v; %s", lines.Err(), stderr.String())
				}
				return lines.Text()
			}
			var got []watchLine
			read := func() {
				line := next()
				var l watchLine
				if format == "json" {
					if err := json.Unmarshal([]byte(line), &l); err != nil {
						t.Fatalf("%q: %v", line, err)
					}
					if l.TookMS <= 0 {
						t.Errorf("took_ms = %v", l.TookMS)
					}
					l.TookMS = 0
					got = append(got, l)
				} else if !strings.Contains(line, ": files: ") || !strings.HasSuffix(line, "edges") {
					t.Errorf("line %q", line)
				}
			}
			read()
			put("def a():\n    b()\n\n\ndef b():\n    pass\n")
			read()
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
				t.Errorf("interrupted: %v, standard error %q", err, stderr.String())
			}
			if format != "json" {
				return
			}
			root, err := filepath.EvalSymlinks(repo)
			if err != nil {
				t.Fatal(err)
			}
			want := []watchLine{{Root: root, Added: 1, Entities: 3, Edges: 2}, {Root: root, Changed: 1, Entities: 4, Edges: 4}}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("updates (-want +got):\n%s", d)
			}
		})
	}
}

// After an update that changed what an answer cites the watch tells of it, once, and again when it holds once more.
func TestCodeWatchAnswers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted by another there")
	}
	dir := t.TempDir()
	repo := filepath.Join(dir, "repo")
	put := func(text string) {
		tmp := filepath.Join(t.TempDir(), "a.py")
		if err := os.WriteFile(tmp, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(tmp, filepath.Join(repo, "a.py")); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{repo, filepath.Join(dir, "answers")} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	const gauge = "def gauge(samples):\n    return max(samples) > 12\n"
	put(gauge)
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), "findspot", append(args, "--repo", repo, "--dir", filepath.Join(dir, "index"))...)
		cmd.Env, cmd.Dir = append(os.Environ(), apart(t)...), dir
		return cmd
	}
	if out, err := command("ask", "--no-servers", "--answer", "answers/gauge.json", "what does gauge return?").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const forged = `{"format": 1, "text": "It is so.", "rules": {}, "items": [], "sources": []}`
	if err := os.WriteFile(filepath.Join(dir, "answers", "forged.json"), []byte(forged), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := command("code", "watch", "--json", "--answers", "answers")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	next := func() string { // an update by its counts, an answer by its state
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("the output ended: %v; %s", lines.Err(), stderr.String())
		}
		var l struct {
			watchLine
			File, State string
			Holds       bool
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		if l.File != "" {
			return l.File + " " + l.State
		}
		return "update"
	}
	want := func(want ...string) {
		t.Helper()
		for _, w := range want {
			if got := next(); got != w {
				t.Fatalf("%q, want %q", got, w)
			}
		}
	}
	want("update", "answers/forged.json fails") // and nothing of the one that holds
	put(strings.ReplaceAll(gauge, "12", "9"))
	want("update", "answers/gauge.json fails") // and nothing of the one that did not hold before either
	put("\n" + gauge)
	want("update", "answers/gauge.json moved")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("interrupted: %v, standard error %q", err, stderr.String())
	}
}
