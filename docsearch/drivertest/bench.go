package drivertest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/findspot/findspot/docsearch/driver"
)

// Benchmark measures a store: taking in documents of 20 chunks of about 3,000 characters, and searching 2,000 chunks.
func Benchmark(b *testing.B, make Maker) {
	r := rand.New(rand.NewPCG(3, 4))
	docs := []*driver.Document{}
	size := 0
	for i := range 100 {
		d := doc(fmt.Sprintf("doc%03d", i))
		for n := range 20 {
			s := randomText(r, 380)
			size += len(s)
			d.Records = append(d.Records, driver.Record{Kind: driver.KindChunk, N: n, Text: s})
		}
		docs = append(docs, d)
	}
	b.Run("replace", func(b *testing.B) {
		s := open(b, make)
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for i := 0; i < len(docs); i += 25 {
				if err := s.Replace(b.Context(), docs[i:i+25]); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	s := open(b, make)
	if err := s.Replace(b.Context(), docs); err != nil {
		b.Fatal(err)
	}
	for i, name := range []string{"phrase", "all", "any"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Search(b.Context(), query(driver.Match(i), "primary synchronization signal")); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
