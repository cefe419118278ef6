package need

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindModule(t *testing.T) {
	// A module that every build of the tests needs.
	dir, err := findModule(t.Context(), "github.com/google/go-cmp")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module github.com/google/go-cmp\n") {
		t.Errorf("go.mod in %s: %q, %v", dir, mod, err)
	}
	_, err = findModule(t.Context(), "example.com/none")
	if err == nil || !strings.HasPrefix(err.Error(), "no sources of module example.com/none: ") {
		t.Errorf("findModule of a module that go.mod does not name: %v", err)
	}
	// One that go.mod names, on a machine that does not have it.
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOPROXY", "off")
	if dir, err = findModule(t.Context(), "github.com/google/go-cmp"); err == nil || !strings.HasPrefix(err.Error(), "no sources of module github.com/google/go-cmp: ") {
		t.Errorf("findModule with an empty cache = %q, %v", dir, err)
	}
}
