package segments

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"sync/atomic"

	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"
	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/vector"
)

// SearchVectors looks at the codes of all vectors of the kind where they lie in the mapped files, and where a segment has none at the vectors. Of the documents
// that seem nearest it reads the vectors themselves.
func SearchVectors(ctx context.Context, dir string, v *View, q *driver.VectorQuery) (*driver.Hits, error) {
	direction, err := q.Direction()
	if err != nil {
		return nil, err
	}
	limit := max(q.Limit, 0)
	if q.PerDoc <= 0 {
		limit = 0
	}
	sc := &vectorScan{dir: dir, v: v, q: q, direction: direction, query: vector.NewQuery(direction)}
	if err := sc.prepare(ctx); err != nil {
		return nil, err
	}
	hits := &driver.Hits{Total: sc.total()}
	near, err := sc.candidates(ctx, limit)
	if err != nil {
		return nil, err
	}
	defer sc.unmapVectors()
	for i, n := range near {
		if i%maxRead == maxRead-1 {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			sc.unmapVectors()
		}
		records, err := sc.records(n)
		if err != nil {
			return nil, err
		}
		hits.Hits = append(hits.Hits, driver.Hit{Doc: v.docs[n.ID], Records: records})
	}
	slices.SortFunc(hits.Hits, func(a, b driver.Hit) int {
		return cmp.Or(cmp.Compare(b.Records[0].Score, a.Records[0].Score), cmp.Compare(a.Doc, b.Doc))
	})
	hits.Hits = hits.Hits[:min(len(hits.Hits), limit)]
	return hits, nil
}

// The candidates are half as many again as are wanted, and some: a cosine by codes is off by less than .02, and .006 on average.
func candidates(limit int) int {
	if limit == 0 {
		return 0
	}
	return limit + limit/2 + 64
}

// maxRead is how many candidates are read before the pages that they brought into memory are given back.
const maxRead = 64

// unmapVectors gives back the pages that were read of files with codes. Vectors lie all over these files, the system maps up to
// 2 MB around each that is read, and hardly one is read twice: without this, a process that asks long enough has all of them
// mapped. The codes stay.
func (sc *vectorScan) unmapVectors() {
	for _, p := range sc.parts {
		if z, ok := p.seg.(*zap.Segment); ok && p.codes != nil {
			begin, _, _ := codesBounds(z.Data()[:len(z.Data())-FooterSize])
			disk.Forget(z.Data()[:begin])
		}
	}
}

// moreRecords is how many records of a candidate are looked at beyond those that are wanted.
const moreRecords = 8

// taskRows is how many vectors are looked at by their codes as one piece of work, about a millisecond.
const taskRows = 1 << 14

// A vectorScan is one search for vectors.
type vectorScan struct {
	dir       string
	v         *View
	q         *driver.VectorQuery
	direction []float32
	query     *vector.Query
	in        []bool // by document: whether it is in scope; nil: all are
	parts     []vectorPart
}

// A vectorPart is the vectors of one segment. Its rows are vectors, by their codes, or blocks where it has no codes; those of one document follow one another.
type vectorPart struct {
	seg   segment.Segment
	base  uint64 // of its entries in the numbers of the index
	first int    // of its rows in those of all parts
	rows  int

	codes  *codes   // or
	blocks []uint32 // the entries of the blocks
}

// entry returns the block of a row.
func (p *vectorPart) entry(row int) uint32 {
	if p.codes != nil {
		return p.codes.entry(row)
	}
	return p.blocks[row]
}

// doc returns the document of a row, as an index in view.docs plus one, or 0 when it is deleted or out of scope.
func (sc *vectorScan) doc(p *vectorPart, row int) uint32 {
	n := p.base + uint64(p.entry(row))
	if n >= uint64(len(sc.v.parents)) {
		return 0
	}
	d := sc.v.parents[n]
	if d != 0 && sc.in != nil && !sc.in[d-1] {
		return 0
	}
	return d
}

