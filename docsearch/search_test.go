package docsearch_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch"
)

func radio(t *testing.T) *docsearch.Library {
	lib := open(t, nil)
	add(t, lib, "38331-h60.txt", "3GPP TS 38.331\n\nIn RRC_CONNECTED the UE reads SIB1 and maxNrofSSBs-1.\n")
	add(t, lib, "pss.txt", "The primary synchronization signal is a Zadoff-Chu sequence.\n")
	add(t, lib, "abbr.txt", "The PSS carries three sequences in the downlink.\n")
	add(t, lib, "apart.txt", "A signal for primary cells; synchronization is by GPS.\n")
	add(t, lib, "up.txt", "The uplink carries sequences, and the cell search is done.\n")
	add(t, lib, "down.txt", "The downlink carries sequences; no search of a cell is done.\n")
	return lib
}

func TestQueryLanguage(t *testing.T) {
	lib := radio(t)
	for _, tt := range []struct {
		q    string
		want []string
		read docsearch.Read
	}{
		{`sequences "cell search"`, []string{"up.txt all"}, docsearch.Read{Words: []string{"sequences", "cell", "search"}, Phrases: []string{"cell search"}}},
		{`“cell search”`, []string{"up.txt phrase"}, docsearch.Read{Words: []string{"cell", "search"}, Phrases: []string{"cell search"}}},
		{`carries sequences -uplink`, []string{"down.txt phrase", "abbr.txt all", "pss.txt any"}, docsearch.Read{Words: []string{"carries", "sequences"}, Without: []string{"uplink"}}},
		{`sequences -"cell search" -pss`, []string{"down.txt phrase", "pss.txt phrase"}, docsearch.Read{Words: []string{"sequences"}, Without: []string{"cell search", "pss"}}},
		{`"cell search`, []string{"up.txt phrase", "down.txt all", "apart.txt any"}, docsearch.Read{
			Words: []string{"cell", "search"}, Notes: []string{`the quote " at byte 0 is not closed: it is read as plain text`}}},
		{`Zadoff-Chu`, []string{"pss.txt phrase"}, docsearch.Read{Words: []string{"Zadoff-Chu"}}},
		{`-uplink`, []string{"up.txt phrase"}, docsearch.Read{Words: []string{"uplink"}, Notes: []string{"there are only words to leave out: they are read as words to find"}}},
		{`cell \-search`, []string{"up.txt phrase", "down.txt all", "apart.txt any"}, docsearch.Read{Words: []string{"cell", "search"}}},
		{`cell \"search\"`, []string{"up.txt phrase", "down.txt all", "apart.txt any"}, docsearch.Read{Words: []string{"cell", "search"}}},
		{`17" cell and 19" search`, []string{"down.txt any", "up.txt any", "apart.txt any"}, docsearch.Read{Words: []string{"17", "cell", "19", "search"}, Ignored: []string{"and"}}},
		{`cell -5 --search`, []string{"down.txt any", "up.txt any", "apart.txt any"}, docsearch.Read{Words: []string{"cell", "5", "search"}}},
		{`cell ""`, []string{"apart.txt phrase", "down.txt phrase", "up.txt phrase"}, docsearch.Read{Words: []string{"cell"}, Notes: []string{`there is no word in "": it asks for nothing`}}},
		{`cell -the`, []string{"apart.txt phrase", "down.txt phrase", "up.txt phrase"}, docsearch.Read{Words: []string{"cell"}, Notes: []string{`"the" is common everywhere: it is not left out`}}},
		{`find SIB1 in 38.331`, []string{"38331-h60.txt phrase"}, docsearch.Read{Words: []string{"SIB1"}, Ignored: []string{"in", "38.331", "find"}, Named: []string{"4ff2fa2ae8f9fa7f2d5d90d6b6e86bb8"}}},
		{`"38.331"`, []string{"38331-h60.txt phrase"}, docsearch.Read{Words: []string{"38.331"}, Phrases: []string{"38.331"}}},
		{`maxNrofSSBs-1`, []string{"38331-h60.txt phrase"}, docsearch.Read{Words: []string{"maxNrofSSBs-1"}}},
		{`connected`, []string{"38331-h60.txt phrase"}, docsearch.Read{Words: []string{"connected"}}},
		{`RRC_CONNECTED -maxNrofSSBs-1`, []string{}, docsearch.Read{Words: []string{"RRC_CONNECTED"}, Without: []string{"maxNrofSSBs-1"}}},
		{``, []string{}, docsearch.Read{}},
		{`"`, []string{}, docsearch.Read{Notes: []string{`the quote " at byte 0 is not closed: it is read as plain text`}}},
	} {
		res := search(t, lib, tt.q, nil)
		if diff := cmp.Diff(tt.want, names(res)); diff != "" {
			t.Errorf("Search(%s) (-want +got):\n%s", tt.q, diff)
		}
		if len(tt.read.Named) > 0 {
			d, err := lib.Resolve(t.Context(), "38331-h60.txt")
			if err != nil {
				t.Fatal(err)
			}
			tt.read.Named = []string{d.ID}
		}
		if diff := cmp.Diff(full(tt.read), res.Read); diff != "" {
			t.Errorf("Search(%s).Read (-want +got):\n%s", tt.q, diff)
		}
		for _, h := range res.Hits {
			for _, p := range h.Passages {
				checkPassage(t, lib, h.Doc, p)
			}
		}
	}
	res := search(t, lib, `find "cell search" -done`, &docsearch.SearchOptions{Literal: true})
	if diff := cmp.Diff([]string{"down.txt all", "up.txt all", "apart.txt any"}, names(res)); diff != "" || len(res.Read.Phrases)+len(res.Read.Without) > 0 {
		t.Errorf("literal, read as %+v (-want +got):\n%s", res.Read, diff)
	}
}

