package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/findspot/findspot/examples/findspot/internal/attach"
	"github.com/findspot/findspot/examples/findspot/internal/env"
)

// tty is a stream that says it is a terminal of 80 columns.
type tty struct {
	io.Reader
	io.Writer
}

func (tty) Terminal() (columns int, ok bool) { return 80, true }

// called is what a command did.
type called struct {
	Status         int
	Stdout, Stderr string
}

// caller runs commands in a working folder.
type caller struct {
	dir      string
	env      map[string]string // beside that of the process
	terminal bool
	stdin    string
}

func (c caller) do(ctx context.Context, args ...string) called {
	var out, errs safeBuffer
	e := &env.Env{Dir: c.dir, Stdin: strings.NewReader(c.stdin), Stdout: &out, Stderr: &errs, Getenv: func(name string) string {
		if v, ok := c.env[name]; ok {
			return v
		}
		return os.Getenv(name)
	}}
	if c.terminal {
		e.Stdin, e.Stdout, e.Stderr = tty{Reader: e.Stdin}, tty{Writer: &out}, tty{Writer: &errs}
	}
	status := run(ctx, args, e)
	return called{status, out.String(), errs.String()}
}

func (c caller) must(t *testing.T, args ...string) called {
	t.Helper()
	got := c.do(t.Context(), args...)
	if got.Status != exitOK {
		t.Fatalf("%q: status %d: %s", args, got.Status, got.Stderr)
	}
	return got
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// startServer serves the index of a folder until the test ends, or the function is called, which returns what the server said.
func startServer(t *testing.T, c caller, args ...string) (stop func() called) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan called, 1)
	go func() { done <- c.do(ctx, append([]string{"serve", "--no-http"}, args...)...) }()
	stop = sync.OnceValue(func() called {
		cancel()
		select {
		case got := <-done:
			return got
		case <-time.After(30 * time.Second):
			t.Error("the server does not end")
			return called{}
		}
	})
	t.Cleanup(func() { stop() })
	for range 600 {
		if c.do(t.Context(), "serve", "status").Status == exitOK {
			return stop
		}
		select {
		case got := <-done:
			done <- got
			t.Fatalf("the server ended: %+v", got)
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("there is no server")
	return nil
}

// exampleProject makes a working folder with documents and code, and an index of them.
func exampleProject(t *testing.T, dir string) caller {
	t.Helper()
	data := filepath.Join("..", "testdata")
	for _, name := range []string{"papers", "receiver"} {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(data, name))); err != nil {
			t.Fatal(err)
		}
	}
	c := caller{dir: dir, env: map[string]string{"NO_COLOR": "", "TERM": "xterm", embedKey: "open sesame", "ANTHROPIC_API_KEY": ""}}
	c.must(t, "docs", "add", "papers")
	c.must(t, "code", "index", "receiver")
	return c
}

// What differs from run to run.
var varies = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?`), "TIME"},
	{regexp.MustCompile(`((took|time)[_ ](ns|ms)"?: ?)[0-9.e+-]+`), "${1}N"},
	{regexp.MustCompile(`\b\d+(\.\d+)?(ms|µs|s| ms)\b`), "N ms"},
	{regexp.MustCompile(`\d+ GB are free`), "N GB are free"},
	{regexp.MustCompile(`looked("?): ?\d+`), `looked$1: N`},         // as many as a time allows, in every form of output
	{regexp.MustCompile(`generation("?): ?\d+`), `generation$1: N`}, // documents are added in as many steps as a time makes them
	{regexp.MustCompile(`process \d+, \d+ MB`), "process N, N MB"},
	{regexp.MustCompile(`"(pid|memory)": \d+`), `"$1": 0`},
	{regexp.MustCompile(`[^\n]*\r`), ""}, // progress, over which the next line is written
}

func masked(c caller, got called) called {
	for _, s := range []*string{&got.Stdout, &got.Stderr} {
		*s = strings.ReplaceAll(*s, c.dir, "DIR")
		for _, v := range varies {
			*s = v.what.ReplaceAllString(*s, v.with)
		}
	}
	return got
}

// notCompared are commands that are not run both ways, and why. Those of the table of commands are run alone.
var notCompared = map[string]string{
	"embed check":  "it prints times",
	"serve":        "it is the server",
	"serve status": "it is asked of a server alone",
	"serve stop":   "the same",
	"code watch":   "it ends when it is interrupted: TestKilledClient",
	"mcp":          "it answers what comes on standard input: TestServedMCP",
}

