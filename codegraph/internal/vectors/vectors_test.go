package vectors

import (
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/update"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/internal/vector"
)

// hashed is an embedder without a model: each word counts in one place of the vector, and the words of a line of same in one.
type hashed struct {
	size int
	same []string

	mu    sync.Mutex // guards what follows
	fail  error
	texts []string
}

func (h *hashed) Name() string { return "hashed" }

func (h *hashed) Embed(_ context.Context, texts []string) ([][]float32, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fail != nil {
		return nil, h.fail
	}
	h.texts = append(h.texts, texts...)
	var out [][]float32
	for _, s := range texts {
		v := make([]float32, h.size)
		for _, w := range text.Terms(s) {
			for _, line := range h.same {
				if strings.Contains(" "+line+" ", " "+w+" ") {
					w = line
				}
			}
			f := fnv.New32a()
			f.Write([]byte(w))
			v[f.Sum32()%uint32(h.size)]++
		}
		out = append(out, v)
	}
	return out, nil
}

func (h *hashed) set(fail error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fail, h.texts = fail, nil
}

func (h *hashed) asked() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.texts)
}

var source = fstest.MapFS{
	"go.mod":          {Data: []byte("module example.com/m\n")},
	"auth/a.go":       {Data: []byte("package auth\n\n// Authenticate says who somebody is.\nfunc Authenticate(name string) bool {\n\treturn name != \"\"\n}\n")},
	"bread/b.go":      {Data: []byte("package bread\n\n// Bake makes loaves of flour.\nfunc Bake() {}\n\ntype Oven struct{}\n\nfunc (o *Oven) Heat() {}\n")},
	"bread/b_test.go": {Data: []byte("package bread\n\nimport \"testing\"\n\nfunc TestBake(t *testing.T) {}\n")},
}

