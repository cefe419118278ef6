package jbig2

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An arithEncoder is the encoder of T.88, annex E, which the decoder is tested with.
type arithEncoder struct {
	out  []byte
	c, a uint32
	ct   int
}

func newArithEncoder() *arithEncoder { return &arithEncoder{out: []byte{0}, a: 0x8000, ct: 12} }

func (e *arithEncoder) bit(cx *prob, v int) {
	s := &states[*cx>>1]
	mps := int(*cx & 1)
	e.a -= s.qe
	if v == mps {
		if e.a&0x8000 != 0 {
			e.c += s.qe
			return
		}
		if e.a < s.qe {
			e.a = s.qe
		} else {
			e.c += s.qe
		}
		*cx = s.nmps<<1 | uint8(mps)
	} else {
		if e.a < s.qe {
			e.c += s.qe
		} else {
			e.a = s.qe
		}
		*cx = s.nlps<<1 | uint8(mps) ^ s.flip
	}
	for {
		e.a <<= 1
		e.c <<= 1
		if e.ct--; e.ct == 0 {
			e.byteOut()
		}
		if e.a&0x8000 != 0 {
			return
		}
	}
}

func (e *arithEncoder) byteOut() {
	last := len(e.out) - 1
	if e.out[last] != 0xFF && e.c >= 0x8000000 {
		e.out[last]++
		if e.out[last] == 0xFF {
			e.c &= 0x7FFFFFF
		}
	}
	if e.out[last] == 0xFF {
		e.out = append(e.out, byte(e.c>>20))
		e.c &= 0xFFFFF
		e.ct = 7
		return
	}
	e.out = append(e.out, byte(e.c>>19))
	e.c &= 0x7FFFF
	e.ct = 8
}

func (e *arithEncoder) flush() []byte {
	top := e.c + e.a
	e.c |= 0xFFFF
	if e.c >= top {
		e.c -= 0x8000
	}
	e.c <<= e.ct
	e.byteOut()
	e.c <<= e.ct
	e.byteOut()
	return append(e.out[1:], 0xFF, 0xAC)
}

func (e *arithEncoder) integer(cx *intContext, v int, oob bool) {
	prev := 1
	bit := func(b int) {
		e.bit(&cx[prev], b)
		if prev < 256 {
			prev = prev<<1 | b
		} else {
			prev = (prev<<1|b)&511 | 256
		}
	}
	sign, abs := 0, v
	if v < 0 || oob {
		sign, abs = 1, -v
	}
	bit(sign)
	k := 0
	for k < 5 && abs >= intRanges[k+1].from {
		bit(1)
		k++
	}
	if k < 5 {
		bit(0)
	}
	for i := intRanges[k].bits - 1; i >= 0; i-- {
		bit((abs - intRanges[k].from) >> i & 1)
	}
}

func TestInteger(t *testing.T) {
	values := []int{0, 1, -1, 3, 4, -19, 20, 83, 84, 339, 340, -4435, 4436, 100_000, -2_000_000_000}
	e := newArithEncoder()
	var cx intContext
	for _, v := range values {
		e.integer(&cx, v, false)
		e.integer(&cx, 0, true)
	}
	d := newArith(e.flush())
	cx = intContext{}
	for _, want := range values {
		if got, ok := d.integer(&cx); got != want || !ok {
			t.Errorf("integer = %d, %v, want %d", got, ok, want)
		}
		if _, ok := d.integer(&cx); ok {
			t.Error("the out-of-band value was not seen")
		}
	}
}

// draw makes a picture with shapes and noise in it.
func draw(w, h int) *bitmap {
	b := &bitmap{w, h, make([]byte, w*h)}
	seed := uint32(7)
	for y := range h {
		for x := range w {
			seed = seed*1664525 + 1013904223
			in := (x-w/2)*(x-w/2)+(y-h/2)*(y-h/2) < w*h/9
			if in != (seed>>24 < 8) {
				b.pix[y*w+x] = 1
			}
		}
	}
	return b
}

func packed(b *bitmap) []byte {
	stride := (b.w + 7) / 8
	out := make([]byte, stride*b.h)
	for y := range b.h {
		for x, v := range b.row(y) {
			out[y*stride+x/8] |= v << (7 - x&7)
		}
	}
	return out
}

// nominal are the usual places of the adaptive pixels.
var nominal = [4][]pixelAt{{{3, -1}, {-3, -1}, {2, -2}, {-2, -2}}, {{3, -1}}, {{2, -1}}, {{2, -1}}}

