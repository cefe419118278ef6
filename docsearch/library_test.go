package docsearch_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/memstore"
)

func open(t *testing.T, o *docsearch.Options) *docsearch.Library {
	t.Helper()
	lib, err := memstore.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return lib
}

func add(t *testing.T, lib *docsearch.Library, name, content string) *docsearch.Document {
	t.Helper()
	d, err := lib.Add(t.Context(), docsearch.Bytes(name, []byte(content)))
	if err != nil {
		t.Fatalf("Add(%s): %v", name, err)
	}
	return d
}

func search(t *testing.T, lib *docsearch.Library, q string, o *docsearch.SearchOptions) *docsearch.Results {
	t.Helper()
	res, err := lib.Search(t.Context(), q, o)
	if err != nil {
		t.Fatalf("Search(%q): %v", q, err)
	}
	return res
}

// names returns "name tier" of each hit.
func names(res *docsearch.Results) []string {
	out := []string{}
	for _, h := range res.Hits {
		out = append(out, h.Name+" "+string(h.Tier))
	}
	return out
}

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, s := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSearchTiers(t *testing.T) {
	lib := open(t, nil)
	filler := strings.Repeat("Lorem ipsum dolor sit amet. ", 150) // over one chunk
	add(t, lib, "38331-h60.txt", "3GPP TS 38.331\n\nThe synchroni-\nzation signals: RRC_CONNECTED, maxNrofSSBs-1 and SIB1.\n")
	add(t, lib, "b.md", "# Notes\n\nSignals of synchronization: PSS, SSS.\n")
	add(t, lib, "c.txt", filler+"\nsynchronization signals at the end\n")
	add(t, lib, "d.txt", "Only signals here, and the search space of a cell.\n")
	for _, tt := range []struct {
		q    string
		want []string
	}{
		{"synchronization signals", []string{"38331-h60.txt phrase", "c.txt phrase", "b.md all", "d.txt any"}},
		{"What are the synchronization signals?", []string{"38331-h60.txt phrase", "c.txt phrase", "b.md all", "d.txt any"}},
		{"Find synchronization signals in 38.331", []string{"38331-h60.txt phrase", "c.txt phrase", "b.md all", "d.txt any"}},
		{"PSS in TS 38.331", []string{"b.md phrase"}},
		{"signals in 38.331", []string{"38331-h60.txt phrase", "d.txt phrase", "b.md phrase", "c.txt phrase"}},
		{"rrc connected", []string{"38331-h60.txt phrase"}},
		{"maxNrofSSBs-1", []string{"38331-h60.txt phrase"}},
		{"sib1", []string{"38331-h60.txt phrase"}},
		{"search space", []string{"d.txt phrase"}},
		{"signals of synchronization", []string{"b.md phrase", "38331-h60.txt all", "c.txt all", "d.txt any"}},
		{"38.331", []string{"38331-h60.txt phrase"}},
		{"36.211", []string{}},
		{"unheard", []string{}},
		{"?!", []string{}},
	} {
		res := search(t, lib, tt.q, nil)
		if diff := cmp.Diff(tt.want, names(res)); diff != "" {
			t.Errorf("Search(%q) (-want +got):\n%s", tt.q, diff)
		}
		for _, h := range res.Hits {
			for _, p := range h.Passages {
				checkPassage(t, lib, h.Doc, p)
			}
			if len(h.Passages) == 0 {
				t.Errorf("Search(%q): %s has no passage", tt.q, h.Name)
			}
		}
	}
}

// checkPassage makes sure that a passage stands where it says.
func checkPassage(t *testing.T, lib *docsearch.Library, doc string, p docsearch.Passage) {
	t.Helper()
	view, err := lib.View(t.Context(), doc, docsearch.Lines{First: p.LineStart, Last: p.LineEnd})
	if err != nil {
		t.Fatal(err)
	}
	if p.Start < view.Start || p.End > view.End || view.LineStart != p.LineStart || view.LineEnd != p.LineEnd {
		t.Errorf("lines %d-%d are bytes %d-%d, the match is bytes %d-%d", p.LineStart, p.LineEnd, view.Start, view.End, p.Start, p.End)
	}
	if n := len([]rune(p.Snippet)); n > 200 {
		t.Errorf("snippet of %d runes: %q", n, p.Snippet)
	}
	if len(p.Matches) == 0 {
		t.Errorf("no match marked in %q", p.Snippet)
	}
	match := strings.Join(strings.Fields(view.Text[p.Start-view.Start:p.End-view.Start]), " ")
	if !strings.Contains(p.Snippet, match) {
		t.Errorf("snippet %q does not hold the match %q", p.Snippet, match)
	}
	first, last := p.Matches[0], p.Matches[len(p.Matches)-1]
	if first[0] < 0 || last[1] > len(p.Snippet) {
		t.Errorf("matches %v are outside of %q", p.Matches, p.Snippet)
	}
}

