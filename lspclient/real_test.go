package lspclient

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// The repositories in testdata say in comments what they hold: "@def(Name)" on the line that declares Name, and
// "@use(Name)" on each line that refers to it, as the server sees it. A server must find exactly these lines.

var marker = regexp.MustCompile(`\b(def|use)\(([\w.]+)\)`)

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
	text, _, err := source.ReadFile(filepath.Join(root, at.Path))
	if err != nil {
		t.Fatal(err)
	}
	line, _ := text.Line(at.Line)
	return strings.HasPrefix(string(line), "__all__")
}

// markedAt is the target of the last part of a name on the line "path:line".
func markedAt(t *testing.T, root, at, name string) Target {
	t.Helper()
	path, num, _ := strings.Cut(at, ":")
	n, err := strconv.Atoi(num)
	if err != nil {
		t.Fatal(err)
	}
	text, _, err := source.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	line, _ := text.Line(n)
	return At(path, n, 1+strings.Index(string(line), name[strings.LastIndexByte(name, '.')+1:]))
}

func lines(list []Location) []string {
	out := []string{}
	for _, l := range list {
		out = append(out, l.Path+":"+strconv.Itoa(l.Line))
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(a, b) })
	return slices.Compact(out)
}

// realServer is a server that the markers of a repository are checked with.
type realServer struct {
	entry, program string
	probe          []string
	repo           string
	// deviates: where the server's references, asked for by name, differ from the markers, with the reason. A server that
	// stops to deviate fails the test, so that the list stays true.
	deviates map[string]deviation
	// unnamed: declarations that the server's symbol search does not know, with the reason; they are asked for by position.
	unnamed map[string]string
	// nowhere: uses, as "path:line", whose definition the server does not tell, with the reason.
	nowhere map[string]string
	// leads: where else than to its declaration the definition of a name leads, as "path:line".
	leads map[string]string
	slow  bool // starts in more than ten seconds
}

// deviation is what a server leaves out and adds, as "path:line".
type deviation struct {
	lacks, adds []string
	why         string
	degraded    bool // the answer says so
}

// allUnread: the deviations in pyrepo of servers that take the names in __all__ for mere strings.
var allUnread = map[string]deviation{
	"detect_pss": {lacks: []string{"receiver/__init__.py:5"}, why: "names in __all__ are no references"},
	"Receiver":   {lacks: []string{"receiver/__init__.py:5"}, why: "names in __all__ are no references"},
}

// exportsSet: the deviation in tsrepo.
var exportsSet = map[string]deviation{"sealed": {
	lacks: []string{"tests/tool.cjs:5"},
	why:   "what is set as exports.name is not followed behind require", degraded: true}}

// namespaces: the deviation in cpprepo.
var namespaces = map[string]deviation{"radio": {
	lacks: []string{"src/extra.cpp:4", "src/main.cpp:6", "src/main.cpp:7", "src/main.cpp:9", "src/receiver.cpp:3"},
	why:   "the index holds no references of namespaces", degraded: true}}

// testName is the name of a server's tests: that of its entry, or of the program where one of another version has a name of its own.
func testName(entry, program string) string {
	if strings.HasPrefix(program, entry+"-") {
		return program
	}
	return entry
}

