package lspclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/serverspec"
	"github.com/google/go-cmp/cmp"
)

func loc(path string, line, col, endCol int) Location {
	return Location{Path: path, Line: line, Col: col, EndLine: line, EndCol: endCol}
}

// what alpha comes to in the fake repository.
var alphaUses = []Location{loc("a.fk", 2, 5, 10), loc("sub/b.fk", 2, 5, 10)}

func TestFakeByNameAndPosition(t *testing.T) {
	t.Parallel()
	for _, enc := range []string{"", "encoding utf-8", "encoding utf-16", "encoding utf-32"} {
		t.Run(enc, func(t *testing.T) {
			c, root, _ := fakeClient(t, enc, nil)
			for _, target := range []Target{Named("beta"), Named("sub/b.fk:beta"), Named("BETA"), At("sub/b.fk", 1, 12),
				At("a.fk", 2, 12), At(filepath.Join(root, "a.fk"), 2, 15)} {
				r, err := c.Definition(t.Context(), target, nil)
				if err != nil {
					t.Fatalf("Definition(%v): %v", target, err)
				}
				// "é📡 def beta": 2 + 4 + 1 + 4 bytes before it.
				if diff := cmp.Diff([]Location{loc("sub/b.fk", 1, 12, 16)}, r.Locations); diff != "" || r.State != Complete {
					t.Errorf("Definition(%v) %s (-want +got):\n%s", target, r.State, diff)
				}
			}
			r, err := c.References(t.Context(), Named("alpha"), &ReferenceOptions{Declaration: true, Limit: 2})
			if err != nil {
				t.Fatal(err)
			}
			want := &Result{
				Target:    loc("a.fk", 1, 5, 10),
				Locations: []Location{loc("a.fk", 1, 5, 10), loc("a.fk", 2, 5, 10)},
				Answer:    Answer{State: Complete, Server: "fakels v1.2.3"}, Total: 3, Truncated: true,
			}
			if diff := cmp.Diff(want, r); diff != "" {
				t.Errorf("References(alpha) (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSnap(t *testing.T) {
	c, _, _ := fakeClient(t, "", nil)
	r, err := c.Definition(t.Context(), At("sub/b.fk", 1, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Note == "" && r.Target.Col != 1 {
		t.Errorf("Definition at a column that is on no identifier: %+v, want a note", r)
	}
	for _, at := range []Target{At("a.fk", 99, 1), At("none.fk", 1, 1), At("../x.fk", 1, 1), At("a.fk", 3, 1), At("a.fk", 0, 1), Named(""), Named("gamma"), Named("\x00")} {
		if r, err := c.Definition(t.Context(), at, nil); err == nil || !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("Definition(%q) = %+v, %v, want an error", at, r, err)
		}
	}
	if _, err := c.Definition(t.Context(), Named("alp"), nil); err == nil || !strings.Contains(err.Error(), "near names: alpha") {
		t.Errorf("Definition(alp): %v, want near names", err)
	}
}

// TestFaults: the answer is the true one in spite of each of these.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"dies mid-request":    "references#1 die",
		"dies at the start":   "initialize#1 die",
		"garbage":             "references#1 garbage",
		"no JSON":             "references#1 nonsense",
		"a message too large": "references#1 huge",
		"answers twice":       "references twice\nsymbol twice",
		"floods":              "references flood 20000",
		"gives up once":       "references#1 error -32801 content modified",
		"leaves a child":      "initialize child",
		"exits politely":      "references#1 exit",
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := fakeClient(t, script, nil)
			for range 2 {
				r, err := c.References(t.Context(), Named("alpha"), nil)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(alphaUses, r.Locations); diff != "" || r.State != Complete {
					t.Errorf("References(alpha) %s (-want +got):\n%s", r.State, diff)
				}
			}
		})
	}
}

// TestFailures: what cannot be answered is an error that says why, in time.
func TestFailures(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script, words string
		timeout       time.Duration
		cause         error
	}{
		"always dies":         {"references die", "exit status 3", 0, nil},
		"cannot start":        {"initialize die", "exit status 3", 0, nil},
		"stops":               {"references stop", "deadline", 2 * time.Second, context.DeadlineExceeded},
		"stops at the start":  {"initialize stop", "deadline", 2 * time.Second, context.DeadlineExceeded},
		"is silent":           {"references silent", "deadline", 2 * time.Second, context.DeadlineExceeded},
		"answers an error":    {"references error -32603 no such snapshot", "no such snapshot", 0, nil},
		"a malformed answer":  {`references says [{"uri":3}]`, "answer that the protocol does not know", 0, ErrFormat},
		"an answer of a kind": {`references says {"a":1}`, "answer that the protocol does not know", 0, ErrFormat},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := fakeClient(t, tt.script, &Options{Timeout: tt.timeout})
			r, err := c.References(t.Context(), Named("alpha"), nil)
			var failed *ServerError
			if !errors.As(err, &failed) || !strings.Contains(err.Error(), tt.words) {
				t.Fatalf("References = %+v, %v, want a ServerError with %q", r, err, tt.words)
			}
			if tt.cause != nil && !errors.Is(err, tt.cause) {
				t.Errorf("%v does not wrap %v", err, tt.cause)
			}
			if name != "stops at the start" && !strings.Contains(failed.Stderr, "fake server speaking") && !strings.Contains(err.Error(), "fake server speaking") {
				t.Errorf("%v has no words of the server", err)
			}
		})
	}
}

