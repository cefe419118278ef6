package elasticstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

type store struct {
	cluster     *cluster
	states      *states
	changes     *changes
	frequencies *frequencies
	opt         *Options

	life context.Context // ends at Close
	end  context.CancelFunc

	mu     sync.Mutex // guards what follows
	closed bool
	calls  sync.WaitGroup // that run
}

func newStore(c *client, o *Options) *store {
	cl := &cluster{c: c, opt: o, prefix: o.Prefix}
	states := &states{cl}
	s := &store{cluster: cl, states: states, changes: &changes{cluster: cl, states: states}, frequencies: &frequencies{cluster: cl}, opt: o}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// call runs f as a call of the store: it ends when the context or the store does.
func (s *store) call(ctx context.Context, f func(ctx context.Context) error) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return fmt.Errorf("document cluster: %w", errs.Closed)
	}
	s.calls.Add(1)
	s.mu.Unlock()
	defer s.calls.Done()
	if err := ctx.Err(); err != nil {
		return err
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	err := f(inner)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case s.life.Err() != nil && errors.Is(err, context.Canceled):
		return fmt.Errorf("document cluster: %w", errs.Closed)
	}
	return fmt.Errorf("document cluster: %w", err)
}

// prepare finds out what server it is and that the indices are there and ours; it makes what is missing.
func (s *store) prepare(ctx context.Context) error {
	if err := s.cluster.checkProduct(ctx); err != nil {
		return fmt.Errorf("document cluster: %w", err)
	}
	for _, k := range driver.Kinds() {
		if err := s.cluster.prepareIndex(ctx, k); err != nil {
			return fmt.Errorf("document cluster: index %s: %w", s.cluster.alias(k), err)
		}
	}
	if err := s.states.prepare(ctx); err != nil {
		return fmt.Errorf("document cluster: %w", err)
	}
	if s.opt.ReadOnly {
		return nil
	}
	if err := s.changes.tidy(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// What is left over is ignored, and the next change, opening or check removes it.
		s.opt.Logger.Info("elasticstore: leftovers not removed", "prefix", s.cluster.prefix, "reason", err)
	}
	return nil
}

// closeTime bounds what Close still removes.
const closeTime = 20 * time.Second

func (s *store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return fmt.Errorf("document cluster: %w", errs.Closed)
	}
	s.closed = true
	s.mu.Unlock()
	s.end()
	s.calls.Wait()
	if s.changes.wrote.Load() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		if err := s.changes.tidy(ctx); err != nil {
			s.opt.Logger.Info("elasticstore: leftovers not removed", "prefix", s.cluster.prefix, "reason", err)
		}
	}
	s.cluster.c.close()
	return nil
}

// change carries out a change of documents as a call of the store; see [changes.do].
func (s *store) change(ctx context.Context, ids []string, write func(context.Context, *writer) error, commit func(*state, *writer) error) error {
	return s.call(ctx, func(ctx context.Context) error { return s.changes.do(ctx, ids, write, commit) })
}

// read is a call that reads: f gets a state, and perhaps a newer one again.
func read[T any](ctx context.Context, s *store, f func(ctx context.Context, st *state) (T, error)) (T, error) {
	var out, none T
	err := s.call(ctx, func(ctx context.Context) error {
		return s.states.view(ctx, func(st *state) (err error) {
			out, err = f(ctx, st)
			return err
		})
	})
	if err != nil {
		return none, err
	}
	return out, nil
}

func (s *store) Replace(ctx context.Context, docs []*driver.Document) error {
	ids := make([]string, 0, len(docs))
	for _, d := range docs {
		if err := checkID(d.ID); err != nil {
			return fmt.Errorf("document cluster: %w", err)
		}
		if err := driver.CheckVectors(d); err != nil {
			return fmt.Errorf("document cluster: %w", err)
		}
		ids = append(ids, d.ID)
	}
	return s.change(ctx, ids, func(ctx context.Context, w *writer) error {
		b := s.cluster.newBulk(ctx)
		err := func() error {
			for _, d := range docs {
				all := map[driver.Kind]sums{}
				for i := range d.Records {
					if err := w.alive(ctx); err != nil {
						return err
					}
					r := &d.Records[i]
					what := fmt.Sprintf("document %s, %s record %d", d.ID, r.Kind, r.N)
					if !slices.Contains(driver.Kinds(), r.Kind) {
						return fmt.Errorf("%s: %w: no such kind", what, errs.Unsupported)
					}
					rec, sum, err := newRecord(r, w.batch, d.ID)
					if err != nil {
						return fmt.Errorf("%s: %w", what, err)
					}
					if rec.Near, err = s.cluster.nearOf(ctx, r); err != nil {
						return err
					}
					all[r.Kind] = all[r.Kind].plus(sum)
					if err := b.put(r.Kind, rec, what); err != nil {
						return err
					}
				}
				owner := recordOwner(w.batch, d.ID)
				layout := &document{Type: typeLayout, Parent: d.ID, Batch: w.batch, Owner: owner, Layout: d.Layout}
				if err := b.put(driver.KindDocument, layout, "document "+d.ID+", its layout"); err != nil {
					return err
				}
				entry := &document{Type: typeEntry, Parent: d.ID, Batch: w.batch, Owner: entryOwner(w.batch, d.ID), Data: d.Data, Records: owner, Sums: all}
				if err := b.put(driver.KindDocument, entry, "document "+d.ID); err != nil {
					return err
				}
				w.fresh[d.ID] = all
			}
			return nil
		}()
		// Requests that run are waited for in any case.
		if sent := b.wait(); sent != nil && (err == nil || errors.Is(err, context.Canceled)) {
			err = sent
		}
		return err
	}, func(st *state, w *writer) error {
		for _, id := range ids {
			if old := w.old[id]; old != nil {
				st.count(old.Sums, -1)
				st.bury(old.Owner, old.Records)
			}
			st.count(w.fresh[id], 1)
		}
		return nil
	})
}

