//go:build cgo

package codegraph

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
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
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter"
)

// An editedRepo is a repository in memory with a graph that follows its edits.
type editedRepo struct {
	t    *testing.T
	fsys fstest.MapFS
	s    *scanner
	st   *state
	g    *Graph
	now  time.Time
}

func newEditedRepo(t *testing.T, fsys fstest.MapFS) *editedRepo {
	t.Helper()
	r := &editedRepo{t: t, fsys: fsys, now: time.Unix(1e9, 0)}
	for _, f := range fsys {
		f.ModTime = r.now
	}
	r.s, r.g = r.scanner(), &Graph{fsys: fsys}
	r.update()
	return r
}

func (r *editedRepo) scanner() *scanner {
	r.t.Helper()
	opt, err := (*Options)(nil).withDefaults()
	if err != nil {
		r.t.Fatal(err)
	}
	s, err := newScanner(r.fsys, append([]lang.Frontend{gosyntax.Frontend()}, treesitter.Frontends()...), opt)
	if err != nil {
		r.t.Fatal(err)
	}
	s.now = func() time.Time { return r.now.Add(time.Hour) }
	return s
}

func (r *editedRepo) update() {
	r.t.Helper()
	st, _, err := r.s.pass(context.Background(), r.st)
	if err != nil {
		r.t.Fatal(err)
	}
	for p, f := range st.files { // an index reads what it saved; here it is at hand
		if f.rec == nil && r.st != nil && r.st.files[p] != nil {
			f.rec = r.st.files[p].rec
		}
	}
	g, err := relink(context.Background(), r.s, r.st, st, r.g)
	if err != nil {
		r.t.Fatal(err)
	}
	r.g, r.st = g, st
}

func (r *editedRepo) write(p string, data []byte) {
	r.now = r.now.Add(24 * time.Hour)
	r.fsys[p] = &fstest.MapFile{Data: data, ModTime: r.now}
}

// edges lists the edges and open references of a graph.
func edges(g *Graph) []string {
	var out []string
	for e := range g.Edges() {
		out = append(out, fmt.Sprintf("%s -> %s %s %s %v", e.Src, e.Dst, e.Kind, e.Level, e.Sites))
	}
	open, outside := g.UnresolvedCount()
	return append(out, fmt.Sprint(open, " open, ", outside, " outside"))
}

// fresh links the repository as it is now from nothing.
func (r *editedRepo) fresh() *Graph {
	r.t.Helper()
	s := r.scanner()
	st, _, err := s.pass(context.Background(), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	g, err := relink(context.Background(), s, nil, st, &Graph{fsys: r.fsys})
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

// After any edits, deletions and renames the graph must be the one that a fresh build gives. FINDSPOT_EDITS is the
// number of edits for each language, and FINDSPOT_BENCH_REPO one more repository to edit.
func TestUpdatesEqualFreshBuild(t *testing.T) {
	steps := 25 // for each language
	if n := os.Getenv("FINDSPOT_EDITS"); n != "" {
		var err error
		if steps, err = strconv.Atoi(n); err != nil {
			t.Fatal(err)
		}
	}
	repos := map[string]fstest.MapFS{}
	for _, pattern := range []string{"treesitter/testdata/*.txtar", "gosyntax/testdata/*.txtar"} {
		list, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range list {
			repos[name] = archive(t, name)
		}
	}
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
	}
	for name, fsys := range repos {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2))
			repo := newEditedRepo(t, fsys)
			followed := 0
			for step := range steps {
				paths := make([]string, 0, len(fsys))
				for p := range fsys {
					paths = append(paths, p)
				}
				slices.Sort(paths)
				p := paths[r.IntN(len(paths))]
				did := "edited"
				switch k := r.IntN(40); {
				case k == 0 && len(paths) > 20:
					delete(fsys, p)
					did = "deleted"
				case k == 1:
					repo.write(p+".moved"+p[strings.LastIndexByte(p, '.')+1:], fsys[p].Data)
					did = "copied"
				default:
					repo.write(p, edit(r, fsys[p].Data))
				}
				repo.update()
				if repo.s.linker.updates > 0 {
					followed++
				}
				if d := cmp.Diff(edges(repo.fresh()), edges(repo.g)); d != "" {
					t.Fatalf("step %d, %s %s: edges (-fresh +updated):\n%s", step, did, p, d)
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
		if repo.s.linker.updates != i+1 {
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
