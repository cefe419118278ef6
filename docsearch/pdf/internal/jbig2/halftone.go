package jbig2

import (
	"errors"
	"fmt"
)

// patternDict reads a pattern dictionary segment (T.88, 7.4.4).
func (d *decoder) patternDict(b []byte) (*segment, error) {
	if len(b) < 7 {
		return nil, errEnd
	}
	flags, w, h, top := b[0], int(b[1]), int(b[2]), be32(b[3:])
	b = b[7:]
	if w == 0 || h == 0 || top >= maxSymbols {
		return nil, fmt.Errorf("%w: %d patterns of %d by %d", errTooLarge, uint64(top)+1, w, h)
	}
	n := int(top) + 1
	var all *bitmap
	var err error
	if flags&1 != 0 {
		all, _, err = d.mmr(b, n*w, h)
	} else {
		g := generic{w: n * w, h: h, template: int(flags >> 1 & 3), at: []pixelAt{{-w, 0}, {-3, -1}, {2, -2}, {-2, -2}}}
		all, err = g.decode(d, newArith(b), contextsOf(g.template))
	}
	if err != nil {
		return nil, err
	}
	s := &segment{}
	for i := range n {
		s.patterns = append(s.patterns, all.cut(i*w, w))
	}
	return s, nil
}

// halftoneRegion reads a halftone region segment (T.88, 6.6 and 7.4.5).
func (d *decoder) halftoneRegion(h *header, info *regionInfo, b []byte) (*bitmap, error) {
	if len(b) < 21 {
		return nil, errEnd
	}
	flags := b[0]
	gw, gh := int(be32(b[1:])), int(be32(b[5:]))
	gx, gy := int(int32(be32(b[9:]))), int(int32(be32(b[13:])))
	rx, ry := be16(b[17:]), be16(b[19:])
	b = b[21:]
	var patterns []*bitmap
	for _, n := range h.refers {
		if s := d.segments[n]; s != nil && s.patterns != nil {
			patterns = s.patterns
		}
	}
	if len(patterns) == 0 {
		return nil, errors.New("no patterns")
	}
	out, err := d.newBitmap(info.w, info.h)
	if err != nil {
		return nil, err
	}
	if flags&0x80 != 0 {
		for i := range out.pix {
			out.pix[i] = 1
		}
	}
	pw, ph := patterns[0].w, patterns[0].h
	place := func(m, n int) (x, y int) { return (gx + m*ry + n*rx) >> 8, (gy + m*rx - n*ry) >> 8 }
	if gw > d.max || gh > d.max || gh > 0 && gw > d.max/gh {
		return nil, fmt.Errorf("%w: a grid of %d by %d", errTooLarge, gw, gh)
	}
	var skip *bitmap
	if flags&8 != 0 {
		if skip, err = d.newBitmap(gw, gh); err != nil {
			return nil, err
		}
		for m := range gh {
			for n := range gw {
				if x, y := place(m, n); x+pw <= 0 || x >= info.w || y+ph <= 0 || y >= info.h {
					skip.pix[m*gw+n] = 1
				}
			}
		}
	}
	// The values of the grid come in bit planes, Gray-coded, the highest first (T.88, annex C).
	g := generic{w: gw, h: gh, template: int(flags >> 1 & 3), skip: skip, at: []pixelAt{{3, -1}, {-3, -1}, {2, -2}, {-2, -2}}}
	if g.template > 1 {
		g.at[0].x = 2
	}
	cx := contextsOf(g.template)
	var a *arith
	if flags&1 == 0 {
		a = newArith(b)
	}
	values := make([]uint32, gw*gh)
	if d.pixels -= 4 * len(values); d.pixels < 0 {
		return nil, fmt.Errorf("%w: a grid of %d by %d", errTooLarge, gw, gh)
	}
	var prev *bitmap
	for range codeBits(len(patterns)) {
		var plane *bitmap
		if a == nil {
			var used int
			plane, used, err = d.mmr(b, gw, gh)
			b = b[used:]
		} else {
			plane, err = g.decode(d, a, cx)
		}
		if err != nil {
			return out, err
		}
		for i := range plane.pix {
			if prev != nil {
				plane.pix[i] ^= prev.pix[i]
			}
			values[i] = values[i]<<1 | uint32(plane.pix[i])
		}
		d.release(prev)
		prev = plane
	}
	for m := range gh {
		if err := d.spend(gw * (1 + pw*ph/4)); err != nil {
			return out, err
		}
		for n := range gw {
			x, y := place(m, n)
			v := min(int(values[m*gw+n]), len(patterns)-1)
			out.draw(patterns[v], x, y, int(flags>>4&7))
		}
	}
	return out, nil
}
