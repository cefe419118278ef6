package docsearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
)

// maxView bounds the bytes that [Library.View] and [Library.Page] return.
const maxView = 8 << 20

// openDoc resolves a reference to a document whose text can be read.
func (l *Library) openDoc(ctx context.Context, ref string) (*catalog.Entry, *rawtext.Layout, error) {
	e, err := l.docs.Resolve(ctx, ref)
	if err != nil {
		return nil, nil, public(err)
	}
	for again := false; ; again = true {
		if e.Status != StatusReady {
			return nil, nil, public(e.Failure())
		}
		lay, err := l.texts.Layout(ctx, e)
		if again || !errors.Is(err, ErrStale) {
			return e, lay, err
		}
		if e, _, err = l.docs.Get(ctx, e.ID); err != nil { // replaced a moment ago
			return nil, nil, err
		}
	}
}

// text returns bytes [start, end) of the raw text with their place.
func (l *Library) text(ctx context.Context, e *catalog.Entry, lay *rawtext.Layout, start, end int) (*Text, error) {
	raw, err := l.texts.Slice(ctx, e, lay, start, end)
	if err != nil {
		return nil, err
	}
	t := &Text{Doc: e.ID, Name: e.Name, Title: e.Title, Page: lay.Page(start), Start: start, End: start + len(raw), Text: raw}
	if t.LineStart, err = l.texts.LineOf(ctx, e, lay, start); err != nil {
		return nil, err
	}
	t.LineEnd = t.LineStart + strings.Count(strings.TrimSuffix(raw, "\n"), "\n")
	return t, nil
}

// View returns lines of the raw text of a document (see [Library.Resolve] for doc). A First of 0 means 1; a Last beyond the
// end means the end. A First beyond the end is an error wrapping [ErrNotFound].
func (l *Library) View(ctx context.Context, doc string, lines extract.Lines) (*Text, error) {
	e, lay, err := l.openDoc(ctx, doc)
	if err != nil {
		return nil, err
	}
	first, last := max(lines.First, 1), lines.Last
	if lines.First < 0 || last < 0 || last > 0 && last < first {
		return nil, fmt.Errorf("document %q: lines %d to %d are no range", e.Name, lines.First, lines.Last)
	}
	if first > int(e.Lines) {
		return nil, fmt.Errorf("document %q: line %d: %w: it has %d lines", e.Name, first, ErrNotFound, int(e.Lines))
	}
	start, err := l.texts.LineStart(ctx, e, lay, first)
	if err != nil {
		return nil, err
	}
	end := lay.Size
	if last > 0 && last < int(e.Lines) {
		if end, err = l.texts.LineStart(ctx, e, lay, last+1); err != nil {
			return nil, err
		}
	}
	return l.bounded(ctx, e, lay, start, end)
}

func (l *Library) bounded(ctx context.Context, e *catalog.Entry, lay *rawtext.Layout, start, end int) (*Text, error) {
	if end-start <= maxView {
		return l.text(ctx, e, lay, start, end)
	}
	t, err := l.text(ctx, e, lay, start, start+maxView)
	if err != nil {
		return nil, err
	}
	keep := strings.LastIndexByte(t.Text, '\n') + 1
	if keep == 0 {
		for keep = len(t.Text); keep > 0 && !utf8.ValidString(t.Text[keep-1:]); keep-- {
		}
	}
	t.Text, t.End, t.Truncated = t.Text[:keep], t.Start+keep, true
	t.LineEnd = t.LineStart + strings.Count(strings.TrimSuffix(t.Text, "\n"), "\n")
	return t, nil
}

// Page returns one page, from 1. A page that is not there is an error wrapping [ErrNotFound].
func (l *Library) Page(ctx context.Context, doc string, n int) (*Text, error) {
	e, lay, err := l.openDoc(ctx, doc)
	if err != nil {
		return nil, err
	}
	if n < 1 || n > len(lay.Pages) {
		return nil, fmt.Errorf("document %q: page %d: %w: it has pages 1 to %d", e.Name, n, ErrNotFound, len(lay.Pages))
	}
	end := lay.Size
	if n < len(lay.Pages) {
		end = lay.Pages[n]
	}
	return l.bounded(ctx, e, lay, lay.Pages[n-1], end)
}