// faults are commands that fail, or find nothing, by what they are given: files that are not there above all.
var faults = strings.Split(strings.TrimSpace(`
docs add nothere
docs add papers/nothere.pdf answer.json
docs add ./nothere/ -v
docs add http://example.org/a.pdf
docs add papers --password-file nothere
docs add papers --ids wrong
docs view pss-detection.pdf 99999-100000
docs read nothere
docs page pss-detection.pdf 400
docs find pss-detection.pdf zzz
docs search zzz
docs search x --glossary nothere
docs search x --glossary papers
docs search --queries nothere --run run.txt
docs search --queries answer.json --run nothere/run.txt
docs search --queries answer.json --run run.txt
docs search x --wrong
docs search x --output wrong
docs backup papers
docs backup .findspot
docs remove nothere
docs collection rename no such
docs list --engine http://127.0.0.1:1 --engine-ca nothere
docs list --engine-prefix p
docs embed
ask zzzzz
ask how --docs nothere
ask how --repo nothere
ask how --answer nothere/x.json
ask how --answer papers
code index nothere
code index answer.json
code search zzzzz
code search x --repo nothere
code show nothere
code traverse nothere
code traverse -
code retrieve -
code retrieve receiver/pss.py:9-3
code callers nothere
code grep zzzzzz --repo receiver
code grep -E (
code locate --query-file nothere
code locate --query-file papers
code locate x --history nothere
lsp definition nothere --no-servers
lsp definition x --servers nothere
lsp definition x --servers answer.json
lsp definition x --overlay a=nothere --no-servers
run nothere.yaml
run answer.json
run callers
run locate text=@nothere
skill run nothere
skill run who-calls --replay nothere
skill run who-calls --replay answer.json
skill run who-calls --input symbol=nothere --no-servers
skill run who-calls --input symbol=detect_pss --record papers --no-servers
skill run who-calls --provider openai
skill run who-calls --provider anthropic --model m
skill run who-calls --provider wrong --model m
skill show nothere
skill list --skills nothere
skill test nothere
verify nothere
verify run.jsonl
verify answer.json --docs nothere
verify wrong.md
verify wrong.md --docs papers
verify right.md --bundle proof
init --yes --agent wrong
init --yes --docs nothere
`), "\n")

