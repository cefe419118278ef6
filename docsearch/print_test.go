package docsearch

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrinted(t *testing.T) {
	res := &Results{Query: "x", Total: 2, TotalExact: true, Searched: Searched{Documents: 5, Failed: 1}, Suggestions: []Suggestion{{Word: "signl", Replacement: "signal"}},
		Hits: []Hit{{Doc: "ab", Name: "a.pdf", Title: "A", Tier: TierPhrase,
			Passages: []Passage{{Page: 2, LineStart: 3, LineEnd: 4, Snippet: "the signal\u202e here", Matches: [][2]int{{4, 10}}, Tier: TierPhrase}},
			Figures:  []FigureHit{{Page: 1, Caption: "Figure 1", Tier: TierAny}}, Tables: []TableHit{{Page: 7, Tier: TierAll, Rows: [][]string{{"", ""}, {"a", "b"}}}}}}}
	want := `a.pdf  "A"  (phrase, ab)
  p. 2, l. 3-4 (phrase)
     the «signal»[U+202E] here
  p. 1 figure (any): Figure 1
  p. 7 table (all): a | b
1 of 2 documents that match; 5 searched, 1 not readable
signl is nowhere: did you mean signal?
`
	if diff := cmp.Diff(want, fmt.Sprint(res)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(want[:len(want)-len("1 of 2 documents that match; 5 searched, 1 not readable\nsignl is nowhere: did you mean signal?\n")], fmt.Sprint(res.Hits[0])); diff != "" {
		t.Errorf("a hit (-want +got):\n%s", diff)
	}
}
