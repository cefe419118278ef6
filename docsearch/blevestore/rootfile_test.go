package blevestore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
	"github.com/findspot/findspot/internal/errs"
)

// craftedIndex makes an index of several segments, and gives its folder.
func craftedIndex(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	lib, err := Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		text := strings.Repeat(fmt.Sprintf("some common words number%d of it\n", i), 20)
		if _, err := lib.Add(t.Context(), docsearch.Bytes(fmt.Sprintf("%d.txt", i), []byte(text))); err != nil {
			t.Fatal(err)
		}
	}
	if err := lib.Remove(t.Context(), "2.txt"); err != nil {
		t.Fatal(err)
	}
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// allocated is how much memory was ever asked for, in bytes.
func allocated() uint64 {
	m := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return m[0].Value.Uint64()
}

// useCrafted asks everything of an index that somebody else prepared, and writes into it. An error is an answer, as long as it wraps
// ErrFormat; a panic, no end and too much memory are none.
func useCrafted(t *testing.T, dir string) {
	t.Helper()
	before := allocated()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	check := func(what string, err error) bool {
		if err != nil && !errors.Is(err, errs.Format) && !errors.Is(err, errs.NotFound) {
			t.Errorf("%s: %v, want an error of the format", what, err)
		}
		return err == nil
	}
	for _, ro := range []bool{true, false} {
		lib, err := Open(ctx, dir, &Options{ReadOnly: ro})
		if !check("Open", err) {
			continue
		}
		_, err = lib.Check(ctx)
		check("Check", err)
		for _, q := range []string{"common words", `"common words"`, "comon", "number3"} {
			_, err := lib.Search(ctx, q, nil)
			check("Search", err)
		}
		if !ro {
			_, err := lib.Add(ctx, docsearch.Bytes("new.txt", []byte("some more words")))
			check("Add", err)
			check("Remove", lib.Remove(ctx, "1.txt"))
		}
		check("Close", lib.Close())
	}
	if ctx.Err() != nil {
		t.Error("it hangs")
	}
	if used := allocated() - before; used > 1<<30 {
		t.Errorf("%d MB were asked for", used>>20)
	}
}

// A bolt is the content of a root.bolt that is being changed.
type bolt struct {
	b []byte
	m segments.BoltMeta
}

