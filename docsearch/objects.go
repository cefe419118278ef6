package docsearch

import (
	"context"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// Objects returns the figures and tables of one page, from 1, that are searched, in the order of the document, without tier and score (see
// [Library.Resolve] for doc). Both are nil where there are none, as on a page that is not there.
func (l *Library) Objects(ctx context.Context, doc string, page int) (figures []FigureHit, tables []TableHit, err error) {
	e, _, err := l.openDoc(ctx, doc)
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
