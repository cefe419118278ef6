package proving

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/typeset"
	"github.com/findspot/findspot/skill/evidence"
)

func paper(t *testing.T) []byte {
	t.Helper()
	pdf, err := os.ReadFile(filepath.Join("..", "..", "testdata", "papers", "pss-detection.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	return pdf
}

func request(pdf []byte, texts ...string) findspot.MarkRequest {
	return findspot.MarkRequest{Doc: evidence.Place{Doc: "1", Name: "deep/pss.pdf"}, PDF: pdf, Texts: texts}
}

// TestInFolder: copies are new files of the folder, and nothing is written where nothing was found.
func TestInFolder(t *testing.T) {
	dir, pdf := t.TempDir(), paper(t)
	o := InFolder(dir)
	if !o.Writes {
		t.Error("it does not say that it writes")
	}
	for _, want := range []string{"pss-marked.pdf", "pss-marked-2.pdf"} {
		got, err := o.Mark(t.Context(), request(pdf, "noise floor", "noise roof"))
		if err != nil || got.Where != want || len(got.Marks) != 2 || len(got.Marks[0].Places) == 0 || got.Marks[1].Missing == "" || got.Marks[1].Places == nil {
			t.Fatalf("%+v, %v, want %s", got, err, want)
		}
		copied, err := os.ReadFile(filepath.Join(dir, want))
		if err != nil || !bytes.HasPrefix(copied, pdf) || len(copied) == len(pdf) {
			t.Errorf("%s: %d bytes, %v", want, len(copied), err)
		}
	}
	sum := sha256.Sum256(pdf)
	r := request(pdf)
	r.Answer = &evidence.Answer{Items: []evidence.Item{{Key: "D1", Kind: evidence.KindPassage, At: evidence.Place{Doc: "1", Page: 1}, Text: "one of three forms"}}, Sources: []evidence.Sealed{{Key: "D1", File: hex.EncodeToString(sum[:])}}}
	if got, err := o.Mark(t.Context(), r); err != nil || got.Where != "pss-marked-3.pdf" || len(got.Marks) != 1 || got.Marks[0].Key != "D1" || len(got.Marks[0].Places) == 0 {
		t.Errorf("a key: %+v, %v", got, err)
	}
	if got, err := o.Mark(t.Context(), request(pdf, "noise roof")); err != nil || got.Where != "" {
		t.Errorf("a text that is not there: %+v, %v", got, err)
	}
	for why, refused := range map[string]func(...[]typeset.Line) string{"an encrypted file is not marked": typeset.Encrypted, "a signed file is not marked": typeset.Signed} {
		if _, err := o.Mark(t.Context(), request([]byte(refused([]typeset.Line{{Text: "words to mark"}})), "words")); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 3 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
