package lspclient

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// letGo ends every "holds" of the fake server.
func letGo(t *testing.T, dir string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

// sent counts the messages of a method that the fake server has read.
func sent(t *testing.T, dir, method string) int {
	t.Helper()
	n := 0
	for _, m := range fakeLog(t, dir) {
		if m == method {
			n++
		}
	}
	return n
}

// waitFor waits until a condition holds; it only bounds a hang.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not after 30 s", what)
		}
	}
}

// waiters counts the calls that wait for requests under way.
func (c *Client) waiters() int {
	n := 0
	for _, v := range c.pool.Servers() {
		if s := v.Running(); s != nil {
			n += s.Waiting()
		}
	}
	return n
}

// TestShared: calls that ask the same at the same time are one request, and each has its own answer and its own end.
func TestShared(t *testing.T) {
	t.Parallel()
	const callers = 50
	for name, tt := range map[string]struct {
		leave []int // those who are cancelled, in the order in which they called
		sent  int
	}{
		"all stay":           {nil, 1},
		"a follower leaves":  {[]int{7}, 1},
		"the leader leaves":  {[]int{0}, 1},
		"all but one leave":  {indexes(0, callers-1), 1},
		"all leave together": {indexes(0, callers), 1},
	} {
		t.Run(name, func(t *testing.T) {
			script := "references holds"
			cancelled := len(tt.leave) == callers
			if cancelled { // the server answers no sooner: what is answered is not cancelled
				script = "references#1 awaits $/cancelRequest"
			}
			c, _, dir := fakeClient(t, script, &Options{Timeout: time.Minute})
			if _, err := c.Definition(t.Context(), At("a.fk", 1, 5), nil); err != nil { // the file is open from here on
				t.Fatal(err)
			}
			results, failures := make([]*Result, callers), make([]error, callers)
			cancels := make([]context.CancelFunc, callers)
			var wg sync.WaitGroup
			for i := range callers {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				cancels[i] = cancel
				wg.Go(func() { results[i], failures[i] = c.References(ctx, At("a.fk", 1, 5), nil) })
				if i == 0 {
					waitFor(t, "the leader waits", func() bool { return c.waiters() == 1 })
				}
			}
			waitFor(t, "all wait", func() bool { return c.waiters() == callers })
			for _, i := range tt.leave {
				cancels[i]()
			}
			waitFor(t, "the others wait", func() bool { return c.waiters() == callers-len(tt.leave) })
			letGo(t, dir)
			wg.Wait()
			for i := range callers {
				if slices.Contains(tt.leave, i) {
					if !errors.Is(failures[i], context.Canceled) {
						t.Errorf("caller %d, who left: %+v, %v", i, results[i], failures[i])
					}
					continue
				}
				if failures[i] != nil {
					t.Fatalf("caller %d: %v", i, failures[i])
				}
				if diff := cmp.Diff(alphaUses, results[i].Locations); diff != "" || results[i].State != Complete {
					t.Errorf("caller %d %s (-want +got):\n%s", i, results[i].State, diff)
				}
				results[i].Locations[0].Path = "changed by its owner"
			}
			if got := sent(t, dir, "textDocument/references"); got != tt.sent {
				t.Errorf("%d requests for %d calls, want %d", got, callers, tt.sent)
			}
			if cancelled {
				waitFor(t, "the cancellation", func() bool { return sent(t, dir, "$/cancelRequest") == 1 })
			}
			// A question after that is one of its own.
			if r, err := c.References(t.Context(), At("a.fk", 1, 5), nil); err != nil || r.Total != 2 {
				t.Errorf("the next call: %+v, %v", r, err)
			}
			if got := sent(t, dir, "$/cancelRequest"); !cancelled && got != 0 {
				t.Errorf("%d cancellations, though someone waited to the end", got)
			}
			if got := sent(t, dir, "textDocument/references"); got != tt.sent+1 {
				t.Errorf("%d requests after the next call, want %d", got, tt.sent+1)
			}
		})
	}
}

func indexes(from, to int) []int {
	var list []int
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

// TestNotShared: a call that comes after a change does not take an answer from before it, and neither does one that asks
// something else.
func TestNotShared(t *testing.T) {
	c, root, dir := fakeClient(t, "references#1 holds", &Options{Timeout: time.Minute})
	if _, err := c.Definition(t.Context(), At("a.fk", 1, 5), nil); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var after *Result
	var errs [3]error
	wg.Go(func() { _, errs[0] = c.References(t.Context(), At("a.fk", 1, 5), nil) })
	waitFor(t, "the first waits", func() bool { return c.waiters() == 1 })
	writeFiles(t, root, map[string]string{"c.fk": "use alpha\n"})
	wg.Go(func() { after, errs[1] = c.References(t.Context(), At("a.fk", 1, 5), nil) })
	wg.Go(func() { _, errs[2] = c.References(t.Context(), At("a.fk", 2, 11), nil) })
	waitFor(t, "three wait", func() bool { return c.waiters() == 3 })
	letGo(t, dir)
	wg.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	if after.Total != 3 {
		t.Errorf("the call after the change has %d places, want 3: %v", after.Total, after.Locations)
	}
	if got := sent(t, dir, "textDocument/references"); got != 3 {
		t.Errorf("%d requests, want 3", got)
	}
}

// TestOwnDeadline: a follower with little time leaves when it is over, and the others get their answer.
func TestOwnDeadline(t *testing.T) {
	c, _, dir := fakeClient(t, "references holds", &Options{Timeout: time.Minute})
	if _, err := c.Definition(t.Context(), At("a.fk", 1, 5), nil); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var r *Result
	var failure error
	wg.Go(func() { r, failure = c.References(t.Context(), At("a.fk", 1, 5), nil) })
	waitFor(t, "the leader waits", func() bool { return c.waiters() == 1 })
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.References(short, At("a.fk", 1, 5), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the follower with little time: %v", err)
	}
	letGo(t, dir)
	wg.Wait()
	if failure != nil || r.Total != 2 {
		t.Errorf("the leader: %+v, %v", r, failure)
	}
	if got := sent(t, dir, "textDocument/references"); got != 1 {
		t.Errorf("%d requests, want 1", got)
	}
}
