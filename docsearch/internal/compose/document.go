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
	return Pages(ctx, len(d.pages), first, last, func(n int) *extract.Page {
		p := *d.pages[n-1]
		return &p
	})
}

// Pages yields pages first to last of a document that has count, from 1 and inclusive, as [extract.Doc] has it; page makes page n.
func Pages(ctx context.Context, count, first, last int, page func(n int) *extract.Page) iter.Seq2[*extract.Page, error] {
	return func(yield func(*extract.Page, error) bool) {
		if last == 0 {
			last = count
		}
		for n := max(first, 1); n <= min(last, count); n++ {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(page(n), nil) {
				return
			}
		}
	}
}

func (d *document) Close() error { return nil }
