package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
	"github.com/findspot/findspot/internal/errs"
)

// maxView bounds the bytes that lines, pages and Markdown are returned of.
const maxView = 8 << 20

// A Text is a part of a document's raw text with its place, or of its Markdown; see docsearch.Text.
type Text struct {
	Doc, Name, Title                     string
	Page, LineStart, LineEnd, Start, End int
	Text                                 string
	Truncated                            bool
	Markdown                             bool
	Joints                               [][2]int
}

// A Reader opens documents. It is safe for concurrent use.
type Reader struct {
	Store driver.Store
	Docs  *catalog.List
	Texts *rawtext.Reader
}

// A Doc is a document whose text can be read.
type Doc struct {
	*catalog.Entry
	Layout *rawtext.Layout

	store driver.Store
	texts *rawtext.Reader
}

// Open resolves a reference to a document whose text can be read.
func (r *Reader) Open(ctx context.Context, ref string) (*Doc, error) {
	e, err := r.Docs.Resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	for again := false; ; again = true {
		if e.Status != catalog.Ready {
			return nil, e.Failure()
		}
		lay, err := r.Texts.Layout(ctx, e)
		if err == nil {
			return &Doc{e, lay, r.Store, r.Texts}, nil
		}
		if again || !errors.Is(err, errs.Stale) {
			return nil, err
		}
		if e, _, err = r.Docs.Get(ctx, e.ID); err != nil { // replaced a moment ago
			return nil, err
		}
	}
}

// Slice returns bytes [start, end) of the raw text.
func (d *Doc) Slice(ctx context.Context, start, end int) (string, error) {
	return d.texts.Slice(ctx, d.Entry, d.Layout, start, end)
}

// pageRange returns the bytes of the raw text that a page has, from 1.
func (d *Doc) pageRange(n int) (start, end int, err error) {
	if n < 1 || n > len(d.Layout.Pages) {
		return 0, 0, fmt.Errorf("document %q: page %d: %w: it has pages 1 to %d", d.Name, n, errs.NotFound, len(d.Layout.Pages))
	}
	return d.Layout.Pages[n-1], offset(d.Layout.Pages, n+1, d.Layout.Size), nil
}

// offset is where a page begins, or the end behind the last.
func offset(pages []int, n, end int) int {
	if n <= len(pages) {
		return pages[n-1]
	}
	return end
}

// text returns bytes [start, end) of the raw text with their place.
func (d *Doc) text(ctx context.Context, start, end int) (*Text, error) {
	raw, err := d.Slice(ctx, start, end)
	if err != nil {
		return nil, err
	}
	t := &Text{Doc: d.ID, Name: d.Name, Title: d.Title, Page: d.Layout.Page(start), Start: start}
	if t.LineStart, err = d.texts.LineOf(ctx, d.Entry, d.Layout, start); err != nil {
		return nil, err
	}
	t.cut(raw)
	return t, nil
}

// cut makes the text end where raw does.
func (t *Text) cut(raw string) {
	t.Text, t.End = raw, t.Start+len(raw)
	t.LineEnd = t.LineStart + strings.Count(strings.TrimSuffix(raw, "\n"), "\n")
}

// joints are the parts of the text that stand between the running texts of pages.
func (d *Doc) joints(t *Text) (out [][2]int) {
	for _, j := range d.Layout.Joints {
		if from, to := max(j[0], t.Start), min(j[1], t.End); from < to {
			out = append(out, [2]int{from - t.Start, to - t.Start})
		}
	}
	return out
}

// bounded is text for at most maxView bytes, cut at the end of a line where there is one.
func (d *Doc) bounded(ctx context.Context, start, end int) (*Text, error) {
	t, err := d.text(ctx, start, min(end, start+maxView))
	if err != nil {
		return nil, err
	}
	if end-start > maxView {
		keep := strings.LastIndexByte(t.Text, '\n') + 1
		if keep == 0 {
			for keep = len(t.Text); keep > 0 && !utf8.ValidString(t.Text[keep-1:]); keep-- {
			}
		}
		t.cut(t.Text[:keep])
		t.Truncated = true
	}
	t.Joints = d.joints(t)
	return t, nil
}

// Lines returns lines of the raw text, from 1 and inclusive; a first of 0 means 1, a last of 0 or beyond the end means the end.
func (d *Doc) Lines(ctx context.Context, first, last int) (*Text, error) {
	if first < 0 || last < 0 || last > 0 && last < max(first, 1) {
		return nil, fmt.Errorf("document %q: lines %d to %d are not a range", d.Name, first, last)
	}
	if first = max(first, 1); first > int(d.Entry.Lines) {
		return nil, fmt.Errorf("document %q: line %d: %w: it has %d lines", d.Name, first, errs.NotFound, d.Entry.Lines)
	}
	start, err := d.texts.LineStart(ctx, d.Entry, d.Layout, first)
	if err != nil {
		return nil, err
	}
	end := d.Layout.Size
	if last > 0 && last < int(d.Entry.Lines) {
		if end, err = d.texts.LineStart(ctx, d.Entry, d.Layout, last+1); err != nil {
			return nil, err
		}
	}
	return d.bounded(ctx, start, end)
}

