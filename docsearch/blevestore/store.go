package blevestore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
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

	pin      segments.Pin
	views    segments.Views
	encoders segments.Encoders

	// Of a store that is read-only.
	following sync.Mutex   // guards seen; held while a newer state is opened
	seen      uint64       // number of the engine's write that made the state
	looked    atomic.Int64 // Unix nanoseconds of the last look for a newer one
}

func (s *store) Replace(ctx context.Context, docs []*driver.Document) error {
	if len(docs) == 0 {
		return ctx.Err()
	}
	enc := s.encoders.Take()
	defer s.encoders.Release(enc)
	items, counts, err := enc.Encode(ctx, docs)
	if err != nil {
		return err
	}
	batch := index.NewBatch()
	for _, it := range items {
		batch.Update(it)
	}
	return s.change(ctx, batch, func(r index.IndexReader, st *segments.Stats) error {
		for i, d := range docs {
			if _, err := remove(r, batch, st, d.ID); err != nil {
				return err
			}
			st.Count(counts[i], 1)
		}
		return nil
	})
}

func (s *store) Delete(ctx context.Context, id string) error {
	batch := index.NewBatch()
	return s.change(ctx, batch, func(r index.IndexReader, st *segments.Stats) error {
		ok, err := remove(r, batch, st, id)
		if err == nil && !ok {
			err = fmt.Errorf("document %s: %w", id, errs.NotFound)
		}
		return err
	})
}

func (s *store) SetData(ctx context.Context, data map[string][]byte) error {
	enc := s.encoders.Take()
	defer s.encoders.Release(enc)
	batch := index.NewBatch()
	return s.change(ctx, batch, func(r index.IndexReader, _ *segments.Stats) error {
		for id, b := range data {
			old, err := mainFields(r, id)
			if err != nil {
				return err
			}
			// The entry is written anew, with the record that it may hold.
			it := enc.Item(segments.MainID(id))
			if old["start"] != nil {
				rec, err := segments.Decode(old, id, driver.KindDocument, 0)
				if err != nil {
					return err
				}
				enc.Workers[0].Record(it, rec)
				if old["vec"] != nil {
					it.Store("vec", []byte{'1'})
				}
			}
			it.Document(b, old["sums"])
			if layout, ok := old["layout"]; ok {
				it.Store("layout", layout)
			}
			it.Finish()
			batch.Update(it)
		}
		return nil
	})
}

// mainFields returns the stored fields of a document's own entry.
func mainFields(r index.IndexReader, id string) (map[string][]byte, error) {
	f, err := segments.Fields(r, segments.MainID(id))
	if err == nil && f == nil {
		err = fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	return f, err
}

// remove puts the deletion of a document into the batch, save for what the batch writes anew, and takes its sums away.
func remove(r index.IndexReader, batch *index.Batch, st *segments.Stats, id string) (bool, error) {
	old, err := segments.Fields(r, segments.MainID(id))
	if err != nil || old == nil {
		return false, err
	}
	count, err := segments.ParseDocSums(r, id, old["sums"])
	if err != nil {
		return false, err
	}
	st.Count(count, -1)
	ids := []string{segments.MainID(id), segments.LayoutID(id)}
	for _, kind := range driver.Kinds() {
		k := count[segments.Letter(kind)]
		if k == nil {
			continue
		}
		for _, n := range k.All() {
			ids = append(ids, segments.RecordID(id, kind, n))
			if b := segments.BlockID(id, kind, n); k.Vectors && ids[len(ids)-1] != b {
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
func (s *store) change(ctx context.Context, batch *index.Batch, complete func(index.IndexReader, *segments.Stats) error) error {
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
	st := s.pin.Statistics().Clone()
	err = func() (err error) {
		defer segments.Guard(s.dir, &err)()
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
	batch.SetInternal(segments.StatsKey(), data)
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
	s.pin.Set(written, st)
	s.views.Drop()
	s.acknowledge(st.Generation)
	return nil
}

func (s *store) Get(ctx context.Context, id string) (_ *driver.Document, err error) {
	defer segments.Guard(s.dir, &err)()
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
		l, err := segments.Fields(r, segments.LayoutID(id))
		if err != nil {
			return nil, err
		}
		if layout, ok = l["layout"]; !ok {
			return nil, fmt.Errorf("document %s: %w: its layout is missing", id, errs.Format)
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
	defer segments.Guard(s.dir, &err)()
	r, done, err := s.reader(ctx)
	if err != nil {
		return err
	}
	defer done()
	var failed error
	if err := segments.EachDocument(ctx, r, func(id string, data []byte) {
		if failed == nil {
			failed = each(&driver.Document{ID: id, Data: data})
		}
	}); err != nil {
		return err
	}
	return failed
}

func (s *store) Records(ctx context.Context, id string, kind driver.Kind, ns []int) (_ []driver.Record, err error) {
	defer segments.Guard(s.dir, &err)()
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
	s, err := segments.ParseDocSums(r, id, m["sums"])
	if err != nil || s[segments.Letter(kind)] == nil {
		return nil, err
	}
	return s[segments.Letter(kind)].All(), nil
}

func record(r index.IndexReader, id string, kind driver.Kind, n int) (*driver.Record, error) {
	f, err := segments.Fields(r, segments.RecordID(id, kind, n))
	if err != nil {
		return nil, err
	}
	if f["start"] == nil {
		return nil, fmt.Errorf("document %s, %s record %d: %w", id, kind, n, errs.NotFound)
	}
	rec, err := segments.Decode(f, id, kind, n)
	if err == nil && f["vec"] != nil {
		rec.Vector, err = segments.RecordVector(r, id, kind, n)
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
	st := s.pin.Statistics()
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
