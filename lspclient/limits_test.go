package lspclient

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// processes lists what runs for the client.
func processes(t *testing.T, c *Client) []ServerProcess {
	t.Helper()
	list := c.Servers(t.Context())
	i := slices.IndexFunc(list, func(s ServerStatus) bool { return s.Name == "fakels" })
	if i < 0 {
		t.Fatalf("no fakels among %v", list)
	}
	return list[i].Processes
}

// deaths counts what the breaker has counted, of all servers.
func (c *Client) deaths() int {
	n := 0
	for _, v := range c.pool.Servers() {
		n += v.Died()
	}
	return n
}

func askAlpha(t *testing.T, c *Client) {
	t.Helper()
	r, err := c.References(t.Context(), At("a.fk", 1, 5), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(alphaUses, r.Locations); diff != "" || r.State != Complete {
		t.Errorf("References(alpha) %s (-want +got):\n%s", r.State, diff)
	}
}

// TestIdle: a server that nobody asks stops, the next question starts it again and opens what it needs, and that is no
// death, however often.
func TestIdle(t *testing.T) {
	c, root, dir := fakeClient(t, "", &Options{IdleTimeout: 20 * time.Millisecond})
	const rounds = 2 * 5
	for i := range rounds {
		askAlpha(t, c)
		waitFor(t, "the server stops", func() bool { return len(processes(t, c)) == 0 && sent(t, dir, "exit") == i+1 })
	}
	for method, want := range map[string]int{"initialize": rounds, "textDocument/didOpen": rounds} {
		if got := sent(t, dir, method); got != want {
			t.Errorf("%s: %d times, want %d", method, got, want)
		}
	}
	if n := c.deaths(); n != 0 {
		t.Errorf("%d deaths were counted", n)
	}
	// What changed while nothing ran is seen.
	writeFiles(t, root, map[string]string{"a.fk": "def alpha\n\n\nuse alpha\n", "sub/b.fk": ""})
	r, err := c.References(t.Context(), At("a.fk", 1, 5), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Location{loc("a.fk", 4, 5, 10)}, r.Locations); diff != "" {
		t.Errorf("after a change (-want +got):\n%s", diff)
	}
}

// TestNotIdle: a question that takes longer than the idle time is not cut off.
func TestNotIdle(t *testing.T) {
	c, _, dir := fakeClient(t, "references late 300ms", &Options{IdleTimeout: 10 * time.Millisecond})
	askAlpha(t, c)
	if got := sent(t, dir, "initialize"); got != 1 {
		t.Errorf("%d starts for one question", got)
	}
}

// manyFolders makes a client whose root has n workspace folders, each with one file.
func manyFolders(t *testing.T, script string, n int, o *Options) (*Client, []string, string) {
	t.Helper()
	c, root, dir := fakeClient(t, script, o)
	var files []string
	for i := range n {
		f := string(rune('p'+i)) + "/x.fk"
		files = append(files, f)
		writeFiles(t, root, map[string]string{filepath.Dir(f) + "/fake.mod": "", f: "def alpha\nuse alpha\n"})
	}
	return c, files, dir
}

// TestMaxServers: no more run than may; the least recently used idle one makes room.
func TestMaxServers(t *testing.T) {
	c, files, dir := manyFolders(t, "", 4, &Options{MaxServers: 2})
	for _, i := range []int{0, 1, 2, 1, 3, 1} { // 2 takes the place of 0, 3 that of 2
		if r, err := c.References(t.Context(), At(files[i], 1, 5), nil); err != nil || r.Total != 1 {
			t.Fatalf("References(%s) = %+v, %v", files[i], r, err)
		}
		if n := len(processes(t, c)); n > 2 {
			t.Errorf("%d servers run, 2 may", n)
		}
	}
	var folders []string
	for _, p := range processes(t, c) {
		folders = append(folders, p.Folder)
	}
	if diff := cmp.Diff([]string{"q", "s"}, folders); diff != "" {
		t.Errorf("servers that run (-want +got):\n%s", diff)
	}
	if got := sent(t, dir, "initialize"); got != 4 {
		t.Errorf("%d starts, want 4: the one that was used in between was to stay", got)
	}
	if n := c.deaths(); n != 0 {
		t.Errorf("%d deaths were counted", n)
	}
}

// TestMaxServersBusy: a question waits for a place with its own deadline, and gets it when one is free.
func TestMaxServersBusy(t *testing.T) {
	c, files, dir := manyFolders(t, "references#1 holds", 2, &Options{MaxServers: 1, Timeout: time.Minute})
	var wg sync.WaitGroup
	failures := make([]error, 2)
	wg.Go(func() { _, failures[0] = c.References(t.Context(), At(files[0], 1, 5), nil) })
	waitFor(t, "the first waits", func() bool { return c.waiters() == 1 })
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := c.References(short, At(files[1], 1, 5), nil)
	var failed *ServerError
	if !errors.As(err, &failed) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a question without a place: %v", err)
	}
	wg.Go(func() { _, failures[1] = c.References(t.Context(), At(files[1], 1, 5), nil) })
	letGo(t, dir)
	wg.Wait()
	if err := errors.Join(failures...); err != nil {
		t.Error(err)
	}
}

