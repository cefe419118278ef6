package phrases

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/mark"
	"github.com/findspot/findspot/internal/written"
)

// Options of [Find].
type Options struct {
	First, Last int // pages that are looked at, from 1; Last 0 means the end
	Mark        mark.Options
	Page        func(*extract.Page, error) // is told of each of these pages
}

// A Place is where a phrase stands. The line is of the document.
type Place struct {
	Phrase string `json:"phrase"`
	extract.Place
}

// Key is a place in a file as a sentence cites it: "paper.pdf p. 3, l. 10-14".
func Key(file string, x *extract.Place) string {
	return written.AddressOf(filepath.Base(file), x.Page, x.Line, x.Text)
}

// Missing is a phrase that is nowhere, and why.
type Missing struct{ Phrase, Reason string }

// Find returns the places of phrases in doc, whose file is r, by phrase and in the order of the text; never nil. Lines count from the first page, as keys do, so that
// pages before the first one are read too. Where a phrase is on no page, it is looked for over the ends of pages.
func Find(ctx context.Context, doc extract.Doc, r io.ReaderAt, size int64, phrases []string, o Options) ([]Place, []Missing, error) {
	places := make([][]extract.Place, len(phrases))
	lines, n := 0, 0
	for page, err := range doc.Pages(ctx, 1, o.Last) {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		n++
		if n >= o.First {
			o.Page(page, err)
		}
		if page == nil {
			lines++
			continue
		}
		for i := 0; i < len(phrases) && n >= o.First; i++ {
			found, err := page.Find(phrases[i])
			if err != nil {
				return nil, nil, err
			}
			for _, x := range found {
				x.Line += lines
				places[i] = append(places[i], x)
			}
		}
		lines += strings.Count(strings.TrimSuffix(page.Text, "\n"), "\n") + 1
	}
	var over []mark.Mark
	for i, phrase := range phrases {
		if len(places[i]) == 0 {
			over = append(over, mark.Mark{Text: phrase, All: true})
		}
	}
	rep := &mark.Report{}
	if len(over) > 0 {
		var err error
		if rep, err = mark.Locate(ctx, r, size, over, &o.Mark); err != nil {
			return nil, nil, err
		}
	}
	out, missing := []Place{}, []Missing(nil)
	for i, phrase := range phrases {
		if len(places[i]) == 0 {
			m := rep.Marks[0]
			rep.Marks = rep.Marks[1:]
			places[i] = slices.DeleteFunc(m.Places, func(x extract.Place) bool { return x.Page < o.First || o.Last > 0 && x.Page > o.Last })
			if len(places[i]) == 0 {
				missing = append(missing, Missing{phrase, cmp.Or(m.Missing, "it is on other pages")})
			}
		}
		for _, x := range places[i] {
			out = append(out, Place{phrase, x})
		}
	}
	return out, missing, nil
}