func (a sums) plus(b sums) sums {
	return sums{a.Records + b.Records, a.Words + b.Words, a.Idents + b.Idents, a.Heads + b.Heads}
}

func (s *store) Delete(ctx context.Context, id string) error {
	return s.change(ctx, []string{id}, nil, func(st *state, w *writer) error {
		old := w.old[id]
		if old == nil {
			return fmt.Errorf("document %s: %w", id, errs.NotFound)
		}
		st.count(old.Sums, -1)
		st.bury(old.Owner, old.Records)
		return nil
	})
}

func (s *store) SetData(ctx context.Context, data map[string][]byte) error {
	ids := slices.Sorted(maps.Keys(data))
	missing := func(w *writer) error {
		for _, id := range ids {
			if w.old[id] == nil {
				return fmt.Errorf("document %s: %w", id, errs.NotFound)
			}
		}
		return nil
	}
	return s.change(ctx, ids, func(ctx context.Context, w *writer) error {
		if err := missing(w); err != nil {
			return err
		}
		b := s.cluster.newBulk(ctx)
		var err error
		for _, id := range ids {
			old := w.old[id]
			entry := &document{Type: typeEntry, Parent: id, Batch: w.batch, Owner: entryOwner(w.batch, id), Data: data[id], Records: old.Records, Sums: old.Sums}
			if err = b.put(driver.KindDocument, entry, "document "+id); err != nil {
				break
			}
		}
		if sent := b.wait(); sent != nil && (err == nil || errors.Is(err, context.Canceled)) {
			err = sent
		}
		return err
	}, func(st *state, w *writer) error {
		if err := missing(w); err != nil {
			return err
		}
		for _, id := range ids {
			st.bury(w.old[id].Owner)
		}
		return nil
	})
}

func (s *store) Stats(ctx context.Context) (driver.Stats, error) {
	out := driver.Stats{Records: map[driver.Kind]int{}}
	err := s.call(ctx, func(ctx context.Context) error {
		st, _, err := s.states.read(ctx)
		if err != nil {
			return err
		}
		out.Documents, out.Generation = st.Documents, st.Generation
		for k, v := range st.Kinds {
			if v.Records > 0 {
				out.Records[k] = v.Records
			}
		}
		return nil
	})
	if err != nil {
		return driver.Stats{}, err
	}
	return out, nil
}

func (s *store) Get(ctx context.Context, id string) (*driver.Document, error) {
	return read(ctx, s, func(ctx context.Context, st *state) (*driver.Document, error) {
		e, err := s.cluster.entry(ctx, st, id)
		if err != nil {
			return nil, err
		}
		var layout *document
		err = s.cluster.scan(ctx, driver.KindDocument, scan{
			query: object{"bool": object{"filter": []any{term1("owner", e.Records), term1("type", typeLayout)}}}, sort: []string{"batch"},
		}, func(d *document) error { layout = d; return nil })
		if err == nil && layout == nil {
			err = fmt.Errorf("document %s: %w: its layout is lost: add it again", id, errs.Format)
		}
		if err != nil {
			return nil, err
		}
		return &driver.Document{ID: id, Data: e.Data, Layout: layout.Layout}, nil
	})
}

func (s *store) List(ctx context.Context) ([]*driver.Document, error) {
	return read(ctx, s, func(ctx context.Context, st *state) ([]*driver.Document, error) {
		out := []*driver.Document{}
		query := scan{query: st.live(term1("type", typeEntry)), sort: []string{"parent_doc_id", "batch"}, fields: []string{"parent_doc_id", "data"}}
		err := s.cluster.scan(ctx, driver.KindDocument, query, func(d *document) error {
			out = append(out, &driver.Document{ID: d.Parent, Data: d.Data})
			return nil
		})
		return out, err
	})
}

func (s *store) Records(ctx context.Context, id string, kind driver.Kind, ns []int) ([]driver.Record, error) {
	if !slices.Contains(driver.Kinds(), kind) {
		return nil, fmt.Errorf("document cluster: kind %q: %w", kind, errs.NotFound)
	}
	return read(ctx, s, func(ctx context.Context, st *state) ([]driver.Record, error) {
		e, err := s.cluster.entry(ctx, st, id)
		if err != nil {
			return nil, err
		}
		return s.cluster.records(ctx, e, kind, ns)
	})
}
