package codegraph

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// A writer appends numbers of variable length and byte strings.
type byteWriter struct{ b []byte }

func (w *byteWriter) num(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

func (w *byteWriter) bytes(s []byte) {
	w.num(uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *byteWriter) str(s string) {
	w.num(uint64(len(s)))
	w.b = append(w.b, s...)
}

func (w *byteWriter) bool(v bool) {
	if v {
		w.num(1)
	} else {
		w.num(0)
	}
}

// A reader takes apart what a writer wrote. What is cut off or too long makes it bad, and all that is read then is zero.
type byteReader struct {
	b     []byte
	whole string // all that is read, for strings that are to be parts of it; "" when each is to be its own
	bad   bool
}

func (r *byteReader) num() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads a number of things of at least so many bytes each.
func (r *byteReader) count(least int) int {
	v := r.num()
	if v > uint64(len(r.b)/least) {
		r.bad, r.b = true, nil
		return 0
	}
	return int(v)
}

func (r *byteReader) bytes() []byte {
	n := r.count(1)
	s := r.b[:n:n]
	r.b = r.b[n:]
	return s
}

func (r *byteReader) str() string {
	if r.whole != "" && !r.bad {
		n := len(r.bytes())
		at := len(r.whole) - len(r.b) - n
		return r.whole[at : at+n]
	}
	return string(r.bytes())
}

func (r *byteReader) bool() bool { return r.num() != 0 }

// word gives the i-th number of 32 bits.
func word(raw []byte, i uint32) uint32 { return binary.LittleEndian.Uint32(raw[4*i:]) }
