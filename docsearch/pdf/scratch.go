package pdf

import "github.com/findspot/findspot/docsearch/pdf/internal/lexer"

// A scratch is the memory that reading a page takes and the next page uses again: the canvas, segments, lines and words of a
// page are overwritten by those of another. So nothing that outlives the page may point into them; text is safe, since
// strings are never overwritten. It serves one page at a time.
type scratch struct {
	canvas canvas
	stack  []state
	path   path
	lexed  lexer.Memory
	args   []lexer.Operand
	layout layoutMemory
}

// keepOperands takes back the memory of operands. It points into the content of the page, which would else stay as long as
// a page that is read ahead does.
func (s *scratch) keepOperands(m lexer.Memory, args []lexer.Operand) {
	m.Forget()
	clear(args[:cap(args)])
	s.lexed, s.args = m, args[:0]
}

// layoutMemory is the part of it that the layout uses.
type layoutMemory struct {
	segs   []segment
	spaces []int
	lines  []line
	words  []word
	rows   rowMemory
	text   []byte
}

// keptGlyphs is the most glyphs of a page whose memory is kept for the next. It is several times what a dense page has; the
// memory of a page beyond it is dropped, so that one page cannot hold memory for the rest of a document.
const keptGlyphs = 1 << 15

// borrow takes memory for a page; giveBack returns it. What was on the page is not cleared but overwritten: until then, or
// until the pool lets go of it, it keeps a page's text and fonts alive.
func (x *extractor) borrow() *scratch {
	if s, ok := x.spare.Get().(*scratch); ok {
		return s
	}
	return new(scratch)
}

func (x *extractor) giveBack(s *scratch) {
	c, l := &s.canvas, &s.layout
	*c = canvas{glyphs: emptied(c.glyphs), images: emptied(c.images), rules: emptied(c.rules), fills: emptied(c.fills), diag: emptied(c.diag)}
	*l = layoutMemory{
		segs: emptied(l.segs), spaces: emptied(l.spaces), lines: emptied(l.lines), words: emptied(l.words), text: emptied(l.text),
		rows: rowMemory{emptied(l.rows.links), emptied(l.rows.open), emptied(l.rows.rows), emptied(l.rows.words)},
	}
	s.stack = emptied(s.stack[:cap(s.stack)])
	s.path.clear()
	x.spare.Put(s)
}

// emptied returns the memory of a list, nil when it is more than is kept.
func emptied[T any](list []T) []T {
	if cap(list) > keptGlyphs {
		return nil
	}
	return list[:0]
}
