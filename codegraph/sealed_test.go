package codegraph

import (
	"context"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/internal/segment"
	"github.com/findspot/findspot/codegraph/internal/storage"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/disk"
)

// damageRepo is a small repository whose graph has what a saved one can have: edges into other files, edges that others make,
// holes where functions were, names that lead nowhere, folders, text of no language.
var damageRepo = map[string]string{
	"go.mod":        "module m\n\ngo 1.26\n",
	"README.md":     "# words about words\n\nHow a word is found.\n",
	"a.go":          "package a\n\nimport \"m/sub\"\n\ntype T struct{ n int }\n\nfunc (t *T) Run(x int) error { return sub.Help(t.n, x) }\n\nfunc main() { t := &T{}; t.Run(1); missing(2) }\n",
	"sub/b.go":      "package sub\n\ntype Runner interface{ Run(int) error }\n\nfunc Help(a, b int) error { return other(a + b) }\n\nfunc other(n int) error { return nil }\n",
	"sub/b_test.go": "package sub\n\nimport \"testing\"\n\nfunc TestHelp(t *testing.T) { Help(1, 2); other(3) }\n",
}

func writeRepo(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for p, text := range files {
		p = filepath.Join(root, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func openDamaged(ctx context.Context, dir, root string) (*Index, error) {
	return Open(ctx, dir, root, []lang.Frontend{gosyntax.Frontend()}, nil)
}

// savedRepo saves an index of damageRepo with a log of three updates, and gives its two files.
func savedRepo(t testing.TB, root string) (base, log []byte) {
	t.Helper()
	dir := t.TempDir()
	writeRepo(t, root, damageRepo)
	ix, err := openDamaged(t.Context(), dir, root)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	for _, change := range []map[string]string{
		{"sub/b.go": "package sub\n\ntype Runner interface{ Run(int) error }\n\nfunc Help(a, b int) error { return nil }\n"},
		{"new/c.go": "package c\n\nfunc New() { undefined() }\n"},
		{"sub/b.go": damageRepo["sub/b.go"]},
	} {
		writeRepo(t, root, change)
		if _, err := ix.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	return read(segment.FileName), read(segment.LogName)
}

// A patch changes one place of the saved bytes. Patches are ten bytes each: what is patched, how, where (uint32), the value (uint32).
func patch(parts [][]byte, patches []byte) {
	for ; len(patches) >= 10; patches = patches[10:] {
		p := &parts[int(patches[0])%len(parts)]
		at, v := int(binary.LittleEndian.Uint32(patches[2:])), binary.LittleEndian.Uint32(patches[6:])
		if len(*p) == 0 {
			continue
		}
		at %= len(*p)
		b := slices.Clone(*p)
		switch patches[1] % 6 {
		case 0:
			b[at] = byte(v)
		case 1:
			if at = at &^ 3; at+4 <= len(b) {
				binary.LittleEndian.PutUint32(b[at:], v)
			}
		case 2:
			if at = at &^ 3; at+4 <= len(b) {
				binary.LittleEndian.PutUint32(b[at:], binary.LittleEndian.Uint32(b[at:])+uint32(int8(v)))
			}
		case 3:
			b = b[:at]
		case 4:
			b = slices.Insert(b, at, byte(v))
		case 5:
			b = slices.Delete(b, at, at+1)
		}
		*p = b
	}
}

func onePatch(part, how byte, at, v uint32) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{part, how}, at)
	return binary.LittleEndian.AppendUint32(b, v)
}

// unseal gives the sections of a segment and the records of a log.
func unseal(t testing.TB, base, log []byte) [][]byte {
	t.Helper()
	var parts [][]byte
	for i := range segment.Sections {
		at := base[segment.HeadSize-4-20*(segment.Sections-i):]
		off, n := binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])
		parts = append(parts, base[off:off+n])
	}
	for at := segment.LogHeadSize; at < len(log); {
		n := int(binary.LittleEndian.Uint32(log[at:]))
		parts = append(parts, log[at+8:at+8+n])
		at += 8 + n
	}
	return parts
}

