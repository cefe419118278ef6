package jbig2

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// Bounds on what one picture may make us do.
const (
	maxSymbols  = 1 << 18 // symbols of all dictionaries that a region refers to
	maxSegments = 1 << 16
	maxSide     = 1 << 20
	maxOver     = 256 // bytes that the arithmetic decoder may want behind the end
)

var (
	errEnd      = errors.New("the data ends early")
	errTooLarge = errors.New("too large")
	errNoPage   = errors.New("no page")
)

// Decode returns the picture of a page, packed from the highest bit, each row from a byte of its own, 1 for black. Globals are the
// segments that come before, nil for none. A picture of more than maxPixels is an error. With an error, what was decoded
// before it may be there.
func Decode(ctx context.Context, data, globals []byte, maxPixels int) (pix []byte, width, height int, err error) {
	d := &decoder{ctx: ctx, pixels: 3 * maxPixels, work: 4*maxPixels + 1<<22, max: maxPixels, segments: map[uint32]*segment{}}
	if len(globals) > 0 {
		err = d.run(globals)
	}
	if e := d.run(data); err == nil {
		err = e
	}
	if ctx.Err() != nil {
		return nil, 0, 0, ctx.Err()
	}
	if d.page == nil {
		if err == nil {
			err = errNoPage
		}
		return nil, 0, 0, err
	}
	b := d.page
	stride := (b.w + 7) / 8
	pix = make([]byte, stride*b.h)
	for y := range b.h {
		row, dst := b.row(y), pix[y*stride:]
		for x, v := range row {
			dst[x>>3] |= v << (7 - x&7)
		}
	}
	return pix, b.w, b.h, err
}

// A decoder reads the segments of one picture.
type decoder struct {
	ctx      context.Context
	pixels   int // left to allocate
	work     int // left to do, in pixels
	max      int
	segments map[uint32]*segment // those that others may refer to
	page     *bitmap
	growing  bool // the page's height is not known
	op       int  // the page's combination operator
	initial  byte
}

// A segment is what a segment left for others.
type segment struct {
	symbols  []*bitmap
	isDict   bool
	patterns []*bitmap
	table    *table
	region   *bitmap
	generic  []prob // kept by a symbol dictionary
	refine   []prob
}

func (d *decoder) newBitmap(w, h int) (*bitmap, error) {
	if w < 0 || h < 0 || w > maxSide || h > maxSide || h > 0 && w > d.max/h || w*h > d.pixels {
		return nil, fmt.Errorf("%w: a bitmap of %d by %d", errTooLarge, w, h)
	}
	d.pixels -= w*h + 16
	return &bitmap{w, h, make([]byte, w*h)}, nil
}

// release gives the pixels of a bitmap that is not kept back.
func (d *decoder) release(b *bitmap) {
	if b != nil {
		d.pixels += b.w * b.h
	}
}

// spend counts work and looks at the context.
func (d *decoder) spend(n int) error {
	if d.work -= n + 8; d.work < 0 {
		return fmt.Errorf("%w: too much work for one picture", errTooLarge)
	}
	if d.work>>20 != (d.work+n+8)>>20 {
		return d.ctx.Err()
	}
	return nil
}

// A header is a segment's header (T.88, 7.2).
type header struct {
	number uint32
	kind   int
	refers []uint32
	length uint32
}

func readHeader(b []byte) (h header, n int, err error) {
	if len(b) < 11 {
		return h, 0, errEnd
	}
	h.number = be32(b)
	flags := b[4]
	h.kind = int(flags & 63)
	count := int(b[5] >> 5)
	n = 6
	if count == 7 {
		count = int(be32(b[5:]) & 0x1FFFFFFF)
		n = 9 + (count+8)/8
	}
	size := 1
	if h.number > 65536 {
		size = 4
	} else if h.number > 256 {
		size = 2
	}
	page := 1
	if flags&0x40 != 0 {
		page = 4
	}
	if count > len(b) || n+count*size+page+4 > len(b) {
		return h, 0, errEnd
	}
	for range count {
		var v uint32
		for range size {
			v = v<<8 | uint32(b[n])
			n++
		}
		h.refers = append(h.refers, v)
	}
	n += page
	h.length = be32(b[n:])
	return h, n + 4, nil
}

// run reads segments one after the other.
func (d *decoder) run(b []byte) error {
	for count := 0; len(b) > 0; count++ {
		if count > maxSegments {
			return fmt.Errorf("%w: over %d segments", errTooLarge, maxSegments)
		}
		if err := d.ctx.Err(); err != nil {
			return err
		}
		h, n, err := readHeader(b)
		if err != nil {
			if len(bytes.Trim(b, "\x00\r\n ")) == 0 { // padding
				return nil
			}
			return err
		}
		b = b[n:]
		size := int(h.length)
		if h.length == 0xFFFFFFFF {
			if h.kind != 38 {
				return fmt.Errorf("segment %d of type %d: its length is not known", h.number, h.kind)
			}
			size = unknownLength(b)
		}
		data := b[:min(size, len(b))]
		b = b[len(data):]
		if h.kind == 49 || h.kind == 51 { // end of page, end of file
			return nil
		}
		if err := d.segment(&h, data); err != nil {
			return fmt.Errorf("segment %d of type %d: %w", h.number, h.kind, err)
		}
	}
	return nil
}

// unknownLength finds the end of a generic region of unknown length (T.88, 7.2.7): the marker of its coding and a row count.
func unknownLength(b []byte) int {
	mark := []byte{0xFF, 0xAC}
	if len(b) > 17 && b[17]&1 != 0 {
		mark = []byte{0, 0}
	}
	if len(b) > 18 {
		if i := bytes.Index(b[18:], mark); i >= 0 {
			return 18 + i + 2 + 4
		}
	}
	return len(b)
}

