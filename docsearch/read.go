package docsearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/reading"
)

// Text is a part of a document's raw text with its place.
type Text struct {
	Doc       string `json:"doc"`
	Name      string `json:"name"`
	Title     string `json:"title"`
	Page      int    `json:"page"`       // from 1: page the text begins on
	LineStart int    `json:"line_start"` // from 1
	LineEnd   int    `json:"line_end"`   // inclusive
	Start     int    `json:"start"`      // byte offsets in the raw text, half-open
	End       int    `json:"end"`
	Text      string `json:"text"`
	Truncated bool   `json:"truncated"` // the range asked for goes on after End
	// Format is [FormatMarkdown] where Text is that view: then lines and offsets are those of the pages in the raw text. "" is the raw text.
	Format Format `json:"format,omitempty"`
	// Joints are byte ranges of Text, half-open and in order, that stand between the running texts of two pages: running heads and feet, page numbers, and, where they are
	// told apart, footnotes, captions, figures and tables. [Library.View] and [Library.Page] fill them in; nil: none are known.
	Joints [][2]int `json:"-"`
}

// ReadOptions bounds [Library.Read].
type ReadOptions struct {
	MaxRunes int    // most runes to return; 0 means 200000
	Format   Format // "" means FormatText; FormatMarkdown gives that view, see [Library.Markdown]
}

// FindOptions says how [Library.Find] reads its pattern.
type FindOptions struct {
	Regexp bool // the pattern is a regular expression (RE2); otherwise words in a row, matched like a phrase
	Limit  int  // most lines to return; 0 means 100
}

// Found is the answer of [Library.Find].
type Found struct {
	Doc       string      `json:"doc"`
	Name      string      `json:"name"`
	Title     string      `json:"title"`
	Pattern   string      `json:"pattern"`
	Total     int         `json:"total"` // matches in the document
	Truncated bool        `json:"truncated"`
	Lines     []FoundLine `json:"lines"` // in order, never nil
}

// A FoundLine is one line that a match begins on.
type FoundLine struct {
	Page    int      `json:"page"`
	Line    int      `json:"line"`     // from 1
	LineEnd int      `json:"line_end"` // last line of the last match that begins here
	Start   int      `json:"start"`    // byte offset of the first match in the raw text
	End     int      `json:"end"`      // end of the last match that begins here
	Text    string   `json:"text"`     // the line without its end
	Matches [][2]int `json:"matches"`  // byte ranges of Text, in order
}

// SectionText is a section with its text.
type SectionText struct {
	Section  extract.Section   `json:"section"`
	Path     []extract.Section `json:"path"`     // the sections around it, outermost first
	Children []extract.Section `json:"children"` // the sections directly within it, in order
	Text
}

// Info is what is known of one document before its text is read.
type Info struct {
	*Document
	Abstract *Text             `json:"abstract,omitempty"` // nil where none is known
	Sections []extract.Section `json:"sections"`           // in the order of the text; never nil
	Runes    int               `json:"runes"`              // of the raw text
	Tokens   int               `json:"tokens"`             // about how many a language model makes of the raw text; a word of Latin letters counts one for each six bytes begun, a number one for
	// each three digits begun, everything else but white space one a sign; for English prose that is within a fifth of what common tokenizers give
	Figures   int         `json:"figures"` // figures that are searched: those with a caption or text
	Tables    int         `json:"tables"`
	Freshness Freshness   `json:"freshness"`
	Source    SourceState `json:"source"` // the document's source, looked at just now
}

// read opens a document for reading (see [Library.Resolve]) and asks it for something.
func read[T any](ctx context.Context, l *Library, doc string, ask func(*reading.Doc) (T, error)) (T, error) {
	r := reading.Reader{Store: l.store, Docs: l.docs, Texts: l.texts}
	d, err := r.Open(ctx, doc)
	if err != nil {
		var none T
		return none, public(err)
	}
	return ask(d)
}

// readText is read for a part of the text.
func readText(ctx context.Context, l *Library, doc string, ask func(*reading.Doc) (*reading.Text, error)) (*Text, error) {
	t, err := read(ctx, l, doc, ask)
	return textOf(t), err
}

// textOf returns a text in the form of users; nil is nil.
func textOf(t *reading.Text) *Text {
	if t == nil {
		return nil
	}
	out := &Text{
		Doc: t.Doc, Name: t.Name, Title: t.Title, Page: t.Page, LineStart: t.LineStart, LineEnd: t.LineEnd, Start: t.Start, End: t.End, Text: t.Text, Truncated: t.Truncated, Joints: t.Joints,
	}
	if t.Markdown {
		out.Format = FormatMarkdown
	}
	return out
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
	return read(ctx, l, e.ID, func(d *reading.Doc) (*Info, error) {
		info.Sections = append(info.Sections, d.Layout.Sections...)
		abstract, err := d.Abstract(ctx)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		info.Abstract = textOf(abstract)
		if info.Runes, info.Tokens, err = d.Length(ctx); err != nil {
			return nil, err
		}
		for kind, n := range map[driver.Kind]*int{driver.KindFigure: &info.Figures, driver.KindTable: &info.Tables} {
			recs, err := l.store.Records(ctx, d.ID, kind, nil)
			if err != nil {
				return nil, err
			}
			*n = len(recs)
		}
		return info, nil
	})
}

// View returns lines of the raw text of a document (see [Library.Resolve] for doc). A First of 0 means 1; a Last beyond the
// end means the end. A First beyond the end is an error wrapping [ErrNotFound].
func (l *Library) View(ctx context.Context, doc string, lines Lines) (*Text, error) {
	return readText(ctx, l, doc, func(d *reading.Doc) (*reading.Text, error) { return d.Lines(ctx, lines.First, lines.Last) })
}

