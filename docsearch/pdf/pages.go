package pdf

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/figure"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/markdown"
	"github.com/findspot/findspot/docsearch/pdf/internal/table"
	"github.com/findspot/findspot/internal/errs"
)

// Documents of manyPages and more are read by several workers, in parts of partPages.
const (
	manyPages = 50
	partPages = 5
)

// Pages yields the pages in order.
func (d *document) Pages(ctx context.Context, first, last int) iter.Seq2[*extract.Page, error] {
	return func(yield func(*extract.Page, error) bool) {
		if d.f == nil {
			yield(nil, errs.Closed)
			return
		}
		first, last := max(first, 1), last
		if last <= 0 || last > len(d.nodes) {
			last = len(d.nodes)
		}
		if d.style == nil && !d.x.o.Plain {
			d.style = d.readStyle(ctx)
		}
		f := d.f.With(ctx)
		f.Budget = budget.ForPages(d.size)
		if last-first+1 >= manyPages && d.x.o.Workers > 1 {
			d.parallel(ctx, f, first, last, yield)
			return
		}
		var tables table.Follower
		for n := first; n <= last; n++ {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			var ends table.Ends
			p, err := d.page(ctx, f, &d.nodes[n-1], n, &ends)
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			tables.Add(p, ends)
			if !yield(p, err) {
				return
			}
		}
	}
}

// A result is a page, the fault met on it, and what its neighbours have to know of its tables.
type result struct {
	page *extract.Page
	err  error
	ends table.Ends
}

// parallel reads parts of the document on workers that share the opened file and its fonts. A part is started only when it is
// at most two rounds ahead of the page being yielded, so memory stays bounded.
func (d *document) parallel(ctx context.Context, f *content.Source, first, last int, yield func(*extract.Page, error) bool) {
	ctx, cancel := context.WithCancel(ctx)
	type part struct {
		first, last int
		out         chan []result
	}
	work := make(chan *part)
	order := make(chan *part, 2*d.x.o.Workers)
	done := make(chan struct{})
	running := 0
	for range d.x.o.Workers {
		running++
		go func() {
			defer func() { done <- struct{}{} }()
			for p := range work {
				res := make([]result, 0, p.last-p.first+1)
				for n := p.first; n <= p.last && ctx.Err() == nil; n++ {
					var r result
					r.page, r.err = d.page(ctx, f, &d.nodes[n-1], n, &r.ends)
					res = append(res, r)
				}
				p.out <- res
			}
		}()
	}
	running++
	go func() {
		defer func() { done <- struct{}{} }()
		defer close(work)
		defer close(order)
		for n := first; n <= last; n += partPages {
			p := &part{n, min(n+partPages-1, last), make(chan []result, 1)}
			select {
			case order <- p:
			case <-ctx.Done():
				return
			}
			select {
			case work <- p:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() {
		cancel()
		for ; running > 0; running-- {
			<-done
		}
	}()
	var tables table.Follower
	for p := range order {
		var res []result
		select {
		case res = <-p.out:
		case <-ctx.Done():
			yield(nil, ctx.Err())
			return
		}
		for _, r := range res {
			if ctx.Err() != nil {
				break
			}
			tables.Add(r.page, r.ends)
			if !yield(r.page, r.err) {
				return
			}
		}
		if ctx.Err() != nil {
			yield(nil, ctx.Err())
			return
		}
	}
	if ctx.Err() != nil {
		yield(nil, ctx.Err())
	}
}

// page reads one page. A page with a damaged stream is returned with what could be read of it and the error. ends is filled
// with the tables that may go on over the page's ends.
func (d *document) page(ctx context.Context, f *content.Source, node *catalog.Page, n int, ends *table.Ends) (p *extract.Page, err error) {
	_, w, h := node.ToPage()
	p = &extract.Page{Number: n, Width: w, Height: h, Tables: []extract.Table{}, Figures: []extract.Figure{}}
	defer func() {
		if err != nil {
			err = fmt.Errorf("page %d: %w", n, err)
		}
	}()
	if node.Fault != nil {
		return p, node.Fault
	}
	defer guard("content", &err)
	c := d.ahead.take(n)
	if c == nil {
		if err := f.Budget.Spend(budget.CostFont); err != nil {
			return p, err
		}
		c = readContent(ctx, f, node, d.x.borrow())
	}
	if err = c.err; errors.Is(err, budget.ErrSpent) {
		d.x.giveBack(c.mem)
		return p, err
	}
	figures := d.compose(ctx, p, c, ends)
	if ocrErr := d.readPictures(ctx, f, p, c.canvas, figures); err == nil {
		err = ocrErr
	}
	d.x.giveBack(c.mem)
	if err == nil && c.fault != nil {
		d.x.o.Logger.Info("pdf: stream damaged, rest of the page read", "page", n, "reason", c.fault.Error())
		if strings.TrimSpace(p.Text) == "" && !errors.Is(c.fault, cos.ErrFilter) {
			if err = c.fault; !errors.Is(err, errs.Format) && !errors.Is(err, errs.TooLarge) {
				err = fmt.Errorf("%w: %w", errs.Format, err)
			}
		}
	}
	return p, err
}

// compose makes the page from what is on the canvas, and returns its figures.
func (d *document) compose(ctx context.Context, p *extract.Page, c *rawPage, ends *table.Ends) (figures []figure.Figure) {
	if ctx.Err() != nil { // the caller looks at it too; each step by itself is bounded
		return nil
	}
	c.lay()
	p.Text = layout.Text(c.lines)
	p.Glyphs = glyphBoxes(p.Text, c.lines, c.canvas.Width, c.canvas.Height)
	if d.x.o.Plain || ctx.Err() != nil {
		return nil
	}
	v := caption.NewPage(c.canvas, c.segs, c.lines, d.style.Words.With(p.Text))
	tables := table.Find(v, &c.mem.table)
	p.Tables, *ends = tables.Export(), tables.Ends
	if ctx.Err() != nil {
		return nil
	}
	figures = figure.Find(v, tables.Boxes())
	for i := range figures {
		p.Figures = append(p.Figures, figures[i].Export())
	}
	if ctx.Err() == nil {
		markdown.Write(v, tables, d.style, p)
	}
	return figures
}
