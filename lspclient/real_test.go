package lspclient

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/need"
)

// The repositories in testdata say in comments what they hold: "@def(Name)" on the line that declares Name, and
// "@use(Name)" on each line that refers to it, as the server sees it. A server must find exactly these lines.

var marker = regexp.MustCompile(`(def|use)\(([\w.]+)\)`)

// marks returns the lines that declare and use each name, "path:line", sorted.
func marks(t *testing.T, root string) (defs map[string]string, uses map[string][]string) {
	t.Helper()
	defs, uses = map[string]string{}, map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		for i, line := range strings.Split(string(data), "\n") {
			_, comment, ok := strings.Cut(line, "@")
			if !ok {
				continue
			}
			at := filepath.ToSlash(rel) + ":" + strconv.Itoa(i+1)
			for _, m := range marker.FindAllStringSubmatch(comment, -1) {
				if m[1] == "def" {
					defs[m[2]] = at
				} else {
					uses[m[2]] = append(uses[m[2]], at)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return defs, uses
}

// inAll reports whether the place is in Python's __all__.
func inAll(t *testing.T, root string, at Location) bool {
	t.Helper()
	text, _, err := readFile(filepath.Join(root, at.Path))
	if err != nil {
		t.Fatal(err)
	}
	line, _ := text.line(at.Line)
	return strings.HasPrefix(string(line), "__all__")
}

func lines(list []Location) []string {
	out := []string{}
	for _, l := range list {
		out = append(out, l.Path+":"+strconv.Itoa(l.Line))
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(a, b) })
	return slices.Compact(out)
}

// realServers are the servers that the markers are checked with: the entry, the program and its probe, the repository.
var realServers = []struct {
	entry, program string
	probe          []string
	repo           string
}{
	{"gopls", "gopls", []string{"version"}, "gorepo"},
	{"pyright", "pyright", []string{"--version"}, "pyrepo"},
	{"basedpyright", "basedpyright", []string{"--version"}, "pyrepo"},
}

// realClient opens a client on a copy of a repository that knows only one entry.
func realClient(t *testing.T, entry, repo string) (*Client, string) {
	t.Helper()
	root := t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", repo))); err != nil {
		t.Fatal(err)
	}
	c, err := Open(t.Context(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.registry.specs = slices.DeleteFunc(c.registry.specs, func(s *ServerSpec) bool { return s.Name != entry })
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c, root
}

func TestRealServers(t *testing.T) {
	for _, rs := range realServers {
		t.Run(rs.entry, func(t *testing.T) {
			need.Tool(t, rs.program, rs.probe...)
			c, root := realClient(t, rs.entry, rs.repo)
			defs, uses := marks(t, root)
			for _, name := range slices.Sorted(maps.Keys(defs)) {
				r, err := c.References(t.Context(), Named(name), nil)
				if err != nil {
					t.Errorf("References(%s): %v", name, err)
					continue
				}
				want := slices.Clone(uses[name])
				slices.Sort(want)
				if want == nil {
					want = []string{}
				}
				if diff := gocmp.Diff(slices.Compact(want), lines(r.Locations)); diff != "" || r.State != Complete {
					t.Errorf("References(%s) %s %s (-want +got):\n%s", name, r.State, r.Reason, diff)
				}
				if r.None() != (len(want) == 0) {
					t.Errorf("References(%s).None() = %v", name, r.None())
				}
				// What is found at each use by position is where the name is declared.
				for _, use := range r.Locations {
					if use.Outside() {
						t.Errorf("References(%s) has %s", name, use.Path)
						continue
					}
					d, err := c.Definition(t.Context(), At(use.Path, use.Line, use.Col), nil)
					if err != nil {
						t.Errorf("Definition at %s:%d:%d: %v", use.Path, use.Line, use.Col, err)
						continue
					}
					if diff := gocmp.Diff(use, d.Target); diff != "" {
						t.Errorf("the target of the definition is not the reference (-want +got):\n%s", diff)
					}
					if len(d.Locations) == 0 && inAll(t, root, use) {
						continue // a name in a string is a reference, and leads nowhere
					}
					if len(d.Locations) == 0 || d.State != Complete {
						t.Errorf("Definition at %s:%d:%d = %+v", use.Path, use.Line, use.Col, d)
					}
				}
				d, err := c.Definition(t.Context(), Named(name), nil)
				if err != nil || !slices.Contains(lines(d.Locations), defs[name]) {
					t.Errorf("Definition(%s) = %+v, %v, want %s", name, d, err, defs[name])
				}
			}
			// Every declaration that is marked is among the symbols of its file.
			for name, at := range defs {
				path, _, _ := strings.Cut(at, ":")
				s, err := c.Symbols(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				var have []string
				eachSymbol(s.Symbols, func(s Symbol) { have = append(have, s.Selection.Path+":"+strconv.Itoa(s.Selection.Line)) })
				if !slices.Contains(have, at) {
					t.Errorf("Symbols(%s) lacks %s at %s, has %v", path, name, at, have)
				}
			}
		})
	}
}

// TestRealChange: a change on disk nobody tells about is in the next answer.
func TestRealChange(t *testing.T) {
	for _, rs := range realServers {
		t.Run(rs.entry, func(t *testing.T) {
			need.Tool(t, rs.program, rs.probe...)
			c, root := realClient(t, rs.entry, rs.repo)
			name, file, text, want := "peak", "radio/third.go", "package radio\n\nvar third = peak(3)\n", "radio/third.go:3"
			if rs.repo == "pyrepo" {
				name, file, text, want = "correlate", "third.py", "from receiver.sync import correlate\n\ncorrelate([], 3)\n", "third.py:3"
			}
			count := func() []string {
				t.Helper()
				r, err := c.References(t.Context(), Named(name), nil)
				if err != nil {
					t.Fatal(err)
				}
				if r.State != Complete {
					t.Errorf("References(%s) is %s: %s", name, r.State, r.Reason)
				}
				return lines(r.Locations)
			}
			before := count()
			writeFiles(t, root, map[string]string{file: text})
			if after := count(); !slices.Contains(after, want) {
				t.Errorf("a new file is not seen: %v", after)
			}
			writeFiles(t, root, map[string]string{file: "\n" + text})
			if after := count(); slices.Contains(after, want) || len(after) == len(before) {
				t.Errorf("an edit is not seen: %v", after)
			}
			if err := os.Rename(filepath.Join(root, filepath.FromSlash(file)), filepath.Join(root, filepath.FromSlash(file)+".old")); err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(before, count()); diff != "" {
				t.Errorf("after the file is gone (-want +got):\n%s", diff)
			}
		})
	}
}
