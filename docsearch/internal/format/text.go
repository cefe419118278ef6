package format

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/errs"
)

// Text reads text and Markdown as one page.
type Text struct{ Markdown bool }

func (x Text) Version() string {
	if x.Markdown {
		return "markdown/3" // 2: headings; 3: front matter
	}
	return "text/1"
}

func (x Text) Open(_ context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	data, err := io.ReadAll(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, err
	}
	s, err := decodeText(data)
	if err != nil {
		return nil, err
	}
	return &textDoc{text: s, markdown: x.Markdown}, nil
}

// decodeText returns the text of a file: UTF-8, or else Latin-1 when its bytes look like text.
func decodeText(data []byte) (string, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(data, []byte("%PDF-")) {
		return "", fmt.Errorf("%w: not text: it begins like a PDF", errs.Format)
	}
	odd := 0
	for i, c := range data {
		switch {
		case c == 0:
			return "", fmt.Errorf("%w: not text: byte %d is zero", errs.Format, i)
		case c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b && c != '\b', c == 0x7f:
			odd++
		}
	}
	valid := utf8.Valid(data)
	if !valid {
		for _, c := range data {
			if 0x80 <= c && c < 0xa0 {
				odd++ // control characters of Latin-1; printable in Windows-1252, but rare in text
			}
		}
	}
	if odd > 8 && odd > len(data)/50 {
		return "", fmt.Errorf("%w: not text: %d of %d bytes are control characters", errs.Format, odd, len(data))
	}
	s := string(data)
	if !valid {
		var b strings.Builder
		b.Grow(len(data) + len(data)/8)
		for _, c := range data {
			b.WriteRune(rune(c))
		}
		s = b.String()
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), nil
}

type textDoc struct {
	text     string
	markdown bool
}

func (d *textDoc) Meta() extract.Meta {
	m := extract.Meta{Pages: 1}
	if d.markdown {
		for h := range atxHeadings(d.text) {
			m.Title = clip(h.Text, maxTitle)
			break
		}
		describe(&m, frontMatter(d.text))
	}
	return m
}

func (d *textDoc) Pages(ctx context.Context, first, last int) iter.Seq2[*extract.Page, error] {
	return func(yield func(*extract.Page, error) bool) {
		if first > 1 || last < 0 || ctx.Err() != nil {
			return
		}
		p := &extract.Page{Number: 1, Text: d.text, Tables: []extract.Table{}, Figures: []extract.Figure{}}
		if d.markdown {
			p.Markdown = d.text
			p.Headings = slices.Collect(atxHeadings(d.text))
		}
		yield(p, nil)
	}
}

func (d *textDoc) Close() error { return nil }

// atxHeadings yields the headings outside fenced code that say something.
func atxHeadings(s string) iter.Seq[extract.Heading] {
	return func(yield func(extract.Heading) bool) {
		fence := false
		n, skip := 0, 0
		if front := frontMatter(s); front != nil {
			skip = len(front) + 2 // its comments are no headings
		}
		for line := range strings.Lines(s) {
			if n++; n <= skip {
				continue
			}
			line = strings.TrimRight(line, "\r\n")
			if t := strings.TrimSpace(line); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
				fence = !fence
				continue
			}
			level := chunk.HeadingLevel(line)
			if fence || level == 0 {
				continue
			}
			t := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
			if t = strings.TrimSpace(strings.TrimRight(t, "#")); t != "" && !yield(extract.Heading{Text: t, Level: level, Line: n}) {
				return
			}
		}
	}
}

// maxTitle is the length in runes to which a title taken from the text is cut.
const maxTitle = 200

// FirstLine returns the first line of s that holds letters and is no archive's stamp, at most maxTitle runes of it.
func FirstLine(s string) string {
	for line := range strings.Lines(s) {
		if strings.IndexFunc(line, unicode.IsLetter) < 0 || strings.HasPrefix(strings.TrimSpace(line), "arXiv:") {
			continue
		}
		var b strings.Builder
		for w := range strings.FieldsSeq(line) { // the line may be the whole text
			if b.Len() > utf8.UTFMax*maxTitle {
				break
			}
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
		return clip(b.String(), maxTitle)
	}
	return ""
}

// clip shortens s to n runes.
func clip(s string, n int) string {
	for i := range s {
		if n == 0 {
			return strings.TrimSpace(s[:i])
		}
		n--
	}
	return s
}

// ContextReader returns a reader of r that ends when its context ends.
func ContextReader(ctx context.Context, r io.Reader) io.Reader { return ctxReader{ctx, r} }

type ctxReader struct {
	ctx context.Context
	r   io.Reader
}

func (r ctxReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
