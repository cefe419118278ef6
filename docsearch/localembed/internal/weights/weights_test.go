package weights

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/errs"
)

const words = "embeddings.word_embeddings.weight"

// file returns a safetensors file with a header and so many bytes of numbers, 0, 1, 2...
func file(header string, n int) []byte {
	out := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	for i := range n {
		out = append(out, byte(i))
	}
	return out
}

func TestSafetensors(t *testing.T) {
	const header = `{"m.` + words + `": {"dtype": "F32", "shape": [2, 1], "data_offsets": [0, 8]}, "m.half": {"dtype": "F16", "shape": [2], "data_offsets": [8, 12]},
		"m.brain": {"dtype": "BF16", "shape": [1], "data_offsets": [12, 14]}, "m.ids": {"dtype": "I64", "shape": [1], "data_offsets": [14, 22]}}`
	data := file(header, 22)
	copy(data[len(data)-22:], slices.Concat(binary.LittleEndian.AppendUint32(nil, math.Float32bits(1.5)), binary.LittleEndian.AppendUint32(nil, math.Float32bits(-3)),
		[]byte{0x00, 0x3c, 0x01, 0x80}, []byte{0x20, 0xc1}))
	f, err := Safetensors(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		shape []int
		want  []float32
	}{{words, []int{2, 1}, []float32{1.5, -3}}, {"half", []int{2}, []float32{1, -1.0 / (1 << 24)}}, {"brain", []int{1}, []float32{-10}}} {
		got, err := f.Read(tt.name, tt.shape...)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("Read(%q): %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
	for _, tt := range []struct {
		name string
		is   error
	}{{"ids", errs.Unsupported}, {"none", errs.Unsupported}, {words, errs.Format}} {
		if _, err := f.Read(tt.name, 1); !errors.Is(err, tt.is) {
			t.Errorf("Read(%q): %v, want %v", tt.name, err, tt.is)
		}
	}
}

// All numbers of 16 bits are those of IEEE 754.
func TestHalf(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		exponent, fraction := float64(h>>10&31), float64(h&1023)
		want := (1 + fraction/1024) * math.Pow(2, exponent-15)
		switch {
		case exponent == 31 && fraction > 0:
			if x := half(h); x == x {
				t.Errorf("half(%#x) = %v", h, x)
			}
			continue
		case exponent == 31:
			want = math.Inf(1)
		case exponent == 0:
			want = fraction / 1024 * math.Pow(2, -14)
		}
		if h>>15 == 1 {
			want = -want
		}
		if got := half(h); got != float32(want) || math.Signbit(float64(got)) != (h>>15 == 1) {
			t.Errorf("half(%#x) = %v, want %v", h, got, want)
		}
	}
}

func TestSafetensorsErrors(t *testing.T) {
	one := func(shape, offsets string) string {
		return fmt.Sprintf(`{%q: {"dtype": "F32", "shape": %s, "data_offsets": %s}}`, words, shape, offsets)
	}
	for _, tt := range []struct {
		name string
		data []byte
		is   error
		want string
	}{
		{"empty", nil, errs.Format, "no header"},
		{"a header as long as can be said", slices.Repeat([]byte{255}, 9), errs.Format, "a header of 18446744073709551615 bytes"},
		{"a header beyond the file", file("{}", 0)[:9], errs.Format, "a header of 2 bytes, in a file of 9"},
		{"no JSON", file("{]", 0), errs.Format, "header: "},
		{"no BERT", file(`{"x": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}`, 4), errs.Unsupported, words},
		{"beyond the file", file(one("[2]", "[0, 8]"), 4), errs.Format, "it lies"},
		{"backwards", file(one("[1]", "[4, 0]"), 4), errs.Format, "it lies"},
		{"before", file(one("[1]", "[-4, 0]"), 4), errs.Format, "it lies"},
		{"another shape", file(one("[3]", "[0, 8]"), 8), errs.Format, "takes 12 bytes, and it has 8"},
		{"below zero", file(one("[-1, -2]", "[0, 8]"), 8), errs.Format, "larger than the file"},
		{"overflow", file(one("[4294967296, 4294967296, 2]", "[0, 8]"), 8), errs.Format, "larger than the file"},
		{"many dimensions", file(one("[1,1,1,1,1,1,1,1,1]", "[0, 4]"), 4), errs.Format, "9 dimensions"},
	} {
		_, err := Safetensors(bytes.NewReader(tt.data), int64(len(tt.data)))
		if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want one that is %q and says %q", tt.name, err, tt.is, tt.want)
		}
	}
}

// pb returns a field of a protocol buffer: a number, or bytes.
func pb(number int, value any) []byte {
	if n, ok := value.(int); ok {
		return binary.AppendUvarint([]byte{byte(number << 3)}, uint64(n))
	}
	s := fmt.Sprintf("%s", value)
	return append(binary.AppendUvarint([]byte{byte(number<<3 | 2)}, uint64(len(s))), s...)
}

