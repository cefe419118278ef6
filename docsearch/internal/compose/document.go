package compose

import (
	"context"
	"iter"

	"github.com/findspot/findspot/docsearch/extract"
)

// Document returns a document of pages that are in memory. Meta.Pages is set.
func Document(meta extract.Meta, pages ...*extract.Page) extract.Doc {
	meta.Pages = len(pages)
	return &document{meta, pages}
}

type document struct {
	meta  extract.Meta
	pages []*extract.Page
}

func (d *document) Meta() extract.Meta { return d.meta }

func (d *document) Pages(ctx context.Context, first, last int) iter.Seq2[*extract.Page, error] {
	return func(yield func(*extract.Page, error) bool) {
		if last == 0 {
			last = len(d.pages)
		}
		for n := max(first, 1); n <= min(last, len(d.pages)); n++ {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			p := *d.pages[n-1]
			if !yield(&p, nil) {
				return
			}
		}
	}
}

func (d *document) Close() error { return nil }
