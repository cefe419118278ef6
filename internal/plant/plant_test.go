package plant

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// files reads everything below a root but what is hidden.
func files(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(abs string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		if info, err := os.Stat(abs); err != nil || info.IsDir() {
			return err // a link to a folder
		}
		data, err := os.ReadFile(abs)
		rel, _ := filepath.Rel(root, abs)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// noBuffers takes overlays and forgets them.
type noBuffers struct{}

func (noBuffers) SetOverlay(string, []byte) error { return nil }
func (noBuffers) RemoveOverlay(string) error      { return nil }

// TestKindsEndAsTheyBegin: every kind of change leaves the files as they were, and what a check wants stands in them.
func TestKindsEndAsTheyBegin(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed: install it")
	}
	for lang := range languages {
		t.Run(lang, func(t *testing.T) {
			root := t.TempDir()
			if err := Make(root, lang, 3); err != nil {
				t.Fatal(err)
			}
			p, err := New(root, lang, "", noBuffers{})
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range p.Kinds() {
				for round := range 3 {
					before := files(t, root)
					changed := false
					for i, step := range p.Steps(kind, round) {
						checks, err := step.Do()
						if err != nil {
							t.Fatalf("%s, round %d, step %d: %v", kind, round, i, err)
						}
						now := files(t, root)
						changed = changed || !cmp.Equal(before, now)
						for _, c := range checks {
							if c.Ask == References && len(p.over) == 0 && kind != "configuration changed" && kind != "marker created or deleted" {
								if diff := cmp.Diff(occurrences(now, c.Name), len(c.Want)); diff != "" {
									t.Errorf("%s, round %d, step %d: lines that use %s (-files +want):\n%s", kind, round, i, c.Name, diff)
								}
							}
						}
					}
					if diff := cmp.Diff(before, files(t, root)); diff != "" {
						t.Fatalf("%s, round %d: files after (-before +after):\n%s", kind, round, diff)
					}
					if !changed && kind != "at rest" && kind != "link to a file retargeted" {
						t.Errorf("%s, round %d: nothing changed", kind, round)
					}
				}
			}
		})
	}
}

// occurrences counts the lines that use a name, links aside.
func occurrences(files map[string]string, name string) int {
	n := 0
	for file, text := range files {
		if strings.Contains(file, "zqlink/") || strings.Contains(file, "zqcurrent") {
			continue
		}
		for line := range strings.Lines(text) {
			if wordIn(line, name) >= 0 && !strings.Contains(line, name+"(n") && !strings.Contains(line, name+"(int n") {
				n++
			}
		}
	}
	return n
}