// Page returns one page, from 1.
func (d *Doc) Page(ctx context.Context, n int) (*Text, error) {
	start, end, err := d.pageRange(n)
	if err != nil {
		return nil, err
	}
	return d.bounded(ctx, start, end)
}

// Beginning returns the text from its beginning, of at most some runes.
func (d *Doc) Beginning(ctx context.Context, runes int) (*Text, error) {
	// A rune has at most four bytes.
	t, err := d.text(ctx, 0, min(d.Layout.Size, min(runes, d.Layout.Size)*4))
	if err != nil {
		return nil, err
	}
	s, _ := cutRunes(t.Text, runes)
	t.cut(s)
	t.Truncated = t.End < d.Layout.Size
	return t, nil
}

// cutRunes cuts s after n runes; it reports whether it cut.
func cutRunes(s string, n int) (string, bool) {
	for i := range s {
		if n == 0 {
			return s[:i], true
		}
		n--
	}
	return s, false
}

// Abstract returns the abstract, or an error wrapping errs.NotFound.
func (d *Doc) Abstract(ctx context.Context) (*Text, error) {
	at := d.Entry.Abstract
	if at[1] <= at[0] {
		return nil, fmt.Errorf("document %q: abstract: %w", d.Name, errs.NotFound)
	}
	return d.text(ctx, int(at[0]), int(at[1]))
}

// Markdown returns the kept Markdown of pages first to last, from 1 and inclusive, of at most some runes; a last of 0 means the end.
func (d *Doc) Markdown(ctx context.Context, first, last, runes int) (*Text, error) {
	pages := len(d.Layout.Pages)
	first, last = max(first, 1), cmp.Or(last, pages)
	if last = min(last, pages); first > last {
		return nil, fmt.Errorf("document %q: page %d: %w: it has pages 1 to %d", d.Name, first, errs.NotFound, pages)
	}
	if len(d.Layout.Markdown) == 0 {
		return nil, fmt.Errorf("document %q: %w: its Markdown was not kept: add it again with the format %q", d.Name, errs.Unsupported, catalog.Markdown)
	}
	recs, err := d.store.Records(ctx, d.ID, driver.KindDocument, []int{0})
	if err != nil {
		return nil, err
	}
	md := recs[0].Data
	from, to := offset(d.Layout.Markdown, first, len(md)), offset(d.Layout.Markdown, last+1, len(md))
	if from < 0 || from > to || to > len(md) {
		return nil, fmt.Errorf("document %q: %w: its Markdown does not match its pages: add it again", d.Name, errs.Format)
	}
	start, end := offset(d.Layout.Pages, first, d.Layout.Size), offset(d.Layout.Pages, last+1, d.Layout.Size)
	t := &Text{Doc: d.ID, Name: d.Name, Title: d.Title, Page: first, Start: start, End: end, Markdown: true, Text: string(md[from:to])}
	if t.LineStart, err = d.texts.LineOf(ctx, d.Entry, d.Layout, start); err != nil {
		return nil, err
	}
	if t.LineEnd, err = d.texts.LineOf(ctx, d.Entry, d.Layout, max(start, end-1)); err != nil {
		return nil, err
	}
	if len(t.Text) > maxView {
		t.Text, t.Truncated = strings.ToValidUTF8(t.Text[:maxView], ""), true
	}
	s, cut := cutRunes(t.Text, runes)
	t.Text, t.Truncated = s, t.Truncated || cut
	return t, nil
}

// Length counts the runes of the raw text, and estimates its tokens: see docsearch.Info.
func (d *Doc) Length(ctx context.Context) (runes, tokens int, err error) {
	const window = 256 << 10 // bytes read at a time
	for at := 0; at < d.Layout.Size; at += window {
		raw, err := d.Slice(ctx, at, at+window)
		if err != nil {
			return 0, 0, err
		}
		for i := range len(raw) {
			if utf8.RuneStart(raw[i]) {
				runes++
			}
		}
		tokens += countTokens(raw)
	}
	return runes, tokens, nil
}

// countTokens estimates how many tokens a language model makes of a text: a word of Latin letters counts one for each six bytes begun, a number one for
// each three digits begun, and everything else but white space one a sign. For English prose that is within a fifth of what
// common tokenizers give, and rather over it.
func countTokens(s string) int {
	n, word, digits := 0, 0, 0
	flush := func() {
		n += (word+5)/6 + (digits+2)/3
		word, digits = 0, 0
	}
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0xc0 && r < 0x250:
			if digits > 0 {
				flush()
			}
			word++
		case r >= '0' && r <= '9':
			if word > 0 {
				flush()
			}
			digits++
		case r == ' ' || r == '\n' || r == '\t' || r == '\f' || r == '\r':
			flush()
		default:
			flush()
			n++
		}
	}
	flush()
	return n
}
