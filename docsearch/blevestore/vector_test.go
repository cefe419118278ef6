package blevestore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/driver"
)

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