func TestLostWords(t *testing.T) {
	lib := open(t, nil)
	// The cut falls into the phrase, and the tail is shorter than the least chunk.
	head := strings.Repeat("x", 2994) + " "
	add(t, lib, "cut.txt", head+"hidden phrase tailword\n")
	add(t, lib, "hamlet.txt", "It is to be or not to be that way.\n")
	for _, tt := range []struct {
		q    string
		want []string
		full bool
	}{
		{"hidden phrase", []string{"cut.txt phrase"}, false},
		{"tailword", []string{"cut.txt phrase"}, false},
		{"to be or not to be", []string{"hamlet.txt phrase"}, true},
		{"be not to", []string{}, true},
	} {
		res := search(t, lib, tt.q, nil)
		if diff := cmp.Diff(tt.want, names(res)); diff != "" || res.Searched.FullText != tt.full {
			t.Errorf("Search(%q): full text %v, want %v (-want +got):\n%s", tt.q, res.Searched.FullText, tt.full, diff)
		}
	}
}

func TestJSONHasNoNull(t *testing.T) {
	lib := open(t, nil)
	add(t, lib, "a.txt", "one word\n")
	for _, q := range []string{"word", "nothing"} {
		data, err := json.Marshal(search(t, lib, q, nil))
		if err != nil || strings.Contains(string(data), "null") {
			t.Errorf("Search(%q) as JSON: %v\n%s", q, err, data)
		}
	}
}

