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

// Two indexes with added statistics score as one does.
func TestSearchBy(t *testing.T) {
	docs := []string{"cell search pss", "pss pss detector", "channel model", "pss", "cell cell"}
	terms := []string{"pss", "cell"}
	one, parts := New(), [2]*Index{New(), New()}
	for i, s := range docs {
		one.Add(strings.Fields(s))
		parts[i%2].Add(strings.Fields(s))
	}
	by := parts[0].Stats(terms)
	by.Add(parts[1].Stats(terms))
	want := map[int]float64{}
	for _, h := range one.Search(terms, 0, nil) {
		want[h.Doc] = h.Score
	}
	got := map[int]float64{}
	for i, p := range parts {
		for _, h := range p.SearchBy(by, terms, 0, nil) {
			got[2*h.Doc+i] = h.Score
		}
	}
	if len(got) != len(want) || len(got) != 4 {
		t.Errorf("%v, want %v", got, want)
	}
	for d, s := range want {
		if math.Abs(got[d]-s) > 1e-12 {
			t.Errorf("document %d: %v, want %v", d, got[d], s)
		}
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
