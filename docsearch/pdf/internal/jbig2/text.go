package jbig2

import (
	"fmt"
)

// The corners of a symbol that its place refers to.
const (
	bottomLeft = iota
	topLeft
	bottomRight
	topRight
)

// textContexts are the contexts of the integers of text regions.
type textContexts struct {
	iadt, iafs, iads, iait, iari, iardw, iardh, iardx, iardy intContext
	iaid                                                     []prob
}

func newTextContexts(idBits int) *textContexts {
	return &textContexts{iaid: make([]prob, 1<<idBits)}
}

// A textRegion is a text region to decode (T.88, 6.4).
type textRegion struct {
	d                              *decoder
	huffman, refined, transposed   bool
	w, h                           int
	instances                      int
	logStrips, strips              int
	symbols                        []*bitmap
	corner, op, offset             int
	initial                        byte
	refineTemplate                 int
	refineAt                       []pixelAt
	fs, ds, dt, rdw, rdh, rdx, rdy *table
	rsize                          *table
	ids                            *table // codes of the symbols; nil: idBits bits
	idBits                         int

	r      *bitReader
	a      *arith
	refine []prob
	cx     *textContexts
}

// textRegion reads a text region segment (T.88, 7.4.3).
func (d *decoder) textRegion(h *header, info *regionInfo, b []byte) (*bitmap, error) {
	if len(b) < 2 {
		return nil, errEnd
	}
	flags := be16(b)
	b = b[2:]
	t := &textRegion{
		d: d, huffman: flags&1 != 0, refined: flags&2 != 0, transposed: flags&0x40 != 0, w: info.w, h: info.h,
		logStrips: flags >> 2 & 3, corner: flags >> 4 & 3, op: flags >> 7 & 3, initial: byte(flags >> 9 & 1),
		offset: flags >> 10 & 31, refineTemplate: flags >> 15 & 1,
	}
	t.strips = 1 << t.logStrips
	if t.offset > 15 {
		t.offset -= 32
	}
	symbols, tables, _, err := d.referred(h)
	if err != nil {
		return nil, err
	}
	t.symbols = symbols
	if t.huffman {
		if len(b) < 2 {
			return nil, errEnd
		}
		hf := be16(b)
		b = b[2:]
		c := &chooser{own: tables}
		t.fs = c.pick(hf&3, 6, 7)
		t.ds = c.pick(hf>>2&3, 8, 9, 10)
		t.dt = c.pick(hf>>4&3, 11, 12, 13)
		t.rdw = c.pick(hf>>6&3, 14, 15)
		t.rdh = c.pick(hf>>8&3, 14, 15)
		t.rdx = c.pick(hf>>10&3, 14, 15)
		t.rdy = c.pick(hf>>12&3, 14, 15)
		t.rsize = c.pick(hf>>14&1, 1)
		if c.err != nil {
			return nil, c.err
		}
	}
	if t.refined && t.refineTemplate == 0 {
		if t.refineAt, b, err = readAt(b, 2); err != nil {
			return nil, err
		}
	}
	if len(b) < 4 {
		return nil, errEnd
	}
	t.instances = int(be32(b))
	b = b[4:]
	t.idBits = codeBits(len(symbols))
	t.cx = newTextContexts(t.idBits)
	t.refine = refineContexts(t.refineTemplate)
	if t.huffman {
		t.r = &bitReader{data: b}
		if t.ids, err = readIDs(t.r, len(symbols)); err != nil {
			return nil, err
		}
	} else {
		t.a = newArith(b)
	}
	return t.decode()
}

// readIDs reads the codes of the symbols (T.88, 7.4.3.1.7).
func readIDs(r *bitReader, n int) (*table, error) {
	var lines []tableLine
	for i := range 35 {
		lines = append(lines, tableLine{low: i, prefix: r.bits(4)})
	}
	runs := newTable(lines)
	lines = nil
	for len(lines) < n {
		code, err := runs.must(r)
		if err != nil {
			return nil, err
		}
		length, count := code, 1
		switch code {
		case 32:
			if len(lines) == 0 {
				return nil, fmt.Errorf("a code length repeated before the first")
			}
			length, count = lines[len(lines)-1].prefix, r.bits(2)+3
		case 33:
			length, count = 0, r.bits(3)+3
		case 34:
			length, count = 0, r.bits(7)+11
		}
		for ; count > 0 && len(lines) < n; count-- {
			lines = append(lines, tableLine{low: len(lines), prefix: length})
		}
	}
	r.rest()
	if r.over {
		return nil, errEnd
	}
	return newTable(lines), nil
}

// value reads an integer that is never out of band.
func (t *textRegion) value(tab *table, cx *intContext) (int, error) {
	v, ok, err := t.maybe(tab, cx)
	if err != nil || !ok {
		return 0, orEnd(err)
	}
	return v, nil
}

func (t *textRegion) maybe(tab *table, cx *intContext) (int, bool, error) {
	if t.huffman {
		return tab.read(t.r)
	}
	if t.a.over > maxOver {
		return 0, false, errEnd
	}
	v, ok := t.a.integer(cx)
	return v, ok, nil
}

