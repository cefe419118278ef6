package docsearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// A Report says what [Library.Check] looked at and found.
type Report struct {
	Documents  int       `json:"documents"`  // looked at, those that failed too
	Failed     int       `json:"failed"`     // of those, documents that could not be read when they were added: no damage
	Runes      int       `json:"runes"`      // of raw text that was read
	Generation uint64    `json:"generation"` // of the library when the check began
	Store      bool      `json:"store"`      // the engine has a check of its own, which ran too
	Problems   []Problem `json:"problems"`   // never nil; empty: all is well
}

// A Problem is one thing that is broken.
type Problem struct {
	Doc  string `json:"doc,omitempty"`  // id of the document; "": the library as a whole
	Name string `json:"name,omitempty"` // of the document, where it is known
	What string `json:"what"`           // what is wrong
	Do   string `json:"do"`             // the way out
}

// What to do about a problem.
const (
	mendDocument = "remove the document and add it again"
	mendLibrary  = "open a backup in its place, or add all documents to a new library"
)

// textSum is the checksum that a layout keeps of the raw text: CRC-32C, never 0.
func textSum(raw string) uint32 {
	return max(1, crc32.Checksum([]byte(raw), crc32.MakeTable(crc32.Castagnoli)))
}

// Check reads everything that the library holds and reports what is wrong with it: entries and layouts that cannot be decoded, texts
// that are not whole or not what was added, passages that are not where they say, and what the engine's own check finds (see
// driver.Checker). A document that is replaced or removed meanwhile is left out. An error says that the library could not be looked at;
// what is broken is in the report.
func (l *Library) Check(ctx context.Context) (*Report, error) {
	if l.closed.Load() {
		return nil, fmt.Errorf("document library: %w", ErrClosed)
	}
	rep := &Report{Problems: []Problem{}}
	st, err := l.store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	rep.Generation = st.Generation
	names := map[string]string{}
	docs, err := l.store.List(ctx)
	switch {
	case errors.Is(err, ErrFormat):
		rep.add(Problem{What: err.Error(), Do: mendLibrary})
	case err != nil:
		return nil, err
	}
	for _, d := range docs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rep.Documents++
		st, err := catalog.Decode(d)
		if err != nil {
			rep.add(Problem{Doc: d.ID, What: err.Error(), Do: mendDocument})
			continue
		}
		e := st.Entry(func(s string) string { return s })
		names[d.ID] = e.Name
		if e.ID != d.ID {
			rep.add(Problem{Doc: d.ID, Name: e.Name, What: fmt.Sprintf("its entry is that of document %s", e.ID), Do: mendDocument})
			continue
		}
		if e.Status != StatusReady {
			rep.Failed++
			continue
		}
		runes, err := l.checkDocument(ctx, e)
		rep.Runes += runes
		if err == nil {
			continue
		}
		if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		if now, gerr := l.store.Get(ctx, d.ID); gerr == nil && string(now.Data) != string(d.Data) || errors.Is(gerr, ErrNotFound) && l.Generation() != rep.Generation {
			continue // it changed meanwhile
		}
		rep.add(Problem{Doc: d.ID, Name: e.Name, What: err.Error(), Do: mendDocument})
	}
	c, ok := l.store.(driver.Checker)
	if !ok {
		return rep, nil
	}
	rep.Store = true
	return rep, rep.join(c.Check(ctx), names)
}

func (r *Report) add(p Problem) {
	for _, q := range r.Problems {
		if q == p {
			return
		}
	}
	r.Problems = append(r.Problems, p)
}

// join adds what the engine found. An error that is no damage is returned.
func (r *Report) join(err error, names map[string]string) error {
	if err == nil {
		return nil
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			if err := r.join(e, names); err != nil {
				return err
			}
		}
		return nil
	}
	if !errors.Is(err, ErrFormat) {
		return err
	}
	p := Problem{What: err.Error(), Do: mendLibrary}
	if d, ok := errors.AsType[*driver.DamageError](err); ok {
		p.Doc, p.Name, p.What = d.Doc, names[d.Doc], d.What
		if p.Doc != "" {
			p.Do = mendDocument
		}
	}
	r.add(p)
	return nil
}

// checkDocument reads all of a document and returns the runes of its text.
func (l *Library) checkDocument(ctx context.Context, e *catalog.Entry) (int, error) {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("document %q: %w: %s", e.Name, ErrFormat, fmt.Sprintf(format, args...))
	}
	d, err := l.store.Get(ctx, e.ID)
	if err != nil {
		return 0, err
	}
	lay := &layout{}
	if err := json.Unmarshal(d.Layout, lay); err != nil {
		return 0, bad("layout: %v", err)
	}
	if err := lay.check(); err != nil {
		return 0, bad("layout: %v", err)
	}
	raw, err := l.raw(ctx, e, lay, 0, lay.Size)
	if err != nil {
		return 0, err
	}
	if lay.Sum != 0 && textSum(raw) != lay.Sum {
		return 0, bad("its text is not what was added")
	}
	line, at := 1, 0
	for i, p := range lay.Pieces {
		line += strings.Count(raw[at:p.Start], "\n")
		if at = p.Start; p.Line != line {
			return 0, bad("piece %d of its text begins on line %d, not %d", i, line, p.Line)
		}
	}
	if int(e.Lines) != strings.Count(raw, "\n") || e.Pages > 0 && int(e.Pages) != len(lay.Pages) && lay.Sum != 0 {
		return 0, bad("its text has %d lines and %d pages, its entry says %d and %d", strings.Count(raw, "\n"), len(lay.Pages), e.Lines, e.Pages)
	}
	if a := e.Abstract; a[0] < 0 || a[1] < a[0] || int(a[1]) > len(raw) {
		return 0, bad("its abstract is at bytes %d to %d of %d", a[0], a[1], len(raw))
	}
	for _, k := range driver.Kinds() {
		recs, err := l.store.Records(ctx, e.ID, k, nil)
		if err != nil {
			return 0, err
		}
		for _, r := range recs {
			if k == driver.KindChunk && (r.Start < 0 || r.Start+len(r.Text) > len(raw) || raw[r.Start:r.Start+len(r.Text)] != r.Text) {
				return 0, bad("passage %d is not the text at byte %d", r.N, r.Start)
			}
			if len(r.Data) > 0 && !json.Valid(r.Data) {
				return 0, bad("the data of %s record %d cannot be decoded", k, r.N)
			}
		}
	}
	return len([]rune(raw)), nil
}

// check makes sure that the layout can be followed.
func (lay *layout) check() error {
	if lay.Size < 0 || len(lay.Pages) == 0 || lay.Pages[0] != 0 {
		return fmt.Errorf("%d pages of %d bytes", len(lay.Pages), lay.Size)
	}
	for i, p := range lay.Pages {
		if p > lay.Size || i > 0 && p < lay.Pages[i-1] {
			return fmt.Errorf("page %d begins at byte %d of %d", i+1, p, lay.Size)
		}
	}
	if (len(lay.Pieces) == 0) != (lay.Size == 0) || len(lay.Pieces) > 0 && lay.Pieces[0].Start != 0 {
		return errors.New("its pieces do not cover the text")
	}
	for i, p := range lay.Pieces {
		end := lay.pieceEnd(i)
		if end < p.Start || end > lay.Size || p.Chunk < 0 && len(p.Text) != end-p.Start {
			return fmt.Errorf("piece %d goes from byte %d to %d of %d", i, p.Start, end, lay.Size)
		}
	}
	return nil
}
