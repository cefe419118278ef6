package blevestore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
)

// Closing removes segments that the newest state does not name, and only those.
func TestCloseRemovesLeft(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	lib, err := blevestore.Open(ctx, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		for _, err := range lib.AddAll(ctx, sources(0, 3+i)) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	beside, err := blevestore.Open(ctx, dir, &blevestore.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close()
	left := filepath.Join(dir, "index", "00000000ffff.zap")
	if err := os.WriteFile(left, []byte("left"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("a segment that nothing names is left: %v", err)
	}
	again, err := blevestore.Open(ctx, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for name, l := range map[string]*docsearch.Library{"the reader beside": beside, "the library opened again": again} {
		res, err := l.Search(ctx, "filler common", nil)
		if err != nil || res.Total != 5 {
			t.Errorf("%s finds %+v, %v; want 5 documents", name, res, err)
		}
	}
}
