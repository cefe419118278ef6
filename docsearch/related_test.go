package docsearch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
)

// sampling is a library in which three documents say that samples go with digitisation, and a fourth says digitisation alone.
func sampling(t *testing.T) *docsearch.Library {
	lib := open(t, nil)
	add(t, lib, "adc.txt", "The converter takes samples fast. Its digitisation is fast: samples are taken at the rate of digitisation, whatever the volume.\n")
	add(t, lib, "dac.txt", "Samples are taken by digitisation, and digitisation needs a clock.\n")
	add(t, lib, "clock.txt", "How fast samples are taken is up to the clock that drives digitisation.\n")
	add(t, lib, "meter.txt", "The rate of digitisation is 44 kHz.\n")
	for i := range 60 {
		add(t, lib, fmt.Sprintf("other%02d.txt", i), fmt.Sprintf("Nothing of all this is said by volume %d, which is taken by readers of novels.\n", i))
	}
	return lib
}

func TestRelated(t *testing.T) {
	lib := sampling(t)
	const query = "samples taken fast"
	find := func(o *docsearch.SearchOptions) (*docsearch.Results, *docsearch.Hit) {
		t.Helper()
		o.Limit = 100
		res := search(t, lib, query, o)
		for i := range res.Hits {
			if res.Hits[i].Name == "meter.txt" {
				return res, &res.Hits[i]
			}
		}
		return res, nil
	}
	plain, h := find(&docsearch.SearchOptions{})
	if h != nil || len(plain.Read.Related) != 0 {
		t.Fatalf("not asked for: %v, %v", h, plain.Read.Related)
	}
	res, h := find(&docsearch.SearchOptions{Related: true})
	if h == nil {
		t.Fatalf("what holds related words alone is not found:\n%s", res)
	}
	if h.Tier != docsearch.TierRelated || len(h.Passages) != 1 || h.Passages[0].Tier != docsearch.TierRelated || !slices.Contains(h.Passages[0].Related, "digitisation") {
		t.Errorf("found as %+v", h)
	}
	// It is ranked by its score, before documents that share a common word alone.
	at := func(name string) int {
		return slices.IndexFunc(res.Hits, func(h docsearch.Hit) bool { return h.Name == name })
	}
	if at("meter.txt") > at("other00.txt") {
		t.Errorf("meter.txt is hit %d, other00.txt hit %d", at("meter.txt"), at("other00.txt"))
	}
	if len(res.Read.Related) == 0 || res.Read.Related[0] != (docsearch.Related{Word: "digitisation", Passages: 3}) {
		t.Errorf("related words %v, want digitisation first, of three passages", res.Read.Related)
	}
	if slices.ContainsFunc(res.Read.Related, func(r docsearch.Related) bool { return strings.HasPrefix(r.Word, "sampl") || r.Word == "taken" }) {
		t.Errorf("words of the query are among those related: %v", res.Read.Related)
	}
	if slices.ContainsFunc(res.Read.Related, func(r docsearch.Related) bool { return r.Word == "volume" }) {
		t.Errorf("a word of nearly all passages is among those related: %v", res.Read.Related)
	}
	for _, h := range res.Hits {
		if h.Name != "meter.txt" && h.Tier == docsearch.TierRelated {
			t.Errorf("%s holds a word of the query", h.Name)
		}
	}
	if diff := names(res)[:2]; !slices.Equal(diff, names(plain)[:2]) {
		t.Errorf("the documents that hold every word are %v, want %v", diff, names(plain)[:2])
	}
	var b strings.Builder
	if err := res.WriteRelated(&b); err != nil || !strings.HasPrefix(b.String(), "samples taken fast ~ digitisation (3 passages)") {
		t.Errorf("%q, %v", b.String(), err)
	}
	if s := res.String(); !strings.Contains(s, "related: digitisation") && !strings.Contains(s, "related: rate, digitisation") || !strings.Contains(s, "Words that go with these: digitisation") {
		t.Errorf("%s", s)
	}
	if strings.Contains(plain.String(), "go with") || plain.WriteRelated(&b) != nil {
		t.Error("a plain answer speaks of related words")
	}
}

// The pages of a search with related words are the parts of the whole.
func TestRelatedPages(t *testing.T) {
	lib := sampling(t)
	all := search(t, lib, "samples taken fast", &docsearch.SearchOptions{Related: true, Limit: 100})
	var got []string
	o := &docsearch.SearchOptions{Related: true, Limit: 7}
	for {
		res := search(t, lib, "samples taken fast", o)
		got = append(got, names(res)...)
		if res.Next == "" {
			break
		}
		o.Cursor = res.Next
	}
	if !slices.Equal(got, names(all)) {
		t.Errorf("pages have\n%v, want\n%v", got, names(all))
	}
}

func TestRelatedNot(t *testing.T) {
	lib := sampling(t)
	for query, o := range map[string]*docsearch.SearchOptions{
		"samples taken fast":   {Related: true, Doc: "adc.txt"},                                // one document
		"novels":               {Related: true, Tiers: []docsearch.Tier{docsearch.TierAny}},    // sixty documents, none of which stands out
		"samples digitisation": {Related: true, Tiers: []docsearch.Tier{docsearch.TierPhrase}}, // not the tier of any word
		"nowhere":              {Related: true, Tiers: []docsearch.Tier{docsearch.TierAny}},    // nothing is found
		"digitisation clock":   {Related: true, Strict: true},                                  // a stricter tier has it
		"the of":               {Related: true},                                                // no word counts
	} {
		if res := search(t, lib, query, o); len(res.Read.Related) > 0 {
			t.Errorf("%q: %v", query, res.Read.Related)
		}
	}
}

func TestAnsweringRelated(t *testing.T) {
	for query, want := range map[string]bool{
		"samples taken fast": true, "How fast are samples taken?": true, "papers on shear buckling of plates": true,
		"cell search": false, "the rate": false, `samples "taken fast" always`: false, "samples taken -fast often": false,
		"state RRC_CONNECTED entered twice": false,
	} {
		var o docsearch.SearchOptions
		if o.Answering(query); o.Related != want {
			t.Errorf("Answering(%q) sets Related %v, want %v", query, o.Related, want)
		}
	}
	o := docsearch.SearchOptions{Literal: true}
	if o.Answering("samples taken fast"); o.Related {
		t.Error("Literal is not heeded")
	}
}

// Where no document stands out nothing is learned.
func TestRelatedFlat(t *testing.T) {
	lib := open(t, nil)
	for i := range 12 {
		add(t, lib, fmt.Sprintf("zebra%02d.txt", i), "A zebra has stripes.\n")
	}
	for i := range 150 {
		add(t, lib, fmt.Sprintf("other%03d.txt", i), "Nothing of all this is said here.\n")
	}
	o := &docsearch.SearchOptions{Related: true, Tiers: []docsearch.Tier{docsearch.TierAny}}
	if res := search(t, lib, "zebra crossing", o); len(res.Hits) != 10 || len(res.Read.Related) > 0 {
		t.Errorf("%d hits, related words %v", len(res.Hits), res.Read.Related)
	}
}
