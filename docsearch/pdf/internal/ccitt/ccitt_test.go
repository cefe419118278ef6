package ccitt

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// An encoder writes what the decoder reads; it is written from the same recommendations, apart from the decoder.
type encoder struct{ bits strings.Builder }

func (e *encoder) bytes() []byte {
	s := e.bits.String()
	out := make([]byte, (len(s)+7)/8)
	for i, c := range s {
		if c == '1' {
			out[i/8] |= 0x80 >> (i % 8)
		}
	}
	return out
}

func (e *encoder) run(black, n int) {
	codes := strings.Fields([]string{whiteCodes, blackCodes}[black])
	long := strings.Fields(longCodes)
	for n >= 2560+64 {
		e.bits.WriteString(long[12])
		n -= 2560
	}
	if n >= 1792 {
		e.bits.WriteString(long[(n-1792)/64])
		n %= 64
	} else if n >= 64 {
		e.bits.WriteString(codes[63+n/64])
		n %= 64
	}
	e.bits.WriteString(codes[n])
}

func changes(row []bool) (out []int) {
	last := false
	for i, v := range row {
		if v != last {
			out = append(out, i)
			last = v
		}
	}
	return out
}

func (e *encoder) row1(row []bool) {
	c := append(changes(row), len(row))
	at := 0
	for i, x := range c {
		e.run(i&1, x-at)
		at = x
	}
}

func (e *encoder) row2(ref, row []bool) {
	pixel := func(r []bool, i int) bool { return i >= 0 && i < len(r) && r[i] }
	next := func(r []bool, from int, color bool) int { // first change to other than color after from
		for i := max(from, 0); i < len(r); i++ {
			if i > from && r[i] != color && pixel(r, i-1) == color {
				return i
			}
		}
		return len(r)
	}
	a0, color := -1, false
	for a0 < len(row) {
		a1 := max(a0, 0)
		for a1 < len(row) && row[a1] == color {
			a1++
		}
		b1 := next(ref, a0, color)
		b2 := next(ref, b1, !color)
		switch d := a1 - b1; {
		case b2 < a1:
			e.bits.WriteString("0001")
			a0 = b2
		case d >= -3 && d <= 3:
			e.bits.WriteString([]string{"0000010", "000010", "010", "1", "011", "000011", "0000011"}[d+3])
			a0, color = a1, !color
		default:
			a2 := a1
			for a2 < len(row) && row[a2] != color {
				a2++
			}
			e.bits.WriteString("001")
			b := 0
			if color {
				b = 1
			}
			e.run(b, a1-max(a0, 0))
			e.run(b^1, a2-a1)
			a0 = a2
		}
	}
}

const eol = "000000000001"

func encode(rows [][]bool, k int, ends bool) []byte {
	var e encoder
	ref := make([]bool, len(rows[0]))
	for i, r := range rows {
		switch {
		case k < 0:
			e.row2(ref, r)
		case k == 0:
			if ends {
				e.bits.WriteString(eol)
			}
			e.row1(r)
		case i%2 == 0:
			e.bits.WriteString(eol + "1")
			e.row1(r)
		default:
			e.bits.WriteString(eol + "0")
			e.row2(ref, r)
		}
		ref = r
	}
	switch {
	case k < 0:
		e.bits.WriteString(eol + eol)
	case k > 0:
		e.bits.WriteString(strings.Repeat(eol+"1", 6))
	case ends:
		e.bits.WriteString(strings.Repeat(eol, 6))
	}
	return e.bytes()
}

func pack(rows [][]bool) []byte {
	var out []byte
	for _, r := range rows {
		p := make([]byte, (len(r)+7)/8)
		for i, v := range r {
			if v {
				p[i/8] |= 0x80 >> (i % 8)
			}
		}
		out = append(out, p...)
	}
	return out
}

