package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sync"
)

// ErrLimit says that the output was cut because it came to more than was allowed.
var ErrLimit = errors.New("over the size limit")

// Append decompresses src, raw DEFLATE data without a zlib header, and appends what comes out to dst, at most limit bytes.
// What could be decompressed before a fault is returned with the error: [io.ErrUnexpectedEOF] where src ends too early,
// [ErrLimit] where there was more, else one that says where the data is corrupt. Bytes after the end of the data are
// ignored. It is safe for concurrent use.
func Append(dst, src []byte, limit int) ([]byte, error) {
	d := pool.Get().(*decoder)
	d.src, d.pos, d.acc, d.have = src, 0, 0, 0
	d.out, d.start = dst, len(dst)
	d.end = len(dst) + max(limit, 0)
	err := d.run()
	out := d.out
	d.src, d.out = nil, nil
	pool.Put(d)
	return out, err
}

var pool = sync.Pool{New: func() any { return new(decoder) }}

const (
	litRoot   = 10 // bits that the first step of the tables takes
	distRoot  = 8
	maxBits   = 15
	litSyms   = 288
	distSyms  = 32
	litSpace  = 1<<litRoot + 1024 // first step and what the second may need: at most 1334 and 402 entries for complete codes
	distSpace = 1<<distRoot + 512
)

// An entry of a table: the number of bits of the code in the low byte; above it the number of extra bits, or of bits of the
// second step; flags; from bit 16 on the value: a literal, a length, a distance, or where the second step begins.
const (
	extraShift = 8
	extraMask  = 31
	isLiteral  = 1 << 13
	isLink     = 1 << 14
	isSpecial  = 1 << 15
	valueShift = 16

	endOfBlock = isSpecial
	noCode     = isSpecial | 1<<valueShift
)

type decoder struct {
	src  []byte
	pos  int    // of the next byte to take into acc
	acc  uint64 // bits not yet used, the next lowest
	have uint   // how many of them there are

	out   []byte
	start int // where the output begins in out
	end   int // the most bytes that out may have

	lit  [litSpace]uint32
	dist [distSpace]uint32
	lens [litSyms + distSyms]uint8
}

func (d *decoder) corrupt() error {
	return fmt.Errorf("corrupt data at byte %d", d.pos-int(d.have>>3))
}

func (d *decoder) run() error {
	if cap(d.out)-len(d.out) < 64 {
		d.grow(min(4*len(d.src)+64, d.end-len(d.out)))
	}
	for {
		h, err := d.take(3)
		if err != nil {
			return err
		}
		switch h >> 1 {
		case 0:
			err = d.stored()
		case 1:
			d.fixed()
			err = d.block()
		case 2:
			if err = d.codes(); err == nil {
				err = d.block()
			}
		default:
			err = d.corrupt()
		}
		if err != nil || h&1 != 0 {
			return err
		}
	}
}

// fill takes up to n bits into acc, fewer where src ends.
func (d *decoder) fill(n uint) {
	for d.have < n && d.pos < len(d.src) {
		d.acc |= uint64(d.src[d.pos]) << d.have
		d.pos++
		d.have += 8
	}
}

func (d *decoder) take(n uint) (uint32, error) {
	if d.fill(n); d.have < n {
		return 0, io.ErrUnexpectedEOF
	}
	v := uint32(d.acc) & (1<<n - 1)
	d.acc >>= n
	d.have -= n
	return v, nil
}

// grow makes room for n more bytes of output.
func (d *decoder) grow(n int) {
	b := make([]byte, len(d.out), len(d.out)+n)
	copy(b, d.out)
	d.out = b
}