// full returns r with every slice in its place.
func full(r docsearch.Read) docsearch.Read {
	for _, s := range []*[]string{&r.Words, &r.Phrases, &r.Without, &r.Ignored, &r.Named, &r.Notes} {
		if *s == nil {
			*s = []string{}
		}
	}
	if r.Related == nil {
		r.Related = []docsearch.Related{}
	}
	if r.Synonyms == nil {
		r.Synonyms = []docsearch.Synonym{}
	}
	return r
}

func TestGlossary(t *testing.T) {
	lib := radio(t)
	g, err := docsearch.ParseGlossary("terms.txt", strings.NewReader("# radio\n\nPSS = primary synchronization signal = primary synchronisation signal\nIT = information technology\nUE=user equipment\n"))
	if err != nil || g.Len() != 3 {
		t.Fatal(g, err)
	}
	for _, tt := range []struct {
		q    string
		want []string
		syn  string // of the hit pss.txt
	}{
		{"PSS", []string{"pss.txt phrase", "abbr.txt phrase"}, "PSS = primary synchronization signal"},
		{"primary synchronization signals", []string{"pss.txt phrase", "abbr.txt phrase", "apart.txt all"}, ""},
		{"pss sequence", []string{"pss.txt all", "abbr.txt all", "down.txt any", "up.txt any"}, "pss = primary synchronization signal"},
		{`"PSS" sequences`, []string{"abbr.txt all"}, ""},
	} {
		res := search(t, lib, tt.q, &docsearch.SearchOptions{Glossary: g})
		if diff := cmp.Diff(tt.want, names(res)); diff != "" {
			t.Errorf("Search(%s) (-want +got):\n%s", tt.q, diff)
		}
		for _, h := range res.Hits {
			for _, p := range h.Passages {
				checkPassage(t, lib, h.Doc, p)
				if got := strings.Join(p.Synonyms, "; "); h.Name == "pss.txt" && got != tt.syn {
					t.Errorf("Search(%s): synonyms %q, want %q", tt.q, got, tt.syn)
				}
			}
		}
	}
	for _, tt := range []struct {
		file string
		want error
		at   string
	}{
		{"a = b\nalone\n", docsearch.ErrFormat, "g.txt:2"},
		{"a = b\n\na = = b\n", docsearch.ErrFormat, "g.txt:3"},
		{"a = ?\n", docsearch.ErrFormat, "g.txt:1"},
		{"a = \xff\n", docsearch.ErrFormat, "g.txt:1"},
		{"a = a\n", docsearch.ErrFormat, "g.txt:1"},
		{"# x\na = " + strings.Repeat("b ", 5000), docsearch.ErrTooLarge, "g.txt:2"},
		{"a = " + strings.Repeat("b ", 50), docsearch.ErrTooLarge, "g.txt:1"},
	} {
		if _, err := docsearch.ParseGlossary("g.txt", strings.NewReader(tt.file)); !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.at) {
			t.Errorf("ParseGlossary(%.30q): %v, want %v at %s", tt.file, err, tt.want, tt.at)
		}
	}
}

