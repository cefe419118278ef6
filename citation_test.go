package findspot_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill/evidence"
)

// TestPlacesAreChecked asks the workspace and the folders for places, true and not quite: what a place says of itself must hold.
func TestPlacesAreChecked(t *testing.T) {
	docs := write(t, map[string]string{"sub/pss.md": "# Title\n\nThe PSS has length 127.\nIt is short.\n"})
	code := write(t, map[string]string{"rx/pss.py": "def f():\n    return 1\n"})
	secret := write(t, map[string]string{"secret.txt": "secret"})
	if err := os.Symlink(filepath.Join(secret, "secret.txt"), filepath.Join(code, "link.txt")); err != nil {
		t.Fatal(err) // without the link the test would not see what it leads to
	}
	ws := open(t, t.TempDir(), nil)
	if err := addDocs(t.Context(), ws, docs); err != nil {
		t.Fatal(err)
	}
	if _, err := ws.AddRepo(t.Context(), code, nil); err != nil {
		t.Fatal(err)
	}
	lib, err := ws.Docs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d, err := lib.Resolve(t.Context(), "sub/pss.md")
	if err != nil {
		t.Fatal(err)
	}
	folders, err := findspot.OpenFolders([]string{docs}, []string{code}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer folders.Close()
	deeper, err := findspot.OpenFolders([]string{filepath.Join(docs, "sub")}, nil, &findspot.FoldersOptions{Files: map[string]string{d.ID: d.Hash}})
	if err != nil {
		t.Fatal(err)
	}
	defer deeper.Close()
	tests := []struct {
		name string
		at   evidence.Place
		want string // empty: an error
	}{
		{"lines", evidence.Place{Doc: d.ID, Name: d.Name, Title: d.Title, Page: 1, Line: 3, EndLine: 4}, "The PSS has length 127.\nIt is short.\n"},
		{"a line with its bytes", evidence.Place{Doc: d.ID, Line: 3, Start: 13, End: 16}, "The PSS has length 127.\n"},
		{"page", evidence.Place{Doc: d.ID, Page: 1}, "# Title\n\nThe PSS has length 127.\nIt is short.\n"},
		{"document", evidence.Place{Doc: d.ID}, "# Title\n\nThe PSS has length 127.\nIt is short.\n"},
		{"other page", evidence.Place{Doc: d.ID, Page: 2, Line: 3}, ""},
		{"no such line", evidence.Place{Doc: d.ID, Line: 30}, ""},
		{"negative line", evidence.Place{Doc: d.ID, Line: -3}, ""},
		{"other bytes", evidence.Place{Doc: d.ID, Line: 3, Start: 1, End: 2}, ""},
		{"other name", evidence.Place{Doc: d.ID, Name: "other.md", Line: 3}, ""},
		{"other title", evidence.Place{Doc: d.ID, Title: "Better", Line: 3}, ""},
		{"a name for an id", evidence.Place{Doc: "pss", Line: 3}, ""},
		{"no such document", evidence.Place{Doc: strings.Repeat("0", 32), Line: 3}, ""},
		{"code", evidence.Place{Path: "rx/pss.py", Line: 2, EndLine: 2}, "    return 1\n"},
		{"file", evidence.Place{Path: "rx/pss.py"}, "def f():\n    return 1\n"},
		{"no such file", evidence.Place{Path: "rx/gone.py", Line: 1}, ""},
		{"no such code line", evidence.Place{Path: "rx/pss.py", Line: 9}, ""},
		{"out of the root", evidence.Place{Path: "../" + filepath.Base(secret) + "/secret.txt", Line: 1}, ""},
		{"absolute", evidence.Place{Path: "/etc/hosts", Line: 1}, ""},
		{"a search result", evidence.Place{Entity: "rx/pss.py:f"}, ""},
	}
	for _, tt := range tests {
		for name, src := range map[string]evidence.Describer{"workspace": ws, "folders": folders, "deeper": deeper} {
			if name == "deeper" && tt.at.Doc == "" {
				continue
			}
			got, err := src.Text(t.Context(), tt.at)
			if got != tt.want && name != "deeper" || (err != nil) != (tt.want == "") && (name != "deeper" || tt.at.Name != "") {
				t.Errorf("%s: %s.Text = %q, %v, want %q", tt.name, name, got, err, tt.want)
			}
			if err != nil && !errors.Is(err, findspot.ErrNotFound) && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: %s.Text: %v, want not found", tt.name, name, err)
			}
		}
	}
	if got, err := folders.Text(t.Context(), evidence.Place{Path: "link.txt"}); err == nil {
		t.Errorf("a link out of the root gave %q", got)
	}
	one, _, err := ws.Describe(t.Context(), evidence.Place{Doc: d.ID})
	if two, _, err2 := folders.Describe(t.Context(), evidence.Place{Doc: d.ID}); err != nil || err2 != nil || one != two || one != d.Hash {
		t.Errorf("Describe: %s, %s, %v, %v", one, two, err, err2)
	}
	// The index is older than the file.
	if err := os.WriteFile(filepath.Join(docs, "sub", "pss.md"), []byte("# Title\n\nThe PSS has length 128.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ws.Describe(t.Context(), evidence.Place{Doc: d.ID}); !errors.Is(err, findspot.ErrStale) {
		t.Errorf("Describe of a changed file = %v, want stale", err)
	}
	if err := os.Remove(filepath.Join(docs, "sub", "pss.md")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ws.Describe(t.Context(), evidence.Place{Doc: d.ID}); !errors.Is(err, findspot.ErrNotFound) {
		t.Errorf("Describe of a file that is gone = %v, want not found", err)
	}
}

// TestOriginal asks for the files of documents, as they are and after a change.
func TestOriginal(t *testing.T) {
	docs := write(t, map[string]string{"pss.md": "The PSS has length 127.\n"})
	ws := open(t, t.TempDir(), nil)
	if err := addDocs(t.Context(), ws, docs); err != nil {
		t.Fatal(err)
	}
	lib, err := ws.Docs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d, err := lib.Resolve(t.Context(), "pss.md")
	if err != nil {
		t.Fatal(err)
	}
	folders, err := findspot.OpenFolders([]string{docs}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer folders.Close()
	at := evidence.Place{Doc: d.ID, Name: d.Name}
	original := map[string]func() ([]byte, error){
		"workspace": func() ([]byte, error) { return ws.Original(t.Context(), at) },
		"folders":   func() ([]byte, error) { return folders.Original(t.Context(), at) },
	}
	for name, get := range original {
		if data, err := get(); err != nil || string(data) != "The PSS has length 127.\n" {
			t.Errorf("%s: Original = %q, %v", name, data, err)
		}
	}
	file := filepath.Join(docs, "pss.md")
	if err := os.WriteFile(file, []byte("Other text.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, get := range original {
		if data, err := get(); !errors.Is(err, findspot.ErrStale) || data != nil {
			t.Errorf("%s, changed: Original = %q, %v", name, data, err)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := original["workspace"](); !errors.Is(err, findspot.ErrNotFound) {
		t.Errorf("gone: Original = %v", err)
	}
	if _, err := ws.Original(t.Context(), evidence.Place{Doc: "none"}); !errors.Is(err, findspot.ErrNotFound) {
		t.Errorf("no such document: Original = %v", err)
	}
}
