package drivertest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// vectorStore returns the store as one that finds vectors, and skips the test where it is none.
func vectorStore(t *testing.T, make Maker) driver.VectorStore {
	t.Helper()
	s, ok := open(t, make).(driver.VectorStore)
	if !ok {
		t.Skip("the engine stores no vectors")
	}
	return s
}

// vectorDoc makes a document of chunks with these vectors; nil is a chunk without one.
func vectorDoc(id string, vectors ...[]float32) *driver.Document {
	d := doc(id)
	for i, v := range vectors {
		d.Records = append(d.Records, driver.Record{Kind: driver.KindChunk, N: i, Text: fmt.Sprintf("chunk %d", i), Vector: v, Processed: true})
	}
	return d
}

// near returns "doc:n,n doc:n of total" for a query.
func near(t *testing.T, s driver.VectorStore, q *driver.VectorQuery) string {
	t.Helper()
	hits, err := s.SearchVectors(t.Context(), q)
	if err != nil {
		t.Fatalf("SearchVectors(%+v): %v", q, err)
	}
	var out []string
	for _, h := range hits.Hits {
		var ns []string
		for _, r := range h.Records {
			ns = append(ns, fmt.Sprint(r.N))
		}
		out = append(out, h.Doc+":"+strings.Join(ns, ","))
	}
	return fmt.Sprintf("%s of %d", strings.Join(out, " "), hits.Total)
}

