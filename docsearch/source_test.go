package docsearch_test

import (
	"context"
	"errors"
	"fmt"
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
)

// counting is an extractor for text that counts its calls, and may be locked.
type counting struct {
	opens    *int
	password string
}

func (c counting) Version() string { return "counting/1" }

func (c counting) WithPassword(p string) extract.Extractor { return counting{c.opens, p} }

func (c counting) Open(_ context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	*c.opens++
	data := make([]byte, size)
	if _, err := r.ReadAt(data, 0); err != nil && err != io.EOF {
		return nil, err
	}
	if strings.HasPrefix(string(data), "locked") && c.password != "key" {
		return nil, fmt.Errorf("%w: a password is needed", docsearch.ErrEncrypted)
	}
	return pages{string(data)}, nil
}

type pages struct{ text string }

func (pages) Meta() extract.Meta { return extract.Meta{} }
func (pages) Close() error       { return nil }
func (p pages) Pages(context.Context, int, int) iter.Seq2[*extract.Page, error] {
	return func(yield func(*extract.Page, error) bool) {
		for i, s := range strings.Split(p.text, "\f") {
			if !yield(&extract.Page{Number: i + 1, Text: s, Markdown: "**" + s + "**"}, nil) {
				return
			}
		}
	}
}

func TestUnchangedIsNotRead(t *testing.T) {
	dir := tree(t, map[string]string{"a.cnt": "some text\n"})
	file := filepath.Join(dir, "a.cnt")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	opens, reads := 0, 0
	lib := open(t, &docsearch.Options{Extractors: map[string]extract.Extractor{".cnt": counting{opens: &opens}}})
	add := func(want docsearch.Change, opened, read int) {
		t.Helper()
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		opens, reads = 0, 0
		src := docsearch.Source{Name: "a.cnt", Origin: file, Size: info.Size(), ModTime: info.ModTime(), Open: func() (io.ReadCloser, error) {
			reads++
			return os.Open(file)
		}}
		d, err := lib.Add(t.Context(), src)
		if err != nil || d.Change != want || opens != opened || reads != read {
			t.Errorf("Add = %+v, %v after %d calls of the extractor and %d of Open, want %s, %d and %d", d, err, opens, reads, want, opened, read)
		}
	}
	add(docsearch.Added, 1, 1)
	add(docsearch.Unchanged, 0, 0)
	older := old.Add(-time.Hour)
	if err := os.Chtimes(file, older, older); err != nil {
		t.Fatal(err)
	}
	add(docsearch.Unchanged, 0, 1) // another time: the bytes are compared, once
	add(docsearch.Unchanged, 0, 0)
	if err := os.WriteFile(file, []byte("other text\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	add(docsearch.Replaced, 1, 1)
}

func TestSourceOptions(t *testing.T) {
	ctx := t.Context()
	opens := 0
	lib := open(t, &docsearch.Options{Extractors: map[string]extract.Extractor{".cnt": counting{opens: &opens}}})
	left, right := tree(t, map[string]string{"x.txt": "left words", "same.txt": "equal words"}), tree(t, map[string]string{"x.txt": "right words", "same.txt": "equal words"})
	addAll := func(root string, o *docsearch.SourceOptions) (out []string) {
		t.Helper()
		for d, err := range lib.AddAll(ctx, docsearch.With(docsearch.Files(root), o)) {
			switch {
			case err != nil:
				out = append(out, err.Error())
			default:
				out = append(out, d.Name+" "+string(d.Change))
			}
		}
		return out
	}
	for _, tt := range []struct {
		root string
		opt  *docsearch.SourceOptions
		want []string
	}{
		{left, nil, []string{"same.txt added", "x.txt added"}},
		{right, nil, []string{filepath.Base(right) + "//same.txt added", filepath.Base(right) + "//x.txt added"}},
		{right, &docsearch.SourceOptions{Prefix: "r"}, []string{"r/same.txt added", "r/x.txt added"}},
		{left, nil, []string{filepath.Base(left) + "//same.txt unchanged", filepath.Base(left) + "//x.txt unchanged"}},
		{left, &docsearch.SourceOptions{ByContent: true, Collections: []string{"p"}}, []string{"same.txt added", "x.txt added"}},
		{right, &docsearch.SourceOptions{ByContent: true, Collections: []string{"q"}}, []string{"same.txt unchanged", "x.txt added"}},
		{left, &docsearch.SourceOptions{Collections: []string{"c "}}, []string{
			`ingest "same.txt": unsupported: collection "c ": a name is one line of UTF-8 of 1 to 256 bytes, without blanks at its ends`,
			`ingest "x.txt": unsupported: collection "c ": a name is one line of UTF-8 of 1 to 256 bytes, without blanks at its ends`}},
	} {
		if diff := cmp.Diff(tt.want, addAll(tt.root, tt.opt)); diff != "" {
			t.Errorf("AddAll(%+v) (-want +got):\n%s", tt.opt, diff)
		}
	}
	// The one content is in both collections.
	if got, err := lib.Collections(ctx); err != nil || len(got) != 2 || got[0].Documents != 2 || got[1].Documents != 2 {
		t.Errorf("Collections = %+v, %v", got, err)
	}
}

func TestLockedAndRetry(t *testing.T) {
	opens := 0
	lib := open(t, &docsearch.Options{Extractors: map[string]extract.Extractor{".cnt": counting{opens: &opens}}})
	src := docsearch.Bytes("l.cnt", []byte("locked words"))
	for _, tt := range []struct {
		password string
		retry    bool
		opens    int
		status   string
	}{{"", false, 1, "failed"}, {"", false, 0, "failed"}, {"", true, 1, "failed"}, {"wrong", false, 1, "failed"}, {"key", false, 1, "ready"}, {"", false, 0, "ready"}} {
		opens = 0
		src.Password, src.Retry = tt.password, tt.retry
		d, err := lib.Add(t.Context(), src)
		if d == nil || d.Status != tt.status || opens != tt.opens || (err != nil) != (tt.status == "failed") {
			t.Errorf("Add with password %q, retry %v: %+v, %v, %d calls; want %s, %d calls", tt.password, tt.retry, d, err, opens, tt.status, tt.opens)
		}
	}
}

func TestMarkdownKept(t *testing.T) {
	ctx := t.Context()
	opens := 0
	lib := open(t, &docsearch.Options{Extractors: map[string]extract.Extractor{".cnt": counting{opens: &opens}}})
	src := docsearch.Bytes("m.cnt", []byte("page one\fpage two\nline\fpage three"))
	if _, err := lib.Add(ctx, src); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Markdown(ctx, "m.cnt", 1, 0); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("Markdown of a document without: %v", err)
	}
	src.Format = docsearch.FormatMarkdown
	d, err := lib.Add(ctx, src)
	if err != nil || d.Format != docsearch.FormatMarkdown || d.Change != docsearch.Replaced {
		t.Fatalf("Add = %+v, %v", d, err)
	}
	src.Format = ""
	if d, err = lib.Add(ctx, src); err != nil || d.Format != docsearch.FormatMarkdown || d.Change != docsearch.Unchanged {
		t.Errorf("Add again = %+v, %v, want it to stay as it is", d, err)
	}
	got, err := lib.Markdown(ctx, "m.cnt", 2, 2)
	want := &docsearch.Text{Doc: d.ID, Name: "m.cnt", Title: "page one", Page: 2, LineStart: 2, LineEnd: 3, Start: 9, End: 23, Text: "**page two\nline**\n", Format: docsearch.FormatMarkdown}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("Markdown: %v (-want +got):\n%s", err, diff)
	}
	all, err := lib.Read(ctx, "m.cnt", &docsearch.ReadOptions{Format: docsearch.FormatMarkdown})
	if err != nil || all.Text != "**page one**\n**page two\nline**\n**page three**\n" || all.Truncated {
		t.Errorf("Read = %+v, %v", all, err)
	}
	if all, err = lib.Read(ctx, "m.cnt", &docsearch.ReadOptions{Format: docsearch.FormatMarkdown, MaxRunes: 5}); err != nil || all.Text != "**pag" || !all.Truncated {
		t.Errorf("Read of 5 = %+v, %v", all, err)
	}
	if raw, err := lib.Read(ctx, "m.cnt", nil); err != nil || raw.Text != "page one\npage two\nline\npage three\n" {
		t.Errorf("raw text = %+v, %v", raw, err)
	}
}

