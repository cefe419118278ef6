package docsearch

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// layout says where the raw text of a document is kept and where its pages begin. The raw text is the pages' texts in a
// row, each ending in "\n". It is stored once: as the texts of the chunk records, and here for what no chunk covers.
type layout struct {
	Size   int     `json:"size"`          // bytes of the raw text
	Pages  []int   `json:"pages"`         // byte offset of each page
	Pieces []piece `json:"pieces"`        // in order, covering the raw text
	Sum    uint32  `json:"sum,omitempty"` // checksum of the raw text ([textSum]); 0: taken in before there was one

	Markdown []int             `json:"markdown,omitempty"` // byte of the kept Markdown at which each page begins; nil: none is kept
	Sections []extract.Section `json:"sections,omitempty"` // in order of the text; none in an index of before feature version 3
}

// piece is a stretch of raw text that goes up to the next piece.
type piece struct {
	Start int    `json:"s"`
	Line  int    `json:"l"` // line that holds the byte at Start, from 1
	Chunk int    `json:"n"` // number of the chunk record that holds the text; -1: Text
	Text  string `json:"t,omitempty"`
}

type layoutEntry struct {
	added  string // tells one content of a document from the next
	layout *layout
}

// overlap is the number of bytes after a chunk that are indexed with it, so that a phrase across a cut, a word that is cut,
// and a tail that the chunk rule drops are found.
const overlap = 400

// split cuts the raw text, at its sections where the splitter can be told of them.
func split(raw string, sections []extract.Section, s chunk.Splitter) []chunk.Chunk {
	by, ok := s.(chunk.SectionSplitter)
	if !ok {
		return s.Split(raw)
	}
	marks := make([]chunk.Mark, 0, len(sections))
	at, line := 0, 1
	for i := range sections {
		for ; line < sections[i].Lines.First; line++ {
			n := strings.IndexByte(raw[at:], '\n')
			if n < 0 {
				return by.SplitSections(raw, marks)
			}
			at += n + 1
		}
		marks = append(marks, chunk.Mark{Start: at, Level: sections[i].Level})
	}
	return by.SplitSections(raw, marks)
}

// cut turns the raw text into chunk records and their layout.
func cut(raw string, pages []int, sections []extract.Section, s chunk.Splitter) (*layout, []driver.Record, error) {
	lay := &layout{Size: len(raw), Pages: pages, Sections: sections, Sum: textSum(raw)}
	var recs []driver.Record
	at, line := 0, 1
	add := func(n, to int) {
		p := piece{Start: at, Line: line, Chunk: n}
		if n < 0 {
			p.Text = raw[at:to]
		}
		lay.Pieces = append(lay.Pieces, p)
		line += strings.Count(raw[at:to], "\n")
		at = to
	}
	last := 0
	for i, c := range split(raw, sections, s) {
		if c.Start < last || c.End < c.Start || c.End > len(raw) || c.Text != raw[c.Start:c.End] {
			return nil, nil, fmt.Errorf("splitter %s: chunk %d [%d:%d] is not a slice of the text in order", s.Name(), i, c.Start, c.End)
		}
		last = c.Start
		recs = append(recs, driver.Record{Kind: driver.KindChunk, N: i, Start: c.Start, Text: raw[c.Start:extend(raw, c.End)]})
		if c.Start > at {
			add(-1, c.Start)
		}
		if c.End > at {
			add(i, c.End)
		}
	}
	if at < len(raw) {
		add(-1, len(raw))
	}
	recs = cover(raw, recs)
	setHeads(raw, sections, recs)
	return lay, recs, nil
}

// maxHeads bounds the headings of one record in bytes.
const maxHeads = 2 << 10

// setHeads puts the headings over the chunk records that stand under them: those of the section a record begins in and of the sections around it,
// outermost first, then those of the sections that begin in it.
func setHeads(raw string, sections []extract.Section, recs []driver.Record) {
	starts := make([]int, 0, len(sections)) // bytes
	at, line := 0, 1
	for i := range sections {
		for ; line < sections[i].Lines.First && at < len(raw); line++ {
			n := strings.IndexByte(raw[at:], '\n')
			if n < 0 {
				n = len(raw) - at - 1
			}
			at += n + 1
		}
		starts = append(starts, at)
	}
	for r := range recs {
		rec := &recs[r]
		next := sort.Search(len(starts), func(i int) bool { return starts[i] > rec.Start })
		var over []string
		for i := next - 1; i >= 0 && i < len(sections) && len(over) < 64; i = sections[i].Parent {
			over = append(over, sections[i].Heading())
		}
		slices.Reverse(over)
		for i := next; i < len(starts) && starts[i] < rec.Start+len(rec.Text); i++ {
			over = append(over, sections[i].Heading())
		}
		size := 0
		for i, h := range over {
			if size += len(h) + 1; size > maxHeads {
				over = over[:i]
				break
			}
		}
		rec.Heads = strings.Join(over, "\n")
	}
}