func floats(x ...float32) (out []byte) {
	for _, v := range x {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	return out
}

func graphOf(fields ...[]byte) []byte {
	return slices.Concat(pb(1, 8), pb(7, slices.Concat(fields...)))
}

var table = pb(5, slices.Concat(pb(1, 2), pb(1, 2), pb(2, 1), pb(8, "bert."+words), pb(9, floats(1, 2, 3, 4))))

func TestONNX(t *testing.T) {
	data := graphOf(
		table,
		pb(1, slices.Concat(pb(1, "x"), pb(1, "m1"), pb(2, "p1"), pb(4, "MatMul"))), // before the weights are known
		pb(1, slices.Concat(pb(1, "p1"), pb(1, "bert.one.bias"), pb(2, "s1"), pb(4, "Add"))),
		pb(5, slices.Concat(pb(1, "\x02\x03"), pb(2, 1), pb(8, "m1"), pb(4, floats(1, 2, 3, 4, 5, 6)))), // packed dims and float_data
		pb(5, slices.Concat(pb(1, 3), pb(2, 1), pb(8, "bert.one.bias"), pb(9, floats(7, 8, 9)))),
		pb(5, slices.Concat(pb(1, 1), pb(2, 7), pb(8, "ids"), pb(7, "\x01"))), // int64_data, not read
	)
	f, err := ONNX(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		shape []int
		want  []float32
	}{{words, []int{2, 2}, []float32{1, 2, 3, 4}}, {"one.weight", []int{3, 2}, []float32{1, 4, 2, 5, 3, 6}}, {"one.bias", []int{3}, []float32{7, 8, 9}}} {
		got, err := f.Read(tt.name, tt.shape...)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("Read(%q): %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}

func TestONNXErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		data []byte
		is   error
		want string
	}{
		{"empty", nil, errs.Unsupported, words},
		{"quantised", graphOf(pb(5, slices.Concat(pb(2, 3), pb(8, words+"_quantized")))), errs.Unsupported, "no BERT encoder with plain weights"},
		{"another file", graphOf(table, pb(5, slices.Concat(pb(1, 1), pb(2, 1), pb(8, "x"), pb(14, 1)))), errs.Unsupported, "in another file"},
		{"cut", graphOf(table)[:20], errs.Format, "of 16 that are left"},
		{"a wire type", graphOf([]byte{3}), errs.Format, "wire type 3"},
		{"no end", graphOf([]byte{255}), errs.Format, "does not end"},
		{"a long number", graphOf(slices.Repeat([]byte{255}, 11)), errs.Format, "does not end"},
		{"beyond what it is in", graphOf([]byte{9, 1}), errs.Format, "ends after what it is in"},
		{"another length", graphOf(pb(5, slices.Concat(pb(1, 3), pb(2, 1), pb(8, "x"), pb(9, "1234")))), errs.Format, "takes 12 bytes, and it has 4"},
		{"many dimensions", graphOf(pb(5, slices.Repeat(pb(1, 1), 9))), errs.Format, "more than 8 dimensions"},
		{"a long name", graphOf(pb(5, pb(8, strings.Repeat("x", 2000)))), errs.Format, "longer than 1024"},
	} {
		_, err := ONNX(bytes.NewReader(tt.data), int64(len(tt.data)))
		if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want one that is %q and says %q", tt.name, err, tt.is, tt.want)
		}
	}
}

// readAll reads all that a file says it has.
func readAll(t *testing.T, f *File, size int) {
	total := 0
	for name := range f.tensors {
		name = strings.TrimPrefix(name, f.prefix)
		var shape []int
		for _, d := range f.Shape(name) {
			shape = append(shape, int(d))
		}
		x, err := f.Read(name, shape...)
		if err == nil && len(x)*2 > size {
			t.Errorf("tensor %q has %d numbers, in a file of %d bytes", name, len(x), size)
		}
		if total++; total > 10 {
			return
		}
	}
}

func FuzzSafetensors(f *testing.F) {
	f.Add(file(`{"`+words+`": {"dtype": "BF16", "shape": [2, 1], "data_offsets": [0, 4]}, "__metadata__": {}}`, 4))
	f.Fuzz(func(t *testing.T, data []byte) {
		if w, err := Safetensors(bytes.NewReader(data), int64(len(data))); err == nil {
			readAll(t, w, len(data))
		}
	})
}

func FuzzONNX(f *testing.F) {
	f.Add(graphOf(table, pb(1, slices.Concat(pb(1, "x"), pb(1, "m1"), pb(2, "p1"), pb(4, "MatMul"))), pb(1, slices.Concat(pb(1, "p1"), pb(1, "b.bias"), pb(2, "s1"), pb(4, "Add"))),
		pb(5, slices.Concat(pb(1, "\x01\x02"), pb(2, 16), pb(8, "m1"), pb(9, "1234"))), pb(5, slices.Concat(pb(1, 1), pb(2, 1), pb(8, "b.bias"), pb(9, "1234")))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if w, err := ONNX(bytes.NewReader(data), int64(len(data))); err == nil {
			readAll(t, w, len(data))
		}
	})
}
