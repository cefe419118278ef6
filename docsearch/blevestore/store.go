package blevestore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

type store struct {
	dir      string
	readOnly bool
	lock     *disk.Lock

	writing sync.Mutex // one change at a time

	mu     sync.RWMutex // guards what follows; held for reading while the engine is used
	closed bool
	engine *engine // nil after a failure: opened again by the next call

	pinMu    sync.Mutex // guards what follows
	snap     index.IndexReader
	stats    stats // of snap
	pinnedAt time.Time

	// Of a store that is read-only.
	following sync.Mutex   // guards seen; held while a newer state is opened
	seen      uint64       // number of the engine's write that made the state
	looked    atomic.Int64 // Unix nanoseconds of the last look for a newer one

	viewMu sync.Mutex // guards view
	view   *view      // of the present generation, or nil
}

// sums counts the records of one kind and the tokens of their fields.
type sums struct {
	Records int `json:"records"`
	Words   int `json:"words"`
	Idents  int `json:"idents"`
	Heads   int `json:"heads,omitempty"`
}

// stats is the internal value statsKey.
type stats struct {
	Generation uint64               `json:"generation"`
	Documents  int                  `json:"documents"`
	Kinds      map[driver.Kind]sums `json:"kinds"`
}

var statsKey = []byte("findspot.stats")

func (s stats) clone() stats {
	out := s
	out.Kinds = map[driver.Kind]sums{}
	for k, v := range s.Kinds {
		out.Kinds[k] = v
	}
	return out
}

// count adds the sums of a document, or takes them away.
func (s *stats) count(doc map[driver.Kind]sums, sign int) {
	s.Documents += sign
	for k, v := range doc {
		t := s.Kinds[k]
		t.Records += sign * v.Records
		t.Words += sign * v.Words
		t.Idents += sign * v.Idents
		t.Heads += sign * v.Heads
		s.Kinds[k] = t
	}
}

func readStats(r index.IndexReader) (stats, error) {
	st := stats{Kinds: map[driver.Kind]sums{}}
	data, err := r.GetInternal(statsKey)
	if err != nil || data == nil {
		return st, err
	}
	if err := json.Unmarshal(data, &st); err != nil {
		return st, fmt.Errorf("%w: statistics: %v", errs.Format, err)
	}
	if st.Kinds == nil {
		st.Kinds = map[driver.Kind]sums{}
	}
	return st, nil
}

// letters of the kinds in ids and field names.
var letters = map[driver.Kind]string{
	driver.KindDocument: "d", driver.KindChunk: "c", driver.KindFigure: "f", driver.KindTable: "t",
}

func recordID(doc string, k driver.Kind, n int) string {
	return doc + "/" + letters[k] + "/" + strconv.Itoa(n)
}

// recordN returns the number of the record with this id.
func recordN(id string) (int, error) {
	n, err := strconv.Atoi(id[strings.LastIndexByte(id, '/')+1:])
	if err != nil {
		return 0, fmt.Errorf("%w: record id %q", errs.Format, id)
	}
	return n, nil
}

func (s *store) Replace(ctx context.Context, docs []*driver.Document) error {
	batch := index.NewBatch()
	counts := make([]map[driver.Kind]sums, len(docs))
	for i, d := range docs {
		items, count, err := encode(ctx, d)
		if err != nil {
			return err
		}
		for _, it := range items {
			batch.Update(it)
		}
		counts[i] = count
	}
	return s.change(ctx, batch, func(r index.IndexReader, st *stats) error {
		for i, d := range docs {
			if _, err := remove(r, batch, st, d.ID); err != nil {
				return err
			}
			st.count(counts[i], 1)
		}
		return nil
	})
}

func (s *store) Delete(ctx context.Context, id string) error {
	batch := index.NewBatch()
	return s.change(ctx, batch, func(r index.IndexReader, st *stats) error {
		ok, err := remove(r, batch, st, id)
		if err == nil && !ok {
			err = fmt.Errorf("document %s: %w", id, errs.NotFound)
		}
		return err
	})
}

