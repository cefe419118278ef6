package evidence

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLedgerKeys(t *testing.T) {
	l := NewLedger()
	page := Place{Doc: "id", Name: "a/ssb.pdf", Page: 3, Line: 120, EndLine: 124}
	fig := Place{Doc: "id", Name: "a/ssb.pdf", Page: 4}
	code := Place{Path: "rx/pss.py", Line: 10, EndLine: 24, Entity: "rx/pss.py:detect_pss"}
	titled := page
	titled.Title = "SSB"
	var got []string
	for _, it := range []Item{
		{Kind: KindPassage, At: page, Text: "one"}, {Kind: KindEntity, At: code, Text: "def"}, {Kind: KindFigure, At: fig, Text: "Figure 1"},
		{Kind: KindPassage, At: page, Text: "two"}, {Kind: KindPassage, At: titled, Text: "one", Key: "D9"}, {Kind: KindCaller, At: code, Text: "def"},
	} {
		got = append(got, l.Add(it).Key)
	}
	if diff := cmp.Diff([]string{"D1", "C1", "D2", "D3", "D1", "C1"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if it, ok := l.Get("D3"); !ok || it.Text != "two" || it.Hash != Hash("two") {
		t.Errorf("Get(D3) = %+v, %v", it, ok)
	}
	if _, ok := l.Get("D9"); ok || len(l.Items()) != 4 {
		t.Errorf("items = %v", l.Items())
	}
}

func TestPlaceString(t *testing.T) {
	tests := []struct {
		at   Place
		want string
	}{
		{Place{Doc: "x", Name: "dir/name.pdf", Title: "Title", Page: 3, Line: 120, EndLine: 124}, `"Title" p. 3, l. 120-124 (name.pdf)`},
		{Place{Doc: "x", Name: "name.md", Line: 7, EndLine: 7}, "l. 7 (name.md)"},
		{Place{Doc: "x", Name: "name.pdf", Page: 2}, "p. 2 (name.pdf)"},
		{Place{Doc: "x"}, "x"},
		{Place{Path: "path/file.py", Line: 10, EndLine: 24, Entity: "path/file.py:f"}, "path/file.py:10-24"},
		{Place{Repo: "rx", Path: "a.go"}, "rx//a.go"},
		{Place{Entity: "a/dir"}, "a/dir"},
	}
	for _, tt := range tests {
		if got := tt.at.String(); got != tt.want {
			t.Errorf("%+v = %q, want %q", tt.at, got, tt.want)
		}
	}
}

func TestNone(t *testing.T) {
	full := Searched{Tool: "search_internal", Query: "q", Tiers: []string{"phrase", "all", "any"}, Full: true, Fresh: true}
	with := func(change func(*Searched)) []Searched {
		s := full
		change(&s)
		return []Searched{full, s}
	}
	tests := []struct {
		name string
		in   []Searched
		ok   bool
		why  string
	}{
		{"nothing", nil, false, "nothing was searched"},
		{"full", []Searched{full, full}, true, "2 searches"},
		{"stale", with(func(s *Searched) { s.Fresh = false }), false, "not checked"},
		{"some tiers", with(func(s *Searched) { s.Full, s.Tiers = false, s.Tiers[:1] }), false, "tiers visited: phrase"},
		{"found", with(func(s *Searched) { s.Total = 2 }), false, "2 results"},
		{"failed", with(func(s *Searched) { s.Failed = "boom" }), false, "boom"},
		{"empty index", with(func(s *Searched) { s.Empty = true }), false, "nothing to search in"},
		{"cannot tell", with(func(s *Searched) { s.Full, s.Tiers = false, nil }), false, "could not tell"},
	}
	for _, tt := range tests {
		l := NewLedger()
		for _, s := range tt.in {
			l.Record(s)
		}
		if ok, why := l.None(); ok != tt.ok || !strings.Contains(why, tt.why) {
			t.Errorf("%s: None = %v, %q", tt.name, ok, why)
		}
	}
}

func TestLedgerConcurrent(t *testing.T) {
	l := NewLedger()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 100 {
				l.Add(Item{Kind: KindPassage, At: Place{Doc: "d", Page: i + 1}, Text: "x"})
				l.Record(Searched{Tool: "t"})
				l.Items()
			}
		})
	}
	wg.Wait()
	if n := len(l.Items()); n != 100 {
		t.Errorf("%d items, want 100", n)
	}
}