// stored copies a block that is not compressed.
func (d *decoder) stored() error {
	d.pos -= int(d.have >> 3)
	d.acc, d.have = 0, 0
	if len(d.src)-d.pos < 4 {
		return io.ErrUnexpectedEOF
	}
	n := int(binary.LittleEndian.Uint16(d.src[d.pos:]))
	if n^0xFFFF != int(binary.LittleEndian.Uint16(d.src[d.pos+2:])) {
		return d.corrupt()
	}
	d.pos += 4
	k := min(n, len(d.src)-d.pos, d.end-len(d.out))
	d.out = append(d.out, d.src[d.pos:d.pos+k]...)
	d.pos += k
	switch {
	case k == n:
		return nil
	case len(d.out) == d.end:
		return ErrLimit
	}
	return io.ErrUnexpectedEOF
}

// fixed sets the tables of section 3.2.6.
func (d *decoder) fixed() {
	for i := range litSyms {
		switch {
		case i < 144:
			d.lens[i] = 8
		case i < 256:
			d.lens[i] = 9
		case i < 280:
			d.lens[i] = 7
		default:
			d.lens[i] = 8
		}
	}
	build(d.lit[:], litRoot, d.lens[:litSyms], litEntry)
	for i := range distSyms {
		d.lens[i] = 5
	}
	build(d.dist[:], distRoot, d.lens[:distSyms], distEntry)
}

// codeOrder is the order in which the lengths of the codes for lengths are written (section 3.2.7).
var codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// codes reads the tables of a block with codes of its own (section 3.2.7).
func (d *decoder) codes() error {
	v, err := d.take(14)
	if err != nil {
		return err
	}
	nlit, ndist, n := int(v&31)+257, int(v>>5&31)+1, int(v>>10)+4
	if nlit > 286 || ndist > 30 {
		return d.corrupt()
	}
	var lens [19]uint8
	for _, k := range codeOrder[:n] {
		b, err := d.take(3)
		if err != nil {
			return err
		}
		lens[k] = uint8(b)
	}
	if !build(d.dist[:], 7, lens[:], func(sym int) uint32 { return uint32(sym) << valueShift }) {
		return d.corrupt()
	}
	for i := 0; i < nlit+ndist; {
		d.fill(7 + 7)
		e := d.dist[d.acc&127]
		n := uint(e & 0xFF)
		if e&isSpecial != 0 {
			return d.corrupt()
		}
		if n > d.have {
			return io.ErrUnexpectedEOF
		}
		d.acc >>= n
		d.have -= n
		sym := uint8(e >> valueShift)
		if sym < 16 {
			d.lens[i] = sym
			i++
			continue
		}
		var last uint8
		var repeat, more uint = 3, 2
		switch sym {
		case 16:
			if i == 0 {
				return d.corrupt()
			}
			last = d.lens[i-1]
		case 17:
			more = 3
		default:
			repeat, more = 11, 7
		}
		b, err := d.take(more)
		if err != nil {
			return err
		}
		for repeat += uint(b); repeat > 0; repeat-- {
			if i == nlit+ndist {
				return d.corrupt()
			}
			d.lens[i] = last
			i++
		}
	}
	// The second table is made first: both lie in lens, and the maker of the first may not see the lengths of the other.
	if !build(d.dist[:], distRoot, d.lens[nlit:nlit+ndist], distEntry) || !build(d.lit[:], litRoot, d.lens[:nlit], litEntry) {
		return d.corrupt()
	}
	return nil
}

// litEntry is the table entry of a literal or length (section 3.2.5), without the bits of its code.
func litEntry(sym int) uint32 {
	switch {
	case sym < 256:
		return isLiteral | uint32(sym)<<valueShift
	case sym == 256:
		return endOfBlock
	case sym < 265:
		return uint32(sym-254) << valueShift
	case sym < 285:
		extra := uint32(sym-261) / 4
		return (uint32(sym-261)%4<<extra+1<<(extra+2)+3)<<valueShift | extra<<extraShift
	case sym == 285:
		return 258 << valueShift
	}
	return noCode
}

// distEntry is the table entry of a distance.
func distEntry(sym int) uint32 {
	switch {
	case sym < 4:
		return uint32(sym+1) << valueShift
	case sym < 30:
		extra := uint32(sym)/2 - 1
		return (uint32(sym)%2<<extra+1<<(extra+1)+1)<<valueShift | extra<<extraShift
	}
	return noCode
}

