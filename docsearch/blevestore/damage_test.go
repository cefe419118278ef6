package blevestore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// smallIndex makes an index of several segments, with documents that were replaced and removed.
func smallIndex(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	lib := openDir(t, dir)
	for i := range 6 {
		if _, err := lib.Add(t.Context(), docsearch.Bytes(fmt.Sprintf("%05d.txt", i), []byte(content(i)))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := lib.Add(t.Context(), docsearch.Bytes("00001.txt", []byte("replaced by something else, on one line\n"))); err != nil {
		t.Fatal(err)
	}
	if err := lib.Remove(t.Context(), "00002.txt"); err != nil {
		t.Fatal(err)
	}
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// checkDir opens a folder and checks it.
func checkDir(t *testing.T, dir string, readOnly bool) (*docsearch.Report, error) {
	t.Helper()
	lib, err := blevestore.Open(t.Context(), dir, &blevestore.Options{ReadOnly: readOnly})
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	return lib.Check(t.Context())
}

func TestCheckWhole(t *testing.T) {
	dir := smallIndex(t)
	for _, ro := range []bool{true, false} {
		rep, err := checkDir(t, dir, ro)
		if err != nil || len(rep.Problems) > 0 || rep.Documents != 5 || !rep.Store {
			t.Errorf("Check of a whole index: %+v, %v", rep, err)
		}
	}
}

// answers is everything that the library in dir says of its documents and of a few searches, or an error.
func answers(ctx context.Context, dir string) (string, error) {
	lib, err := blevestore.Open(ctx, dir, &blevestore.Options{ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer lib.Close()
	var b strings.Builder
	docs, err := lib.Documents(ctx)
	if err != nil {
		return "", err
	}
	for _, d := range docs {
		x, err := lib.Read(ctx, d.ID, nil)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%+v %q\n", *d, x.Text)
	}
	for _, q := range []string{"common", "number4", "filler common word5 and text", "replaced something", "nothing of it"} {
		res, err := lib.Search(ctx, q, nil)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%+v\n", res)
	}
	return b.String(), nil
}

// Bytes are turned and files cut anywhere: opening and check say so, or nothing that can be asked has changed. Never a panic.
func TestDamage(t *testing.T) {
	whole := smallIndex(t)
	want, err := answers(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"index/*", "VERSION", "GENERATION"} {
		found, err := filepath.Glob(filepath.Join(whole, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	tries := 120
	if testing.Short() {
		tries = 40
	}
	if n, err := strconv.Atoi(os.Getenv("FINDSPOT_DAMAGES")); err == nil {
		tries = n
	}
	rng := rand.New(rand.NewPCG(6, 1))
	said, harmless := 0, 0
	dir := t.TempDir()
	for i := range tries {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		file, err := filepath.Rel(whole, files[i%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		at := rng.IntN(len(data))
		what := "cut at"
		switch rng.IntN(5) {
		case 0:
			data = data[:at]
		case 1:
			what = "a block of zeroes from"
			clear(data[at:min(len(data), at+512)])
		default:
			what = "a bit turned at"
			data[at] ^= 1 << rng.IntN(8)
		}
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
			t.Fatal(err)
		}
		rep, err := checkDir(t, dir, true)
		switch {
		case err != nil:
			said++
			if !errors.Is(err, docsearch.ErrFormat) || !strings.Contains(err.Error(), dir) {
				t.Errorf("%s %s %d: %v, want ErrFormat and the folder", file, what, at, err)
			}
		case len(rep.Problems) > 0:
			said++
		default:
			harmless++
			if got, err := answers(t.Context(), dir); err != nil || got != want {
				t.Errorf("%s %s %d: check finds nothing, but the answers are others (%v)", file, what, at, err)
			}
		}
		// Opening it to write does no worse.
		lib, err := blevestore.Open(t.Context(), dir, nil)
		if err != nil {
			if !errors.Is(err, docsearch.ErrFormat) {
				t.Errorf("%s %s %d: opened to write: %v, want ErrFormat", file, what, at, err)
			}
			continue
		}
		if _, err := lib.Add(t.Context(), docsearch.Bytes("new.txt", []byte("a new document"))); err != nil && !errors.Is(err, docsearch.ErrFormat) {
			t.Errorf("%s %s %d: added to: %v, want ErrFormat", file, what, at, err)
		}
		if err := lib.Close(); err != nil && !errors.Is(err, docsearch.ErrFormat) {
			t.Errorf("%s %s %d: closed: %v", file, what, at, err)
		}
	}
	t.Logf("%d damages: %d found, %d harmless", tries, said, harmless)
}

// What the checksum of a file does not tell, because the engine wrote the damage itself, is found by comparing.
func TestCheckCompares(t *testing.T) {
	dir := t.TempDir()
	s, err := blevestore.New(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := docsearch.New(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := lib.Add(t.Context(), docsearch.Bytes("a.txt", []byte("some words of a text\n")))
	if err != nil {
		t.Fatal(err)
	}
	old, err := s.Get(t.Context(), d.ID)
	if err != nil {
		t.Fatal(err)
	}
	recs, err := s.Records(t.Context(), d.ID, driver.KindChunk, nil)
	if err != nil {
		t.Fatal(err)
	}
	same := slices.Clone(recs)
	same[0].Text = strings.Replace(same[0].Text, "some", "same", 1)
	for _, tt := range []struct {
		name string
		doc  driver.Document
	}{
		{"another layout", driver.Document{ID: d.ID, Data: old.Data, Layout: []byte("{}"), Records: recs}},
		{"no entry", driver.Document{ID: d.ID, Data: []byte("{"), Layout: old.Layout, Records: recs}},
		{"a letter of the text", driver.Document{ID: d.ID, Data: old.Data, Layout: old.Layout, Records: same}},
	} {
		if err := s.Replace(t.Context(), []*driver.Document{&tt.doc}); err != nil {
			t.Fatal(err)
		}
		if rep, err := lib.Check(t.Context()); err != nil || len(rep.Problems) != 1 || rep.Problems[0].Doc != d.ID {
			t.Errorf("%s: %+v, %v, want one problem of document %s", tt.name, rep, err, d.ID)
		}
	}
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestBackup(t *testing.T) {
	dir := smallIndex(t)
	want, err := answers(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, ro := range []bool{false, true} {
		lib, err := blevestore.Open(t.Context(), dir, &blevestore.Options{ReadOnly: ro})
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(t.TempDir(), "deep", "backup")
		var last [2]int64
		if err := lib.Backup(t.Context(), to, &docsearch.BackupOptions{Progress: func(done, total int64) {
			if done < last[0] || done > total {
				t.Errorf("progress %d of %d after %d", done, total, last[0])
			}
			last = [2]int64{done, total}
		}}); err != nil {
			t.Fatal(err)
		}
		if last[0] != last[1] || last[0] == 0 {
			t.Errorf("progress ended at %d of %d", last[0], last[1])
		}
		if got, err := answers(t.Context(), to); err != nil || got != want {
			t.Errorf("the backup answers otherwise: %v", err)
		}
		rep, err := checkDir(t, to, false)
		if err != nil || len(rep.Problems) > 0 {
			t.Errorf("Check of a backup: %+v, %v", rep, err)
		}
		if err := lib.Backup(t.Context(), to, nil); !errors.Is(err, docsearch.ErrUnsupported) || !strings.Contains(err.Error(), "not empty") {
			t.Errorf("a backup into a folder that holds one: %v", err)
		}
		if err := lib.Backup(t.Context(), filepath.Join(dir, "inside"), nil); !errors.Is(err, docsearch.ErrUnsupported) {
			t.Errorf("a backup into the index: %v", err)
		}
		if ro {
			if err := lib.Close(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		ctx, cancel := context.WithCancel(t.Context())
		other := filepath.Join(t.TempDir(), "backup")
		err = lib.Backup(ctx, other, &docsearch.BackupOptions{Progress: func(int64, int64) { cancel() }})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("a backup that was stopped: %v", err)
		}
		if left, err := os.ReadDir(filepath.Dir(other)); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
		if err := lib.Close(); err != nil {
			t.Fatal(err)
		}
		if err := lib.Backup(t.Context(), other, nil); !errors.Is(err, errs.Closed) {
			t.Errorf("a backup of a closed library: %v", err)
		}
	}
}
