package docsearch

import (
	"context"
	"errors"
	"fmt"

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
		runes, err := l.texts.Check(ctx, e)
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
