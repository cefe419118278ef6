package codec

import (
	"encoding/binary"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum is the CRC-32C of b.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// AddChecksum is the checksum of bytes whose first ones have a sum and whose others are b.
func AddChecksum(sum uint32, b []byte) uint32 { return crc32.Update(sum, castagnoli, b) }

// A Writer appends numbers of variable length and byte strings.
type Writer struct{ Buf []byte }

// Uint appends a number.
func (w *Writer) Uint(n uint64) { w.Buf = binary.AppendUvarint(w.Buf, n) }

// Bytes appends a length and as many bytes.
func (w *Writer) Bytes(s []byte) {
	w.Uint(uint64(len(s)))
	w.Buf = append(w.Buf, s...)
}

// Text is Bytes of a string.
func (w *Writer) Text(s string) {
	w.Uint(uint64(len(s)))
	w.Buf = append(w.Buf, s...)
}

// Bool appends 1 or 0.
func (w *Writer) Bool(v bool) {
	if v {
		w.Uint(1)
	} else {
		w.Uint(0)
	}
}

// A Reader takes apart what a writer wrote. What is cut off or too long makes it bad, and all that is read then is zero.
type Reader struct {
	Buf   []byte // what is left
	Whole string // all that is read, for strings that are to be parts of it; "" when each is to be its own
	Bad   bool
}

// Uint reads a number.
func (r *Reader) Uint() uint64 {
	if len(r.Buf) > 0 && r.Buf[0] < 0x80 {
		v := r.Buf[0]
		r.Buf = r.Buf[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.Buf)
	if n <= 0 {
		r.Bad, r.Buf = true, nil
		return 0
	}
	r.Buf = r.Buf[n:]
	return v
}

// Count reads a number of things of at least so many bytes each.
func (r *Reader) Count(least int) int {
	v := r.Uint()
	if v > uint64(len(r.Buf)/least) {
		r.Bad, r.Buf = true, nil
		return 0
	}
	return int(v)
}

// Bytes reads a length and as many bytes, which are a part of Buf.
func (r *Reader) Bytes() []byte {
	n := r.Count(1)
	s := r.Buf[:n:n]
	r.Buf = r.Buf[n:]
	return s
}

// Text reads a string.
func (r *Reader) Text() string {
	if r.Whole != "" && !r.Bad {
		n := len(r.Bytes())
		at := len(r.Whole) - len(r.Buf) - n
		return r.Whole[at : at+n]
	}
	return string(r.Bytes())
}

// Bool reads a number that is not 0 for true.
func (r *Reader) Bool() bool { return r.Uint() != 0 }

// Uint32 gives the i-th number of 32 bits.
func Uint32(raw []byte, i uint32) uint32 { return binary.LittleEndian.Uint32(raw[4*i:]) }
