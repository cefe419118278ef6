package jbig2

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A bitReader reads bits from the highest on.
type bitReader struct {
	data []byte
	pos  int // bit
	over bool
}

func (r *bitReader) bit() int {
	i := r.pos >> 3
	if i >= len(r.data) {
		r.over = true
		return 0
	}
	v := r.data[i] >> (7 - r.pos&7) & 1
	r.pos++
	return int(v)
}

func (r *bitReader) bits(n int) int {
	v := 0
	for range n {
		v = v<<1 | r.bit()
	}
	return v
}

// rest aligns to a byte and returns what follows.
func (r *bitReader) rest() []byte {
	r.pos = (r.pos + 7) &^ 7
	return r.data[min(r.pos/8, len(r.data)):]
}

func (r *bitReader) skip(bytes int) {
	if bytes < 0 || bytes > len(r.data)-r.pos/8 {
		r.over = true
		bytes = len(r.data) - r.pos/8
	}
	r.pos += 8 * bytes
}

type lineKind uint8

const (
	inRange lineKind = iota
	below            // from low downwards
	outOfBand
)

// A tableLine is a line of a Huffman table (T.88, annex B): values from low on, so many bits of offset.
type tableLine struct {
	low, prefix, bits int
	kind              lineKind
	code              int
}

// A table is a Huffman table, its lines by the length of their codes.
type table struct {
	lines  []tableLine
	groups []int // first line of each length, and the number of lines
}

// maxPrefix bounds the length of a code.
const maxPrefix = 40

// newTable assigns the codes (T.88, B.3). Lines without a length have no code.
func newTable(lines []tableLine) *table {
	t := &table{lines: slices.DeleteFunc(slices.Clone(lines), func(l tableLine) bool { return l.prefix == 0 })}
	slices.SortStableFunc(t.lines, func(a, b tableLine) int { return a.prefix - b.prefix })
	code, last := 0, 0
	for i := range t.lines {
		l := &t.lines[i]
		if l.prefix != last {
			t.groups = append(t.groups, i)
		}
		code <<= l.prefix - last
		last = l.prefix
		l.code = code
		code++
	}
	t.groups = append(t.groups, len(t.lines))
	return t
}

// read decodes one value. ok is false for the out-of-band value.
func (t *table) read(r *bitReader) (v int, ok bool, err error) {
	code, n := 0, 0
	for k := 0; k+1 < len(t.groups); k++ {
		first := &t.lines[t.groups[k]]
		for n < first.prefix {
			code = code<<1 | r.bit()
			n++
		}
		if r.over {
			return 0, false, errEnd
		}
		i := code - first.code
		if i < 0 || i >= t.groups[k+1]-t.groups[k] {
			continue
		}
		l := &t.lines[t.groups[k]+i]
		switch l.kind {
		case outOfBand:
			return 0, false, nil
		case below:
			v = l.low - r.bits(l.bits)
		default:
			v = l.low + r.bits(l.bits)
		}
		if r.over {
			return 0, false, errEnd
		}
		return v, true, nil
	}
	return 0, false, errors.New("unknown Huffman code")
}

// must is read where there is no out-of-band value.
func (t *table) must(r *bitReader) (int, error) {
	v, ok, err := t.read(r)
	if err == nil && !ok {
		err = errors.New("an out-of-band value out of place")
	}
	return v, err
}

