package segments

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sort"
	"strconv"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/vector"
)

// Vectors are kept in items of their own, so that a search reads them without the texts: a block holds those of the records
// of one document and kind whose numbers divided by blockRecords are the same. The stored field "block" is the number of floats of
// a vector (4 bytes) and then for each record its number (8 bytes), one over the length of its vector (4 bytes, a float) and the
// vector; low bytes first. The indexed field "vec" is the letter of the kind.
const (
	blockRecords = 64
	blockHeader  = 4
	vectorHeader = 12
)

func BlockID(doc string, k driver.Kind, n int) string {
	return doc + "/v" + letters[k] + "/" + strconv.Itoa(n/blockRecords)
}

// vectorItems returns the blocks of a document.
func (e *encoder) vectorItems(d *driver.Document) []*item {
	blocks := map[string]*item{}
	var out []*item
	for i := range d.Records {
		r := &d.Records[i]
		if r.Vector == nil {
			continue
		}
		id := BlockID(d.ID, r.Kind, r.N)
		it := blocks[id]
		if it == nil {
			it = e.Item(id)
			it.keyword("vec", letters[r.Kind])
			it.Store("block", binary.LittleEndian.AppendUint32(nil, uint32(len(r.Vector))))
			blocks[id] = it
			out = append(out, it)
		}
		f := &it.stored[len(it.stored)-1]
		f.value = binary.LittleEndian.AppendUint64(f.value, uint64(r.N))
		f.value = binary.LittleEndian.AppendUint32(f.value, math.Float32bits(vector.Inverse(r.Vector)))
		f.value = vector.Append(f.value, r.Vector)
	}
	return out
}

// eachVector calls visit with the number of each record of a block, one over the length of its vector, and the vector.
func eachVector(block []byte, visit func(n int, inverse float32, v []byte)) error {
	if len(block) < blockHeader {
		return fmt.Errorf("%w: a block of vectors of %d bytes", errs.Format, len(block))
	}
	size := vectorHeader + 4*int(binary.LittleEndian.Uint32(block))
	block = block[blockHeader:]
	if len(block)%size != 0 {
		return fmt.Errorf("%w: a block of vectors of %d bytes, which %d does not divide", errs.Format, len(block), size)
	}
	for ; len(block) > 0; block = block[size:] {
		n := int(binary.LittleEndian.Uint64(block))
		visit(n, math.Float32frombits(binary.LittleEndian.Uint32(block[8:])), block[vectorHeader:size])
	}
	return nil
}

// RecordVector reads the vector of one record.
func RecordVector(r index.IndexReader, doc string, k driver.Kind, n int) ([]float32, error) {
	f, err := Fields(r, BlockID(doc, k, n))
	if err != nil {
		return nil, err
	}
	var out []float32
	if err = eachVector(f["block"], func(m int, _ float32, v []byte) {
		if m == n {
			out = vector.Read(v)
		}
	}); err == nil && out == nil {
		err = fmt.Errorf("%w: its vector is missing", errs.Format)
	}
	if err != nil {
		return nil, fmt.Errorf("document %s, %s record %d: %w", doc, k, n, err)
	}
	return out, nil
}

// SearchVectors reads all blocks of the kind where they lie in the mapped files; what it holds is one number
// for each document.
func SearchVectors(ctx context.Context, dir string, v *View, q *driver.VectorQuery) (_ *driver.Hits, err error) {
	direction, err := q.Direction()
	if err != nil {
		return nil, err
	}
	if q.PerDoc <= 0 {
		none := *q
		none.Limit = 0
		q = &none
	}
	sc := &vectorScan{dir: dir, v: v, q: q, direction: direction}
	if err := sc.prepare(ctx); err != nil {
		return nil, err
	}
	best, err := sc.bestOfDocs(ctx)
	if err != nil {
		return nil, err
	}
	hits := &driver.Hits{}
	var top []docScore // by score, then by document
	for doc, score := range best {
		if score == noScore {
			continue
		}
		hits.Total++
		at := sort.Search(len(top), func(i int) bool { return top[i].score < score })
		if at >= q.Limit {
			continue
		}
		if len(top) == q.Limit {
			top = top[:len(top)-1]
		}
		top = slices.Insert(top, at, docScore{uint32(doc), score})
	}
	hits.Hits, err = sc.records(ctx, top)
	return hits, err
}

type docScore struct {
	doc   uint32 // index in view.docs
	score float32
}

// noScore is below every cosine.
const noScore = -2

// A vectorScan is one search for vectors.
type vectorScan struct {
	dir       string
	v         *View
	q         *driver.VectorQuery
	direction []float32
	segments  []*scorch.SegmentSnapshot
	offsets   []uint64 // of the segments in the numbers of the index
	blocks    []uint64 // numbers of the blocks in scope, in increasing order
}

