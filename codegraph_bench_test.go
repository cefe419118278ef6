package findspot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/need"
)

const bleve = "github.com/blevesearch/bleve/v2"

// The benchmarks of the code graph run over the repository that FINDSPOT_BENCH_REPO names; docs/bench/codegraph.md says what
// they gave. BenchmarkCodeUpdate edits a copy. BenchmarkLocate needs no such repository: it asks about a module that go.mod names.
func benchRepo(b *testing.B) string {
	b.Helper()
	dir := os.Getenv("FINDSPOT_BENCH_REPO")
	if dir == "" {
		b.Skip("FINDSPOT_BENCH_REPO is not set")
	}
	return dir
}

func openCode(b *testing.B, dir, root string) *codegraph.Index {
	b.Helper()
	ix, err := codegraph.Open(b.Context(), dir, root, findspot.Languages(), nil)
	if err != nil {
		b.Fatal(err)
	}
	return ix
}

func BenchmarkCodeBuild(b *testing.B) {
	root := benchRepo(b)
	b.ReportAllocs()
	for b.Loop() {
		openCode(b, b.TempDir(), root).Close()
	}
}

func BenchmarkCodeOpen(b *testing.B) {
	root, dir := benchRepo(b), b.TempDir()
	openCode(b, dir, root).Close()
	b.ReportAllocs()
	for b.Loop() {
		openCode(b, dir, root).Close()
	}
}

func BenchmarkCodeFirstSearch(b *testing.B) {
	root, dir := benchRepo(b), b.TempDir()
	openCode(b, dir, root).Close()
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		ix := openCode(b, dir, root)
		b.StartTimer()
		if _, err := ix.Graph().Search(b.Context(), "how are circular dependencies ordered", nil); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		ix.Close()
		b.StartTimer()
	}
}

// BenchmarkCodeLook looks at every file where nothing has changed.
func BenchmarkCodeLook(b *testing.B) {
	ix := openCode(b, b.TempDir(), benchRepo(b))
	defer ix.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ix.Update(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCodeSearchName searches for a name when the words are at hand.
func BenchmarkCodeSearchName(b *testing.B) {
	ix := openCode(b, b.TempDir(), benchRepo(b))
	defer ix.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ix.Graph().Search(b.Context(), "get_queryset", nil); err != nil {
			b.Fatal(err)
		}
	}
}

// mostConnected gives the function with most invoke edges.
func mostConnected(g *codegraph.Graph) string {
	degree := map[string]int{}
	for e := range g.Edges() {
		if e.Kind == codegraph.Invoke {
			degree[e.Dst]++
			degree[e.Src]++
		}
	}
	most, n := "/", 0
	for id, d := range degree {
		if e, _ := g.Entity(id); e.Kind == codegraph.KindFunction && (d > n || d == n && id < most) {
			most, n = id, d
		}
	}
	return most
}

func BenchmarkCodeTraverse(b *testing.B) {
	ix := openCode(b, b.TempDir(), benchRepo(b))
	defer ix.Close()
	g := ix.Graph()
	id := mostConnected(g)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Traverse(b.Context(), []string{id}, &codegraph.TraverseOptions{Direction: codegraph.Both, Hops: 3}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLocate ranks the places of a report of some length, when the words are at hand.
func BenchmarkLocate(b *testing.B) {
	g, err := codegraph.Build(b.Context(), os.DirFS(need.Module(b, bleve)), findspot.Languages(), nil)
	if err != nil {
		b.Fatal(err)
	}
	const report = "Hits with broken bytes have no snippets\n\nSome of our mails are stored in Latin-1 by mistake. Such hits have no highlighted fragment, " +
		"though the match is in a part that is plain ASCII.\n\n```go\nreq := bleve.NewSearchRequest(bleve.NewMatchQuery(\"report\"))\n" +
		"req.Highlight = bleve.NewHighlight()\n```\n\npanic: index out of range\n\ngoroutine 1 [running]:\n" +
		"github.com/blevesearch/bleve/v2/search/highlight/fragmenter/simple.(*Fragmenter).Fragment(0x1)\n\t/go/bleve/search/highlight/fragmenter/simple/simple.go:50 +0x1\n"
	locate := func() {
		res, err := g.Locate(b.Context(), report, nil)
		if err != nil || len(res.Spots) == 0 {
			b.Fatalf("Locate = %+v, %v", res, err)
		}
	}
	locate() // the first question also counts the words
	b.ReportAllocs()
	for b.Loop() {
		locate()
	}
}

func BenchmarkCodeUpdate(b *testing.B) {
	root := b.TempDir()
	if err := os.CopyFS(root, os.DirFS(benchRepo(b))); err != nil {
		b.Fatal(err)
	}
	ix := openCode(b, b.TempDir(), root)
	defer ix.Close()
	var paths []string
	for e := range ix.Graph().Entities() {
		if e.Kind == codegraph.KindFile && e.EndLine > 20 && !strings.Contains(e.Path, "/migrations/") {
			paths = append(paths, e.Path)
		}
	}
	i := 0
	for b.Loop() {
		b.StopTimer()
		i++
		p := filepath.Join(root, filepath.FromSlash(paths[i*7919%len(paths)]))
		src, err := os.ReadFile(p)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(p, append(src, '\n'), 0o666); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if _, err := ix.Update(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
