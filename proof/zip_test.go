package proof_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/proof"
	"github.com/findspot/findspot/skill/evidence"
)

// TestWriteZIP: an archive has the files of the folder, byte for byte, is the same each time, and is empty when the answer does not hold.
func TestWriteZIP(t *testing.T) {
	h := build(t)
	loose := &proof.Options{Verify: evidence.VerifyOptions{NoMeaning: true}} // its sentences try other things
	dir := filepath.Join(t.TempDir(), "proof")
	folder, err := proof.Write(t.Context(), dir, h.answer, h.src, loose)
	if err != nil {
		t.Fatal(err)
	}
	var out, again bytes.Buffer
	b, err := proof.WriteZIP(t.Context(), &out, h.answer, h.src, loose)
	if err != nil || b.Dir != "" || len(b.Files) != len(folder.Files) || len(b.Documents) != len(folder.Documents) {
		t.Fatalf("WriteZIP = %+v, %v", b, err)
	}
	if _, err := proof.WriteZIP(t.Context(), &again, h.answer, h.src, loose); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Errorf("the second archive is another one: %d and %d bytes, %v", out.Len(), again.Len(), err)
	}
	archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(archive.File) != len(folder.Files) {
		t.Fatalf("%d files, %v", len(archive.File), err)
	}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		want, werr := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Name)))
		if err != nil || werr != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not that of the folder: %v, %v", f.Name, err, werr)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	changed := *h.answer
	changed.Text += " And more."
	for name, try := range map[string]func(w io.Writer) error{
		"a changed answer": func(w io.Writer) error { _, err := proof.WriteZIP(t.Context(), w, &changed, h.src, loose); return err },
		"too much": func(w io.Writer) error {
			_, err := proof.WriteZIP(t.Context(), w, h.answer, h.src, &proof.Options{Verify: loose.Verify, MaxBytes: 1000})
			return err
		},
		"a cancelled call": func(w io.Writer) error { _, err := proof.WriteZIP(ctx, w, h.answer, h.src, loose); return err },
	} {
		var w bytes.Buffer
		err := try(&w)
		if err == nil || w.Len() > 0 || name == "too much" && !errors.Is(err, errs.TooLarge) {
			t.Errorf("%s: %d bytes, %v", name, w.Len(), err)
		}
	}
	if _, err := proof.WriteZIP(t.Context(), full{}, h.answer, h.src, loose); !errors.Is(err, errFull) {
		t.Errorf("where nothing can be written: %v", err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