// Read returns the text from the beginning, up to a budget.
func (l *Library) Read(ctx context.Context, doc string, o *ReadOptions) (*Text, error) {
	budget := 0
	if o != nil {
		budget = o.MaxRunes
	}
	if budget < 0 {
		return nil, fmt.Errorf("read options: MaxRunes %d is negative", budget)
	}
	budget = cmp.Or(budget, 200_000)
	if o != nil && o.Format == FormatMarkdown {
		return l.readMarkdown(ctx, doc, budget)
	}
	e, lay, err := l.openDoc(ctx, doc)
	if err != nil {
		return nil, err
	}
	// A rune has at most four bytes.
	t, err := l.text(ctx, e, lay, 0, min(lay.Size, min(budget, lay.Size)*4))
	if err != nil {
		return nil, err
	}
	n := 0
	for i := range t.Text {
		if n == budget {
			t.Text = t.Text[:i]
			break
		}
		n++
	}
	t.End = t.Start + len(t.Text)
	t.Truncated = t.End < lay.Size
	t.LineEnd = t.LineStart + strings.Count(strings.TrimSuffix(t.Text, "\n"), "\n")
	return t, nil
}

// Abstract returns the abstract of a document: what stands under the heading of that name on the first pages, else the first
// paragraph. A document that has neither is an error wrapping [ErrNotFound].
func (l *Library) Abstract(ctx context.Context, doc string) (*Text, error) {
	e, lay, err := l.openDoc(ctx, doc)
	if err != nil {
		return nil, err
	}
	if e.Abstract[1] <= e.Abstract[0] {
		return nil, fmt.Errorf("document %q: abstract: %w", e.Name, ErrNotFound)
	}
	return l.text(ctx, e, lay, int(e.Abstract[0]), int(e.Abstract[1]))
}

// Find returns the lines of one document on which the pattern begins: words in a row, matched as in a search but with
// stop words, or a regular expression (RE2 syntax, "^" and "$" at lines). The whole stored text is read, so that an empty answer
// means that there is none.
func (l *Library) Find(ctx context.Context, doc, pattern string, o *FindOptions) (*Found, error) {
	var opt FindOptions
	if o != nil {
		opt = *o
	}
	if opt.Limit < 0 {
		return nil, fmt.Errorf("find options: Limit %d is negative", opt.Limit)
	}
	opt.Limit = cmp.Or(opt.Limit, 100)
	var re *regexp.Regexp
	groups := driver.Groups(pattern)
	if opt.Regexp {
		var err error
		if re, err = regexp.Compile("(?m)" + pattern); err != nil {
			return nil, fmt.Errorf("pattern %q: %w", pattern, err)
		}
	} else if len(groups) == 0 {
		return nil, fmt.Errorf("pattern %q: %w: no word in it; use a regular expression for signs", pattern, ErrUnsupported)
	}
	e, lay, err := l.openDoc(ctx, doc)
	if err != nil {
		return nil, err
	}
	raw, err := l.texts.Slice(ctx, e, lay, 0, lay.Size)
	if err != nil {
		return nil, err
	}
	var spans []match.Span
	if re != nil {
		for _, m := range re.FindAllStringIndex(raw, -1) {
			if m[0] < m[1] {
				spans = append(spans, match.Span{Start: m[0], End: m[1]})
			}
		}
	} else {
		spans = match.PhraseSpans(match.Tokens(raw), groups)
	}
	f := &Found{Doc: e.ID, Name: e.Name, Title: e.Title, Pattern: pattern, Total: len(spans), Lines: []FoundLine{}}
	at, line := 0, 1 // line that holds the byte at
	for _, s := range spans {
		line += strings.Count(raw[at:s.Start], "\n")
		at = s.Start
		begin := strings.LastIndexByte(raw[:at], '\n') + 1
		stop := len(raw)
		if i := strings.IndexByte(raw[at:], '\n'); i >= 0 {
			stop = at + i
		}
		end := line + strings.Count(strings.TrimSuffix(raw[s.Start:s.End], "\n"), "\n")
		mark := [2]int{at - begin, min(s.End, stop) - begin}
		if n := len(f.Lines); n > 0 && f.Lines[n-1].Line == line {
			last := &f.Lines[n-1]
			last.LineEnd, last.End, last.Matches = max(last.LineEnd, end), s.End, append(last.Matches, mark)
			continue
		}
		if len(f.Lines) == opt.Limit {
			f.Truncated = true
			break
		}
		f.Lines = append(f.Lines, FoundLine{
			Page: lay.Page(at), Line: line, LineEnd: end, Start: s.Start, End: s.End, Text: raw[begin:stop], Matches: slices.Clip([][2]int{mark}),
		})
	}
	return f, nil
}