// Page returns one page, from 1. A page that is not there is an error wrapping [ErrNotFound].
func (l *Library) Page(ctx context.Context, doc string, n int) (*Text, error) {
	return readText(ctx, l, doc, func(d *reading.Doc) (*reading.Text, error) { return d.Page(ctx, n) })
}

// Read returns the text from the beginning, up to a budget.
func (l *Library) Read(ctx context.Context, doc string, o *ReadOptions) (*Text, error) {
	var opt ReadOptions
	if o != nil {
		opt = *o
	}
	if opt.MaxRunes < 0 {
		return nil, fmt.Errorf("read options: MaxRunes %d is negative", opt.MaxRunes)
	}
	opt.MaxRunes = cmp.Or(opt.MaxRunes, 200_000)
	return readText(ctx, l, doc, func(d *reading.Doc) (*reading.Text, error) {
		if opt.Format == FormatMarkdown {
			return d.Markdown(ctx, 1, 0, opt.MaxRunes)
		}
		return d.Beginning(ctx, opt.MaxRunes)
	})
}

// Markdown returns the Markdown of pages first to last, from 1 and inclusive; last 0 means the end. The place is that of the pages in the raw text. A document that was
// added without it (see [Source.Format]) is an error wrapping [ErrUnsupported].
func (l *Library) Markdown(ctx context.Context, doc string, first, last int) (*Text, error) {
	return readText(ctx, l, doc, func(d *reading.Doc) (*reading.Text, error) { return d.Markdown(ctx, first, last, math.MaxInt) })
}

// Abstract returns the abstract of a document: what stands under the heading of that name on the first pages, else the first
// paragraph. A document that has neither is an error wrapping [ErrNotFound].
func (l *Library) Abstract(ctx context.Context, doc string) (*Text, error) {
	return readText(ctx, l, doc, func(d *reading.Doc) (*reading.Text, error) { return d.Abstract(ctx) })
}

// Sections returns the sections of a document (see [Library.Resolve] for doc) in the order of the text; none for one without
// headings, and for one that was added by a version that did not look for them: add it again.
func (l *Library) Sections(ctx context.Context, doc string) ([]extract.Section, error) {
	return read(ctx, l, doc, func(d *reading.Doc) ([]extract.Section, error) {
		return append([]extract.Section{}, d.Layout.Sections...), nil
	})
}

// Section returns the section of a document that ref names: by number ("5.3.5.3", "Annex A"), by heading, by title, or by a part of a
// title that only one has; case does not count. None is an error wrapping [ErrNotFound] that names sections close to it, and
// several are one that lists them.
func (l *Library) Section(ctx context.Context, doc, ref string) (*SectionText, error) {
	return read(ctx, l, doc, func(d *reading.Doc) (*SectionText, error) {
		s, err := d.Section(ctx, ref)
		if err != nil {
			return nil, err
		}
		return &SectionText{Section: s.Section, Path: s.Path, Children: s.Children, Text: *textOf(s.Text)}, nil
	})
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
	compile := reading.Words
	if opt.Regexp {
		compile = reading.Regexp
	}
	p, err := compile(pattern)
	if err != nil {
		return nil, err
	}
	return read(ctx, l, doc, func(d *reading.Doc) (*Found, error) {
		found, err := d.Find(ctx, p, cmp.Or(opt.Limit, 100))
		if err != nil {
			return nil, err
		}
		out := &Found{Doc: d.ID, Name: d.Name, Title: d.Title, Pattern: pattern, Total: found.Total, Truncated: found.Truncated, Lines: []FoundLine{}}
		for _, x := range found.Lines {
			out.Lines = append(out.Lines, FoundLine(x))
		}
		return out, nil
	})
}

// Locate returns where bytes [start, end) of a document's raw text stand on its pages: one place for each page, with the line of the raw text. The offsets
// are those of a [Passage], a [Text] or a [FoundLine]. The library keeps no boxes, so the document itself is needed: src is
// the same file, opened by the same extractor; it is used for the call only and not closed. An error wraps [ErrStale] when src
// reads otherwise than what was added, and [ErrTooLarge] for a range of over a megabyte.
func (l *Library) Locate(ctx context.Context, doc string, start, end int, src extract.Doc) ([]extract.Place, error) {
	return read(ctx, l, doc, func(d *reading.Doc) ([]extract.Place, error) { return d.Locate(ctx, start, end, src) })
}

// Objects returns the figures and tables of one page, from 1, that are searched, in the order of the document, without tier and score (see
// [Library.Resolve] for doc). Both are nil where there are none, as on a page that is not there.
func (l *Library) Objects(ctx context.Context, doc string, page int) (figures []FigureHit, tables []TableHit, err error) {
	e, err := read(ctx, l, doc, func(d *reading.Doc) (*catalog.Entry, error) { return d.Entry, nil })
	if err != nil {
		return nil, nil, err
	}
	if figures, err = objects(ctx, l, e, driver.KindFigure, func(f *FigureHit) bool { return f.Page == page }); err != nil {
		return nil, nil, err
	}
	tables, err = objects(ctx, l, e, driver.KindTable, func(t *TableHit) bool { return t.Page == page })
	return figures, tables, err
}

func objects[T any](ctx context.Context, l *Library, e *catalog.Entry, kind driver.Kind, keep func(*T) bool) ([]T, error) {
	recs, err := l.store.Records(ctx, e.ID, kind, nil)
	if err != nil {
		return nil, err
	}
	var out []T
	for _, rec := range recs {
		var x T
		if err := decodeObject(&x, e, rec); err != nil {
			return nil, err
		}
		if keep(&x) {
			out = append(out, x)
		}
	}
	return out, nil
}
