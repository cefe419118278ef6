package cos

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"io"
	"sync"
)

// An inflater is kept between streams: its tables are large.
type inflater struct {
	in *bufio.Reader
	z  io.ReadCloser
}

var inflaters = sync.Pool{New: func() any {
	in := bufio.NewReaderSize(nil, 4096)
	return &inflater{in, flate.NewReader(in)}
}}

// unflate decompresses zlib data and minds neither a wrong header nor a wrong checksum.
func unflate(ctx context.Context, f *File, data []byte) ([]byte, error) {
	for len(data) > 2 && (data[0] == '\r' || data[0] == '\n') {
		data = data[1:]
	}
	if len(data) == 0 {
		return nil, nil
	}
	out, err := inflateAll(ctx, f, data, true)
	if len(out) == 0 && err != nil && ctx.Err() == nil && len(data) > 2 {
		if alt, err2 := inflateAll(ctx, f, data[2:], false); len(alt) > 0 {
			return alt, err2
		}
	}
	return out, err
}

func zlibHeader(b []byte) bool {
	return len(b) >= 2 && b[0]&0x0F == 8 && (int(b[0])<<8|int(b[1]))%31 == 0
}

// inflateAll decompresses data that is in memory.
func inflateAll(ctx context.Context, f *File, data []byte, header bool) ([]byte, error) {
	body := data
	if header && zlibHeader(data) {
		body = data[2:]
	}
	return inflateFrom(ctx, f, bytes.NewReader(body), false, len(body))
}

// inflateFrom decompresses what r gives, size bytes: DEFLATE data, behind a zlib header if there is one and it is looked for.
func inflateFrom(ctx context.Context, f *File, r io.Reader, header bool, size int) ([]byte, error) {
	z := inflaters.Get().(*inflater)
	defer inflaters.Put(z)
	defer z.in.Reset(nil)
	z.in.Reset(r)
	if header {
		if h, err := z.in.Peek(2); err == nil && zlibHeader(h) {
			z.in.Discard(2)
		}
	}
	if err := z.z.(flate.Resetter).Reset(z.in, nil); err != nil {
		return nil, err
	}
	return readAll(ctx, f, z.z, maxDecoded, 4*size)
}

// unpredict undoes the PNG and TIFF predictors (ISO 32000-1, 7.4.4.4).
func (s *Stream) unpredict(ctx context.Context, data []byte, parms Dict, depth int) []byte {
	pred := s.integer(ctx, parms, "Predictor", 1, depth)
	if pred < 2 || len(data) == 0 {
		return data
	}
	return predict(ctx, data, pred, s.integer(ctx, parms, "Colors", 1, depth), s.integer(ctx, parms, "BitsPerComponent", 8, depth),
		s.integer(ctx, parms, "Columns", 1, depth))
}

// predict works in place. It stops where the context is done.
func predict(ctx context.Context, data []byte, pred, colors, bits, cols int) []byte {
	if colors < 1 || colors > 64 || bits < 1 || bits > 32 || cols < 1 || cols > 1<<24 {
		return data
	}
	bpp := max(1, (colors*bits+7)/8)
	row := (colors*bits*cols + 7) / 8
	if pred == 2 {
		for start, due := 0, 0; start < len(data); start += row {
			if start >= due {
				if due = start + 1<<20; ctx.Err() != nil {
					return nil
				}
			}
			tiff(data[start:min(start+row, len(data))], colors, bits)
		}
		return data
	}
	// Each row has a byte in front that says how it was predicted. The result is shorter, so it fits where data is.
	out := data[:0]
	prev := make([]byte, row)
	for due := 0; len(data) > 1; {
		if len(out) >= due {
			if due = len(out) + 1<<20; ctx.Err() != nil {
				return nil
			}
		}
		kind := data[0]
		n := min(row, len(data)-1)
		at := len(out)
		cur := data[1 : 1+n]
		switch kind {
		case 1:
			for i := bpp; i < n; i++ {
				cur[i] += cur[i-bpp]
			}
		case 2:
			for i := range cur {
				cur[i] += prev[i]
			}
		case 3:
			for i := range cur {
				a := 0
				if i >= bpp {
					a = int(cur[i-bpp])
				}
				cur[i] += byte((a + int(prev[i])) / 2)
			}
		case 4:
			for i := range cur {
				var a, c byte
				if i >= bpp {
					a, c = cur[i-bpp], prev[i-bpp]
				}
				cur[i] += paeth(a, prev[i], c)
			}
		}
		out = append(out, cur...)
		data = data[1+n:]
		copy(prev, out[at:])
	}
	return out
}

