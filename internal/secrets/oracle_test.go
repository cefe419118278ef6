package secrets

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/need"
)

// maskPlainly is Mask with every pattern run over the whole text.
func maskPlainly(text []byte) int {
	if len(text) < 8 {
		return 0
	}
	n := 0
	for i := range kinds {
		for _, m := range kinds[i].re.anywhere.FindAllSubmatchIndex(text, -1) {
			n += kinds[i].mask(text, m[2], m[3])
		}
	}
	return n
}

func checkPlainly(t *testing.T, name string, in []byte) (n int) {
	t.Helper()
	if bytes.ContainsAny(in, "\u017f\u212a") { // patterns without case take these for s and k, and Mask does not
		return 0
	}
	got, want := bytes.Clone(in), bytes.Clone(in)
	n = Mask(got)
	if m := maskPlainly(want); m != n || !bytes.Equal(got, want) {
		t.Errorf("%s: Mask(%.300q) = %.300q, %d; with every pattern over all of it %.300q, %d", name, in, got, n, want, m)
	}
	return n
}

// planted are secrets of every kind, put together so that no scanner takes them for real ones, and what is nearly one.
func planted() []string {
	pem := "-----BEGIN PRIVATE" + " KEY-----\n" + part + part + "\n" + part + "==\n-----END PRIVATE" + " KEY-----\n"
	jwt := "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0In0." + part
	return []string{
		pem, pem[:70], pem[60:], strings.ReplaceAll(pem, "PRIVATE KEY", "CERTIFICATE"), part + part, part + part + "===", "gh" + "p_" + part, "xgh" + "p_" + part, "gl" + "dt-" + part, "gl" + "pat-" + part[:20],
		"AK" + "IAZQ7VW3LX9KD2PN5R", "AC" + "CAZQ7VW3LX9KD2PN5R", "xox" + "b-1234567890-" + part, "hooks.slack.com/services/T0/B0/" + part, "sk" + "_live_" + part, "whsec" + "_test_" + part, "sk" + "-proj-" + part,
		"AI" + "za" + part + "x", "npm" + "_" + part + "ab", "pypi-" + "AgEI" + part + part, "hf" + "_" + part, "shp" + "ca_0123456789abcdef0123456789abcdef", "SG" + "." + part + "." + part, "1234567890:AA" + part + "xy",
		"12345678901:AA" + part, "AccountKey=" + part + part + "==", jwt, "x-" + jwt, "eyJ-" + jwt + "." + jwt, `Authorization: Bearer ` + part, "authorization = token " + part,
		"a1+://x://u:" + part + "@h", "postgres://app:" + part + "@db", "_auth=" + part, "_authToken = " + part, "password = '" + part + "'", "credential=" + part, "secret_key:=" + part,
		"api_key=>" + part, "tokens\n\n =\t" + part, "access_key_id: " + part[:13], "client_secret secret: " + part, "\u0130", "\xff", " ", "\n", "-", "=",
	}
}

// TestMaskPlainly: looking only where a kind may begin finds what its pattern does anywhere.
func TestMaskPlainly(t *testing.T) {
	need.NoRace(t)
	all, found := planted(), 0
	for i, a := range all {
		found += checkPlainly(t, "alone", []byte(a))
		for _, b := range all {
			for _, between := range []string{"", " ", "\n"} {
				found += checkPlainly(t, "pair", []byte(a+between+b))
			}
		}
		for n := range len(a) {
			found += checkPlainly(t, "cut", []byte(a[n:]+all[(i+n)%len(all)]))
		}
	}
	files := 0
	err := fs.WalkDir(os.DirFS("../.."), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if !strings.HasSuffix(p, ".go") && !strings.HasSuffix(p, ".md") {
			return nil
		}
		data, err := fs.ReadFile(os.DirFS("../.."), p)
		if files++; err == nil && files%8 == 0 {
			found += checkPlainly(t, p, append(append(data[:len(data)/2:len(data)/2], all[files%len(all)]...), data[len(data)/2:]...))
		}
		return err
	})
	if err != nil || files < 500 || found < 1000 {
		t.Errorf("%d secrets in %d files: %v", found, files, err)
	}
}

// BenchmarkMask masks the sources of a repository with a secret in each, and a text full of the words that go before secrets.
func BenchmarkMask(b *testing.B) {
	var sources []byte
	all := planted()
	for _, folder := range []string{"../..", "../../docsearch", "../../codegraph", "../../docs"} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			b.Fatal(err)
		}
		for i, e := range entries {
			if data, err := os.ReadFile(filepath.Join(folder, e.Name())); err == nil && !e.IsDir() {
				sources = append(append(sources, data...), all[i%len(all)]...)
			}
		}
	}
	words := []byte(strings.Repeat("func (k *keys) token(secret string) error { return nil } // the key of the api\n", 12_000))
	for name, text := range map[string][]byte{"sources": sources, "words": words} {
		for way, mask := range map[string]func([]byte) int{"": Mask, " plainly": maskPlainly} {
			b.Run(name+way, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					mask(bytes.Clone(text))
				}
			})
		}
	}
}

func FuzzMaskPlainly(f *testing.F) {
	for _, s := range planted() {
		f.Add([]byte("x " + s + s))
	}
	f.Fuzz(func(t *testing.T, in []byte) { checkPlainly(t, "fuzz", in) })
}
