package pdf

import (
	"bytes"
	"context"
	"testing"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/findspot/findspot/docsearch/pdf/internal/table"
)

// Once the context has ended, nothing more is made of what is on a page.
func TestComposeLooksAtContext(t *testing.T) {
	data := pdftest.ThreePages().Bytes()
	x := New(nil).(*extractor)
	f, nodes, err := x.load(context.Background(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	d := &document{x: x, f: f, nodes: nodes}
	d.style = d.readStyle(context.Background())
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tt := range []struct {
		ctx  context.Context
		made bool
	}{{ended, false}, {context.Background(), true}} {
		var p extract.Page
		d.compose(tt.ctx, &p, readContent(context.Background(), f, &nodes[0], x.borrow()), &table.Ends{})
		if made := p.Text != "" && p.Markdown != ""; made != tt.made || !tt.made && p.Text != "" {
			t.Errorf("context %v: text %q, Markdown %q, want them made: %v", tt.ctx.Err(), p.Text, p.Markdown, tt.made)
		}
	}
}
