package codegraph_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/errs"
)

func TestIndex(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "code", "m")
	write(t, root, repo())
	ix := open(t, dir, root)
	if c := ix.Changes(); c.Added != 3 || c.Unchanged != 0 || c.Rebuilt != "" {
		t.Errorf("first pass: %+v", c)
	}
	first := ix.Graph()
	want := dump(build(t, os.DirFS(root)))
	if d := cmp.Diff(want, dump(first)); d != "" {
		t.Errorf("index differs from a build (-want +got):\n%s", d)
	}
	var locked *errs.LockedError
	if _, err := codegraph.Open(t.Context(), dir, root, langs(), nil); !errors.As(err, &locked) {
		t.Errorf("second writer: %v", err)
	}
	write(t, root, fstest.MapFS{"radio/new.go": {Data: []byte("package radio\n\nfunc (r *Receiver) undo() { undefined() }\nfunc undefined() {}\n")}})
	if c, err := ix.Update(t.Context()); err != nil || c.Added != 1 || c.Unchanged != 3 {
		t.Errorf("Update = %+v, %v", c, err)
	}
	if d := cmp.Diff(want, dump(first)); d != "" {
		t.Errorf("a graph changed under its reader:\n%s", d)
	}
	want = dump(build(t, os.DirFS(root)))
	if d := cmp.Diff(want, dump(ix.Graph())); d != "" {
		t.Errorf("updated index (-want +got):\n%s", d)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Update(t.Context()); !errors.Is(err, codegraph.ErrClosed) {
		t.Errorf("Update after Close: %v", err)
	}
	ix = open(t, dir, root)
	if c := ix.Changes(); c.Unchanged != 4 || c.Added+c.Changed+c.Removed != 0 || c.Rebuilt != "" {
		t.Errorf("reopened: %+v", c)
	}
	if d := cmp.Diff(want, dump(ix.Graph())); d != "" {
		t.Errorf("reopened index (-want +got):\n%s", d)
	}
}

