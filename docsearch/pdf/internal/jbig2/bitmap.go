package jbig2

// A bitmap has a byte for each pixel, 1 for black.
type bitmap struct {
	w, h int
	pix  []byte
}

func (b *bitmap) at(x, y int) byte {
	if uint(x) >= uint(b.w) || uint(y) >= uint(b.h) {
		return 0
	}
	return b.pix[y*b.w+x]
}

func (b *bitmap) row(y int) []byte {
	if uint(y) >= uint(b.h) {
		return nil
	}
	return b.pix[y*b.w : (y+1)*b.w]
}

// The combination operators (T.88, 7.4.1.5).
const (
	opOr = iota
	opAnd
	opXor
	opXnor
	opReplace
)

// draw combines s into b with its corner at x, y.
func (b *bitmap) draw(s *bitmap, x, y, op int) {
	x0, x1 := max(0, -x), min(s.w, b.w-x)
	if x0 >= x1 {
		return
	}
	for sy := max(0, -y); sy < s.h && y+sy < b.h; sy++ {
		src := s.pix[sy*s.w+x0 : sy*s.w+x1]
		dst := b.pix[(y+sy)*b.w+x+x0:]
		dst = dst[:len(src)]
		switch op {
		case opOr:
			for i, v := range src {
				dst[i] |= v
			}
		case opAnd:
			for i, v := range src {
				dst[i] &= v
			}
		case opXor:
			for i, v := range src {
				dst[i] ^= v
			}
		case opXnor:
			for i, v := range src {
				dst[i] = dst[i] ^ v ^ 1
			}
		default:
			copy(dst, src)
		}
	}
}

// cut returns the columns [x, x+w) as a bitmap of its own.
func (b *bitmap) cut(x, w int) *bitmap {
	out := &bitmap{w, b.h, make([]byte, w*b.h)}
	for y := range b.h {
		copy(out.row(y), b.row(y)[x:x+w])
	}
	return out
}
