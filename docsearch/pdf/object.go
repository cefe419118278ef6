package pdf

import (
	"context"
	"fmt"
	"io"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/internal/errs"
)

// parse reads the structure of a file.
func (x *extractor) parse(ctx context.Context, r io.ReaderAt, size int64) (f *content.Source, err error) {
	defer guard("structure", &err)
	doc, err := cos.Open(ctx, r, size, &cos.Options{Password: x.o.Password, Note: func(err error) {
		x.o.Logger.Info("pdf: damage passed over", "reason", err.Error())
	}})
	if err != nil {
		return nil, err
	}
	return content.NewSource(cos.NewReader(ctx, doc, budget.New(budget.OpenUnits))), nil
}

// guard turns a panic into an error that says where it was. It is deferred around the reading of a page.
func guard(where string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %s: internal fault: %v", errs.Format, where, p)
	}
}