func (s *store) SetData(ctx context.Context, data map[string][]byte) error {
	batch := index.NewBatch()
	return s.change(ctx, batch, func(r index.IndexReader, _ *stats) error {
		for id, b := range data {
			old, err := fields(r, id+"/m")
			if err != nil {
				return err
			}
			if old == nil {
				return fmt.Errorf("document %s: %w", id, errs.NotFound)
			}
			batch.Update(metaItem(id, b, old["sums"]))
		}
		return nil
	})
}

// remove puts the deletion of a document into the batch, save for what the batch writes anew, and takes its sums away.
func remove(r index.IndexReader, batch *index.Batch, st *stats, id string) (bool, error) {
	old, err := fields(r, id+"/m")
	if err != nil || old == nil {
		return false, err
	}
	var count map[driver.Kind]sums
	if err := json.Unmarshal(old["sums"], &count); err != nil {
		return false, fmt.Errorf("document %s: %w: sums: %v", id, errs.Format, err)
	}
	st.count(count, -1)
	tfr, err := r.TermFieldReader(context.Background(), []byte(id), "parent", false, false, false)
	if err != nil {
		return false, err
	}
	defer tfr.Close()
	for {
		d, err := tfr.Next(nil)
		if err != nil {
			return false, err
		}
		if d == nil {
			return true, nil
		}
		ext, err := r.ExternalID(d.ID)
		if err != nil {
			return false, err
		}
		if _, ok := batch.IndexOps[ext]; !ok {
			batch.Delete(ext)
		}
	}
}

// change completes a batch with the state of the index and writes it.
func (s *store) change(ctx context.Context, batch *index.Batch, complete func(index.IndexReader, *stats) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	r, done, err := s.reader(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if done != nil {
			done()
		}
	}()
	if s.readOnly {
		return fmt.Errorf("document index %s: %w: it was opened read-only", s.dir, errs.Unsupported)
	}
	// Only this function changes the statistics, and one call at a time.
	st := s.statistics().clone()
	err = func() (err error) {
		defer guard(s.dir, &err)()
		return complete(r, &st)
	}()
	if err != nil {
		return err
	}
	st.Generation++
	data, err := json.Marshal(st)
	if err != nil {
		return err
	}
	batch.SetInternal(statsKey, data)
	if err := s.engine.write(batch); err != nil {
		done()
		done = nil
		return s.failed(err, st.Generation)
	}
	written, err := s.engine.ix.Reader()
	if err != nil {
		return fmt.Errorf("document index %s: %w", s.dir, err)
	}
	s.pin(written, st)
	s.dropView()
	s.acknowledge(st.Generation)
	return nil
}

// fields returns the stored fields of one bleve document, or nil when it is not there.
func fields(r index.IndexReader, id string) (map[string][]byte, error) {
	d, err := r.Document(id)
	if err != nil || d == nil {
		return nil, err
	}
	out := map[string][]byte{}
	d.VisitFields(func(f index.Field) { out[f.Name()] = f.Value() })
	return out, nil
}

func (s *store) Get(ctx context.Context, id string) (_ *driver.Document, err error) {
	defer guard(s.dir, &err)()
	r, done, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	m, err := fields(r, id+"/m")
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	l, err := fields(r, id+"/l")
	if err != nil {
		return nil, err
	}
	return &driver.Document{ID: id, Data: m["data"], Layout: l["layout"]}, nil
}