// cover adds records for text that no record holds: what a splitter leaves out and no overlap reaches. They are numbered behind the others, and their
// texts stay in the layout.
func cover(raw string, recs []driver.Record) []driver.Record {
	held, n := 0, len(recs)
	gap := func(to int) {
		if held < to && strings.TrimSpace(raw[held:to]) != "" {
			from := held
			// The word that the end of the record before cuts is wanted whole.
			for from > 0 && held-from < overlap && !isSpace(raw[from-1]) {
				from--
			}
			for from < held && !utf8.RuneStart(raw[from]) {
				from++
			}
			for at := from; at < to; {
				end := min(at+gapSize, to)
				for end < to && !utf8.RuneStart(raw[end]) {
					end--
				}
				recs = append(recs, driver.Record{Kind: driver.KindChunk, N: len(recs), Start: at, Text: raw[at:extend(raw, end)]})
				at = end
			}
		}
	}
	for _, r := range recs[:n] {
		gap(r.Start)
		held = max(held, r.Start+len(r.Text))
	}
	gap(len(raw))
	return recs
}

// gapSize is the size in bytes of the records of text that a splitter left out.
const gapSize = 12 << 10

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// extend returns the end of the text that is indexed with a chunk ending at end: [overlap] bytes on, back to a blank.
func extend(raw string, end int) int {
	to := min(end+overlap, len(raw))
	for to > end && to < len(raw) && !utf8.RuneStart(raw[to]) {
		to--
	}
	if to < len(raw) {
		if i := strings.LastIndexAny(raw[end:to], " \n\t"); i > 0 {
			to = end + i
		}
	}
	return to
}

// layoutOf returns the layout of a document, which the library keeps for the few documents used last.
func (l *Library) layoutOf(ctx context.Context, e *catalog.Entry) (*layout, error) {
	key := e.Content()
	l.cacheMu.Lock()
	c := l.layouts[e.ID]
	l.cacheMu.Unlock()
	if c != nil && c.added == key {
		return c.layout, nil
	}
	now, d, err := l.docs.Get(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	if now.Content() != key {
		return nil, fmt.Errorf("document %q: %w: it was replaced while it was read: ask again", e.Name, ErrStale)
	}
	lay := &layout{}
	if err := json.Unmarshal(d.Layout, lay); err != nil {
		return nil, fmt.Errorf("document %q: layout: %w: %v", e.Name, ErrFormat, err)
	}
	if err := lay.check(); err != nil {
		return nil, fmt.Errorf("document %q: layout: %w: %v", e.Name, ErrFormat, err)
	}
	l.cacheMu.Lock()
	defer l.cacheMu.Unlock()
	if len(l.layouts) >= 64 {
		clear(l.layouts)
	}
	l.layouts[e.ID] = &layoutEntry{key, lay}
	return lay, nil
}

// page returns the number of the page that holds the byte at off.
func (lay *layout) page(off int) int {
	return max(1, sort.Search(len(lay.Pages), func(i int) bool { return lay.Pages[i] > off }))
}

// pieceAt returns the index of the piece that holds the byte at off.
func (lay *layout) pieceAt(off int) int {
	return max(0, sort.Search(len(lay.Pieces), func(i int) bool { return lay.Pieces[i].Start > off })-1)
}

func (lay *layout) pieceEnd(i int) int {
	if i+1 < len(lay.Pieces) {
		return lay.Pieces[i+1].Start
	}
	return lay.Size
}

// raw returns bytes [start, end) of the raw text of a document.
func (l *Library) raw(ctx context.Context, e *catalog.Entry, lay *layout, start, end int) (string, error) {
	start, end = max(0, start), min(end, lay.Size)
	if start >= end {
		return "", nil
	}
	var b strings.Builder
	b.Grow(min(end-start, 1<<20)) // no more for what may not be there
	const batch = 64              // records held at a time
	for i, stop := lay.pieceAt(start), lay.pieceAt(end-1); i <= stop; {
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
				return "", fmt.Errorf("document %q: %w: piece %d of the text does not fit", e.Name, ErrFormat, i)
			}
			b.WriteString(s[from:to])
		}
	}
	return b.String(), nil
}

// lineOf returns the line, from 1, that holds the byte at off.
func (l *Library) lineOf(ctx context.Context, e *catalog.Entry, lay *layout, off int) (int, error) {
	if len(lay.Pieces) == 0 {
		return 1, nil
	}
	p := lay.Pieces[lay.pieceAt(off)]
	s, err := l.raw(ctx, e, lay, p.Start, off)
	return p.Line + strings.Count(s, "\n"), err
}

// lineStart returns the offset of the first byte of a line, or the size when the text has fewer lines.
func (l *Library) lineStart(ctx context.Context, e *catalog.Entry, lay *layout, line int) (int, error) {
	if line <= 1 {
		return 0, nil
	}
	// The line begins in the last piece that begins on an earlier line.
	i := max(0, sort.Search(len(lay.Pieces), func(i int) bool { return lay.Pieces[i].Line >= line })-1)
	for ; i < len(lay.Pieces); i++ {
		p := lay.Pieces[i]
		s, err := l.raw(ctx, e, lay, p.Start, lay.pieceEnd(i))
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
