package blevestore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/memstore"
	"github.com/findspot/findspot/internal/errs"
)

// TestMain lets the test binary be the other process: with FINDSPOT_TEST_ADD it adds documents to that folder until it is
// killed, printing the name of each that was acknowledged.
func TestMain(m *testing.M) {
	if dir := os.Getenv("FINDSPOT_TEST_KILL"); dir != "" {
		killed(dir)
	}
	if dir := os.Getenv("FINDSPOT_TEST_DENIED"); dir != "" {
		denied(dir)
		return
	}
	dir := os.Getenv("FINDSPOT_TEST_ADD")
	if dir == "" {
		os.Exit(m.Run())
	}
	lib, err := blevestore.Open(context.Background(), dir, nil)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("open")
	have, err := lib.Documents(context.Background())
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	const few = 25 // added at a time, so that few documents are many writes
	for first := len(have) / few * few; ; first += few {
		for d, err := range lib.AddAll(context.Background(), sources(first, first+few)) {
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Printf("%s%500s\n", d.Name, "") // so long that it is a hundred documents ahead of who reads at most: then the pipe is full
		}
	}
}

func content(i int) string {
	return fmt.Sprintf("Document number%d\n\n%s\n", i, strings.Repeat(fmt.Sprintf("filler common word%d and text. ", i), 50+i%7*100))
}

func sources(first, end int) func(func(docsearch.Source, error) bool) {
	return func(yield func(docsearch.Source, error) bool) {
		for i := first; i < end; i++ {
			if !yield(docsearch.Bytes(fmt.Sprintf("%05d.txt", i), []byte(content(i))), nil) {
				return
			}
		}
	}
}

func openDir(t *testing.T, dir string) *docsearch.Library {
	t.Helper()
	lib, err := blevestore.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return lib
}

// other starts the other process and returns its output.
func other(t *testing.T, dir string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "FINDSPOT_TEST_ADD="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	sc := bufio.NewScanner(out)
	if !sc.Scan() || sc.Text() != "open" {
		t.Fatalf("the other process: %q", sc.Text())
	}
	return cmd, sc
}

