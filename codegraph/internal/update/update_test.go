//go:build cgo

package update

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter"
)

// An editedRepo is a repository in memory with a graph that follows its edits.
type editedRepo struct {
	t    *testing.T
	fsys fstest.MapFS
	s    *Builder
	st   *scan.State
	g    *snapshot.Graph
	now  time.Time

	trash map[string][]byte // files that were removed
}

func newEditedRepo(t *testing.T, fsys fstest.MapFS) *editedRepo {
	t.Helper()
	r := &editedRepo{t: t, fsys: fsys, now: time.Unix(1e9, 0)}
	for _, f := range fsys {
		f.ModTime = r.now
	}
	r.s, r.g = r.builder(), &snapshot.Graph{FS: fsys}
	r.update()
	return r
}

func (r *editedRepo) builder() *Builder {
	r.t.Helper()
	s, err := NewBuilder(r.fsys, append([]lang.Frontend{gosyntax.Frontend()}, treesitter.Frontends()...), defaults)
	if err != nil {
		r.t.Fatal(err)
	}
	s.Now = func() time.Time { return r.now.Add(time.Hour) }
	return s
}

func (r *editedRepo) update() {
	r.t.Helper()
	st, _, err := r.s.Pass(context.Background(), r.st)
	if err != nil {
		r.t.Fatal(err)
	}
	for p, f := range st.Files { // an index reads what it saved; here it is at hand
		if f.Record == nil && r.st != nil && r.st.Files[p] != nil {
			f.Record = r.st.Files[p].Record
		}
	}
	g, err := r.s.Next(context.Background(), r.st, st, r.g)
	if err != nil {
		r.t.Fatal(err)
	}
	r.g, r.st = g, st
}

func (r *editedRepo) write(p string, data []byte) {
	r.now = r.now.Add(24 * time.Hour)
	r.fsys[p] = &fstest.MapFile{Data: data, ModTime: r.now}
	delete(r.trash, p)
}

func (r *editedRepo) remove(p string) {
	if r.trash == nil {
		r.trash = map[string][]byte{}
	}
	r.trash[p] = r.fsys[p].Data
	delete(r.fsys, p)
}

// edges lists the edges and open references of a graph.
func edges(g *snapshot.Graph) []string {
	kinds := [...]string{"contain", "import", "invoke", "inherit", "reference", "define"}
	levels := [...]string{"exact", "scope", "import", "member", "flow", "container", "name"}
	var out []string
	for _, n := range g.All() {
		for e := range g.Adjacent(n, false) {
			src, dst := g.Ends(e)
			sites, path := g.EdgeSites(e)
			out = append(out, fmt.Sprintf("%s -> %s %s %s %s %v", g.ID(src), g.ID(dst), kinds[g.EdgeKind(e)], levels[g.EdgeLevel(e)], path, sites))
		}
	}
	slices.Sort(out)
	open, outside := g.UnresolvedCount()
	return append(out, fmt.Sprint(open, " open, ", outside, " outside"))
}

// fresh links the repository as it is now from nothing.
func (r *editedRepo) fresh() *snapshot.Graph {
	r.t.Helper()
	s := r.builder()
	g, err := s.Build(context.Background())
	if err != nil {
		r.t.Fatal(err)
	}
	return g
}

// archive gives all cases of an archive as one repository.
func archive(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for _, f := range txtar.Parse(b).Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return fsys
}

var anyWord = regexp.MustCompile(`[A-Za-z_]\w+`)

