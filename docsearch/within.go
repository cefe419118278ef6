package docsearch

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
)

// Within returns the library of those documents alone that came from below roots, each a folder or a file, and of those that were
// added through it, which are there until it is closed: this is for documents from memory. It answers as though there were no others:
// searches with their counts and suggestions, references, lists, collections, checks of sources. Where a root is a link, what it leads to is
// meant; a root that is not there yet is looked for again.
//
// Adding never replaces a document that is left out, unless that is of the same file, or has the same name and content, or its file is gone:
// else the error is a [*ConflictError] that does not say where the other one is from. Scores are as in the whole library, [Searched.Chunks] is 0
// where documents are left out, [Library.Check] runs without the engine's own check, and [Library.Backup] is an error wrapping [ErrUnsupported],
// as a copy has all documents. Closing it closes l, which nobody must change meanwhile.
func (l *Library) Within(roots ...string) *Library {
	return newLibrary(newLimited(l.store, roots), l.opt, l)
}

// limited is a store of some documents of another one: whatever a library asks of it, it tells of no others.
type limited struct {
	all driver.Store

	mu    sync.RWMutex // guards what follows
	roots []limitRoot
	own   map[string]bool // documents that were written through it

	ids    map[string]bool // the documents it tells of, as of the last listing; nil: not listed yet
	list   []string        // the same
	others bool            // there are others
}

type limitRoot struct {
	name string // absolute
	real string // links resolved; "" while it is not there
}

func newLimited(all driver.Store, roots []string) *limited {
	s := &limited{all: all, own: map[string]bool{}}
	for _, r := range roots {
		if abs, err := filepath.Abs(r); err == nil { // else there is no working directory, and nothing comes from below it
			s.roots = append(s.roots, limitRoot{name: abs})
		}
	}
	return s
}

// resolve looks where roots lead that were not there before. One that was keeps its meaning. s.mu is held.
func (s *limited) resolve() {
	for i := range s.roots {
		if r := &s.roots[i]; r.real == "" {
			if real, err := filepath.EvalSymlinks(r.name); err == nil {
				r.real = real
			}
		}
	}
}

// has reports whether a document from origin belongs to the store. s.mu is held, for reading at least.
func (s *limited) has(id, origin string) bool {
	if s.own[id] {
		return true
	}
	if !filepath.IsAbs(origin) {
		return false
	}
	origin = filepath.Clean(origin)
	return slices.ContainsFunc(s.roots, func(r limitRoot) bool {
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
		return "", fmt.Errorf("document %s: %w: %v", d.ID, ErrFormat, err)
	}
	return from.Origin, nil
}

// Walk implements driver.Walker. What it walks over is what searches look at from then on.
func (s *limited) Walk(ctx context.Context, each func(*driver.Document) error) error {
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
func (s *limited) scope(ctx context.Context, docs []string) ([]string, error) {
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
func (s *limited) keep(h *driver.Hits, err error) (*driver.Hits, error) {
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

func (s *limited) Search(ctx context.Context, q *driver.Query) (*driver.Hits, error) {
	docs, err := s.scope(ctx, q.Docs)
	if err != nil {
		return nil, err
	}
	asked := *q
	asked.Docs = docs
	return s.keep(s.all.Search(ctx, &asked))
}

// SearchVectors implements [driver.VectorStore].
func (s *limited) SearchVectors(ctx context.Context, q *driver.VectorQuery) (*driver.Hits, error) {
	all, ok := s.all.(driver.VectorStore)
	if !ok {
		return nil, fmt.Errorf("%w: the engine holds no vectors", ErrUnsupported)
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
func (s *limited) Similar(ctx context.Context, kind driver.Kind, term string, limit int) ([]driver.Spelling, error) {
	all, ok := s.all.(driver.Speller)
	if !ok {
		return nil, fmt.Errorf("%w: the engine knows no spellings", ErrUnsupported)
	}
	return all.Similar(ctx, kind, term, limit)
}

func (s *limited) Get(ctx context.Context, id string) (*driver.Document, error) {
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
		return nil, fmt.Errorf("document %s: %w", id, ErrNotFound)
	}
	return d, nil
}

// held is an error for a document that is not of this store.
func (s *limited) held(ctx context.Context, id string) error {
	s.mu.RLock()
	ok := s.ids[id]
	s.mu.RUnlock()
	if ok {
		return nil
	}
	_, err := s.Get(ctx, id)
	return err
}

func (s *limited) List(ctx context.Context) ([]*driver.Document, error) {
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

func (s *limited) Records(ctx context.Context, id string, kind driver.Kind, ns []int) ([]driver.Record, error) {
	if err := s.held(ctx, id); err != nil {
		return nil, err
	}
	return s.all.Records(ctx, id, kind, ns)
}

// Stats tells of the state alone where there are others: what the engine counts are documents and records of all.
func (s *limited) Stats(ctx context.Context) (driver.Stats, error) {
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

func (s *limited) Replace(ctx context.Context, docs []*driver.Document) error {
	if err := s.all.Replace(ctx, docs); err != nil {
		return err
	}
	for _, d := range docs {
		s.admit(d.ID)
	}
	return nil
}

// admit makes a document one of this store.
func (s *limited) admit(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.own[id] = true
	if s.ids != nil && !s.ids[id] {
		s.ids[id], s.list = true, append(s.list, id)
	}
}

func (s *limited) SetData(ctx context.Context, data map[string][]byte) error {
	for id := range data {
		if err := s.held(ctx, id); err != nil {
			return err
		}
	}
	return s.all.SetData(ctx, data)
}

func (s *limited) Delete(ctx context.Context, id string) error {
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
func (s *limited) Backup(context.Context, string, func(done, total int64)) error {
	return fmt.Errorf("backup: %w: it copies all documents, and this library is limited to some of them: open it without the limit", ErrUnsupported)
}

func (s *limited) Close() error { return s.all.Close() }

// leftOut returns the document of an id that the library leaves out, or nil.
func (l *Library) leftOut(ctx context.Context, id string) (*catalog.Entry, error) {
	s, ok := l.store.(*limited)
	if !ok {
		return nil, nil
	}
	d, err := s.all.Get(ctx, id)
	if errors.Is(err, ErrNotFound) {
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

// admit decides about a document of the id of a source that the library leaves out. Where the source shows that it is this very document the
// library tells of it from now on; where its file is gone, as when a folder was moved, it is returned to be replaced; else the error is a conflict.
func (l *Library) admit(ctx context.Context, src Source, id string) (*catalog.Entry, error) {
	e, err := l.leftOut(ctx, id)
	if e == nil || err != nil {
		return nil, err
	}
	if gone(e.Origin) {
		return e, nil
	}
	same := e.Origin == src.Origin && (filepath.IsAbs(src.Origin) || e.Name == src.Name)
	if same && !filepath.IsAbs(src.Origin) { // from memory
		bytes, err := l.hash(ctx, src)
		if err != nil {
			return nil, err
		}
		same = e.Hash == bytes.sum
		if err := bytes.Close(); err != nil {
			return nil, err
		}
	}
	if !same {
		return nil, &catalog.ConflictError{ID: id, Name: src.Name, Got: src.Origin}
	}
	l.store.(*limited).admit(id)
	l.docs.Admit(e)
	return nil, nil
}