func (sc *vectorScan) prepare(ctx context.Context) error {
	if sc.q.Docs != nil {
		sc.in = make([]bool, len(sc.v.docs))
		for _, id := range sc.q.Docs {
			if o := sc.v.ordinal(id); o != 0 {
				sc.in[o-1] = true
			}
		}
	}
	segments, err := Of(sc.v.r)
	if err != nil {
		return err
	}
	first, base, letter := 0, uint64(0), letters[sc.q.Kind]
	add := func(p vectorPart) {
		if p.rows > 0 {
			p.first = first
			sc.parts = append(sc.parts, p)
			first += p.rows
		}
	}
	for _, s := range segments {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		part := vectorPart{seg: s.Segment(), base: base}
		base += s.Segment().Count()
		lists, err := readCodes(part.seg)
		if err != nil {
			return err
		}
		if lists != nil {
			for key, c := range lists {
				if key.kind != letter {
					continue
				}
				part.codes, part.rows = c, c.len()
				if key.dims == len(sc.direction) {
					add(part)
					continue
				}
				for row := range part.rows {
					if d := sc.doc(&part, row); d != 0 {
						return driver.WrongLength(sc.q, sc.v.docs[d-1], key.dims)
					}
				}
			}
			continue
		}
		ps, err := NewShard(part.seg, nil, 0).Postings("vec", letter)
		if err != nil {
			return err
		}
		if ps != nil {
			part.blocks = ps.records.ToArray()
			part.rows = len(part.blocks)
			add(part)
		}
	}
	return nil
}

// total returns how many documents in scope have vectors. For all documents together it is counted once for the view.
func (sc *vectorScan) total() int {
	if sc.in == nil {
		sc.v.lengthMu.Lock()
		defer sc.v.lengthMu.Unlock()
		if n, ok := sc.v.vectorDocs[sc.q.Kind]; ok {
			return n
		}
	}
	n := 0
	for i := range sc.parts {
		last := uint32(0)
		for row := range sc.parts[i].rows {
			if d := sc.doc(&sc.parts[i], row); d != 0 && d != last {
				n++
				last = d
			}
		}
	}
	if sc.in == nil {
		if sc.v.vectorDocs == nil {
			sc.v.vectorDocs = map[driver.Kind]int{}
		}
		sc.v.vectorDocs[sc.q.Kind] = n
	}
	return n
}