// edit changes a source a little, as people and tools do.
func edit(r *rand.Rand, src []byte) []byte {
	lines := strings.SplitAfter(string(src), "\n")
	pick := func() int { return r.IntN(len(lines)) }
	switch r.IntN(7) {
	case 0: // a line goes
		i := pick()
		lines = slices.Delete(lines, i, i+1)
	case 1: // a line comes twice
		i := pick()
		lines = slices.Insert(lines, i, lines[i])
	case 2: // an empty line comes
		lines = slices.Insert(lines, pick(), "\n")
	case 3: // two lines change places
		i, j := pick(), pick()
		lines[i], lines[j] = lines[j], lines[i]
	case 4: // a name is another one of the file
		words := anyWord.FindAllString(string(src), -1)
		if len(words) > 1 {
			i := pick()
			if at := anyWord.FindStringIndex(lines[i]); at != nil {
				lines[i] = lines[i][:at[0]] + words[r.IntN(len(words))] + lines[i][at[1]:]
			}
		}
	case 5: // a name is another one everywhere
		words := anyWord.FindAllString(string(src), -1)
		if len(words) > 1 {
			a, b := words[r.IntN(len(words))], words[r.IntN(len(words))]
			return []byte(strings.ReplaceAll(string(src), a, b))
		}
	case 6: // a block moves to the end
		i := pick()
		j := i + r.IntN(len(lines)-i)
		lines = append(slices.Concat(lines[:i], lines[j:]), lines[i:j]...)
	}
	return []byte(strings.Join(lines, ""))
}

// change does one thing to a repository that people and tools do, or several at once, and says what it was.
func (e *editedRepo) change(r *rand.Rand) string {
	did := e.changeOne(r)
	for r.IntN(8) == 0 {
		did += ", " + e.changeOne(r)
	}
	return did
}

func (e *editedRepo) changeOne(r *rand.Rand) string {
	paths := slices.Sorted(maps.Keys(e.fsys))
	p := paths[r.IntN(len(paths))]
	other := paths[r.IntN(len(paths))]
	to := func(from, to string) string {
		if from == to {
			return "nothing"
		}
		e.write(to, e.fsys[from].Data)
		e.remove(from)
		return "renamed " + from + " to " + to
	}
	switch k := r.IntN(40); {
	case k < 3 && len(paths) > 5:
		e.remove(p)
		return "deleted " + p
	case k < 5 && len(e.trash) > 0: // something comes back
		gone := slices.Sorted(maps.Keys(e.trash))
		p := gone[r.IntN(len(gone))]
		e.write(p, e.trash[p])
		return "restored " + p
	case k < 6:
		c := path.Join(path.Dir(p), "copy_"+path.Base(p))
		e.write(c, e.fsys[p].Data)
		return "copied " + c
	case k < 8: // to the name of another file
		return to(p, path.Join(path.Dir(p), sourcetext.Stem(path.Base(other))+path.Ext(p)))
	case k < 9: // to another folder
		return to(p, path.Join(path.Dir(other), path.Base(p)))
	case k < 10: // a module becomes a folder, or the other way round
		dir, base := path.Split(p)
		inner := map[string]string{".py": "__init__.py", ".ts": "index.ts", ".tsx": "index.tsx", ".js": "index.js", ".rs": "mod.rs"}[path.Ext(p)]
		switch {
		case inner == "":
			return to(p, path.Join(dir, "sub", base))
		case base == inner && dir != "":
			return to(p, path.Clean(dir)+path.Ext(p))
		}
		return to(p, path.Join(dir, sourcetext.Stem(base), inner))
	case k < 11: // a folder gets another name
		dir := path.Dir(p)
		if dir == "." {
			return "nothing"
		}
		into := dir + "_moved"
		if cut, ok := strings.CutSuffix(dir, "_moved"); ok {
			into = cut
		}
		for _, q := range paths {
			if rest, ok := strings.CutPrefix(q, dir+"/"); ok {
				to(q, into+"/"+rest)
			}
		}
		return "moved the folder " + dir
	case k < 13: // files that decide where modules are
		name := []string{"__init__.py", "index.ts", "index.js", "mod.rs", "lib.rs", "go.mod", "tsconfig.json", "package.json", "Cargo.toml", "new.go", "New.java", "new.h", "new.txt"}[r.IntN(13)]
		c := path.Join(path.Dir(p), name)
		if _, ok := e.fsys[c]; ok {
			e.remove(c)
			return "deleted " + c
		}
		text := map[string]string{"go.mod": "module example.com/m\n", "tsconfig.json": `{"compilerOptions": {"baseUrl": "."}}`,
			"package.json": `{"name": "m", "main": "index.js"}`, "Cargo.toml": "[package]\nname = \"m\"\n", "new.go": "package main\n\nfunc helper() {}\n"}[name]
		if q := slices.IndexFunc(paths, func(q string) bool { return path.Ext(q) == path.Ext(name) }); text == "" && q >= 0 {
			text = string(e.fsys[paths[q]].Data)
		}
		e.write(c, []byte(text))
		return "wrote " + c
	}
	e.write(p, edit(r, e.fsys[p].Data))
	return "edited " + p
}

