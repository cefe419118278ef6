package findspot_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/need"
)

func TestVerdicts(t *testing.T) {
	need.Tool(t, "pyright", "--version")
	dir := write(t, map[string]string{"a.py": `"""A module."""


def used():
    return 1


def unused_thing():
    """Nothing calls unused_thing here."""
    return used()


def by_name():
    return 2


LIMIT = 3


def main():
    print(getattr(__import__("a"), "by_name")(), LIMIT)
`})
	for _, tt := range []struct {
		name    string
		servers bool
		want    findspot.Verdict
		via     string
	}{
		{"used", true, findspot.Found, "pyright"},
		{"used", false, findspot.Found, "graph"},
		{"unused_thing", true, findspot.VerifiedNone, "pyright"},
		{"unused_thing", false, findspot.NoneKnown, ""},
		{"by_name", true, findspot.NoneKnown, "pyright"}, // the string may be a call
		{"LIMIT", false, findspot.Found, "text"},
	} {
		ws := open(t, t.TempDir(), &findspot.Options{NoServers: !tt.servers})
		if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
			t.Fatal(err)
		}
		res, err := ws.Callers(t.Context(), tt.name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if res.Verdict != tt.want || !strings.HasPrefix(res.Via, tt.via) {
			t.Errorf("Callers(%s), servers %v: %s by %q, want %s by %q; %+v", tt.name, tt.servers, res.Verdict, res.Via, tt.want, tt.via, res)
		}
	}
	ws := open(t, t.TempDir(), nil)
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := ws.Callers(t.Context(), "unusedthing", nil); !errors.Is(err, findspot.ErrNotFound) || !strings.Contains(err.Error(), "a.py:unused_thing") {
		t.Errorf("Callers of a near name = %v, want ErrNotFound with a.py:unused_thing", err)
	}
	// A change on disk is seen by the next question, unannounced.
	if err := os.WriteFile(filepath.Join(dir, "b.py"), []byte("from a import unused_thing\n\n\ndef late():\n    unused_thing()\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	res, err := ws.Callers(t.Context(), "unused_thing", nil)
	if err != nil || res.Verdict != findspot.Found || res.Callers[0].Entity.ID != "b.py:late" {
		t.Errorf("after an edit: %+v, %v", res, err)
	}
}

func TestUnreadableIsNoProof(t *testing.T) {
	need.Tool(t, "pyright", "--version")
	dir := write(t, map[string]string{"a.py": "def alone():\n    pass\n", "b.py": "alone()\x00"})
	ws := open(t, t.TempDir(), &findspot.Options{})
	info, err := ws.AddRepo(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(info.Changes.Skipped) != 1 || info.Changes.Skipped[0].Path != "b.py" {
		t.Errorf("skipped = %+v, want b.py", info.Changes.Skipped)
	}
	res, err := ws.Callers(t.Context(), "alone", nil)
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict != findspot.NoneKnown {
		t.Errorf("verdict = %s with a file that could not be read, want none known", res.Verdict)
	}
}
