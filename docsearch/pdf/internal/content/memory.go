package content

import "github.com/findspot/findspot/docsearch/pdf/internal/lexer"

// A Memory is what running the content of a page takes and the next page uses again: the canvas of a page is overwritten
// by that of another. So nothing that outlives the page may point into it; text is safe, since strings are never
// overwritten. It serves one page at a time.
type Memory struct {
	Canvas Canvas
	stack  []state
	path   path
	lexed  lexer.Memory
	args   []lexer.Operand
}

// keptGlyphs is the most glyphs of a page whose memory is kept for the next. It is several times what a dense page has; the
// memory of a page beyond it is dropped, so that one page cannot hold memory for the rest of a document.
const keptGlyphs = 1 << 15

// keep takes back what an interpreter used. Operands point into the content of the page, which would else stay as long as
// a page that is read ahead does.
func (m *Memory) keep(in *interp) {
	m.stack, m.path = in.stack, in.path
	in.lexed.Forget()
	clear(in.args[:cap(in.args)])
	m.lexed, m.args = in.lexed, in.args[:0]
}

// Reset makes the memory ready for another page. What was on the page is not cleared but overwritten: until then it keeps
// the page's text and fonts alive.
func (m *Memory) Reset() {
	c := &m.Canvas
	*c = Canvas{Glyphs: Reuse(c.Glyphs), Images: Reuse(c.Images), Rules: Reuse(c.Rules), Fills: Reuse(c.Fills), Diagonals: Reuse(c.Diagonals)}
	m.stack = Reuse(m.stack[:cap(m.stack)])
	m.path.clear()
}

// Reuse returns the memory of a list, nil when it is more than is kept.
func Reuse[T any](list []T) []T {
	if cap(list) > keptGlyphs {
		return nil
	}
	return list[:0]
}
