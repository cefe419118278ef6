package pdf

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/inflate"
)

var errFilter = errors.New("filter not for text")

// decode runs the filters of a stream over its (decrypted) bytes. A damaged stream gives what came before the fault,
// which pdfcpu's own filters do not.
func (f *file) decode(sd *cos.Stream) ([]byte, error) {
	data := sd.Raw
	if len(data) == 0 {
		return sd.Content, nil
	}
	var fault error
	for _, flt := range sd.FilterPipeline {
		var err error
		switch flt.Name {
		case "FlateDecode", "Fl":
			data, err = unflate(data)
			if len(data) > 0 {
				data = f.unpredict(data, flt.DecodeParms)
			}
		case "LZWDecode", "LZW":
			data = unLZW(data, f.numOr(flt.DecodeParms["EarlyChange"], 1) != 0)
			data = f.unpredict(data, flt.DecodeParms)
		case "ASCIIHexDecode", "AHx":
			l := lexer{in: append([]byte("<"), data...)}
			data = l.hex()
		case "ASCII85Decode", "A85":
			data = un85(data)
		case "RunLengthDecode", "RL":
			data = unRunLength(data)
		case "Crypt":
		default:
			return nil, fmt.Errorf("%s: %w", flt.Name, errFilter)
		}
		if err != nil {
			fault = fmt.Errorf("%s after %d bytes: %v", flt.Name, len(data), err)
		}
		if len(data) > maxDecoded {
			data = data[:maxDecoded]
		}
	}
	return data, fault
}

// unflate decompresses zlib data and does not mind a wrong header or checksum.
func unflate(data []byte) ([]byte, error) {
	for len(data) > 2 && (data[0] == '\r' || data[0] == '\n') {
		data = data[1:]
	}
	body := data
	if len(data) >= 2 && data[0]&0x0F == 8 && (int(data[0])<<8|int(data[1]))%31 == 0 {
		body = data[2:]
	}
	out, err := inflateRaw(body)
	if len(out) == 0 && err != nil && len(data) > 2 {
		if alt, err2 := inflateRaw(data[2:]); len(alt) > 0 {
			return alt, err2
		}
	}
	return out, err
}

func inflateRaw(data []byte) ([]byte, error) { return inflate.Append(nil, data, maxDecoded) }

// unpredict undoes the PNG and TIFF predictors.
func (f *file) unpredict(data []byte, parms cos.Dict) []byte {
	pred := int(f.numOr(parms["Predictor"], 1))
	if pred < 2 {
		return data
	}
	colors := int(f.numOr(parms["Colors"], 1))
	bits := int(f.numOr(parms["BitsPerComponent"], 8))
	cols := int(f.numOr(parms["Columns"], 1))
	if colors < 1 || colors > 64 || bits < 1 || bits > 32 || cols < 1 || cols > 1<<24 {
		return data
	}
	bpp := max(1, colors*bits/8)
	row := (colors*bits*cols + 7) / 8
	if pred == 2 {
		if bits == 8 {
			for start := 0; start+row <= len(data); start += row {
				for i := bpp; i < row; i++ {
					data[start+i] += data[start+i-bpp]
				}
			}
		}
		return data
	}
	out := make([]byte, 0, len(data))
	prev := make([]byte, row)
	for len(data) > 1 {
		kind := data[0]
		n := min(row, len(data)-1)
		cur := make([]byte, row)
		copy(cur, data[1:1+n])
		data = data[1+n:]
		for i := range cur {
			var a, b, c byte
			if i >= bpp {
				a, c = cur[i-bpp], prev[i-bpp]
			}
			b = prev[i]
			switch kind {
			case 1:
				cur[i] += a
			case 2:
				cur[i] += b
			case 3:
				cur[i] += byte((int(a) + int(b)) / 2)
			case 4:
				cur[i] += paeth(a, b, c)
			}
		}
		out = append(out, cur[:n]...)
		prev = cur
	}
	return out
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

// un85 decodes base 85 up to "~>".
func un85(data []byte) []byte {
	out := make([]byte, 0, len(data)*4/5)
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
		b := []byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}
		out = append(out, b[:n-1]...)
	}
	for i, c := range data {
		switch {
		case c == '~':
			if n > 1 {
				flush(n)
			}
			return out
		case c == 'z' && n == 0:
			out = append(out, 0, 0, 0, 0)
		case c >= '!' && c <= 'u':
			group[n] = c - '!'
			if n++; n == 5 {
				flush(5)
				n = 0
			}
		case c == '<' && i == 0: // "<~" in front
		}
	}
	if n > 1 {
		flush(n)
	}
	return out
}

func unRunLength(data []byte) []byte {
	var out []byte
	for i := 0; i < len(data) && len(out) <= maxDecoded; {
		n := int(data[i])
		i++
		switch {
		case n == 128:
			return out
		case n < 128:
			end := min(i+n+1, len(data))
			out = append(out, data[i:end]...)
			i = end
		default:
			if i < len(data) {
				out = append(out, bytes.Repeat(data[i:i+1], 257-n)...)
				i++
			}
		}
	}
	return out
}

// unLZW decodes PDF's LZW: codes of 9 to 12 bits, most significant bit first, 256 clears, 257 ends.
func unLZW(data []byte, early bool) []byte {
	type entry struct {
		prev int32
		c    byte
		n    int32
	}
	var table [4096]entry
	for i := range 256 {
		table[i] = entry{-1, byte(i), 1}
	}
	var out []byte
	next, width, prev := 258, 9, -1
	var acc uint32
	var have int
	late := 0
	if early {
		late = 1
	}
	for _, b := range data {
		acc = acc<<8 | uint32(b)
		have += 8
		if have < width {
			continue
		}
		code := int(acc>>(have-width)) & (1<<width - 1)
		have -= width
		if code == 256 {
			next, width, prev = 258, 9, -1
			continue
		}
		if code == 257 || len(out) > maxDecoded {
			break
		}
		emit := code
		if code >= next {
			if prev < 0 || code > next {
				break
			}
			emit = prev
		} else if code >= 256 && code < 258 {
			break
		}
		n := int(table[emit].n)
		at := len(out)
		out = append(out, make([]byte, n)...)
		for i, e := at+n-1, emit; i >= at; i-- {
			out[i] = table[e].c
			e = int(table[e].prev)
		}
		if code >= next {
			out = append(out, out[at])
		}
		if prev >= 0 && next < 4096 {
			table[next] = entry{int32(prev), out[at], table[prev].n + 1}
			next++
		}
		if width < 12 && next+late >= 1<<width {
			width++
		}
		prev = code
	}
	return out
}