func TestSuggestions(t *testing.T) {
	lib := radio(t)
	for _, tt := range []struct {
		q    string
		want []docsearch.Suggestion
	}{
		{"synchronizaton", []docsearch.Suggestion{{"synchronizaton", "synchronization", 2}}},
		{"primry sinal", []docsearch.Suggestion{{"primry", "primary", 2}, {"sinal", "signal", 2}}},
		{"RRC_CONECTED", []docsearch.Suggestion{{"RRC_CONECTED", "RRC_CONNECTED", 1}}},
		{"the downlinc sequences", []docsearch.Suggestion{{"downlinc", "downlink", 2}}},
		{"signal", []docsearch.Suggestion{}},
		{"giraffe", []docsearch.Suggestion{}},
		{"xq", []docsearch.Suggestion{}},
	} {
		res := search(t, lib, tt.q, nil)
		if diff := cmp.Diff(tt.want, res.Suggestions); diff != "" {
			t.Errorf("Search(%s).Suggestions (-want +got):\n%s", tt.q, diff)
		}
	}
}

func TestFilters(t *testing.T) {
	lib := open(t, nil)
	for _, d := range []struct{ name, title, authors, date string }{
		{"a.txt", "Cell search in new radio", "Ada Lovelace", "2020"}, {"b.txt", "Timing", "Charles Babbage; Ada Byron", "2021-05-03"},
		{"c.md", "Cells", "", ""}, {"d.txt", "Search", "Grace Hopper", "2021-11"},
	} {
		r := docsearch.Record{ID: d.name, Title: d.title, Text: "The word timing stands here.", Date: d.date}
		if d.authors != "" {
			r.Authors = strings.Split(d.authors, "; ")
		}
		src, err := r.Source("test")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lib.Add(t.Context(), src); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		opt  docsearch.SearchOptions
		want []string
		out  int // ready documents left out
	}{
		{docsearch.SearchOptions{Title: "cell"}, []string{"a.txt phrase", "c.md phrase"}, 2},
		{docsearch.SearchOptions{Title: "search cell"}, []string{"a.txt phrase"}, 3},
		{docsearch.SearchOptions{Author: "ada"}, []string{"a.txt phrase", "b.txt phrase"}, 2},
		{docsearch.SearchOptions{Author: "Ada Babbage"}, []string{}, 4},
		{docsearch.SearchOptions{From: "2021"}, []string{"b.txt phrase", "d.txt phrase"}, 2},
		{docsearch.SearchOptions{From: "2021-05-04"}, []string{"d.txt phrase"}, 3},
		{docsearch.SearchOptions{To: "2020-03"}, []string{"a.txt phrase"}, 3},
		{docsearch.SearchOptions{From: "2020-12-31", To: "2021-05-03"}, []string{"a.txt phrase", "b.txt phrase"}, 2},
		{docsearch.SearchOptions{Formats: []string{"md", "pdf"}}, []string{"c.md phrase"}, 3},
		{docsearch.SearchOptions{Formats: []string{".TXT"}, Author: "grace"}, []string{"d.txt phrase"}, 3},
		{docsearch.SearchOptions{Collections: []string{"none"}}, []string{}, 4},
		{docsearch.SearchOptions{Kinds: []string{"titles"}}, []string{"b.txt phrase"}, 0},
		{docsearch.SearchOptions{Doc: "d.txt"}, []string{"d.txt phrase"}, 3},
		{docsearch.SearchOptions{Docs: []string{}}, []string{}, 4},
	} {
		o := tt.opt
		res := search(t, lib, "timing", &o)
		got := names(res)
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" || res.Searched.Outside != tt.out {
			t.Errorf("Search with %+v: %d left out, want %d (-want +got):\n%s", tt.opt, res.Searched.Outside, tt.out, diff)
		}
		if again := search(t, lib, "timing", &o); !cmp.Equal(res, again) {
			t.Errorf("Search with %+v again (-first +second):\n%s", tt.opt, cmp.Diff(res, again))
		}
	}
	for _, o := range []docsearch.SearchOptions{
		{From: "May"}, {To: "2021-13"}, {Kinds: []string{"pictures"}}, {Tiers: []docsearch.Tier{"all of it"}}, {Boosts: &docsearch.Boosts{Title: -1}},
		{Section: "1", Kinds: []string{"tables"}},
	} {
		if _, err := lib.Search(t.Context(), "timing", &o); !errors.Is(err, docsearch.ErrUnsupported) {
			t.Errorf("Search with %+v: %v, want ErrUnsupported", o, err)
		}
	}
}