// TestServed runs every command with every form of output, in two projects that are the same, alone in one and through a server in the other, with and
// without a terminal: the form is right, and nothing that a user sees differs.
func TestServed(t *testing.T) {
	embed := embedServer(t)
	file := exampleServers(t)
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("ANTHROPIC_API_KEY", "of the server's process")
	var both [2]caller
	for i, name := range []string{"a", "b"} {
		c := exampleProject(t, filepath.Join(top, name, "project"))
		c.must(t, "ask", "how is the PSS detected?", "--answer", "answer.json")
		c.must(t, "skill", "run", "who-calls", "--input", "symbol=detect_pss", "--no-servers", "--record", "run.jsonl")
		c.must(t, "skill", "new", "mine")
		for _, args := range withPacks {
			c.must(t, args...)
		}
		c.must(t, "docs", "collection", "add", "draft", "sync-raster.pdf")
		for name, text := range map[string]string{"gold.jsonl": `{"id":"run","gold_files":["receiver/pss.py"]}`, "right.md": "`detect_pss` takes samples [receiver/pss.py:67-70].\n", "wrong.md": "There are 99 sequences [D1], or 98 [pss-detection p. 99].\n\n[D1]: pss-detection.pdf p. 1, l. 28-42\n"} {
			if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		both[i] = c
	}
	stop := startServer(t, both[1])
	commands := commandTable("papers", "receiver", file, embed)
	commands["embed check"] = exampleCommand{args: []string{embedModel(t)}}
	counter := 0
	root := (&app{}).root()
	root.InitDefaultCompletionCmd("bash")
	served := 0
	compare := func(args []string, terminal bool, stdin string) called {
		t.Helper()
		var got [2]called
		var wg sync.WaitGroup
		for i, c := range both {
			c.terminal, c.stdin = terminal, stdin
			wg.Go(func() { got[i] = c.do(t.Context(), args...) })
		}
		wg.Wait()
		if d := cmp.Diff(masked(both[0], got[0]), masked(both[1], got[1])); d != "" {
			t.Errorf("%q, terminal %v (-alone +served):\n%s", args, terminal, d)
		}
		served++
		return got[0]
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
			name := strings.TrimPrefix(sub.CommandPath(), "findspot ")
			command, ok := commands[name]
			if sub.Name() == "help" || sub.Hidden || !sub.Runnable() || !ok && (notCompared[name] != "" || sub.HasSubCommands()) {
				continue
			}
			if !ok {
				t.Errorf("%s: the table of commands lacks it", name)
				continue
			}
			for _, form := range []string{outputText, outputJSON, outputLines, outputMD} {
				for _, terminal := range []bool{false, true} {
					if terminal && form != outputText {
						continue // what programs read has no letters that are bold
					}
					args := slices.Concat(strings.Fields(name), command.args, []string{"--output", form})
					counter++
					for i, arg := range args {
						if arg == "*" {
							args[i] = fmt.Sprintf("made%c%c", 'a'+counter/26%26, 'a'+counter%26)
						}
					}
					for _, c := range both {
						if command.before != nil {
							c.must(t, command.before...)
						}
					}
					var got called
					if notCompared[name] != "" {
						ctx, stop := t.Context(), func() {}
						if name == "code watch" { // it would not end
							ctx, stop = context.WithTimeout(ctx, 2*time.Second)
						}
						got = both[0].do(ctx, args...)
						stop()
					} else {
						got = compare(args, terminal, "")
					}
					if !terminal {
						checkOutput(t, sub, form, got)
					}
				}
			}
		}
	}
	walk(root)
	for _, form := range []string{outputText, outputJSON, outputLines, outputMD} {
		for i, args := range [][]string{{"right.md"}, {"answer.json"}, {"--all", "answer.json"}} {
			terminal := i == 0 && form == outputText
			got := compare(slices.Concat([]string{"verify"}, args, []string{"--output", form}), terminal, "")
			if got.Status != exitOK || !terminal && wrongForm(form, got.Stdout) != "" {
				t.Errorf("verify %q in %s: %d %s%s", args, form, got.Status, got.Stdout, got.Stderr)
			}
		}
	}
	for i, line := range faults {
		if got := compare(strings.Split(line, " "), i%2 == 1, "receiver/pss.py:detect_pss\nno such thing\n"); got.Status == exitOK {
			t.Errorf("%q: status 0, want a fault", line)
		}
	}
	if got := stop(); got.Status != exitOK || got.Stderr != "" {
		t.Errorf("the server ended with %d: %s", got.Status, got.Stderr)
	}
	t.Logf("%d commands compared", served)
}

// TestServedIsServed makes sure that the commands of TestServed do go through the server, but those that need no index.
func TestServedIsServed(t *testing.T) {
	dir := t.TempDir()
	c := caller{dir: dir}
	if err := os.WriteFile(filepath.Join(dir, "n.md"), []byte("# Note\n\nOne.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c.must(t, "docs", "add", "n.md")
	startServer(t, c)
	count := func() int {
		client, err := attach.Dial(t.Context(), filepath.Join(dir, ".findspot"), self())
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		data, err := client.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return served(t, data)
	}
	before := count()
	for _, args := range [][]string{{"docs", "list"}, {"ask", "one"}, {"doctor"}, {"skill", "list"}, {"run"}} {
		c.do(t.Context(), args...)
	}
	if n := count() - before; n != 5 {
		t.Errorf("%d commands ran in the server, want 5", n)
	}
	before = count()
	for _, args := range [][]string{{"version"}, {"tools"}, {"skill", "schema"}, {"docs"}, {"docs", "list", "--help"}, {"__complete", "docs", "read", ""}, {"docs", "list", "--no-server"}, {"docs", "list", "--wrong"}} {
		c.do(t.Context(), args...)
	}
	c.env = map[string]string{"FINDSPOT_NO_SERVER": "1"}
	c.do(t.Context(), "docs", "list")
	if n := count() - before; n != 0 {
		t.Errorf("%d commands ran in the server, want none", n)
	}
}

func served(t *testing.T, data []byte) int {
	t.Helper()
	var st serverState
	if err := json.Unmarshal(data, &st); err != nil {
		t.Fatal(err)
	}
	return st.Served
}