// build makes the table for codes of the given lengths, read root bits first. A code that is not complete is refused, but
// for none at all and for a single one of one bit, which compressors write where there is no distance.
func build(table []uint32, root uint, lens []uint8, entry func(sym int) uint32) bool {
	var count, next [maxBits + 1]uint
	longest := uint(0)
	for _, n := range lens {
		count[n]++
		longest = max(longest, uint(n))
	}
	code := uint(0)
	for n := uint(1); n <= longest; n++ {
		code <<= 1
		next[n] = code
		code += count[n]
	}
	if code != 1<<longest || longest == 0 {
		if longest > 1 || code > 1 {
			return false
		}
		for i := range 1 << root {
			table[i] = noCode
		}
	}
	var deep [1 << litRoot]uint8 // the longest code behind each first step
	if longest > root {
		at := next
		for _, n := range lens {
			if n := uint(n); n > 0 {
				if n > root {
					p := reverse(at[n]>>(n-root), root)
					deep[p] = max(deep[p], uint8(n))
				}
				at[n]++
			}
		}
	}
	free := uint(1) << root
	for sym, n := range lens {
		n := uint(n)
		if n == 0 {
			continue
		}
		code := reverse(next[n], n)
		next[n]++
		e := entry(sym)
		if n <= root {
			for i := code; i < 1<<root; i += 1 << n {
				table[i] = e | uint32(n)
			}
			continue
		}
		first := code & (1<<root - 1)
		if more := uint(deep[first]); more != 0 { // met for the first time
			more -= root
			if free+1<<more > uint(len(table)) {
				return false
			}
			table[first] = isLink | uint32(free)<<valueShift | uint32(more)<<extraShift | uint32(root)
			free += 1 << more
			deep[first] = 0
		}
		link := table[first]
		at, more := uint(link>>valueShift), uint(link>>extraShift&extraMask)
		for i := code >> root; i < 1<<more; i += 1 << (n - root) {
			table[at+i] = e | uint32(n-root)
		}
	}
	return true
}

func reverse(code, n uint) uint { return uint(bits.Reverse16(uint16(code)) >> (16 - n)) }

// block decompresses the data of a block by the tables.
func (d *decoder) block() error {
	const longest = 258
	for {
		if len(d.src)-d.pos >= 16 && d.end-len(d.out) >= longest+2 {
			if cap(d.out)-len(d.out) < longest+2 {
				d.grow(min(max(2*(len(d.out)-d.start), 4096), d.end-len(d.out)))
			}
			if done, err := d.fast(); done || err != nil {
				return err
			}
			if len(d.src)-d.pos >= 16 {
				continue
			}
		}
		if done, err := d.step(); done || err != nil {
			return err
		}
	}
}

