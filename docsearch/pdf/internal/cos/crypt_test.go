package cos

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/errs"
)

// The files were made with qpdf from one of ours: qpdf --encrypt user owner BITS.
func TestPasswords(t *testing.T) {
	tests := []struct{ file, user, owner string }{
		{"rc4-40", "user", "owner"},
		{"rc4-128", "user", "owner"},
		{"rc4-v4", "user", "owner"},
		{"aes-128", "user", "owner"},
		{"aes-128-streams", "user", "owner"},
		{"aes-256-r5", "user", "owner"},
		{"aes-256", "user", "owner"},
		{"aes-256-unicode", "pässwörd", "öwner"},
		{"rc4-128-empty", "", "owner"},
		{"aes-256-empty", "", "owner"},
	}
	for _, tt := range tests {
		data, err := os.ReadFile(filepath.Join("testdata", tt.file+".pdf"))
		if err != nil {
			t.Fatal(err)
		}
		damaged := bytes.ReplaceAll(data, []byte("startxref"), []byte("startxxxx"))
		for name, data := range map[string][]byte{"whole": data, "scanned": damaged} {
			t.Run(tt.file+" "+name, func(t *testing.T) {
				for _, p := range []string{tt.user, tt.owner} {
					f, err := openBytes(data, &Options{Password: p})
					if err != nil {
						t.Fatalf("password %q: %v", p, err)
					}
					if !f.Encrypted() {
						t.Errorf("Encrypted is false")
					}
					if got, err := content(t, f); err != nil || !strings.Contains(got, "(secret) Tj") {
						t.Errorf("password %q: the page shows %q, %v", p, got, err)
					}
					info, _ := f.Resolve(context.Background(), f.Trailer()["Info"]).(Dict)
					if info["Title"] != String("A title") {
						t.Errorf("password %q: title %q", p, info["Title"])
					}
				}
				for _, p := range []string{"", "wrong", strings.Repeat("long", 100)} {
					if _, err := openBytes(data, &Options{Password: p}); !errors.Is(err, errs.Encrypted) != (tt.user == "") {
						t.Errorf("password %q: %v", p, err)
					}
				}
			})
		}
	}
}

// A stream may name its own crypt filter; metadata may be left as it is.
func TestCryptFilter(t *testing.T) {
	c := &crypt{key: []byte("0123456789abcdef"), filters: map[Name]method{"StdCF": methodAES}, stream: methodAES, plainMeta: true}
	f := &File{crypt: c, big: make(chan struct{}, 1)}
	for name, d := range map[string]Dict{
		"Identity": {"Filter": Name("Crypt"), "DecodeParms": Dict{"Name": Name("Identity")}},
		"no name":  {"Filter": Array{Name("Crypt")}},
		"metadata": {"Type": Name("Metadata")},
		"xref":     {"Type": Name("XRef")},
	} {
		data := "plain bytes"
		f.r, f.size = strings.NewReader(data), int64(len(data))
		d["Length"] = Integer(len(data))
		s := &Stream{Dict: d, f: f, ref: Ref{Num: 1}}
		if got, rest, err := s.Decode(context.Background(), nil); string(got) != data || rest != nil || err != nil {
			t.Errorf("%s: %q, %v, %v", name, got, rest, err)
		}
	}
}

func TestAESDamage(t *testing.T) {
	key := []byte("0123456789abcdef")
	for n := range 70 {
		var out bytes.Buffer
		_, err := out.ReadFrom(newAES(bytes.NewReader(make([]byte, n)), key))
		want := max(0, n/16-1) * 16 // no padding is right in what comes out
		if err != nil || out.Len() != want {
			t.Errorf("%d bytes: %d come out, %v; want %d", n, out.Len(), err, want)
		}
	}
}
