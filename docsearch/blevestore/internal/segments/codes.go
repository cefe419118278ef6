package segments

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"os"
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/vector"
)

// A segment with many vectors has their codes (internal/vector), too, so that a search need not read the vectors themselves. They stand before the
// footer, where zapx looks at nothing: for each kind and length of vectors the letter of the kind, that length and the number of vectors (4 bytes each),
// and then for all of these vectors, in the order of the entries that hold them, the number of the entry (4 bytes), the weight (4 bytes, a float) and the codes;
// behind all that the size of it (8 bytes) and codesMark. Low bytes come first.
const (
	codesMark   = "fs-codes"
	codesTail   = 8 + len(codesMark)
	codesHeader = 9
	// A segment with fewer vectors has no codes: they are looked at themselves, and what is found is exact.
	minCodes = 1024
	// maxDims bounds the length of vectors that have codes, so that what their products add up to fits into 32 bits.
	maxDims = 1 << 20
)

// codesKey is what vectors have in common that stand in one list.
type codesKey struct {
	kind string // its letter
	dims int
}

// codes are those of vectors of one kind and length.
type codes struct {
	entries []byte // numbers of the entries, in order
	weights []byte
	codes   []byte
}

func (c *codes) len() int           { return len(c.entries) / 4 }
func (c *codes) entry(i int) uint32 { return binary.LittleEndian.Uint32(c.entries[4*i:]) }

// codeLists are all codes of a segment.
type codeLists map[codesKey]*codes

func (l codeLists) len() (n int) {
	for _, c := range l {
		n += c.len()
	}
	return n
}

// add makes codes of the vectors of a block.
func (l codeLists) add(kind string, entry uint32, block []byte) error {
	var large error
	err := eachVector(block, func(_ int, _ float32, v []byte) {
		if len(v) > 4*maxDims {
			large = fmt.Errorf("%w: a vector of %d numbers, the limit is %d", errs.Unsupported, len(v)/4, maxDims)
			return
		}
		key := codesKey{kind, len(v) / 4}
		c := l[key]
		if c == nil {
			c = &codes{}
			l[key] = c
		}
		var w float32
		c.codes, w = vector.AppendCodes(c.codes, vector.Read(v))
		c.weights = vector.AppendWeight(c.weights, w)
		c.entries = binary.LittleEndian.AppendUint32(c.entries, entry)
	})
	return cmp.Or(err, large)
}

// codesOfItems makes the codes of a batch.
func codesOfItems(items []*item) (codeLists, error) {
	l := codeLists{}
	for i, it := range items {
		for _, s := range it.stored {
			if s.field != fieldNumber("block") {
				continue
			}
			for _, k := range it.terms {
				if err := l.add(k.term, uint32(i), s.value); err != nil {
					return nil, err
				}
			}
		}
	}
	return l, nil
}