func TestAddAgain(t *testing.T) {
	lib := open(t, nil)
	if d := add(t, lib, "a.txt", "first version\n"); d.Change != docsearch.Added || d.ID != "a5e54d1fd7bb69a228ef0dcd2431367e" {
		t.Errorf("first: %+v", d)
	}
	gen := lib.Generation()
	if d := add(t, lib, "a.txt", "first version\n"); d.Change != docsearch.Unchanged || lib.Generation() != gen {
		t.Errorf("again: %+v", d)
	}
	if d := add(t, lib, "a.txt", "second version\n"); d.Change != docsearch.Replaced || lib.Generation() == gen {
		t.Errorf("new content: %+v", d)
	}
	if got := names(search(t, lib, "first", nil)); len(got) != 0 {
		t.Errorf("old content is found: %v", got)
	}
	src := docsearch.Bytes("a.txt", []byte("from elsewhere"))
	src.Origin = "elsewhere"
	_, err := lib.Add(t.Context(), src)
	if conflict, ok := errors.AsType[*docsearch.ConflictError](err); !ok || conflict.Have != "bytes" || conflict.Got != "elsewhere" {
		t.Errorf("other origin: %v, want a ConflictError", err)
	}
	if err := lib.Remove(t.Context(), "a.txt"); err != nil {
		t.Error(err)
	}
	if err := lib.Remove(t.Context(), "a.txt"); !errors.Is(err, docsearch.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
}

func TestFiles(t *testing.T) {
	dir := tree(t, map[string]string{
		"b.txt": "b", "a/z.md": "z", "a.txt": "a", ".hidden/x.txt": "x", ".dot.txt": "x", "code.go": "x", "UP.TXT": "up", "a/sub/y.markdown": "y",
	})
	outside := tree(t, map[string]string{"secret.txt": "secret"})
	for link, to := range map[string]string{
		"out.txt": filepath.Join(outside, "secret.txt"), "in.txt": filepath.Join(dir, "b.txt"), "folder.txt": outside, "loop": dir,
		"broken.txt": filepath.Join(dir, "nowhere"),
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	var got []string
	bad := 0
	for s, err := range docsearch.Files(dir) {
		if err != nil {
			bad++
			continue
		}
		got = append(got, s.Name)
	}
	want := []string{"UP.TXT", "a.txt", "a/sub/y.markdown", "a/z.md", "b.txt", "in.txt"}
	if diff := cmp.Diff(want, got); diff != "" || bad != 1 {
		t.Errorf("Files: %d errors, want 1 for the broken link (-want +got):\n%s", bad, diff)
	}
	for s, err := range docsearch.Files(filepath.Join(dir, "code.go")) {
		if err != nil || s.Name != "code.go" {
			t.Errorf("one file: %+v, %v", s, err)
		}
	}
	for _, err := range docsearch.Files(filepath.Join(dir, "nobody")) {
		if ie, ok := errors.AsType[*docsearch.IngestError](err); !ok || !errors.Is(ie, os.ErrNotExist) {
			t.Errorf("a folder that is not there: %v", err)
		}
	}
}

func TestAddAll(t *testing.T) {
	dir := tree(t, map[string]string{
		"1.txt": "good text one\n", "2.txt": "bin\x00ary", "3.txt": "  \n", "4.md": "# Four\n\ntext\n", "5.txt": "caf\xe9 latin\n", "6.pdf": "no extractor",
	})
	lib := open(t, &docsearch.Options{MaxFile: 1000})
	big := docsearch.Source{Name: "big.txt", Origin: "big", Size: 1001, Open: func() (io.ReadCloser, error) {
		t.Error("a file over the limit was opened")
		return nil, io.EOF
	}}
	sources := func(yield func(docsearch.Source, error) bool) {
		for s, err := range docsearch.Files(dir) {
			if !yield(s, err) {
				return
			}
		}
		yield(big, nil)
	}
	for round, change := range []docsearch.Change{docsearch.Added, docsearch.Unchanged} {
		var got []string
		for d, err := range lib.AddAll(t.Context(), sources) {
			_, ok := errors.AsType[*docsearch.IngestError](err)
			if err != nil && !ok || d == nil || d.Change != change {
				t.Fatalf("round %d: %+v, %v", round, d, err)
			}
			s := d.Name + " " + d.Status
			for _, sentinel := range []error{docsearch.ErrFormat, docsearch.ErrNoText, docsearch.ErrTooLarge, docsearch.ErrUnsupported} {
				if errors.Is(err, sentinel) {
					s += ": " + sentinel.Error()
				}
			}
			got = append(got, s)
		}
		want := []string{
			"1.txt ready", "2.txt failed: bad format", "3.txt failed: no text", "4.md ready", "5.txt ready", "6.pdf failed: unsupported", "big.txt failed: too large",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("round %d (-want +got):\n%s", round, diff)
		}
	}
	if got := names(search(t, lib, "café", nil)); len(got) != 1 {
		t.Errorf("Latin-1 text: %v", got)
	}
	// What failed is read again when it changes.
	if err := os.WriteFile(filepath.Join(dir, "2.txt"), []byte("now it is text\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for d, err := range lib.AddAll(t.Context(), docsearch.Files(filepath.Join(dir, "2.txt"))) {
		if err != nil || d.Status != docsearch.StatusReady || d.Change != docsearch.Replaced {
			t.Errorf("mended file: %+v, %v", d, err)
		}
	}
	docs, err := lib.Documents(t.Context())
	if err != nil || len(docs) != 7 {
		t.Errorf("%d documents, %v; want 7", len(docs), err)
	}
}

func TestAddAllStops(t *testing.T) {
	lib := open(t, nil)
	endless := func(yield func(docsearch.Source, error) bool) {
		for i := 0; yield(docsearch.Bytes(strings.Repeat("n", i%500+1)+".txt", []byte("text\n")), nil); i++ {
		}
	}
	n := 0
	for _, err := range lib.AddAll(t.Context(), endless) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 300 {
			break
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var last error
	for _, err := range lib.AddAll(ctx, endless) {
		last = err
	}
	if !errors.Is(last, context.DeadlineExceeded) {
		t.Errorf("after its context ended: %v", last)
	}
}

func TestRead(t *testing.T) {
	ctx := t.Context()
	lib := open(t, nil)
	var b strings.Builder
	b.WriteString("# On Cells\n\n## Abstract\n\nThis paper is about cells and what they\nsend, at some length.\n\n## Introduction\n")
	for range 400 {
		b.WriteString("a line of the body of this text\n")
	}
	b.WriteString("the last line")
	raw := b.String() + "\n"
	d := add(t, lib, "cells.md", b.String())
	if d.Title != "On Cells" || d.Lines != strings.Count(raw, "\n") || d.Pages != 1 {
		t.Errorf("document: %+v", d)
	}
	all := strings.SplitAfter(raw, "\n")
	for _, l := range []docsearch.Lines{{First: 1, Last: 1}, {First: 5, Last: 6}, {First: 90, Last: 200}, {First: 400}, {First: 409, Last: 999}} {
		got, err := lib.View(ctx, "cells", l)
		last := l.Last
		if last == 0 || last > d.Lines {
			last = d.Lines
		}
		if want := strings.Join(all[l.First-1:last], ""); err != nil || got.Text != want || raw[got.Start:got.End] != want || got.LineStart != l.First || got.LineEnd != last {
			t.Errorf("View(%+v) = %+v, %v", l, got, err)
		}
	}
	if _, err := lib.View(ctx, "cells", docsearch.Lines{First: 410}); !errors.Is(err, docsearch.ErrNotFound) {
		t.Errorf("a line after the end: %v", err)
	}
	if got, err := lib.Abstract(ctx, d.ID); err != nil || got.Text != "This paper is about cells and what they\nsend, at some length." || got.LineStart != 5 || got.LineEnd != 6 {
		t.Errorf("Abstract = %+v, %v", got, err)
	}
	if got, err := lib.Read(ctx, d.ID, nil); err != nil || got.Text != raw || got.Truncated {
		t.Errorf("Read = %d bytes, %v", len(got.Text), err)
	}
	if got, err := lib.Read(ctx, d.ID, &docsearch.ReadOptions{MaxRunes: 10}); err != nil || got.Text != "# On Cells" || !got.Truncated {
		t.Errorf("Read of 10 = %+v, %v", got, err)
	}
	if _, err := lib.Page(ctx, d.ID, 2); !errors.Is(err, docsearch.ErrNotFound) {
		t.Errorf("page 2: %v", err)
	}
	for _, tt := range []struct {
		pattern string
		opt     *docsearch.FindOptions
		total   int
		line    int
		text    string
	}{
		{"the last lines", nil, 1, 409, "the last line"},
		{"they send", nil, 1, 5, "This paper is about cells and what they"},
		{`^the \w+`, &docsearch.FindOptions{Regexp: true}, 1, 409, "the last line"},
		{"body", &docsearch.FindOptions{Limit: 2}, 400, 9, "a line of the body of this text"},
	} {
		f, err := lib.Find(ctx, d.ID, tt.pattern, tt.opt)
		if err != nil || f.Total != tt.total || f.Lines[0].Line != tt.line || f.Lines[0].Text != tt.text {
			t.Errorf("Find(%q) = %+v, %v", tt.pattern, f, err)
		}
	}
	if _, err := lib.Find(ctx, d.ID, "(", &docsearch.FindOptions{Regexp: true}); err == nil {
		t.Error("a broken expression was taken")
	}
}

func TestResolve(t *testing.T) {
	lib := open(t, nil)
	add(t, lib, "38331-h60.txt", "Radio Resource Control\n")
	add(t, lib, "38211-h50.txt", "Physical channels\n")
	add(t, lib, "a/notes.txt", "Notes\n")
	add(t, lib, "raft.txt", "In search of a consensus\n")
	add(t, lib, "draft.txt", "A plan\n")
	for ref, want := range map[string]string{
		"38.331": "38331-h60.txt", "radio resource": "38331-h60.txt", "notes.txt": "a/notes.txt", "a/notes.txt": "a/notes.txt", "38211": "38211-h50.txt", "PHYSICAL CHANNELS": "38211-h50.txt", "raft": "raft.txt", "draf": "draft.txt",
	} {
		d, err := lib.Resolve(t.Context(), ref)
		if err != nil || d.Name != want {
			t.Errorf("Resolve(%q) = %+v, %v; want %s", ref, d, err, want)
		}
	}
	_, err := lib.Resolve(t.Context(), "38")
	if amb, ok := errors.AsType[*docsearch.AmbiguousError](err); !ok || len(amb.Candidates) != 2 {
		t.Errorf("Resolve(38): %v, want two candidates", err)
	}
	if _, err := lib.Resolve(t.Context(), "nobody"); !errors.Is(err, docsearch.ErrNotFound) {
		t.Errorf("Resolve(nobody): %v", err)
	}
}

func TestSearchRefuses(t *testing.T) {
	lib := open(t, nil)
	add(t, lib, "a.txt", "timing recovery")
	if _, err := lib.Search(t.Context(), strings.Repeat("timing ", 100_000), nil); !errors.Is(err, docsearch.ErrTooLarge) {
		t.Errorf("a query of 700,000 bytes: %v, want ErrTooLarge", err)
	}
	_, err := lib.Search(t.Context(), "timing", &docsearch.SearchOptions{Limit: -1, Snippet: -2})
	if !errors.Is(err, docsearch.ErrUnsupported) || !strings.Contains(err.Error(), "Limit -1") || !strings.Contains(err.Error(), "Snippet -2") {
		t.Errorf("negative options: %v, want ErrUnsupported that names both", err)
	}
}

// damaged yields one whole page and one of which only the beginning could be read.
type damaged struct{}

func (damaged) Version() string                                                 { return "damaged/1" }
func (damaged) Meta() extract.Meta                                              { return extract.Meta{Pages: 2} }
func (damaged) Close() error                                                    { return nil }
func (d damaged) Open(context.Context, io.ReaderAt, int64) (extract.Doc, error) { return d, nil }
func (damaged) Pages(context.Context, int, int) iter.Seq2[*extract.Page, error] {
	return func(yield func(*extract.Page, error) bool) {
		_ = yield(&extract.Page{Number: 1, Text: "a whole page"}, nil) &&
			yield(&extract.Page{Number: 2, Text: "the beginning of a giraffe"}, errors.New("the stream ends early"))
	}
}

func TestDamagedPageKeepsItsText(t *testing.T) {
	lib := open(t, &docsearch.Options{Extractors: map[string]extract.Extractor{".dam": damaged{}}})
	d := add(t, lib, "x.dam", "any bytes")
	if d.Status != docsearch.StatusReady || !strings.Contains(d.Reason, "page 2: the stream ends early") {
		t.Errorf("Add = status %s, reason %q, want ready and the reason", d.Status, d.Reason)
	}
	res := search(t, lib, "giraffe", nil)
	if len(res.Hits) != 1 || res.Hits[0].Passages[0].Page != 2 {
		t.Errorf("Search(giraffe) = %+v, want page 2", res.Hits)
	}
}

func TestSnippetShowsTheIdentifier(t *testing.T) {
	lib := open(t, nil)
	add(t, lib, "spec.txt", "This clause is general, and so is that clause.\n"+strings.Repeat("Filler text stands here.\n", 30)+"The procedure is in 10.2.2 below.\n")
	res := search(t, lib, "clause 10.2.2", nil)
	if len(res.Hits) != 1 || res.Hits[0].Tier != docsearch.TierAll || !strings.Contains(res.Hits[0].Passages[0].Snippet, "10.2.2") || res.Hits[0].Passages[0].LineStart != 32 {
		t.Errorf("Search(clause 10.2.2) = %+v, want the line of 10.2.2", res.Hits)
	}
}

func TestNearChoosesThePlace(t *testing.T) {
	lib := open(t, nil)
	text := "Contents: cell search, page nine.\n" + strings.Repeat("Nothing of that kind stands in this line.\n", 12) +
		"The cell search correlates the buffer.\n"
	if _, err := lib.Add(t.Context(), docsearch.Bytes("a.txt", []byte(text))); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		near string
		line int
	}{{"", 1}, {"how is the buffer correlated", 14}, {"contents", 1}} {
		res, err := lib.Search(t.Context(), "cell search", &docsearch.SearchOptions{Near: tt.near})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Hits[0].Passages[0].LineStart; got != tt.line {
			t.Errorf("Search with Near %q shows line %d, want %d", tt.near, got, tt.line)
		}
	}
}