func (d *decoder) segment(h *header, data []byte) error {
	switch h.kind {
	case 0:
		s, err := d.symbolDict(h, data)
		if s != nil {
			d.segments[h.number] = s
		}
		return err
	case 4, 6, 7:
		return d.region(h, data, d.textRegion)
	case 16:
		s, err := d.patternDict(data)
		if s != nil {
			d.segments[h.number] = s
		}
		return err
	case 20, 22, 23:
		return d.region(h, data, d.halftoneRegion)
	case 36, 38, 39:
		return d.region(h, data, d.genericRegion)
	case 40, 42, 43:
		return d.region(h, data, d.refinementRegion)
	case 48:
		return d.pageInfo(data)
	case 50:
		if len(data) >= 4 && d.growing {
			return d.grow(int(be32(data)) + 1)
		}
	case 53:
		t, err := readTable(data)
		if err == nil {
			d.segments[h.number] = &segment{table: t}
		}
		return err
	}
	return nil
}

func (d *decoder) pageInfo(b []byte) error {
	if len(b) < 19 {
		return errEnd
	}
	if d.page != nil {
		return errors.New("a second page")
	}
	w, height := int(be32(b)), be32(b[4:])
	h := int(height)
	if height == 0xFFFFFFFF {
		d.growing, h = true, be16(b[17:])&0x7FFF
	}
	d.op = int(b[16] >> 3 & 3)
	d.initial = b[16] >> 2 & 1
	p, err := d.newBitmap(w, h)
	if err != nil {
		return err
	}
	if d.initial == 1 {
		for i := range p.pix {
			p.pix[i] = 1
		}
	}
	d.page = p
	return nil
}

// grow makes a page of unknown height at least h rows high.
func (d *decoder) grow(h int) error {
	if d.page == nil || h <= d.page.h {
		return nil
	}
	if h > maxSide || d.page.w > 0 && h > d.max/d.page.w {
		return fmt.Errorf("%w: a page of %d by %d", errTooLarge, d.page.w, h)
	}
	old := len(d.page.pix)
	if d.pixels -= h*d.page.w - old; d.pixels < 0 {
		return fmt.Errorf("%w: a page of %d by %d", errTooLarge, d.page.w, h)
	}
	d.page.pix = append(d.page.pix, make([]byte, h*d.page.w-old)...)
	d.page.h = h
	if d.initial == 1 {
		for i := old; i < len(d.page.pix); i++ {
			d.page.pix[i] = 1
		}
	}
	return nil
}

// A regionInfo is the head of a region segment (T.88, 7.4.1).
type regionInfo struct{ w, h, x, y, op int }

// region decodes a region and puts it on the page, or keeps an intermediate one.
func (d *decoder) region(h *header, b []byte, decode func(*header, *regionInfo, []byte) (*bitmap, error)) error {
	if len(b) < 17 {
		return errEnd
	}
	info := &regionInfo{int(be32(b)), int(be32(b[4:])), int(int32(be32(b[8:]))), int(int32(be32(b[12:]))), int(b[16] & 7)}
	if d.page == nil {
		return errNoPage
	}
	r, err := decode(h, info, b[17:])
	if r == nil {
		return err
	}
	if h.kind&3 == 0 { // intermediate
		d.segments[h.number] = &segment{region: r}
		return err
	}
	if d.growing {
		if e := d.grow(info.y + r.h); e != nil {
			return e
		}
	}
	d.page.draw(r, info.x, info.y, info.op)
	d.release(r)
	return err
}

func readAt(b []byte, n int) ([]pixelAt, []byte, error) {
	if len(b) < 2*n {
		return nil, nil, errEnd
	}
	out := make([]pixelAt, n)
	for i := range out {
		out[i] = pixelAt{int(int8(b[2*i])), int(int8(b[2*i+1]))}
	}
	return out, b[2*n:], nil
}

func (d *decoder) genericRegion(_ *header, info *regionInfo, b []byte) (*bitmap, error) {
	if len(b) < 1 {
		return nil, errEnd
	}
	flags := b[0]
	b = b[1:]
	if flags&1 != 0 {
		r, _, err := d.mmr(b, info.w, info.h)
		return r, err
	}
	if flags&16 != 0 {
		return nil, errors.New("the extended template is not supported")
	}
	g := generic{w: info.w, h: info.h, template: int(flags >> 1 & 3), typical: flags&8 != 0}
	n := 1
	if g.template == 0 {
		n = 4
	}
	var err error
	if g.at, b, err = readAt(b, n); err != nil {
		return nil, err
	}
	return g.decode(d, newArith(b), contextsOf(g.template))
}

func (d *decoder) refinementRegion(h *header, info *regionInfo, b []byte) (*bitmap, error) {
	if len(b) < 1 {
		return nil, errEnd
	}
	g := refinement{w: info.w, h: info.h, template: int(b[0] & 1), typical: b[0]&2 != 0}
	b = b[1:]
	var err error
	if g.template == 0 {
		if g.at, b, err = readAt(b, 2); err != nil {
			return nil, err
		}
	}
	for _, n := range h.refers {
		if s := d.segments[n]; s != nil && s.region != nil {
			g.ref = s.region
		}
	}
	if g.ref == nil { // the page at this place
		g.ref, g.dx, g.dy = d.page, -info.x, -info.y
	}
	return g.decode(d, newArith(b), refineContexts(g.template))
}