// standard returns the standard tables B.1 to B.15 at 1 to 15.
var standard = sync.OnceValue(func() *[16]*table {
	var out [16]*table
	// Ranges in a row are given as low, prefix, bits; then the prefixes of what is below, above and out of band, 0 for none.
	for i, s := range []struct {
		rows              [][3]int
		lower, upper, oob int
		top               int // first value of the range above
	}{
		{[][3]int{{0, 1, 4}, {16, 2, 8}, {272, 3, 16}}, 0, 3, 0, 65808},
		{[][3]int{{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 4, 3}, {11, 5, 6}}, 0, 6, 6, 75},
		{[][3]int{{-256, 8, 8}, {0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 4, 3}, {11, 5, 6}}, 8, 7, 6, 75},
		{[][3]int{{1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {4, 4, 3}, {12, 5, 6}}, 0, 5, 0, 76},
		{[][3]int{{-255, 7, 8}, {1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {4, 4, 3}, {12, 5, 6}}, 7, 6, 0, 76},
		{[][3]int{{-2048, 5, 10}, {-1024, 4, 9}, {-512, 4, 8}, {-256, 4, 7}, {-128, 5, 6}, {-64, 5, 5}, {-32, 4, 5}, {0, 2, 7}, {128, 3, 7},
			{256, 3, 8}, {512, 4, 9}, {1024, 4, 10}}, 6, 6, 0, 2048},
		{[][3]int{{-1024, 4, 9}, {-512, 3, 8}, {-256, 4, 7}, {-128, 5, 6}, {-64, 5, 5}, {-32, 4, 5}, {0, 4, 5}, {32, 5, 5}, {64, 5, 6},
			{128, 4, 7}, {256, 3, 8}, {512, 3, 9}, {1024, 3, 10}}, 5, 5, 0, 2048},
		{[][3]int{{-15, 8, 3}, {-7, 9, 1}, {-5, 8, 1}, {-3, 9, 0}, {-2, 7, 0}, {-1, 4, 0}, {0, 2, 1}, {2, 5, 0}, {3, 6, 0}, {4, 3, 4},
			{20, 6, 1}, {22, 4, 4}, {38, 4, 5}, {70, 5, 6}, {134, 5, 7}, {262, 6, 7}, {390, 7, 8}, {646, 6, 10}}, 9, 9, 2, 1670},
		{[][3]int{{-31, 8, 4}, {-15, 9, 2}, {-11, 8, 2}, {-7, 9, 1}, {-5, 7, 1}, {-3, 4, 1}, {-1, 3, 1}, {1, 3, 1}, {3, 5, 1}, {5, 6, 1},
			{7, 3, 5}, {39, 6, 2}, {43, 4, 5}, {75, 4, 6}, {139, 5, 7}, {267, 5, 8}, {523, 6, 8}, {779, 7, 9}, {1291, 6, 11}}, 9, 9, 2, 3339},
		{[][3]int{{-21, 7, 4}, {-5, 8, 0}, {-4, 7, 0}, {-3, 5, 0}, {-2, 2, 2}, {2, 5, 0}, {3, 6, 0}, {4, 7, 0}, {5, 8, 0}, {6, 2, 6},
			{70, 5, 5}, {102, 6, 5}, {134, 6, 6}, {198, 6, 7}, {326, 6, 8}, {582, 6, 9}, {1094, 6, 10}, {2118, 7, 11}}, 8, 8, 2, 4166},
		{[][3]int{{1, 1, 0}, {2, 2, 1}, {4, 4, 0}, {5, 4, 1}, {7, 5, 1}, {9, 5, 2}, {13, 6, 2}, {17, 7, 2}, {21, 7, 3}, {29, 7, 4}, {45, 7, 5},
			{77, 7, 6}}, 0, 7, 0, 141},
		{[][3]int{{1, 1, 0}, {2, 2, 0}, {3, 3, 1}, {5, 5, 0}, {6, 5, 1}, {8, 6, 1}, {10, 7, 0}, {11, 7, 1}, {13, 7, 2}, {17, 7, 3}, {25, 7, 4},
			{41, 8, 5}}, 0, 8, 0, 73},
		{[][3]int{{1, 1, 0}, {2, 3, 0}, {3, 4, 0}, {4, 5, 0}, {5, 4, 1}, {7, 3, 3}, {15, 6, 1}, {17, 6, 2}, {21, 6, 3}, {29, 6, 4}, {45, 6, 5},
			{77, 7, 6}}, 0, 7, 0, 141},
		{[][3]int{{-2, 3, 0}, {-1, 3, 0}, {0, 1, 0}, {1, 3, 0}, {2, 3, 0}}, 0, 0, 0, 3},
		{[][3]int{{-24, 7, 4}, {-8, 6, 2}, {-4, 5, 1}, {-2, 4, 0}, {-1, 3, 0}, {0, 1, 0}, {1, 3, 0}, {2, 4, 0}, {3, 5, 1}, {5, 6, 2},
			{9, 7, 4}}, 7, 7, 0, 25},
	} {
		var lines []tableLine
		for _, r := range s.rows {
			lines = append(lines, tableLine{low: r[0], prefix: r[1], bits: r[2]})
		}
		lines = append(lines, tableLine{low: s.rows[0][0] - 1, prefix: s.lower, bits: 32, kind: below},
			tableLine{low: s.top, prefix: s.upper, bits: 32}, tableLine{prefix: s.oob, kind: outOfBand})
		out[i+1] = newTable(lines)
	}
	return &out
})

// readTable reads a code table segment (T.88, B.2).
func readTable(data []byte) (*table, error) {
	if len(data) < 9 {
		return nil, errEnd
	}
	flags := int(data[0])
	low, high := int(int32(be32(data[1:]))), int(int32(be32(data[5:])))
	prefixBits, rangeBits := flags>>1&7+1, flags>>4&7+1
	r := &bitReader{data: data[9:]}
	var lines []tableLine
	cur := low
	for cur < high {
		l := tableLine{low: cur, prefix: r.bits(prefixBits), bits: r.bits(rangeBits)}
		if l.bits > 32 || l.prefix > maxPrefix || r.over || len(lines) > 1<<16 {
			return nil, fmt.Errorf("code table: %w", errEnd)
		}
		lines = append(lines, l)
		cur += 1 << l.bits
	}
	lines = append(lines, tableLine{low: low - 1, prefix: r.bits(prefixBits), bits: 32, kind: below}, tableLine{low: cur, prefix: r.bits(prefixBits), bits: 32})
	if flags&1 != 0 {
		lines = append(lines, tableLine{prefix: r.bits(prefixBits), kind: outOfBand})
	}
	if r.over {
		return nil, fmt.Errorf("code table: %w", errEnd)
	}
	return newTable(lines), nil
}

func be32(b []byte) uint32 {
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}
func be16(b []byte) int { return int(b[0])<<8 | int(b[1]) }
