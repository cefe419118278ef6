package lspclient

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestCrashInput: a request that crashes the server twice is refused with its name, others are answered, and it is sent
// again when the file or the server is another one.
func TestCrashInput(t *testing.T) {
	c, root, dir := fakeClient(t, "references dieif alpha", nil)
	refs := func() error {
		_, err := c.References(t.Context(), At("a.fk", 2, 5), nil)
		return err
	}
	var failed *ServerError
	var crash *CrashInputError
	if err := refs(); !errors.As(err, &failed) || errors.As(err, &crash) || !strings.Contains(failed.Stderr, "dying of alpha") {
		t.Fatalf("the first call: %v, want the crash and its last words", err)
	}
	if n := sent(t, dir, "textDocument/references"); n != 2 {
		t.Errorf("it was sent %d times, want 2", n)
	}
	err := refs()
	if !errors.As(err, &failed) || !errors.As(err, &crash) || !strings.Contains(failed.Stderr, "dying of alpha") {
		t.Fatalf("the second call: %v, want a CrashInputError", err)
	}
	want := CrashInput{Method: "textDocument/references", Path: "a.fk", Line: 2, Col: 5}
	if diff := cmp.Diff(want, crash.Input); diff != "" {
		t.Errorf("the input (-want +got):\n%s", diff)
	}
	if n := sent(t, dir, "textDocument/references"); n != 2 {
		t.Errorf("it was sent %d times, want still 2", n)
	}
	if r, err := c.Definition(t.Context(), At("a.fk", 2, 5), nil); err != nil || r.Total != 1 {
		t.Errorf("another question about the place: %+v, %v", r, err)
	}

	// Another version of the server is tried.
	if err := os.WriteFile(filepath.Join(dir, "version"), []byte("10"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, v := range c.pool.Servers() {
		v.Running().Retire(errors.New("an update"))
	}
	if err := refs(); errors.As(err, &crash) || err == nil {
		t.Errorf("with another version: %v, want a crash", err)
	}
	if n := sent(t, dir, "textDocument/references"); n != 4 {
		t.Errorf("it was sent %d times, want 4", n)
	}

	// Another text is another input.
	writeFiles(t, root, map[string]string{"a.fk": "def other\nuse other\n", "sub/b.fk": "use other"})
	if err := refs(); err != nil {
		t.Errorf("with another text: %v", err)
	}
}

// TestCrashDocument: a text that crashes the server when it is shown is not shown a third time, whatever is asked of it.
func TestCrashDocument(t *testing.T) {
	c, root, dir := fakeClient(t, "didOpen dieif boom", nil)
	writeFiles(t, root, map[string]string{"bad.fk": "def bad boom\n"})
	if _, err := c.References(t.Context(), At("bad.fk", 1, 5), nil); err == nil {
		t.Fatal("no error of a server that dies")
	}
	var crash *CrashInputError
	for range 2 {
		if _, err := c.Symbols(t.Context(), "bad.fk"); !errors.As(err, &crash) || crash.Input.Path != "bad.fk" || crash.Input.Method != "textDocument/didOpen" {
			t.Errorf("Symbols(bad.fk): %v, want a CrashInputError about the file", err)
		}
	}
	if n := sent(t, dir, "textDocument/didOpen"); n > 3 {
		t.Errorf("%d documents were shown, want 3 at most", n)
	}
	if r, err := c.References(t.Context(), At("a.fk", 2, 5), nil); err != nil || r.Total != 2 {
		t.Errorf("another file: %+v, %v", r, err)
	}
	writeFiles(t, root, map[string]string{"bad.fk": "def good\n"})
	if r, err := c.Symbols(t.Context(), "bad.fk"); err != nil || len(r.Symbols) != 1 {
		t.Errorf("after the file was mended: %+v, %v", r, err)
	}
}

// TestCulprit: of several requests that were under way at a crash the guilty one is found, and the others are answered.
func TestCulprit(t *testing.T) {
	c, root, _ := fakeClient(t, "definition#1 silent\ndefinition#2 silent\ndefinition#3 silent\nreferences dieif boom", nil)
	writeFiles(t, root, map[string]string{"bad.fk": "def bad boom\n"})
	if _, err := c.Symbols(t.Context(), "a.fk"); err != nil { // it runs
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for _, at := range []Target{At("a.fk", 1, 5), At("a.fk", 2, 5), At("a.fk", 2, 11)} {
		calls.Go(func() {
			if r, err := c.Definition(t.Context(), at, nil); err != nil || r.Total != 1 {
				t.Errorf("Definition(%v) = %+v, %v, want the answer", at, r, err)
			}
		})
	}
	waitFor(t, "three definitions", func() bool {
		n := 0
		for _, v := range c.pool.Servers() {
			if s := v.Running(); s != nil {
				n += len(s.Conn.Unanswered())
			}
		}
		return n == 3
	})
	if _, err := c.References(t.Context(), At("bad.fk", 1, 5), nil); err == nil {
		t.Error("the guilty one was answered")
	}
	calls.Wait()
	var crash *CrashInputError
	if _, err := c.References(t.Context(), At("bad.fk", 1, 5), nil); !errors.As(err, &crash) {
		t.Errorf("the guilty one, once more: %v, want a CrashInputError", err)
	}
}

// TestKilledIsNoCrash: a server that is killed from outside again and again under the same question is not said to crash on
// it.
func TestKilledIsNoCrash(t *testing.T) {
	c, _, _ := fakeClient(t, "references#1 kill\nreferences#2 kill\nreferences#4 kill\nreferences#5 kill", nil)
	for i, good := range []bool{false, true, false, true} {
		r, err := c.References(t.Context(), At("a.fk", 2, 5), nil)
		var crash *CrashInputError
		if errors.As(err, &crash) || (err == nil) != good {
			t.Fatalf("call %d: %+v, %v, want an answer: %v", i, r, err, good)
		}
	}
}

// TestBreaker: a server that dies again and again is left alone, is tried again after the pause, and is well when it is.
func TestBreaker(t *testing.T) {
	c, _, dir := fakeClient(t, "initialize#1 die\ninitialize#2 die\ninitialize#3 die\ninitialize#4 die\ninitialize#5 die\ninitialize#6 die", nil)
	c.pool.BreakFor = 300 * time.Millisecond
	ask := func() error {
		_, err := c.Symbols(t.Context(), "a.fk")
		return err
	}
	var open *BreakerError
	for range 4 {
		if err := ask(); errors.As(err, &open) {
			break
		} else if err == nil {
			t.Fatal("an answer of a server that cannot start")
		}
	}
	var failed *ServerError
	if err := ask(); !errors.As(err, &open) || !errors.As(err, &failed) || open.Deaths != 5 || time.Until(open.Until) > c.pool.BreakFor || !strings.Contains(failed.Stderr, "dying") {
		t.Fatalf("after five deaths: %v, want a BreakerError", err)
	}
	if n := sent(t, dir, "initialize"); n != 5 {
		t.Errorf("%d starts, want 5", n)
	}
	time.Sleep(time.Until(open.Until))
	if err := ask(); err == nil || sent(t, dir, "initialize") != 6 {
		t.Errorf("the try after the pause: %v", err)
	}
	if err := ask(); !errors.As(err, &open) || open.Deaths != 6 {
		t.Errorf("after a try that failed: %v, want a BreakerError", err)
	}
	time.Sleep(time.Until(open.Until))
	if err := ask(); err != nil {
		t.Errorf("the second try: %v", err)
	}
}

// TestRetiredIsNoDeath: ends of our own count for nothing.
func TestRetiredIsNoDeath(t *testing.T) {
	c, _, _ := fakeClient(t, "", nil)
	for range 5 + 2 {
		if _, err := c.Symbols(t.Context(), "a.fk"); err != nil {
			t.Fatal(err)
		}
		for _, v := range c.pool.Servers() {
			v.Running().Retire(errors.New("idle"))
			if n := v.Died(); n != 0 {
				t.Errorf("%d deaths", n)
			}
		}
	}
}
