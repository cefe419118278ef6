package pdf

import (
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
)

// A scratch is the memory that reading a page takes and the next page uses again. It serves one page at a time.
type scratch struct {
	content content.Memory
	layout  layout.Memory
	table   tabular.Memory
}

// borrow takes memory for a page; giveBack returns it.
func (x *extractor) borrow() *scratch {
	if s, ok := x.spare.Get().(*scratch); ok {
		return s
	}
	return new(scratch)
}

func (x *extractor) giveBack(s *scratch) {
	s.content.Reset()
	s.layout.Reset()
	s.table.Reset()
	x.spare.Put(s)
}