func TestCollections(t *testing.T) {
	ctx := t.Context()
	lib := open(t, nil)
	var ids []string
	for _, n := range []string{"a", "b", "c"} {
		ids = append(ids, add(t, lib, n+".txt", "common words "+n).ID)
	}
	names := func(collection string) string {
		t.Helper()
		got, err := lib.List(ctx, &docsearch.ListOptions{Collection: collection})
		if err != nil {
			return err.Error()
		}
		var out []string
		for _, d := range got.Documents {
			out = append(out, d.Name)
		}
		return strings.Join(out, " ")
	}
	step := func(n int, err error) func(want int) {
		return func(want int) {
			t.Helper()
			if err != nil || n != want {
				t.Errorf("%d documents changed, %v; want %d", n, err, want)
			}
		}
	}
	step(lib.Collect(ctx, "p", ids[:2]))(2)
	step(lib.Collect(ctx, "p", ids))(1)
	step(lib.Collect(ctx, "q", ids[2:]))(1)
	step(lib.Uncollect(ctx, "p", ids[:1]))(1)
	if got := names("p"); got != "b.txt c.txt" {
		t.Errorf("p holds %q", got)
	}
	if err := lib.RenameCollection(ctx, "q", "p2"); err != nil || names("p2") != "c.txt" {
		t.Errorf("renamed: %v, it holds %q", err, names("p2"))
	}
	if _, err := lib.CollectionDocs(ctx, "q"); !errors.Is(err, docsearch.ErrNotFound) || !strings.Contains(err.Error(), "there are: p, p2") {
		t.Errorf("a collection that is not there: %v", err)
	}
	if _, err := lib.Collect(ctx, "p", []string{"nobody"}); !errors.Is(err, docsearch.ErrNotFound) {
		t.Errorf("a document that is not there: %v", err)
	}
	docs, err := lib.CollectionDocs(ctx, "p")
	if err != nil {
		t.Fatal(err)
	}
	res := search(t, lib, "common words", &docsearch.SearchOptions{Docs: docs})
	if len(res.Hits) != 2 || res.Searched.Documents != 2 {
		t.Errorf("Search in p: %d hits of %d", len(res.Hits), res.Searched.Documents)
	}
	// New content stays in its collections.
	if d := add(t, lib, "b.txt", "other words"); d.Change != docsearch.Replaced || len(d.Collections) != 1 {
		t.Errorf("replaced: %+v", d)
	}
	step(lib.Uncollect(ctx, "p", nil))(2)
	if got, err := lib.Collections(ctx); err != nil || len(got) != 1 || got[0].Name != "p2" {
		t.Errorf("Collections = %+v, %v", got, err)
	}
	if err := lib.Remove(ctx, "c.txt"); err != nil || names("p2") == "c.txt" {
		t.Errorf("removed: %v, p2 holds %q", err, names("p2"))
	}
}

