package pdf

import "github.com/findspot/findspot/docsearch/pdf/internal/content"

// A tableMemory is what finding the tables of a page takes and the next page uses again. It serves one page at a time.
type tableMemory struct {
	words []word
	rows  rowMemory
}

// reset makes the memory ready for another page.
func (m *tableMemory) reset() {
	r := &m.rows
	*m = tableMemory{
		content.Reuse(m.words),
		rowMemory{content.Reuse(r.links), content.Reuse(r.open), content.Reuse(r.rows), content.Reuse(r.words)},
	}
}
