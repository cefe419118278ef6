package reading

import (
	"context"
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/errs"
)

// maxLocate bounds the bytes of raw text that are placed at once.
const maxLocate = 1 << 20

// Locate returns where bytes [start, end) of the raw text stand on the pages of src, which is the same document; see docsearch.Library.Locate.
func (d *Doc) Locate(ctx context.Context, start, end int, src extract.Doc) ([]extract.Place, error) {
	start, end = max(start, 0), min(end, d.Layout.Size)
	if end-start > maxLocate {
		return nil, fmt.Errorf("document %q: bytes %d to %d: %w: at most %d at once", d.Name, start, end, errs.TooLarge, maxLocate)
	}
	out := []extract.Place{}
	if start >= end {
		return out, nil
	}
	for page, err := range src.Pages(ctx, d.Layout.Page(start), d.Layout.Page(end-1)) {
		if err != nil && (page == nil || ctx.Err() != nil) {
			return nil, fmt.Errorf("document %q: %w", d.Name, err)
		}
		if page.Number < 1 || page.Number > len(d.Layout.Pages) {
			return nil, fmt.Errorf("document %q: page %d: %w: it had %d pages", d.Name, page.Number, errs.Stale, len(d.Layout.Pages))
		}
		base, stop, err := d.pageRange(page.Number)
		if err != nil {
			return nil, err
		}
		want, err := d.Slice(ctx, base, stop)
		if err != nil {
			return nil, err
		}
		if strings.TrimSuffix(want, "\n") != strings.TrimSuffix(strings.ToValidUTF8(page.Text, "\uFFFD"), "\n") {
			return nil, fmt.Errorf("document %q: page %d: %w: add it again", d.Name, page.Number, errs.Stale)
		}
		line, err := d.texts.LineOf(ctx, d.Entry, d.Layout, base)
		if err != nil {
			return nil, err
		}
		x := page.Place(start-base, end-base)
		if x.Line += line - 1; x.End > x.Start {
			out = append(out, x)
		}
	}
	return out, nil
}
