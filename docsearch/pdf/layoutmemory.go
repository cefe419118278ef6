package pdf

import "github.com/findspot/findspot/docsearch/pdf/internal/content"

// A layoutMemory is what the layout of a page takes and the next page uses again. It serves one page at a time.
type layoutMemory struct {
	segs   []segment
	spaces []int
	lines  []line
	text   []byte
}

// reset makes the memory ready for another page.
func (l *layoutMemory) reset() {
	*l = layoutMemory{
		segs: content.Reuse(l.segs), spaces: content.Reuse(l.spaces), lines: content.Reuse(l.lines), text: content.Reuse(l.text),
	}
}
