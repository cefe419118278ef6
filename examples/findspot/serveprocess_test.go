package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/examples/findspot/internal/attach"
)

// process is the program in a folder, as a process of its own.
func process(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "findspot", args...)
	cmd.Dir = dir
	cmd.Env = os.Environ()
	return cmd
}

// served starts a server as a process, and returns when it answers.
func servedProcessOf(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := process(t, dir, append([]string{"serve", "--no-http"}, args...)...)
	var errs safeBuffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
	})
	if !bufio.NewScanner(out).Scan() {
		t.Fatalf("the server says nothing: %s", errs.String())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return cmd
}

func output(t *testing.T, cmd *exec.Cmd) called {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return called{0, out.String(), errs.String()}
	case ok:
		return called{exit.ExitCode(), out.String(), errs.String()}
	}
	t.Fatal(err)
	return called{}
}

// noteProject is a folder with an index of a note.
func noteProject(t *testing.T) caller {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"notes/n.md": "# Note\n\nThe threshold is one.\n", "code/a.py": "def a():\n    b()\n\n\ndef b():\n    pass\n"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c := caller{dir: dir}
	c.must(t, "docs", "add", "notes")
	c.must(t, "code", "index", "code")
	return c
}

// A server that was killed leaves a socket that blocks nothing, and the next server takes its place.
func TestKilledServer(t *testing.T) {
	c := noteProject(t)
	want := output(t, process(t, c.dir, "docs", "list"))
	server := servedProcessOf(t, c.dir)
	if got := output(t, process(t, c.dir, "docs", "list")); got != want {
		t.Errorf("through the server: %+v, want %+v", got, want)
	}
	second := output(t, process(t, c.dir, "serve"))
	if pid := fmt.Sprintf("process %d", server.Process.Pid); second.Status != exitFailed || !strings.Contains(second.Stderr, "another server holds the index") || !strings.Contains(second.Stderr, pid) {
		t.Errorf("a second server: %+v, want that it names %s", second, pid)
	}
	locked := output(t, process(t, c.dir, "docs", "add", "notes", "--no-server"))
	if want := fmt.Sprintf("findspot serve (process %d) keeps the index", server.Process.Pid); locked.Status != exitFailed || !strings.Contains(locked.Stderr, want) || !strings.Contains(locked.Stderr, "without --no-server") {
		t.Errorf("a command alone: %+v, want %q", locked, want)
	}
	watcher := process(t, c.dir, "code", "watch", "--repo", "code")
	var lost safeBuffer
	watcher.Stderr = &lost
	lines, err := watcher.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watcher.Start(); err != nil {
		t.Fatal(err)
	}
	if !bufio.NewScanner(lines).Scan() {
		t.Fatalf("no line of code watch: %s", lost.String())
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait()
	if err := watcher.Wait(); err == nil || !strings.Contains(lost.String(), "the server ended before the command did") {
		t.Errorf("the command that ran: %v, %s", err, lost.String())
	}
	if _, err := os.Lstat(filepath.Join(c.dir, ".findspot", "serve.sock")); err != nil {
		t.Fatalf("the socket is gone, which this test needs: %v", err)
	}
	if got := output(t, process(t, c.dir, "docs", "list")); got != want {
		t.Errorf("beside the socket of a killed server: %+v, want %+v", got, want)
	}
	if got := output(t, process(t, c.dir, "docs", "add", "notes")); got.Status != exitOK {
		t.Errorf("docs add beside the socket of a killed server: %+v", got)
	}
	servedProcessOf(t, c.dir)
	if got := output(t, process(t, c.dir, "docs", "list")); got != want {
		t.Errorf("through the next server: %+v, want %+v", got, want)
	}
	if got := output(t, process(t, c.dir, "serve", "stop")); got.Status != exitOK {
		t.Errorf("serve stop: %+v", got)
	}
	for _, name := range []string{"serve.sock", "serve.json"} {
		if _, err := os.Lstat(filepath.Join(c.dir, ".findspot", name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	if got := output(t, process(t, c.dir, "serve", "stop")); got.Status != exitNone {
		t.Errorf("serve stop without a server: %+v", got)
	}
}

// A client that is killed ends its command in the server; one that is interrupted says what it says alone.
func TestKilledClient(t *testing.T) {
	c := noteProject(t)
	servedProcessOf(t, c.dir)
	running := func() int {
		got := c.must(t, "serve", "status", "--json")
		var st serverState
		if err := json.Unmarshal([]byte(got.Stdout), &st); err != nil {
			t.Fatal(err)
		}
		return st.Running
	}
	for _, how := range []os.Signal{os.Kill, os.Interrupt} {
		client := process(t, c.dir, "code", "watch", "--repo", "code")
		out, err := client.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Start(); err != nil {
			t.Fatal(err)
		}
		if !bufio.NewScanner(out).Scan() {
			t.Fatal("no line of code watch")
		}
		if n := running(); n != 1 {
			t.Errorf("%d commands run, want 1", n)
		}
		if err := client.Process.Signal(how); err != nil {
			t.Fatal(err)
		}
		if err := client.Wait(); (err == nil) != (how == os.Interrupt) {
			t.Errorf("%v: %v", how, err)
		}
		for range 100 {
			if running() == 0 {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		if n := running(); n != 0 {
			t.Errorf("%v: %d commands still run", how, n)
		}
	}
}

// A command reads of standard input what it wants and no more, so that a loop over lines works as it does alone.
func TestServedInput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	c := noteProject(t)
	servedProcessOf(t, c.dir)
	for _, tt := range []struct{ script, want string }{
		{`printf 'a.py:a\na.py:b\n' | findspot code retrieve - --repo code --output json | grep -c '"id"'`, "2\n"},
		{`printf 'a\nb\n' | while read -r x; do findspot code search "$x" --repo code --ids; done`, "a.py:a\na.py\na.py:b\na.py:a\n"},
		{`findspot code traverse - --repo code < /dev/null`, ""},
		{`findspot docs list | head -c 1 | wc -c`, "1\n"},
		{`echo 'steps: [{id: papers, search: {in: docs, for: threshold}}]' | findspot run - | grep -c threshold`, "1\n"},
		{`findspot docs list --output json > /dev/full; echo $?`, "3\n"},
		{`findspot docs list > /dev/full`, ""},
		{`findspot ask threshold --answer /dev/stdout | grep -c '"question"'`, "1\n"},
		{`findspot docs search --queries <(echo '{"_id": 1, "text": "threshold"}') --run /dev/stdout | grep -c Q0`, "1\n"},
	} {
		var got [2]called
		for i, alone := range []string{"1", ""} {
			cmd := exec.CommandContext(t.Context(), "bash", "-c", tt.script)
			cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "FINDSPOT_NO_SERVER="+alone)
			got[i] = output(t, cmd)
			got[i].Stderr = strings.ReplaceAll(got[i].Stderr, "findspot: another process keeps", "kept: another process keeps")
			got[i].Stderr = strings.Join(strings.FieldsFunc(got[i].Stderr, func(r rune) bool { return r == '\n' }), "\n")
			var lines []string
			for line := range strings.Lines(got[i].Stderr) {
				if !strings.HasPrefix(line, "kept:") { // that one is of a command beside the server
					lines = append(lines, line)
				}
			}
			got[i].Stderr = strings.Join(lines, "")
		}
		if got[1].Stdout != tt.want || got[0] != got[1] {
			t.Errorf("%s\nalone:  %+v\nserved: %+v\nwant:   %q", tt.script, got[0], got[1], tt.want)
		}
	}
}

// An approval is asked on the client's terminal, and answered from there.
func TestServedApproval(t *testing.T) {
	var both [2]caller
	for i := range both {
		both[i] = noteProject(t)
		dir := filepath.Join(both[i].dir, ".agents", "skills", "careful")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		text := "---\nname: careful\ndescription: Asks before it goes on. Use when a test asks.\n---\n\n# careful\n\n```yaml workflow\n" +
			"steps:\n  - id: found\n    search: {in: docs, for: threshold}\n  - id: ok\n    approve: Go on?\n  - id: answer\n    synthesize: [found]\n```\n"
		if err := os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	startServer(t, both[1])
	for _, answer := range []string{"approve\n", "reject\n", ""} {
		var got [2]called
		for i, c := range both {
			c.terminal, c.stdin = true, answer
			got[i] = masked(c, c.do(t.Context(), "skill", "run", "careful", "--no-servers"))
		}
		if got[0] != got[1] || !strings.Contains(got[1].Stderr, "Go on?") {
			t.Errorf("answer %q:\nalone:  %+v\nserved: %+v", answer, got[0], got[1])
		}
	}
}

// A server of another version is named, and the command runs without it.
func TestServerOfAnotherVersion(t *testing.T) {
	c := noteProject(t)
	want := c.must(t, "docs", "list")
	host, err := attach.Listen(filepath.Join(c.dir, ".findspot"), attach.About{Version: "v9", Format: 9}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- host.Serve(ctx, &attach.Handlers{Stop: cancel}) }()
	got := c.do(t.Context(), "docs", "list")
	if got.Stdout != want.Stdout || got.Status != exitOK || !strings.Contains(got.Stderr, "findspot v9, this is ") || strings.Count(got.Stderr, "\n") != 1 {
		t.Errorf("docs list = %+v, want %q and a line about the versions", got, want.Stdout)
	}
	stopped := make(chan called)
	go func() { stopped <- c.do(t.Context(), "serve", "stop") }()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	if got := <-stopped; got.Status != exitOK {
		t.Errorf("serve stop = %+v", got)
	}
}

// Many clients at once get what each gets alone, also while one of them reads nothing.
func TestManyClients(t *testing.T) {
	c := noteProject(t)
	want := c.must(t, "docs", "list")
	who := c.must(t, "code", "callers", "b", "--repo", "code", "--no-servers")
	startServer(t, c)
	slow := process(t, c.dir, "code", "edges", "--repo", "code")
	if _, err := slow.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for range 5 {
				args, want := []string{"docs", "list"}, want
				if i%2 == 0 {
					args, want = []string{"code", "callers", "b", "--repo", "code", "--no-servers"}, who
				}
				if got := c.do(t.Context(), args...); got != want {
					t.Errorf("%q = %+v, want %+v", args, got, want)
				}
			}
		})
	}
	wg.Wait()
}

// A server ends when nobody has used it.
func TestIdleServer(t *testing.T) {
	c := noteProject(t)
	done := make(chan called, 1)
	go func() { done <- c.do(t.Context(), "serve", "--idle", "300ms") }()
	select {
	case got := <-done:
		if got.Status != exitOK {
			t.Errorf("the server = %+v", got)
		}
	case <-time.After(20 * time.Second):
		t.Error("the server goes on")
	}
}

// A command sees files as they are when it runs, as it does alone, also those that changed a moment before, and repositories that the server did not know.
func TestServedIsFresh(t *testing.T) {
	c := noteProject(t)
	startServer(t, c)
	for i := range 5 {
		name := fmt.Sprintf("fresh%d", i)
		if err := os.WriteFile(filepath.Join(c.dir, "code", "a.py"), []byte("def "+name+"():\n    pass\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := c.do(t.Context(), "code", "search", name, "--ids"); got.Stdout != "a.py:"+name+"\n" {
			t.Errorf("code search %s: %+v", name, got)
		}
		if got := c.do(t.Context(), "code", "grep", name, "-l"); got.Stdout != "a.py\n" {
			t.Errorf("code grep %s: %+v", name, got)
		}
		if err := os.WriteFile(filepath.Join(c.dir, "notes", "n.md"), []byte("# Note\n\nWord "+name+".\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := c.do(t.Context(), "docs", "fresh"); !strings.Contains(got.Stdout, "1 changed on disk") {
			t.Errorf("docs fresh: %+v", got)
		}
		if got := c.do(t.Context(), "docs", "add", "notes"); !strings.HasPrefix(got.Stdout, "replaced") {
			t.Errorf("docs add: %+v", got)
		}
		if got := c.do(t.Context(), "docs", "search", name); got.Status != exitOK {
			t.Errorf("docs search %s: %+v", name, got)
		}
	}
	if err := os.MkdirAll(filepath.Join(c.dir, "other"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		if err := os.WriteFile(filepath.Join(c.dir, "other", "o.py"), []byte("def "+name+"():\n    pass\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := c.do(t.Context(), "code", "search", name, "--ids", "--repo", "other"); got.Stdout != "o.py:"+name+"\n" {
			t.Errorf("code search %s: %+v", name, got)
		}
	}
}

// A command leaves nothing in the server's memory.
func TestServedLeavesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("many commands")
	}
	c := exampleProject(t, filepath.Join(t.TempDir(), "project"))
	startServer(t, c)
	do := func(args []string, n int) {
		for range n {
			client, err := attach.Dial(t.Context(), filepath.Join(c.dir, ".findspot"), self())
			if err != nil {
				t.Fatal(err)
			}
			status, _, err := client.Run(t.Context(), &attach.Call{Args: args, Dir: c.dir}, attach.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
			if status != exitOK || err != nil {
				t.Fatalf("%q: %d, %v", args, status, err)
			}
			client.Close()
		}
	}
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for _, args := range [][]string{{"docs", "search", "synchronization signal"}, {"code", "traverse", "detect_pss"}, {"ask", "how is the PSS detected?", "--no-servers"}, {"skill", "list"}} {
		do(args, 20)
		const n, most = 150, 2 << 10
		before := heap()
		do(args, n)
		if each := (heap() - before) / n; each > most {
			t.Errorf("%q leaves %d bytes, at most %d are noise", args, each, most)
		} else {
			t.Logf("%q leaves %d bytes", args, each)
		}
	}
}

// An agent that speaks to findspot mcp through the server gets what it gets alone.
func TestServedMCP(t *testing.T) {
	var both [2]caller
	for i := range both {
		both[i] = noteProject(t)
	}
	startServer(t, both[1])
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
not JSON
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search_internal","arguments":{"query":"threshold"}}}
{"jsonrpc":"2.0","id":4,"method":"resources/list"}
`
	var got [2]called
	for i, c := range both {
		c.stdin = in
		got[i] = masked(c, c.do(t.Context(), "mcp"))
		lines := strings.Split(got[i].Stdout, "\n")
		slices.Sort(lines) // answers come as they are ready
		got[i].Stdout = strings.Join(lines, "\n")
	}
	if d := cmp.Diff(got[0], got[1]); d != "" || !strings.Contains(got[0].Stdout, "The threshold is one.") {
		t.Errorf("(-alone +served):\n%s\n%.300s", d, got[0].Stderr)
	}
}

// The server opens its doors over HTTP, from the sources that were named, and commands still see the whole index.
func TestServeHTTP(t *testing.T) {
	c := noteProject(t)
	if err := os.MkdirAll(filepath.Join(c.dir, "more"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "more", "m.md"), []byte("# More\n\nThe threshold is two.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan called, 1)
	go func() { done <- c.do(ctx, "serve", "--addr", "127.0.0.1:0", "--docs", "more") }()
	var st serverState
	for range 400 {
		got := c.do(t.Context(), "serve", "status", "--json")
		if got.Status == exitOK {
			if err := json.Unmarshal([]byte(got.Stdout), &st); err != nil {
				t.Fatal(err)
			}
		}
		if st.Ready {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if !st.Ready || len(st.Sources) != 1 || st.Documents != 2 || len(st.Repositories) != 1 {
		t.Errorf("status %+v", st)
	}
	if st.OverHTTP == nil || st.OverHTTP.Documents != 1 {
		t.Errorf("over HTTP: %+v, want the one document of the source", st.OverHTTP)
	}
	for path, apart := range map[string]bool{"notes": true, "more": false} {
		if got := c.do(t.Context(), "docs", "add", path); got.Status != exitOK || apart != strings.Contains(got.Stderr, path+" is in the index, but not in what the server answers over HTTP: start it with --docs "+path) {
			t.Errorf("docs add %s: %+v", path, got)
		}
	}
	if got := c.do(t.Context(), "code", "index", "code"); !strings.Contains(got.Stderr, "start it with --repo code") {
		t.Errorf("code index: %+v", got)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "bad.pdf"), []byte("no PDF"), 0o666); err != nil {
		t.Fatal(err)
	}
	c.do(t.Context(), "docs", "add", "bad.pdf")
	if got := c.must(t, "serve", "status"); !strings.Contains(got.Stdout, "2 documents, and 1 that could not be read\n") || !strings.Contains(got.Stdout, "over HTTP    1 document: ") {
		t.Errorf("serve status counts %s", got.Stdout)
	}
	search := func() string {
		res, err := http.Post(st.Address+"/search", "application/json", strings.NewReader(`{"query": "threshold"}`))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Errorf("POST /search: %s, %v, %s", res.Status, err, data)
		}
		return string(data)
	}
	if got := search(); !strings.Contains(got, "m.md") || strings.Contains(got, "n.md") {
		t.Errorf("search over HTTP: %s", got)
	}
	if got := c.do(t.Context(), "docs", "search", "threshold", "--output", "json"); !strings.Contains(got.Stdout, "m.md") || !strings.Contains(got.Stdout, "n.md") {
		t.Errorf("docs search: %+v", got)
	}
	cancel()
	if got := <-done; got.Status != exitOK || got.Stderr != "" || !strings.Contains(got.Stdout, st.Address) {
		t.Errorf("the server: %+v", got)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "token"), []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	go func() {
		done <- c.do(ctx, "serve", "--addr", "0.0.0.0:0", "--host", "docs.example", "--token-file", "token")
	}()
	for range 400 {
		if c.do(t.Context(), "serve", "status").Status == exitOK {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	cancel()
	if got := <-done; !regexp.MustCompile(`page +http://docs\.example:[1-9]\d*/#token=TOKEN \(TOKEN is in token\)\n`).MatchString(got.Stdout) || strings.Contains(got.Stdout, "0123456789") {
		t.Errorf("the server with a token: %+v", got)
	}
	for args, want := range map[string]string{
		"--addr 0.0.0.0:0":                 "token",
		"--addr nonsense":                  "",
		"--tls-cert a.pem":                 "belong together",
		"--token-file nothere":             "nothere",
		"--tls-cert a.pem --tls-key b.pem": "a.pem",
		"--profile wrong":                  "--profile",
		"--idle -1s":                       "--idle",
		"--idle 3":                         "--idle 3: a time has a unit, such as 3s, 3m or 3h",
	} {
		got := c.do(t.Context(), append([]string{"serve"}, strings.Fields(args)...)...)
		if got.Status < exitUsage || !strings.Contains(got.Stderr, want) || strings.Count(got.Stderr, "\n") != 1 {
			t.Errorf("serve %s: %+v, want an error that says %q", args, got, want)
		}
	}
}