// TestMaxServersFair: a server that is asked without a pause does not keep its place for ever.
func TestMaxServersFair(t *testing.T) {
	c, files, _ := manyFolders(t, "references late 50ms", 2, &Options{MaxServers: 1, Timeout: time.Minute})
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 { // at any time one of them is asking
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := c.References(t.Context(), At(files[0], 1, 5), nil); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	waitFor(t, "they ask", func() bool { return c.waiters() > 0 })
	if r, err := c.References(t.Context(), At(files[1], 1, 5), nil); err != nil || r.Total != 1 {
		t.Errorf("References = %+v, %v", r, err)
	}
	close(stop)
	wg.Wait()
}

func TestMaxMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is looked at on Linux alone")
	}
	t.Parallel()
	const limit = 400 << 20
	t.Run("over once", func(t *testing.T) {
		c, _, dir := fakeClient(t, "references#1 allocates 450", &Options{MaxMemory: limit})
		askAlpha(t, c)
		waitFor(t, "the server stops", func() bool { return len(processes(t, c)) == 0 })
		askAlpha(t, c)
		if got := sent(t, dir, "initialize"); got != 2 {
			t.Errorf("%d starts, want 2", got)
		}
		p := processes(t, c)
		if len(p) != 1 || p[0].Memory <= 0 || p[0].Memory > limit || p[0].Documents != 1 || p[0].Folder != "." || p[0].Since.IsZero() {
			t.Errorf("the new process: %+v", p)
		}
		if n := c.deaths(); n != 0 {
			t.Errorf("%d deaths were counted", n)
		}
	})
	t.Run("far over while it is asked", func(t *testing.T) {
		c, _, dir := fakeClient(t, "references#1 allocates 700\nreferences#1 silent", &Options{MaxMemory: limit})
		askAlpha(t, c)
		if got := sent(t, dir, "initialize"); got != 2 {
			t.Errorf("%d starts, want 2", got)
		}
	})
	t.Run("over again and again", func(t *testing.T) {
		c, _, dir := fakeClient(t, "initialize allocates 450", &Options{MaxMemory: limit})
		var over *MemoryError
		waitFor(t, "the error", func() bool {
			_, err := c.References(t.Context(), At("a.fk", 1, 5), nil)
			return errors.As(err, &over)
		})
		if over.Bytes <= over.Limit || over.Limit != limit || over.Server == "" || over.Folder == "" {
			t.Errorf("%+v", over)
		}
		starts := sent(t, dir, "initialize")
		if _, err := c.Definition(t.Context(), At("a.fk", 1, 5), nil); !errors.As(err, &over) {
			t.Errorf("the next question: %v, want a *MemoryError", err)
		}
		if got := sent(t, dir, "initialize"); got != starts {
			t.Errorf("started again though it is to be left alone")
		}
	})
	t.Run("children count", func(t *testing.T) {
		c, _, _ := fakeClient(t, "initialize child", nil)
		askAlpha(t, c)
		if p := processes(t, c); len(p) != 1 || len(p[0].PIDs) != 2 || p[0].PIDs[0] != p[0].PID {
			t.Errorf("processes of a server with a child: %+v", p)
		}
	})
}

func TestLimitsRefused(t *testing.T) {
	t.Parallel()
	if _, err := Open(t.Context(), t.TempDir(), &Options{MaxMemory: 1000}); err == nil {
		t.Error("Open with MaxMemory 1000: want an error")
	}
}
