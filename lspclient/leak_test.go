package lspclient

import (
	"runtime"
	"testing"
	"time"
)

// TestNothingLeft: after many deaths and a Close there is no goroutine and no process that was not there before. It does
// not run in parallel with other tests.
func TestNothingLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	root := t.TempDir()
	writeFiles(t, root, map[string]string{"a.fk": "def alpha\nuse alpha\n"})
	spec, dir := fakeSpec(t, "initialize child\nreferences#1 die\nreferences#3 die\nreferences#5 garbage\nreferences#7 huge\nreferences#9 exit")
	c, err := Open(t.Context(), root, &Options{Servers: []ServerSpec{spec}})
	if err != nil {
		t.Fatal(err)
	}
	for range 6 {
		if r, err := c.References(t.Context(), Named("alpha"), nil); err != nil || r.Total != 1 {
			t.Fatalf("References = %+v, %v", r, err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	assertNoProcess(t, dir)
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}