func TestSectionFilter(t *testing.T) {
	lib := open(t, nil)
	filler := strings.Repeat("Nothing of it is said in this line.\n", 120)
	add(t, lib, "a.md", "# Paper\n\n## 1 Introduction\n\nHere the giraffe comes first.\n\n## 2 Methods\n\n"+filler+"Here the giraffe comes second.\n\n## 3 Results\n\nA giraffe, and an okapi.\n")
	add(t, lib, "b.md", "# Other\n\n## Methods\n\nAn okapi.\n\n## Remarks\n\nA giraffe.\n")
	for _, tt := range []struct {
		q, section string
		want       []string
		lines      []int
	}{
		{"giraffe", "2", []string{"a.md phrase"}, []int{129}},
		{"giraffe", "Methods", []string{"a.md phrase"}, []int{129}},
		{"giraffe", "Introduction", []string{"a.md phrase"}, []int{5}},
		{"giraffe okapi", "Methods", []string{"b.md any", "a.md any"}, nil},
		{"giraffe okapi", "results", []string{"a.md all"}, []int{133}},
		{"giraffe", "Appendix", []string{}, nil},
	} {
		res := search(t, lib, tt.q, &docsearch.SearchOptions{Section: tt.section})
		if diff := cmp.Diff(tt.want, names(res)); diff != "" {
			t.Errorf("Search(%s) in %s (-want +got):\n%s", tt.q, tt.section, diff)
			continue
		}
		if tt.lines != nil {
			var lines []int
			for _, p := range res.Hits[0].Passages {
				lines = append(lines, p.LineStart)
			}
			if diff := cmp.Diff(tt.lines, lines); diff != "" {
				t.Errorf("Search(%s) in %s: lines (-want +got):\n%s", tt.q, tt.section, diff)
			}
		}
	}
}

func TestPages(t *testing.T) {
	lib := open(t, nil)
	for i := range 350 {
		s := "a line about cells and then of searches\n"
		if i%3 == 0 {
			s = "the cell search\n"
		}
		if i%7 == 0 {
			s = "cells only\n"
		}
		add(t, lib, fmt.Sprintf("%03d.txt", i), strings.Repeat("word ", i%11)+s)
	}
	for _, limit := range []int{7, 60, 400} {
		var got []string
		seen := map[string]bool{}
		o := docsearch.SearchOptions{Limit: limit}
		last := 0
		for range 1000 {
			res := search(t, lib, "cell search", &o)
			for _, h := range res.Hits {
				if seen[h.Name] {
					t.Errorf("limit %d: %s comes twice", limit, h.Name)
				}
				seen[h.Name] = true
				rank := map[docsearch.Tier]int{docsearch.TierPhrase: 0, docsearch.TierAll: 1, docsearch.TierAny: 2}[h.Tier]
				if rank < last {
					t.Errorf("limit %d: %s of tier %s comes late", limit, h.Name, h.Tier)
				}
				last = rank
				got = append(got, h.Name)
			}
			if res.Truncated && res.Next == "" {
				t.Errorf("limit %d: truncated after %d of %d, and no cursor", limit, len(got), res.Total)
			}
			if o.Cursor = res.Next; o.Cursor == "" {
				if res.Total != 350 || !res.TotalExact {
					t.Errorf("limit %d: total %d, exact %v; want 350", limit, res.Total, res.TotalExact)
				}
				break
			}
		}
		if len(got) != 350 {
			t.Errorf("limit %d: %d documents, want 350", limit, len(got))
		}
	}
	first := search(t, lib, "cell search", nil)
	for i, hit := range first.Hits[1:] { // a page may be shown in part
		after := first.Hits[i].After
		if got := search(t, lib, "cell search", &docsearch.SearchOptions{Cursor: after}).Hits[0].Name; got != hit.Name {
			t.Errorf("after %s, cursor %q: %s, want %s", first.Hits[i].Name, after, got, hit.Name)
		}
	}
	if got := first.Hits[len(first.Hits)-1].After; got != first.Next {
		t.Errorf("after the last hit: cursor %q, want %q", got, first.Next)
	}
	if got := search(t, lib, "cell search", &docsearch.SearchOptions{Doc: first.Hits[0].Doc}).Hits[0].After; got != "" {
		t.Errorf("in one document: cursor %q", got)
	}
	for _, c := range []string{"x", "AAAA", first.Next + "A", strings.Repeat("A", 5000), first.Next[:len(first.Next)-1]} {
		if _, err := lib.Search(t.Context(), "cell search", &docsearch.SearchOptions{Cursor: c}); !errors.Is(err, docsearch.ErrUnsupported) {
			t.Errorf("cursor %.20q: %v, want ErrUnsupported", c, err)
		}
	}
	if _, err := lib.Search(t.Context(), "cell", &docsearch.SearchOptions{Cursor: first.Next}); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("cursor of another query: %v, want ErrUnsupported", err)
	}
	if _, err := lib.Search(t.Context(), "cell search", &docsearch.SearchOptions{Cursor: first.Next, Strict: true}); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("cursor of other options: %v, want ErrUnsupported", err)
	}
	if res := search(t, lib, "cell search", &docsearch.SearchOptions{Cursor: first.Next, Limit: 3, Snippet: 50}); len(res.Hits) != 3 {
		t.Errorf("a page of another size: %v", names(res))
	}
	add(t, lib, "new.txt", "another")
	if _, err := lib.Search(t.Context(), "cell search", &docsearch.SearchOptions{Cursor: first.Next}); !errors.Is(err, docsearch.ErrStale) {
		t.Errorf("cursor of an older library: %v, want ErrStale", err)
	}
}

