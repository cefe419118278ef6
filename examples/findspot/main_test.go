package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/internal/fakels"
	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/home"
	"github.com/findspot/findspot/internal/visible"
)

func TestMain(m *testing.M) {
	fakels.ServeIfAsked()
	testscript.Main(tests{m}, map[string]func(){"findspot": main})
}

// tests run with a configuration folder of their own.
type tests struct{ *testing.M }

func (t tests) Run() int { return home.Run(t.M) }

// given is the environment of this process with other streams.
func given(t *testing.T, stdin string, stdout, stderr io.Writer) *env.Env {
	t.Helper()
	e, err := env.Process()
	if err != nil {
		t.Fatal(err)
	}
	e.Stdin, e.Stdout, e.Stderr = strings.NewReader(stdin), stdout, stderr
	return e
}

func TestScripts(t *testing.T) {
	data, err := filepath.Abs(filepath.Join("..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	embed, model := embedServer(t), embedModel(t)
	servers := map[string]string{} // files of servers, by the variable that scripts have them in
	for name, s := range map[string]fakels.Server{"SERVERS": {}, "INDEXING": {Fault: fakels.Indexing}, "MISSING": {NotInstalled: true}} {
		s.Name, s.Language, s.Ext = "fake"+strings.ToLower(name), "python", ".py"
		yaml, pids := fakels.Entries(t, s)
		servers[name] = yaml
		t.Cleanup(func() { fakels.WaitGone(t, pids) })
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			if err := os.WriteFile(filepath.Join(e.WorkDir, "nul"), []byte("x\x00y\n"), 0o666); err != nil { // txtar holds text alone
				return err
			}
			for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LocalAppData", "AppData"} { // where programs keep what they share
				e.Setenv(name, filepath.Join(e.WorkDir, ".home"))
			}
			e.Setenv("EMBED", embed)
			e.Setenv("MODEL", model)
			for name, yaml := range servers {
				file := filepath.Join(e.WorkDir, strings.ToLower(name)+".yaml")
				if err := os.WriteFile(file, []byte(yaml), 0o666); err != nil {
					return err
				}
				e.Setenv(name, file)
			}
			modelServers(e)
			e.Setenv("PAPERS", filepath.Join(data, "papers"))
			e.Setenv("RECEIVER", filepath.Join(data, "receiver"))
			e.Setenv("SCAN", filepath.Join(data, "..", "..", "docsearch", "pdf", "testdata", "quality", "scan.pdf"))
			e.Setenv("LOCKED", filepath.Join(data, "..", "..", "docsearch", "pdf", "internal", "cos", "testdata", "aes-256.pdf"))
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "unprivileged" { // permissions bind
				return os.Geteuid() != 0, nil
			}
			return false, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": func(ts *testscript.TestScript, neg bool, args []string) { // exits STATUS PROGRAM ARGS...
				if neg || len(args) < 2 {
					ts.Fatalf("usage: exits STATUS PROGRAM ARGS...")
				}
				status := 0
				if err := ts.Exec(args[1], args[2:]...); err != nil {
					exit, ok := errors.AsType[*exec.ExitError](err)
					if !ok {
						ts.Fatalf("%v", err)
					}
					status = exit.ExitCode()
				}
				if strconv.Itoa(status) != args[0] {
					ts.Fatalf("exit status %d, want %s", status, args[0])
				}
			},
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// maxHelp is how many lines the help of a command has at most: those of a screen.
const maxHelp = 40

// TestHelp keeps the words of the CLI, which scripts rely on, and makes sure that every command has an example, and that its help fits on a screen.
func TestHelp(t *testing.T) {
	var out bytes.Buffer
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		out.WriteString("$ " + c.CommandPath() + " --help\n")
		var page bytes.Buffer
		c.SetOut(&page)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(page.String(), "\n"); n > maxHelp {
			t.Errorf("the help of %s has %d lines, want at most %d", c.CommandPath(), n, maxHelp)
		}
		out.Write(page.Bytes())
		out.WriteString("\n")
		if c.Runnable() && (c.Example == "" || !strings.HasPrefix(c.Example, "  findspot ")) {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			if sub.Name() != "help" && sub.Name() != "completion" {
				walk(sub)
			}
		}
	}
	walk((&app{}).root())
	golden.Compare(t, filepath.Join("testdata", "help.txt"), out.Bytes())
}

// TestExitTable keeps the table of exit statuses in docs/formats.md that of the program.
func TestExitTable(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range exits {
		if row := "| " + strconv.Itoa(e.status) + " | " + e.what + " |\n"; !strings.Contains(string(doc), row) {
			t.Errorf("docs/formats.md lacks the row %q", row)
		}
	}
}

func TestPageRange(t *testing.T) {
	for _, tt := range []struct {
		in          string
		first, last int
		ok          bool
	}{{"", 1, 0, true}, {"3", 3, 3, true}, {"1-3", 1, 3, true}, {"5-", 5, 0, true}, {"0", 0, 0, false}, {"3-1", 0, 0, false}, {"x", 0, 0, false}, {"-3", 0, 0, false}} {
		first, last, err := pageRange(tt.in)
		if first != tt.first || last != tt.last || (err == nil) != tt.ok {
			t.Errorf("pageRange(%q) = %d, %d, %v, want %d, %d, ok %v", tt.in, first, last, err, tt.first, tt.last, tt.ok)
		}
	}
}

// Only the ids of entities lead anywhere, whatever else a line of a tree holds.
func TestLinksOfTrees(t *testing.T) {
	var b bytes.Buffer
	w := &screen{Writer: visible.NewWriter(&b), of: &b, address: func(at visible.Spot) string { return "x:" + at.Repo + "/" + at.Path + "#" + strconv.Itoa(at.Line) }}
	nodes := []codegraph.Entity{{ID: "a b.py:f", Path: "a b.py", Line: 3}, {ID: "r//c.py:g\x1b]8;;y:\x1b\\", Path: "c.py", Line: 4}}
	printTree(&console{stdout: w}, "a b.py:f\n├── invokes ── a b.py:f  3\n└── x ── r//c.py:g\x1b]8;;y:\x1b\\ \x1b]8;;z:\x1b\\\n", nodes)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	const f = "\x1b]8;;x:/a%20b.py#3\x1b\\a b.py:f\x1b]8;;\x1b\\"
	want := f + "\n├── invokes ── " + f + "  3\n└── x ── \x1b]8;;x:r/c.py#4\x1b\\r//c.py:g[U+001B]]8;;y:[U+001B]\\\x1b]8;;\x1b\\ [U+001B]]8;;z:[U+001B]\\\n"
	if got := b.String(); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}

func TestClean(t *testing.T) {
	if got := clean("a\x1b[31mb\tc\u009bd\n"); got != "a[U+001B][31mb\tc[U+009B]d\n" {
		t.Errorf("clean = %q: what a document hides is shown", got)
	}
}
