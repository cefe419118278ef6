package lspclient

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/lspclient/internal/session"
)

// rounds is how often the tests of this file do what they measure: FINDSPOT_ROUNDS, or few.
func rounds(few int) int {
	if n, err := strconv.Atoi(os.Getenv("FINDSPOT_ROUNDS")); err == nil {
		return n
	}
	if testing.Short() {
		return 3
	}
	return few
}

// spread logs the middle and the largest of some durations.
func spread(t *testing.T, what string, list []time.Duration) {
	t.Helper()
	if len(list) > 0 {
		slices.Sort(list)
		t.Logf("%s: %d rounds, median %v, 99th %v, most %v", what, len(list), list[len(list)/2], list[len(list)*99/100], list[len(list)-1])
	}
}

// only returns the session of the one server that runs.
func only(t *testing.T, c *Client) *session.Session {
	t.Helper()
	for _, v := range c.pool.Servers() {
		if s := v.Running(); s != nil {
			return s
		}
	}
	t.Fatal("no server runs")
	return nil
}

// TestKillRounds: a server that is killed in the middle of a request, again and again, costs a call no more than a start. It
// does not run in parallel with other tests, since it counts goroutines.
func TestKillRounds(t *testing.T) {
	for _, tt := range []struct {
		name, file, text string
		tool             []string // what shows that the server is there
		slow             bool     // a start takes long: only when FINDSPOT_ROUNDS is set
	}{
		{name: "fake", file: "a.fk", text: "def alpha\nuse alpha\n"},
		{"gopls", "a.go", "package a\n\nfunc alpha() { alpha() }\n", []string{"gopls", "version"}, false},
		{"pyright", "a.py", "def alpha():\n    alpha()\n", []string{"pyright", "--version"}, false},
		{"basedpyright", "a.py", "def alpha():\n    alpha()\n", []string{"basedpyright", "--version"}, true},
		{"ty", "a.py", "def alpha():\n    alpha()\n", []string{"ty", "--version"}, false},
		{"pylsp", "a.py", "def alpha():\n    alpha()\n", []string{"pylsp", "--version"}, true},
		{"typescript", "a.ts", "export function alpha() { alpha(); }\n", []string{"tsc", "--lsp", "--stdio"}, false},
		{"typescript-language-server", "a.ts", "export function alpha() { alpha(); }\n", []string{"typescript-language-server", "--version"}, true},
		{"clangd", "a.cpp", "void alpha() { alpha(); }\n", []string{"clangd", "--version"}, false},
		{"rust-analyzer", "src/lib.rs", "pub fn alpha() { alpha() }\n", []string{"rust-analyzer", "--version"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			root, dir := t.TempDir(), t.TempDir()
			writeFiles(t, root, map[string]string{
				tt.file: tt.text, "go.mod": "module a\n\ngo 1.21\n", "Cargo.toml": "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
				"compile_commands.json": `[{"directory": "` + root + `", "file": "a.cpp", "arguments": ["cc", "-c", "a.cpp"]}]`,
			})
			t.Setenv("XDG_CACHE_HOME", dir)
			o := &Options{Timeout: 2 * time.Minute}
			few := 3 // each with a start, which takes seconds
			switch {
			case tt.name == "fake":
				few = 10
				o.Servers = []ServerSpec{fakeSpecIn(dir, "references late 20ms")}
			case testing.Short():
				t.Skip("starts a real server many times")
			case tt.slow && os.Getenv("FINDSPOT_ROUNDS") == "":
				t.Skip("each start takes long: with FINDSPOT_ROUNDS only")
			default:
				need.Tool(t, tt.tool[0], tt.tool[1:]...)
				o.Prefer = []string{tt.name}
			}
			c, err := Open(t.Context(), root, o)
			if err != nil {
				t.Fatal(err)
			}
			ask := func() time.Duration {
				t.Helper()
				began := time.Now()
				if r, err := c.References(t.Context(), Named("alpha"), nil); err != nil || r.Total != 1 {
					t.Fatalf("References = %+v, %v", r, err)
				}
				return time.Since(began)
			}
			var starts, after []time.Duration
			for range 3 {
				if len(starts) > 0 {
					only(t, c).Retire(errors.New("to measure a start"))
				}
				starts = append(starts, ask())
			}
			for range rounds(few) {
				s := only(t, c)
				ended := make(chan struct{})
				go func() { // the call that is cut
					defer close(ended)
					c.References(t.Context(), Named("alpha"), nil)
				}()
				for end := time.Now().Add(time.Second); len(s.Conn.Unanswered()) == 0 && time.Now().Before(end); {
					time.Sleep(50 * time.Microsecond)
				}
				syscall.Kill(s.Process.PID(), syscall.SIGKILL)
				after = append(after, ask())
				<-ended
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			spread(t, tt.name+", a start", starts)
			spread(t, tt.name+", a call after a kill", after)
			assertNoProcess(t, dir)
			if left := inFolder(t, root); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
			waitFor(t, "no goroutine left", func() bool { return runtime.NumGoroutine() <= before })
		})
	}
}

// TestStopRounds measures how long after its deadline a call to a stopped server returns, and how soon the next one is
// answered.
func TestStopRounds(t *testing.T) {
	c, _, _ := fakeClient(t, "", nil)
	var late, next []time.Duration
	for range rounds(10) {
		if _, err := c.Symbols(t.Context(), "a.fk"); err != nil {
			t.Fatal(err)
		}
		server := only(t, c).Process
		pid := server.PID()
		syscall.Kill(pid, syscall.SIGSTOP)
		waitFor(t, "the server is stopped", server.Stopped) // its threads may run until the one that got the signal does
		const after = 200 * time.Millisecond
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), after)
		r, err := c.References(ctx, At("a.fk", 2, 5), nil)
		cancel()
		if err == nil && only(t, c).Process.PID() != pid {
			continue // it owed an answer when it was stopped, and so was replaced at once
		}
		late = append(late, time.Since(began)-after)
		var failed *ServerError
		if !errors.As(err, &failed) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("References: %+v, %v after %v, want a ServerError with the deadline", r, err, time.Since(began))
		}
		began = time.Now()
		if _, err := c.References(t.Context(), At("a.fk", 2, 5), nil); err != nil {
			t.Fatal(err)
		}
		next = append(next, time.Since(began))
	}
	if len(late) == 0 {
		t.Fatal("no call waited for a stopped server")
	}
	spread(t, "after the deadline", late)
	spread(t, "the next answer", next)
}