// encodeGeneric codes a picture pixel by pixel, with the context taken straight from the figures of T.88.
func encodeGeneric(e *arithEncoder, cx []prob, b *bitmap, template int, at []pixelAt, typical bool) {
	near := [4][]pixelAt{
		{{-1, 0}, {-2, 0}, {-3, 0}, {-4, 0}, at[0], {2, -1}, {1, -1}, {0, -1}, {-1, -1}, {-2, -1}, {}, {}, {1, -2}, {0, -2}, {-1, -2}, {}},
		{{-1, 0}, {-2, 0}, {-3, 0}, at[0], {2, -1}, {1, -1}, {0, -1}, {-1, -1}, {-2, -1}, {2, -2}, {1, -2}, {0, -2}, {-1, -2}},
		{{-1, 0}, {-2, 0}, at[0], {1, -1}, {0, -1}, {-1, -1}, {-2, -1}, {1, -2}, {0, -2}, {-1, -2}},
		{{-1, 0}, {-2, 0}, {-3, 0}, {-4, 0}, at[0], {1, -1}, {0, -1}, {-1, -1}, {-2, -1}, {-3, -1}},
	}[template]
	if template == 0 {
		near[10], near[11], near[15] = at[1], at[2], at[3]
	}
	last := 0
	for y := range b.h {
		if typical {
			same := 0
			if y > 0 && bytes.Equal(b.row(y), b.row(y-1)) || y == 0 && !bytes.Contains(b.row(0), []byte{1}) {
				same = 1
			}
			e.bit(&cx[templates[template].typical], same^last)
			if last = same; same == 1 {
				continue
			}
		}
		for x := range b.w {
			c := 0
			for i, p := range near {
				c |= int(b.at(x+p.x, y+p.y)) << i
			}
			e.bit(&cx[c], int(b.at(x, y)))
		}
	}
}

// A stream writes segments.
type stream struct {
	bytes.Buffer
	n uint32
}

func (s *stream) segment(kind byte, refers []byte, data []byte) {
	binary.Write(s, binary.BigEndian, s.n)
	s.Write([]byte{kind, byte(len(refers)) << 5})
	s.Write(refers)
	s.WriteByte(1)
	binary.Write(s, binary.BigEndian, uint32(len(data)))
	s.Write(data)
	s.n++
}

func (s *stream) page(w, h int) {
	s.segment(48, nil, binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h)))
	b := s.Bytes()
	binary.BigEndian.PutUint32(b[len(b)-12:], 19)
	s.Write(make([]byte, 11))
}