func TestCheckSources(t *testing.T) {
	ctx := t.Context()
	dir := tree(t, map[string]string{"a.txt": "a", "b.txt": "b", "c.txt": "c", "d.jsonl": `{"id":"1","text":"one"}` + "\n" + `{"id":"2","text":"two"}`})
	lib := open(t, nil)
	add(t, lib, "mem.txt", "in memory")
	addAll := func() {
		t.Helper()
		for _, err := range lib.AddAll(ctx, docsearch.Files(dir)) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	check := func(want docsearch.SourceCheck) {
		t.Helper()
		got, err := lib.CheckSources(ctx, 0)
		if diff := cmp.Diff(&want, got); diff != "" || err != nil {
			t.Errorf("CheckSources: %v (-want +got):\n%s", err, diff)
		}
		res := search(t, lib, "one", nil)
		if res.Freshness.Changed != want.Changed+want.Gone || res.Freshness.Checked.IsZero() {
			t.Errorf("Freshness = %+v", res.Freshness)
		}
	}
	addAll()
	check(docsearch.SourceCheck{Documents: 6, Unknown: 1, Complete: true, Examples: []string{}})
	later := time.Now().Add(time.Minute)
	for _, f := range []string{"a.txt", "d.jsonl"} {
		if err := os.Chtimes(filepath.Join(dir, f), later, later); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "b.txt")); err != nil {
		t.Fatal(err)
	}
	check(docsearch.SourceCheck{Documents: 6, Unknown: 1, Changed: 3, Gone: 1, Complete: true, Examples: []string{"1", "2", "a.txt", "b.txt"}})
	addAll() // unchanged, which is remembered
	check(docsearch.SourceCheck{Documents: 6, Unknown: 1, Gone: 1, Complete: true, Examples: []string{"b.txt"}})
	if info, err := lib.Info(ctx, "2"); err != nil || info.Source != docsearch.SourceSame || info.Runes != 4 || info.Tokens != 1 {
		t.Errorf("Info = %+v, %v", info, err)
	}
}