// fast decompresses while there are 16 bytes to read and room for the longest match and two literals. It reports the end of
// the block.
func (d *decoder) fast() (done bool, err error) {
	src, pos, acc, have := d.src, d.pos, d.acc, d.have
	n := len(d.out)
	out := d.out[:min(cap(d.out), d.end)]
	room := len(out) - 260
	lit, dist := &d.lit, &d.dist
	for n <= room && pos+16 <= len(src) {
		// 56 bits at least: a length with its distance takes 48 at most, a literal 15.
		acc |= binary.LittleEndian.Uint64(src[pos:]) << have
		pos += int(63-have) >> 3
		have |= 56
		e := lit[acc&(1<<litRoot-1)]
		if e&isLiteral != 0 {
			acc >>= e & 63
			have -= uint(e & 0xFF)
			out[n] = byte(e >> valueShift)
			n++
			e = lit[acc&(1<<litRoot-1)]
			if e&isLiteral != 0 {
				acc >>= e & 63
				have -= uint(e & 0xFF)
				out[n] = byte(e >> valueShift)
				n++
				continue
			}
			acc |= binary.LittleEndian.Uint64(src[pos:]) << have
			pos += int(63-have) >> 3
			have |= 56
		}
		if e&isLink != 0 {
			acc >>= litRoot
			have -= litRoot
			e = lit[(e>>valueShift+uint32(acc)&(1<<(e>>extraShift&extraMask)-1))%litSpace]
			if e&isLiteral != 0 {
				acc >>= e & 63
				have -= uint(e & 0xFF)
				out[n] = byte(e >> valueShift)
				n++
				continue
			}
		}
		if e&isSpecial != 0 {
			acc >>= e & 63
			have -= uint(e & 0xFF)
			if done = e>>valueShift == 0; !done {
				err = d.corrupt()
			}
			break
		}
		acc >>= e & 63
		have -= uint(e & 0xFF)
		extra := e >> extraShift & extraMask
		length := int(e>>valueShift + uint32(acc)&(1<<extra-1))
		acc >>= extra
		have -= uint(extra)
		e = dist[acc&(1<<distRoot-1)]
		if e&isLink != 0 {
			acc >>= distRoot
			have -= distRoot
			e = dist[(e>>valueShift+uint32(acc)&(1<<(e>>extraShift&extraMask)-1))%distSpace]
		}
		if e&isSpecial != 0 {
			err = d.corrupt()
			break
		}
		acc >>= e & 63
		have -= uint(e & 0xFF)
		extra = e >> extraShift & extraMask
		back := int(e>>valueShift + uint32(acc)&(1<<extra-1))
		acc >>= extra
		have -= uint(extra)
		from := n - back
		if from < d.start {
			err = d.corrupt()
			break
		}
		if back >= length {
			copy(out[n:n+length], out[from:from+length])
			n += length
			continue
		}
		for end := n + length; n < end; n++ {
			out[n] = out[n-back]
		}
	}
	d.pos, d.have, d.out = pos, have, out[:n]
	d.acc = acc & (1<<have - 1)
	return done, err
}

// step decompresses one literal or match, with every bound checked.
func (d *decoder) step() (done bool, err error) {
	e, err := d.symbol(d.lit[:], litRoot)
	if err != nil {
		return false, err
	}
	switch {
	case e&isLiteral != 0:
		if len(d.out) >= d.end {
			return false, ErrLimit
		}
		d.out = append(d.out, byte(e>>valueShift))
		return false, nil
	case e == endOfBlock:
		return true, nil
	case e&isSpecial != 0:
		return false, d.corrupt()
	}
	more, err := d.take(uint(e >> extraShift & extraMask))
	if err != nil {
		return false, err
	}
	length := int(e>>valueShift + more)
	if e, err = d.symbol(d.dist[:], distRoot); err != nil {
		return false, err
	}
	if e&isSpecial != 0 {
		return false, d.corrupt()
	}
	if more, err = d.take(uint(e >> extraShift & extraMask)); err != nil {
		return false, err
	}
	back := int(e>>valueShift + more)
	if len(d.out)-back < d.start {
		return false, d.corrupt()
	}
	for ; length > 0; length-- {
		if len(d.out) >= d.end {
			return false, ErrLimit
		}
		d.out = append(d.out, d.out[len(d.out)-back])
	}
	return false, nil
}

// symbol takes the bits of one code and returns its entry without their number.
func (d *decoder) symbol(table []uint32, root uint) (uint32, error) {
	d.fill(maxBits)
	e := table[d.acc&(1<<root-1)]
	n := uint(e & 0xFF)
	if e&isLink != 0 {
		e = table[uint(e>>valueShift)+uint(d.acc>>root)&(1<<(e>>extraShift&extraMask)-1)]
		n = root + uint(e&0xFF)
	}
	if n > d.have {
		return 0, io.ErrUnexpectedEOF
	}
	d.acc >>= n
	d.have -= n
	return e &^ 0xFF, nil
}