func TestStrict(t *testing.T) {
	lib := radio(t)
	for _, tt := range []struct {
		q    string
		want []string
	}{
		{"cell search", []string{"up.txt phrase"}},
		{"search cell", []string{"down.txt all", "up.txt all"}},
		{"cell giraffe", []string{"apart.txt any", "down.txt any", "up.txt any"}},
	} {
		res := search(t, lib, tt.q, &docsearch.SearchOptions{Strict: true})
		got := names(res)
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" || res.Next != "" {
			t.Errorf("strict Search(%s), next %q (-want +got):\n%s", tt.q, res.Next, diff)
		}
	}
}

// gappy leaves out every second stretch of a text.
type gappy struct{}

func (gappy) Name() string { return "gappy" }
func (gappy) Split(s string) []chunk.Chunk {
	var out []chunk.Chunk
	for i := 0; i+700 < len(s); i += 1500 {
		out = append(out, chunk.Chunk{Start: i, End: i + 700, Text: s[i : i+700]})
	}
	return out
}

// TestNoneIsTrue compares what is found with the raw texts: nothing must be found only where nothing is.
func TestNoneIsTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	vocabulary := strings.Fields("alpha beta gamma delta epsilon zeta theta kappa the of and signals signal RRC_IDLE max-nrof happy dying")
	rounds := 60
	if testing.Short() {
		rounds = 12
	}
	for round := range rounds {
		o := &docsearch.Options{Splitter: chunk.Fixed(&chunk.FixedOptions{Runes: 200 + rng.IntN(500), Min: 1 + rng.IntN(500)})}
		if round%5 == 0 {
			o.Splitter = gappy{}
		}
		lib := open(t, o)
		texts := map[string]string{}
		for d := range 4 {
			var b strings.Builder
			words := vocabulary[:4+rng.IntN(len(vocabulary)-4)]
			for range rng.IntN(400) {
				b.WriteString(words[rng.IntN(len(words))])
				switch rng.IntN(12) {
				case 0:
					b.WriteString(" " + strings.Repeat(". ", rng.IntN(900)))
				case 1:
					b.WriteString("\n\n")
				default:
					b.WriteString(" ")
				}
			}
			name := fmt.Sprintf("%d.txt", d)
			texts[name] = b.String()
			if strings.TrimSpace(b.String()) != "" {
				add(t, lib, name, b.String())
			}
		}
		for range 30 {
			var ws []string
			for range 1 + rng.IntN(4) {
				ws = append(ws, vocabulary[rng.IntN(len(vocabulary))])
			}
			q := strings.Join(ws, " ")
			var opt docsearch.SearchOptions
			opt.Literal = true
			opt.Tiers = docsearch.Tiers()[:1+rng.IntN(3)]
			require := rng.IntN(4) == 0
			if require {
				q, opt.Literal = `"`+q+`"`, false
			}
			res := search(t, lib, q, &opt)
			if res.Searched.Unread != 0 {
				t.Fatalf("%d documents unread", res.Searched.Unread)
			}
			for name, s := range texts {
				some := phraseIn(s, ws)
				if !require && !some && len(opt.Tiers) > 1 {
					n := 0
					for _, w := range ws {
						if len(w) > 3 && phraseIn(s, []string{w}) {
							n++
						}
					}
					content := 0
					for _, w := range ws {
						if len(w) > 3 {
							content++
						}
					}
					some = content > 0 && (n == content || n > 0 && len(opt.Tiers) == 3)
				}
				if some && len(res.Hits) == 0 {
					t.Fatalf("round %d: Search(%s) in tiers %v finds nothing, but %s matches: searched %+v", round, q, opt.Tiers, name, res.Searched)
				}
			}
		}
	}
}

