package lspclient

import (
	"errors"
	"testing"

	"github.com/findspot/findspot/lspclient/serverspec"
)

// TestUnknownBesideMissing: a name that one server does not know, where the server of another language is not installed, is
// not found, with near names; it may exist only if files of that language hold it.
func TestUnknownBesideMissing(t *testing.T) {
	spec, _ := fakeSpec(t, "")
	ghost := ServerSpec{
		Name: "ghost", Languages: map[string][]string{"ghostly": {".gh"}}, Install: "summon it",
		Commands: []serverspec.Command{{Program: "findspot-no-such-server"}},
	}
	root := t.TempDir()
	writeFiles(t, root, map[string]string{"a.fk": "def alpha\nuse alpha\n", "b.gh": "here is omega\n"})
	c, err := Open(t.Context(), root, &Options{Servers: []ServerSpec{spec, ghost}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var none *NotFoundError
	var missing *NotInstalledError
	if _, err := c.References(t.Context(), Named("alphaa"), nil); !errors.As(err, &none) || !errors.Is(err, ErrNotFound) || errors.As(err, &missing) ||
		len(none.Near) != 1 || none.Near[0].Name != "alpha" {
		t.Errorf("a name that stands nowhere: %v, want that it is not found, and alpha", err)
	}
	if _, err := c.References(t.Context(), Named("omega"), nil); !errors.As(err, &missing) || errors.Is(err, ErrNotFound) {
		t.Errorf("a name in a file whose server is missing: %v, want a NotInstalledError", err)
	}
	writeFiles(t, root, map[string]string{"a.fk": "def alpha\nuse alpha omega\n"})
	if _, err := c.References(t.Context(), Named("omega"), nil); !errors.As(err, &missing) || !errors.As(err, &none) || !errors.Is(err, ErrIncomplete) || errors.Is(err, ErrNotFound) {
		t.Errorf("a name in files of both languages: %v, want that it may exist, and what is to be installed", err)
	}
}
