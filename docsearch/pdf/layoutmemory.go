package pdf

import "github.com/findspot/findspot/docsearch/pdf/internal/content"

// A layoutMemory is what the layout of a page takes and the next page uses again. It serves one page at a time.
type layoutMemory struct {
	segs   []segment
	spaces []int
	lines  []line
	words  []word
	rows   rowMemory
	text   []byte
}

// reuse makes the memory ready for another page.
func (l *layoutMemory) reuse() {
	*l = layoutMemory{
		segs: content.Reuse(l.segs), spaces: content.Reuse(l.spaces), lines: content.Reuse(l.lines), words: content.Reuse(l.words), text: content.Reuse(l.text),
		rows: rowMemory{content.Reuse(l.rows.links), content.Reuse(l.rows.open), content.Reuse(l.rows.rows), content.Reuse(l.rows.words)},
	}
}
