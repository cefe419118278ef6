package codegraph_test

import (
	"context"
	"errors"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/text"
)

// byWords is an embedder without a model: each word counts in one place of the vector, and some words that mean one thing in the same.
type byWords struct{ broken atomic.Bool }

func (*byWords) Name() string { return "words" }

func (e *byWords) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if e.broken.Load() {
		return nil, errors.New("no route to it")
	}
	var out [][]float32
	for _, s := range texts {
		v := make([]float32, 2048)
		for _, w := range text.Terms(s) {
			if slices.Contains([]string{"authent", "login", "sign"}, w) {
				w = "login"
			}
			f := fnv.New32a()
			f.Write([]byte(w))
			v[f.Sum32()%2048]++
		}
		out = append(out, v)
	}
	return out, nil
}

var rooms = fstest.MapFS{
	"go.mod":     {Data: []byte("module example.com/m\n")},
	"auth/a.go":  {Data: []byte("package auth\n\n// Authenticate admits a user.\nfunc Authenticate(name string) bool { return name != \"\" }\n")},
	"bread/b.go": {Data: []byte("package bread\n\n// Bake makes loaves of the day.\nfunc Bake() {}\n\n// Sell takes money for loaves.\nfunc Sell() { Bake() }\n")},
}

// TestSearchByMeaning: with an embedder a question finds what no word of it names, and says so.
func TestSearchByMeaning(t *testing.T) {
	top := t.TempDir()
	root, facts := filepath.Join(top, "repo"), filepath.Join(top, "facts")
	write(t, root, rooms)
	langs := []lang.Frontend{gosyntax.Frontend()}
	e := &byWords{}
	open := func(dir string, o codegraph.Options) *codegraph.Index {
		t.Helper()
		o.Facts = facts
		ix, err := codegraph.Open(t.Context(), filepath.Join(top, dir), root, langs, &o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ix.Close() })
		return ix
	}
	const question = "sign somebody in"

	plain := open("plain", codegraph.Options{})
	if err := plain.Embed(t.Context()); !errors.Is(err, codegraph.ErrUnsupported) {
		t.Errorf("Embed without an embedder: %v", err)
	}
	if _, err := plain.EmbedState(); !errors.Is(err, codegraph.ErrUnsupported) {
		t.Errorf("EmbedState without an embedder: %v", err)
	}
	if res, err := plain.Graph().Search(t.Context(), question, nil); err != nil || len(res.Hits) != 0 || res.Vectors != 0 {
		t.Errorf("without an embedder: %+v, %v", res, err)
	}

	var stages []string
	e.broken.Store(true)
	ix := open("index", codegraph.Options{Embedder: e, Progress: func(p codegraph.Progress) { stages = append(stages, p.Stage) }})
	for {
		st, err := ix.EmbedState()
		if err != nil {
			t.Fatal(err)
		}
		if st.Error != "" { // it waits, and says why
			if !strings.Contains(st.Error, "no route") || !st.Running || st.Done != 0 {
				t.Errorf("EmbedState = %+v", st)
			}
			break
		}
		time.Sleep(time.Millisecond)
	}
	e.broken.Store(false)
	if err := ix.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st, err := ix.EmbedState(); err != nil || st.Done != 3 || st.Entities != 3 || st.Error != "" {
		t.Errorf("EmbedState = %+v, %v; want 3 of 3", st, err)
	}
	res, err := ix.Graph().Search(t.Context(), question, nil)
	if err != nil || len(res.Hits) == 0 || res.Vectors != 3 {
		t.Fatalf("%+v, %v", res, err)
	}
	if h := res.Hits[0]; h.ID != "auth/a.go:Authenticate" || h.Tier != "meaning" || h.Match != "vector" || h.Similarity <= 0 || h.Score > .8 {
		t.Errorf("the nearest: %+v", h)
	}
	// A name, and one word, ask for names and words alone.
	for _, query := range []string{"Bake", "loaves"} {
		if res, err := ix.Graph().Search(t.Context(), query, nil); err != nil || res.Vectors != 0 || res.Hits[0].Similarity != 0 {
			t.Errorf("%s: %+v, %v", query, res, err)
		}
	}
	// What has the words and is near comes before what is near alone.
	res, err = ix.Graph().Search(t.Context(), "what takes the money for loaves", nil)
	if err != nil || res.Hits[0].ID != "bread/b.go:Sell" || res.Hits[0].Match != "bm25" || res.Hits[0].Similarity <= 0 {
		t.Errorf("%+v, %v", res, err)
	}
	pieces, err := ix.Graph().Pieces(t.Context(), question+"?", nil)
	if err != nil || len(pieces) == 0 || pieces[0].ID != "auth/a.go:Authenticate" || pieces[0].Signals["meaning"] == 0 {
		t.Errorf("pieces: %+v, %v", pieces, err)
	}

	// An index serves callers with other embedders and without one, and an overlay of a graph has the vectors of the graph.
	if got := ix.With(e); got != ix {
		t.Error("the same embedder gives another index")
	}
	if res, err := ix.With(nil).Graph().Search(t.Context(), question, nil); err != nil || len(res.Hits) != 0 || res.Vectors != 0 {
		t.Errorf("a caller without an embedder: %+v, %v", res, err)
	}
	view := plain.With(e)
	if err := view.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := view.Close(); err != nil {
		t.Error(err)
	}
	over, _, err := view.Graph().Overlay(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*codegraph.Graph{"a caller with an embedder": view.Graph(), "an overlay": over} {
		if res, err := g.Search(t.Context(), question, nil); err != nil || res.Vectors != 3 || res.Hits[0].ID != "auth/a.go:Authenticate" {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
	if res, err := plain.Graph().Search(t.Context(), question, nil); err != nil || len(res.Hits) != 0 {
		t.Errorf("beside it: %+v, %v", res, err)
	}

	// Who only reads the index finds the vectors in the shared folder, and so does another index of the same files.
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*codegraph.Index{"a reader": open("index", codegraph.Options{Embedder: e, ReadOnly: true}), "another worktree": open("other", codegraph.Options{Embedder: e})} {
		res, err := other.Graph().Search(t.Context(), question, nil)
		if err != nil || res.Vectors != 3 || len(res.Hits) == 0 || res.Hits[0].ID != "auth/a.go:Authenticate" {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}

	// New code gets its vectors after an update; an embedder that does not work leaves vectors out, and it is said why.
	last := open("last", codegraph.Options{Embedder: e})
	write(t, root, fstest.MapFS{"auth/b.go": {Data: []byte("package auth\n\n// Login lets one through.\nfunc Login() {}\n")}})
	if _, err := last.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := last.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	if res, err := last.Graph().Search(t.Context(), question, nil); err != nil || res.Vectors != 4 {
		t.Errorf("after an update: %+v, %v", res, err)
	}
	e.broken.Store(true)
	res, err = last.Graph().Search(t.Context(), "money for the loaves", nil)
	if err != nil || !strings.Contains(res.VectorsError, "no route") || res.Hits[0].ID != "bread/b.go:Sell" {
		t.Errorf("an embedder that does not work: %+v, %v", res, err)
	}
	if !slices.Contains(stages, "embed") {
		t.Errorf("stages %v, want embed among them", stages)
	}
}

// TestNoVectorsYet: what has no vector yet keeps its place by words beside what has one, in another graph and in its own.
func TestNoVectorsYet(t *testing.T) {
	top := t.TempDir()
	e := &byWords{}
	open := func(name string, files fstest.MapFS, o codegraph.Options) *codegraph.Index {
		t.Helper()
		write(t, filepath.Join(top, name), files)
		ix, err := codegraph.Open(t.Context(), filepath.Join(top, "index of "+name), filepath.Join(top, name), []lang.Frontend{gosyntax.Frontend()}, &o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ix.Close() })
		return ix
	}
	full := open("full", fstest.MapFS{
		"go.mod": {Data: []byte("module example.com/full\n")},
		"a.go":   {Data: []byte("package a\n\n// Weigh tells for what money one takes loaves.\nfunc Weigh() {}\n\n// Sleep rests at night.\nfunc Sleep() {}\n")},
	}, codegraph.Options{Embedder: e})
	if err := full.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	const question = "what takes the money for loaves"
	without := open("empty", rooms, codegraph.Options{}).Graph()
	unmade := open("empty", nil, codegraph.Options{ReadOnly: true, Embedder: e}).Graph() // who only reads makes no vectors
	for name, g := range map[string]*codegraph.Graph{"no embedder": without, "not made": unmade} {
		s, err := codegraph.NewSet(codegraph.Member{Name: "full", Graph: full.Graph()}, codegraph.Member{Name: "empty", Graph: g})
		if err != nil {
			t.Fatal(err)
		}
		res, err := s.Search(t.Context(), question, nil)
		if err != nil || res.Vectors != 2 || len(res.Hits) < 3 || res.Hits[0].ID != "empty//bread/b.go:Sell" {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
		pieces, err := s.Pieces(t.Context(), question+"?", nil)
		if err != nil || len(pieces) == 0 || pieces[0].ID != "empty//bread/b.go:Sell" {
			t.Errorf("%s: pieces: %+v, %v", name, pieces, err)
		}
	}
	write(t, filepath.Join(top, "full"), fstest.MapFS{"b.go": {Data: []byte("package a\n\n// Take takes the money for loaves.\nfunc Take() {}\n")}})
	e.broken.Store(true)
	if _, err := full.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	res, err := full.Graph().Search(t.Context(), question, nil)
	if err != nil || res.Vectors != 2 || len(res.Hits) < 3 || res.Hits[0].ID != "b.go:Take" {
		t.Errorf("an entity without a vector: %+v, %v", res, err)
	}
}
