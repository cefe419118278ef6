package ccitt

import (
	"context"
	"errors"
	"fmt"
)

// Params say how a picture is coded; the fields are those of PDF (ISO 32000-1, table 11) of the same names.
type Params struct {
	K          int  // below 0: Group 4; 0: Group 3, one-dimensional; above 0: Group 3, mixed
	Columns    int  // pixels of a row, at least 1
	Rows       int  // rows to decode; the picture has as many, white where there is no data
	ByteAlign  bool // each row begins at a byte
	EndOfBlock bool // an end-of-block code ends the data
}

var (
	errCode = errors.New("unknown code")
	errEnd  = errors.New("the data ends early")
)

// maxColumns bounds a row.
const maxColumns = 1 << 20

// Decode returns the rows of a picture, packed from the highest bit, each row from a byte of its own, 1 for black. It also
// returns how many rows there were in the data, and the bytes of data used. With an error, the rows before the damage are
// there.
func Decode(ctx context.Context, data []byte, p Params) (pix []byte, rows, used int, err error) {
	if p.Columns < 1 || p.Columns > maxColumns || p.Rows < 0 || p.Rows > maxColumns {
		return nil, 0, 0, fmt.Errorf("a picture of %d by %d", p.Columns, p.Rows)
	}
	d := &decoder{data: data, p: p, tables: tables()}
	stride := (p.Columns + 7) / 8
	pix = make([]byte, stride*p.Rows)
	d.ref = append(d.ref, p.Columns, p.Columns)
	for rows < p.Rows {
		if rows%256 == 0 && ctx.Err() != nil {
			return nil, 0, 0, ctx.Err()
		}
		more, twoD, e := d.startRow()
		if !more {
			break
		}
		if e == nil {
			d.cur = d.cur[:0]
			if twoD {
				e = d.row2()
			} else {
				e = d.row1()
			}
		}
		if e != nil {
			if err == nil {
				err = fmt.Errorf("row %d, byte %d: %w", rows, d.pos/8, e)
			}
			if p.K < 0 || !d.resync() {
				break
			}
			d.cur = append(d.cur[:0], d.ref...) // a damaged row is shown like the one above
		}
		d.cur = append(d.cur, p.Columns, p.Columns, p.Columns)
		d.paint(pix[rows*stride : (rows+1)*stride])
		d.ref, d.cur = d.cur, d.ref
		rows++
	}
	if p.K < 0 && err == nil && d.peek(24) == 0x001001 {
		d.pos += 24
	}
	return pix, rows, min((d.pos+7)/8, len(data)), err
}

type decoder struct {
	data     []byte
	pos      int // bit
	p        Params
	tables   *[2][1 << codeBits]entry
	marked   bool  // rows begin with an end of line
	ref, cur []int // columns where the colour changes, white first
}

// peek returns the next n bits, at most 24; behind the end there are zeros.
func (d *decoder) peek(n int) int {
	at := d.pos >> 3
	var v uint32
	for i := range 4 {
		v <<= 8
		if at+i < len(d.data) {
			v |= uint32(d.data[at+i])
		}
	}
	v <<= d.pos & 7
	return int(v >> (32 - n))
}

func (d *decoder) atEnd() bool { return d.pos >= 8*len(d.data) }

// startRow skips what stands between rows. More is false at the end of the picture.
func (d *decoder) startRow() (more, twoD bool, err error) {
	if d.p.ByteAlign {
		d.pos = (d.pos + 7) &^ 7
	}
	if d.atEnd() {
		return false, false, nil
	}
	if d.p.K < 0 {
		if d.peek(24) == 0x001001 || d.p.EndOfBlock && d.peek(12) == 1 && d.pos+24 > 8*len(d.data) {
			return false, false, nil
		}
		return true, true, nil
	}
	ends := 0
	if d.marked && d.peek(11) != 0 { // damage ended the last row before its end
		d.resync()
	}
	for d.eol() {
		ends++
		if d.p.K > 0 {
			twoD = d.peek(1) == 0
			d.pos++
		}
		if ends > 1 { // no row between two ends of line: the return to control
			return false, false, nil
		}
	}
	d.marked = d.marked || ends > 0
	if d.atEnd() {
		return false, false, nil
	}
	return true, twoD && d.p.K > 0, nil
}

