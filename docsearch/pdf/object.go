package pdf

import (
	"context"
	"fmt"
	"io"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/internal/errs"
)

// Bounds on what one file may make us do. They are far above what documents need.
const (
	maxFormDepth  = 12        // nested form XObjects
	maxOperators  = 8_000_000 // operators and characters of one page, forms included
	maxPageGlyphs = 300_000   // a wall chart in small type has a third of it
	maxPageBytes  = 64 << 20  // bytes of content of one page, forms included
	maxPaths      = 200_000   // path segments kept for tables and figures
)

// A file is an opened PDF: its objects, and what was read of them for all who read its pages. It is safe for concurrent use.
type file struct {
	*cos.Reader
	fonts  *font.Set
	layers catalog.Layers
}

// with returns the file for another call: what it reads stops with that call's context.
func (f *file) with(ctx context.Context) *file {
	return &file{Reader: f.Reader.With(ctx), fonts: f.fonts, layers: f.layers}
}

// parse reads the structure of a file.
func (x *extractor) parse(ctx context.Context, r io.ReaderAt, size int64) (f *file, err error) {
	defer guard("structure", &err)
	doc, err := cos.Open(ctx, r, size, &cos.Options{Password: x.o.Password, Note: func(err error) {
		x.o.Logger.Info("pdf: damage passed over", "reason", err.Error())
	}})
	if err != nil {
		return nil, err
	}
	f = &file{Reader: &cos.Reader{Context: ctx, File: doc, Budget: budget.New(budget.OpenUnits)}, fonts: font.NewSet()}
	f.layers = catalog.ReadLayers(f.Reader)
	return f, nil
}

// guard turns a panic into an error that says where it was. It is deferred around the reading of a page.
func guard(where string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %s: internal fault: %v", errs.Format, where, p)
	}
}
