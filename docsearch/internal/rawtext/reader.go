package rawtext

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/internal/errs"
)

type cached struct {
	added  string // tells one content of a document from the next
	layout *Layout
}

// texts reads the raw texts of the documents of a store. It is safe for concurrent use.
type Reader struct {
	store driver.Store
	docs  *catalog.List

	mu      sync.Mutex         // guards what follows
	layouts map[string]*cached // by id; a few
}

// newTexts returns the texts of a store.
func NewReader(store driver.Store, docs *catalog.List) *Reader {
	return &Reader{store: store, docs: docs, layouts: map[string]*cached{}}
}

// Layout returns the layout of a document, which is kept for the few documents used last.
func (l *Reader) Layout(ctx context.Context, e *catalog.Entry) (*Layout, error) {
	key := e.Content()
	l.mu.Lock()
	c := l.layouts[e.ID]
	l.mu.Unlock()
	if c != nil && c.added == key {
		return c.layout, nil
	}
	now, d, err := l.docs.Get(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	if now.Content() != key {
		return nil, fmt.Errorf("document %q: %w: it was replaced while it was read: ask again", e.Name, errs.Stale)
	}
	lay := &Layout{}
	if err := json.Unmarshal(d.Layout, lay); err != nil {
		return nil, fmt.Errorf("document %q: layout: %w: %v", e.Name, errs.Format, err)
	}
	if err := lay.check(); err != nil {
		return nil, fmt.Errorf("document %q: layout: %w: %v", e.Name, errs.Format, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.layouts) >= 64 {
		clear(l.layouts)
	}
	l.layouts[e.ID] = &cached{key, lay}
	return lay, nil
}

// Slice returns bytes [start, end) of the raw text of a document.
func (l *Reader) Slice(ctx context.Context, e *catalog.Entry, lay *Layout, start, end int) (string, error) {
	start, end = max(0, start), min(end, lay.Size)
	if start >= end {
		return "", nil
	}
	var b strings.Builder
	b.Grow(min(end-start, 1<<20)) // no more for what may not be there
	const batch = 64              // records held at a time
	for i, stop := lay.PieceAt(start), lay.PieceAt(end-1); i <= stop; {
		var ns []int
		j := i
		for ; j <= stop && len(ns) < batch; j++ {
			if n := lay.Pieces[j].Chunk; n >= 0 {
				ns = append(ns, n)
			}
		}
		recs, err := l.store.Records(ctx, e.ID, driver.KindChunk, ns)
		if err != nil {
			return "", err
		}
		for ; i < j; i++ {
			p := lay.Pieces[i]
			s, e1, at := p.Text, lay.pieceEnd(i), p.Start
			if p.Chunk >= 0 {
				s, at = recs[0].Text, recs[0].Start
				recs = recs[1:]
			}
			from, to := max(start, p.Start)-at, min(end, e1)-at
			if from < 0 || to > len(s) || from > to {
				return "", fmt.Errorf("document %q: %w: piece %d of the text does not fit", e.Name, errs.Format, i)
			}
			b.WriteString(s[from:to])
		}
	}
	return b.String(), nil
}

// LineOf returns the line, from 1, that holds the byte at off.
func (l *Reader) LineOf(ctx context.Context, e *catalog.Entry, lay *Layout, off int) (int, error) {
	if len(lay.Pieces) == 0 {
		return 1, nil
	}
	p := lay.Pieces[lay.PieceAt(off)]
	s, err := l.Slice(ctx, e, lay, p.Start, off)
	return p.Line + strings.Count(s, "\n"), err
}

// LineStart returns the offset of the first byte of a line, or the size when the text has fewer lines.
func (l *Reader) LineStart(ctx context.Context, e *catalog.Entry, lay *Layout, line int) (int, error) {
	if line <= 1 {
		return 0, nil
	}
	// The line begins in the last piece that begins on an earlier line.
	i := max(0, sort.Search(len(lay.Pieces), func(i int) bool { return lay.Pieces[i].Line >= line })-1)
	for ; i < len(lay.Pieces); i++ {
		p := lay.Pieces[i]
		s, err := l.Slice(ctx, e, lay, p.Start, lay.pieceEnd(i))
		if err != nil {
			return 0, err
		}
		at := p.Start
		for n := p.Line; n < line; n++ {
			j := strings.IndexByte(s, '\n')
			if j < 0 {
				at = -1
				break
			}
			s, at = s[j+1:], at+j+1
		}
		if at >= 0 {
			return at, nil
		}
	}
	return lay.Size, nil
}

// Check reads all of a document and returns the runes of its text.
func (l *Reader) Check(ctx context.Context, e *catalog.Entry) (int, error) {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("document %q: %w: %s", e.Name, errs.Format, fmt.Sprintf(format, args...))
	}
	d, err := l.store.Get(ctx, e.ID)
	if err != nil {
		return 0, err
	}
	lay := &Layout{}
	if err := json.Unmarshal(d.Layout, lay); err != nil {
		return 0, bad("layout: %v", err)
	}
	if err := lay.check(); err != nil {
		return 0, bad("layout: %v", err)
	}
	raw, err := l.Slice(ctx, e, lay, 0, lay.Size)
	if err != nil {
		return 0, err
	}
	if lay.Sum != 0 && textSum(raw) != lay.Sum {
		return 0, bad("its text is not what was added")
	}
	line, at := 1, 0
	for i, p := range lay.Pieces {
		line += strings.Count(raw[at:p.Start], "\n")
		if at = p.Start; p.Line != line {
			return 0, bad("piece %d of its text begins on line %d, not %d", i, line, p.Line)
		}
	}
	if int(e.Lines) != strings.Count(raw, "\n") || e.Pages > 0 && int(e.Pages) != len(lay.Pages) && lay.Sum != 0 {
		return 0, bad("its text has %d lines and %d pages, its entry says %d and %d", strings.Count(raw, "\n"), len(lay.Pages), e.Lines, e.Pages)
	}
	if a := e.Abstract; a[0] < 0 || a[1] < a[0] || int(a[1]) > len(raw) {
		return 0, bad("its abstract is at bytes %d to %d of %d", a[0], a[1], len(raw))
	}
	for _, k := range driver.Kinds() {
		recs, err := l.store.Records(ctx, e.ID, k, nil)
		if err != nil {
			return 0, err
		}
		for _, r := range recs {
			if k == driver.KindChunk && (r.Start < 0 || r.Start+len(r.Text) > len(raw) || raw[r.Start:r.Start+len(r.Text)] != r.Text) {
				return 0, bad("passage %d is not the text at byte %d", r.N, r.Start)
			}
			if len(r.Data) > 0 && !json.Valid(r.Data) {
				return 0, bad("the data of %s record %d cannot be decoded", k, r.N)
			}
		}
	}
	return len([]rune(raw)), nil
}