// After any edits, deletions and renames the graph must be the one that a fresh build gives. FINDSPOT_EDITS is the
// number of edits for each language, FINDSPOT_SEED begins other ones, and FINDSPOT_BENCH_REPO is the one repository to edit.
func TestUpdatesEqualFreshBuild(t *testing.T) {
	number := func(name string, otherwise int) int {
		s := os.Getenv(name)
		if s == "" {
			return otherwise
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	steps, seed := number("FINDSPOT_EDITS", 25), number("FINDSPOT_SEED", 1) // steps for each language
	repos := map[string]fstest.MapFS{}
	if dir := os.Getenv("FINDSPOT_BENCH_REPO"); dir != "" {
		fsys := fstest.MapFS{}
		err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			b, err := os.ReadFile(dir + "/" + p)
			fsys[p] = &fstest.MapFile{Data: b}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		repos["bench"] = fsys
	} else {
		for _, pattern := range []string{"../../treesitter/*/testdata/*.txtar", "../../gosyntax/testdata/*.txtar"} {
			list, err := filepath.Glob(pattern)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range list {
				repos[name] = archive(t, name)
			}
		}
	}
	for name, fsys := range repos {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 2))
			repo := newEditedRepo(t, fsys)
			followed := 0
			for step := range steps {
				did := repo.change(r)
				before := 0
				if repo.s.linker != nil {
					before = repo.s.linker.Updates
				}
				repo.update()
				if repo.s.linker.Updates > before {
					followed++
				}
				if d := cmp.Diff(edges(repo.fresh()), edges(repo.g)); d != "" {
					t.Fatalf("step %d, %s: edges (-fresh +updated):\n%s", step, did, d)
				}
			}
			t.Logf("%d of %d steps did over only a part", followed, steps)
		})
	}
}

// What another file was asked for in vain must be asked again when an edit brings it, and what it gave when an edit takes it.
func TestUpdateAcrossFiles(t *testing.T) {
	files := map[string]string{
		"a.py": "class A:\n    def f(self): pass\n",
		"b.py": "from a import A\nclass B(A):\n    def g(self): pass\n",
		"c.py": "from b import B\ndef use():\n    B().f()\n",
		"d.py": "def run(cb):\n    cb()\n",
		"e.py": "from d import run\ndef h(): pass\ndef go():\n    run(h)\n",
		"f.py": "from d import *\ndef later():\n    extra()\n",
	}
	tests := []struct{ name, path, text, edge string }{
		{"a method comes between", "b.py", files["b.py"] + "    def f(self): pass\n", "c.py:use -> b.py:B.f invoke"},
		{"and goes", "b.py", files["b.py"], "c.py:use -> a.py:A.f invoke"},
		{"an argument is another", "e.py", "from d import run\ndef h(): pass\ndef i(): pass\ndef go():\n    run(i)\n", "d.py:run -> e.py:i invoke"},
		{"an argument goes", "e.py", "def h(): pass\n", ""},
		{"a name comes", "d.py", files["d.py"] + "def extra(): pass\n", "f.py:later -> d.py:extra invoke"},
		{"bases change", "b.py", "class B:\n    def g(self): pass\n", ""},
	}
	fsys := fstest.MapFS{}
	for p, s := range files {
		fsys[p] = &fstest.MapFile{Data: []byte(s)}
	}
	repo := newEditedRepo(t, fsys)
	repo.write("a.py", []byte(files["a.py"]+"\n")) // the first update links all
	repo.update()
	for i, tt := range tests {
		repo.write(tt.path, []byte(tt.text))
		repo.update()
		if repo.s.linker.Updates != i+1 {
			t.Errorf("%s: linked anew", tt.name)
		}
		got := edges(repo.g)
		if d := cmp.Diff(edges(repo.fresh()), got); d != "" {
			t.Fatalf("%s: edges (-fresh +updated):\n%s", tt.name, d)
		}
		if tt.edge != "" && !slices.ContainsFunc(got, func(e string) bool { return strings.HasPrefix(e, tt.edge) }) {
			t.Errorf("%s: no edge %s in %q", tt.name, tt.edge, got)
		}
	}
}

