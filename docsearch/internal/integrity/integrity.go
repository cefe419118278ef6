package integrity

import (
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
	"github.com/findspot/findspot/internal/errs"
)

// A Report says what docsearch.Library.Check looked at and found.
type Report struct {
	Documents  int
	Failed     int
	Runes      int
	Generation uint64
	Store      bool
	Problems   []Problem
}

// A Problem is one thing that is broken.
type Problem struct {
	Doc  string
	Name string
	What string
	Do   string
}

// What to do about a problem.
const (
	mendDocument = "remove the document and add it again"
	mendLibrary  = "open a backup in its place, or add all documents to a new library"
)

// Check reads everything that a store holds; see docsearch.Library.Check.
func Check(ctx context.Context, store driver.Store, texts *rawtext.Reader) (*Report, error) {
	rep := &Report{Problems: []Problem{}}
	st, err := store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	rep.Generation = st.Generation
	names := map[string]string{}
	docs, err := store.List(ctx)
	switch {
	case errors.Is(err, errs.Format):
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
		if e.Status != catalog.Ready {
			rep.Failed++
			continue
		}
		runes, err := texts.Check(ctx, e)
		rep.Runes += runes
		if err == nil {
			continue
		}
		if !errors.Is(err, errs.Format) && !errors.Is(err, errs.NotFound) {
			return nil, err
		}
		if now, gerr := store.Get(ctx, d.ID); gerr == nil && string(now.Data) != string(d.Data) || errors.Is(gerr, errs.NotFound) && changed(ctx, store, rep.Generation) {
			continue // it changed meanwhile
		}
		rep.add(Problem{Doc: d.ID, Name: e.Name, What: err.Error(), Do: mendDocument})
	}
	c, ok := store.(driver.Checker)
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
	if !errors.Is(err, errs.Format) {
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

// changed reports whether a store has another generation.
func changed(ctx context.Context, store driver.Store, generation uint64) bool {
	st, err := store.Stats(ctx)
	return err != nil || st.Generation != generation
}
