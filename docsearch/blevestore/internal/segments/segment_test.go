package segments

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/driver"
)

type hit struct{ Number, Times uint64 }

func listed(t *testing.T, s segment.Segment, field, term string) []hit {
	t.Helper()
	dict, err := s.Dictionary(field)
	if err != nil {
		t.Fatal(err)
	}
	list, err := dict.PostingsList([]byte(term), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []hit
	it := list.Iterator(true, true, false, nil)
	for {
		p, err := it.Next()
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			return out
		}
		out = append(out, hit{p.Number(), p.Frequency()})
	}
}

// A segment made here is one that zapx reads, skips in and merges, whatever containers and chunks its lists need.
func TestSegment(t *testing.T) {
	const n = 140_000 // three containers
	enc := (&Encoders{}).Take()
	var docs []*driver.Document
	want := map[string][]hit{}
	var lengths []hit
	for i := range n {
		s := "all"
		add := func(word string, times int) {
			s += strings.Repeat(" "+word, times)
		}
		if i%3 == 0 {
			add("third", 1+i%11)
		}
		if i%50_000 == 7 {
			add("rare", 1)
		}
		if i == 100_000 {
			add("single", 1)
			add("twice", 2)
		}
		d := &driver.Document{ID: fmt.Sprintf("%06d", i), Records: []driver.Record{{Kind: driver.KindDocument, Text: s}}}
		docs = append(docs, d)
		length := len(strings.Fields(s)) - 1 // "all" is a stop word
		for _, w := range []string{"third", "rare", "single", "twice"} {
			if c := strings.Count(s, w); c > 0 {
				want[w] = append(want[w], hit{uint64(i), uint64(c)})
			}
		}
		if length > 0 {
			lengths = append(lengths, hit{uint64(i), uint64(length)})
		}
	}
	items, _, err := enc.Encode(t.Context(), docs)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(items) // scorch gives them in any order
	results := make([]index.Document, len(items))
	for i, it := range items {
		results[i] = it
	}
	plugin := &segmentPlugin{}
	seg, _, err := plugin.New(results)
	if err != nil {
		t.Fatal(err)
	}
	check := func(s segment.Segment, shift uint64) {
		t.Helper()
		for w, hs := range want {
			term := driver.Groups(w)[0].Parts[0]
			var moved []hit
			for _, h := range hs {
				moved = append(moved, hit{h.Number + shift, h.Times})
			}
			got := listed(t, s, "d.words", term)
			got = got[len(got)-len(moved):]
			if d := cmp.Diff(moved, got); d != "" {
				t.Fatalf("%s: %d records, want %d", w, len(got), len(moved))
			}
			dict, _ := s.Dictionary("d.words")
			list, err := dict.PostingsList([]byte(term), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			it := list.Iterator(true, true, false, nil)
			for i := 0; i < len(moved); i += 1 + len(moved)/7 {
				p, err := it.Advance(moved[i].Number)
				if err != nil || p == nil || p.Number() != moved[i].Number || p.Frequency() != moved[i].Times {
					t.Fatalf("%s: Advance(%d) = %v, %v", w, moved[i].Number, p, err)
				}
			}
		}
		got := listed(t, s, "d.length", LengthTerm)
		got = got[len(got)-len(lengths):]
		for i, h := range lengths {
			if got[i] != (hit{h.Number + shift, h.Times}) {
				t.Fatalf("length %d = %v, want %v", i, got[i], h)
			}
		}
		ids := listed(t, s, "_id", MainID("100000"))
		if d := cmp.Diff([]hit{{100_000 + shift, 1}}, ids[len(ids)-1:]); d != "" {
			t.Errorf("the id (-want +got):\n%s", d)
		}
		stored := map[string]string{}
		if err := s.VisitStoredFields(100_000+shift, func(field string, _ byte, value []byte, _ []uint64) bool {
			stored[field] = string(value)
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if stored["_id"] != MainID("100000") || stored["text"] != docs[100_000].Records[0].Text || stored["start"] != "0" {
			t.Errorf("stored values %q", stored)
		}
	}
	check(seg, 0)
	path := filepath.Join(t.TempDir(), "merged.zap")
	drops := roaring.BitmapOf(3, 4, 5)
	if _, _, err := plugin.Merge([]segment.Segment{seg, seg}, []*roaring.Bitmap{drops, nil}, path, nil, nil); err != nil {
		t.Fatal(err)
	}
	merged, err := plugin.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer merged.Close()
	if merged.Count() != 2*n-3 {
		t.Errorf("merged %d entries", merged.Count())
	}
	check(merged, n-3)
}
