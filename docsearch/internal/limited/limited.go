package limited

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/internal/errs"
)

// A Store is a store of some documents of another one: whatever a library asks of it, it tells of no others.
type Store struct {
	all driver.Store

	mu    sync.RWMutex // guards what follows
	roots []root
	own   map[string]bool // documents that were written through it

	ids    map[string]bool // the documents it tells of, as of the last listing; nil: not listed yet
	list   []string        // the same
	others bool            // there are others
}

type root struct {
	name string // absolute
	real string // links resolved; "" while it is not there
}

// New returns the store of the documents of another one that come from below some roots.
func New(all driver.Store, roots []string) *Store {
	s := &Store{all: all, own: map[string]bool{}}
	for _, r := range roots {
		if abs, err := filepath.Abs(r); err == nil { // else there is no working directory, and nothing comes from below it
			s.roots = append(s.roots, root{name: abs})
		}
	}
	return s
}

// resolve looks where roots lead that were not there before. One that was keeps its meaning. s.mu is held.
func (s *Store) resolve() {
	for i := range s.roots {
		if r := &s.roots[i]; r.real == "" {
			if real, err := filepath.EvalSymlinks(r.name); err == nil {
				r.real = real
			}
		}
	}
}

// has reports whether a document from origin belongs to the store. s.mu is held, for reading at least.
func (s *Store) has(id, origin string) bool {
	if s.own[id] {
		return true
	}
	if !filepath.IsAbs(origin) {
		return false
	}
	origin = filepath.Clean(origin)
	return slices.ContainsFunc(s.roots, func(r root) bool {
		sep := string(filepath.Separator)
		return r.real != "" && (origin == r.real || strings.HasPrefix(origin, strings.TrimSuffix(r.real, sep)+sep))
	})
}

// originOf reads where a document is from.
func originOf(d *driver.Document) (string, error) {
	var from struct {
		Origin string `json:"origin"`
	}
	if err := json.Unmarshal(d.Data, &from); err != nil {
		return "", fmt.Errorf("document %s: %w: %v", d.ID, errs.Format, err)
	}
	return from.Origin, nil
}

// Walk implements driver.Walker. What it walks over is what searches look at from then on.
func (s *Store) Walk(ctx context.Context, each func(*driver.Document) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resolve()
	ids, list, others := map[string]bool{}, []string{}, false
	err := catalog.Walk(ctx, s.all, func(d *driver.Document) error {
		origin, err := originOf(d)
		if err != nil {
			return err
		}
		if !s.has(d.ID, origin) {
			others = true
			return nil
		}
		ids[d.ID], list = true, append(list, d.ID)
		return each(d)
	})
	if err == nil {
		s.ids, s.list, s.others = ids, list, others
	}
	return err
}

// scope returns the documents to ask the engine for; nil: all.
func (s *Store) scope(ctx context.Context, docs []string) ([]string, error) {
	s.mu.RLock()
	known, list, others := s.ids != nil, s.list, s.others
	s.mu.RUnlock()
	if !known {
		if err := s.Walk(ctx, func(*driver.Document) error { return nil }); err != nil {
			return nil, err
		}
		return s.scope(ctx, docs)
	}
	switch {
	case docs != nil: // of the library's own list; what came between is left out of the hits
		return docs, nil
	case !others:
		return nil, nil
	}
	return list, nil
}

// keep leaves out of hits what is not, or no more, of this store.
func (s *Store) keep(h *driver.Hits, err error) (*driver.Hits, error) {
	if err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := len(h.Hits)
	h.Hits = slices.DeleteFunc(h.Hits, func(hit driver.Hit) bool { return !s.ids[hit.Doc] })
	h.Total -= n - len(h.Hits)
	return h, nil
}

func (s *Store) Search(ctx context.Context, q *driver.Query) (*driver.Hits, error) {
	docs, err := s.scope(ctx, q.Docs)
	if err != nil {
		return nil, err
	}
	asked := *q
	asked.Docs = docs
	return s.keep(s.all.Search(ctx, &asked))
}

// SearchVectors implements [driver.VectorStore].
func (s *Store) SearchVectors(ctx context.Context, q *driver.VectorQuery) (*driver.Hits, error) {
	all, ok := s.all.(driver.VectorStore)
	if !ok {
		return nil, fmt.Errorf("%w: the engine stores no vectors", errs.Unsupported)
	}
	docs, err := s.scope(ctx, q.Docs)
	if err != nil {
		return nil, err
	}
	asked := *q
	asked.Docs = docs
	return s.keep(all.SearchVectors(ctx, &asked))
}

