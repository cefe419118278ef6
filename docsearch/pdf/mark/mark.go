package mark

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/errs"
)

// MaxFile is the most bytes of a file that is marked, where Options do not say otherwise.
const MaxFile = 100 << 20

const (
	maxMarks  = 2000
	maxText   = 16384 // runes
	maxNote   = 4000  // runes
	maxPlaces = 1000  // of one mark
)

// A Mark is a text to highlight.
type Mark struct {
	Key  string // names the mark in its note, such as D1; may be empty
	Text string // as it stands in the document, but for line ends, hyphens there, ligatures and the amount of white space
	Note string // what the mark proves; may be empty

	// Page and Line say which of several equal texts is meant: the one nearest to that page, and there to that line of the document's
	// raw text, both from 1. 0: unknown.
	Page, Line int
	// All marks every place. Case and punctuation then make no difference, as for [extract.Page.Find].
	All bool
	// Table says that Text is a table, a line a row with its cells between " | ". Where no row is found as a line of the page, the
	// table itself is marked; so is a figure of the page whose caption Text is.
	Table bool
	// Optional leaves the mark out of the report where its text is nowhere.
	Optional bool
	// Faint marks in a paler colour, for what stands around the text that matters.
	Faint bool
}

// Options of [Write] and [Locate]. The zero value, and nil, are fine.
type Options struct {
	MaxFile  int64        // most bytes of a file; 0 means 104,857,600
	Password string       // of a locked file, for [Locate]: [Write] refuses those
	OCR      extract.OCR  // reads scanned pages; nil leaves them without text
	Logger   *slog.Logger // what was passed over and why; nil discards
}

func (o *Options) withDefaults() Options {
	var v Options
	if o != nil {
		v = *o
	}
	if v.MaxFile <= 0 {
		v.MaxFile = MaxFile
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	return v
}

// A Report says where the marks are.
type Report struct {
	Pages    int     `json:"pages"`              // of the document
	Original int64   `json:"original,omitempty"` // bytes of the file before the marks; 0 when nothing was written
	Marks    []Found `json:"marks"`              // in the order of the marks, without the optional ones that are nowhere; never nil
}

// Found is where one mark is, or why it is nowhere.
type Found struct {
	Key     string          `json:"key,omitempty"`
	Text    string          `json:"text"`
	Places  []extract.Place `json:"places"`            // in the order of the text, one for each page; never nil. Their lines are those of the document's raw text.
	Missing string          `json:"missing,omitempty"` // why there is no place, with the nearest text that is there

	mark int // index among the marks
}

// Placed is the number of marks that have a place.
func (r *Report) Placed() int {
	n := 0
	for i := range r.Marks {
		if len(r.Marks[i].Places) > 0 {
			n++
		}
	}
	return n
}

// Locate finds the marks in a PDF of size bytes and writes nothing. A text that is not found is no error, see [Found]. Errors wrap
// docsearch.ErrTooLarge, ErrEncrypted or ErrFormat, as those of package pdf.
func Locate(ctx context.Context, r io.ReaderAt, size int64, marks []Mark, o *Options) (*Report, error) {
	opt := o.withDefaults()
	if err := check(marks, size, opt.MaxFile); err != nil {
		return nil, err
	}
	t, err := readText(ctx, r, size, &opt)
	if err != nil {
		return nil, err
	}
	defer t.close()
	return t.locate(ctx, marks)
}

// Write copies a PDF of size bytes to w with the marks in it. Where none of them has a place nothing is written. Errors wrap
// docsearch.ErrEncrypted, docsearch.ErrFormat (it is damaged), docsearch.ErrTooLarge or docsearch.ErrUnsupported (it is signed), and name the page where one
// is at fault.
func Write(ctx context.Context, w io.Writer, r io.ReaderAt, size int64, marks []Mark, o *Options) (*Report, error) {
	opt := o.withDefaults()
	if err := check(marks, size, opt.MaxFile); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if n, err := r.ReadAt(data, 0); int64(n) < size {
		return nil, fmt.Errorf("read: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	pages, err := writable(ctx, data)
	if err != nil {
		return nil, err
	}
	t, err := readText(ctx, bytes.NewReader(data), size, &opt)
	if err != nil {
		return nil, err
	}
	defer t.close()
	rep, err := t.locate(ctx, marks)
	if err != nil || rep.Placed() == 0 {
		return rep, err
	}
	notes, err := t.annotations(ctx, pages, marks, rep)
	if err != nil {
		return nil, err
	}
	added, err := increment(ctx, data, notes)
	if err != nil {
		return nil, err
	}
	out := append(data, added...)
	if err := readBack(ctx, out, pages, notes); err != nil {
		return nil, err
	}
	rep.Original = size
	_, err = w.Write(out)
	return rep, err
}

func check(marks []Mark, size, most int64) error {
	switch {
	case size < 0:
		return fmt.Errorf("%w: a size of %d bytes", errs.Format, size)
	case size > most:
		return fmt.Errorf("%w: %d bytes, the limit is %d", errs.TooLarge, size, most)
	case len(marks) > maxMarks:
		return fmt.Errorf("%w: %d marks, the limit is %d", errs.TooLarge, len(marks), maxMarks)
	}
	for i := range marks {
		if utf8.RuneCountInString(marks[i].Text) > maxText {
			return fmt.Errorf("mark %d: %w: a text of over %d runes", i+1, errs.TooLarge, maxText)
		}
	}
	return nil
}