// tiff undoes TIFF's predictor 2 in one row: each component is a difference to that of the pixel before.
func tiff(row []byte, colors, bits int) {
	switch bits {
	case 8:
		for i := colors; i < len(row); i++ {
			row[i] += row[i-colors]
		}
	case 16:
		for i := 2 * colors; i+1 < len(row); i += 2 {
			v := uint16(row[i])<<8 | uint16(row[i+1])
			v += uint16(row[i-2*colors])<<8 | uint16(row[i-2*colors+1])
			row[i], row[i+1] = byte(v>>8), byte(v)
		}
	case 1, 2, 4:
		mask := byte(1<<bits - 1)
		per := 8 / bits
		last := make([]byte, colors)
		for i := range len(row) * per {
			shift := 8 - bits - i%per*bits
			v := (row[i/per]>>shift + last[i%colors]) & mask
			row[i/per] = row[i/per]&^(mask<<shift) | v<<shift
			last[i%colors] = v
		}
	}
}

func paeth(a, b, c byte) byte {
	p := int(a) + int(b) - int(c)
	pa, pb, pc := abs(p-int(a)), abs(p-int(b)), abs(p-int(c))
	if pa <= pb && pa <= pc {
		return a
	}
	if pb <= pc {
		return b
	}
	return c
}

func abs(v int) int {
	if v < 0 {
		return -v
	}
	return v
}

// unHex decodes hexadecimal digits up to ">".
func unHex(data []byte) []byte {
	p := parser{in: append([]byte("<"), data...), last: true}
	o, _ := p.hex() // cannot fail: the input is all there is
	s, _ := o.(String)
	return []byte(s)
}

// un85 decodes base 85 up to "~>".
func un85(data []byte) []byte {
	out := make([]byte, 0, len(data)*4/5+4)
	var group [5]byte
	n := 0
	flush := func(n int) {
		for i := n; i < 5; i++ {
			group[i] = 84
		}
		var v uint32
		for _, g := range group {
			v = v*85 + uint32(g)
		}
		b := [4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}
		out = append(out, b[:n-1]...)
	}
	data = bytes.TrimLeft(data, "\x00\t\n\f\r ")
	data = bytes.TrimPrefix(data, []byte("<~"))
	for _, c := range data {
		switch {
		case c == '~':
			if n > 1 {
				flush(n)
			}
			return out
		case c == 'z' && n == 0:
			if out = append(out, 0, 0, 0, 0); len(out) > maxDecoded {
				return out[:maxDecoded]
			}
		case c >= '!' && c <= 'u':
			group[n] = c - '!'
			if n++; n == 5 {
				flush(5)
				n = 0
			}
		}
	}
	if n > 1 {
		flush(n)
	}
	return out
}

func unRunLength(ctx context.Context, data []byte) ([]byte, error) {
	var out []byte
	for i, k := 0, 0; i < len(data); k++ {
		if k&0xFFFF == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(out) > maxDecoded {
			return out[:maxDecoded], errSize
		}
		n := int(data[i])
		i++
		switch {
		case n == 128:
			return out, nil
		case n < 128:
			end := min(i+n+1, len(data))
			out = append(out, data[i:end]...)
			i = end
		case i < len(data):
			for range 257 - n {
				out = append(out, data[i])
			}
			i++
		}
	}
	return out, nil
}
