//go:build cgo

package codegraph

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter"
)

// allEdges lists the edges and open references of a graph that is linked with its equations taken in some order.
func allEdges(t *testing.T, fsys fs.FS, shuffle func(n int, swap func(i, j int))) []string {
	t.Helper()
	opt, err := (*Options)(nil).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	s, err := newBuilder(fsys, append([]lang.Frontend{gosyntax.Frontend()}, treesitter.Frontends()...), opt)
	if err != nil {
		t.Fatal(err)
	}
	s.shuffle = shuffle
	st, _, err := s.Pass(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := relink(context.Background(), s, nil, st, &Graph{fsys: fsys})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for e := range g.Edges() {
		out = append(out, fmt.Sprintf("%s -> %s %s %s %v", e.Src, e.Dst, e.Kind, e.Level, e.Sites))
	}
	open, outside := g.UnresolvedCount()
	out = append(out, fmt.Sprint(open, outside))
	slices.Sort(out)
	return out
}

// The graph must not depend on the order in which the linker's equations are solved: only then can a part of them be
// solved again. FINDSPOT_BENCH_REPO names one more repository to try it on.
func TestOrderOfEquations(t *testing.T) {
	repos := map[string]fs.FS{"receiver": os.DirFS("../examples/testdata/receiver")}
	if dir := os.Getenv("FINDSPOT_BENCH_REPO"); dir != "" {
		repos["bench"] = os.DirFS(dir)
	}
	for _, pattern := range []string{"treesitter/*/testdata/*.txtar", "gosyntax/testdata/*.txtar"} {
		list, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range list { // all cases of a language as one repository
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			fsys := fstest.MapFS{}
			for _, f := range txtar.Parse(b).Files {
				fsys[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			repos[strings.TrimSuffix(path.Base(name), ".txtar")] = fsys
		}
	}
	for name, fsys := range repos {
		t.Run(name, func(t *testing.T) {
			want := allEdges(t, fsys, nil)
			for seed := range uint64(4) {
				r := rand.New(rand.NewPCG(seed, 0))
				got := allEdges(t, fsys, func(n int, swap func(i, j int)) { swap(0, r.IntN(n)) })
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("seed %d: edges (-want +got):\n%s", seed, d)
				}
			}
		})
	}
}