func TestPending(t *testing.T) {
	ctx := t.Context()
	begun, release := make(chan bool), make(chan bool)
	lib := open(t, &docsearch.Options{Workers: 1, Extractors: map[string]extract.Extractor{".slow": slow{begun, release}}})
	status := func() (out []string) {
		t.Helper()
		got, err := lib.List(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range got.Documents {
			out = append(out, d.Name+" "+d.Status)
		}
		return out
	}
	sources := func(yield func(docsearch.Source, error) bool) {
		_ = yield(docsearch.Bytes("a.slow", []byte("one")), nil) && yield(docsearch.Bytes("b.slow", []byte("two")), nil)
	}
	done := make(chan int)
	go func() {
		n := 0
		for range lib.AddAll(ctx, sources) {
			n++
			break // the second one may have been read, and is wanted no more
		}
		done <- n
	}()
	<-begun
	if diff := cmp.Diff([]string{"a.slow pending"}, status()); diff != "" {
		t.Errorf("while it is read (-want +got):\n%s", diff)
	}
	close(release)
	go func() {
		for range begun {
		}
	}()
	if n := <-done; n != 1 {
		t.Fatalf("%d documents were yielded", n)
	}
	close(begun)
	for _, s := range status() {
		if !strings.HasSuffix(s, " ready") {
			t.Errorf("after the end: %q", s)
		}
	}
}

// slow is an extractor that waits.
type slow struct{ begun, release chan bool }

func (slow) Version() string { return "slow/1" }

func (s slow) Open(context.Context, io.ReaderAt, int64) (extract.Doc, error) {
	s.begun <- true
	<-s.release
	return pages{"slow text"}, nil
}

func TestLibraryFiles(t *testing.T) {
	opens := 0
	lib := open(t, &docsearch.Options{Extractors: map[string]extract.Extractor{".cnt": counting{opens: &opens}}})
	dir := tree(t, map[string]string{"a.CNT": "x", "b.txt": "x", "c.pdf": "x", "d.rst": "x", "e.RST": "x", "sub/f": "x", "g.jsonl": `{"id":"g","text":"x"}` + "\n", ".h.rst": "x"})
	names := func(sources iter.Seq2[docsearch.Source, error]) (out []string) {
		for src, err := range sources {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, src.Name)
		}
		return out
	}
	left := map[string]int{}
	got := names(lib.Files(dir, &docsearch.FilesOptions{LeftOut: func(files map[string]int) { left = files }}))
	if diff := cmp.Diff([]string{"a.CNT", "b.txt", "g"}, got); diff != "" {
		t.Errorf("Library.Files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{".pdf": 1, ".rst": 2, "": 1}, left); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	if n := lib.CountFiles(t.Context(), dir); n != 3 {
		t.Errorf("CountFiles = %d, want 3", n)
	}
	if want := ".rst 2, no extension 1, .pdf 1"; docsearch.FormatEndings(left) != want {
		t.Errorf("FormatEndings = %q, want %q", docsearch.FormatEndings(left), want)
	}
	// The function goes by the endings that are built in.
	if diff := cmp.Diff([]string{"b.txt", "c.pdf", "g"}, names(docsearch.Files(dir))); diff != "" {
		t.Errorf("Files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{".cnt", ".htm", ".html", ".markdown", ".md", ".txt", ".xhtml"}, lib.Endings()); diff != "" {
		t.Errorf("Endings (-want +got):\n%s", diff)
	}
	// A walk that was broken off tells of nothing.
	for range lib.Files(dir, &docsearch.FilesOptions{LeftOut: func(map[string]int) { t.Error("LeftOut was called") }}) {
		break
	}
}

func TestFormatEndingsCountsTheRest(t *testing.T) {
	files := map[string]int{}
	for i := range 12 {
		files[fmt.Sprintf(".e%02d", i)] = 100 - i
	}
	if got, want := docsearch.FormatEndings(files), ".e00 100, .e01 99, .e02 98, .e03 97, .e04 96, .e05 95, .e06 94, .e07 93, 362 others"; got != want {
		t.Errorf("FormatEndings = %q, want %q", got, want)
	}
}

// TestRefuse: a source that is to be refused leaves the library as it was when it cannot be read.
func TestRefuse(t *testing.T) {
	lib := open(t, nil)
	add(t, lib, "a.txt", "alpha\n")
	for _, name := range []string{"a.txt", "b.txt", "c.zip"} {
		src := docsearch.Bytes(name, []byte("bin\x00ary"))
		src.Refuse = true
		if doc, err := lib.Add(t.Context(), src); doc != nil || !errors.As(err, new(*docsearch.IngestError)) {
			t.Errorf("Add(%s) = %v, %v, want no document and an IngestError", name, doc, err)
		}
	}
	list, err := lib.List(t.Context(), nil)
	if err != nil || len(list.Documents) != 1 || list.Documents[0].Status != docsearch.StatusReady {
		t.Errorf("List = %+v, %v, want a.txt as it was", list, err)
	}
}
