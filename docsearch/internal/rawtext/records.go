package rawtext

import (
	"fmt"
	"hash/crc32"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
)

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

// Cut turns the raw text into chunk records and their layout.
func Cut(raw string, pages []int, sections []extract.Section, s chunk.Splitter) (*Layout, []driver.Record, error) {
	lay := &Layout{Size: len(raw), Pages: pages, Sections: sections, Sum: textSum(raw)}
	var recs []driver.Record
	at, line := 0, 1
	add := func(n, to int) {
		p := Piece{Start: at, Line: line, Chunk: n}
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
				for end > at && end < to && !utf8.RuneStart(raw[end]) {
					end--
				}
				if end == at { // no UTF-8
					end = min(at+gapSize, to)
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

// textSum is the checksum that a layout keeps of the raw text: CRC-32C, never 0.
func textSum(raw string) uint32 {
	return max(1, crc32.Checksum([]byte(raw), crc32.MakeTable(crc32.Castagnoli)))
}
