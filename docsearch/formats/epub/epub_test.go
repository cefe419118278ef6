package epub_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/formats/epub"
	"github.com/findspot/findspot/docsearch/formats/internal/formattest"
	"github.com/findspot/findspot/internal/errs"
)

func TestDocuments(t *testing.T) { formattest.Golden(t, epub.New(), ".epub") }

func FuzzEPUB(f *testing.F) { formattest.Fuzz(f, epub.New(), ".epub") }

// TestLocked: a book that is encrypted is said to be, and one whose fonts alone are is read.
func TestLocked(t *testing.T) {
	for algorithm, want := range map[string]error{"http://www.w3.org/2001/04/xmlenc#aes128-cbc": errs.Encrypted, "http://www.idpf.org/2008/embedding": nil} {
		data := with(t, map[string]string{"META-INF/encryption.xml": `<encryption><EncryptedData><EncryptionMethod Algorithm="` + algorithm + `"/><CipherData><CipherReference URI="x"/></CipherData></EncryptedData></encryption>`})
		if _, err := formattest.Read(t.Context(), epub.New(), data); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", algorithm, err, want)
		}
	}
}

// TestBomb: a file that unfolds beyond the limit is refused.
func TestBomb(t *testing.T) {
	data := with(t, map[string]string{"OPS/a b.html": strings.Repeat(" ", 33<<20)})
	if _, err := formattest.Read(t.Context(), epub.New(), data); !errors.Is(err, errs.TooLarge) {
		t.Errorf("33 MB of blanks: %v", err)
	}
}

// with returns the old book with files replaced.
func with(t *testing.T, files map[string]string) []byte {
	t.Helper()
	r, err := zip.OpenReader("testdata/old.epub")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range r.File {
		if _, ok := files[f.Name]; !ok {
			if err := w.Copy(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, s := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
