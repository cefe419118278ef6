package segments

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/vector"
)

// vectorSegment makes a segment of documents with two vectors each, of 20 numbers. It returns it as it is in memory, and as it is opened from a file.
func vectorSegment(t *testing.T, name string, r *rand.Rand, docs int) (inMemory, opened segment.Segment) {
	t.Helper()
	enc := (&Encoders{}).Take()
	var all []*driver.Document
	for i := range docs {
		d := &driver.Document{ID: fmt.Sprintf("%s%05d", name, i)}
		for n := range 2 {
			v := make([]float32, 20)
			for k := range v {
				v[k] = float32(r.NormFloat64())
			}
			d.Records = append(d.Records, driver.Record{Kind: driver.KindChunk, N: n, Text: "text", Vector: v})
		}
		all = append(all, d)
	}
	items, _, err := enc.Encode(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	var results []index.Document
	for _, it := range items {
		results = append(results, it)
	}
	plugin := &segmentPlugin{}
	seg, _, err := plugin.New(results)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := seg.(segment.UnpersistedSegment).Persist(path); err != nil {
		t.Fatal(err)
	}
	return seg, openSegment(t, path)
}

func openSegment(t *testing.T, path string) segment.Segment {
	t.Helper()
	seg, err := (&segmentPlugin{}).Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { seg.Close() })
	return seg
}

// checkCodes makes sure that a segment has codes of all its vectors that are right, in the order of its entries.
func checkCodes(t *testing.T, what string, seg segment.Segment, vectors int) {
	t.Helper()
	lists, err := readCodes(seg)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	c := lists[codesKey{"c", 20}]
	if len(lists) != 1 || c == nil || c.len() != vectors {
		t.Fatalf("%s: codes of %d vectors in %d lists, want %d in one", what, lists.len(), len(lists), vectors)
	}
	row := 0
	for n := range uint32(seg.Count()) {
		if err := NewShard(seg, nil, 0).stored(n, "block", func(block []byte) {
			if err := eachVector(block, func(_ int, _ float32, v []byte) {
				want, w := vector.AppendCodes(nil, vector.Read(v))
				size := len(want)
				if c.entry(row) != n || !bytes.Equal(c.codes[row*size:(row+1)*size], want) || !bytes.Equal(c.weights[4*row:4*row+4], vector.AppendWeight(nil, w)) {
					t.Fatalf("%s: row %d is of entry %d, or has other codes; want those of entry %d", what, row, c.entry(row), n)
				}
				row++
			}); err != nil {
				t.Fatal(err)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if row != vectors {
		t.Errorf("%s: %d vectors, want %d", what, row, vectors)
	}
}

// TestCodes merges segments with codes and without, some of whose entries are gone.
func TestCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fresh, large := vectorSegment(t, "large", r, minCodes)
	_, small := vectorSegment(t, "small", r, minCodes/2-1)
	checkCodes(t, "a batch", large, 2*minCodes)
	if l, err := readCodes(small); l != nil || err != nil {
		t.Errorf("a small segment has codes of %d vectors, %v", l.len(), err)
	}
	plugin := &segmentPlugin{}
	merge := func(name string, drops *roaring.Bitmap, vectors int, segs ...segment.Segment) segment.Segment {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		all := make([]*roaring.Bitmap, len(segs))
		all[0] = drops
		_, size, err := plugin.MergeUsing(segs, all, path, nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if sum := crc32.ChecksumIEEE(b[:len(b)-4]); sum != binary.BigEndian.Uint32(b[len(b)-4:]) || int(size) != len(b) {
			t.Errorf("%s: %d bytes and the checksum %x, want %d and %x", name, size, b[len(b)-4:], len(b), sum)
		}
		out := openSegment(t, path)
		if vectors < minCodes {
			if l, err := readCodes(out); l != nil || err != nil {
				t.Errorf("%s has codes of %d vectors, %v", name, l.len(), err)
			}
		} else {
			checkCodes(t, name, out, vectors)
		}
		return out
	}
	var some *roaring.Bitmap
	{ // every third document: its own entry, two records and a block
		some = roaring.New()
		for n := uint64(0); n < large.Count(); n += 12 {
			some.AddRange(n, n+4)
		}
	}
	left := 2 * (minCodes - (minCodes+2)/3)
	both := merge("both", some, left+2*(minCodes/2-1), large, small)
	merge("again", nil, left+4*(minCodes/2-1), both, small)
	merge("not on disk yet", nil, 2*minCodes+2*(minCodes/2-1), fresh, small)
	merge("two small", nil, 4*(minCodes/2-1), small, small)
	merge("few are left", roaring.BitmapOf(3), 2*(minCodes/2-2), small)
}

// FuzzCodes reads codes of foreign bytes: what is read lies within them.
func FuzzCodes(f *testing.F) {
	l := codeLists{}
	block := binary.LittleEndian.AppendUint32(nil, 3)
	block = append(block, make([]byte, 8+4)...)
	block = vector.Append(block, []float32{1, 2, 3})
	if err := l.add("c", 7, block); err != nil {
		f.Fatal(err)
	}
	if err := l.add("t", 1, block); err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString("before")
	if err := writeCodes(&b, []codeLists{l}, func(_ int, n uint32) (uint32, bool) { return n + 1, true }); err != nil {
		f.Fatal(err)
	}
	back, err := parseCodes(b.Bytes())
	if err != nil || len(back) != 2 || back[codesKey{"c", 3}].entry(0) != 8 || cmp.Diff(back[codesKey{"t", 3}].codes, l[codesKey{"t", 3}].codes) != "" {
		f.Fatalf("codes read back: %v, %v", back, err)
	}
	f.Add(b.Bytes())
	f.Add(append(binary.LittleEndian.AppendUint64(nil, 1<<63), codesMark...))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := parseCodes(b)
		if err != nil && !errors.Is(err, errs.Format) {
			t.Errorf("parseCodes: %v, want Format", err)
		}
		size := 0
		for k, c := range l {
			if len(c.weights) != 4*c.len() || len(c.codes) != c.len()*vector.CodeSize(k.dims) {
				t.Errorf("%v: %d entries, %d bytes of weights, %d of codes", k, c.len(), len(c.weights), len(c.codes))
			}
			size += len(c.entries) + len(c.weights) + len(c.codes)
		}
		if size > len(b) {
			t.Errorf("%d bytes of codes in %d", size, len(b))
		}
	})
}
