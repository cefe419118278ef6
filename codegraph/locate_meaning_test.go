package codegraph_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

var doors = fstest.MapFS{
	"go.mod":        {Data: []byte("module example.com/m\n")},
	"auth/a.go":     {Data: []byte("package auth\n\n// Authenticate admits a user by name.\nfunc Authenticate(user string) bool { return user != \"\" }\n\n// Leave ends a login, any login.\nfunc Leave() {}\n\n// Count counts what was admitted.\nfunc Count() int { return 0 }\n")},
	"bread/b.go":    {Data: []byte("package bread\n\n// Label gives the name of a loaf.\nfunc Label(loaf string) string { return loaf }\n")},
	"bread/oven.go": {Data: []byte("package bread\n\n// Heat bakes.\nfunc Heat() {}\n")},
}

// asking counts the reports that an embedder is asked for, and ends the call that asks.
type asking struct {
	byWords
	n   atomic.Int32
	end func()
}

func (e *asking) EmbedQueries(ctx context.Context, texts []string) ([][]float32, error) {
	e.n.Add(1)
	if e.end != nil {
		e.end()
		return nil, ctx.Err()
	}
	return e.Embed(ctx, texts)
}

// TestLocateByMeaning: with vectors a report also finds what it calls by other words, among what its words find.
func TestLocateByMeaning(t *testing.T) {
	const report = "sign in fails for a name"
	top := t.TempDir()
	root := filepath.Join(top, "repo")
	write(t, root, doors)
	e := &asking{}
	open := func(dir string, o codegraph.Options) *codegraph.Index {
		t.Helper()
		ix, err := codegraph.Open(t.Context(), filepath.Join(top, dir), root, []lang.Frontend{gosyntax.Frontend()}, &o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ix.Close() })
		return ix
	}
	ask := func(g *codegraph.Graph, o *codegraph.LocateOptions) *codegraph.LocateResult {
		t.Helper()
		return locate(t, g, report, o)
	}
	plain := ask(open("plain", codegraph.Options{}).Graph(), nil)
	if plain.Spots[0].Path != "bread/b.go" || plain.Vectors != 0 {
		t.Fatalf("by words: %+v", plain)
	}

	e.broken.Store(true)
	ix := open("index", codegraph.Options{Embedder: e})
	failed := ask(ix.Graph(), nil)
	if !strings.Contains(failed.VectorsError, "no route") {
		t.Errorf("VectorsError = %q", failed.VectorsError)
	}
	failed.VectorsError = ""
	if d := cmp.Diff(plain, failed); d != "" {
		t.Errorf("an embedder that does not work changes the ranking (-plain +got):\n%s", d)
	}
	e.broken.Store(false)
	if err := ix.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}

	res := ask(ix.Graph(), nil)
	if s := res.Spots[0]; s.ID != "auth/a.go" || res.Vectors != 4 || res.Total != plain.Total {
		t.Errorf("first of %d, %d vectors: %+v", res.Total, res.Vectors, s)
	}
	for id, want := range map[string]codegraph.Reason{
		"auth/a.go":              {Signal: "meaning", Words: []string{"Authenticate"}},
		"auth/a.go:Authenticate": {Signal: "entity_meaning", Words: []string{}},
	} {
		why := find(t, res, id).Why
		i := slices.IndexFunc(why, func(r codegraph.Reason) bool { return r.Signal == want.Signal })
		if i < 0 || why[i].Score <= 0 || cmp.Diff(want.Words, why[i].Words) != "" {
			t.Errorf("%s because of %+v, want %+v", id, why, want)
		}
	}
	if first := ask(ix.Graph(), &codegraph.LocateOptions{Files: 1}); first.Spots[0].ID != "auth/a.go" {
		t.Errorf("the first file alone: %+v", first.Spots)
	}
	without := ask(ix.Graph(), &codegraph.LocateOptions{Weights: map[string]float64{"meaning": 0, "entity_meaning": 0}})
	without.Vectors = 0
	if d := cmp.Diff(plain, without); d != "" {
		t.Errorf("without the weights of vectors (-plain +got):\n%s", d)
	}

	second := open("second", codegraph.Options{Embedder: e})
	if err := second.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	set, err := codegraph.NewSet(codegraph.Member{Name: "one", Graph: ix.Graph()}, codegraph.Member{Name: "two", Graph: second.Graph()})
	if err != nil {
		t.Fatal(err)
	}
	e.n.Store(0)
	const other = "somebody cannot sign in by name"
	both, err := set.Locate(t.Context(), other, nil)
	if err != nil || both.Vectors != 8 || both.Spots[0].Path != "auth/a.go" || both.Spots[0].Score != both.Spots[1].Score && both.Spots[1].Path == "auth/a.go" || e.n.Load() != 1 {
		t.Errorf("a set: %+v, %v; the embedder was asked %d times", both, err, e.n.Load())
	}

	e.n.Store(0)
	frame := locate(t, ix.Graph(), "  File \"auth/a.go\", line 4, in Authenticate\n", nil)
	if len(frame.Spots) == 0 || frame.Vectors != 0 || e.n.Load() != 0 {
		t.Errorf("a traceback without a title: %+v; the embedder was asked %d times", frame, e.n.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	e.end = cancel
	if _, err := ix.Graph().Locate(ctx, "ended by name", &codegraph.LocateOptions{Kinds: []codegraph.Kind{codegraph.KindClass}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was ended: %v", err)
	}
}
