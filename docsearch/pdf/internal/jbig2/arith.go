package jbig2

// The states of the probability estimator (T.88, table E.1).
var states = [47]struct {
	qe         uint32
	nmps, nlps uint8
	flip       uint8
}{
	{0x5601, 1, 1, 1}, {0x3401, 2, 6, 0}, {0x1801, 3, 9, 0}, {0x0AC1, 4, 12, 0}, {0x0521, 5, 29, 0}, {0x0221, 38, 33, 0},
	{0x5601, 7, 6, 1}, {0x5401, 8, 14, 0}, {0x4801, 9, 14, 0}, {0x3801, 10, 14, 0}, {0x3001, 11, 17, 0}, {0x2401, 12, 18, 0},
	{0x1C01, 13, 20, 0}, {0x1601, 29, 21, 0}, {0x5601, 15, 14, 1}, {0x5401, 16, 14, 0}, {0x5101, 17, 15, 0}, {0x4801, 18, 16, 0},
	{0x3801, 19, 17, 0}, {0x3401, 20, 18, 0}, {0x3001, 21, 19, 0}, {0x2801, 22, 19, 0}, {0x2401, 23, 20, 0}, {0x2201, 24, 21, 0},
	{0x1C01, 25, 22, 0}, {0x1801, 26, 23, 0}, {0x1601, 27, 24, 0}, {0x1401, 28, 25, 0}, {0x1201, 29, 26, 0}, {0x1101, 30, 27, 0},
	{0x0AC1, 31, 28, 0}, {0x09C1, 32, 29, 0}, {0x08A1, 33, 30, 0}, {0x0521, 34, 31, 0}, {0x0441, 35, 32, 0}, {0x02A1, 36, 33, 0},
	{0x0221, 37, 34, 0}, {0x0141, 38, 35, 0}, {0x0111, 39, 36, 0}, {0x0085, 40, 37, 0}, {0x0049, 41, 38, 0}, {0x0025, 42, 39, 0},
	{0x0015, 43, 40, 0}, {0x0009, 44, 41, 0}, {0x0005, 45, 42, 0}, {0x0001, 45, 43, 0}, {0x5601, 46, 46, 0},
}

// An arith is the arithmetic decoder (T.88, annex E).
type arith struct {
	data []byte
	pos  int
	c, a uint32
	ct   int
	over int // bytes asked for behind the end
}

// A prob is an adaptive probability: the state in the upper bits, the more probable symbol in the lowest.
type prob = uint8

func newArith(data []byte) *arith {
	d := &arith{data: data}
	d.c = uint32(d.at(0)) << 16
	d.byteIn()
	d.c <<= 7
	d.ct -= 7
	d.a = 0x8000
	return d
}

func (d *arith) at(i int) byte {
	if i < len(d.data) {
		return d.data[i]
	}
	return 0xFF
}

func (d *arith) byteIn() {
	if d.at(d.pos) == 0xFF {
		if next := d.at(d.pos + 1); next > 0x8F { // a marker, or the end: ones for ever
			d.over++
			d.c += 0xFF00
			d.ct = 8
		} else {
			d.pos++
			d.c += uint32(next) << 9
			d.ct = 7
		}
		return
	}
	d.pos++
	d.c += uint32(d.at(d.pos)) << 8
	d.ct = 8
}

// bit decodes one decision.
func (d *arith) bit(cx *prob) int {
	s := &states[*cx>>1]
	mps := int(*cx & 1)
	qe := s.qe
	d.a -= qe
	var out int
	if d.c>>16 < qe {
		if d.a < qe {
			out = mps
			*cx = s.nmps<<1 | uint8(mps)
		} else {
			out = 1 - mps
			*cx = s.nlps<<1 | uint8(mps) ^ s.flip
		}
		d.a = qe
	} else {
		d.c -= qe << 16
		if d.a&0x8000 != 0 {
			return mps
		}
		if d.a < qe {
			out = 1 - mps
			*cx = s.nlps<<1 | uint8(mps) ^ s.flip
		} else {
			out = mps
			*cx = s.nmps<<1 | uint8(mps)
		}
	}
	for {
		if d.ct == 0 {
			d.byteIn()
		}
		d.a <<= 1
		d.c <<= 1
		d.ct--
		if d.a&0x8000 != 0 {
			return out
		}
	}
}

// An intContext holds the contexts of one integer decoding procedure (T.88, annex A).
type intContext [512]prob

// The ranges of integers: how many bits, and from where.
var intRanges = [6]struct{ bits, from int }{{2, 0}, {4, 4}, {6, 20}, {8, 84}, {12, 340}, {32, 4436}}

// integer decodes one integer. ok is false for the out-of-band value.
func (d *arith) integer(cx *intContext) (v int, ok bool) {
	prev := 1
	bit := func() int {
		b := d.bit(&cx[prev])
		if prev < 256 {
			prev = prev<<1 | b
		} else {
			prev = (prev<<1|b)&511 | 256
		}
		return b
	}
	sign := bit()
	k := 0
	for k < 5 && bit() == 1 {
		k++
	}
	for range intRanges[k].bits {
		v = v<<1 | bit()
	}
	v += intRanges[k].from
	if sign == 0 {
		return v, true
	}
	return -v, v > 0
}

// id decodes the number of a symbol in so many bits; cx has 1<<bits contexts.
func (d *arith) id(cx []prob, bits int) int {
	prev := 1
	for range bits {
		prev = prev<<1 | d.bit(&cx[prev])
	}
	return prev - 1<<bits
}
