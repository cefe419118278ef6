package elasticstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

type store struct {
	c      *client
	opt    *Options
	prefix string

	life context.Context // ends at Close
	end  context.CancelFunc

	writing sync.Mutex // one change of this process at a time: others would only conflict

	mu     sync.Mutex // guards what follows
	closed bool
	calls  sync.WaitGroup // that run
	wrote  bool

	frequencies frequencies
}

func newStore(c *client, o *Options) *store {
	s := &store{c: c, opt: o, prefix: o.Prefix}
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

// closeTime bounds what Close still removes.
const closeTime = 20 * time.Second

func (s *store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return fmt.Errorf("document cluster: %w", errs.Closed)
	}
	s.closed = true
	wrote := s.wrote
	s.mu.Unlock()
	s.end()
	s.calls.Wait()
	if wrote {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		if err := s.tidy(ctx); err != nil {
			s.opt.Logger.Info("elasticstore: leftovers not removed", "prefix", s.prefix, "reason", err)
		}
	}
	s.c.close()
	return nil
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
		b := s.newBulk(ctx)
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
		b := s.newBulk(ctx)
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
		st, _, err := s.readState(ctx)
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
	var out *driver.Document
	err := s.call(ctx, func(ctx context.Context) error {
		return s.view(ctx, func(st *state) error {
			e, err := s.entry(ctx, st, id)
			if err != nil {
				return err
			}
			var layout *document
			err = s.scan(ctx, driver.KindDocument, scan{
				query: object{"bool": object{"filter": []any{term1("owner", e.Records), term1("type", typeLayout)}}}, sort: []string{"batch"},
			}, func(d *document) error { layout = d; return nil })
			if err != nil {
				return err
			}
			if layout == nil {
				return fmt.Errorf("document %s: %w: its layout is lost: add it again", id, errs.Format)
			}
			out = &driver.Document{ID: id, Data: e.Data, Layout: layout.Layout}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// entry returns the entry of one document.
func (s *store) entry(ctx context.Context, st *state, id string) (*document, error) {
	all, err := s.entries(ctx, st, []string{id}, true)
	if err != nil {
		return nil, err
	}
	if all[id] == nil {
		return nil, fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	return all[id], nil
}

// entries returns the entries of documents, of those that are there, by id; their data only when it is asked for.
func (s *store) entries(ctx context.Context, st *state, ids []string, data bool) (map[string]*document, error) {
	out := map[string]*document{}
	fields := []string{"parent_doc_id", "owner", "batch", "records", "sums"}
	if data {
		fields = append(fields, "data")
	}
	for part := range slices.Chunk(ids, 1000) {
		query := st.live(term1("type", typeEntry), object{"terms": object{"parent_doc_id": part}})
		err := s.scan(ctx, driver.KindDocument, scan{query: query, sort: []string{"parent_doc_id", "batch"}, fields: fields}, func(d *document) error {
			if out[d.Parent] != nil {
				return fmt.Errorf("document %s: %w: it has two entries: check the library", d.Parent, errs.Format)
			}
			out[d.Parent] = d
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *store) List(ctx context.Context) ([]*driver.Document, error) {
	var out []*driver.Document
	err := s.call(ctx, func(ctx context.Context) error {
		return s.view(ctx, func(st *state) error {
			out = []*driver.Document{}
			query := scan{query: st.live(term1("type", typeEntry)), sort: []string{"parent_doc_id", "batch"}, fields: []string{"parent_doc_id", "data"}}
			return s.scan(ctx, driver.KindDocument, query, func(d *document) error {
				out = append(out, &driver.Document{ID: d.Parent, Data: d.Data})
				return nil
			})
		})
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *store) Records(ctx context.Context, id string, kind driver.Kind, ns []int) ([]driver.Record, error) {
	if !slices.Contains(driver.Kinds(), kind) {
		return nil, fmt.Errorf("document cluster: kind %q: %w", kind, errs.NotFound)
	}
	var out []driver.Record
	err := s.call(ctx, func(ctx context.Context) error {
		return s.view(ctx, func(st *state) (err error) {
			e, err := s.entry(ctx, st, id)
			if err != nil {
				return err
			}
			out, err = s.records(ctx, e, kind, ns)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *store) records(ctx context.Context, e *document, kind driver.Kind, ns []int) ([]driver.Record, error) {
	out := []driver.Record{}
	filter := []any{term1("owner", e.Records), term1("type", typeRecord)}
	read := func(filter []any, each func(driver.Record)) error {
		query := scan{query: object{"bool": object{"filter": filter}}, sort: []string{"n"}, fields: recordFields}
		return s.scan(ctx, kind, query, func(d *document) error {
			r, err := d.record(kind, e.Parent)
			if err == nil {
				each(r)
			}
			return err
		})
	}
	if ns == nil {
		err := read(filter, func(r driver.Record) { out = append(out, r) })
		if err == nil && len(out) != e.Sums[kind].Records {
			err = fmt.Errorf("document %s: %w: it has %d of its %d %s records: add it again", e.Parent, errs.Format, len(out), e.Sums[kind].Records, kind)
		}
		return out, err
	}
	byN := map[int]driver.Record{}
	for part := range slices.Chunk(ns, 1000) {
		if err := read(append(slices.Clip(filter), object{"terms": object{"n": part}}), func(r driver.Record) { byN[r.N] = r }); err != nil {
			return nil, err
		}
	}
	for _, n := range ns {
		r, ok := byN[n]
		if !ok {
			return nil, fmt.Errorf("document %s, %s record %d: %w", e.Parent, kind, n, errs.NotFound)
		}
		out = append(out, r)
	}
	return out, nil
}

func term1(field string, value any) object { return object{"term": object{field: value}} }

// A scan asks for documents of one index in a fixed order.
type scan struct {
	query  object
	sort   []string // fields with one value each, which together tell documents apart
	fields []string // nil: all
}

// scanPage is how many documents are asked for at a time, and scanHalvings how often that is halved when they are too large.
const (
	scanPage     = 500
	scanHalvings = 9
)

// scan yields documents page by page; the documents are not kept.
func (s *store) scan(ctx context.Context, k driver.Kind, q scan, each func(*document) error) error {
	return s.scanIDs(ctx, k, q, func(_ string, d *document) error { return each(d) })
}

// scanIDs is scan with the server's ids of the documents.
func (s *store) scanIDs(ctx context.Context, k driver.Kind, q scan, each func(id string, d *document) error) error {
	size, halvings := scanPage, 0
	var after []any
	for {
		body := object{"query": q.query, "size": size, "sort": sortBy(q.sort), "track_total_hits": false}
		if q.fields != nil {
			body["_source"] = q.fields
		}
		if after != nil {
			body["search_after"] = after
		}
		var res struct {
			searchHead
			Hits struct {
				Hits []struct {
					ID     string   `json:"_id"`
					Source document `json:"_source"`
					Sort   []any    `json:"sort"`
				} `json:"hits"`
			} `json:"hits"`
		}
		err := s.search(ctx, k, body, &res)
		if errors.Is(err, errs.TooLarge) && halvings < scanHalvings {
			halvings++
			size = max(1, size/2)
			continue
		}
		if err != nil {
			return err
		}
		for i := range res.Hits.Hits {
			if err := each(res.Hits.Hits[i].ID, &res.Hits.Hits[i].Source); err != nil {
				return err
			}
		}
		if len(res.Hits.Hits) < size {
			return nil
		}
		if after = res.Hits.Hits[len(res.Hits.Hits)-1].Sort; len(after) != len(q.sort) {
			return fmt.Errorf("%w: an answer of the server is not sorted", errs.Format)
		}
	}
}

func sortBy(fields []string) []any {
	var out []any
	for _, f := range fields {
		out = append(out, object{f: "asc"})
	}
	return out
}

// searchHead is what all answers to searches begin with.
type searchHead struct {
	TimedOut bool `json:"timed_out"`
	Shards   struct {
		Failed int `json:"failed"`
	} `json:"_shards"`
}

func (h *searchHead) whole() error {
	if h.TimedOut || h.Shards.Failed > 0 {
		return fmt.Errorf("the search is not whole: %d shards failed, out of time: %s", h.Shards.Failed, strconv.FormatBool(h.TimedOut))
	}
	return nil
}

// search asks one index. An answer of some shards only is an error.
func (s *store) search(ctx context.Context, k driver.Kind, body object, out interface{ whole() error }) error {
	query := url.Values{"allow_partial_search_results": {"false"}}
	if err := s.c.do(ctx, http.MethodPost, "/"+s.alias(k)+"/_search", query, body, out); err != nil {
		return err
	}
	return out.whole()
}
