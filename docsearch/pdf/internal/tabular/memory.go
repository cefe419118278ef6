package tabular

import "github.com/findspot/findspot/docsearch/pdf/internal/content"

// A Memory is what finding the tables of a page takes and the next page uses again. It serves one page at a time.
type Memory struct {
	words []Word
	rows  rowMemory
}

// Reset makes the memory ready for another page.
func (m *Memory) Reset() {
	r := &m.rows
	*m = Memory{
		content.Reuse(m.words),
		rowMemory{content.Reuse(r.links), content.Reuse(r.open), content.Reuse(r.rows), content.Reuse(r.words)},
	}
}

// Rows groups words by their baseline into the rows of a page. They use the memory.
func (m *Memory) Rows(words []Word) []Row { return m.rows.group(words) }