// eol skips an end-of-line code with the fill bits before it, if there is one.
func (d *decoder) eol() bool {
	if d.peek(11) != 0 {
		return false
	}
	at := d.pos
	for !d.atEnd() && d.peek(1) == 0 {
		if d.peek(24) == 0 {
			d.pos += 24
			continue
		}
		d.pos++
	}
	if d.atEnd() {
		d.pos = max(at, 8*len(d.data))
		return false
	}
	d.pos++
	return true
}

// resync goes to the next end of line after damage.
func (d *decoder) resync() bool {
	for !d.atEnd() {
		if d.peek(12) == 1 {
			return true
		}
		d.pos++
	}
	return false
}

// run reads the length of a run.
func (d *decoder) run(black int) (int, error) {
	n := 0
	for n <= d.p.Columns {
		e := d.tables[black][d.peek(codeBits)]
		if e.bits == 0 {
			if d.atEnd() {
				return n, errEnd
			}
			return n, errCode
		}
		d.pos += int(e.bits)
		n += int(e.run)
		if e.run < 64 {
			return n, nil
		}
	}
	return n, nil
}

// row1 reads a one-dimensional row (T.4, 4.1).
func (d *decoder) row1() error {
	at := 0
	for black := 0; at < d.p.Columns; black ^= 1 {
		n, err := d.run(black)
		if err != nil {
			return err
		}
		at = min(at+n, d.p.Columns)
		d.cur = append(d.cur, at)
	}
	return nil
}

// row2 reads a two-dimensional row (T.4, 4.2 and T.6, 2.2).
func (d *decoder) row2() error {
	at, black, k := -1, 0, 0 // k: index into ref, which only grows but for one step back
	for at < d.p.Columns {
		// b1 is the first change right of at that is to the other colour, b2 the one after it.
		for k > 0 && d.ref[k-1] > at {
			k--
		}
		for k < len(d.ref)-1 && (d.ref[k] <= at || k&1 != black) && d.ref[k] < d.p.Columns {
			k++
		}
		b1 := d.ref[k]
		b2 := d.ref[min(k+1, len(d.ref)-1)]
		step := 0
		switch v := d.peek(7); {
		case v>>6 == 1:
			d.pos++
		case v>>4 == 3:
			step, d.pos = 1, d.pos+3
		case v>>4 == 2:
			step, d.pos = -1, d.pos+3
		case v>>4 == 1: // horizontal
			d.pos += 3
			n, err := d.run(black)
			if err != nil {
				return err
			}
			m, err := d.run(black ^ 1)
			if err != nil {
				return err
			}
			a1 := min(max(at, 0)+n, d.p.Columns)
			at = min(a1+m, d.p.Columns)
			d.cur = append(d.cur, a1, at)
			continue
		case v>>3 == 1: // pass
			d.pos += 4
			at = b2
			continue
		case v>>1 == 3:
			step, d.pos = 2, d.pos+6
		case v>>1 == 2:
			step, d.pos = -2, d.pos+6
		case v == 3:
			step, d.pos = 3, d.pos+7
		case v == 2:
			step, d.pos = -3, d.pos+7
		default:
			if d.atEnd() {
				return errEnd
			}
			return errCode
		}
		a1 := b1 + step
		if a1 < max(at, 0) || a1 > d.p.Columns {
			return errCode
		}
		if a1 == at && len(d.cur) > d.p.Columns { // no progress, again and again
			return errCode
		}
		d.cur = append(d.cur, a1)
		at = a1
		black ^= 1
	}
	return nil
}

// paint sets the black runs of the current row.
func (d *decoder) paint(row []byte) {
	for i := 0; i+1 < len(d.cur); i += 2 {
		fill(row, d.cur[i], min(d.cur[i+1], d.p.Columns))
	}
}

// fill sets the bits [x0, x1).
func fill(row []byte, x0, x1 int) {
	for x0 < x1 && x0&7 != 0 {
		row[x0>>3] |= 0x80 >> (x0 & 7)
		x0++
	}
	for ; x0+8 <= x1; x0 += 8 {
		row[x0>>3] = 0xFF
	}
	for ; x0 < x1; x0++ {
		row[x0>>3] |= 0x80 >> (x0 & 7)
	}
}