// phraseIn looks for words in a row, as whole words of lower case without their plural: brute force without an index.
func phraseIn(s string, ws []string) bool {
	norm := func(s string) []string {
		fs := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '.' || r == '\n' })
		for i := range fs {
			fs[i] = strings.TrimSuffix(strings.ToLower(fs[i]), "s")
		}
		return fs
	}
	return strings.Contains(" "+strings.Join(norm(s), " ")+" ", " "+strings.Join(norm(strings.Join(ws, " ")), " ")+" ")
}

func TestBoosts(t *testing.T) {
	lib := open(t, nil)
	body := strings.Repeat("Nothing of that kind is said here.\n", 8)
	add(t, lib, "heading.md", "# One\n\n## Giraffes\n\n"+body+"A giraffe is named.\n")
	add(t, lib, "text.md", "# Two\n\n## Animals\n\n"+body+"A giraffe is named, a giraffe.\n")
	for _, tt := range []struct {
		headings float64
		first    string
	}{{0, ""}, {5, "heading.md"}} {
		res := search(t, lib, "named giraffe", &docsearch.SearchOptions{Boosts: &docsearch.Boosts{Headings: tt.headings}})
		if len(res.Hits) != 2 || tt.first != "" && (res.Hits[0].Name != tt.first || res.Hits[0].Score < 2*res.Hits[1].Score) {
			t.Errorf("headings count %v: %+v, want %q first", tt.headings, names(res), tt.first)
		}
	}
}

func TestStopWordsAlone(t *testing.T) {
	lib := open(t, nil)
	for i := range 1010 {
		add(t, lib, fmt.Sprintf("%04d.txt", i), "some of the words")
	}
	res := search(t, lib, "of the", nil)
	if len(res.Hits) != 10 || res.Total != 1000 || res.TotalExact || res.Searched.Unread != 10 {
		t.Errorf("%d hits, total %d, exact %v, %d unread; want 10 of at least 1,000, and 10 unread", len(res.Hits), res.Total, res.TotalExact, res.Searched.Unread)
	}
}

func TestReadBound(t *testing.T) {
	lib := open(t, nil)
	for i := range 20 {
		add(t, lib, fmt.Sprintf("%02d.txt", i), strings.Repeat("to be and so on. ", 2000))
	}
	res := search(t, lib, "or not to be", &docsearch.SearchOptions{MaxRead: 100_000})
	if res.Searched.FullText || res.Searched.Unread < 10 || len(res.Hits) != 0 || res.TotalExact {
		t.Errorf("with a bound of 100 kB: %+v, exact %v", res.Searched, res.TotalExact)
	}
	res = search(t, lib, "or not to be", &docsearch.SearchOptions{MaxRead: -1})
	if res.Searched.FullText || res.Searched.Unread != 20 {
		t.Errorf("without reading: %+v", res.Searched)
	}
	if res = search(t, lib, "or not to be", nil); !res.Searched.FullText || res.Searched.Unread != 0 {
		t.Errorf("by default: %+v", res.Searched)
	}
}