// id reads the number of a symbol.
func (t *textRegion) id() (int, error) {
	switch {
	case !t.huffman:
		return t.a.id(t.cx.iaid, t.idBits), nil
	case t.ids != nil:
		return t.ids.must(t.r)
	}
	v := t.r.bits(t.idBits)
	if t.r.over {
		return 0, errEnd
	}
	return v, nil
}

// far bounds coordinates, so that sums of them stay numbers.
const far = 1 << 30

func (t *textRegion) decode() (*bitmap, error) {
	b, err := t.d.newBitmap(t.w, t.h)
	if err != nil {
		return nil, err
	}
	if t.initial == 1 {
		for i := range b.pix {
			b.pix[i] = 1
		}
	}
	v, err := t.value(t.dt, &t.cx.iadt)
	if err != nil {
		return b, err
	}
	stripT, firstS := -v*t.strips, 0
	for n := 0; n < t.instances; {
		dt, err := t.value(t.dt, &t.cx.iadt)
		if err != nil {
			return b, err
		}
		stripT += dt * t.strips
		dfs, err := t.value(t.fs, &t.cx.iafs)
		if err != nil {
			return b, err
		}
		firstS += dfs
		curS := firstS
		for first := true; ; first = false {
			if !first {
				ds, ok, err := t.maybe(t.ds, &t.cx.iads)
				if err != nil {
					return b, err
				}
				if !ok {
					break
				}
				curS += ds + t.offset
			}
			if n >= t.instances {
				break
			}
			if max(curS, stripT, firstS, -curS, -stripT, -firstS) > far {
				return b, fmt.Errorf("%w: a symbol at %d, %d", errTooLarge, curS, stripT)
			}
			if curS, err = t.instance(b, curS, stripT); err != nil {
				return b, err
			}
			n++
		}
	}
	return b, nil
}

// instance draws one symbol and returns where the next one goes on.
func (t *textRegion) instance(b *bitmap, curS, stripT int) (int, error) {
	curT := 0
	switch {
	case t.strips == 1:
	case t.huffman:
		curT = t.r.bits(t.logStrips)
	default:
		v, err := t.value(nil, &t.cx.iait)
		if err != nil {
			return 0, err
		}
		curT = v
	}
	at := stripT + curT
	id, err := t.id()
	if err != nil {
		return 0, err
	}
	if id < 0 || id >= len(t.symbols) {
		return 0, fmt.Errorf("symbol %d of %d", id, len(t.symbols))
	}
	s := t.symbols[id]
	refine := 0
	if t.refined {
		if t.huffman {
			refine = t.r.bit()
		} else if refine, err = t.value(nil, &t.cx.iari); err != nil {
			return 0, err
		}
	}
	if refine != 0 {
		var v [4]int
		for i, x := range []struct {
			t  *table
			cx *intContext
		}{{t.rdw, &t.cx.iardw}, {t.rdh, &t.cx.iardh}, {t.rdx, &t.cx.iardx}, {t.rdy, &t.cx.iardy}} {
			if v[i], err = t.value(x.t, x.cx); err != nil {
				return 0, err
			}
			if v[i] > far || v[i] < -far {
				return 0, fmt.Errorf("%w: a refinement by %d", errTooLarge, v[i])
			}
		}
		g := &refinement{w: s.w + v[0], h: s.h + v[1], template: t.refineTemplate, ref: s, dx: v[0]>>1 + v[2], dy: v[1]>>1 + v[3], at: t.refineAt}
		if s, err = t.refineSymbol(g); err != nil {
			return 0, err
		}
		t.d.release(s)
	}
	if !t.transposed && (t.corner == topRight || t.corner == bottomRight) {
		curS += s.w - 1
	} else if t.transposed && (t.corner == bottomLeft || t.corner == bottomRight) {
		curS += s.h - 1
	}
	x, y := curS, at
	if t.transposed {
		x, y = at, curS
	}
	if t.corner == topRight || t.corner == bottomRight {
		x -= s.w - 1
	}
	if t.corner == bottomLeft || t.corner == bottomRight {
		y -= s.h - 1
	}
	if err := t.d.spend(max(0, min(s.w, b.w)) * max(0, min(s.h, b.h)) / 4); err != nil {
		return 0, err
	}
	b.draw(s, x, y, t.op)
	if !t.transposed && (t.corner == topLeft || t.corner == bottomLeft) {
		curS += s.w - 1
	} else if t.transposed && (t.corner == topLeft || t.corner == topRight) {
		curS += s.h - 1
	}
	return curS, nil
}

// refineSymbol decodes a refined symbol; in Huffman coding its data is a stretch of bytes of its own.
func (t *textRegion) refineSymbol(g *refinement) (*bitmap, error) {
	if !t.huffman {
		return g.decode(t.d, t.a, t.refine)
	}
	size, err := t.rsize.must(t.r)
	if err != nil {
		return nil, err
	}
	data := t.r.rest()
	if size < 0 || size > len(data) {
		return nil, errEnd
	}
	s, err := g.decode(t.d, newArith(data[:size]), t.refine)
	t.r.skip(size)
	return s, err
}