// TestLateAnswer: the answer to a cancelled call is dropped, and the next call gets its own.
func TestLateAnswer(t *testing.T) {
	c, _, _ := fakeClient(t, "references#1 late 400ms", nil)
	if _, err := c.Symbols(t.Context(), "a.fk"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := c.References(ctx, At("a.fk", 2, 11), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("References: %v, want the deadline", err)
	}
	r, err := c.References(t.Context(), At("a.fk", 2, 5), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(alphaUses, r.Locations); diff != "" {
		t.Errorf("after a late answer (-want +got):\n%s", diff)
	}
}

// TestStopped: a server that is stopped lets one call run out of time; the next one has a new process.
func TestStopped(t *testing.T) {
	c, _, _ := fakeClient(t, "references#1 stop", nil)
	if _, err := c.Symbols(t.Context(), "a.fk"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := c.References(ctx, At("a.fk", 2, 5), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("References: %v, want the deadline", err)
	}
	if r, err := c.References(t.Context(), At("a.fk", 2, 5), nil); err != nil || r.Total != 2 {
		t.Errorf("References = %+v, %v, want an answer of a new process", r, err)
	}
}

func TestBadLocations(t *testing.T) {
	const rng = `"range":{"start":{"line":1,"character":4},"end":{"line":1,"character":9}}`
	c, _, _ := fakeClient(t, `references says [{"uri":"ROOT/a.fk",`+rng+`},{"uri":"ROOT/gone.fk",`+rng+`},`+
		`{"uri":"ROOT/a.fk","range":{"start":{"line":7,"character":0},"end":{"line":7,"character":1}}},`+
		`{"uri":"ROOT/a.fk","range":{"start":{"line":1,"character":9},"end":{"line":1,"character":4}}},`+
		`{"uri":"jdt://contents/x.class",`+rng+`}]`, nil)
	r, err := c.References(t.Context(), Named("alpha"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []Location{loc("a.fk", 2, 5, 10), loc("jdt://contents/x.class", 2, 5, 10)}
	if diff := cmp.Diff(want, r.Locations); diff != "" || r.State != Degraded || !strings.Contains(r.Reason, "gone.fk") {
		t.Errorf("References %s, %q (-want +got):\n%s", r.State, r.Reason, diff)
	}
	if r.Locations[0].Outside() || !r.Locations[1].Outside() {
		t.Error("Outside() is wrong")
	}
}

// TestServerAsks: the client answers what a server may ask.
func TestServerAsks(t *testing.T) {
	c, root, dir := fakeClient(t, strings.Join([]string{
		`references#1 asks workspace/configuration {"items":[{"section":"fake.depth"},{"section":"nothing"},{"section":""}]}`,
		`references#1 asks window/workDoneProgress/create {"token":"t"}`,
		`references#1 asks client/registerCapability {"registrations":[]}`,
		`references#1 asks workspace/workspaceFolders null`,
		`references#1 asks workspace/applyEdit {"edit":{}}`,
		`references#1 asks workspace/semanticTokens/refresh null`,
		`references#1 asks fake/unheard {}`,
	}, "\n"), nil)
	if _, err := c.References(t.Context(), Named("alpha"), nil); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`[3,null,{"fake":{"depth":3}}]`, `null`, `null`,
		`[{"name":"` + filepath.Base(root) + `","uri":"` + source.FileURI(root) + `"}]`,
		`{"applied":false,"failureReason":"this client does not edit"}`, `null`, `error -32601`,
	}
	var got []string
	for i := range want {
		data, err := os.ReadFile(filepath.Join(dir, "said-"+string(rune('1'+i))))
		if err != nil {
			t.Fatal(err)
		}
		var m jsonrpc.Message
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		if m.Error != nil {
			got = append(got, "error -32601")
			continue
		}
		got = append(got, string(m.Result))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the client said (-want +got):\n%s", diff)
	}
}

// TestStates: an answer is complete only when the rule says so.
func TestStates(t *testing.T) {
	t.Parallel()
	const begin = `initialized tells $/progress {"token":1,"value":{"kind":"begin","title":"Indexing","percentage":45}}` + "\n"
	const end = ` tells $/progress {"token":1,"value":{"kind":"end"}}` + "\n"
	const short = `references#1 tells $/progress {"token":2,"value":{"kind":"begin","title":"Indexing"}}` + "\n" +
		`references#1 tells $/progress {"token":2,"value":{"kind":"end"}}` + "\n"
	const some = `[{"uri":"ROOT/a.fk","range":{"start":{"line":1,"character":4},"end":{"line":1,"character":9}}}]`
	for name, tt := range map[string]struct {
		script string
		rule   serverspec.ReadyRule
		want   State
		total  int
		reason string
	}{
		"no rule":               {"", serverspec.ReadyRule{}, Complete, 2, ""},
		"work that ends":        {begin + "didChangeConfiguration" + end, serverspec.ReadyRule{Progress: "Indexing"}, Complete, 2, ""},
		"work that never ends":  {begin, serverspec.ReadyRule{Progress: "Indexing"}, Indexing, 2, "Indexing 45%"},
		"work without a rule":   {begin, serverspec.ReadyRule{}, Indexing, 2, "Indexing 45%"},
		"nothing while at work": {begin + "references says []", serverspec.ReadyRule{}, Indexing, 0, "Indexing 45%"},
		"nothing":               {"references says []", serverspec.ReadyRule{}, Complete, 0, ""},
		"no word":               {"", serverspec.ReadyRule{Log: "^done"}, Indexing, 2, "still reading"},
		"a word":                {`initialized tells window/logMessage {"type":3,"message":"done"}`, serverspec.ReadyRule{Log: "^done"}, Complete, 2, ""},
		"no word in time":       {"", serverspec.ReadyRule{Log: "^done", Within: 1}, Degraded, 2, "never said"},
		"a complaint":           {begin, serverspec.ReadyRule{Problem: "^Index"}, Degraded, 2, "Indexing"},
		"partial at first":      {"references#1 says " + some, serverspec.ReadyRule{Agree: true}, Complete, 2, ""},
		"work meanwhile":        {begin + "initialized" + end + short + "references#1 says " + some, serverspec.ReadyRule{Progress: "Indexing"}, Complete, 2, ""},
		"refused meanwhile":     {begin + "initialized" + end + short + "references#1 error", serverspec.ReadyRule{Progress: "Indexing"}, Complete, 2, ""},
		"partial, then stays":   {"references says " + some, serverspec.ReadyRule{Agree: true}, Complete, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			timeout := 2 * time.Second
			if tt.want == Complete {
				timeout = 0
			}
			c, _, _ := fakeClient(t, tt.script, &Options{Timeout: timeout}, func(s *ServerSpec) { s.Ready = tt.rule })
			r, err := c.References(t.Context(), At("a.fk", 1, 5), nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.State != tt.want || r.Total != tt.total || !strings.Contains(r.Reason, tt.reason) || r.None() != (tt.want == Complete && tt.total == 0) {
				t.Errorf("References: %s (%s), %d places, none: %v, want %s (%s), %d", r.State, r.Reason, r.Total, r.None(), tt.want, tt.reason, tt.total)
			}
		})
	}
}

// TestChangesOnDisk: what happened to files since the last question is told before the next one.
func TestChangesOnDisk(t *testing.T) {
	c, root, dir := fakeClient(t, "", nil)
	refs := func(want ...Location) {
		t.Helper()
		r, err := c.References(t.Context(), Named("alpha"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, r.Locations); diff != "" {
			t.Errorf("References(alpha) (-want +got):\n%s", diff)
		}
	}
	refs(alphaUses...)
	writeFiles(t, root, map[string]string{"a.fk": "\n\ndef alpha\nuse alpha\n", "new.fk": "alpha"})
	refs(loc("a.fk", 4, 5, 10), loc("new.fk", 1, 1, 6), loc("sub/b.fk", 2, 5, 10))
	if err := os.Rename(filepath.Join(root, "a.fk"), filepath.Join(root, "c.fk")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, "sub", "b.fk")); err != nil {
		t.Fatal(err)
	}
	refs(loc("c.fk", 4, 5, 10), loc("new.fk", 1, 1, 6))
	log := fakeLog(t, dir)
	for _, m := range []string{"textDocument/didChange", "textDocument/didClose", "workspace/didChangeWatchedFiles"} {
		if !slices.Contains(log, m) {
			t.Errorf("the server was not told %s", m)
		}
	}
}

func TestClose(t *testing.T) {
	c, _, dir := fakeClient(t, "references silent", nil)
	if _, err := c.Symbols(t.Context(), "a.fk"); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	go func() {
		_, err := c.References(t.Context(), At("a.fk", 2, 5), nil)
		failed <- err
	}()
	for !slices.Contains(fakeLog(t, dir), "textDocument/references") {
		time.Sleep(time.Millisecond)
	}
	if err := errors.Join(c.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	if err := <-failed; !errors.Is(err, ErrClosed) {
		t.Errorf("a call during Close: %v, want ErrClosed", err)
	}
	if _, err := c.Symbols(t.Context(), "a.fk"); !errors.Is(err, ErrClosed) {
		t.Errorf("a call after Close: %v, want ErrClosed", err)
	}
}

// TestSpecRules: what an entry says of encodings, of what an untrusted repository gets, of readiness and of requests at
// once reaches the server.
func TestSpecRules(t *testing.T) {
	t.Parallel()
	script := `initialized tells fake/status {"ready": true}` + "\nsymbol#1 asks workspace/configuration {\"items\":[{\"section\":\"fake\"}]}"
	for _, trust := range []bool{false, true} {
		t.Run(fmt.Sprint(trust), func(t *testing.T) {
			c, _, dir := fakeClient(t, script, &Options{Trust: trust}, func(s *ServerSpec) {
				s.UntrustedSettings = map[string]any{"fake": map[string]any{"macros": false}}
				s.Encodings = []string{"utf-16"}
				s.Concurrency = 1
				s.Ready = serverspec.ReadyRule{Notify: serverspec.NotifyRule{Method: "fake/status", Match: `"ready":true`}, Within: 600}
			})
			r, err := c.References(t.Context(), Named("alpha"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.State != Complete || r.Total != 2 {
				t.Errorf("References(alpha) = %+v", r)
			}
			said, err := os.ReadFile(filepath.Join(dir, "said-1"))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(string(said), `"macros":false`); got == trust {
				t.Errorf("trust %v: the server was told %s", trust, said)
			}
		})
	}
}

// TestNotFoundSoFar: a name that a server does not know is not said to be none while it still reads the workspace.
func TestNotFoundSoFar(t *testing.T) {
	t.Parallel()
	const begin = `initialized tells $/progress {"token":1,"value":{"kind":"begin","title":"Indexing","percentage":45}}`
	for script, want := range map[string]error{"": ErrNotFound, begin: ErrIncomplete} {
		t.Run(want.Error(), func(t *testing.T) {
			c, _, _ := fakeClient(t, script, &Options{Timeout: 3 * time.Second})
			_, err := c.References(t.Context(), Named("gamma"), nil)
			for _, is := range []error{ErrNotFound, ErrIncomplete} {
				if errors.Is(err, is) != (is == want) {
					t.Errorf("References(gamma): %v, want one that is %v alone", err, want)
				}
			}
		})
	}
}

// TestHeldUp: who waits behind another's question, which a silent server holds up while it is told of a new file, waits no
// longer than his own deadline.
func TestHeldUp(t *testing.T) {
	c, root, _ := fakeClient(t, "capability hoverProvider\nhover silent", &Options{Timeout: time.Minute}, func(s *ServerSpec) { s.Freshness = registry.FreshAsk })
	if _, err := c.References(t.Context(), At("a.fk", 1, 5), nil); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, root, map[string]string{"new.fk": "use alpha\n"})
	long, stop := context.WithTimeout(t.Context(), 50*time.Second)
	first := make(chan error, 1)
	go func() {
		_, err := c.References(long, At("a.fk", 1, 5), nil)
		first <- err
	}()
	time.Sleep(300 * time.Millisecond) // the first one is in the middle of it
	for what, ask := range map[string]func(context.Context) error{
		"references": func(ctx context.Context) error { _, err := c.References(ctx, At("a.fk", 1, 5), nil); return err },
		"symbols":    func(ctx context.Context) error { _, err := c.Symbols(ctx, "sub/b.fk"); return err },
		"a name":     func(ctx context.Context) error { _, err := c.Definition(ctx, Named("beta"), nil); return err },
	} {
		short, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		began := time.Now()
		err := ask(short)
		cancel()
		var failed *ServerError
		if !errors.As(err, &failed) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s behind another question: %v, want a ServerError of the deadline", what, err)
		}
		if took := time.Since(began); took > 30*time.Second { // the other one's deadline is what would hold it up
			t.Errorf("%s behind another question took %v", what, took)
		}
	}
	stop()
	if err := <-first; err == nil {
		t.Error("the question that was held up was answered")
	}
}

// TestQueuedWhenKilled: questions that wait for the one before them, when the server is killed, are answered by the next one.
func TestQueuedWhenKilled(t *testing.T) {
	c, _, _ := fakeClient(t, "references late 5ms", nil, func(s *ServerSpec) { s.Concurrency = 1 })
	for round := range 20 {
		if _, err := c.Symbols(t.Context(), "a.fk"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.References(t.Context(), At("a.fk", 1, 5), nil); err != nil {
			t.Fatal(err)
		}
		var asked sync.WaitGroup
		for _, at := range []Target{At("a.fk", 1, 5), At("a.fk", 2, 5), At("a.fk", 2, 11), At("sub/b.fk", 1, 12), At("sub/b.fk", 2, 5)} {
			asked.Go(func() {
				if r, err := c.References(t.Context(), at, nil); err != nil || r.State != Complete {
					t.Errorf("round %d: References(%v) = %+v, %v", round, at, r, err)
				}
			})
		}
		time.Sleep(8 * time.Millisecond)
		for _, v := range c.pool.Servers() {
			if s := v.Running(); s != nil {
				if p, err := os.FindProcess(s.Process.PID()); err == nil {
					p.Kill()
				}
			}
		}
		asked.Wait()
	}
}