// TestEarlyCancels: many calls that are given up at once, and pyright answers the ones after them.
func TestEarlyCancels(t *testing.T) {
	if testing.Short() {
		t.Skip("starts pyright and basedpyright")
	}
	for _, name := range []string{"pyright", "basedpyright"} {
		t.Run(name, func(t *testing.T) {
			need.Tool(t, name, "--version")
			root := t.TempDir()
			text := "def alpha():\n    alpha()\n"
			for i := range 200 {
				text += "def f" + strconv.Itoa(i) + "():\n    alpha()\n"
			}
			writeFiles(t, root, map[string]string{"a.py": text})
			c, err := Open(t.Context(), root, &Options{Prefer: []string{name}})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := c.References(t.Context(), At("a.py", 1, 5), nil); err != nil {
				t.Fatal(err)
			}
			pid := only(t, c).Process.PID()
			for i := range 100 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%20)*100*time.Microsecond)
				c.References(ctx, At("a.py", 2*i+3, 5), nil)
				cancel()
			}
			for i := range 10 {
				r, err := c.References(t.Context(), At("a.py", 1, 5), nil)
				if err != nil || r.Total != 201 || r.State != Complete {
					t.Fatalf("call %d after the cancels: %+v, %v", i, r, err)
				}
			}
			if only(t, c).Process.PID() != pid {
				t.Error("the server had to be replaced")
			}
		})
	}
}
