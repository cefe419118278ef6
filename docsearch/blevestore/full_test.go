package blevestore_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/internal/errs"
)

// big is the content of a document that does not fit.
func big(i int) string {
	var b strings.Builder
	for n := range 60_000 {
		fmt.Fprintf(&b, "number%d token%dx%d and some more text\n", i, i, n)
	}
	return b.String()
}

// fullDisk adds to a library until its disk is full, makes room, and goes on. fill takes the room away and returns what
// gives it back.
func fullDisk(t *testing.T, dir string, fill func() func()) {
	lib := openDir(t, dir)
	add := func(name, text string) error {
		_, err := lib.Add(t.Context(), docsearch.Bytes(name, []byte(text)))
		return err
	}
	for i := range 3 {
		if err := add(fmt.Sprintf("%05d.txt", i), content(i)); err != nil {
			t.Fatal(err)
		}
	}
	whole := func(want int, when string) {
		t.Helper()
		if n := checkWhole(t, lib); n != want {
			t.Errorf("%s: %d documents, want %d", when, n, want)
		}
		res, err := lib.Search(t.Context(), "token7x9", nil)
		if err != nil || len(res.Hits) != 0 {
			t.Errorf("%s: a document that could not be written is found: %+v, %v", when, res, err)
		}
		rep, err := lib.Check(t.Context())
		if err != nil || len(rep.Problems) > 0 {
			t.Errorf("%s: Check: %+v, %v", when, rep, err)
		}
	}
	generation := lib.Generation()
	free := fill()
	for range 3 {
		err := add("00007.txt", big(7))
		if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "free some space") {
			free()
			t.Fatalf("Add to a full disk: %v, want the folder and the way out", err)
		}
		whole(3, "while the disk is full")
	}
	if got := lib.Generation(); got != generation {
		t.Errorf("generation %d, want %d: nothing was changed", got, generation)
	}
	if err := lib.Close(); err != nil {
		t.Errorf("Close on a full disk: %v", err)
	}
	lib = openDir(t, dir)
	whole(3, "opened while the disk is full")
	free()
	if err := add("00003.txt", content(3)); err != nil {
		t.Fatalf("Add when there is room again: %v", err)
	}
	if got := lib.Generation(); got != generation+1 {
		t.Errorf("generation %d, want %d", got, generation+1)
	}
	whole(4, "when there is room again")
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	lib = openDir(t, dir)
	whole(4, "opened anew")
	if err := add("00007.txt", big(7)); err != nil {
		t.Errorf("the document that did not fit: %v", err)
	}
	if res, err := lib.Search(t.Context(), "token7x9", nil); err != nil || len(res.Hits) != 1 {
		t.Errorf("the document that did not fit is not found: %+v, %v", res, err)
	}
}

// denied is the process that may not write in the folder.
func denied(dir string) {
	for _, ro := range []bool{false, true} {
		_, err := blevestore.Open(context.Background(), dir, &blevestore.Options{ReadOnly: ro})
		if _, ok := errors.AsType[*errs.UntrustedError](err); !ok || !strings.Contains(err.Error(), dir) {
			fmt.Printf("opened as another user's: %v, want an UntrustedError with the folder\n", err)
			os.Exit(1)
		}
	}
	_, err := blevestore.Open(context.Background(), dir, &blevestore.Options{TrustIndex: true})
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "read-only") {
		fmt.Printf("opened to write: %v, want an error with the folder and the way out\n", err)
		os.Exit(1)
	}
	lib, err := blevestore.Open(context.Background(), dir, &blevestore.Options{ReadOnly: true, TrustIndex: true})
	if err == nil {
		var docs []*docsearch.Document
		if docs, err = lib.Documents(context.Background()); err == nil && len(docs) != 1 {
			err = fmt.Errorf("%d documents, want 1", len(docs))
		}
	}
	if err == nil {
		_, err = lib.Search(context.Background(), "common", nil)
	}
	if err == nil {
		err = lib.Close()
	}
	if err != nil {
		fmt.Println("opened read-only:", err)
		os.Exit(1)
	}
	if err := os.Chmod(filepath.Join(dir, "index", "root.bolt"), 0o644); err == nil { // of another user: must fail
		fmt.Println("the folder can be written")
		os.Exit(1)
	}
	fmt.Println("denied")
}
