package content

import (
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/internal/errs"
)

// A Source is what content streams refer to: the objects, fonts and layers of a file, for all who read its pages. It is
// safe for concurrent use.
type Source struct {
	*cos.Reader
	fonts  *font.Set
	layers catalog.Layers
}

// With returns the source for another call: what it reads stops with that call's context.
func (f *Source) With(ctx context.Context) *Source {
	return &Source{Reader: f.Reader.With(ctx), fonts: f.fonts, layers: f.layers}
}

// NewSource returns the source for a file.
func NewSource(r *cos.Reader) *Source {
	return &Source{Reader: r, fonts: font.NewSet(), layers: catalog.ReadLayers(r)}
}

// Run runs the content of a page. What it shows is on the canvas of the memory, also after an error: fault is the first
// damage met, after which the rest was read, err is why it ends before the page does.
func Run(ctx context.Context, f *Source, p *catalog.Page, mem *Memory) (fault, err error) {
	in := newInterp(ctx, f, p, mem)
	if err = in.page(p); !errors.Is(err, budget.ErrSpent) {
		in.bounded("page", 0)
		if over := f.Budget.Spend(budget.CostGlyph*int64(len(in.out.Glyphs)) + budget.CostPath*int64(in.out.PathCount())); over != nil {
			err = over
		}
	}
	mem.keep(in)
	return in.fault, err
}

// pageContents joins the content streams of a page; a break between two is white space.
func pageContents(f *cos.Reader, o cos.Object) ([]byte, error) {
	a := f.Array(o)
	if a == nil {
		if o == nil || f.Resolve(o) == nil {
			return nil, nil
		}
		data, err := f.Stream(o)
		if err != nil {
			err = fmt.Errorf("content stream: %w", err)
		}
		return data, err
	}
	var out []byte
	var fault error
	for i, s := range a {
		if f.Resolve(s) == nil {
			continue
		}
		data, err := f.Stream(s)
		if errors.Is(err, budget.ErrSpent) || f.Context().Err() != nil {
			return nil, err
		}
		if err != nil && fault == nil {
			fault = fmt.Errorf("content stream %d: %w", i+1, err)
		}
		if len(out)+len(data)+1 > maxPageBytes { // before both are copied
			return append(out, data[:maxPageBytes-len(out)]...), fmt.Errorf("%w: content of over %d bytes", errs.TooLarge, maxPageBytes)
		}
		out = append(append(out, data...), '\n')
	}
	return out, fault
}
