package hostile

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime/metrics"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
)

// most is how much memory opening an index of some kilobytes may ask for in all.
const most = 200 << 20

func allocated() uint64 {
	m := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return m[0].Value.Uint64()
}

// craftedAttacks bring indexes of this user whose numbers are wrong and whose checksums are right.
func craftedAttacks() []Attack {
	var out []Attack
	docs := func(name, pattern string, craft func(b []byte) []byte) {
		out = append(out, Attack{"indexes", name, "an error of the format or an answer, in bounded memory", func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "docs")
			lib, err := blevestore.Open(t.Context(), dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := lib.Add(t.Context(), docsearch.Bytes("a.txt", []byte("some common words of a text"))); err != nil {
				t.Fatal(err)
			}
			if err := lib.Close(); err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(dir, "index", pattern))
			if err != nil || len(files) == 0 {
				t.Fatalf("%v, %v", files, err)
			}
			b, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(files[0], craft(b), 0o600); err != nil {
				t.Fatal(err)
			}
			before := allocated()
			for _, ro := range []bool{true, false} {
				lib, err := blevestore.Open(t.Context(), dir, &blevestore.Options{ReadOnly: ro})
				if err == nil {
					_, err = lib.Search(t.Context(), "common words", nil)
					err = errors.Join(err, lib.Close())
				}
				if err != nil && !errors.Is(err, docsearch.ErrFormat) {
					t.Errorf("%v, want an error of the format", err)
				}
			}
			if used := allocated() - before; used > most {
				t.Errorf("%d MB were asked for", used>>20)
			}
		}})
	}
	// bolt changes both states of a list of segments, and seals them.
	bolt := func(craft func(b, meta []byte)) func(b []byte) []byte {
		return func(b []byte) []byte {
			size := int(binary.NativeEndian.Uint32(b[24:]))
			for _, at := range []int{0, size} {
				meta := b[at+16:]
				craft(b, meta)
				sum := fnv.New64a()
				sum.Write(meta[:56])
				binary.NativeEndian.PutUint64(meta[56:], sum.Sum64())
			}
			return b
		}
	}
	u := binary.NativeEndian
	page := func(b, meta []byte, at int) []byte { return b[int(u.Uint64(meta[at:]))*int(u.Uint32(meta[8:])):] }
	docs("a list of segments whose page leads to itself", "root.bolt", bolt(func(b, meta []byte) {
		p := page(b, meta, 16)
		u.PutUint16(p[8:], 1)
		u.PutUint16(p[10:], 1)
		u.PutUint32(p[16:], 16)
		u.PutUint32(p[20:], 1)
		u.PutUint64(p[24:], u.Uint64(meta[16:]))
	}))
	docs("a list of segments with free pages without end", "root.bolt", bolt(func(b, meta []byte) {
		p := page(b, meta, 32)
		u.PutUint16(p[10:], 0xffff)
		u.PutUint64(p[16:], 1<<60)
	}))
	docs("a list of segments whose pages have no size", "root.bolt", bolt(func(_, meta []byte) { u.PutUint32(meta[8:], 0) }))
	docs("a segment of terabytes of entries within others", "*.zap", func(b []byte) []byte {
		foot := b[len(b)-40:]
		field := binary.BigEndian.Uint64(b[binary.BigEndian.Uint64(foot[20:])+1:])
		binary.BigEndian.PutUint64(foot[4:], 1<<40)
		binary.BigEndian.PutUint64(foot[12:], field-1<<43)
		return b
	})
	docs("a segment whose stored values unfold to gigabytes", "*.zap", func(b []byte) []byte {
		at := binary.BigEndian.Uint64(b[binary.BigEndian.Uint64(b[len(b)-28:]):])
		meta, n := binary.Uvarint(b[at:])
		_, k := binary.Uvarint(b[int(at)+n:])
		id, _ := binary.Uvarint(b[int(at)+n+k:])
		copy(b[at+uint64(n+k)+meta+id:], []byte{0xff, 0xff, 0xff, 0xff, 0x0f})
		return b
	})
	out = append(out, Attack{"indexes", "a code graph of a million free slots to a file", "rebuilt, in bounded memory", func(t *testing.T) {
		w := newWorld(t)
		dir := filepath.Join(w.base, "graph")
		open := func() {
			ix, err := codegraph.Open(t.Context(), dir, w.repo, findspot.Languages(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer ix.Close()
			if _, err := ix.Graph().Search(t.Context(), "good", nil); err != nil {
				t.Error(err)
			}
		}
		open()
		file := filepath.Join(dir, "base.seg")
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// The state, which is the first section, becomes one of slots alone.
		const head = 8 + 4 + 4 + 8
		state := append([]byte{0, 0, 0, 0, 0, 0}, 0x80, 0x80, 0x80, 0x02) // no settings, nothing left out, no folders; 4 M slots
		state = append(state, make([]byte, 4<<20)...)
		castagnoli := crc32.MakeTable(crc32.Castagnoli)
		binary.LittleEndian.PutUint64(b[head:], uint64(len(b)))
		binary.LittleEndian.PutUint64(b[head+8:], uint64(len(state)))
		binary.LittleEndian.PutUint32(b[head+16:], crc32.Checksum(state, castagnoli))
		sum := head + 6*20
		binary.LittleEndian.PutUint32(b[sum:], crc32.Checksum(b[:sum], castagnoli))
		if err := os.WriteFile(file, append(b, state...), 0o600); err != nil {
			t.Fatal(err)
		}
		before := allocated()
		open()
		if used := allocated() - before; used > most {
			t.Errorf("%d MB were asked for", used>>20)
		}
	}})
	return out
}
