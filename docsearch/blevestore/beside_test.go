package blevestore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
)

// openReader opens a folder read-only.
func openReader(t *testing.T, dir string) *docsearch.Library {
	t.Helper()
	lib, err := blevestore.Open(t.Context(), dir, &blevestore.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return lib
}

// checkWhole reads every document of a library that holds what sources yields: all of them must be whole, and as many as the
// search and the statistics say. It returns their number.
func checkWhole(t *testing.T, lib *docsearch.Library) int {
	t.Helper()
	docs, err := lib.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		x, err := lib.Read(t.Context(), d.ID, nil)
		if errors.Is(err, docsearch.ErrNotFound) || errors.Is(err, docsearch.ErrStale) {
			t.Fatalf("%s was listed, and is not there: %v", d.Name, err) // nothing is removed in these tests
		}
		var i int
		fmt.Sscanf(d.Name, "%d", &i)
		if err != nil || x.Text != content(i) {
			t.Fatalf("%s: %v, or its text is another", d.Name, err)
		}
	}
	return len(docs)
}

// A process that adds and readers beside it: none waits, each reader sees whole documents and what was acknowledged before it looked.
func TestReadersBesideWriter(t *testing.T) {
	dir := t.TempDir()
	cmd, out := other(t, dir)
	follower := openReader(t, dir)
	rounds := 8
	if testing.Short() {
		rounds = 4
	}
	last := 0
	for round := range rounds {
		for range 25 {
			if !out.Scan() {
				t.Fatal("the writer ended")
			}
			last++
		}
		lib, err := blevestore.Open(t.Context(), dir, &blevestore.Options{ReadOnly: true})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if n := checkWhole(t, lib); n < last {
			t.Fatalf("round %d: %d documents, %d were acknowledged", round, n, last)
		}
		res, err := lib.Search(t.Context(), fmt.Sprintf("number%d", last-1), nil)
		if err != nil || len(res.Hits) == 0 || res.Hits[0].Name != fmt.Sprintf("%05d.txt", last-1) {
			t.Fatalf("round %d: the document acknowledged last is not found: %+v, %v", round, res, err)
		}
		if err := lib.Close(); err != nil {
			t.Fatal(err)
		}
		checkWhole(t, follower)
	}
	before := follower.Generation()
	for range 20 {
		if !out.Scan() {
			t.Fatal("the writer ended")
		}
		last++
	}
	for deadline := time.Now().Add(5 * time.Minute); checkWhole(t, follower) < last; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the reader does not follow: generation %d, before %d", follower.Generation(), before)
		}
	}
	if _, err := follower.Add(t.Context(), docsearch.Bytes("new.txt", []byte("new"))); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("Add to a read-only library: %v", err)
	}
	// The readers that are open do not keep the folder from being written, and outlive the writer.
	cmd.Process.Kill()
	cmd.Wait()
	if err := openDir(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	checkWhole(t, follower)
	if runtime.GOOS == "windows" { // the links of a reader cannot be removed before it and the writer beside it have closed the files
		if err := follower.Close(); err != nil {
			t.Fatal(err)
		}
		if err := openDir(t, dir).Close(); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "reader-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A reader writes nothing into the folder, and leaves nothing where temporary files are.
func TestReaderLeavesNothing(t *testing.T) {
	dir, tmp := t.TempDir(), t.TempDir()
	lib := openDir(t, dir)
	if _, err := lib.Add(t.Context(), docsearch.Bytes("00001.txt", []byte(content(1)))); err != nil {
		t.Fatal(err)
	}
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	list := func(dir string) string {
		var all strings.Builder
		err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
			if err != nil {
				return err
			}
			if info.IsDir() && runtime.GOOS == "windows" { // its links are made in the folder, and removed
				fmt.Fprintln(&all, path)
				return nil
			}
			fmt.Fprintln(&all, path, info.ModTime(), info.Size())
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return all.String()
	}
	t.Setenv("TMPDIR", tmp)
	before := list(dir)
	ro := openReader(t, dir)
	if checkWhole(t, ro) != 1 {
		t.Error("the document is not there")
	}
	if err := ro.Close(); err != nil {
		t.Fatal(err)
	}
	if after := list(dir); after != before {
		t.Errorf("a reader changed the folder:\n%s\nbefore:\n%s", after, before)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Searches and changes in one process: a search sees whole documents only, and never fewer than were there before it.
func TestSearchWhileAdding(t *testing.T) {
	lib := openDir(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const docs = 60
	var g errgroup.Group
	searcher := func() error {
		low, generation := 0, uint64(0)
		for low < docs { // until the last one is seen, so that each searches beside all of the adding
			res, err := lib.Search(ctx, "common", &docsearch.SearchOptions{Limit: docs})
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				return err
			}
			if len(res.Hits) < low || res.Freshness.Generation < generation {
				return fmt.Errorf("%d hits at generation %d after %d at %d", len(res.Hits), res.Freshness.Generation, low, generation)
			}
			low, generation = len(res.Hits), res.Freshness.Generation
			for _, h := range res.Hits {
				x, err := lib.Read(ctx, h.Doc, nil)
				if ctx.Err() != nil {
					return nil
				}
				var i int
				fmt.Sscanf(h.Name, "%d", &i)
				if err != nil || x.Text != content(i) {
					return fmt.Errorf("%s: %v, or its text is another", h.Name, err)
				}
			}
		}
		return nil
	}
	for range 3 {
		g.Go(searcher)
	}
	for i := range docs {
		if _, err := lib.Add(t.Context(), docsearch.Bytes(fmt.Sprintf("%05d.txt", i), []byte(content(i)))); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}
