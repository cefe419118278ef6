package pdf

import (
	"context"
	"errors"
	"sync"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/structure"
)

// A rawPage is what the content of one page puts on it, and its lines once they are laid out.
type rawPage struct {
	mem    *scratch // holds all that follows; given back once the page is made
	canvas *content.Canvas
	err    error // why it ends before the page does
	fault  error // the first damage met
	laid   bool
	segs   []layout.Segment
	lines  []layout.Line
}

func readContent(ctx context.Context, f *content.Source, node *catalog.Page, mem *scratch) *rawPage {
	fault, err := content.Run(ctx, f, node, &mem.content)
	return &rawPage{mem: mem, canvas: &mem.content.Canvas, err: err, fault: fault}
}

// lay fills in segments and lines, once: the layout changes the glyphs that it is given.
func (c *rawPage) lay() {
	if c.laid {
		return
	}
	c.segs = layout.Segments(c.canvas.Glyphs, &c.mem.layout)
	c.lines = layout.Lines(c.segs, &c.mem.layout)
	c.laid = true
}

// ahead keeps pages that were read before their turn, for the metadata and for the style of the document, so that none
// is read twice. It is safe for concurrent use; a page is used by one goroutine at a time.
type ahead struct {
	mu     sync.Mutex
	pages  map[int]*rawPage
	glyphs int // and paths, of all pages that were kept
}

func (a *ahead) take(n int) *rawPage {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.pages[n]
	delete(a.pages, n)
	return c
}

// maxAheadGlyphs bounds what is kept of pages read ahead, in glyphs and paths; what is over it is read again.
const maxAheadGlyphs = 200_000

// reader reads pages without taking them out of turn.
func (d *document) reader(ctx context.Context, f *content.Source) structure.Pages {
	return structure.Pages{Count: len(d.nodes), Read: func(n int) *structure.Page {
		c := d.peek(ctx, f, n)
		if c == nil {
			return nil
		}
		return &structure.Page{Width: c.canvas.Width, Height: c.canvas.Height, Lines: c.lines}
	}}
}

// peek returns the lines of a page without taking it out of turn, nil when it cannot be read.
func (d *document) peek(ctx context.Context, f *content.Source, n int) (c *rawPage) {
	if n < 1 || n > len(d.nodes) || ctx.Err() != nil {
		return nil
	}
	d.ahead.mu.Lock()
	c = d.ahead.pages[n]
	d.ahead.mu.Unlock()
	if c != nil {
		return c
	}
	var err error
	defer func() {
		if err != nil { // what breaks here breaks again, and is reported, when the page's turn comes
			c = nil
		}
	}()
	defer guard("content", &err)
	c = readContent(ctx, f, &d.nodes[n-1], d.x.borrow())
	if ctx.Err() == nil && !errors.Is(c.err, budget.ErrSpent) {
		c.lay()
	}
	if ctx.Err() != nil || errors.Is(c.err, budget.ErrSpent) {
		return nil // another call may have more to spend
	}
	d.ahead.mu.Lock()
	defer d.ahead.mu.Unlock()
	if size := len(c.canvas.Glyphs) + c.canvas.PathCount(); d.ahead.glyphs+size <= maxAheadGlyphs {
		d.ahead.glyphs += size
		if d.ahead.pages == nil {
			d.ahead.pages = map[int]*rawPage{}
		}
		d.ahead.pages[n] = c
	}
	return c
}
