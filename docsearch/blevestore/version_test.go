package blevestore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
)

// A folder of a version before the oldest that is read is refused with both numbers and the way out, and stays as it is.
func TestOlderVersion(t *testing.T) {
	dir := t.TempDir()
	if err := openDir(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	version := filepath.Join(dir, "VERSION")
	if err := os.WriteFile(version, []byte("1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, readOnly := range []bool{false, true} {
		_, err := blevestore.Open(t.Context(), dir, &blevestore.Options{ReadOnly: readOnly})
		if !errors.Is(err, docsearch.ErrFormat) {
			t.Fatalf("read-only %v: %v, want ErrFormat", readOnly, err)
		}
		for _, want := range []string{dir, "version 1", "version 2", "add the documents again"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("read-only %v: %v, want it to say %q", readOnly, err, want)
			}
		}
	}
	if data, err := os.ReadFile(version); err != nil || string(data) != "1\n" {
		t.Errorf("VERSION afterwards: %q, %v", data, err)
	}
}