func TestKill(t *testing.T) {
	dir := t.TempDir()
	kills := 12
	if testing.Short() {
		kills = 2
	}
	sure := map[string]bool{}
	for round := range kills {
		cmd, out := other(t, dir)
		for n := round * 37 % 150; n >= 0 && out.Scan(); n-- {
			sure[strings.TrimSpace(out.Text())] = true
		}
		time.AfterFunc(time.Duration(round%5)*7*time.Millisecond, func() { cmd.Process.Kill() })
		for out.Scan() {
			sure[strings.TrimSpace(out.Text())] = true
		}
		cmd.Wait()

		lib, err := blevestore.Open(t.Context(), dir, nil)
		if err != nil {
			t.Fatalf("after kill %d: %v", round, err)
		}
		docs, err := lib.Documents(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		have := map[string]bool{}
		if len(sure) == 0 {
			t.Fatal("nothing was acknowledged: nothing can be lost")
		}
		chunks := 0
		for _, d := range docs {
			have[d.Name] = true
			text, err := lib.Read(t.Context(), d.ID, nil)
			var i int
			fmt.Sscanf(d.Name, "%d", &i)
			if err != nil || text.Text != content(i) {
				t.Fatalf("after kill %d: %s has %d bytes of %d, %v", round, d.Name, len(text.Text), len(content(i)), err)
			}
			chunks += len([]rune(content(i)))/3000 + 1
		}
		for name := range sure {
			if !have[name] {
				t.Fatalf("after kill %d: %s was acknowledged and is gone", round, name)
			}
		}
		res, err := lib.Search(t.Context(), "common", nil)
		if err != nil || res.Total != len(docs) && len(docs) <= 100 || res.Searched.Documents != len(docs) || res.Searched.Chunks > chunks {
			t.Fatalf("after kill %d: %d documents, search says %+v, %v", round, len(docs), res.Searched, err)
		}
		if err := lib.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLocked(t *testing.T) {
	dir := t.TempDir()
	cmd, _ := other(t, dir)
	_, err := blevestore.Open(t.Context(), dir, nil)
	locked, ok := errors.AsType[*errs.LockedError](err)
	if !ok || locked.PID != cmd.Process.Pid {
		t.Errorf("Open beside another process that writes: %v, want a LockedError with pid %d", err, cmd.Process.Pid)
	}
}

func TestReopen(t *testing.T) {
	dir := t.TempDir()
	lib := openDir(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	for _, err := range lib.AddAll(ctx, sources(0, 40)) { // interrupted
		if err != nil {
			break
		}
		if n++; n == 3 {
			cancel()
		}
	}
	cancel()
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	lib = openDir(t, dir)
	whole, err := memstore.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []*docsearch.Library{lib, whole} {
		for _, err := range l.AddAll(t.Context(), sources(0, 40)) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	gen := lib.Generation()
	for d, err := range lib.AddAll(t.Context(), sources(0, 40)) {
		if err != nil || d.Change != docsearch.Unchanged {
			t.Fatal(d, err)
		}
	}
	if lib.Generation() != gen {
		t.Error("adding unchanged documents changed the index")
	}
	compare(t, lib, whole, "number7", "common text", "document number12 filler", "word3 word4", "nothing of it")
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	ro, err := blevestore.Open(t.Context(), dir, &blevestore.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ro.Close()
	compare(t, ro, whole, "common text")
	if _, err := ro.Add(t.Context(), docsearch.Bytes("new.txt", []byte("new"))); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("Add to a read-only library: %v", err)
	}
}

// compare checks that two libraries answer alike.
func compare(t *testing.T, a, b *docsearch.Library, queries ...string) {
	t.Helper()
	for _, q := range queries {
		var out [2]string
		for i, l := range []*docsearch.Library{a, b} {
			res, err := l.Search(t.Context(), q, nil)
			if err != nil {
				t.Fatal(err)
			}
			res.Freshness = docsearch.Freshness{}
			data, err := json.MarshalIndent(res, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			out[i] = string(data)
		}
		if diff := cmp.Diff(out[1], out[0]); diff != "" {
			t.Errorf("Search(%q) (-memory +disk):\n%s", q, diff)
		}
	}
}

func TestVersion(t *testing.T) {
	dir := t.TempDir()
	if err := openDir(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "VERSION"), []byte("7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := blevestore.Open(t.Context(), dir, nil)
	if !errors.Is(err, docsearch.ErrFormat) || !strings.Contains(err.Error(), "7") || !strings.Contains(err.Error(), "1") {
		t.Errorf("a newer version: %v, want ErrFormat with both numbers", err)
	}
}

func TestBrokenIndex(t *testing.T) {
	dir := t.TempDir()
	if err := openDir(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "index", "root.bolt"), []byte(strings.Repeat("this is no database", 1000)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := blevestore.Open(t.Context(), dir, nil); !errors.Is(err, docsearch.ErrFormat) {
		t.Errorf("a broken index: %v, want ErrFormat", err)
	}
	if _, err := blevestore.Open(t.Context(), filepath.Join(dir, "none"), &blevestore.Options{ReadOnly: true}); !errors.Is(err, docsearch.ErrNotFound) {
		t.Errorf("read-only without an index: %v, want ErrNotFound", err)
	}
}

// A process that was killed while it made the folder has not made it useless.
func TestHalfMade(t *testing.T) {
	whole := t.TempDir()
	if err := openDir(t, whole).Close(); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(filepath.Join(whole, "index", "root.bolt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 10, 4096, 8192, 12288, len(first)} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(dir, "index", "root.bolt"), int64(n)); err != nil {
			t.Fatal(err)
		}
		lib := openDir(t, dir)
		if _, err := lib.Add(t.Context(), docsearch.Bytes("a.txt", []byte("some text"))); err != nil {
			t.Errorf("%d bytes of the first file were there: %v", n, err)
		}
	}
}

// What a broken file holds is never passed off as a smaller library: every call answers as before, or says ErrFormat.
func TestLostFiles(t *testing.T) {
	whole := t.TempDir()
	lib := openDir(t, whole)
	for i := range 3 { // several segments
		if _, err := lib.Add(t.Context(), docsearch.Bytes(fmt.Sprintf("%d.txt", i), []byte(content(i)))); err != nil {
			t.Fatal(err)
		}
	}
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(whole, "index", "*"))
	if err != nil || len(files) < 2 {
		t.Fatalf("files of the index: %v, %v", files, err)
	}
	for _, f := range files {
		for _, part := range []int64{-1, 0, 1, 2, 3} { // -1: the file is gone; else quarters of it that are left
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			broken := filepath.Join(dir, "index", filepath.Base(f))
			if part < 0 {
				err = os.Remove(broken)
			} else {
				var info os.FileInfo
				if info, err = os.Stat(broken); err == nil {
					err = os.Truncate(broken, info.Size()*part/4)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := readThrough(t, dir); err != nil && !errors.Is(err, docsearch.ErrFormat) {
				t.Errorf("%s, %d quarters left: %v, want ErrFormat", filepath.Base(f), part, err)
			}
		}
	}
}

// readThrough reads every document of the library in dir, which must be three.
func readThrough(t *testing.T, dir string) error {
	lib, err := blevestore.Open(t.Context(), dir, nil)
	if err != nil {
		return err
	}
	defer lib.Close()
	docs, err := lib.Documents(t.Context())
	if err != nil {
		return err
	}
	if len(docs) != 3 {
		return fmt.Errorf("%d documents, want 3", len(docs))
	}
	for i, d := range docs {
		x, err := lib.Read(t.Context(), d.ID, nil)
		if err != nil {
			return err
		}
		if x.Text != content(i) {
			return fmt.Errorf("the text of %s changed", d.Name)
		}
		res, err := lib.Search(t.Context(), fmt.Sprintf("number%d", i), nil)
		if err != nil {
			return err
		}
		if len(res.Hits) == 0 || res.Hits[0].Doc != d.ID {
			return fmt.Errorf("number%d is not found in %s first", i, d.Name)
		}
	}
	return nil
}
