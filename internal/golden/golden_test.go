package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// failures records what Compare reports, in place of failing the test that asks.
type failures struct {
	testing.TB
	n int
}

func (f *failures) Helper()               {}
func (f *failures) Name() string          { return "TestSomething" }
func (f *failures) Errorf(string, ...any) { f.n++ }

func TestCompare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "out.txt")

	*update = true
	Compare(t, path, []byte("a\nb\n"))
	*update = false
	Compare(t, path, []byte("a\nb\n"))

	if err := os.WriteFile(path, []byte("a\r\nb\r\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	Compare(t, path, []byte("a\nb\n"))

	f := &failures{TB: t}
	Compare(f, path, []byte("a\nc\n"))
	if f.n != 1 {
		t.Errorf("Compare with another text reported %d failures, want 1", f.n)
	}
}
