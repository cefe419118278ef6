package lint

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var quoted = regexp.MustCompile("`([^`]+)`")

// TestArchitecture makes sure that the packages, functions and files that docs/architecture.md names exist.
func TestArchitecture(t *testing.T) {
	dir := root(t)
	data, err := os.ReadFile(filepath.Join(dir, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	step := regexp.MustCompile(`^\d+\. `)
	steps, tasks := 0, 0
	for line := range strings.Lines(string(data)) {
		switch {
		case step.MatchString(line):
			steps++
			checkStep(t, dir, line)
		case strings.HasPrefix(line, "| ") && strings.Contains(line, "`"):
			tasks++
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(m[1]))); err != nil {
					t.Errorf("where to change: %v", err)
				}
			}
		}
	}
	if steps < 20 || tasks < 20 {
		t.Errorf("%d steps and %d tasks were read", steps, tasks)
	}
}

// checkStep checks a step of a journey: names in back quotes that are folders are packages, the others functions or methods of one of them.
func checkStep(t *testing.T, dir, line string) {
	last := ""
	var sources [][]byte
	for _, m := range quoted.FindAllStringSubmatch(line, -1) {
		name := m[1]
		for _, folder := range []string{name, path.Join(path.Dir(last), name)} {
			if name == "findspot" {
				folder = "."
			}
			files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(folder), "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			if len(files) == 0 {
				continue
			}
			last, name = folder, ""
			for _, f := range files {
				src, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				sources = append(sources, src)
			}
			break
		}
		if name == "" {
			continue
		}
		called := []byte(name[strings.LastIndexByte(name, '.')+1:] + "(")
		found := false
		for _, src := range sources {
			found = found || bytes.Contains(src, []byte(" "+string(called))) || bytes.Contains(src, append([]byte("\t"), called...))
		}
		if !found {
			t.Errorf("no package before it in this step has %s: %s", name, strings.TrimSpace(line))
		}
	}
	if len(sources) == 0 {
		t.Errorf("a step names no package: %s", line)
	}
}
