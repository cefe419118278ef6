package docsearch_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
)

// checkEverywhere gives the coordinates of a hit to every reading call, unchanged.
func checkEverywhere(t *testing.T, lib *docsearch.Library, h *docsearch.Hit) {
	t.Helper()
	ctx := t.Context()
	whole, err := lib.Read(ctx, h.Doc, nil)
	if err != nil {
		t.Fatal(err)
	}
	sections, err := lib.Sections(ctx, h.Doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range h.Passages {
		if whole.Truncated || p.Start < 0 || p.End > len(whole.Text) || p.Start >= p.End {
			t.Fatalf("%s: bytes %d to %d of a text of %d bytes (cut: %t)", h.Name, p.Start, p.End, len(whole.Text), whole.Truncated)
		}
		match := whole.Text[p.Start:p.End]
		if want := strings.Join(strings.Fields(match), " "); !strings.Contains(p.Snippet, want) {
			t.Errorf("%s: Read has %q at the place of the snippet %q", h.Name, want, p.Snippet)
		}
		holds := func(call string, x *docsearch.Text) {
			t.Helper()
			if x.Doc != h.Doc || p.Start < x.Start || p.End > x.End {
				t.Errorf("%s: %s is bytes %d to %d of %s, the hit %d to %d", h.Name, call, x.Start, x.End, x.Doc, p.Start, p.End)
				return
			}
			if got := x.Text[p.Start-x.Start : p.End-x.Start]; got != match {
				t.Errorf("%s: %s has %q at the place of %q", h.Name, call, got, match)
			}
			if line := x.LineStart + strings.Count(x.Text[:p.Start-x.Start], "\n"); line != p.LineStart {
				t.Errorf("%s: %s has the hit on line %d, want %d", h.Name, call, line, p.LineStart)
			}
		}
		for _, ref := range []string{h.Doc, h.Name} {
			view, err := lib.View(ctx, ref, docsearch.Lines{First: p.LineStart, Last: p.LineEnd})
			if err != nil {
				t.Fatal(err)
			}
			holds("View", view)
			if view.Page != p.Page && !strings.HasPrefix(whole.Text[view.Start:p.Start], match) && view.LineStart == view.LineEnd {
				t.Errorf("%s: View says page %d, the hit page %d", h.Name, view.Page, p.Page)
			}
		}
		page, err := lib.Page(ctx, h.Doc, p.Page)
		if err != nil {
			t.Fatal(err)
		}
		if page.End < p.End && page.Start <= p.Start { // the match goes on overleaf
			if page, err = lib.View(ctx, h.Doc, docsearch.Lines{First: page.LineStart}); err != nil {
				t.Fatal(err)
			}
		}
		holds("Page", page)
		for _, s := range sections {
			if s.Lines.First > p.LineStart || s.Lines.Last < p.LineEnd {
				continue
			}
			x, err := lib.Section(ctx, h.Doc, s.Heading())
			if err != nil {
				t.Fatal(err)
			}
			holds("Section "+s.Heading(), &x.Text)
		}
		md, err := lib.Markdown(ctx, h.Doc, p.Page, p.Page)
		if err != nil {
			t.Fatal(err)
		}
		if p.Start < md.Start || p.Start >= md.End || p.LineStart < md.LineStart || p.LineStart > md.LineEnd {
			t.Errorf("%s: Markdown of page %d is lines %d to %d, bytes %d to %d; the hit is at line %d, byte %d",
				h.Name, p.Page, md.LineStart, md.LineEnd, md.Start, md.End, p.LineStart, p.Start)
		}
		if p.Tier != docsearch.TierPhrase { // between the words of a lower tier stands anything, and a cut of the text may leave half a word
			continue
		}
		found, err := lib.Find(ctx, h.Doc, match, &docsearch.FindOptions{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		ok := false
		for _, l := range found.Lines {
			ok = ok || l.Line == p.LineStart && l.Page == p.Page && l.Start <= p.Start && p.End <= l.End
		}
		if !ok {
			t.Errorf("%s: Find(%q) does not have the hit at page %d, line %d, bytes %d to %d: %+v", h.Name, match, p.Page, p.LineStart, p.Start, p.End, found.Lines)
		}
	}
}

func TestCoordinates(t *testing.T) {
	lib := open(t, &docsearch.Options{Extractors: map[string]extract.Extractor{".cnt": counting{opens: new(int)}}})
	long := strings.Repeat("filler words that say little.\n", 200)
	docs := map[string]string{
		"first.md":   "zebra at the first byte\n\n# Head\n\ntext\n",
		"last.md":    "# Head\n\ntext\n\n## Under it\n\nthe last word is zebra",
		"wrapped.md": "# One\n\nA plain ze-\nbra crossing and a zebra\ncrossing.\n\n# Two\n\nzebra crossing\n",
		"wide.md":    "# Überschrift\n\nÄhnlich — 中文 zebra 中文.\r\n\r\nzebra\u00a0crossing\n",
		"far.md":     "# A\n\n" + long + "## B\n\nzebra crossing here\n" + long,
		"pages.cnt":  "no word\f\fzebra crossing on page three\nand zebra\fcrossing\f" + long + "zebra",
	}
	for name, text := range docs {
		src := docsearch.Bytes(name, []byte(text))
		src.Format = docsearch.FormatMarkdown
		if _, err := lib.Add(t.Context(), src); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []string{"zebra", "zebra crossing", "crossing zebra", `"zebra crossing" -nothing`, "last word zebra"} {
		res := search(t, lib, q, nil)
		if q == "zebra" && len(res.Hits) != len(docs) {
			t.Errorf("Search(%s) finds %v, want all %d", q, names(res), len(docs))
		}
		for i := range res.Hits {
			checkEverywhere(t, lib, &res.Hits[i])
		}
	}
}

// TestCoordinatesOfAnyText is a property: whatever the text, the places of hits are those of every reading call.
func TestCoordinatesOfAnyText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	words := []string{"alpha", "beta", "gamma", "del-\nta", "É", "naïve", "中文", "RRC_IDLE", "38.331", "of the", "eta\u00ad", "ﬁne", "x", "\u00a0", "İ", "e\u0301tude"}
	seps := []string{" ", " ", " ", "\n", "\n\n", "\r\n", "\t", " — ", "-\n", "\f", "\n\n## Part\n\n", ", "}
	for round := range 40 {
		lib := open(t, &docsearch.Options{Extractors: map[string]extract.Extractor{".cnt": counting{opens: new(int)}}})
		var seen []string
		for d := range 3 {
			var b strings.Builder
			for range 1 + r.IntN(900) {
				w := words[r.IntN(len(words))]
				seen = append(seen, w)
				b.WriteString(w + strings.ReplaceAll(seps[r.IntN(len(seps))], "Part", fmt.Sprintf("Part %d", b.Len())))
			}
			src := docsearch.Bytes(fmt.Sprintf("d%d.%s", d, []string{"md", "txt", "cnt"}[d]), []byte(b.String()))
			src.Format = docsearch.FormatMarkdown
			if _, err := lib.Add(t.Context(), src); err != nil {
				t.Fatal(err)
			}
		}
		for range 6 {
			at := r.IntN(len(seen))
			q := strings.Join(seen[at:min(len(seen), at+1+r.IntN(4))], " ")
			res := search(t, lib, q, &docsearch.SearchOptions{Literal: r.IntN(2) == 0})
			for i := range res.Hits {
				checkEverywhere(t, lib, &res.Hits[i])
			}
			if t.Failed() {
				t.Fatalf("round %d, query %q", round, q)
			}
		}
	}
}

func TestHitsSayWhetherFilesChanged(t *testing.T) {
	lib := open(t, nil)
	dir := tree(t, map[string]string{
		"same.txt": "zebra one\n", "changed.txt": "zebra two\n", "gone.txt": "zebra three\n",
		"l.jsonl": `{"id":"1","text":"zebra four"}` + "\n" + `{"id":"2","text":"zebra five"}` + "\n",
	})
	for _, err := range lib.AddAll(t.Context(), docsearch.Files(dir)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	add(t, lib, "bytes.txt", "zebra six\n")
	states := func() (map[string]docsearch.SourceState, docsearch.Freshness) {
		res := search(t, lib, "zebra", nil)
		out := map[string]docsearch.SourceState{}
		for _, h := range res.Hits {
			out[h.Name] = h.Source
		}
		return out, res.Freshness
	}
	const same, changed = docsearch.SourceSame, docsearch.SourceChanged
	// A search may run out of time on a busy machine: then it says that it did not look.
	check := func(want map[string]docsearch.SourceState, stale int) {
		t.Helper()
		got, f := states()
		for range 50 {
			if f.Looked == 5 {
				break
			}
			got, f = states()
		}
		if diff := cmp.Diff(want, got); diff != "" || f.Looked != 5 || f.Stale != stale {
			t.Errorf("looked %d, stale %d (want 5, %d); (-want +got):\n%s", f.Looked, f.Stale, stale, diff)
		}
	}
	check(map[string]docsearch.SourceState{"same.txt": same, "changed.txt": same, "gone.txt": same, "1": same, "2": same, "bytes.txt": docsearch.SourceUnknown}, 0)

	lines := filepath.Join(dir, "l.jsonl")
	later := time.Now().Add(time.Hour)
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, "changed.txt"), []byte("another text\n"), 0o644), os.Remove(filepath.Join(dir, "gone.txt")), os.Chtimes(lines, later, later),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(map[string]docsearch.SourceState{"same.txt": same, "changed.txt": changed, "gone.txt": docsearch.SourceGone, "1": changed, "2": changed, "bytes.txt": docsearch.SourceUnknown}, 4)
	// Of a file of JSON Lines one document is told that nothing else changed; it speaks for all.
	for _, err := range lib.AddAll(t.Context(), docsearch.Files(lines)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(map[string]docsearch.SourceState{"same.txt": same, "changed.txt": changed, "gone.txt": docsearch.SourceGone, "1": same, "2": same, "bytes.txt": docsearch.SourceUnknown}, 2)
}

func TestNotesOfSearches(t *testing.T) {
	lib := radio(t)
	for _, tt := range []struct {
		q    string
		o    docsearch.SearchOptions
		want []string
	}{
		{"cell", docsearch.SearchOptions{Collections: []string{"none"}}, []string{`collection "none": not found: there are no collections yet`}},
		{"...", docsearch.SearchOptions{}, []string{"there is no word in the query: it asks for nothing"}},
		{"", docsearch.SearchOptions{}, []string{}},
	} {
		if diff := cmp.Diff(tt.want, search(t, lib, tt.q, &tt.o).Read.Notes); diff != "" {
			t.Errorf("notes of %q (-want +got):\n%s", tt.q, diff)
		}
	}
}
