package bm25

import (
	"math"
	"strings"
	"testing"
)

func TestSearch(t *testing.T) {
	ix := New()
	for _, s := range []string{"cell search pss", "pss pss detector", "channel model", "pss"} {
		ix.Add(strings.Fields(s))
	}
	hits := ix.Search([]string{"pss"}, 0, nil)
	if len(hits) != 3 || hits[0].Doc != 3 || hits[1].Doc != 1 || hits[2].Doc != 0 {
		t.Fatalf(`Search("pss") = %v, want documents 3, 1, 0`, hits)
	}
	// By hand for document 3: N 4, df 3, length 1, mean 9/4.
	idf := math.Log(1 + 1.5/3.5)
	want := idf * 1 / (1 + 1.2*(1-.75+.75*1/2.25))
	if got := hits[0].Score; math.Abs(got-want) > 1e-12 {
		t.Errorf("score of document 3 = %v, want %v", got, want)
	}
	if hits := ix.Search([]string{"pss"}, 1, func(d int) bool { return d != 3 }); len(hits) != 1 || hits[0].Doc != 1 {
		t.Errorf("with document 3 left out and k 1: %v, want document 1", hits)
	}
	if hits := ix.Search([]string{"none"}, 5, nil); len(hits) != 0 {
		t.Errorf("unknown word: %v, want nothing", hits)
	}
}

func BenchmarkSearch(b *testing.B) {
	ix := New()
	for i := range 10000 {
		ix.Add([]string{"a", "b", string(rune('c' + i%20)), "e"})
	}
	b.ReportAllocs()
	for b.Loop() {
		ix.Search([]string{"c", "e"}, 10, nil)
	}
}
