package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
)

var _ = pageRuns // compiled, not run: it needs a model

// A docBlock is a fenced block of a page.
type docBlock struct {
	line int
	info []string
	text string
}

// docBlocks reads the fenced blocks of a page; a fence of four ticks may hold one of three.
func docBlocks(t *testing.T, page string) (out []docBlock) {
	t.Helper()
	fence := ""
	for i, line := range strings.SplitAfter(page, "\n") {
		trimmed := strings.TrimRight(line, "\n")
		switch {
		case fence == "" && strings.HasPrefix(trimmed, "```"):
			info := strings.TrimLeft(trimmed, "`")
			fence = trimmed[:len(trimmed)-len(info)]
			out = append(out, docBlock{line: i + 1, info: strings.Fields(info)})
		case fence != "" && trimmed == fence:
			fence = ""
		case fence != "":
			out[len(out)-1].text += line
		}
	}
	if fence != "" {
		t.Fatalf("line %d: the block is not closed", out[len(out)-1].line)
	}
	return out
}

// docWords splits a command as a shell does: at blanks outside of double quotes.
func docWords(s string) (out []string) {
	word, quoted, open := "", false, false
	for _, r := range s {
		switch {
		case r == '"':
			quoted, open = !quoted, true
		case r == ' ' && !quoted:
			if open {
				out = append(out, word)
			}
			word, open = "", false
		default:
			word, open = word+string(r), true
		}
	}
	if open {
		out = append(out, word)
	}
	return out
}

// pageRuns holds the Go code of the page.
func pageRuns(ctx context.Context, model skill.Model, ws *findspot.Workspace, task string) (*runner.Outcome, error) {
	dir, err := skill.Dir(".agents/skills") // no link leads out of it
	if err != nil {
		return nil, err
	}
	skills, err := skill.Load(dir) // the good ones, and what is wrong with the others
	if err != nil {
		return nil, err
	}
	choice, ok := skill.SelectWith(ctx, model, skills, task, nil) // without a model: skill.Select
	if !ok {
		return nil, errors.New(strings.Join(choice.Why, "; "))
	}
	choice.Inputs["task"] = task // beside what a trigger named
	return runner.New(model, ws.Tools(nil), nil).Run(ctx, choice.Skill, choice.Inputs)
}

// TestSkillsPage follows docs/skills.md literally, in an empty folder with the papers and the code: files are written as they are
// shown, commands are run, and each line shown below a command must be in what it prints, in this order.
func TestSkillsPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "skills.md"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Abs(filepath.Join("..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("skilldoc_test.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"papers", "receiver"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(data, name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, filepath.Join(dir, ".home"))
	}
	t.Chdir(dir)
	files, commands := 0, 0
	for _, b := range docBlocks(t, string(page)) {
		switch {
		case len(b.info) == 2 && (b.info[0] == "markdown" || b.info[0] == "text"):
			if err := os.MkdirAll(filepath.Dir(b.info[1]), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(b.info[1], []byte(b.text), 0o666); err != nil {
				t.Fatal(err)
			}
			files++
		case len(b.info) == 1 && b.info[0] == "console":
			for _, part := range strings.Split("\n"+b.text, "\n$ ")[1:] {
				command, want, _ := strings.Cut(part, "\n")
				words := docWords(command)
				if words[0] != "findspot" {
					t.Errorf("line %d: %q is no command of findspot", b.line, command)
					continue
				}
				commands++
				var out bytes.Buffer
				status := run(t.Context(), words[1:], given(t, "", &out, &out))
				rest := out.String()
				for line := range strings.Lines(want) {
					line = strings.TrimSpace(line)
					at := strings.Index(rest, line)
					if at < 0 {
						t.Errorf("line %d: %s (exit %d)\ndoes not print, at this point: %s\n%s", b.line, command, status, line, out.String())
						break
					}
					rest = rest[at+len(line):]
				}
			}
		case len(b.info) == 1 && b.info[0] == "go":
			code := "\t" + strings.ReplaceAll(strings.TrimSuffix(b.text, "\n"), "\n", "\n\t") + "\n"
			if !strings.Contains(string(source), code) {
				t.Errorf("line %d: pageRuns in skilldoc_test.go, which is compiled, does not hold this code", b.line)
			}
		default:
			t.Errorf("line %d: a block that is not tried: %q", b.line, b.info)
		}
	}
	if files < 6 || commands < 12 {
		t.Errorf("%d files and %d commands: the page has lost some", files, commands)
	}
}
