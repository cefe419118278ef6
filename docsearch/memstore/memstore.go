package memstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/score"
	"github.com/findspot/findspot/internal/errs"
)

// Open returns an empty library that is kept in memory.
func Open(o *docsearch.Options) (*docsearch.Library, error) { return docsearch.New(New(), o) }

// New returns an empty store.
func New() driver.Store {
	return &store{docs: map[string]*entry{}, kinds: map[driver.Kind]*kind{}}
}

type store struct {
	mu     sync.RWMutex // guards what follows
	docs   map[string]*entry
	kinds  map[driver.Kind]*kind
	gen    uint64
	closed bool
}

// kind holds the statistics of one index.
type kind struct {
	records              int
	words, idents, heads field
}

// holding returns how many records hold a term in a field.
func (k *kind) holding(field, term string) int {
	switch field {
	case score.Idents:
		return k.idents.df[term]
	case score.Heads:
		return k.heads.df[term]
	}
	return k.words.df[term]
}

type field struct {
	df     map[string]int
	length int // tokens of all records
}

type entry struct {
	doc     driver.Document // without records
	records []*record       // by kind and number
}

type record struct {
	driver.Record
	driver.Analysis
	heads driver.Field
}

func (s *store) check(ctx context.Context) error {
	if s.closed {
		return fmt.Errorf("document store: %w", errs.Closed)
	}
	return ctx.Err()
}

func (s *store) Replace(ctx context.Context, docs []*driver.Document) error {
	fresh := make([]*entry, len(docs))
	for i, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := driver.CheckVectors(d); err != nil {
			return err
		}
		e := &entry{doc: driver.Document{ID: d.ID, Data: slices.Clone(d.Data), Layout: slices.Clone(d.Layout)}}
		for _, r := range d.Records {
			r.Doc, r.Data, r.Vector = d.ID, slices.Clone(r.Data), slices.Clone(r.Vector)
			e.records = append(e.records, &record{r, driver.Analyze(r.Text), driver.Analyze(r.Heads).Words})
		}
		fresh[i] = e
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(ctx); err != nil {
		return err
	}
	for _, e := range fresh {
		if old := s.docs[e.doc.ID]; old != nil {
			s.count(old, -1)
		}
		s.docs[e.doc.ID] = e
		s.count(e, 1)
	}
	s.gen++
	return nil
}

// count adds or takes away the records of e in the statistics.
func (s *store) count(e *entry, sign int) {
	for _, r := range e.records {
		k := s.kinds[r.Kind]
		if k == nil {
			k = &kind{words: field{df: map[string]int{}}, idents: field{df: map[string]int{}}, heads: field{df: map[string]int{}}}
			s.kinds[r.Kind] = k
		}
		k.records += sign
		for _, f := range []struct {
			total *field
			one   driver.Field
		}{{&k.words, r.Words}, {&k.idents, r.Idents}, {&k.heads, r.heads}} {
			f.total.length += sign * f.one.Length
			for term := range f.one.Terms {
				if f.total.df[term] += sign; f.total.df[term] == 0 {
					delete(f.total.df, term)
				}
			}
		}
	}
}

func (s *store) Delete(ctx context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(ctx); err != nil {
		return err
	}
	e := s.docs[id]
	if e == nil {
		return fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	s.count(e, -1)
	delete(s.docs, id)
	s.gen++
	return nil
}

func (s *store) SetData(ctx context.Context, data map[string][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.check(ctx); err != nil {
		return err
	}
	for id := range data {
		if s.docs[id] == nil {
			return fmt.Errorf("document %s: %w", id, errs.NotFound)
		}
	}
	for id, b := range data {
		s.docs[id].doc.Data = slices.Clone(b)
	}
	s.gen++
	return nil
}

func (s *store) Get(ctx context.Context, id string) (*driver.Document, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	e := s.docs[id]
	if e == nil {
		return nil, fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	return &driver.Document{ID: id, Data: slices.Clone(e.doc.Data), Layout: slices.Clone(e.doc.Layout)}, nil
}

func (s *store) List(ctx context.Context) ([]*driver.Document, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	out := []*driver.Document{}
	for _, id := range slices.Sorted(maps.Keys(s.docs)) {
		out = append(out, &driver.Document{ID: id, Data: slices.Clone(s.docs[id].doc.Data)})
	}
	return out, nil
}

func (s *store) Records(ctx context.Context, id string, kind driver.Kind, ns []int) ([]driver.Record, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	e := s.docs[id]
	if e == nil {
		return nil, fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	byN := map[int]*record{}
	for _, r := range e.records {
		if r.Kind == kind {
			byN[r.N] = r
		}
	}
	if ns == nil {
		ns = slices.Sorted(maps.Keys(byN))
	}
	out := []driver.Record{}
	for _, n := range ns {
		r := byN[n]
		if r == nil {
			return nil, fmt.Errorf("document %s, %s record %d: %w", id, kind, n, errs.NotFound)
		}
		c := r.Record
		c.Data, c.Vector = slices.Clone(c.Data), slices.Clone(c.Vector)
		out = append(out, c)
	}
	return out, nil
}

func (s *store) Stats(ctx context.Context) (driver.Stats, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx); err != nil {
		return driver.Stats{}, err
	}
	st := driver.Stats{Documents: len(s.docs), Records: map[driver.Kind]int{}, Generation: s.gen}
	for _, k := range driver.Kinds() {
		if s.kinds[k] != nil {
			st.Records[k] = s.kinds[k].records
		}
	}
	return st, nil
}

func (s *store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("document store: %w", errs.Closed)
	}
	s.closed, s.docs, s.kinds = true, nil, nil
	return nil
}

func (s *store) Search(ctx context.Context, q *driver.Query) (*driver.Hits, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	k := s.kinds[q.Kind]
	if k == nil {
		return &driver.Hits{}, nil
	}
	sc := score.New(q, score.Sums{Records: k.records, Words: k.words.length, Idents: k.idents.length, Heads: k.heads.length}, k.holding)
	return s.collect(ctx, q.Docs, q.Limit, q.PerDoc, func(r *record) (float64, bool, error) {
		if r.Kind != q.Kind {
			return 0, false, nil
		}
		points, ok := sc.Match(&score.Record{Text: r.Text, Analysis: r.Analysis, Heads: func() driver.Field { return r.heads }})
		return points, ok, nil
	})
}

// collect asks match about each record of the documents docs (nil: all) and returns the best documents with their best records.
func (s *store) collect(ctx context.Context, docs []string, limit, perDoc int, match func(*record) (float64, bool, error)) (*driver.Hits, error) {
	res := &driver.Hits{}
	for _, id := range slices.Sorted(maps.Keys(s.docs)) {
		if docs != nil && !slices.Contains(docs, id) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h := driver.Hit{Doc: id}
		for _, r := range s.docs[id].records {
			score, ok, err := match(r)
			if err != nil {
				return nil, err
			}
			if ok {
				h.Records = append(h.Records, driver.RecordHit{N: r.N, Score: score})
			}
		}
		if len(h.Records) == 0 {
			continue
		}
		res.Total++
		if perDoc <= 0 {
			continue
		}
		slices.SortFunc(h.Records, func(a, b driver.RecordHit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
		})
		h.Records = h.Records[:min(len(h.Records), perDoc)]
		res.Hits = append(res.Hits, h)
	}
	slices.SortStableFunc(res.Hits, func(a, b driver.Hit) int {
		return cmp.Compare(b.Records[0].Score, a.Records[0].Score)
	})
	res.Hits = res.Hits[:min(len(res.Hits), max(limit, 0))]
	return res, nil
}
