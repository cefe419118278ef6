package layout

import "github.com/findspot/findspot/docsearch/pdf/internal/content"

// A Memory is what the layout of a page takes and the next page uses again. It serves one page at a time.
type Memory struct {
	segs   []Segment
	spaces []int
	lines  []Line
	text   []byte
}

// Reset makes the memory ready for another page.
func (l *Memory) Reset() {
	*l = Memory{
		segs: content.Reuse(l.segs), spaces: content.Reuse(l.spaces), lines: content.Reuse(l.lines), text: content.Reuse(l.text),
	}
}
