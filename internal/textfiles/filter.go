package textfiles

import (
	"math/bits"
	"strings"
)

// A filter says which texts cannot be in a file: it has a bit for each group of three bytes (by a hash, ASCII letters in lower case) that is in the file.
type filter struct {
	bits  []uint64
	shift uint // of a hash of 32 bits
}

// The sizes of a filter, in bits. One that has a bit for two bytes of text is a quarter full for most files.
const (
	minFilter = 1 << 9
	maxFilter = 1 << 17
)

func newFilter(text []byte) filter {
	size := min(max(minFilter, 1<<bits.Len(uint(len(text)/2))), maxFilter)
	f := filter{bits: make([]uint64, size/64), shift: uint(32 - bits.Len(uint(size)) + 1)}
	var gram uint32
	for i, c := range text {
		gram = (gram<<8 | uint32(lower(c))) & 0xffffff
		if i >= 2 {
			h := f.hash(gram)
			f.bits[h/64] |= 1 << (h % 64)
		}
	}
	return f
}

func (f *filter) hash(gram uint32) uint32 { return gram * 0x9e3779b1 >> f.shift }

// has reports whether a text of these groups may be in the file.
func (f *filter) has(grams []uint32) bool {
	for _, gram := range grams {
		h := f.hash(gram)
		if f.bits[h/64]&(1<<(h%64)) == 0 {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// grams gives the groups of a text. Where upper and lower case are the same, k and s are left out, which letters beyond ASCII fold to, and so is what is
// beyond ASCII.
func grams(text string, fold bool) (out []uint32) {
	var gram uint32
	run := 0 // bytes that belong together
	for i := range len(text) {
		c := lower(text[i])
		if fold && (c >= 0x80 || strings.IndexByte("ks", c) >= 0) {
			run = 0
			continue
		}
		gram = (gram<<8 | uint32(c)) & 0xffffff
		if run++; run >= 3 {
			out = append(out, gram)
		}
	}
	return out
}
