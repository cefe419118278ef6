package inflate

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

func deflate(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// samples are of the kinds that take different ways: text, content streams, one byte, noise, long runs, far matches.
func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 70_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	var content strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&content, "BT /F%d 10 Tf %d.%02d %d Td [(word%d)-%d(x)] TJ ET\n", i%7, r.IntN(600), r.IntN(100), r.IntN(800), r.IntN(50), r.IntN(400))
	}
	far := append(append(bytes.Clone(noise[:300]), make([]byte, 32_400)...), noise[:300]...)
	skewed := make([]byte, 200_000) // codes of up to 15 bits
	for i := range skewed {
		skewed[i] = byte(int(r.ExpFloat64()*r.ExpFloat64()*r.ExpFloat64()*6) & 0xFF)
	}
	return map[string][]byte{
		"empty": {}, "one byte": {'x'}, "noise": noise, "content": []byte(content.String()), "run": bytes.Repeat([]byte{'a'}, 100_000),
		"pairs": bytes.Repeat([]byte("ab"), 40_000), "far": far, "skewed": skewed,
	}
}

func TestAppend(t *testing.T) {
	for name, data := range samples() {
		for _, level := range []int{0, 1, 6, 9, flate.HuffmanOnly} {
			z := deflate(t, data, level)
			got, err := Append([]byte("before"), z, 1<<30)
			if err != nil || string(got) != "before"+string(data) {
				t.Errorf("%s at level %d: %d bytes, %v, want %d", name, level, len(got), err, len(data)+6)
			}
			if got, err = Append(nil, append(z, "behind"...), len(data)); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s at level %d with bytes behind and a limit just met: %d bytes, %v, want %d", name, level, len(got), err, len(data))
			}
			for _, cut := range []int{1, 2, 3, 9, 100, len(data) / 2} {
				if cut >= len(data) {
					continue
				}
				if got, err = Append(nil, z, cut); !errors.Is(err, ErrLimit) || !bytes.Equal(got, data[:cut]) {
					t.Errorf("%s at level %d, limit %d: %d bytes, %v", name, level, cut, len(got), err)
				}
			}
			for _, cut := range []int{len(z) - 1, len(z) - 3, len(z) / 2, len(z) / 3} {
				if cut < 0 {
					continue
				}
				if got, err = Append(nil, z[:cut], 1<<30); !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(data, got) {
					t.Errorf("%s at level %d, cut at %d of %d: %d bytes, %v", name, level, cut, len(z), len(got), err)
				}
			}
		}
	}
}

func TestAppendNothing(t *testing.T) {
	for _, src := range [][]byte{nil, {}, {3}, {1}, {1, 0, 0}, {7}, {0xFF, 0xFF, 0xFF}} {
		if got, err := Append(nil, src, 100); err == nil || len(got) != 0 {
			t.Errorf("Append(%x) = %x, %v, want an error", src, got, err)
		}
	}
}

// FuzzAppend compares with compress/flate: the same output, or an error of both and at least as much before it.
func FuzzAppend(f *testing.F) {
	for _, data := range samples() {
		f.Add(deflate(f, data[:min(len(data), 3000)], 6))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		const limit = 1 << 20
		want, errWant := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(src)), limit+1))
		got, err := Append(nil, src, limit)
		if len(want) > limit {
			if !errors.Is(err, ErrLimit) || !bytes.Equal(got, want[:limit]) {
				t.Fatalf("over the limit: %d bytes, %v", len(got), err)
			}
			return
		}
		if (err == nil) != (errWant == nil) {
			t.Fatalf("error %v, compress/flate says %v", err, errWant)
		}
		if !bytes.HasPrefix(got, want) || err == nil && len(got) != len(want) {
			t.Fatalf("%d bytes, compress/flate has %d", len(got), len(want))
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	data := samples()["content"]
	z := deflate(b, data, 6)
	var buf []byte
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if buf, err = Append(buf[:0], z, 1<<30); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStandardLibrary(b *testing.B) {
	data := samples()["content"]
	z := deflate(b, data, 6)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := io.Copy(io.Discard, flate.NewReader(bytes.NewReader(z))); err != nil {
			b.Fatal(err)
		}
	}
}