func head(w, h, x, y, op int) []byte {
	var b []byte
	for _, v := range []int{w, h, x, y} {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	return append(b, byte(op))
}

func places(at []pixelAt) (out []byte) {
	for _, p := range at {
		out = append(out, byte(p.x), byte(p.y))
	}
	return out
}

func TestGeneric(t *testing.T) {
	want := draw(90, 70)
	for y := 20; y < 26; y++ { // rows that are alike
		copy(want.row(y), want.row(19))
	}
	for template := range 4 {
		for _, typical := range []bool{false, true} {
			at := nominal[template]
			if typical {
				at = append([]pixelAt{{-6, -3}}, at[1:]...)
			}
			e := newArithEncoder()
			encodeGeneric(e, contextsOf(template), want, template, at, typical)
			flags := byte(template << 1)
			if typical {
				flags |= 8
			}
			var s stream
			s.page(want.w, want.h)
			s.segment(38, nil, append(append(append(head(want.w, want.h, 0, 0, opOr), flags), places(at)...), e.flush()...))
			pix, w, h, err := Decode(context.Background(), s.Bytes(), nil, 1<<20)
			if err != nil || w != want.w || h != want.h || !bytes.Equal(pix, packed(want)) {
				t.Errorf("template %d, typical %v: %d by %d, %v, equal %v", template, typical, w, h, err, bytes.Equal(pix, packed(want)))
			}
		}
	}
}

// symbolStream is a page with a symbol dictionary of two letters and a text region that sets them.
func symbolStream() (data, globals []byte, want *bitmap) {
	letters := []*bitmap{draw(9, 12), draw(14, 12)}
	var dict stream
	e := newArithEncoder()
	var iadh, iadw, iaex intContext
	cx := contextsOf(1)
	e.integer(&iadh, 12, false)
	for i, l := range letters {
		e.integer(&iadw, l.w-[]int{0, 9}[i], false)
		encodeGeneric(e, cx, l, 1, nominal[1], false)
	}
	e.integer(&iadw, 0, true)
	e.integer(&iaex, 0, false)
	e.integer(&iaex, 2, false)
	b := append([]byte{0, 1 << 2 << 0}, places(nominal[1])...)
	b[0], b[1] = 1<<2, 0
	b = binary.BigEndian.AppendUint32(b, 2)
	b = binary.BigEndian.AppendUint32(b, 2)
	dict.segment(0, nil, append(b, e.flush()...))

	want = &bitmap{100, 60, make([]byte, 100*60)}
	type placed struct{ id, s, t int }
	lines := [][]placed{{{0, 5, 10}, {1, 20, 10}, {0, 60, 10}}, {{1, 5, 40}, {1, 30, 40}}}
	e = newArithEncoder()
	var iadt, iafs, iads intContext
	ids := make([]prob, 2)
	e.integer(&iadt, 0, false)
	at, firstS, n := 0, 0, 0
	for _, line := range lines {
		e.integer(&iadt, line[0].t-at, false)
		at = line[0].t
		cur := 0
		for i, p := range line {
			if i == 0 {
				e.integer(&iafs, p.s-firstS, false)
				firstS = p.s
			} else {
				e.integer(&iads, p.s-cur, false)
			}
			e.bit(&ids[1], p.id)
			want.draw(letters[p.id], p.s, p.t, opOr)
			cur = p.s + letters[p.id].w - 1
			n++
		}
		e.integer(&iads, 0, true)
	}
	var s stream
	s.n = 1
	s.page(want.w, want.h)
	b = append(head(want.w, want.h, 0, 0, opOr), 0, topLeft<<4)
	b = binary.BigEndian.AppendUint32(b, uint32(n))
	s.segment(6, []byte{0}, append(b, e.flush()...))
	return s.Bytes(), dict.Bytes(), want
}

func TestSymbols(t *testing.T) {
	data, globals, want := symbolStream()
	pix, w, h, err := Decode(context.Background(), data, globals, 1<<20)
	if err != nil || w != want.w || h != want.h {
		t.Fatalf("Decode: %d by %d, %v", w, h, err)
	}
	if diff := cmp.Diff(packed(want), pix); diff != "" {
		t.Errorf("pixels (-want +got):\n%s", diff)
	}
	if _, _, _, err := Decode(context.Background(), data, nil, 1<<20); err == nil {
		t.Error("a text region without its symbols: no error")
	}
	if _, _, _, err := Decode(context.Background(), data, globals, 1000); !errors.Is(err, errTooLarge) {
		t.Errorf("a page over the limit: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, _, err := Decode(ctx, data, globals, 1<<20); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestStandardTables makes sure that the codes of each table fill the space of codes exactly, and that the ranges do not
// overlap.
func TestStandardTables(t *testing.T) {
	for i, tab := range standard()[1:] {
		sum := 0
		last := map[int]int{}
		for _, l := range tab.lines {
			sum += 1 << (20 - l.prefix)
			if l.kind == inRange && l.bits < 32 {
				for v := l.low; v < l.low+1<<l.bits; v++ {
					last[v]++
				}
			}
		}
		if sum != 1<<20 {
			t.Errorf("table B.%d: the codes fill %d of %d", i+1, sum, 1<<20)
		}
		lo, hi := 1<<30, -1<<30
		for v, n := range last {
			lo, hi = min(lo, v), max(hi, v)
			if n != 1 {
				t.Errorf("table B.%d: %d is in %d ranges", i+1, v, n)
			}
		}
		if hi-lo+1 != len(last) {
			t.Errorf("table B.%d: gaps between %d and %d", i+1, lo, hi)
		}
		for _, l := range tab.lines {
			if l.bits == 32 && l.kind == below && l.low != lo-1 || l.bits == 32 && l.kind == inRange && l.low != hi+1 {
				t.Errorf("table B.%d: the open range begins at %d", i+1, l.low)
			}
		}
	}
}

func TestDamage(t *testing.T) {
	data, globals, _ := symbolStream()
	for i := range data {
		b := bytes.Clone(data)
		b[i] ^= 0x41
		Decode(context.Background(), b, globals, 1<<20) // must return
		Decode(context.Background(), data[:i], globals, 1<<20)
	}
	_, _, _, err := Decode(context.Background(), nil, nil, 1<<20)
	if err == nil || !strings.Contains(err.Error(), "no page") {
		t.Errorf("no data: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	data, globals, _ := symbolStream()
	f.Add(data, globals)
	files, _ := filepath.Glob(filepath.Join("testdata", "*.jb2"))
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, []byte(nil))
	}
	f.Fuzz(func(t *testing.T, data, globals []byte) {
		pix, w, h, _ := Decode(context.Background(), data, globals, 1<<16)
		if pix != nil && len(pix) != (w+7)/8*h {
			t.Errorf("%d bytes for %d by %d", len(pix), w, h)
		}
	})
}
