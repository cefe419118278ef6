package blevestore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/memstore"
	"github.com/findspot/findspot/internal/errs"
)

func randomVector(r *rand.Rand, dims int) (v []float32) {
	for range dims {
		v = append(v, float32(r.NormFloat64()))
	}
	return v
}

// TestManyVectors has so many vectors that they are looked at by their codes, in documents of one and of many blocks, batches with codes and without, and merges of
// both; documents are replaced and removed. What is found must be what is nearest, with the reference's scores.
func TestManyVectors(t *testing.T) {
	ctx := t.Context()
	r := rand.New(rand.NewPCG(5, 6))
	const dims = 72
	random := func() []float32 { return randomVector(r, dims) }
	dir := t.TempDir()
	s, err := blevestore.New(ctx, dir, false)
	if err != nil {
		t.Fatal(err)
	}
	m := memstore.New()
	stores := func() []driver.Store { return []driver.Store{s, m} }
	each := func(do func(s driver.Store) error) {
		t.Helper()
		for _, st := range stores() {
			if err := do(st); err != nil {
				t.Fatal(err)
			}
		}
	}
	document := func(i int) *driver.Document {
		d := &driver.Document{ID: fmt.Sprintf("%04d", i)}
		passages := 1 + i%3
		if i%100 == 0 {
			passages = 400
		}
		for n := range passages {
			d.Records = append(d.Records, driver.Record{Kind: driver.KindChunk, N: n, Text: "passage", Vector: random()})
		}
		if i%5 == 0 {
			d.Records = append(d.Records, driver.Record{Kind: driver.KindTable, N: 0, Text: "table", Vector: random()[:7]})
		}
		return d
	}
	compare := func(when string) {
		t.Helper()
		wanted, found := 0, 0
		for i := range 60 {
			q := &driver.VectorQuery{Kind: driver.KindChunk, Vector: random(), Limit: 10 + i%30, PerDoc: 1 + i%4}
			switch {
			case i%7 == 0:
				q.Kind, q.Vector = driver.KindTable, random()[:7]
			case i%7 == 1:
				for n := 0; n < 1300; n += 1 + r.IntN(20) {
					q.Docs = append(q.Docs, fmt.Sprintf("%04d", n))
				}
			case i%7 == 2:
				q.Docs = []string{"0100", "0003", "none"}
			}
			want, err := m.(driver.VectorStore).SearchVectors(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.(driver.VectorStore).SearchVectors(ctx, q)
			if err != nil {
				t.Fatalf("%s: %v", when, err)
			}
			if got.Total != want.Total || len(got.Hits) != len(want.Hits) {
				t.Errorf("%s: %d hits of %d, want %d of %d", when, len(got.Hits), got.Total, len(want.Hits), want.Total)
			}
			wanted += len(want.Hits)
			for k, h := range got.Hits {
				if k < len(want.Hits) && cmp.Equal(want.Hits[k], h, cmpopts.EquateApprox(0, 1e-5)) {
					found++
				}
			}
		}
		if found < wanted*99/100 {
			t.Errorf("%s: %d of %d documents are those of the reference, in its order and with its records", when, found, wanted)
		}
	}
	var docs []*driver.Document
	for i := range 1200 {
		docs = append(docs, document(i))
	}
	each(func(s driver.Store) error { return s.Replace(ctx, docs[:700]) })
	compare("one batch")
	each(func(s driver.Store) error { return s.Replace(ctx, docs[700:900]) })
	for i := 900; i < 1200; i += 20 { // too few for codes, until they are merged
		each(func(s driver.Store) error { return s.Replace(ctx, docs[i:i+20]) })
	}
	compare("several batches")
	for i := 0; i < 300; i += 3 {
		each(func(s driver.Store) error { return s.Delete(ctx, docs[i].ID) })
	}
	each(func(s driver.Store) error {
		return s.Replace(ctx, []*driver.Document{docs[100], docs[400], {ID: docs[401].ID}})
	})
	each(func(s driver.Store) error {
		return s.(interface {
			SetData(context.Context, map[string][]byte) error
		}).SetData(ctx, map[string][]byte{docs[500].ID: []byte("new")})
	})
	compare("after changes")
	if err := s.(driver.Checker).Check(ctx); err != nil {
		t.Errorf("Check: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = blevestore.New(ctx, dir, true); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	compare("opened again")

	search := func(ctx context.Context, q driver.VectorQuery) error {
		q.Kind, q.Limit, q.PerDoc = driver.KindChunk, 10, 3
		_, err := s.(driver.VectorStore).SearchVectors(ctx, &q)
		return err
	}
	if err := search(ctx, driver.VectorQuery{Vector: random()[:9]}); !errors.Is(err, errs.Unsupported) {
		t.Errorf("a query of another length: %v, want Unsupported", err)
	}
	if err := search(ctx, driver.VectorQuery{Vector: random()[:9], Docs: []string{docs[401].ID}}); err != nil {
		t.Errorf("a query of another length where nothing is in scope: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := search(ended, driver.VectorQuery{Vector: random()}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
}

// BenchmarkSearchVectors looks for the nearest of vectors of 384 numbers: 20,000, or as many as FINDSPOT_VECTORS says, in documents of one and of
// twenty passages.
func BenchmarkSearchVectors(b *testing.B) {
	total := 20_000
	if s := os.Getenv("FINDSPOT_VECTORS"); s != "" {
		var err error
		if total, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	for _, passages := range []int{1, 20} {
		b.Run(fmt.Sprintf("%d of %d a document", total, passages), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			random := func() []float32 {
				var v []float32
				for range 384 {
					v = append(v, float32(r.NormFloat64()))
				}
				return v
			}
			s, err := blevestore.New(b.Context(), b.TempDir(), false)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			for at := 0; at < total; {
				var docs []*driver.Document
				for n := 0; n < 2000 && at < total; n += passages {
					d := &driver.Document{ID: fmt.Sprintf("%08d", at)}
					for i := range passages {
						d.Records = append(d.Records, driver.Record{Kind: driver.KindChunk, N: i, Text: "passage", Vector: random()})
					}
					docs = append(docs, d)
					at += passages
				}
				if err := s.Replace(b.Context(), docs); err != nil {
					b.Fatal(err)
				}
			}
			q := &driver.VectorQuery{Kind: driver.KindChunk, Vector: random(), Limit: 200, PerDoc: 3}
			b.ReportAllocs()
			for b.Loop() {
				hits, err := s.(driver.VectorStore).SearchVectors(b.Context(), q)
				if err != nil || hits.Total != total/passages {
					b.Fatal(hits, err)
				}
			}
		})
	}
}
