//go:build cgo

package update

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter"
)

// allEdges lists the edges and open references of a graph that is linked with its equations taken in some order.
func allEdges(t *testing.T, fsys fs.FS, shuffle func(n int, swap func(i, j int))) []string {
	t.Helper()
	b, err := NewBuilder(fsys, append([]lang.Frontend{gosyntax.Frontend()}, treesitter.Frontends()...), defaults)
	if err != nil {
		t.Fatal(err)
	}
	b.Shuffle = shuffle
	g, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return edges(g)
}

// The graph must not depend on the order in which the linker's equations are solved: only then can a part of them be
// solved again. FINDSPOT_BENCH_REPO names one more repository to try it on.
func TestOrderOfEquations(t *testing.T) {
	repos := map[string]fs.FS{"receiver": os.DirFS("../../../examples/testdata/receiver")}
	if dir := os.Getenv("FINDSPOT_BENCH_REPO"); dir != "" {
		repos["bench"] = os.DirFS(dir)
	}
	for _, pattern := range []string{"../../treesitter/*/testdata/*.txtar", "../../gosyntax/testdata/*.txtar"} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range list { // all cases of a language as one repository
			repos[strings.TrimSuffix(path.Base(name), ".txtar")] = archive(t, name)
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