// Similar implements [driver.Speller]. Terms that only other documents have are among its answer: a library suggests none without finding a document that holds it.
func (s *Store) Similar(ctx context.Context, kind driver.Kind, term string, limit int) ([]driver.Spelling, error) {
	all, ok := s.all.(driver.Speller)
	if !ok {
		return nil, fmt.Errorf("%w: the engine knows no spellings", errs.Unsupported)
	}
	return all.Similar(ctx, kind, term, limit)
}

// Count implements [driver.Counter]. It counts the records of all documents, by which scores weigh terms too.
func (s *Store) Count(ctx context.Context, kind driver.Kind, terms []string) (*driver.Counts, error) {
	all, ok := s.all.(driver.Counter)
	if !ok {
		return nil, fmt.Errorf("%w: the engine does not count terms", errs.Unsupported)
	}
	return all.Count(ctx, kind, terms)
}

func (s *Store) Get(ctx context.Context, id string) (*driver.Document, error) {
	d, err := s.all.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	origin, err := originOf(d)
	if err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if !s.has(id, origin) {
		return nil, fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	return d, nil
}

// held is an error for a document that is not of this store.
func (s *Store) held(ctx context.Context, id string) error {
	s.mu.RLock()
	ok := s.ids[id]
	s.mu.RUnlock()
	if ok {
		return nil
	}
	_, err := s.Get(ctx, id)
	return err
}

func (s *Store) List(ctx context.Context) ([]*driver.Document, error) {
	docs, err := s.all.List(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resolve()
	return slices.DeleteFunc(docs, func(d *driver.Document) bool {
		origin, err := originOf(d)
		return err == nil && !s.has(d.ID, origin) // what cannot be told is damage, which is said by its id
	}), nil
}

func (s *Store) Records(ctx context.Context, id string, kind driver.Kind, ns []int) ([]driver.Record, error) {
	if err := s.held(ctx, id); err != nil {
		return nil, err
	}
	return s.all.Records(ctx, id, kind, ns)
}

// Stats tells of the state alone where there are others: what the engine counts are documents and records of all.
func (s *Store) Stats(ctx context.Context) (driver.Stats, error) {
	st, err := s.all.Stats(ctx)
	if err != nil {
		return driver.Stats{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.ids == nil || s.others {
		st.Documents, st.Records = len(s.ids), nil
	}
	return st, nil
}

func (s *Store) Replace(ctx context.Context, docs []*driver.Document) error {
	if err := s.all.Replace(ctx, docs); err != nil {
		return err
	}
	for _, d := range docs {
		s.Admit(d.ID)
	}
	return nil
}

// Admit makes a document one of this store.
func (s *Store) Admit(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.own[id] = true
	if s.ids != nil && !s.ids[id] {
		s.ids[id], s.list = true, append(s.list, id)
	}
}

func (s *Store) SetData(ctx context.Context, data map[string][]byte) error {
	for id := range data {
		if err := s.held(ctx, id); err != nil {
			return err
		}
	}
	return s.all.SetData(ctx, data)
}

func (s *Store) Delete(ctx context.Context, id string) error {
	if err := s.held(ctx, id); err != nil {
		return err
	}
	if err := s.all.Delete(ctx, id); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.own, id)
	delete(s.ids, id)
	s.list = slices.DeleteFunc(slices.Clone(s.list), func(have string) bool { return have == id }) // searches may have the old one
	return nil
}

// Backup implements [driver.Backuper].
func (s *Store) Backup(context.Context, string, func(done, total int64)) error {
	return fmt.Errorf("backup: %w: it copies all documents, and this library is limited to some of them: open it without the limit", errs.Unsupported)
}

func (s *Store) Close() error { return s.all.Close() }

// LeftOut returns the document of an id that the store leaves out, or nil.
func (s *Store) LeftOut(ctx context.Context, id string) (*catalog.Entry, error) {
	d, err := s.all.Get(ctx, id)
	if errors.Is(err, errs.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	kept, err := catalog.Decode(d)
	if err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.has(id, kept.Origin) {
		return nil, nil
	}
	return kept.Entry(func(s string) string { return s }), nil
}
