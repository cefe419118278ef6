package pdf

import (
	"context"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/structure"
)

// document is an opened PDF.
type document struct {
	x     *extractor
	f     *content.Source
	size  int64
	nodes []catalog.Page
	meta  extract.Meta
	front structure.Front
	ahead ahead
	style *structure.Style // nil until the pages are read, and for plain text
	last  *pageFigures
}

// readMeta fills in the metadata.
func (d *document) readMeta(ctx context.Context) (err error) {
	defer guard("metadata", &err)
	d.meta, d.front = structure.ReadMetadata(d.f.Reader.With(ctx), d.reader(ctx, d.f))
	return nil
}

// readStyle learns how the document is set.
func (d *document) readStyle(ctx context.Context) *structure.Style {
	marks, err := d.bookmarks(ctx)
	if err != nil && ctx.Err() == nil {
		d.x.o.Logger.Info("pdf: outline not read", "reason", err.Error())
	}
	f := d.f.With(ctx)
	f.Budget = budget.New(budget.OpenUnits)
	return structure.ReadStyle(marks, &d.front, d.reader(ctx, f))
}

func (d *document) bookmarks(ctx context.Context) (out []catalog.Bookmark, err error) {
	defer guard("outline", &err)
	return catalog.Outline(d.f.Reader.With(ctx), d.nodes)
}

func (d *document) Meta() extract.Meta { return d.meta }

func (d *document) Close() error {
	d.f, d.nodes, d.last = nil, nil, nil
	return nil
}
