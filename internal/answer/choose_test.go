package answer

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/skill/evidence"
)

func passage(first, last int, tier docsearch.Tier) docsearch.Passage {
	return docsearch.Passage{Snippet: "words of a passage", Tier: tier, LineStart: first, LineEnd: last}
}

func TestChoose(t *testing.T) {
	const all, any = docsearch.TierAll, docsearch.TierAny
	o := Options{Documents: 2, Passages: 3, Entities: 2}
	entity := func(id string) evidence.Item { return evidence.Item{At: evidence.Place{Entity: id}} }
	for _, tt := range []struct {
		name string
		in   candidates
		want []string
	}{
		{"nothing", candidates{}, nil},
		{"passages that overlap stand once, and as many as are wanted of a document",
			candidates{hits: []docsearch.Hit{{Doc: "a", Passages: []docsearch.Passage{passage(1, 4, all), passage(4, 6, all), passage(7, 8, all), passage(9, 9, all), passage(11, 12, all)}}}},
			[]string{"a:1", "a:7", "a:9"}},
		{"so many documents",
			candidates{hits: []docsearch.Hit{{Doc: "a", Passages: []docsearch.Passage{passage(1, 1, any)}}, {Doc: "b", Passages: []docsearch.Passage{passage(1, 1, any)}}, {Doc: "c", Passages: []docsearch.Passage{passage(1, 1, any)}}}},
			[]string{"a:1", "b:1"}},
		{"behind enough of better tiers, any word is noise",
			candidates{hits: []docsearch.Hit{
				{Doc: "a", Passages: []docsearch.Passage{passage(1, 1, all), passage(2, 2, all), passage(3, 3, all)}},
				{Doc: "b", Passages: []docsearch.Passage{passage(1, 1, all), passage(2, 2, any)}}}},
			[]string{"a:1", "a:2", "a:3", "b:1"}},
		{"a phrase leaves a place for the rest of the question",
			candidates{query: "detector threshold",
				phrase: []docsearch.Hit{{Doc: "a", Passages: []docsearch.Passage{passage(1, 1, all), passage(2, 2, all), passage(3, 3, all)}}},
				hits:   []docsearch.Hit{{Doc: "a", Passages: []docsearch.Passage{passage(9, 9, all)}}}},
			[]string{"a:1", "a:2", "a:9"}},
		{"entities stand behind, each once",
			candidates{hits: []docsearch.Hit{{Doc: "a", Passages: []docsearch.Passage{passage(1, 1, all)}}}, entities: []evidence.Item{entity("x"), entity("x"), entity("y"), entity("z")}},
			[]string{"a:1", "x", "y"}},
	} {
		var got []string
		for _, it := range choose(tt.in, o) {
			s := it.At.Entity
			if it.At.Doc != "" {
				s = fmt.Sprintf("%s:%d", it.At.Doc, it.At.Line)
			}
			got = append(got, s)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
