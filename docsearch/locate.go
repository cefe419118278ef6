package docsearch

import (
	"context"
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
)

// maxLocate bounds the bytes of raw text that [Library.Locate] places at once.
const maxLocate = 1 << 20

// Locate returns where bytes [start, end) of a document's raw text stand on its pages: one place for each page. The offsets
// are those of a [Passage], a [Text] or a [FoundLine]. The library keeps no boxes, so the document itself is needed: src is
// the same file, opened by the same extractor; it is used for the call only and not closed. An error wraps [ErrStale] when src
// reads otherwise than what was added, and [ErrTooLarge] for a range of over a megabyte.
func (l *Library) Locate(ctx context.Context, doc string, start, end int, src extract.Doc) ([]extract.Place, error) {
	e, lay, err := l.openDoc(ctx, doc)
	if err != nil {
		return nil, err
	}
	start, end = max(start, 0), min(end, lay.Size)
	if end-start > maxLocate {
		return nil, fmt.Errorf("document %q: bytes %d to %d: %w: at most %d at once", e.Name, start, end, ErrTooLarge, maxLocate)
	}
	out := []extract.Place{}
	if start >= end {
		return out, nil
	}
	for page, err := range src.Pages(ctx, lay.Page(start), lay.Page(end-1)) {
		if err != nil && (page == nil || ctx.Err() != nil) {
			return nil, fmt.Errorf("document %q: %w", e.Name, err)
		}
		if page.Number < 1 || page.Number > len(lay.Pages) {
			return nil, fmt.Errorf("document %q: page %d: %w: it had %d pages", e.Name, page.Number, ErrStale, len(lay.Pages))
		}
		base := lay.Pages[page.Number-1]
		stop := lay.Size
		if page.Number < len(lay.Pages) {
			stop = lay.Pages[page.Number]
		}
		want, err := l.texts.Slice(ctx, e, lay, base, stop)
		if err != nil {
			return nil, err
		}
		if strings.TrimSuffix(want, "\n") != strings.TrimSuffix(strings.ToValidUTF8(page.Text, "\uFFFD"), "\n") {
			return nil, fmt.Errorf("document %q: page %d: %w: add it again", e.Name, page.Number, ErrStale)
		}
		if x := page.Place(start-base, end-base); x.End > x.Start {
			out = append(out, x)
		}
	}
	return out, nil
}
