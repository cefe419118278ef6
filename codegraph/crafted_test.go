package codegraph

import (
	"bytes"
	"encoding/binary"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/segment"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/walk"
)

// allocated is how much memory was ever asked for, in bytes.
func allocated() uint64 {
	m := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return m[0].Value.Uint64()
}

// asksFor fails when f asks for more than so many times the bytes that it reads.
func asksFor(t *testing.T, size, times int, f func()) {
	t.Helper()
	before := allocated()
	f()
	if used := allocated() - before; used > uint64(size*times) {
		t.Errorf("%d bytes are read with %d MB of memory, over %d times as much", size, used>>20, times)
	}
}

// Numbers of a segment ask for no more memory than what follows them has room for.
func TestCraftedState(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	base, log := savedRepo(t, root)
	const size = 4 << 20
	stateOf := func(rest func(w *scan.Writer)) []byte {
		var w scan.Writer
		w.General(&scan.State{Began: time.Now()}, nil)
		rest(&w)
		return w.Buf
	}
	// nested gives a tree of folders of which each says that it holds as many as there are bytes left.
	nested := func() []byte {
		var w scan.Writer
		w.General(&scan.State{Began: time.Now()}, nil)
		w.Buf = w.Buf[:len(w.Buf)-1] // no tree
		w.Uint(scan.TreeNew)
		w.Buf = append(w.Buf, make([]byte, 8)...)
		for range 1000 {
			w.Uint(scan.FolderNew)
			w.Stamp(walk.Stamp{})
			for range 5 { // rules, .gitignore, environment, files, odd ones
				w.Uint(0)
			}
			w.Uint(size / 4)
			w.Text("d")
		}
		return append(w.Buf, make([]byte, size)...)
	}
	for name, b := range map[string][]byte{
		"free slots": stateOf(func(w *scan.Writer) { w.Uint(size); w.Buf = append(w.Buf, make([]byte, size)...) }),
		"slots of no blocks": stateOf(func(w *scan.Writer) {
			const n = size / 8
			w.Uint(n)
			for i := range n {
				w.Text(string(binary.BigEndian.AppendUint32([]byte("d"), uint32(i)|1<<31)[:3]))
				w.Uint(0)
				w.Uint(0)
				w.Bool(false)
			}
			for i := range n {
				w.Uint(uint64(i))
			}
		}),
		"folders in folders": nested(),
		"files of no state": stateOf(func(w *scan.Writer) {
			w.Uint(size / 6)
			for range size / 6 {
				w.Text("d")
				w.Buf = append(w.Buf, 0, 0, 1, 0)
			}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			parts := slices.Clone(unseal(t, base, log)[:segment.Sections])
			parts[segment.State] = b
			seal(t, dir, parts)
			asksFor(t, len(b)+len(base), 40, func() {
				if g := loadSealed(t, root, dir); g != nil {
					t.Error("it is read")
				}
			})
		})
	}
}

// Facts that unfold to much more than their source could give are not read, from an index or from the pool.
func TestCraftedFacts(t *testing.T) {
	const exprs = 40 << 20
	facts := (&lang.Facts{Lang: "go"}).Append(nil)
	facts = append(facts[:len(facts)-3], binary.AppendUvarint(nil, exprs)...) // for the expressions, bindings and references
	packed := codec.Pack(append(facts, make([]byte, exprs+2)...))
	asksFor(t, len(packed), 40, func() {
		if _, err := codec.Unpack(packed, 1000); err == nil {
			t.Error("they are unpacked")
		}
	})
	p := &factpool.Pool{Dir: t.TempDir(), Size: factpool.PoolSize, Logger: slog.New(slog.DiscardHandler)}
	k := factpool.Key{Lang: "go", Ext: ".go", Version: 1}
	v := p.Visit(factpool.PoolLeast)
	v.Put(k, &factpool.Record{Packed: packed, Facts: bytes.Repeat([]byte{0}, exprs)})
	v.End()
	v = p.Visit(factpool.PoolLeast)
	defer v.End()
	asksFor(t, len(packed), 100, func() {
		if f, _ := v.Get(k, 1000); f != nil {
			t.Error("they are read")
		}
	})
}

// Free slots of an index that many files left are read.
func TestFreeSlots(t *testing.T) {
	root := t.TempDir()
	dir := t.TempDir()
	writeRepo(t, root, damageRepo)
	ix, err := openDamaged(t.Context(), dir, root)
	if err != nil {
		t.Fatal(err)
	}
	ix.minLog = 1 // so that each update writes the segment anew
	for i := range 3 {
		files := map[string]string{}
		for k := range 200 {
			files["gen/f"+strings.Repeat("x", i)+string(rune('a'+k%26))+strings.Repeat("y", k/26)+".go"] = "package gen\n"
		}
		writeRepo(t, root, files)
		if _, err := ix.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(root, "gen")); err != nil {
			t.Fatal(err)
		}
		if _, err := ix.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want := slices.Collect(ix.Graph().Edges())
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	g := loadSealed(t, root, dir)
	if g == nil || len(g.slots) < 600 {
		t.Fatalf("the index is not read, or has no free slots")
	}
	if got := slices.Collect(g.Edges()); len(got) != len(want) {
		t.Errorf("%d edges, want %d", len(got), len(want))
	}
}

// The number of a declaration asks for no memory.
func TestCraftedDeclaration(t *testing.T) {
	ix, err := openDamaged(t.Context(), t.TempDir(), func() string { root := t.TempDir(); writeRepo(t, root, damageRepo); return root }())
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	g := &Graph{slots: slices.Clone(ix.Graph().slots)}
	s, ok := ix.Graph().slotAt("a.go")
	if !ok {
		t.Fatal("a.go is not there")
	}
	raw := bytes.Clone(g.slots[s].b.Raw)
	binary.LittleEndian.PutUint32(raw[block.HeaderSize+4*(block.NodeWords+block.NodeDecl):], block.MaxLocal-1)
	if g.slots[s].b, err = block.Parse(raw); err != nil {
		t.Fatal(err)
	}
	a := &assembly{g: g, slotOf: map[string]uint32{"a.go": s}, locals: map[uint32]map[uint32]uint32{}}
	asksFor(t, len(raw), 40, func() {
		if _, _, err := a.number(&symtab.File{Path: "a.go", Facts: &lang.Facts{}}, 3); err == nil {
			t.Error("a declaration is found that is not there")
		}
	})
}