func TestDamagedIndex(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, repo())
	open(t, dir, root).Close()
	want := dump(build(t, os.DirFS(root)))
	p := filepath.Join(dir, "base.seg")
	good, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	bads := [][]byte{nil, good[:len(good)/2], good[:len(good)-1], []byte("rubbish")}
	for i := 0; i < len(good); i += 1 + len(good)/25 { // every part of it, the last byte too
		bad := bytes.Clone(good)
		bad[len(bad)-1-i] ^= 1
		bads = append(bads, bad)
	}
	for i, bad := range bads {
		if err := os.WriteFile(p, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		ix := open(t, dir, root)
		if c := ix.Changes(); c.Rebuilt == "" {
			t.Errorf("damage %d: not said that it was rebuilt: %+v", i, c)
		}
		if d := cmp.Diff(want, dump(ix.Graph())); d != "" {
			t.Errorf("damage %d (-want +got):\n%s", i, d)
		}
		ix.Close()
		ix = open(t, dir, root)
		if c := ix.Changes(); c.Rebuilt != "" || c.Unchanged != 3 {
			t.Errorf("damage %d was not repaired: %+v", i, c)
		}
		ix.Close()
	}
	for _, name := range []string{"base.seg", "delta.log"} {
		open(t, dir, root).Close()
		p := filepath.Join(dir, name)
		good, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		newer := bytes.Clone(good)
		newer[8] = 99
		binary.LittleEndian.PutUint32(newer[12:], crc32.Checksum(newer[:12], crc32.MakeTable(crc32.Castagnoli)))
		if err := os.WriteFile(p, newer, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err = codegraph.Open(t.Context(), dir, root, langs(), nil)
		if !errors.Is(err, codegraph.ErrFormat) || !strings.Contains(err.Error(), "99") || !strings.Contains(err.Error(), "2") {
			t.Errorf("newer %s: %v", name, err)
		}
		if err := os.WriteFile(p, good, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOldFormatIsRebuilt(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, repo())
	write(t, dir, fstest.MapFS{"facts": {Data: []byte("FSCGFACT")}, "files": {Data: []byte("FSCGFILE")}, "base.seg.tmp1": {Data: []byte("x")}})
	ix := open(t, dir, root)
	if c := ix.Changes(); !strings.Contains(c.Rebuilt, "format 1") || c.Added != 3 {
		t.Errorf("Changes = %+v", c)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 3 {
		t.Errorf("in the folder: %v, %v", left, err)
	}
}

// A process may die at any byte of a write to the log: what was acknowledged before is there, what was cut is read again, and
// the index says so.
func TestCrashInTheLog(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, repo())
	ix := open(t, dir, root)
	var graphs []string
	var sizes []int64
	p := filepath.Join(dir, "delta.log")
	for i := range 3 {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		graphs, sizes = append(graphs, dump(ix.Graph())), append(sizes, info.Size())
		write(t, root, fstest.MapFS{fmt.Sprintf("x%d.go", i): {Data: fmt.Appendf(nil, "package main\n\nfunc x%d() { main() }\n", i)}})
		if _, err := ix.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want := dump(ix.Graph())
	ix.Close()
	whole, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	base, err := os.ReadFile(filepath.Join(dir, "base.seg"))
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut < len(whole); cut += 1 + cut%61 {
		crashed := t.TempDir()
		write(t, crashed, fstest.MapFS{"base.seg": {Data: base}, "delta.log": {Data: whole[:cut]}})
		r, err := codegraph.Open(t.Context(), crashed, root, langs(), &codegraph.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		for at+1 < len(sizes) && sizes[at+1] <= int64(cut) {
			at++
		}
		if d := cmp.Diff(graphs[at], dump(r.Graph())); d != "" {
			t.Fatalf("read after %d of %d bytes (-want +got):\n%s", cut, len(whole), d)
		}
		r.Close()
		ix := open(t, crashed, root)
		if d := cmp.Diff(want, dump(ix.Graph())); d != "" {
			t.Fatalf("after %d of %d bytes (-want +got):\n%s", cut, len(whole), d)
		}
		if said := ix.Changes().Recovered != ""; said != !slices.Contains(append(sizes, 0), int64(cut)) {
			t.Errorf("after %d of %d bytes: Recovered = %q", cut, len(whole), ix.Changes().Recovered)
		}
		ix.Close()
	}
}

// Readers stand beside a writer and see what it has saved.
func TestReadOnly(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, repo())
	ro := &codegraph.Options{ReadOnly: true}
	if _, err := codegraph.Open(t.Context(), dir, root, langs(), ro); !errors.Is(err, codegraph.ErrNotFound) {
		t.Errorf("reading what is not there: %v", err)
	}
	ix := open(t, dir, root)
	r, err := codegraph.Open(t.Context(), dir, root, langs(), ro)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	before := r.Graph()
	if before != r.Graph() {
		t.Error("the graph is another without an update")
	}
	if d := cmp.Diff(dump(ix.Graph()), dump(r.Graph())); d != "" {
		t.Errorf("reader (-writer +reader):\n%s", d)
	}
	write(t, root, fstest.MapFS{"x.go": {Data: []byte("package main\n\nfunc x() { main() }\n")}})
	if _, err := ix.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c, err := r.Update(t.Context()); err != nil || r.Graph() == before || c.Added != 1 || c.Unchanged != 3 {
		t.Errorf("Update of a reader = %+v, %v", c, err)
	}
	if d := cmp.Diff(dump(ix.Graph()), dump(r.Graph())); d != "" {
		t.Errorf("reader after an update (-writer +reader):\n%s", d)
	}
	res, err := r.Graph().Search(t.Context(), "the primary sequence", nil)
	if err != nil || len(res.Hits) == 0 || res.Hits[0].ID != "radio/rx.go:Receiver.DetectPSS" {
		t.Errorf("Search of a reader = %+v, %v", res, err)
	}
}

func TestInterrupt(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	files := repo()
	for i := range 60 {
		files[fmt.Sprintf("radio/f%02d.go", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "package radio\n\nfunc F%d() { F%d() }\n", i, (i+7)%60)}
	}
	write(t, root, files)
	want := dump(build(t, os.DirFS(root)))
	for stop := 0; stop < 64; stop += 9 {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		_, err := codegraph.Open(ctx, dir, root, langs(), &codegraph.Options{Progress: func(codegraph.Progress) {
			if n++; n > stop {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted after %d files: %v", stop, err)
		}
	}
	if d := cmp.Diff(want, dump(open(t, dir, root).Graph())); d != "" {
		t.Errorf("after interrupts (-want +got):\n%s", d)
	}
}

// After random edits the graph kept up to date equals a fresh one.
func TestRandomEdits(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, repo())
	ix := open(t, dir, root)
	rnd := rand.New(rand.NewPCG(1, 2))
	names := []string{"Run", "Stop", "Make", "Load", "Send"}
	body := func(pkg string) []byte {
		var b strings.Builder
		fmt.Fprintf(&b, "package %s\n\nimport \"example.com/m/p%d\"\n\ntype T%d struct{ *U }\n", pkg, rnd.IntN(3), rnd.IntN(3))
		for range 1 + rnd.IntN(4) {
			fmt.Fprintf(&b, "func (t *T%d) %s() { %s(); t.%s(); p%d.%s() }\n", rnd.IntN(3), names[rnd.IntN(5)], names[rnd.IntN(5)], names[rnd.IntN(5)], rnd.IntN(3), names[rnd.IntN(5)])
			fmt.Fprintf(&b, "func %s() *T%d { return nil }\n", names[rnd.IntN(5)], rnd.IntN(3))
		}
		return []byte(b.String())
	}
	for i := range 60 {
		for range 1 + rnd.IntN(4) {
			pkg := fmt.Sprintf("p%d", rnd.IntN(3))
			p := filepath.Join(root, pkg, fmt.Sprintf("f%d.go", rnd.IntN(5)))
			switch rnd.IntN(4) {
			case 0:
				if err := os.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			case 1:
				if err := os.Rename(p, filepath.Join(root, pkg, fmt.Sprintf("f%d.go", rnd.IntN(5)))); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			default:
				if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, body(pkg), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		if i%20 == 19 {
			ix.Close()
			ix = open(t, dir, root)
		} else if _, err := ix.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(dump(build(t, os.DirFS(root))), dump(ix.Graph())); d != "" {
			t.Fatalf("after round %d (-want +got):\n%s", i, d)
		}
	}
}

func TestConcurrentReaders(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, repo())
	ix := open(t, dir, root)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				g := ix.Graph()
				if _, err := g.Search(t.Context(), "detect", nil); err != nil {
					t.Error(err)
				}
				if _, err := g.Traverse(t.Context(), []string{"main.go:main"}, &codegraph.TraverseOptions{Direction: codegraph.Both, Hops: 3}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 10 {
		write(t, root, fstest.MapFS{"x.go": {Data: fmt.Appendf(nil, "package main\n\nfunc x%d() {}\n", i)}})
		if _, err := ix.Update(t.Context()); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
}

// lockedFS refuses one folder, as permissions do for everybody but the superuser.
type lockedFS struct {
	fs.FS
	name string
}

func (l lockedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == l.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return fs.ReadDir(l.FS, name)
}

func TestUnreadableFolder(t *testing.T) {
	root := t.TempDir()
	write(t, root, repo())
	if err := os.Mkdir(filepath.Join(root, "locked"), 0o777); err != nil {
		t.Fatal(err)
	}
	g := build(t, lockedFS{os.DirFS(root), "locked"})
	want := []codegraph.Skip{{Path: "locked", Reason: "permission denied"}}
	if d := cmp.Diff(want, g.Skipped()); d != "" {
		t.Errorf("Skipped (-want +got):\n%s", d)
	}
	if n, _ := g.Len(); n < 5 {
		t.Errorf("%d entities: the rest was left out", n)
	}
}
