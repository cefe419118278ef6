package delimited

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/errs"
)

// PageRows is how many rows a page has at most, the head aside.
const PageRows = 500

// Bounds of a file.
const (
	maxFile  = 256 << 20
	maxCells = 20_000 // of a row
)

// New returns the extractor. It is safe for concurrent use.
func New() extract.Extractor { return extractor{} }

type extractor struct{}

func (extractor) Version() string { return fmt.Sprintf("delimited/1-%d", charset.Version) }

func (extractor) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	if size > maxFile {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", errs.TooLarge, size, maxFile)
	}
	raw, err := io.ReadAll(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(raw, []byte("%PDF-")) || bytes.HasPrefix(raw, []byte("PK\x03\x04")) {
		return nil, fmt.Errorf("%w: not text: it begins like a PDF or an office document", errs.Format)
	}
	data := charset.UTF8("x.csv", raw)
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return nil, fmt.Errorf("%w: not text: byte %d is zero", errs.Format, i)
	}
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%w: not text: it has too many control characters", errs.Format)
	}
	d := &document{data: data}
	d.data, d.delimiter = delimiter(d.data)
	return d, d.index(ctx)
}

// A document keeps where its pages begin, and reads a page when it is asked for.
type document struct {
	data      []byte
	delimiter byte
	head      []string // nil where the first row is none
	pages     []int    // offset in data of the first row of each page
}

// index finds the head and the pages.
func (d *document) index(ctx context.Context) error {
	var first [][]string
	var whole, below []int // where pages begin when there is no head, and when there is
	rows := 0
	for at, line := 0, 1; ; line++ {
		if line%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		cells, next := d.row(at)
		if next < 0 {
			break
		}
		if len(cells) > maxCells {
			return fmt.Errorf("row %d: %w: more than %d values", line, errs.TooLarge, maxCells)
		}
		if !blank(cells) {
			if len(first) < 20 {
				first = append(first, cells)
			}
			switch rows % PageRows {
			case 0:
				whole = append(whole, at)
			case 1:
				below = append(below, at)
			}
			rows++
		}
		at = next
	}
	d.pages = whole
	if head(first) {
		d.head, d.pages = first[0], below
	}
	if len(d.pages) == 0 {
		d.pages = []int{len(d.data)}
	}
	return nil
}

func (d *document) Meta() extract.Meta { return extract.Meta{Pages: len(d.pages)} }

func (d *document) Close() error { return nil }

func (d *document) Pages(ctx context.Context, first, last int) iter.Seq2[*extract.Page, error] {
	return compose.Pages(ctx, len(d.pages), first, last, func(n int) *extract.Page { return d.page(n, n > max(first, 1)) })
}

// page reads page n. after says that the one before it was read, too.
func (d *document) page(n int, after bool) *extract.Page {
	t := extract.Table{Rows: [][]string{}, Cells: []extract.Cell{}, Continued: after}
	if d.head != nil {
		t.Rows = append(t.Rows, d.head)
		if after {
			t.Repeated = 1
		}
	}
	at := d.pages[n-1]
	for rows := 0; rows < PageRows; {
		cells, next := d.row(at)
		if next < 0 {
			break
		}
		at = next
		if !blank(cells) {
			t.Rows = append(t.Rows, cells)
			rows++
		}
	}
	p := compose.New(n)
	cols := 0
	for _, r := range t.Rows {
		cols = max(cols, len(r))
	}
	if cols < 2 || cols*len(t.Rows) > 10*compose.MaxCells { // no table: lines of text, or one row that is far longer than the others
		for _, r := range t.Rows {
			p.Words(strings.TrimRight(strings.Join(r, " | "), " |"))
			p.Paragraph(false)
		}
		return p.End()
	}
	for i, r := range t.Rows {
		for k, s := range r {
			t.Cells = append(t.Cells, extract.Cell{Row: i, Col: k, RowSpan: 1, ColSpan: 1, Text: s})
		}
	}
	p.Table(t)
	return p.End()
}

func blank(cells []string) bool {
	for _, c := range cells {
		if c != "" {
			return false
		}
	}
	return true
}

// row reads the row at an offset, and returns where the next begins; -1 at the end.
func (d *document) row(at int) (cells []string, next int) {
	if at >= len(d.data) {
		return nil, -1
	}
	return parse(d.data, at, d.delimiter)
}