func graphOf(t *testing.T, files fstest.MapFS) *snapshot.Graph {
	t.Helper()
	o := update.Options{Options: scan.Options{MaxFile: 1 << 20, Logger: slog.New(slog.DiscardHandler), Progress: func(string, int, int) {}}}
	b, err := update.NewBuilder(files, []lang.Frontend{gosyntax.Frontend()}, o)
	if err != nil {
		t.Fatal(err)
	}
	g, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func poolIn(dir string) *factpool.Pool {
	return &factpool.Pool{Dir: dir, Size: factpool.PoolSize, Logger: slog.New(slog.DiscardHandler)}
}

func quiet(string, int, int) {}

func near(t *testing.T, x *Index, g *snapshot.Graph, question string, n int) string {
	t.Helper()
	list, _, err := x.Near(t.Context(), g, question, n, func(uint32) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range list {
		out = append(out, g.ID(s.Node))
	}
	return strings.Join(out, " ")
}

func TestNear(t *testing.T) {
	g := graphOf(t, source)
	e := &hashed{size: 2048, same: []string{"authent login sign"}}
	dir := t.TempDir()
	x := New(e, poolIn(dir), slog.New(slog.DiscardHandler))
	if got := near(t, x, g, "sign", 3); got != "" {
		t.Errorf("before there are vectors: %s", got)
	}
	last := 0
	if err := x.Fill(t.Context(), g, func(path string, done, all int) {
		if done <= last || all != 4 || path == "" {
			t.Errorf("progress: %s, %d of %d after %d", path, done, all, last)
		}
		last = done
	}); err != nil || last != 4 {
		t.Fatal(last, err)
	}
	if done, all := x.Count(g); done != 4 || all != 4 {
		t.Errorf("%d of %d have vectors, want 4 of 4: no tests", done, all)
	}
	if got := near(t, x, g, "sign", 1); got != "auth/a.go:Authenticate" {
		t.Errorf("nearest to sign: %s", got)
	}
	if got := near(t, x, g, "flour loaves", 1); got != "bread/b.go:Bake" {
		t.Errorf("nearest to flour loaves: %s", got)
	}
	list, compared, err := x.Near(t.Context(), g, "flour oven", 2, func(n uint32) bool { return g.Name(n) != "Bake" })
	if err != nil || g.Name(list[0].Node) != "Oven" || len(list) != 2 || compared != 3 {
		t.Errorf("without Bake: %v, %v", list, err)
	}

	// Another index finds the vectors of equal files in the pool; only what differs is made.
	other := fstest.MapFS{}
	for p, f := range source {
		other[p] = f
	}
	other["auth/a.go"] = &fstest.MapFile{Data: []byte("package auth\n\n// Login is another one.\nfunc Login() {}\n")}
	h := graphOf(t, other)
	e.set(nil)
	y := New(e, poolIn(dir), slog.New(slog.DiscardHandler))
	if done, all := y.Count(h); done != 3 || all != 4 {
		t.Errorf("%d of %d from the pool, want 3 of 4", done, all)
	}
	if err := y.Fill(t.Context(), h, quiet); err != nil || e.asked() != 1 {
		t.Errorf("%d texts were embedded, want 1; %v", e.asked(), err)
	}
	if got := near(t, y, h, "sign", 1); got != "auth/a.go:Login" {
		t.Errorf("nearest to sign: %s", got)
	}

	// Without a pool they live in memory, and pass from one graph to the next.
	e.set(nil)
	z := New(e, nil, slog.New(slog.DiscardHandler))
	for _, g := range []*snapshot.Graph{g, h} {
		if err := z.Fill(t.Context(), g, quiet); err != nil {
			t.Fatal(err)
		}
	}
	if e.asked() != 5 {
		t.Errorf("%d texts were embedded, want 4 and the one that changed", e.asked())
	}

	// A model of other vectors under the name is told from the one before.
	w := New(&hashed{size: 64}, poolIn(dir), slog.New(slog.DiscardHandler))
	if _, _, err := w.Near(t.Context(), g, "sign", 1, func(uint32) bool { return true }); !errors.Is(err, errs.Unsupported) {
		t.Errorf("vectors of two sizes: %v", err)
	}
}

// TestCosines: those of single entities are what the search for the nearest gives.
func TestCosines(t *testing.T) {
	g := graphOf(t, source)
	x := New(&hashed{size: 2048}, nil, slog.New(slog.DiscardHandler))
	d, err := x.Direction(t.Context(), "flour loaves")
	if err != nil {
		t.Fatal(err)
	}
	all := func(uint32) bool { return true }
	if got, err := x.Cosines(g, d, all); err != nil || len(got) != 0 {
		t.Errorf("before there are vectors: %v, %v", got, err)
	}
	if err := x.Fill(t.Context(), g, quiet); err != nil {
		t.Fatal(err)
	}
	list, _, err := x.Near(t.Context(), g, "flour loaves", 9, all)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.SortedFunc(slices.Values(list), func(a, b Scored) int { return int(a.Node) - int(b.Node) })
	got, err := x.Cosines(g, d, all)
	if err != nil || len(got) != 4 || cmp.Diff(want, got) != "" {
		t.Errorf("cosines (-near +got), %v:\n%s", err, cmp.Diff(want, got))
	}
	bake, _ := g.Find("bread/b.go:Bake")
	got, err = x.Cosines(g, d, func(n uint32) bool { return n == bake })
	if err != nil || len(got) != 1 || got[0] != list[0] || got[0].Node != bake || got[0].Similarity < .3 {
		t.Errorf("of Bake alone: %v, %v", got, err)
	}
	if _, err := x.Cosines(g, d[:64], all); !errors.Is(err, errs.Unsupported) {
		t.Errorf("vectors of two sizes: %v", err)
	}
}

func TestFollow(t *testing.T) {
	g := graphOf(t, source)
	e := &hashed{size: 64, fail: errors.New("no route to it")}
	x := New(e, nil, slog.New(slog.DiscardHandler))
	x.Follow(g)
	for {
		if running, err := x.State(); err != nil {
			if !running || !strings.Contains(err.Error(), "no route") {
				t.Errorf("running %v, %v", running, err)
			}
			break
		}
		time.Sleep(time.Millisecond)
	}
	x.Close()
	e.set(nil)
	y := New(e, nil, slog.New(slog.DiscardHandler))
	defer y.Close()
	y.Follow(g)
	for {
		if done, all := y.Count(g); done == all && all == 4 {
			break
		}
		time.Sleep(time.Millisecond)
	}
}

func TestText(t *testing.T) {
	g := graphOf(t, source)
	n, ok := g.Find("auth/a.go:Authenticate")
	if !ok {
		t.Fatal("it is not there")
	}
	want := "a, authenticate.\n// Authenticate says who somebody is.\nfunc Authenticate(name string) bool {\nreturn name != \"\"\n}\n"
	if got := textOf(g, n, string(source["auth/a.go"].Data)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	long := "package a\n\nfunc F() {\n" + strings.Repeat("\tx = \"ä\"\n", 1000) + "}\n"
	g = graphOf(t, fstest.MapFS{"a.go": {Data: []byte(long)}})
	n, _ = g.Find("a.go:F")
	if got := textOf(g, n, long); len(got) > maxText || len(got) < maxText-10 || !strings.HasPrefix(got, "a, f.\n") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

// What is kept comes back, near to what it was.
func TestEncode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var vs [][]float32
	for range 5 {
		v := make([]float32, 100)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		v, _ = vector.Unit(v)
		vs = append(vs, v)
	}
	vs = append(vs, nil)
	f, err := decode(newFile(vs, 100).encode(), 6)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vs[:5] {
		if c := f.cosine(i, v); c < .9999 || c > 1.0001 {
			t.Errorf("cosine of vector %d with itself: %v", i, c)
		}
	}
	if f.scales[5] != 0 {
		t.Errorf("a vector without a direction has scale %v", f.scales[5])
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(newFile([][]float32{{1, 0}, {0, 1}}, 2).encode(), 2)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff}, 1)
	f.Add([]byte{}, 0)
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		v, err := decode(b, n)
		if err != nil {
			return
		}
		if len(v.scales) != n || len(v.bytes) != n*v.size || len(v.codes) != n*vector.CodeSize(v.size) {
			t.Fatalf("%d vectors of %d numbers: %d scales, %d bytes, %d of codes", n, v.size, len(v.scales), len(v.bytes), len(v.codes))
		}
		q := make([]float32, v.size)
		for i := range n {
			v.cosine(i, q)
		}
	})
}