func (s *store) List(ctx context.Context) (_ []*driver.Document, err error) {
	defer guard(s.dir, &err)()
	r, done, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	tfr, err := r.TermFieldReader(ctx, []byte("doc"), "type", false, false, false)
	if err != nil {
		return nil, err
	}
	defer tfr.Close()
	out := []*driver.Document{}
	for {
		d, err := tfr.Next(nil)
		if err != nil {
			return nil, err
		}
		if d == nil {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ext, err := r.ExternalID(d.ID)
		if err != nil {
			return nil, err
		}
		m, err := fields(r, ext)
		if err != nil {
			return nil, err
		}
		out = append(out, &driver.Document{ID: strings.TrimSuffix(ext, "/m"), Data: m["data"]})
	}
	slices.SortFunc(out, func(a, b *driver.Document) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

func (s *store) Records(ctx context.Context, id string, kind driver.Kind, ns []int) (_ []driver.Record, err error) {
	defer guard(s.dir, &err)()
	r, done, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if ns == nil {
		if ns, err = numbers(ctx, r, id, kind); err != nil {
			return nil, err
		}
	}
	out := make([]driver.Record, 0, len(ns))
	for _, n := range ns {
		rec, err := record(r, id, kind, n)
		if err != nil {
			return nil, err
		}
		out = append(out, *rec)
	}
	return out, nil
}

// numbers returns the numbers of all records of a document and kind, in order.
func numbers(ctx context.Context, r index.IndexReader, id string, kind driver.Kind) ([]int, error) {
	if m, err := fields(r, id+"/m"); err != nil {
		return nil, err
	} else if m == nil {
		return nil, fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	tfr, err := r.TermFieldReader(ctx, []byte(id), "parent", false, false, false)
	if err != nil {
		return nil, err
	}
	defer tfr.Close()
	var ns []int
	for {
		d, err := tfr.Next(nil)
		if err != nil || d == nil {
			slices.Sort(ns)
			return ns, err
		}
		ext, err := r.ExternalID(d.ID)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(ext, id+"/"+letters[kind]+"/") {
			n, err := recordN(ext)
			if err != nil {
				return nil, err
			}
			ns = append(ns, n)
		}
	}
}

func record(r index.IndexReader, id string, kind driver.Kind, n int) (*driver.Record, error) {
	f, err := fields(r, recordID(id, kind, n))
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, fmt.Errorf("document %s, %s record %d: %w", id, kind, n, errs.NotFound)
	}
	start, err := strconv.Atoi(string(f["start"]))
	if err != nil {
		return nil, fmt.Errorf("document %s, %s record %d: %w: %v", id, kind, n, errs.Format, err)
	}
	rec := &driver.Record{
		Kind: kind, Doc: id, N: n, Start: start, Text: string(f["text"]), Data: f["data"], Heads: string(f["heads"]), Processed: f["processed"] != nil,
	}
	if f["vec"] != nil {
		if rec.Vector, err = recordVector(r, id, kind, n); err != nil {
			return nil, err
		}
	}
	return rec, nil
}

func (s *store) Stats(ctx context.Context) (driver.Stats, error) {
	if err := s.begin(ctx); err != nil {
		return driver.Stats{}, err
	}
	defer s.mu.RUnlock()
	st := s.statistics()
	out := driver.Stats{Documents: st.Documents, Generation: st.Generation, Records: map[driver.Kind]int{}}
	for k, v := range st.Kinds {
		if v.Records > 0 {
			out.Records[k] = v.Records
		}
	}
	return out, nil
}

func (s *store) Close() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.following.Lock()
	defer s.following.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("document index %s: %w", s.dir, errs.Closed)
	}
	s.closed = true
	var err error
	if s.engine != nil {
		err = s.shut()
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	return err
}

// encode turns a document into what bleve stores. The analysis runs on all processors.
func encode(ctx context.Context, d *driver.Document) ([]*item, map[driver.Kind]sums, error) {
	if err := driver.CheckVectors(d); err != nil {
		return nil, nil, err
	}
	items := make([]*item, len(d.Records), len(d.Records)+2)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range d.Records {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			items[i] = recordItem(d.ID, &d.Records[i])
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	count := map[driver.Kind]sums{}
	for i, it := range items {
		c := count[d.Records[i].Kind]
		c.Records++
		c.Words += it.words
		c.Idents += it.idents
		c.Heads += it.heads
		count[d.Records[i].Kind] = c
	}
	data, err := json.Marshal(count)
	if err != nil {
		return nil, nil, err
	}
	meta := metaItem(d.ID, d.Data, data)
	lay := newItem(d.ID+"/l", d.ID)
	lay.store("layout", d.Layout)
	return append(append(items, vectorItems(d)...), meta, lay), count, nil
}

func metaItem(id string, data, sums []byte) *item {
	it := newItem(id+"/m", id)
	it.keyword("type", "doc")
	it.store("data", data)
	it.store("sums", sums)
	return it
}