func (sc *vectorScan) prepare(ctx context.Context) error {
	snap, ok := sc.v.r.(*scorch.IndexSnapshot)
	if !ok {
		return fmt.Errorf("document index %s: a reader of type %T", sc.dir, sc.v.r)
	}
	var at uint64
	for _, seg := range snap.Segments() {
		sc.segments, sc.offsets = append(sc.segments, seg), append(sc.offsets, at)
		at += seg.Segment().Count()
	}
	var in map[uint32]bool
	if sc.q.Docs != nil {
		in = make(map[uint32]bool, len(sc.q.Docs))
		for _, id := range sc.q.Docs {
			if o := sc.v.ordinal(id); o != 0 {
				in[o] = true
			}
		}
	}
	tfr, err := sc.v.r.TermFieldReader(ctx, []byte(letters[sc.q.Kind]), "vec", false, false, false)
	if err != nil {
		return err
	}
	defer tfr.Close()
	var d index.TermFieldDoc
	for {
		p, err := tfr.Next(d.Reset())
		if err != nil {
			return err
		}
		if p == nil {
			return ctx.Err()
		}
		n := p.ID.Value()
		if n >= uint64(len(sc.v.parents)) || sc.v.parents[n] == 0 {
			return fmt.Errorf("%w: a block of vectors without a document", errs.Format)
		}
		if in == nil || in[sc.v.parents[n]] {
			sc.blocks = append(sc.blocks, n)
		}
	}
}

// doc returns the document of a block, as an index in view.docs.
func (sc *vectorScan) doc(block uint64) uint32 { return sc.v.parents[block] - 1 }

// each calls visit with every vector of some blocks.
func (sc *vectorScan) each(ctx context.Context, blocks []uint64, visit func(doc uint32, n int, score float32)) error {
	for i, b := range blocks {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		doc, found := sc.doc(b), false
		var bad error
		at := sort.Search(len(sc.offsets), func(i int) bool { return sc.offsets[i] > b }) - 1
		err := visitStored(sc.segments[at].Segment(), b-sc.offsets[at], func(name string, _ byte, value []byte, _ []uint64) bool {
			if name != "block" {
				return true
			}
			found = true
			if len(value) >= blockHeader {
				if size := int(binary.LittleEndian.Uint32(value)); size != len(sc.direction) {
					bad = driver.WrongLength(sc.q, sc.v.docs[doc], size)
					return false
				}
			}
			bad = eachVector(value, func(n int, inverse float32, v []byte) {
				visit(doc, n, vector.DotBytes(sc.direction, v)*inverse)
			})
			return false
		})
		if err = cmp.Or(err, bad); err == nil && !found {
			err = fmt.Errorf("%w: document %s: an empty block of vectors", errs.Format, sc.v.docs[doc])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// bestOfDocs returns the best score of each document of the view, or noScore.
func (sc *vectorScan) bestOfDocs(ctx context.Context) ([]float32, error) {
	workers := max(1, min(runtime.GOMAXPROCS(0), len(sc.blocks)/256))
	parts := make([][]float32, workers)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		blocks := sc.blocks[len(sc.blocks)*w/workers : len(sc.blocks)*(w+1)/workers]
		g.Go(func() (err error) {
			defer Guard(sc.dir, &err)()
			best := slices.Repeat([]float32{noScore}, len(sc.v.docs))
			parts[w] = best
			return sc.each(ctx, blocks, func(doc uint32, _ int, score float32) { best[doc] = max(best[doc], score) })
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, p := range parts[1:] {
		for i, score := range p {
			parts[0][i] = max(parts[0][i], score)
		}
	}
	return parts[0], nil
}

// records returns the hits of the best documents.
func (sc *vectorScan) records(ctx context.Context, top []docScore) ([]driver.Hit, error) {
	place := make(map[uint32]int, len(top))
	out := make([]driver.Hit, len(top))
	for i, d := range top {
		place[d.doc] = i
		out[i].Doc = sc.v.docs[d.doc]
	}
	blocks := slices.DeleteFunc(sc.blocks, func(b uint64) bool {
		_, ok := place[sc.doc(b)]
		return !ok
	})
	err := sc.each(ctx, blocks, func(doc uint32, n int, score float32) {
		h := &out[place[doc]]
		h.Records = append(h.Records, driver.RecordHit{N: n, Score: float64(score)})
	})
	if err != nil {
		return nil, err
	}
	for i := range out {
		h := &out[i]
		slices.SortFunc(h.Records, func(a, b driver.RecordHit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
		})
		h.Records = h.Records[:min(len(h.Records), sc.q.PerDoc)]
	}
	return out, nil
}