func pictures() map[string][][]bool {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(w, h int, stay float64) [][]bool {
		out := make([][]bool, h)
		for y := range out {
			out[y] = make([]bool, w)
			v := false
			for x := range out[y] {
				if r.Float64() > stay {
					v = !v
				}
				out[y][x] = v
				if y > 0 && r.Float64() < .5 {
					out[y][x] = out[y-1][x]
				}
			}
		}
		return out
	}
	solid := random(6000, 2, 1)
	for x := range solid[0] {
		solid[0][x] = true
	}
	return map[string][][]bool{
		"one pixel": {{true}}, "white": random(30, 4, 1), "noise": random(61, 40, .5), "runs": random(700, 60, .98),
		"long runs": random(9000, 8, .9995), "black then white": solid,
	}
}

func TestDecode(t *testing.T) {
	for name, rows := range pictures() {
		for _, k := range []int{-1, 0, 4} {
			for _, ends := range []bool{false, true} {
				data := encode(rows, k, ends)
				got, n, used, err := Decode(context.Background(), data, Params{K: k, Columns: len(rows[0]), Rows: len(rows), EndOfBlock: true})
				if err != nil || n != len(rows) || !bytes.Equal(got, pack(rows)) {
					t.Errorf("%s, K %d: %d of %d rows, %v, equal %v", name, k, n, len(rows), err, bytes.Equal(got, pack(rows)))
				}
				if k < 0 && used != len(data) {
					t.Errorf("%s: %d bytes used of %d", name, used, len(data))
				}
			}
		}
	}
}

func TestDamage(t *testing.T) {
	rows := pictures()["runs"]
	want := pack(rows)
	stride := len(want) / len(rows)
	data := encode(rows, 0, true)
	broken := bytes.Clone(data)
	broken[len(data)/2] ^= 0x18
	got, n, _, err := Decode(context.Background(), broken, Params{Columns: len(rows[0]), Rows: len(rows), EndOfBlock: true})
	if n < len(rows)-2 {
		t.Errorf("%d of %d rows after damage (%v)", n, len(rows), err)
	}
	same := 0
	for y := range rows {
		if bytes.Equal(got[y*stride:(y+1)*stride], want[y*stride:(y+1)*stride]) {
			same++
		}
	}
	if same < len(rows)/2 {
		t.Errorf("%d of %d rows are as they were", same, len(rows))
	}
	g4 := encode(rows, -1, true)
	got, n, _, err = Decode(context.Background(), g4[:len(g4)/2], Params{K: -1, Columns: len(rows[0]), Rows: len(rows)})
	if n < 5 || n >= len(rows) || !bytes.Equal(got[:(n-1)*stride], want[:(n-1)*stride]) {
		t.Errorf("cut data: %d rows, %v", n, err)
	}
	if _, _, _, err := Decode(context.Background(), g4, Params{K: -1, Columns: 0, Rows: 3}); err == nil {
		t.Error("no columns: no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, _, err := Decode(ctx, g4, Params{K: -1, Columns: 10, Rows: 10}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// TestCodes makes sure that no code begins another, and that all are different.
func TestCodes(t *testing.T) {
	for _, list := range []string{whiteCodes, blackCodes} {
		codes := strings.Fields(list + " " + longCodes)
		if len(codes) != 64+27+13 {
			t.Fatalf("%d codes", len(codes))
		}
		for i, a := range codes {
			for k, b := range codes {
				if i != k && strings.HasPrefix(b, a) {
					t.Errorf("%s begins %s", a, b)
				}
			}
			if strings.HasPrefix(eol, a) {
				t.Errorf("%s begins the end of line", a)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, rows := range pictures() {
		if len(rows[0]) < 1000 {
			f.Add(encode(rows, -1, true), -1, len(rows[0]), true)
			f.Add(encode(rows, 2, true), 2, len(rows[0]), false)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, k, columns int, align bool) {
		columns %= 5000
		pix, rows, used, _ := Decode(context.Background(), data, Params{K: k, Columns: columns, Rows: 64, ByteAlign: align})
		if rows > 64 || used > len(data) || pix != nil && len(pix) != (columns+7)/8*64 {
			t.Error(fmt.Sprint(rows, used, len(pix)))
		}
	})
}
