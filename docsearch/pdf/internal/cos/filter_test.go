package cos

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/ascii85"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/errs"
)

// newStream is a stream that lies alone in a file.
func newStream(d Dict, data []byte) *Stream {
	f := &File{r: bytes.NewReader(data), size: int64(len(data)), big: make(chan struct{}, bigAtOnce)}
	d["Length"] = Integer(len(data))
	return &Stream{Dict: d, f: f, ref: Ref{Num: 7}}
}

func TestDecode(t *testing.T) {
	text := []byte(strings.Repeat("some text, some more text; ", 40))
	z := deflate(text)
	badSum := bytes.Clone(z)
	badSum[len(badSum)-1] ^= 0xFF
	badHeader := bytes.Clone(z)
	badHeader[0], badHeader[1] = 'x', 'y'
	a85 := func(b []byte) []byte {
		out := make([]byte, ascii85.MaxEncodedLen(len(b)))
		return append(out[:ascii85.Encode(out, b)], "~>"...)
	}
	tests := []struct {
		name   string
		filter Object
		parms  Object
		data   []byte
		want   []byte
		fault  string
	}{
		{"none", nil, nil, text, text, ""},
		{"Flate", Name("FlateDecode"), nil, z, text, ""},
		{"abbreviated", Array{Name("Fl")}, nil, z, text, ""},
		{"wrong checksum", Name("FlateDecode"), nil, badSum, text, ""},
		{"no checksum", Name("FlateDecode"), nil, z[:len(z)-4], text, ""},
		{"wrong header", Name("FlateDecode"), nil, badHeader, text, ""},
		{"no header", Name("FlateDecode"), nil, z[2:], text, ""},
		{"line ends before", Name("FlateDecode"), nil, append([]byte("\r\n"), z...), text, ""},
		{"junk behind", Name("FlateDecode"), nil, append(bytes.Clone(z), "junk"...), text, ""},
		{"empty", Name("FlateDecode"), nil, nil, nil, ""},
		{"no Flate data", Name("FlateDecode"), nil, []byte("this is no such data"), nil, "FlateDecode after 0 bytes"},
		{"ASCIIHex", Name("ASCIIHexDecode"), nil, []byte(hex.EncodeToString(text) + ">junk"), text, ""},
		{"ASCIIHex in lines", Name("AHx"), nil, []byte("48 65\n6C6c 6F\n7>"), []byte("Hellop"), ""},
		{"ASCII85", Name("ASCII85Decode"), nil, a85(text), text, ""},
		{"ASCII85 with its mark", Name("A85"), nil, append([]byte(" <~"), a85([]byte{0, 0, 0, 0, 1})...), []byte{0, 0, 0, 0, 1}, ""},
		{"RunLength", Name("RunLengthDecode"), nil, []byte("\x02abc\xFEx\x80junk"), []byte("abcxxx"), ""},
		{"RunLength cut", Name("RL"), nil, []byte("\x09abc"), []byte("abc"), ""},
		{"LZW", Name("LZWDecode"), nil, []byte{0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01}, []byte("-----A---B"), ""}, // ISO 32000-1, 7.4.4.2
		{"LZW damaged", Name("LZW"), nil, []byte{0x80, 0x0B, 0x60, 0x5F, 0xFF}, []byte("---"), "not defined"},
		{"LZW long", Name("LZWDecode"), nil, lzw(text, 1), text, ""},
		{"LZW, codes that grow late", Name("LZWDecode"), Dict{"EarlyChange": Integer(0)}, lzw(text, 0), text, ""},
		{"chain", Array{Name("ASCII85Decode"), Name("FlateDecode")}, nil, a85(z), text, ""},
		{"chain with parameters", Array{Name("AHx"), Name("Fl")}, Array{nil, Dict{"Predictor": Integer(12), "Columns": Integer(2)}},
			[]byte(hex.EncodeToString(deflate([]byte("\x02ab\x02\x01\x01")))), []byte("abbc"), ""},
		{"damage", Name("FlateDecode"), nil, z[:len(z)/2], nil, "unexpected EOF"},
		{"too many filters", Array{Name("AHx"), Name("AHx"), Name("AHx"), Name("AHx"), Name("AHx"), Name("AHx"), Name("AHx"), Name("AHx"), Name("AHx")}, nil, nil, nil, "filters"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Dict{}
			if tt.filter != nil {
				d["Filter"] = tt.filter
			}
			if tt.parms != nil {
				d["DecodeParms"] = tt.parms
			}
			got, _, err := newStream(d, tt.data).Decode(context.Background(), nil)
			if tt.fault == "" && err != nil || tt.fault != "" && (err == nil || !strings.Contains(err.Error(), tt.fault) || !strings.Contains(err.Error(), "object 7")) {
				t.Errorf("error %v, want one with %q", err, tt.fault)
			}
			if tt.name == "damage" {
				if len(got) == 0 || !bytes.HasPrefix(text, got) {
					t.Errorf("%q is not the beginning of what was encoded", got)
				}
				return
			}
			if !bytes.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Data is decoded up to the filter of an image, which is named with its parameters.
func TestDecodeImage(t *testing.T) {
	jpeg := []byte("\xFF\xD8 no real picture")
	s := newStream(Dict{"Filter": Array{Name("FlateDecode"), Name("DCT")}, "DecodeParms": Array{nil, Dict{"ColorTransform": Integer(0)}}}, deflate(jpeg))
	data, rest, err := s.Decode(context.Background(), nil)
	if err != nil || !bytes.Equal(data, jpeg) {
		t.Errorf("Decode = %q, %v; want %q", data, err, jpeg)
	}
	if diff := cmp.Diff([]Filter{{"DCTDecode", Dict{"ColorTransform": Integer(0)}}}, rest); diff != "" {
		t.Errorf("rest (-want +got):\n%s", diff)
	}
	raw, err := s.Raw(context.Background())
	if err != nil || !bytes.Equal(raw, deflate(jpeg)) {
		t.Errorf("Raw = %q, %v", raw, err)
	}
}

// A bitWriter writes codes of up to 12 bits, the most significant bit first.
type bitWriter struct {
	out       []byte
	acc, have uint32
}

func (w *bitWriter) put(code, width int) {
	w.acc = w.acc<<width | uint32(code)
	for w.have += uint32(width); w.have >= 8; w.have -= 8 {
		w.out = append(w.out, byte(w.acc>>(w.have-8)))
	}
}

// lzw encodes a short text with codes that grow early codes before they must.
func lzw(data []byte, early int) []byte {
	var w bitWriter
	codes := map[string]int{}
	for i := range 256 {
		codes[string([]byte{byte(i)})] = i
	}
	width, next := 9, 258
	w.put(256, width)
	s := ""
	for _, c := range data {
		n := s + string([]byte{c})
		if _, ok := codes[n]; ok {
			s = n
			continue
		}
		w.put(codes[s], width)
		codes[n] = next
		next++
		if next-1+early >= 1<<width { // the decoder is one entry behind
			width++
		}
		s = string([]byte{c})
	}
	w.put(codes[s], width)
	w.put(257, width)
	w.put(0, 8)
	return w.out
}

// lzwBomb says n times a run of zeros that grows by one with every code.
func lzwBomb(n int) []byte {
	var w bitWriter
	for range n {
		w.put(256, 9)
		w.put(0, 9)
		for code, width := 258, 9; code < 4095; code++ {
			w.put(code, width)
			if code+1 >= 1<<width-1 && width < 12 {
				width++
			}
		}
		w.put(256, 12)
	}
	return w.out
}

// Every predictor is undone for every depth: the test predicts pixel by pixel, as the specifications say.
func TestPredictors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int{1, 2, 4, 8, 16} {
		for colors := 1; colors <= 4; colors++ {
			const cols, rows = 13, 6
			row := (bits*colors*cols + 7) / 8
			want := make([]byte, row*rows)
			for i := range want {
				want[i] = byte(r.IntN(256))
			}
			bpp := max(1, (bits*colors+7)/8)
			for kind := range 5 {
				var in []byte
				for y := range rows {
					in = append(in, byte(kind))
					for x := range row {
						var a, b, c byte
						if x >= bpp {
							a = want[y*row+x-bpp]
						}
						if y > 0 {
							b = want[(y-1)*row+x]
						}
						if x >= bpp && y > 0 {
							c = want[(y-1)*row+x-bpp]
						}
						p := [5]byte{0, a, b, byte((int(a) + int(b)) / 2), paeth(a, b, c)}[kind]
						in = append(in, want[y*row+x]-p)
					}
				}
				if got := predict(context.Background(), in, 10+kind, colors, bits, cols); !bytes.Equal(got, want) {
					t.Errorf("PNG %d, %d bits, %d colours: not what was encoded", kind, bits, colors)
				}
			}
			in := bytes.Clone(want)
			for y := range rows {
				line, orig := in[y*row:(y+1)*row], want[y*row:(y+1)*row]
				for i := colors * cols; i > colors; {
					i--
					setSample(line, i, bits, sample(orig, i, bits)-sample(orig, i-colors, bits))
				}
			}
			clear := func(b []byte) []byte { // bits behind the last pixel say nothing
				b = bytes.Clone(b)
				for y := range rows {
					for i := colors * cols; i < row*8/bits; i++ {
						setSample(b[y*row:(y+1)*row], i, bits, 0)
					}
				}
				return b
			}
			if got := predict(context.Background(), in, 2, colors, bits, cols); !bytes.Equal(clear(got), clear(want)) {
				t.Errorf("TIFF, %d bits, %d colours: not what was encoded", bits, colors)
			}
		}
	}
}

func sample(b []byte, i, bits int) int {
	v := 0
	for k := range bits {
		at := i*bits + k
		v = v<<1 | int(b[at/8]>>(7-at%8)&1)
	}
	return v
}

func setSample(b []byte, i, bits, v int) {
	for k := range bits {
		at := i*bits + k
		b[at/8] &^= 1 << (7 - at%8)
		b[at/8] |= byte(v>>(bits-1-k)&1) << (7 - at%8)
	}
}

// zeros gives n zero bytes as zlib data.
func zeros(n int) []byte {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	b := make([]byte, 1<<20)
	for ; n > 0; n -= len(b) {
		w.Write(b[:min(n, len(b))])
	}
	w.Close()
	return z.Bytes()
}

func TestBombs(t *testing.T) {
	z := zeros(80 << 20)
	twice := deflate(z)
	for name, s := range map[string]*Stream{
		"Flate":       newStream(Dict{"Filter": Name("FlateDecode")}, z),
		"Flate twice": newStream(Dict{"Filter": Array{Name("Fl"), Name("Fl")}}, twice),
		"RunLength":   newStream(Dict{"Filter": Array{Name("Fl"), Name("RL")}}, deflate(bytes.Repeat([]byte{129, 0}, 1<<20))),
		"LZW":         newStream(Dict{"Filter": Name("LZW")}, lzwBomb(12)),
	} {
		data, _, err := s.Decode(context.Background(), nil)
		if !errors.Is(err, errs.TooLarge) || len(data) > maxDecoded {
			t.Errorf("%s: %d bytes, %v; want errs.TooLarge", name, len(data), err)
		}
	}
}

// A stopReader cancels a context after some bytes were read.
type stopReader struct {
	io.ReaderAt
	after int
	stop  func()
}

func (s *stopReader) ReadAt(b []byte, off int64) (int, error) {
	if s.after -= len(b); s.after <= 0 {
		s.stop()
	}
	return s.ReaderAt.ReadAt(b, off)
}

// A decode ends when the context does, however much there is.
func TestCancel(t *testing.T) {
	for name, tt := range map[string]struct {
		filter Object
		data   []byte
	}{
		"Flate":     {Name("FlateDecode"), zeros(30 << 20)},
		"raw":       {nil, make([]byte, 8<<20)},
		"RunLength": {Name("RL"), make([]byte, 8<<20)},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		d := Dict{}
		if tt.filter != nil {
			d["Filter"] = tt.filter
		}
		s := newStream(d, tt.data)
		s.f.r = &stopReader{s.f.r, 100, cancel}
		if data, _, err := s.Decode(ctx, nil); !errors.Is(err, context.Canceled) || data != nil {
			t.Errorf("%s: %d bytes, %v; want context.Canceled", name, len(data), err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	big := bytes.Repeat([]byte(fmt.Sprintf("1 0 obj <</A %s>> endobj\n", strings.Repeat("1 ", 500))), 5000)
	if _, err := Open(ctx, &stopReader{bytes.NewReader(big), 1 << 20, cancel}, int64(len(big)), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Open: %v, want context.Canceled", err)
	}
}