func testVectors(t *testing.T, make Maker) {
	s := vectorStore(t, make)
	ctx := t.Context()
	q := func(v ...float32) *driver.VectorQuery {
		return &driver.VectorQuery{Kind: driver.KindChunk, Vector: v, Limit: 10, PerDoc: 3}
	}
	if got := near(t, s, q(1, 0)); got != " of 0" {
		t.Errorf("an empty store has %q", got)
	}
	a := vectorDoc("a", []float32{0, 2}, nil, []float32{3, 3}, []float32{1, 0})
	a.Records = append(a.Records, driver.Record{Kind: driver.KindTable, N: 0, Text: "table", Vector: []float32{1, 0, 0}})
	replace(t, s, a, vectorDoc("b", []float32{4, 1}, []float32{-1, 0}), vectorDoc("none", nil), vectorDoc("c", []float32{8, 2}))
	for _, tt := range []struct {
		name string
		q    *driver.VectorQuery
		want string
	}{
		{"by cosine, ties by id", q(5, 0), "a:3,2,0 b:0,1 c:0 of 3"},
		{"other direction", q(0, .1), "a:0,2,3 b:0,1 c:0 of 3"},
		{"opposite", q(-1, 0), "b:1,0 a:0,2,3 c:0 of 3"},
		{"limits", &driver.VectorQuery{Kind: driver.KindChunk, Vector: []float32{1, 0}, Limit: 2, PerDoc: 1}, "a:3 b:0 of 3"},
		{"none of a document", &driver.VectorQuery{Kind: driver.KindChunk, Vector: []float32{1, 0}, Limit: 2}, " of 3"},
		{"no documents wanted", &driver.VectorQuery{Kind: driver.KindChunk, Vector: []float32{1, 0}, PerDoc: 2}, " of 3"},
		{"some documents", &driver.VectorQuery{Kind: driver.KindChunk, Vector: []float32{1, 0}, Docs: []string{"c", "none", "nobody"}, Limit: 9, PerDoc: 9}, "c:0 of 1"},
		{"no documents", &driver.VectorQuery{Kind: driver.KindChunk, Vector: []float32{1, 0}, Docs: []string{}, Limit: 9, PerDoc: 9}, " of 0"},
		{"a kind", &driver.VectorQuery{Kind: driver.KindTable, Vector: []float32{1, 0, 0}, Limit: 9, PerDoc: 9}, "a:0 of 1"},
		{"a kind without any", &driver.VectorQuery{Kind: driver.KindFigure, Vector: []float32{1, 0, 0}, Limit: 9, PerDoc: 9}, " of 0"},
	} {
		if got := near(t, s, tt.q); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	hits, err := s.SearchVectors(ctx, q(1, 1))
	if err != nil || math.Abs(hits.Hits[0].Records[0].Score-1) > 1e-6 || math.Abs(hits.Hits[0].Records[1].Score-math.Sqrt2/2) > 1e-6 {
		t.Errorf("scores = %+v, %v; want the cosines 1 and .7071", hits, err)
	}
	for _, bad := range []*driver.VectorQuery{q(1, 0, 0), q(0, 0), q(), q(1, float32(math.NaN()))} {
		if _, err := s.SearchVectors(ctx, bad); !errors.Is(err, errs.Unsupported) {
			t.Errorf("a query of %v: %v, want Unsupported", bad.Vector, err)
		}
	}
	for _, bad := range []*driver.Document{
		vectorDoc("a", []float32{1, 0}, []float32{1}), vectorDoc("a", []float32{0, 0}), vectorDoc("a", []float32{1, float32(math.Inf(1))}), vectorDoc("a", []float32{}),
	} {
		if err := s.Replace(ctx, []*driver.Document{bad}); !errors.Is(err, errs.Unsupported) {
			t.Errorf("Replace with vectors %v: %v, want Unsupported", bad.Records, err)
		}
	}

	replace(t, s, vectorDoc("a", []float32{-1, .1}), vectorDoc("none", []float32{0, 1}))
	if got := near(t, s, q(1, 0)); got != "b:0,1 c:0 none:0 a:0 of 4" {
		t.Errorf("after a replacement: %q", got)
	}
	recs, err := s.Records(ctx, "b", driver.KindChunk, nil)
	if err != nil || len(recs) != 2 || cmp.Diff([]float32{4, 1}, recs[0].Vector) != "" || cmp.Diff([]float32{-1, 0}, recs[1].Vector) != "" {
		t.Errorf("Records = %+v, %v; want the vectors as they were given", recs, err)
	}
	if err := s.Delete(ctx, "b"); err != nil {
		t.Fatal(err)
	}
	if err := s.SetData(ctx, map[string][]byte{"c": []byte("new")}); err != nil {
		t.Fatal(err)
	}
	if got := near(t, s, q(1, 0)); got != "c:0 none:0 a:0 of 3" {
		t.Errorf("after a deletion: %q", got)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.SearchVectors(ended, q(1, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
	s.Close()
	if _, err := s.SearchVectors(ctx, q(1, 0)); !errors.Is(err, errs.Closed) {
		t.Errorf("after Close: %v, want Closed", err)
	}
}

// testEqualVectors compares an engine with the reference on random vectors. Scores may differ by a rounding.
func testEqualVectors(t *testing.T, make, reference Maker) {
	r := rand.New(rand.NewPCG(3, 4))
	a, b := vectorStore(t, make), vectorStore(t, reference)
	const size = 19
	random := func() []float32 {
		v := []float32{}
		for range size {
			v = append(v, float32(r.NormFloat64()))
		}
		return v
	}
	for range 8 {
		var docs []*driver.Document
		for i := range 1 + r.IntN(8) {
			d := vectorDoc(fmt.Sprintf("doc%02d", i*5+r.IntN(5)))
			for _, kind := range driver.Kinds() {
				step := 1 + r.IntN(40) // numbers of records need not follow one another
				for n := range r.IntN(9) {
					rec := driver.Record{Kind: kind, N: n * step, Text: "text"}
					if r.IntN(4) > 0 {
						rec.Vector = random()
					}
					d.Records = append(d.Records, rec)
				}
			}
			docs = append(docs, d)
		}
		replace(t, a, docs...)
		replace(t, b, docs...)
		if r.IntN(3) == 0 {
			id := docs[0].ID
			if err1, err2 := a.Delete(t.Context(), id), b.Delete(t.Context(), id); err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
		}
		for range 30 {
			q := &driver.VectorQuery{Kind: driver.Kinds()[r.IntN(4)], Vector: random(), Limit: 1 + r.IntN(8), PerDoc: 1 + r.IntN(4)}
			if r.IntN(4) == 0 {
				q.Docs = []string{docs[0].ID, docs[len(docs)-1].ID}
			}
			got, err := a.SearchVectors(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			want, err := b.SearchVectors(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.EquateApprox(0, 1e-5)); diff != "" {
				t.Fatalf("SearchVectors(%+v) (-reference +got):\n%s", q, diff)
			}
		}
	}
}
