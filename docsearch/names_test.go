package docsearch_test

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
)

func nameID(name string) string {
	sum := md5.Sum([]byte(name))
	return hex.EncodeToString(sum[:])
}

// held returns the names of the documents and the folders of top that they are from, and checks that ids are those of the names.
func held(t *testing.T, lib *docsearch.Library, top string) map[string]string {
	t.Helper()
	docs, err := lib.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, d := range docs {
		if d.ID != nameID(d.Name) {
			t.Errorf("%s has the id %s, want %s", d.Name, d.ID, nameID(d.Name))
		}
		rel, err := filepath.Rel(top, d.Origin)
		if err != nil {
			t.Fatal(err)
		}
		out[d.Name] = filepath.ToSlash(rel)
	}
	return out
}

func mustAdd(t *testing.T, lib *docsearch.Library, roots ...string) {
	t.Helper()
	for _, r := range roots {
		if bad := addAll(t, lib, r); len(bad) > 0 {
			t.Fatalf("%s: %v", r, bad)
		}
	}
}

// TestNamesOfFolders: equal paths below several folders get along, and their names are the same in whatever order the folders come.
func TestNamesOfFolders(t *testing.T) {
	top := tree(t, map[string]string{
		"a/README.md": "# Of a\n", "a/own.txt": "a alone\n", "a/sub/README.md": "# Below a\n", "a/a/README.md": "# Twice a\n",
		"b/README.md": "# Of b\n", "b/sub/README.md": "# Below b\n",
		"x/notes/README.md": "# Notes of x\n", "y/notes/README.md": "# Notes of y\n",
	})
	want := map[string]string{
		"a//README.md": "a/README.md", "own.txt": "a/own.txt", "a/README.md": "a/a/README.md", "a//sub/README.md": "a/sub/README.md",
		"b//README.md": "b/README.md", "b//sub/README.md": "b/sub/README.md",
		"x/notes//README.md": "x/notes/README.md", "y/notes//README.md": "y/notes/README.md",
	}
	folders := []string{"a", "b", "x/notes", "y/notes"}
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}} {
		lib := open(t, nil)
		for range 2 { // the second time all is there
			for _, i := range order {
				mustAdd(t, lib, filepath.Join(top, folders[i]))
			}
			if diff := cmp.Diff(want, held(t, lib, top)); diff != "" {
				t.Errorf("in the order %v (-want +got):\n%s", order, diff)
			}
		}
		for _, d := range []struct{ ref, text string }{{"a//README.md", "# Of a\n"}, {"y/notes//README.md", "# Notes of y\n"}, {"a/README.md", "# Twice a\n"}} {
			if x, err := lib.Read(t.Context(), d.ref, nil); err != nil || x.Text != d.text {
				t.Errorf("Read(%s) = %+v, %v, want %q", d.ref, x, err, d.text)
			}
		}
		var many *docsearch.AmbiguousError
		if _, err := lib.Resolve(t.Context(), nameID("README.md")); !errors.As(err, &many) || len(many.Candidates) != 4 {
			t.Errorf("Resolve of the id that the four had alone = %v, want the four", err)
		}
		if res := search(t, lib, "Notes of y", nil); len(res.Hits) == 0 || res.Hits[0].Name != "y/notes//README.md" {
			t.Errorf("Search finds %v", names(res))
		}
		rep, err := lib.Check(t.Context())
		if err != nil || len(rep.Problems) > 0 {
			t.Errorf("Check = %+v, %v", rep, err)
		}
	}
}

