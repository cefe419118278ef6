package lspclient

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestSymbolsKept: the symbols of a text are asked for once, whoever asks, and also of the next process; another text is
// another question, be it on disk or in an overlay.
func TestSymbolsKept(t *testing.T) {
	c, root, dir := fakeClient(t, "references#1 die", nil)
	asked := func() int { return sent(t, dir, "textDocument/documentSymbol") }
	check := func(step string, name string, want int) {
		t.Helper()
		r, err := c.Symbols(t.Context(), "a.fk")
		if err != nil {
			t.Fatal(err)
		}
		if r.State != Complete || len(r.Symbols) != 1 || r.Symbols[0].Name != name || r.Symbols[0].Children == nil {
			t.Errorf("%s: %+v, want %s", step, r, name)
		}
		if got := asked(); got != want {
			t.Errorf("%s: asked %d times, want %d", step, got, want)
		}
		r.Symbols[0].Name, r.Symbols[0].Children = "changed by its owner", nil
	}
	write := func(text string) { writeFiles(t, root, map[string]string{"a.fk": text}) }
	check("first", "alpha", 1)
	check("again", "alpha", 1)
	write("def omega\n")
	check("another text", "omega", 2)
	write("def alpha\nuse alpha beta\n")
	check("the first text", "alpha", 2)
	askAlpha(t, c) // the server dies and is started again
	if n := sent(t, dir, "initialize"); n != 2 {
		t.Fatalf("%d starts, want 2", n)
	}
	check("another process", "alpha", 2)
	if err := c.SetOverlay("a.fk", []byte("def gamma\n")); err != nil {
		t.Fatal(err)
	}
	check("an overlay", "gamma", 3)
	check("the overlay again", "gamma", 3)
	if err := c.RemoveOverlay("a.fk"); err != nil {
		t.Fatal(err)
	}
	check("without the overlay", "alpha", 3)
}

// TestSymbolsNotKept: what is not a whole answer is asked for again.
func TestSymbolsNotKept(t *testing.T) {
	t.Parallel()
	const at = `"range":{"start":{"line":0,"character":4},"end":{"line":0,"character":9}},"selectionRange":{"start":{"line":0,"character":4},"end":{"line":0,"character":9}}`
	const off = `"range":{"start":{"line":99,"character":4},"end":{"line":99,"character":9}},"selectionRange":{"start":{"line":99,"character":4},"end":{"line":99,"character":9}}`
	for name, script := range map[string]string{
		"a place that is not there": `documentSymbol#1 says [{"name":"alpha","kind":12,` + at + `},{"name":"x","kind":12,` + off + `}]`,
		"an empty list":             `documentSymbol#1 says []`,
		"work under way": `documentSymbol#1 tells $/progress {"token":1,"value":{"kind":"begin","title":"reading"}}` + "\n" +
			`documentSymbol#2 tells $/progress {"token":1,"value":{"kind":"end"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			c, _, dir := fakeClient(t, script, nil)
			for range 3 {
				if _, err := c.Symbols(t.Context(), "a.fk"); err != nil {
					t.Fatal(err)
				}
			}
			if got := sent(t, dir, "textDocument/documentSymbol"); got != 2 {
				t.Errorf("asked %d times, want 2: the first answer is not to be kept, the second is", got)
			}
		})
	}
}

// TestTextKept: a text that is kept is that of the file as it is.
func TestTextKept(t *testing.T) {
	t.Parallel()
	c, err := Open(context.Background(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	path := filepath.Join(c.pool.Tree.Root(), "a.py")
	old := time.Now().Add(-time.Hour)
	for i, text := range []string{"one", "two", "two", "six"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil { // the same size and time each time
			t.Fatal(err)
		}
		for range 2 {
			if got, _, err := c.pool.Tree.Read(path); err != nil || string(got.Bytes) != text {
				t.Errorf("step %d: %q, %v, want %q", i, got.Bytes, err, text)
			}
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.pool.Tree.Read(path); err == nil {
		t.Error("a file that is gone: want an error")
	}
}