// seal writes sections and records with right checksums.
func seal(t testing.TB, dir string, parts [][]byte) {
	t.Helper()
	const id = 7
	head, body := segment.Head(id, [segment.Sections][]byte(parts[:segment.Sections])), []byte(nil)
	for _, p := range parts[:segment.Sections] {
		body = append(body, p...)
	}
	log := segment.LogHead(id)
	for _, p := range parts[segment.Sections:] {
		log = binary.LittleEndian.AppendUint32(log, uint32(len(p)))
		log = binary.LittleEndian.AppendUint32(log, segment.RecordSum(id, p))
		log = append(log, p...)
	}
	for name, b := range map[string][]byte{segment.FileName: append(head, body...), segment.LogName: log} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// exercise asks a graph everything.
func exercise(t testing.TB, g *Graph) {
	t.Helper()
	var ids []string
	for e := range g.Entities() {
		ids = append(ids, e.ID)
		g.Enclosing(e.Path, e.Line)
		g.Unresolved(e.Name)
		g.Named(e.Name)
	}
	for range g.Edges() {
	}
	for range g.s.AllUnresolved {
	}
	for _, query := range []string{"help", "how words are found", "T.Run", "sub/b.go:5", "rnu"} {
		_, _ = g.Search(t.Context(), query, &SearchOptions{View: Preview}) // an error is an answer, too
	}
	g.Near("Hlep", 3)
	for _, d := range []Direction{Callers, Callees, Both} {
		if w, err := g.Traverse(t.Context(), ids[:min(len(ids), 3)], &TraverseOptions{Direction: d, Hops: 2}); err == nil {
			_, _ = w.Write(io.Discard, nil)
		}
	}
	_, _ = g.Retrieve(t.Context(), ids[:min(len(ids), 3)], nil)
}

// Whatever is in an index whose checksums are right, it is read, or there is an error, or it is made anew: nothing fails hard.
func FuzzSealed(f *testing.F) {
	root, dir := f.TempDir(), f.TempDir()
	base, log := savedRepo(f, root)
	parts := unseal(f, base, log)
	for i := range parts {
		for _, at := range []uint32{0, 4, 8, 40, 77, 200} {
			f.Add(onePatch(byte(i), 1, at, 0xffffffff))
			f.Add(onePatch(byte(i), 0, at, 1))
		}
	}
	f.Fuzz(func(t *testing.T, patches []byte) { openPatched(t, root, dir, parts, patches) })
}

func openPatched(t *testing.T, root, dir string, parts [][]byte, patches []byte) {
	t.Helper()
	p := slices.Clone(parts)
	patch(p, patches)
	seal(t, dir, p)
	before := allocated()
	loadSealed(t, root, dir)
	ix, err := openDamaged(t.Context(), dir, root)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	exercise(t, ix.Graph())
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
	if used := allocated() - before; used > 1<<30 { // the index has some KB
		t.Errorf("%d MB were asked for", used>>20)
	}
}

// loadSealed loads an index as a reader does and asks it everything; nil when it is refused.
func loadSealed(t testing.TB, root, dir string) *Graph {
	t.Helper()
	folder, err := disk.OpenFolder(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	h := &storage.Storage{Dir: folder}
	saved, err := h.Load(os.DirFS(root), nil)
	if err != nil {
		return nil
	}
	g := newGraph(saved.Graph)
	exercise(t, g)
	for _, f := range saved.State.Files {
		_, _ = h.Facts(f.Key, f.Size)
	}
	return g
}

// What FuzzSealed tries, at random places: most of them are numbers that lead somewhere.
func TestSealedAtRandom(t *testing.T) {
	rounds := 100
	if n, err := strconv.Atoi(os.Getenv("FINDSPOT_DAMAGE_ROUNDS")); err == nil {
		rounds = n
	}
	root, dir := t.TempDir(), t.TempDir()
	base, log := savedRepo(t, root)
	parts := unseal(t, base, log)
	seed := uint64(1)
	if rounds > 100 {
		seed = rand.Uint64()
	}
	r := rand.New(rand.NewPCG(seed, 2))
	for range rounds {
		var patches []byte
		for range 1 + r.IntN(3) {
			part := r.IntN(len(parts))
			values := []uint32{0, 1, 2, 3, 7, 127, 128, 255, 1 << 16, 1<<24 - 1, 1 << 31, 1<<32 - 1, uint32(len(parts[part])), r.Uint32()}
			patches = append(patches, onePatch(byte(part), byte(r.IntN(6)), r.Uint32(), values[r.IntN(len(values))])...)
		}
		if !t.Run("", func(t *testing.T) { openPatched(t, root, dir, parts, patches) }) {
			t.Fatalf("patches %x", patches)
		}
	}
}

// Damage that checksums tell is found: what is opened is the graph that a fresh index has.
func FuzzDamaged(f *testing.F) {
	root, dir := f.TempDir(), f.TempDir()
	base, log := savedRepo(f, root)
	ix, err := openDamaged(f.Context(), f.TempDir(), root)
	if err != nil {
		f.Fatal(err)
	}
	want := slices.Collect(ix.Graph().Edges())
	ix.Close()
	for i := range uint32(24) {
		f.Add(onePatch(byte(i%2), byte(i%6), i*97, 0x55))
	}
	f.Fuzz(func(t *testing.T, patches []byte) {
		p := [][]byte{base, log}
		patch(p, patches)
		for i, name := range []string{segment.FileName, segment.LogName} {
			if err := os.WriteFile(filepath.Join(dir, name), p[i], 0o666); err != nil {
				t.Fatal(err)
			}
		}
		ix, err := openDamaged(t.Context(), dir, root)
		if err != nil {
			return // a newer version
		}
		defer ix.Close()
		if diff := cmp.Diff(want, slices.Collect(ix.Graph().Edges())); diff != "" {
			t.Errorf("edges (-fresh +opened):\n%s", diff)
		}
	})
}
