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
