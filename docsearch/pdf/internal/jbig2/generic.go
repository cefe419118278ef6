package jbig2

import (
	"fmt"

	"github.com/findspot/findspot/docsearch/pdf/internal/ccitt"
)

// A pixelAt is the place of an adaptive pixel, relative to the one being decoded.
type pixelAt struct{ x, y int }

// A generic is a generic region to decode (T.88, 6.2).
type generic struct {
	w, h     int
	template int
	typical  bool // rows may be like the one above
	skip     *bitmap
	at       []pixelAt // four for template 0, else one
}

// How the pixels near by form the context (T.88, figures 3 to 6): the number of pixels before this one on its row, of the row
// above and how far it reaches to the right, of the second row above and how far; and the context that tells of typical rows.
var templates = [4]struct {
	n0, n1, r1, n2, r2 int
	typical            int
}{
	{4, 5, 2, 3, 1, 0x9B25},
	{3, 5, 2, 4, 2, 0x0795},
	{2, 4, 1, 3, 1, 0x00E5},
	{4, 5, 1, 0, 0, 0x0195},
}

func contextsOf(template int) []prob { return make([]prob, 1<<[4]int{16, 13, 10, 10}[template]) }

// decode runs the generic region decoding procedure.
func (g *generic) decode(d *decoder, a *arith, cx []prob) (*bitmap, error) {
	b, err := d.newBitmap(g.w, g.h)
	if err != nil {
		return nil, err
	}
	t := templates[g.template]
	mask0, mask1, mask2 := 1<<t.n0-1, 1<<t.n1-1, 1<<t.n2-1
	shift1 := t.n0 + 1
	shift2 := shift1 + t.n1
	if g.template == 0 {
		shift2 = 12
	}
	for _, p := range g.at {
		if p.y > 0 || p.y == 0 && p.x >= 0 {
			return nil, fmt.Errorf("an adaptive pixel at %d, %d", p.x, p.y)
		}
	}
	same := false
	for y := range g.h {
		if err := d.spend(g.w); err != nil {
			return b, err
		}
		if g.typical {
			if a.bit(&cx[t.typical]) == 1 {
				same = !same
			}
			if same {
				if y > 0 {
					copy(b.row(y), b.row(y-1))
				}
				continue
			}
		}
		row, up, up2 := b.row(y), b.row(y-1), b.row(y-2)
		l0, l1, l2 := 0, 0, 0
		for x := range t.r1 {
			l1 = l1<<1 | int(pixel(up, x))
		}
		for x := range t.r2 {
			l2 = l2<<1 | int(pixel(up2, x))
		}
		for x := range row {
			l1 = (l1<<1 | int(pixel(up, x+t.r1))) & mask1
			if t.n2 > 0 {
				l2 = (l2<<1 | int(pixel(up2, x+t.r2))) & mask2
			}
			v := 0
			if g.skip == nil || g.skip.at(x, y) == 0 {
				c := l0 | int(b.at(x+g.at[0].x, y+g.at[0].y))<<t.n0 | l1<<shift1 | l2<<shift2
				if g.template == 0 {
					c |= int(b.at(x+g.at[1].x, y+g.at[1].y))<<10 | int(b.at(x+g.at[2].x, y+g.at[2].y))<<11 | int(b.at(x+g.at[3].x, y+g.at[3].y))<<15
				}
				v = a.bit(&cx[c])
				row[x] = byte(v)
			}
			l0 = (l0<<1 | v) & mask0
		}
	}
	return b, nil
}

func pixel(row []byte, x int) byte {
	if x < len(row) {
		return row[x]
	}
	return 0
}

// mmr decodes a picture in Group 4 coding and returns how many bytes it took.
func (d *decoder) mmr(data []byte, w, h int) (*bitmap, int, error) {
	b, err := d.newBitmap(w, h)
	if err != nil {
		return nil, 0, err
	}
	if w == 0 || h == 0 {
		return b, 0, nil
	}
	if err := d.spend(w * h); err != nil {
		return nil, 0, err
	}
	packed, _, used, err := ccitt.Decode(d.ctx, data, ccitt.Params{K: -1, Columns: w, Rows: h})
	if packed != nil {
		unpack(b, packed)
	}
	return b, used, err
}

func unpack(b *bitmap, packed []byte) {
	stride := (b.w + 7) / 8
	for y := range b.h {
		row, src := b.row(y), packed[y*stride:]
		for x := range row {
			row[x] = src[x>>3] >> (7 - x&7) & 1
		}
	}
}

// A refinement is a generic refinement region to decode (T.88, 6.3).
type refinement struct {
	w, h     int
	template int
	typical  bool
	ref      *bitmap
	dx, dy   int
	at       []pixelAt // two for template 0
}

func refineContexts(template int) []prob { return make([]prob, 1<<[2]int{13, 10}[template]) }

func (g *refinement) decode(d *decoder, a *arith, cx []prob) (*bitmap, error) {
	b, err := d.newBitmap(g.w, g.h)
	if err != nil {
		return nil, err
	}
	if g.template == 0 && (g.at[0].y > 0 || g.at[0].y == 0 && g.at[0].x >= 0) {
		return nil, fmt.Errorf("an adaptive pixel at %d, %d", g.at[0].x, g.at[0].y)
	}
	same := false
	for y := range g.h {
		if err := d.spend(2 * g.w); err != nil {
			return b, err
		}
		if g.typical && a.bit(&cx[[2]int{0x100, 0x80}[g.template]]) == 1 {
			same = !same
		}
		ry := y - g.dy
		for x := range g.w {
			rx := x - g.dx
			if same {
				if v, all := g.uniform(rx, ry); all {
					b.pix[y*b.w+x] = v
					continue
				}
			}
			var c int
			if g.template == 0 {
				c = int(b.at(x-1, y)) | int(b.at(x+1, y-1))<<1 | int(b.at(x, y-1))<<2 | int(b.at(x+g.at[0].x, y+g.at[0].y))<<3 |
					int(g.ref.at(rx+1, ry+1))<<4 | int(g.ref.at(rx, ry+1))<<5 | int(g.ref.at(rx-1, ry+1))<<6 |
					int(g.ref.at(rx+1, ry))<<7 | int(g.ref.at(rx, ry))<<8 | int(g.ref.at(rx-1, ry))<<9 |
					int(g.ref.at(rx+1, ry-1))<<10 | int(g.ref.at(rx, ry-1))<<11 | int(g.ref.at(rx+g.at[1].x, ry+g.at[1].y))<<12
			} else {
				c = int(b.at(x-1, y)) | int(b.at(x+1, y-1))<<1 | int(b.at(x, y-1))<<2 | int(b.at(x-1, y-1))<<3 |
					int(g.ref.at(rx+1, ry+1))<<4 | int(g.ref.at(rx, ry+1))<<5 |
					int(g.ref.at(rx+1, ry))<<6 | int(g.ref.at(rx, ry))<<7 | int(g.ref.at(rx-1, ry))<<8 | int(g.ref.at(rx, ry-1))<<9
			}
			b.pix[y*b.w+x] = byte(a.bit(&cx[c]))
		}
	}
	return b, nil
}

// uniform reports whether the nine pixels of the reference around a place are all the same.
func (g *refinement) uniform(x, y int) (byte, bool) {
	v := g.ref.at(x, y)
	for j := -1; j <= 1; j++ {
		for i := -1; i <= 1; i++ {
			if g.ref.at(x+i, y+j) != v {
				return 0, false
			}
		}
	}
	return v, true
}