// TestNamesAgain: what is unchanged stays unchanged, with its collections, and a new text replaces the old one.
func TestNamesAgain(t *testing.T) {
	top := tree(t, map[string]string{"a/n.txt": "one\n", "b/n.txt": "two\n"})
	lib := open(t, nil)
	mustAdd(t, lib, filepath.Join(top, "a"))
	if _, err := lib.Collect(t.Context(), "c", []string{nameID("n.txt")}); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, lib, filepath.Join(top, "b"))
	if d, err := lib.Resolve(t.Context(), "a//n.txt"); err != nil || cmp.Diff([]string{"c"}, d.Collections) != "" {
		t.Errorf("after it got another name: %+v, %v", d, err)
	}
	changes := func(folder string) (out []string) {
		for d, err := range lib.AddAll(t.Context(), docsearch.Files(filepath.Join(top, folder))) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, d.Name+" "+string(d.Change))
		}
		return out
	}
	if diff := cmp.Diff([]string{"a//n.txt unchanged"}, changes("a")); diff != "" {
		t.Errorf("the first again (-want +got):\n%s", diff)
	}
	write(t, filepath.Join(top, "b", "n.txt"), "three\n")
	if diff := cmp.Diff([]string{"b//n.txt replaced"}, changes("b")); diff != "" {
		t.Errorf("the second with another text (-want +got):\n%s", diff)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestNamesMove: documents keep their ids when their folder moves, alone or with what is around it, and when it gets another name.
func TestNamesMove(t *testing.T) {
	for _, tt := range []struct{ name, from, to, add string }{
		{"the folder moves", "a", "far/a", "far/a"},
		{"the folder gets another name", "a", "other", "other"},
		{"what is around it moves", ".", "../moved", "../moved/a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := filepath.Join(t.TempDir(), "top")
			for name, text := range map[string]string{"a/n.txt": "one\n", "a/own.txt": "own\n", "b/n.txt": "two\n", "far/x": ""} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o777); err != nil {
					t.Fatal(err)
				}
				write(t, filepath.Join(top, name), text)
			}
			lib := open(t, nil)
			mustAdd(t, lib, filepath.Join(top, "a"), filepath.Join(top, "b"))
			if err := os.Rename(filepath.Join(top, tt.from), filepath.Join(top, tt.to)); err != nil {
				t.Fatal(err)
			}
			mustAdd(t, lib, filepath.Join(top, tt.add))
			if tt.from == "." {
				mustAdd(t, lib, filepath.Join(top, "../moved/b"))
			}
			got := held(t, lib, filepath.Dir(filepath.Join(top, tt.add)))
			want := map[string]string{"a//n.txt": filepath.Base(tt.add) + "/n.txt", "own.txt": filepath.Base(tt.add) + "/own.txt"}
			for name, from := range want {
				if got[name] != from {
					t.Errorf("%s is from %q, want %q", name, got[name], from)
				}
			}
			if len(got) != 3 {
				t.Errorf("there are %v, want three documents", got)
			}
		})
	}
}

// TestNamesFlat: in one flat folder a document's id is the MD5 of its file's name, and single files go by theirs.
func TestNamesFlat(t *testing.T) {
	top := tree(t, map[string]string{"a/n.txt": "one\n", "b/n.txt": "two\n"})
	lib := open(t, nil)
	mustAdd(t, lib, filepath.Join(top, "a", "n.txt"))
	if diff := cmp.Diff(map[string]string{"n.txt": "a/n.txt"}, held(t, lib, top)); diff != "" {
		t.Errorf("one file (-want +got):\n%s", diff)
	}
	mustAdd(t, lib, filepath.Join(top, "b", "n.txt"), filepath.Join(top, "a"))
	if diff := cmp.Diff(map[string]string{"a//n.txt": "a/n.txt", "b//n.txt": "b/n.txt"}, held(t, lib, top)); diff != "" {
		t.Errorf("two files of one name (-want +got):\n%s", diff)
	}
}

// TestNamesInOneCall: the sources of one call are read side by side, and named one after the other.
func TestNamesInOneCall(t *testing.T) {
	files, want := map[string]string{}, map[string]string{}
	for _, folder := range strings.Split("abcdefgh", "") {
		files[folder+"/n.txt"] = "text of " + folder + "\n"
		want[folder+"//n.txt"] = folder + "/n.txt"
	}
	top := tree(t, files)
	lib := open(t, &docsearch.Options{Workers: 4})
	all := func(yield func(docsearch.Source, error) bool) {
		for _, folder := range strings.Split("abcdefgh", "") {
			for src, err := range docsearch.Files(filepath.Join(top, folder)) {
				if !yield(src, err) {
					return
				}
			}
		}
	}
	for range 2 {
		for _, err := range lib.AddAll(t.Context(), all) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, held(t, lib, top)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestNamesWithin: a library that is limited gives what it takes in a name of its own, and leaves alone what it leaves out.
func TestNamesWithin(t *testing.T) {
	top := tree(t, map[string]string{"a/n.txt": "one\n", "b/n.txt": "two\n"})
	lib := open(t, nil)
	mustAdd(t, lib, filepath.Join(top, "a"))
	part := lib.Within(filepath.Join(top, "b"))
	for range 2 {
		mustAdd(t, part, filepath.Join(top, "b"))
		if diff := cmp.Diff(map[string]string{"b//n.txt": "b/n.txt"}, held(t, part, top)); diff != "" {
			t.Errorf("the limited one (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(map[string]string{"n.txt": "a/n.txt", "b//n.txt": "b/n.txt"}, held(t, lib, top)); diff != "" {
			t.Errorf("the whole one (-want +got):\n%s", diff)
		}
	}
	mustAdd(t, lib, filepath.Join(top, "a"))
	if diff := cmp.Diff(map[string]string{"a//n.txt": "a/n.txt", "b//n.txt": "b/n.txt"}, held(t, lib, top)); diff != "" {
		t.Errorf("after the whole one saw both (-want +got):\n%s", diff)
	}
}