// A file that comes, goes or gets another name changes what imports of other files lead to; only what rests on these is linked.
func TestUpdateMovesFiles(t *testing.T) {
	fsys := fstest.MapFS{}
	for p, s := range map[string]string{
		"app.py":       "from lib.util import helper\nfrom lib import late\nimport lib.deep.end\ndef go():\n    helper()\n    late.run()\n    lib.deep.end.f()\n",
		"lib/one.py":   "def first(): pass\n",
		"star.py":      "from lib.names import *\ndef all_of():\n    brought()\n",
		"web/main.ts":  "import { make } from './maker'\nimport { far } from '@far/thing'\nexport function start() { make(); far() }\n",
		"go.mod":       "module example.com/a\n",
		"cmd/main.go":  "package main\n\nimport \"example.com/a/dep\"\n\nfunc main() { dep.Do(); local() }\n",
		"dep/dep.go":   "package dep\n\nfunc Other() {}\n",
		"far/thing.ts": "export function far() {}\n",
		"src/lib.rs":   "mod inner;\npub fn start() { inner::work() }\n",
		"p/A.java":     "package p;\nclass A { void f() { new B().g(); } }\n",
		"c/user.c":     "int f(void) { return 0; }\n",
	} {
		fsys[p] = &fstest.MapFile{Data: []byte(s)}
	}
	repo := newEditedRepo(t, fsys)
	repo.write("lib/one.py", []byte("def first(): return 1\n")) // the first update links all
	repo.update()
	tests := []struct {
		name  string
		write map[string]string // "" removes
		edge  string
		not   bool // the edge goes
	}{
		{"a module comes", map[string]string{"lib/util.py": "def helper(): pass\n"}, "app.py:go -> lib/util.py:helper invoke", false},
		{"it becomes a package", map[string]string{"lib/util.py": "", "lib/util/__init__.py": "def helper(): pass\n"}, "app.py:go -> lib/util/__init__.py:helper invoke", false},
		{"it goes", map[string]string{"lib/util/__init__.py": ""}, "app.py:go -> lib/util", true},
		{"a submodule comes", map[string]string{"lib/late.py": "def run(): pass\n"}, "app.py:go -> lib/late.py:run invoke", false},
		{"the package gets a file of its own", map[string]string{"lib/__init__.py": "late = None\n"}, "app.py:go -> lib/late.py:run invoke", true},
		{"a module of a dotted import comes", map[string]string{"lib/deep/end.py": "def f(): pass\n"}, "app.py:go -> lib/deep/end.py:f invoke", false},
		{"names come with a star", map[string]string{"lib/names.py": "def brought(): pass\n"}, "star.py:all_of -> lib/names.py:brought invoke", false},
		{"a module of TypeScript comes", map[string]string{"web/maker/index.ts": "export function make() {}\n"}, "web/main.ts:start -> web/maker/index.ts:make invoke", false},
		{"another one is nearer", map[string]string{"web/maker.ts": "export function make() {}\n"}, "web/main.ts:start -> web/maker.ts:make invoke", false},
		{"paths are mapped", map[string]string{"web/tsconfig.json": `{"compilerOptions": {"paths": {"@far/*": ["../far/*"]}}}`}, "web/main.ts:start -> far/thing.ts:far invoke", false},
		{"a file joins its package", map[string]string{"cmd/local.go": "package main\n\nfunc local() {}\n"}, "cmd/main.go:main -> cmd/local.go:local invoke", false},
		{"a file joins an imported package", map[string]string{"dep/do.go": "package dep\n\nfunc Do() {}\n"}, "cmd/main.go:main -> dep/do.go:Do invoke", false},
		{"its clause is another", map[string]string{"cmd/local.go": "package other\n\nfunc local() {}\n"}, "cmd/main.go:main -> cmd/local.go:local invoke", true},
		{"the module has another path", map[string]string{"go.mod": "module example.com/b\n"}, "cmd/main.go:main -> dep/do.go:Do invoke", true},
		{"a module of Rust comes", map[string]string{"src/inner.rs": "pub fn work() {}\n"}, "src/lib.rs:start -> src/inner.rs:work invoke", false},
		{"it is not declared any more", map[string]string{"src/lib.rs": "pub fn start() { inner::work() }\n"}, "src/lib.rs:start -> src/inner.rs:work invoke", true},
		{"a class joins a package", map[string]string{"p/B.java": "package p;\nclass B { void g() {} }\n"}, "p/A.java:A.f -> p/B.java:B.g invoke member", false},
		{"and leaves it", map[string]string{"p/B.java": "package q;\nclass B { void g() {} }\n"}, "p/A.java:A.f -> p/B.java:B.g invoke member", true},
	}
	for i, tt := range tests {
		for p, text := range tt.write {
			if text == "" {
				repo.remove(p)
			} else {
				repo.write(p, []byte(text))
			}
		}
		repo.update()
		if repo.s.linker.Updates != i+1 {
			t.Fatalf("%s: linked anew", tt.name)
		}
		got := edges(repo.g)
		if d := cmp.Diff(edges(repo.fresh()), got); d != "" {
			t.Fatalf("%s: edges (-fresh +updated):\n%s", tt.name, d)
		}
		if slices.ContainsFunc(got, func(e string) bool { return strings.HasPrefix(e, tt.edge) }) == tt.not {
			t.Errorf("%s: edge %s is wrong in %q", tt.name, tt.edge, got)
		}
	}
}

