package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/abstract"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/docsearch/internal/querytext"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
	"github.com/findspot/findspot/internal/errs"
)

// A figure is what the store keeps of a figure; see docsearch.FigureHit.
type figure struct {
	Page    int         `json:"page"`
	BBox    extract.Box `json:"bbox"`
	Caption string      `json:"caption"`
	OCR     string      `json:"ocr,omitempty"`
}

// A tableObject is what the store keeps of a table; see docsearch.TableHit.
type tableObject struct {
	Page    int         `json:"page"`
	BBox    extract.Box `json:"bbox"`
	Caption string      `json:"caption"`
	Rows    [][]string  `json:"rows"`
}

// extracted is the content of one document.
type extracted struct {
	meta    extract.Meta
	raw     string
	pages   []int   // byte offset of each page
	apart   [][]int // lines of each page that stand apart from the running text
	figures []figure
	tables  []tableObject
	reason  string // what could not be read
	toc     extract.Contents
	md      []byte // the pages' Markdown in a row, where it is kept
	mdAt    []int  // byte of md at which each page begins; nil: not kept
}

// maxText bounds the raw text of one document in bytes, against files that unfold without end.
const maxText = 512 << 20

// extract reads a document. A page that cannot be read whole is named in reason, and what could be read of it is kept;
// when none can be read the first page's error is returned.
func (in *Ingester) extract(ctx context.Context, x extract.Extractor, r io.ReaderAt, size int64, name string, markdown bool) (out *extracted, err error) {
	defer func() {
		if v := recover(); v != nil { // foreign bytes in foreign code: one document must not end the program
			in.opt.Logger.Warn("docsearch: extractor panicked", "doc", name, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
			out, err = nil, &catalog.IngestError{Name: name, Err: fmt.Errorf("%w: the extractor %s crashed: %v", errs.Format, x.Version(), v)}
		}
	}()
	doc, err := x.Open(ctx, r, size)
	if err != nil {
		return nil, err
	}
	defer doc.Close()
	t := &extracted{meta: doc.Meta()}
	var raw strings.Builder
	var firstErr error
	good, bad := 0, []string{}
	for page, err := range doc.Pages(ctx, 1, 0) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := len(t.pages) + 1
		if page != nil {
			n = max(n, page.Number)
		}
		if markdown {
			for len(t.mdAt) < n {
				t.mdAt = append(t.mdAt, len(t.md))
			}
			if page != nil {
				t.md = append(t.md, strings.ToValidUTF8(cmp.Or(page.Markdown, page.Text), "\uFFFD")...)
				if k := len(t.md); k > 0 && t.md[k-1] != '\n' {
					t.md = append(t.md, '\n')
				}
			}
		}
		for len(t.pages) < n-1 { // a page that the extractor left out
			t.pages, t.apart = append(t.pages, raw.Len()), append(t.apart, nil)
			raw.WriteByte('\n')
			t.toc.Add(nil)
		}
		t.pages, t.apart = append(t.pages, raw.Len()), append(t.apart, nil)
		if err != nil {
			if firstErr == nil {
				firstErr = &catalog.IngestError{Name: name, Page: n, Err: err}
			}
			bad = append(bad, fmt.Sprintf("page %d: %s", n, strings.TrimPrefix(err.Error(), fmt.Sprintf("page %d: ", n))))
			in.opt.Logger.Info("docsearch: page skipped", "doc", name, "page", n, "reason", err.Error())
		}
		if page == nil || err != nil && strings.TrimSpace(page.Text) == "" {
			raw.WriteByte('\n')
			t.toc.Add(nil)
			continue
		}
		if err == nil && !page.NoText {
			t.apart[n-1] = page.Apart
		}
		good++ // what could be read of a damaged page is kept
		t.toc.Add(page)
		s := strings.ToValidUTF8(page.Text, "\uFFFD")
		raw.WriteString(s)
		if !strings.HasSuffix(s, "\n") {
			raw.WriteByte('\n')
		}
		if raw.Len() > maxText || len(t.md) > maxText {
			return nil, fmt.Errorf("%w: over %d bytes of text", errs.TooLarge, maxText)
		}
		for _, f := range page.Figures {
			t.figures = append(t.figures, figure{Page: n, BBox: f.BBox, Caption: f.Caption, OCR: f.OCR})
		}
		for _, tb := range page.Tables {
			t.tables = append(t.tables, tableObject{Page: n, BBox: tb.BBox, Caption: tb.Caption, Rows: tb.Rows})
		}
		in.progress(Progress{Doc: name, Page: n, Pages: t.meta.Pages, Stage: stageRead})
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if good == 0 && firstErr != nil {
		return nil, firstErr
	}
	if n := len(bad); n > 3 {
		bad = append(bad[:3], fmt.Sprintf("and %d more pages", n-3))
	}
	t.reason = strings.Join(bad, "; ")
	if len(t.pages) == 0 {
		t.pages, t.apart, t.raw = []int{0}, [][]int{nil}, "\n"
	} else {
		t.raw = raw.String()
	}
	if !t.hasText() {
		if _, plain := x.(format.Text); plain {
			return nil, fmt.Errorf("%w: the document is empty", errs.NoText)
		}
		return nil, fmt.Errorf("%w: pages read: %d; a scanned document needs an extractor with OCR", errs.NoText, good)
	}
	return t, nil
}

func (t *extracted) hasText() bool {
	if strings.IndexFunc(t.raw, func(r rune) bool { return !unicode.IsSpace(r) }) >= 0 {
		return true
	}
	return slices.ContainsFunc(t.figures, func(f figure) bool { return strings.TrimSpace(f.Caption+f.OCR) != "" }) ||
		slices.ContainsFunc(t.tables, func(tb tableObject) bool { return tableText(tb) != "" })
}

// head returns the beginning of the raw text, the first two pages of it at most.
func (t *extracted) head() string {
	end := len(t.raw)
	if len(t.pages) > 2 {
		end = t.pages[2]
	}
	end = min(end, 20000)
	for end < len(t.raw) && end > 0 && !utf8.RuneStart(t.raw[end]) {
		end--
	}
	return t.raw[:end]
}

// records completes the entry from the content and returns what the store keeps of it.
func (t *extracted) records(e *catalog.Stored, s chunk.Splitter) (*rawtext.Layout, []driver.Record, error) {
	head := t.head()
	e.Title = strings.Join(strings.Fields(t.meta.Title), " ")
	titled := e.Title // what is indexed as a title
	if e.Title == "" {
		e.Title = format.FirstLine(head)
		// A line that is most of the text is shown as a title but says nothing more than the text. The beginning of
		// a long one does: what a text is about, it says first.
		n := -1 // bytes with single blanks, as far as they matter
		for w := range strings.FieldsSeq(t.raw) {
			if n += 1 + len(w); len(e.Title)*2 < n {
				titled = e.Title
				break
			}
		}
	}
	if e.Title == "" {
		e.Title = titleName(e.Name)
	}
	if t.meta.Authors != nil {
		e.Authors = t.meta.Authors
	}
	e.Date, e.Institutions, e.URL = t.meta.Date, t.meta.Institutions, t.meta.URL
	e.Pages, e.Lines, e.Reason = len(t.pages), strings.Count(t.raw, "\n"), t.reason
	e.Numbers = querytext.DocNumbers(catalog.Base(e.Name), e.Title, head[:min(len(head), 400)])
	e.Abstract[0], e.Abstract[1] = abstract.FindOrFirst(head)

	lay, recs, err := rawtext.Cut(t.raw, t.pages, t.toc.Sections(), s)
	if err != nil {
		return nil, nil, err
	}
	lay.Joints = rawtext.Joints(t.raw, t.pages, t.apart)
	e.Covered = true
	add := func(kind driver.Kind, n int, text string, v any) error {
		if strings.TrimSpace(text) == "" {
			return nil
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		recs = append(recs, driver.Record{Kind: kind, N: n, Text: text, Data: data})
		return nil
	}
	err = add(driver.KindDocument, 0, titled+"\n"+strings.Join(e.Authors, ", ")+"\n"+t.meta.Keywords, nil)
	if err == nil && t.mdAt != nil {
		// The Markdown stands with the one record of the document, which reading calls alone ask for.
		lay.Markdown = t.mdAt
		if n := len(recs); n == 0 || recs[n-1].Kind != driver.KindDocument {
			err = add(driver.KindDocument, 0, e.Title, nil)
		}
		recs[len(recs)-1].Data = t.md
	}
	for i, f := range t.figures {
		if err == nil {
			err = add(driver.KindFigure, i, f.Caption+"\n"+f.OCR, f)
		}
	}
	for i, tb := range t.tables {
		if err == nil {
			err = add(driver.KindTable, i, tableText(tb), tb)
		}
	}
	return lay, recs, err
}

func tableText(t tableObject) string {
	var b strings.Builder
	b.WriteString(t.Caption)
	for _, row := range t.Rows {
		if strings.TrimSpace(strings.Join(row, "")) != "" {
			b.WriteByte('\n')
			b.WriteString(strings.Join(row, " | "))
		}
	}
	return strings.TrimSpace(b.String())
}
