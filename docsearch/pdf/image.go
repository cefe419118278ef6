package pdf

import (
	"context"
	"fmt"
	"slices"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/figure"
	"github.com/findspot/findspot/docsearch/pdf/internal/render"
	"github.com/findspot/findspot/docsearch/pdf/internal/table"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/hyphen"
)

// pageFigures are the figures of one page with what is needed to fetch their pictures.
type pageFigures struct {
	page     int
	w, h     float64
	figures  []figure.Figure
	pictures []content.Image
}

// Image returns the picture of a figure. An image that a JPEG or JPEG 2000 viewer shows rightly is handed on as it is, others
// become PNG; a soft mask becomes an alpha channel. Pictures of over 100 million pixels, or 40 million in colour that must be
// decoded, are an error wrapping [docsearch.ErrTooLarge].
func (d *document) Image(ctx context.Context, page, n int) (img *extract.Image, err error) {
	defer guard("image", &err)
	p, err := d.figuresOf(ctx, page)
	if err != nil {
		return nil, err
	}
	if n < 0 || n >= len(p.figures) {
		return nil, fmt.Errorf("%w: figure %d of page %d; it has %d", errs.NotFound, n, page, len(p.figures))
	}
	fig := &p.figures[n]
	if len(fig.Images) == 0 {
		return nil, fmt.Errorf("%w: figure %d of page %d is a drawing and has no picture; its box can be rendered with a viewer, such as pdftoppm", errs.Unsupported, n, page)
	}
	if img, err = render.Figure(d.f.Reader.With(ctx), fig, p.pictures); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("figure %d of page %d: %w", n, page, err)
	}
	return img, nil
}

// figuresOf finds the figures of a page; those of the last page asked for are kept.
func (d *document) figuresOf(ctx context.Context, page int) (*pageFigures, error) {
	switch {
	case d.f == nil:
		return nil, errs.Closed
	case page < 1 || page > len(d.nodes):
		return nil, fmt.Errorf("%w: page %d; there are %d", errs.NotFound, page, len(d.nodes))
	case d.last != nil && d.last.page == page:
		return d.last, nil
	}
	c := readContent(ctx, d.f, &d.nodes[page-1], new(scratch))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	c.lay()
	var words *hyphen.Vocabulary
	if d.style != nil {
		words = d.style.Words
	}
	v := caption.NewPage(c.canvas, c.segs, c.lines, words)
	tables := table.Find(v, &c.mem.table)
	d.last = &pageFigures{page, c.canvas.Width, c.canvas.Height, figure.Find(v, tables.Boxes()), slices.Clone(c.canvas.Images)}
	return d.last, nil
}