// candidates returns the documents that seem nearest.
func (sc *vectorScan) candidates(ctx context.Context, limit int) ([]vector.Near, error) {
	type task struct {
		p        *vectorPart
		from, to int
	}
	var tasks []task
	for i := range sc.parts {
		p := &sc.parts[i]
		for from := 0; from < p.rows; {
			to := min(from+taskRows, p.rows)
			for to < p.rows && sc.doc(p, to) == sc.doc(p, to-1) {
				to++
			}
			tasks = append(tasks, task{p, from, to})
			from = to
		}
	}
	workers := min(runtime.GOMAXPROCS(0), len(tasks))
	found := make([]nearDocs, workers)
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for w := range found {
		g.Go(func() (err error) {
			defer Guard(sc.dir, &err)()
			found[w] = nearDocs{top: vector.Top{Limit: candidates(limit)}, floor: -2}
			for {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				t := tasks[i]
				if t.p.codes != nil {
					sc.byCodes(t.p, t.from, t.to, &found[w])
				} else if err := sc.byVectors(ctx, t.p, t.from, t.to, &found[w]); err != nil {
					return err
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := vector.Top{Limit: candidates(limit)}
	for i := range found {
		for _, n := range found[i].top.Take() {
			all.Add(n)
		}
	}
	return all.Take(), nil
}

// nearDocs keeps the nearest documents, whose vectors come one document after the other.
type nearDocs struct {
	top   vector.Top
	floor float32     // what has a lower score is not among them
	last  vector.Near // of the present document its best vector
	some  bool
}

func (n *nearDocs) add(doc uint32, score float32, at int) {
	if n.some && n.last.ID == doc {
		if score > n.last.Score {
			n.last.Score, n.last.At = score, uint32(at)
		}
		return
	}
	n.end()
	n.last, n.some = vector.Near{Score: score, ID: doc, At: uint32(at)}, true
}

// end is called behind the last vector of a document.
func (n *nearDocs) end() {
	if n.some {
		if n.last.Score >= n.floor {
			n.floor = n.top.Add(n.last)
		}
		n.some = false
	}
}

// byCodes looks at rows of a part by their codes.
func (sc *vectorScan) byCodes(p *vectorPart, from, to int, found *nearDocs) {
	var scores [256]float32
	for from < to {
		n := 0
		for from+n < to && n < len(scores) && (sc.in == nil || sc.doc(p, from+n) != 0) {
			n++
		}
		sc.cosines(p, from, scores[:n])
		for i, score := range scores[:n] {
			if score < found.floor {
				continue // whatever document it is of
			}
			if d := sc.doc(p, from+i); d != 0 {
				found.add(d-1, score, p.first+from+i)
			}
		}
		from += max(n, 1)
	}
	found.end()
}

// cosines sets scores to about the cosines of the rows that begin at from.
func (sc *vectorScan) cosines(p *vectorPart, from int, scores []float32) {
	sc.query.Cosines(scores, p.codes.codes[from*vector.CodeSize(len(sc.direction)):], p.codes.weights[4*from:])
}

// byVectors looks at the vectors of rows of a part that has no codes.
func (sc *vectorScan) byVectors(ctx context.Context, p *vectorPart, from, to int, found *nearDocs) error {
	for row := from; row < to; row++ {
		if row%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if d := sc.doc(p, row); d != 0 {
			if err := sc.block(p, p.blocks[row], d-1, func(_ int, score float32) { found.add(d-1, score, p.first+row) }); err != nil {
				return err
			}
		}
	}
	found.end()
	return nil
}

// block calls visit with the number and the cosine of each vector of a block.
func (sc *vectorScan) block(p *vectorPart, entry uint32, doc uint32, visit func(n int, score float32)) error {
	found := false
	var bad error
	err := visitStored(p.seg, uint64(entry), func(name string, _ byte, value []byte, _ []uint64) bool {
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
		bad = eachVector(value, func(n int, inverse float32, v []byte) { visit(n, vector.DotBytes(sc.direction, v)*inverse) })
		return false
	})
	if err = cmp.Or(err, bad); err == nil && !found {
		err = fmt.Errorf("%w: document %s: an empty block of vectors", errs.Format, sc.v.docs[doc])
	}
	return err
}

// records returns the nearest records of a candidate.
func (sc *vectorScan) records(n vector.Near) ([]driver.RecordHit, error) {
	at := sort.Search(len(sc.parts), func(i int) bool { return sc.parts[i].first > int(n.At) }) - 1
	p := &sc.parts[at]
	from := int(n.At) - p.first
	to := from + 1
	for from > 0 && sc.doc(p, from-1) == n.ID+1 {
		from--
	}
	for to < p.rows && sc.doc(p, to) == n.ID+1 {
		to++
	}
	var blocks []uint32
	if most := sc.q.PerDoc + moreRecords; p.codes != nil && to-from > blockRecords && to-from > most {
		scores := make([]float32, to-from)
		sc.cosines(p, from, scores)
		top := vector.Top{Limit: most}
		for i, s := range scores {
			top.Add(vector.Near{Score: s, ID: uint32(i)})
		}
		for _, x := range top.Take() {
			blocks = append(blocks, p.entry(from+int(x.ID)))
		}
		slices.Sort(blocks)
	} else {
		for row := from; row < to; row++ {
			blocks = append(blocks, p.entry(row))
		}
	}
	var out []driver.RecordHit
	for _, b := range slices.Compact(blocks) {
		if err := sc.block(p, b, n.ID, func(n int, score float32) { out = append(out, driver.RecordHit{N: n, Score: float64(score)}) }); err != nil {
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%w: document %s: a block of no vectors", errs.Format, sc.v.docs[n.ID])
	}
	slices.SortFunc(out, func(a, b driver.RecordHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
	})
	return out[:min(len(out), sc.q.PerDoc)], nil
}
