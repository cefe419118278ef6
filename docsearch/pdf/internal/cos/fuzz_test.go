package cos

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/errs"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte("<</A[1 2 R -3.5(a\\)\\101)<48>]/B#20<</C null>>>> endobj"), 7)
	f.Add([]byte("12 0 R"), 3)
	f.Add([]byte("<</Length 3>>stream\nabc\nendstream"), 11)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		whole := parser{in: data, last: true}
		want, at, err := whole.body()
		if err == nil && at > len(data) {
			t.Fatalf("stream data at %d of %d bytes", at, len(data))
		}
		if cut < 0 || cut >= len(data) {
			return
		}
		// With fewer bytes at hand the answer is the same, or that they do not suffice.
		part := parser{in: data[:cut]}
		got, _, err2 := part.body()
		if err2 == nil && err == nil && !equal(got, want) {
			t.Fatalf("%q: %v with %d bytes, %v with all", data, got, cut, want)
		}
	})
}

func equal(a, b Object) bool {
	switch a := a.(type) {
	case Array:
		b, ok := b.(Array)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case Dict:
		b, ok := b.(Dict)
		if !ok || len(a) != len(b) {
			return false
		}
		for k := range a {
			if !equal(a[k], b[k]) {
				return false
			}
		}
		return true
	}
	return a == b
}

// FuzzOpen reads every object of a file, and decodes every stream.
func FuzzOpen(f *testing.F) {
	f.Add(onePage().pdf(""))
	f.Add(onePage().packed(""))
	files, err := filepath.Glob("testdata/*.pdf")
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range files {
		data, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		doc, err := Open(ctx, bytes.NewReader(data), int64(len(data)), &Options{Password: "user"})
		if err != nil {
			if !errors.Is(err, errs.Format) && !errors.Is(err, errs.Encrypted) && !errors.Is(err, errs.TooLarge) {
				t.Fatal(err)
			}
			return
		}
		nums, err := doc.Numbers(ctx, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range nums[:min(len(nums), 200)] {
			if s, ok := doc.Resolve(ctx, Ref{Num: n}).(*Stream); ok {
				if data, _, _ := s.Decode(ctx, nil); len(data) > maxDecoded {
					t.Fatalf("%d bytes", len(data))
				}
			}
		}
		if ctx.Err() != nil {
			t.Fatal(ctx.Err())
		}
	})
}

func FuzzFilters(f *testing.F) {
	text := []byte("some text, some more text")
	f.Add(deflate(text), uint8(0), 12, 1, 8, 3)
	f.Add(lzw(text, 1), uint8(1), 2, 3, 4, 5)
	f.Add([]byte("87cURD]i,\"Ebo80~>"), uint8(2), 1, 1, 8, 1)
	f.Add([]byte("\x02abc\xFEx\x80"), uint8(3), 15, 4, 16, 7)
	f.Add([]byte("48656C>"), uint8(4), 1, 1, 1, 1)
	names := []Name{"FlateDecode", "LZWDecode", "ASCII85Decode", "RunLengthDecode", "ASCIIHexDecode"}
	f.Fuzz(func(t *testing.T, data []byte, kind uint8, pred, colors, bits, cols int) {
		s := newStream(Dict{"Filter": names[int(kind)%len(names)], "DecodeParms": Dict{"Predictor": Integer(pred), "Colors": Integer(colors),
			"BitsPerComponent": Integer(bits), "Columns": Integer(cols)}}, data)
		out, rest, err := s.Decode(context.Background(), nil)
		if len(rest) > 0 || len(out) > maxDecoded {
			t.Fatalf("%d bytes, %v left", len(out), rest)
		}
		if err != nil && !errors.Is(err, errs.Format) && !errors.Is(err, errs.TooLarge) {
			t.Fatal(err)
		}
	})
}

func FuzzCrypt(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef"), []byte("0123456789abcdef0123456789abcdef0123456789abcdef"), []byte("id"), 4, 4, -4)
	f.Add(make([]byte, 48), make([]byte, 48), []byte{}, 5, 6, -1)
	f.Fuzz(func(t *testing.T, o, u, id []byte, v, r, p int) {
		d := Dict{"Filter": Name("Standard"), "V": Integer(v), "R": Integer(r), "O": String(o), "U": String(u), "OE": String(u), "UE": String(o), "P": Integer(p),
			"Length": Integer(len(id) * 8), "CF": Dict{"StdCF": Dict{"CFM": Name("AESV2")}}, "StmF": Name("StdCF"), "StrF": Name("StdCF")}
		doc := &File{trailer: Dict{"Encrypt": d, "ID": Array{String(id)}}}
		if err := doc.unlock(context.Background(), "password"); err != nil && !errors.Is(err, errs.Encrypted) && !errors.Is(err, errs.Format) {
			t.Fatal(err)
		}
	})
}
