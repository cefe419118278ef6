package pdf

// A scratch is the memory that reading a page takes and the next page uses again: the canvas, segments, lines and words of a
// page are overwritten by those of another. So nothing that outlives the page may point into them; text is safe, since
// strings are never overwritten. It serves one page at a time.
type scratch struct {
	canvas canvas
	stack  []state
	path   path
	layout layoutMemory
}

// layoutMemory is the part of it that the layout uses.
type layoutMemory struct {
	segs   []segment
	spaces []int
	lines  []line
	words  []word
	text   []byte
}

// keptGlyphs is the most glyphs of a page whose memory is kept for the next. It is several times what a dense page has; the
// memory of a page beyond it is dropped, so that one page cannot hold memory for the rest of a document.
const keptGlyphs = 1 << 15

// borrow takes memory for a page; giveBack returns it. What was on the page is cleared, so that it keeps no font or text alive.
func (x *extractor) borrow() *scratch {
	if s, ok := x.spare.Get().(*scratch); ok {
		return s
	}
	return new(scratch)
}

func (x *extractor) giveBack(s *scratch) {
	c, l := &s.canvas, &s.layout
	if cap(c.glyphs)+cap(c.images)+cap(c.rules)+cap(c.fills)+cap(c.diag)+cap(l.words)+cap(l.segs)+cap(l.lines) > keptGlyphs*2 {
		return
	}
	clear(c.glyphs)
	clear(c.images)
	clear(s.stack[:cap(s.stack)])
	clear(l.segs)
	clear(l.lines)
	clear(l.words)
	*c = canvas{glyphs: c.glyphs[:0], images: c.images[:0], rules: c.rules[:0], fills: c.fills[:0], diag: c.diag[:0]}
	s.path.clear()
	x.spare.Put(s)
}
