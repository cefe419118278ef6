package blevestore_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/memstore"
)

// A search that stops reading texts has the documents and records of one that reads all, ties included.
func TestSettled(t *testing.T) {
	ctx := t.Context()
	r := rand.New(rand.NewPCG(7, 9))
	var docs []*driver.Document
	for i := range 1200 {
		d := &driver.Document{ID: fmt.Sprintf("%04d", i)}
		for n := range 1 + r.IntN(4) {
			var words []string
			for range 1 + r.IntN(6) {
				switch r.IntN(4) {
				case 0: // the words without the phrase
					words = append(words, "beta cell alpha")
				case 1:
					words = append(words, "alpha the beta")
				default:
					words = append(words, "alpha beta")
				}
			}
			words = append(words, strings.Repeat(" filler", r.IntN(5)))
			d.Records = append(d.Records, driver.Record{Kind: driver.KindChunk, N: n, Text: strings.Join(words, " stop ")})
		}
		docs = append(docs, d)
	}
	s, err := blevestore.New(ctx, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	m := memstore.New()
	for _, st := range []driver.Store{s, m} {
		if err := st.Replace(ctx, docs); err != nil {
			t.Fatal(err)
		}
	}
	group := func(words ...string) (c driver.Clause) {
		for _, w := range words {
			c = append(c, driver.Group{Parts: []string{w}})
		}
		return c
	}
	phrase := group("alpha", "beta")
	for _, q := range []driver.Query{
		{Match: driver.MatchPhrase, Groups: phrase},
		{Match: driver.MatchPhrase, Groups: phrase, Exclude: []driver.Clause{group("cell", "alpha")}},
		{Match: driver.MatchAll, Groups: group("alpha", "filler"), Require: []driver.Clause{phrase}},
		{Match: driver.MatchAny, Groups: group("stop", "filler"), Require: []driver.Clause{phrase}},
		{Match: driver.MatchAny, Groups: phrase, Exclude: []driver.Clause{group("beta", "cell")}},
	} {
		for _, limit := range []int{0, 1, 10, 100, 5000} {
			for _, per := range []int{1, 2, 100} {
				q.Kind, q.Limit, q.PerDoc = driver.KindChunk, limit, per
				want, err := m.Search(ctx, &q)
				if err != nil {
					t.Fatal(err)
				}
				got, err := s.Search(ctx, &q)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want.Hits, got.Hits, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("match %d, limit %d, %d a document: (-want +got)\n%.2000s", q.Match, limit, per, diff)
				}
				switch {
				case limit == 5000 && (got.AtLeast || got.Total != want.Total):
					t.Errorf("match %d: all are wanted: total %d, at least %v; want %d", q.Match, got.Total, got.AtLeast, want.Total)
				case limit <= 10 && len(q.Exclude) == 0 && !got.AtLeast:
					t.Errorf("match %d, limit %d: all texts were read", q.Match, limit)
				case got.Total > want.Total || !got.AtLeast && got.Total != want.Total:
					t.Errorf("match %d, limit %d: total %d, at least %v; there are %d", q.Match, limit, got.Total, got.AtLeast, want.Total)
				}
			}
		}
	}
}