// Where more values come together than are followed, what follows from them may take them away again. Updates must end there
// all the same, without linking everything.
func TestUpdateOfTooManyValues(t *testing.T) {
	var filters, uses strings.Builder
	filters.WriteString("from library import Library\nregister = Library()\n")
	uses.WriteString("from filters import *\n")
	for i := range value.MaxValues / 2 {
		fmt.Fprintf(&filters, "@register.filter\ndef f%d(value): return value\n", i)
	}
	for i := range value.MaxValues {
		fmt.Fprintf(&uses, "class C%d: pass\ndef use%d():\n    f%d(C%d())\n", i, i, i%(value.MaxValues/2), i)
	}
	repo := newEditedRepo(t, fstest.MapFS{
		"filters.py": {Data: []byte(filters.String())},
		"uses.py":    {Data: []byte(uses.String())},
		"library.py": {Data: []byte(`class Library:
    def __init__(self):
        self.filters = {}
    def filter(self, name=None, filter_func=None):
        if name is None and filter_func is None:
            def dec(func):
                return self.filter_function(func)
            return dec
        elif name is not None and filter_func is None:
            if callable(name):
                return self.filter_function(name)
            def dec(func):
                return self.filter(name, func)
            return dec
        self.filters[name] = filter_func
        return filter_func
    def filter_function(self, func):
        name = getattr(func, "_decorated_function", func).__name__
        return self.filter(name, func)
`)},
		"own.py": {Data: []byte("from filters import register, f1, f2\n@register.filter\ndef mine(x): return f1(f2(x))\nmine(f1(mine))\n")},
	})
	own, err := fs.ReadFile(repo.fsys, "own.py")
	if err != nil {
		t.Fatal(err)
	}
	repo.write("own.py", append(own, '\n')) // the first update links all
	repo.update()
	for i := range 6 {
		if i%2 == 0 {
			repo.remove("own.py")
		} else {
			repo.write("own.py", own)
		}
		repo.update()
		if repo.s.linker.Updates != i+1 {
			t.Errorf("step %d: linked anew", i)
		}
		if d := cmp.Diff(edges(repo.fresh()), edges(repo.g)); d != "" {
			t.Fatalf("step %d: edges (-fresh +updated):\n%s", i, d)
		}
	}
}
