package blevestore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

type store struct {
	location
	lock *disk.Lock

	writing sync.Mutex // one change at a time

	mu     sync.RWMutex // guards what follows; held for reading while the engine is used
	closed bool
	engine *engine // nil after a failure: opened again by the next call

	pin      pin
	views    views
	encoders encoders

	// Of a store that is read-only.
	following sync.Mutex   // guards seen; held while a newer state is opened
	seen      uint64       // number of the engine's write that made the state
	looked    atomic.Int64 // Unix nanoseconds of the last look for a newer one
}

var statsKey = []byte("findspot.stats")

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

// mainID is the entry of a document itself, and of record 0 of KindDocument, its title, where there is one.
func mainID(doc string) string { return recordID(doc, driver.KindDocument, 0) }

func layoutID(doc string) string { return doc + "/l" }

// recordN returns the number of the record with this id.
func recordN(id string) (int, error) {
	n, err := strconv.Atoi(id[strings.LastIndexByte(id, '/')+1:])
	if err != nil {
		return 0, fmt.Errorf("%w: record id %q", errs.Format, id)
	}
	return n, nil
}

func (s *store) Replace(ctx context.Context, docs []*driver.Document) error {
	if len(docs) == 0 {
		return ctx.Err()
	}
	enc := s.encoders.take()
	defer s.encoders.release(enc)
	items, counts, err := enc.encode(ctx, docs)
	if err != nil {
		return err
	}
	batch := index.NewBatch()
	for _, it := range items {
		batch.Update(it)
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
	enc := s.encoders.take()
	defer s.encoders.release(enc)
	batch := index.NewBatch()
	return s.change(ctx, batch, func(r index.IndexReader, _ *stats) error {
		for id, b := range data {
			old, err := mainFields(r, id)
			if err != nil {
				return err
			}
			// The entry is written anew, with the record that it may hold.
			it := enc.item(mainID(id))
			if old["start"] != nil {
				rec, err := decode(old, id, driver.KindDocument, 0)
				if err != nil {
					return err
				}
				enc.workers[0].record(it, rec)
				if old["vec"] != nil {
					it.store("vec", []byte{'1'})
				}
			}
			it.document(b, old["sums"])
			if layout, ok := old["layout"]; ok {
				it.store("layout", layout)
			}
			it.finish()
			batch.Update(it)
		}
		return nil
	})
}

// mainFields returns the stored fields of a document's own entry.
func mainFields(r index.IndexReader, id string) (map[string][]byte, error) {
	f, err := fields(r, mainID(id))
	if err == nil && f == nil {
		err = fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	return f, err
}

// remove puts the deletion of a document into the batch, save for what the batch writes anew, and takes its sums away.
func remove(r index.IndexReader, batch *index.Batch, st *stats, id string) (bool, error) {
	old, err := fields(r, mainID(id))
	if err != nil || old == nil {
		return false, err
	}
	count, err := parseDocSums(r, id, old["sums"])
	if err != nil {
		return false, err
	}
	st.count(count, -1)
	ids := []string{mainID(id), layoutID(id)}
	for kind, l := range letters {
		k := count[l]
		if k == nil {
			continue
		}
		for _, n := range k.numbers() {
			ids = append(ids, recordID(id, kind, n))
			if b := blockID(id, kind, n); k.Vectors && ids[len(ids)-1] != b {
				ids = append(ids, b)
			}
		}
	}
	for _, ext := range ids {
		if _, ok := batch.IndexOps[ext]; !ok {
			batch.Delete(ext)
		}
	}
	return true, nil
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
	st := s.pin.statistics().clone()
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
	if err := s.folder.Same(); err != nil { // the engine makes its files by their paths
		return s.explain(err)
	}
	if err := s.engine.write(batch); err != nil {
		done()
		done = nil
		return s.failed(err, st.Generation)
	}
	written, err := s.engine.ix.Reader()
	if err != nil {
		return fmt.Errorf("document index %s: %w", s.dir, err)
	}
	s.pin.set(written, st)
	s.views.drop()
	s.acknowledge(st.Generation)
	return nil
}

func (s *store) Get(ctx context.Context, id string) (_ *driver.Document, err error) {
	defer guard(s.dir, &err)()
	r, done, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	m, err := mainFields(r, id)
	if err != nil {
		return nil, err
	}
	layout, ok := m["layout"]
	if !ok {
		l, err := fields(r, layoutID(id))
		if err != nil {
			return nil, err
		}
		if layout, ok = l["layout"]; !ok {
			return nil, fmt.Errorf("document %s: %w: its layout is not there", id, errs.Format)
		}
	}
	return &driver.Document{ID: id, Data: m["meta"], Layout: layout}, nil
}

func (s *store) List(ctx context.Context) ([]*driver.Document, error) {
	out := []*driver.Document{}
	err := s.Walk(ctx, func(d *driver.Document) error {
		out = append(out, d)
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b *driver.Document) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// Walk is the method of driver.Walker.
func (s *store) Walk(ctx context.Context, each func(*driver.Document) error) (err error) {
	defer guard(s.dir, &err)()
	r, done, err := s.reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	var failed error
	if err := eachDocument(ctx, r, func(id string, data []byte) {
		if failed == nil {
			failed = each(&driver.Document{ID: id, Data: data})
		}
	}); err != nil {
		return err
	}
	return failed
}

func (s *store) Records(ctx context.Context, id string, kind driver.Kind, ns []int) (_ []driver.Record, err error) {
	defer guard(s.dir, &err)()
	r, done, err := s.reader(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	if ns == nil {
		if ns, err = numbers(r, id, kind); err != nil {
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
func numbers(r index.IndexReader, id string, kind driver.Kind) ([]int, error) {
	m, err := mainFields(r, id)
	if err != nil {
		return nil, err
	}
	s, err := parseDocSums(r, id, m["sums"])
	if err != nil || s[letters[kind]] == nil {
		return nil, err
	}
	return s[letters[kind]].numbers(), nil
}

func record(r index.IndexReader, id string, kind driver.Kind, n int) (*driver.Record, error) {
	f, err := fields(r, recordID(id, kind, n))
	if err != nil {
		return nil, err
	}
	if f["start"] == nil {
		return nil, fmt.Errorf("document %s, %s record %d: %w", id, kind, n, errs.NotFound)
	}
	rec, err := decode(f, id, kind, n)
	if err == nil && f["vec"] != nil {
		rec.Vector, err = recordVector(r, id, kind, n)
	}
	if err != nil {
		return nil, err
	}
	return rec, nil
}

func (s *store) Stats(ctx context.Context) (driver.Stats, error) {
	if err := s.begin(ctx); err != nil {
		return driver.Stats{}, err
	}
	defer s.mu.RUnlock()
	st := s.pin.statistics()
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
		if err = s.shut(); err == nil && !s.readOnly {
			s.removeLeft()
		}
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	return errors.Join(err, s.folder.Close())
}