// codesOfSegment returns the codes that a segment has, or makes them.
func codesOfSegment(seg segment.Segment) (codeLists, error) {
	l, err := readCodes(seg)
	if l != nil || err != nil {
		return l, err
	}
	l = codeLists{}
	s := NewShard(seg, nil, 0)
	for _, letter := range letters {
		ps, err := s.Postings("vec", letter)
		if err != nil {
			return nil, err
		}
		if ps == nil {
			continue
		}
		for it := ps.records.Iterator(); it.HasNext(); {
			n := it.Next()
			var bad error
			if err := cmp.Or(s.stored(n, "block", func(block []byte) { bad = l.add(letter, n, block) }), bad); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// readCodes returns the codes that a segment has, where they lie in its file, or nil.
func readCodes(seg segment.Segment) (codeLists, error) {
	z, ok := seg.(*zap.Segment)
	if !ok || len(z.Data()) < FooterSize+codesTail {
		return nil, nil
	}
	return parseCodes(z.Data()[:len(z.Data())-FooterSize])
}

// codesBounds returns where the codes at the end of b begin and end, and whether there are any. They begin below 0 when their size is wrong.
func codesBounds(b []byte) (begin, end int, some bool) {
	end = len(b) - codesTail
	if end < 0 || string(b[end+8:]) != codesMark {
		return len(b), len(b), false
	}
	size := binary.LittleEndian.Uint64(b[end:])
	if size > uint64(end) {
		return -1, end, true
	}
	return end - int(size), end, true
}

// parseCodes reads the codes at the end of b, or returns nil where there are none.
func parseCodes(b []byte) (codeLists, error) {
	bad := brokenSegment("codes of vectors")
	begin, end, some := codesBounds(b)
	if !some {
		return nil, nil
	}
	if begin < 0 {
		return nil, bad
	}
	b = b[begin:end]
	l := codeLists{}
	for len(b) > 0 {
		if len(b) < codesHeader {
			return nil, bad
		}
		dims, n := binary.LittleEndian.Uint32(b[1:]), int64(binary.LittleEndian.Uint32(b[5:]))
		key := codesKey{string(b[:1]), int(dims)}
		b = b[codesHeader:]
		if dims > maxDims || l[key] != nil {
			return nil, bad
		}
		row := 8 + vector.CodeSize(key.dims)
		if n > int64(len(b)/row) {
			return nil, bad
		}
		l[key] = &codes{entries: b[:4*n], weights: b[4*n : 8*n], codes: b[8*n : n*int64(row)]}
		b = b[n*int64(row):]
	}
	return l, nil
}

// writeCodes writes the codes of segments that are merged, in their order. number gives the new number of an entry, or false where it is dropped.
func writeCodes(w io.Writer, lists []codeLists, number func(segment int, entry uint32) (uint32, bool)) error {
	keys := map[codesKey]bool{}
	for _, l := range lists {
		for k := range l {
			keys[k] = true
		}
	}
	var size uint64
	var failed error
	write := func(b []byte) {
		if failed == nil {
			_, failed = w.Write(b)
		}
		size += uint64(len(b))
	}
	u32 := func(x uint32) { write(binary.LittleEndian.AppendUint32(nil, x)) }
	for _, key := range slices.SortedFunc(maps.Keys(keys), func(a, b codesKey) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.dims, b.dims)) }) {
		each := func(visit func(c *codes, i int, n uint32)) {
			for s, l := range lists {
				if c := l[key]; c != nil {
					for i := range c.len() {
						if n, ok := number(s, c.entry(i)); ok {
							visit(c, i, n)
						}
					}
				}
			}
		}
		total := uint32(0)
		each(func(*codes, int, uint32) { total++ })
		write([]byte(key.kind))
		u32(uint32(key.dims))
		u32(total)
		row := vector.CodeSize(key.dims)
		each(func(_ *codes, _ int, n uint32) { u32(n) })
		each(func(c *codes, i int, _ uint32) { write(c.weights[4*i : 4*i+4]) })
		each(func(c *codes, i int, _ uint32) { write(c.codes[i*row : (i+1)*row]) })
	}
	tail := append(binary.LittleEndian.AppendUint64(nil, size), codesMark...)
	write(tail)
	return failed
}

// mergeCodes appends the codes of the segments that were merged into a file, and its footer once more: the checksum of a file goes on from the one that it
// ends with. It returns how many bytes that were.
func mergeCodes(path string, segments []segment.Segment, numbers [][]uint64) (_ uint64, err error) {
	lists, total := make([]codeLists, len(segments)), 0
	for i, s := range segments {
		if lists[i], err = codesOfSegment(s); err != nil {
			return 0, err
		}
	}
	number := func(segment int, entry uint32) (uint32, bool) {
		if segment >= len(numbers) || int(entry) >= len(numbers[segment]) || numbers[segment][entry] > math.MaxUint32 {
			return 0, false // it was dropped
		}
		return uint32(numbers[segment][entry]), true
	}
	for i, l := range lists {
		for _, c := range l {
			for k := range c.len() {
				if _, ok := number(i, c.entry(k)); ok {
					total++
				}
			}
		}
	}
	if total < minCodes {
		return 0, nil
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer func() { err = cmp.Or(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	foot := make([]byte, FooterSize)
	if _, err := f.ReadAt(foot, info.Size()-FooterSize); err != nil {
		return 0, err
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		return 0, err
	}
	const sum = FooterSize - 4
	out := &summed{w: bufio.NewWriterSize(f, 1<<20)}
	out.sum = crc32.Update(binary.BigEndian.Uint32(foot[sum:]), crc32.IEEETable, foot[sum:])
	if err := writeCodes(out, lists, number); err != nil {
		return 0, err
	}
	if _, err := out.Write(foot[:sum]); err != nil {
		return 0, err
	}
	if _, err := out.w.Write(binary.BigEndian.AppendUint32(nil, out.sum)); err != nil {
		return 0, err
	}
	if err := out.w.Flush(); err != nil {
		return 0, err
	}
	return out.n + 4, f.Sync()
}

// summed counts what is written, and adds it to a checksum.
type summed struct {
	w   *bufio.Writer
	sum uint32
	n   uint64
}

func (s *summed) Write(b []byte) (int, error) {
	s.sum = crc32.Update(s.sum, crc32.IEEETable, b)
	s.n += uint64(len(b))
	return s.w.Write(b)
}
