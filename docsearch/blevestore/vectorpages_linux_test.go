package blevestore_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/leak"
)

// TestVectorPages: the vectors that searches read do not stay in memory. Of a segment that has codes, these stay, and little else.
func TestVectorPages(t *testing.T) {
	const dims, total = 384, 2000
	r := rand.New(rand.NewPCG(7, 8))
	random := func() []float32 { return randomVector(r, dims) }
	dir := t.TempDir()
	s, err := blevestore.New(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var docs []*driver.Document
	for i := range total {
		docs = append(docs, &driver.Document{ID: fmt.Sprint(i), Records: []driver.Record{{Kind: driver.KindChunk, Text: "passage", Vector: random()}}})
	}
	if err := s.Replace(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
	const vectors = total * dims * 4
	most := int64(0)
	for range 20 {
		hits, err := s.(driver.VectorStore).SearchVectors(t.Context(), &driver.VectorQuery{Kind: driver.KindChunk, Vector: random(), Limit: 200, PerDoc: 1})
		if err != nil || len(hits.Hits) != 200 {
			t.Fatal(hits, err)
		}
		most = max(most, leak.MappedMemory(dir))
	}
	if most == 0 {
		t.Fatal("/proc/self/smaps does not tell what is in memory")
	}
	if most > vectors/3 {
		t.Errorf("%d bytes of the index are in memory after a search, of vectors of %d", most, vectors)
	}
	t.Logf("%d bytes of %d", most, vectors)
}
