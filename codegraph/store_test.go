package codegraph

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

// saved gives the sections of a segment, and a record of a log on it.
func saved(t testing.TB) (parts [sections][]byte, record []byte) {
	dir, root := t.TempDir(), t.TempDir()
	src := fstest.MapFS{"go.mod": {Data: []byte("module m\n")}, "a.go": {Data: []byte("package a\n\ntype T int\n\nfunc f() { g(); h() }\nfunc g() {}\n")}}
	if err := os.CopyFS(root, src); err != nil {
		t.Fatal(err)
	}
	ix, err := Open(t.Context(), dir, root, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	for i := range sections {
		if parts[i], err = ix.shelf.seg.read(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "b.go"), []byte("package a\n\nfunc (T) m() { f() }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	records, _, _, err := readLog(filepath.Join(dir, logName), ix.shelf.seg.id)
	if err != nil || len(records) != 1 {
		t.Fatal(len(records), err)
	}
	return parts, records[0]
}

// Whatever is in the files, reading gives a graph that can be walked, or an error. The checksums are made right, so that the
// parts behind them are reached.
func FuzzStore(f *testing.F) {
	parts, record := saved(f)
	f.Add(parts[secState], parts[secBlocks], parts[secBodies], record)
	f.Add([]byte{}, []byte{}, []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, state, blocks, bodies, record []byte) {
		dir := t.TempDir()
		p := parts
		p[secState], p[secBlocks], p[secBodies] = state, blocks, bodies
		if err := writeSegment(filepath.Join(dir, baseName), 7, p); err != nil {
			t.Fatal(err)
		}
		l, err := openLog(filepath.Join(dir, logName), 7, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.append(record); err != nil {
			t.Fatal(err)
		}
		if err := l.f.Close(); err != nil {
			t.Fatal(err)
		}
		h := &shelf{dir: dir}
		saved, err := h.load(fstest.MapFS{}, nil)
		if err != nil {
			return
		}
		g, st := saved.g, saved.st
		defer h.seg.f.Close()
		for e := range g.Entities() {
			g.Enclosing(e.Path, e.Line)
			g.Unresolved(e.Name)
			if _, err := g.Search(t.Context(), e.Name+" of words", nil); err != nil {
				return
			}
		}
		for range g.Edges() {
		}
		for _, f := range st.files {
			h.saved(f.key)
		}
	})
}
