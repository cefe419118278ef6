package docsearch

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
)

// Info is what is known of one document before its text is read.
type Info struct {
	*Document
	Abstract  *Text             `json:"abstract,omitempty"` // nil where none is known
	Sections  []extract.Section `json:"sections"`           // in the order of the text; never nil
	Runes     int               `json:"runes"`              // of the raw text
	Tokens    int               `json:"tokens"`             // about how many a language model makes of the raw text; see [Tokens]
	Figures   int               `json:"figures"`            // figures that are searched: those with a caption or text
	Tables    int               `json:"tables"`
	Freshness Freshness         `json:"freshness"`
	Source    SourceState       `json:"source"` // the document's source, looked at just now
}

// Info returns what is known of a document (see [Library.Resolve] for doc). Of one that failed or is being read that is its status alone.
func (l *Library) Info(ctx context.Context, doc string) (*Info, error) {
	c, err := l.docs.Current(ctx)
	if err != nil {
		return nil, err
	}
	e, err := l.docs.Resolve(ctx, doc)
	if err != nil {
		return nil, public(err)
	}
	info := &Info{Document: documentOf(e), Sections: []extract.Section{}, Freshness: l.freshness(c), Source: SourceState(l.sources.Of(c, e))}
	if e.Status != StatusReady {
		return info, nil
	}
	e, lay, err := l.openDoc(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	info.Sections = append(info.Sections, lay.Sections...)
	if e.Abstract[1] > e.Abstract[0] {
		if info.Abstract, err = l.text(ctx, e, lay, int(e.Abstract[0]), int(e.Abstract[1])); err != nil {
			return nil, err
		}
	}
	const window = 256 << 10 // bytes read at a time
	for at := 0; at < lay.Size; at += window {
		raw, err := l.texts.Slice(ctx, e, lay, at, at+window)
		if err != nil {
			return nil, err
		}
		for i := range len(raw) {
			if utf8.RuneStart(raw[i]) {
				info.Runes++
			}
		}
		info.Tokens += Tokens(raw)
	}
	for kind, n := range map[driver.Kind]*int{driver.KindFigure: &info.Figures, driver.KindTable: &info.Tables} {
		recs, err := l.store.Records(ctx, e.ID, kind, nil)
		if err != nil {
			return nil, err
		}
		*n = len(recs)
	}
	return info, nil
}

// Tokens estimates how many tokens a language model makes of a text: a word of Latin letters counts one for each six bytes begun, a number one for
// each three digits begun, and everything else but white space one a sign. For English prose that is within a fifth of what
// common tokenizers give, and rather over it.
func Tokens(s string) int {
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

// Markdown returns the Markdown of pages first to last, from 1 and inclusive; last 0 means the end. The place is that of the pages in the raw text. A document that was
// added without it (see [Source.Format]) is an error wrapping [ErrUnsupported].
func (l *Library) Markdown(ctx context.Context, doc string, first, last int) (*Text, error) {
	e, lay, err := l.openDoc(ctx, doc)
	if err != nil {
		return nil, err
	}
	pages := len(lay.Pages)
	first, last = max(first, 1), cmp.Or(last, pages)
	if last = min(last, pages); first > last {
		return nil, fmt.Errorf("document %q: page %d: %w: it has pages 1 to %d", e.Name, first, ErrNotFound, pages)
	}
	if len(lay.Markdown) == 0 {
		return nil, fmt.Errorf("document %q: %w: its Markdown was not kept: add it again with the format %q", e.Name, ErrUnsupported, FormatMarkdown)
	}
	recs, err := l.store.Records(ctx, e.ID, driver.KindDocument, []int{0})
	if err != nil {
		return nil, err
	}
	md := recs[0].Data
	at := func(page, end int, offsets []int) int {
		if page <= len(offsets) {
			return offsets[page-1]
		}
		return end
	}
	from, to := at(first, len(md), lay.Markdown), at(last+1, len(md), lay.Markdown)
	if from < 0 || from > to || to > len(md) {
		return nil, fmt.Errorf("document %q: %w: its Markdown does not fit its pages: add it again", e.Name, ErrFormat)
	}
	start, end := at(first, lay.Size, lay.Pages), at(last+1, lay.Size, lay.Pages)
	t := &Text{Doc: e.ID, Name: e.Name, Title: e.Title, Page: first, Start: start, End: end, Format: FormatMarkdown, Text: string(md[from:to])}
	if t.LineStart, err = l.texts.LineOf(ctx, e, lay, start); err != nil {
		return nil, err
	}
	if t.LineEnd, err = l.texts.LineOf(ctx, e, lay, max(start, end-1)); err != nil {
		return nil, err
	}
	if len(t.Text) > maxView {
		t.Text, t.Truncated = strings.ToValidUTF8(t.Text[:maxView], ""), true
	}
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

// readMarkdown is Read for Markdown: whole pages, the last of them cut.
func (l *Library) readMarkdown(ctx context.Context, doc string, budget int) (*Text, error) {
	t, err := l.Markdown(ctx, doc, 1, 0)
	if err != nil {
		return nil, err
	}
	s, cut := cutRunes(t.Text, budget)
	t.Text, t.Truncated = s, t.Truncated || cut
	return t, nil
}