// callIt puts a program on PATH under another name.
func callIt(t *testing.T, path, name string) {
	t.Helper()
	bin := t.TempDir()
	if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// realServers: one line for each entry and repository.
var realServers = []realServer{
	{entry: "gopls", program: "gopls", probe: []string{"version"}, repo: "gorepo"},
	{entry: "pyright", program: "pyright", probe: []string{"--version"}, repo: "pyrepo"},
	{entry: "basedpyright", program: "basedpyright", probe: []string{"--version"}, repo: "pyrepo"},
	{entry: "ty", program: "ty", probe: []string{"--version"}, repo: "pyrepo", deviates: allUnread},
	{entry: "pylsp", program: "pylsp", probe: []string{"--version"}, repo: "pyrepo", deviates: allUnread},
	{entry: "rust-analyzer", program: "rust-analyzer", probe: []string{"--version"}, repo: "rsrepo", slow: true,
		deviates: map[string]deviation{"Detector.detect": {
			adds: []string{"radio/src/bank.rs:9", "radio/src/lib.rs:30", "app/src/main.rs:5", "radio/src/bank.rs:10"},
			why:  "the references of a trait's method hold its implementations and the calls of these"}}},
	// A compiler of an older version knows no --lsp; a server that has nothing to read ends well.
	{entry: "typescript", program: "tsc", probe: []string{"--lsp", "--stdio"}, repo: "tsrepo",
		deviates: exportsSet},
	{entry: "typescript-language-server", program: "typescript-language-server", probe: []string{"--version"}, repo: "tsrepo", deviates: exportsSet},
	{entry: "clangd", program: "clangd", probe: []string{"--version"}, repo: "cpprepo",
		deviates: namespaces},
	{entry: "clangd", program: oldClangd, probe: []string{"--version"}, repo: "cpprepo", deviates: namespaces},
	{entry: "jdtls", program: "jdtls", repo: "javarepo", slow: true,
		deviates: map[string]deviation{"Receiver.detect": {
			adds: []string{"app/src/main/java/app/Main.java:9"},
			why:  "a call through the interface may be one of any method that implements it"}}},
}

// realChanges say for each repository what changed does: a file that is made, and the line it uses the name in.
var realChanges = map[string]struct{ name, file, text, use string }{
	"gorepo": {"peak", "radio/third.go", "package radio\n\nvar third = peak(3)\n", "radio/third.go:3"},
	"pyrepo": {"correlate", "third.py", "from receiver.sync import correlate\n\ncorrelate([], 3)\n", "third.py:3"},
	// The module is declared before: only a file that is a module is read.
	"rsrepo":   {"peak", "radio/src/third.rs", "\npub fn third() -> usize { crate::peak(3) }\n", "radio/src/third.rs:2"},
	"tsrepo":   {"peak", "src/third.ts", "import { peak } from \"./peak.js\";\n\npeak(3);\n", "src/third.ts:3"},
	"cpprepo":  {"peak", "src/third.cpp", "#include \"peak.h\"\nint third() { return peak(3); }\n", "src/third.cpp:2"},
	"javarepo": {"peak", "core/src/main/java/radio/Third.java", "package radio;\nclass Third { int x = Peaks.peak(null, 3); }\n", "core/src/main/java/radio/Third.java:2"},
}

// apart runs the test of a server beside those of others, since servers wait for much of the time. Tests of clangd set the environment, and stay alone.
func apart(t *testing.T, entry string) {
	t.Helper()
	if entry != "clangd" {
		t.Parallel()
	}
}

// start skips the test unless the server is there.
func (rs realServer) start(t *testing.T) {
	t.Helper()
	if path := need.Tool(t, rs.program, rs.probe...); rs.program == oldClangd {
		callIt(t, path, "clangd")
	}
	needRuntime(t, rs.entry)
	if rs.slow && testing.Short() {
		t.Skip("a start takes long")
	}
}

// copyRepo copies a repository of testdata. A file whose name ends in ".odd" loses that: its byte order mark and ends of
// lines are what it is there for, and no tool that formats sources is to mend them.
func copyRepo(t *testing.T, repo string) (root string) {
	t.Helper()
	root = t.TempDir()
	if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", repo))); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if plain, odd := strings.CutSuffix(path, ".odd"); odd && err == nil {
			err = os.Rename(path, plain)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// realClient opens a client on a copy of a repository that knows only one entry.
func realClient(t *testing.T, entry, repo string) (*Client, string) {
	t.Helper()
	root := copyRepo(t, repo)
	switch repo {
	case "cpprepo":
		compiled(t, root, "src/main.cpp", "src/receiver.cpp", "src/peak.c") // without one file
	case "cppedge":
		compiled(t, root, "src/wire.cpp", "src/mark.cpp", "src/over.cpp", "src/broken.cpp")
	}
	return entryClient(t, entry, root), root
}

// entryClient opens a client that knows only one entry.
func entryClient(t *testing.T, entry, root string) *Client {
	t.Helper()
	c, err := Open(t.Context(), root, &Options{Timeout: 2 * time.Minute}) // beside other tests a server may take long
	if err != nil {
		t.Fatal(err)
	}
	c.pool.Registry.Specs = slices.DeleteFunc(c.pool.Registry.Specs, func(s *registry.Spec) bool { return s.Name != entry })
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// compiled writes the compilation database that the build system would, and has the server's index of it kept for this
// test only.
func compiled(t *testing.T, root string, files ...string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	type entry struct {
		Directory string   `json:"directory"`
		File      string   `json:"file"`
		Arguments []string `json:"arguments"`
	}
	var list []entry
	for _, file := range files {
		list = append(list, entry{root, file, []string{"cc", "-Iinclude", "-c", file}})
	}
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	writeFiles(t, root, map[string]string{"build/compile_commands.json": string(data)})
}

// TestRealServers asks every server about every marked name of a repository, before and after changes.
func TestRealServers(t *testing.T) {
	for _, rs := range realServers {
		t.Run(testName(rs.entry, rs.program), func(t *testing.T) {
			apart(t, rs.entry)
			rs.start(t)
			c, root := realClient(t, rs.entry, rs.repo)
			defs, uses := marks(t, root)
			for _, name := range slices.Sorted(maps.Keys(defs)) {
				target := Named(name)
				if rs.unnamed[name] != "" {
					if _, err := c.References(t.Context(), target, nil); !errors.Is(err, ErrNotFound) {
						t.Errorf("References(%s): %v, and yet the server is said not to know the name", name, err)
					}
					target = markedAt(t, root, defs[name], name)
				}
				r, err := c.References(t.Context(), target, nil)
				if err != nil {
					t.Errorf("References(%s): %v", name, err)
					continue
				}
				dev := rs.deviates[name]
				want := slices.DeleteFunc(slices.Concat([]string{}, uses[name], dev.adds), func(at string) bool { return slices.Contains(dev.lacks, at) })
				slices.Sort(want)
				if diff := gocmp.Diff(slices.Compact(want), lines(r.Locations), cmpopts.EquateEmpty()); diff != "" || (r.State == Complete) == dev.degraded {
					t.Errorf("References(%s) %s %s (-want +got):\n%s", name, r.State, r.Reason, diff)
				}
				if r.None() != (len(want) == 0 && !dev.degraded) {
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
					if rs.nowhere[use.Path+":"+strconv.Itoa(use.Line)] != "" {
						if len(d.Locations) > 0 {
							t.Errorf("Definition at %s:%d leads somewhere now: %+v", use.Path, use.Line, d.Locations)
						}
						continue
					}
					if len(d.Locations) == 0 || d.State != Complete {
						t.Errorf("Definition at %s:%d:%d = %+v", use.Path, use.Line, use.Col, d)
					}
				}
				d, err := c.Definition(t.Context(), target, nil)
				if want := cmp.Or(rs.leads[name], defs[name]); err != nil || !slices.Contains(lines(d.Locations), want) {
					t.Errorf("Definition(%s) = %+v, %v, want %s", name, d, err, want)
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
			changed(t, c, root, rs.repo)
		})
	}
}

// changed checks that a change on disk nobody tells about is in the next answer.
func changed(t *testing.T, c *Client, root, repo string) {
	t.Helper()
	change, ok := realChanges[repo]
	if !ok {
		t.Fatalf("no change for %s", repo)
	}
	name, file, text, want := change.name, change.file, change.text, change.use
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
}