func openBolt(t testing.TB, dir string) *bolt {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, indexDir, segments.BoltFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := segments.ReadMeta(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return &bolt{b, m}
}

// page gives a page up to the end of the file.
func (b *bolt) page(n uint64) []byte { return b.b[int64(n)*b.m.PageSize:] }

// meta gives the words of the newest state, or of the other one.
func (b *bolt) meta(newest bool) []byte {
	if newest == (b.m.At == 0) {
		return b.b[segments.PageHeader:]
	}
	return b.b[b.m.PageSize+segments.PageHeader:]
}

// save writes the file with right checksums.
func (b *bolt) save(t testing.TB, dir string) {
	t.Helper()
	for _, newest := range []bool{true, false} {
		sealMeta(b.meta(newest))
	}
	if err := os.WriteFile(filepath.Join(dir, indexDir, segments.BoltFile), b.b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func sealMeta(b []byte) {
	sum := fnv.New64a()
	sum.Write(b[:segments.MetaSize-8])
	binary.NativeEndian.PutUint64(b[segments.MetaSize-8:], sum.Sum64())
}

// branch makes a page lead to others.
func branch(p []byte, to ...uint64) {
	u := binary.NativeEndian
	u.PutUint16(p[8:], segments.PageBranch)
	u.PutUint16(p[10:], uint16(len(to)))
	key := segments.PageHeader + len(to)*segments.ElementSize
	for i, n := range to {
		e := segments.PageHeader + i*segments.ElementSize
		u.PutUint32(p[e:], uint32(key+i-e))
		u.PutUint32(p[e+4:], 1)
		u.PutUint64(p[e+8:], n)
		p[key+i] = byte('a' + i)
	}
}

// What the engine believes of its list of segments, and must not: bbolt ends the program where pages go in circles, or does not end.
func TestCraftedRootFile(t *testing.T) {
	whole := craftedIndex(t)
	u := binary.NativeEndian
	// value gives that of the first entry of a page.
	value := func(p []byte) []byte {
		e := p[segments.PageHeader:]
		return e[u.Uint32(e[4:])+u.Uint32(e[8:]):]
	}
	for name, craft := range map[string]func(b *bolt){
		"a page that leads to itself": func(b *bolt) { branch(b.page(b.m.Root), b.m.Root) },
		"two pages that lead to one another": func(b *bolt) {
			branch(b.page(b.m.Root), u.Uint64(value(b.page(b.m.Root))))
			branch(b.page(u.Uint64(b.page(b.m.Root)[segments.PageHeader+8:])), b.m.Root)
		},
		"a bucket within itself":                     func(b *bolt) { u.PutUint64(value(b.page(b.m.Root)), b.m.Root) },
		"a page that leads nowhere":                  func(b *bolt) { branch(b.page(b.m.Root)) },
		"a page behind the last":                     func(b *bolt) { branch(b.page(b.m.Root), 1<<40) },
		"a page of another kind":                     func(b *bolt) { u.PutUint16(b.page(b.m.Root)[8:], segments.PageFree) },
		"more entries than a page has room for":      func(b *bolt) { u.PutUint16(b.page(b.m.Root)[10:], 0xffff) },
		"a key of four gigabytes":                    func(b *bolt) { u.PutUint32(b.page(b.m.Root)[segments.PageHeader+8:], 0xffffffff) },
		"a key of nothing":                           func(b *bolt) { u.PutUint32(b.page(b.m.Root)[segments.PageHeader+8:], 0) },
		"a bucket of three bytes":                    func(b *bolt) { u.PutUint32(b.page(b.m.Root)[segments.PageHeader+12:], 3) },
		"a page that flows over the end":             func(b *bolt) { u.PutUint32(b.page(b.m.Root)[12:], 0xffffffff) },
		"a root behind the last page":                func(b *bolt) { u.PutUint64(b.meta(true)[16:], 1<<50) },
		"a list of free pages that is a page in use": func(b *bolt) { u.PutUint64(b.meta(true)[32:], b.m.Root) },
		"free pages without end": func(b *bolt) {
			u.PutUint16(b.page(b.m.Free)[10:], 0xffff)
			u.PutUint64(b.page(b.m.Free)[segments.PageHeader:], 1<<60)
		},
		"a page in use that counts as free": func(b *bolt) {
			u.PutUint16(b.page(b.m.Free)[10:], 1)
			u.PutUint64(b.page(b.m.Free)[segments.PageHeader:], b.m.Root)
		},
		"a page that is free twice": func(b *bolt) {
			u.PutUint16(b.page(b.m.Free)[10:], 2)
			u.PutUint64(b.page(b.m.Free)[segments.PageHeader:], u.Uint64(b.page(b.m.Free)[segments.PageHeader+8:]))
		},
		"pages of 1 TB in all":       func(b *bolt) { u.PutUint64(b.meta(true)[40:], 1<<28) },
		"pages of no size":           func(b *bolt) { u.PutUint32(b.meta(true)[8:], 0) },
		"two states of other sizes":  func(b *bolt) { u.PutUint32(b.meta(b.m.At != 0)[8:], 1<<13) },
		"the first state of no size": func(b *bolt) { u.PutUint32(b.b[segments.PageHeader+8:], 0) },
		"a second state at odd places": func(b *bolt) {
			copy(b.b[1024:], b.b[b.m.At:b.m.At+segments.PageHeader+segments.MetaSize])
			clear(b.b[:segments.PageHeader+segments.MetaSize])
			u.PutUint32(b.b[1024+segments.PageHeader+8:], 1<<13)
			sealMeta(b.b[1024+segments.PageHeader:])
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			b := openBolt(t, dir)
			craft(b)
			b.save(t, dir)
			for _, ro := range []bool{true, false} {
				lib, err := Open(t.Context(), dir, &Options{ReadOnly: ro})
				if !errors.Is(err, errs.Format) || !strings.Contains(err.Error(), segments.BoltFile) {
					t.Errorf("Open = %v, want an error of the format that names %s", err, segments.BoltFile)
				}
				if err == nil {
					lib.Close()
				}
			}
		})
	}
}

// A patch of a file is ten bytes: how, one that is left out, where (uint32), the value (uint32).
func patchFile(b []byte, patches []byte) []byte {
	for ; len(patches) >= 10 && len(b) > 8; patches = patches[10:] {
		at, v := int(binary.LittleEndian.Uint32(patches[2:]))%(len(b)-8), binary.LittleEndian.Uint32(patches[6:])
		switch patches[0] % 5 {
		case 0:
			b[at] = byte(v)
		case 1:
			binary.LittleEndian.PutUint32(b[at&^3:], v)
		case 2:
			binary.LittleEndian.PutUint16(b[at&^1:], uint16(v))
		case 3: // numbers of the segments are the other way round
			binary.BigEndian.PutUint64(b[at:], uint64(int32(v)))
		case 4:
			copy(b[at:], b[int(v)%len(b):min(len(b), int(v)%len(b)+64)])
		}
	}
	return b
}

func filePatch(how byte, at, v uint32) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{how, 0}, at)
	return binary.LittleEndian.AppendUint32(b, v)
}

// Whatever is in the list of segments, with right checksums, the index is read or there is an error: nothing fails hard.
func FuzzRootFile(f *testing.F) {
	whole := craftedIndex(f)
	b := openBolt(f, whole)
	for page := range uint32(b.m.Pages) {
		for _, at := range []uint32{0, 8, 10, 12, 16, 20, 24, 28, 40, 60} {
			f.Add(filePatch(1, page*uint32(b.m.PageSize)+at, 0xffffffff))
			f.Add(filePatch(2, page*uint32(b.m.PageSize)+at, uint32(b.m.Root)))
		}
	}
	fuzzFile(f, whole, filepath.Join(indexDir, segments.BoltFile), func(t *testing.T, dir string, data []byte) {
		(&bolt{data, b.m}).save(t, dir)
	})
}

// fuzzFile patches one file of an index over and over, and uses the index.
func fuzzFile(f *testing.F, whole, name string, save func(t *testing.T, dir string, data []byte)) {
	data, err := os.ReadFile(filepath.Join(whole, name))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, patches []byte) {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		save(t, dir, patchFile(slices.Clone(data), patches))
		useCrafted(t, dir)
	})
}
