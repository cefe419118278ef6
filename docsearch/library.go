package docsearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

// A Library is a set of documents in a store. It is safe for concurrent use: searching while documents are added sees
// whole documents only.
type Library struct {
	store driver.Store
	opt   Options

	writing sync.Mutex // held while a change is compared with the store and written

	progressing sync.Mutex // serialises calls of opt.Progress

	closed  atomic.Bool
	checked atomic.Int64 // Unix nanoseconds of the last comparison with a source; 0: none yet
	changed atomic.Int64 // sources found changed by it

	cacheMu sync.Mutex // guards what follows
	catalog *catalog
	layouts map[string]*layoutEntry // by id; a few

	scopes scopes
}

// New returns a library over a store, which it closes. Engines have an Open that calls it.
func New(store driver.Store, o *Options) (*Library, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("docsearch options: %w", err)
	}
	if store == nil {
		return nil, errors.New("docsearch: no store")
	}
	return &Library{store: store, opt: opt, layouts: map[string]*layoutEntry{}}, nil
}

// Close closes the store. Calls that run end with an error wrapping [ErrClosed], as does a second Close.
func (l *Library) Close() error {
	if l.closed.Swap(true) {
		return fmt.Errorf("document library: %w", ErrClosed)
	}
	l.writing.Lock() // a change that is being written is finished
	defer l.writing.Unlock()
	return l.store.Close()
}

// Generation grows with every change of the library. It is 0 after Close.
func (l *Library) Generation() uint64 {
	st, err := l.store.Stats(context.Background())
	if err != nil {
		return 0
	}
	return st.Generation
}

// entry is what the store keeps as the Data of a document.
type entry struct {
	Document
	Recipe   string    `json:"recipe"`             // how the content was turned into text and records
	ModTime  time.Time `json:"mod_time,omitzero"`  // of the file
	Numbers  []string  `json:"numbers,omitempty"`  // document numbers in its name and title: "38331"
	Abstract [2]int    `json:"abstract"`           // bytes of the raw text
	Cause    string    `json:"cause,omitempty"`    // sentinel of a failure, by name
	BadPage  int       `json:"bad_page,omitempty"` // page that a failure is about
	// Covered says that the chunk records hold the whole text, each word of it in one piece. It is false in libraries of before feature version 4.
	Covered bool `json:"covered,omitempty"`
}

func decodeEntry(d *driver.Document) (*entry, error) {
	e := &entry{}
	if err := json.Unmarshal(d.Data, e); err != nil {
		return nil, fmt.Errorf("document %s: %w: %v", d.ID, ErrFormat, err)
	}
	if e.Authors == nil {
		e.Authors = []string{}
	}
	return e, nil
}

// catalog is the list of documents at one generation.
type catalog struct {
	generation uint64
	byName     []*entry
	byID       map[string]*entry
	ready      int
	chunks     int
	numbers    map[string][]string // ids of ready documents by document number, in the order of byName
}

// get returns the document of an id, nil when there is none.
func (c *catalog) get(id string) *entry { return c.byID[id] }

// numbered returns the ids of the ready documents that have a document number, in the order of their names.
func (c *catalog) numbered(n string) []string { return c.numbers[n] }

// list returns the catalog of the present state.
func (l *Library) list(ctx context.Context) (*catalog, error) {
	st, err := l.store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	l.cacheMu.Lock()
	defer l.cacheMu.Unlock()
	if c := l.catalog; c != nil && c.generation == st.Generation {
		return c, nil
	}
	docs, err := l.store.List(ctx)
	if err != nil {
		return nil, err
	}
	c := &catalog{generation: st.Generation, byID: make(map[string]*entry, len(docs)), chunks: st.Records[driver.KindChunk], numbers: map[string][]string{}}
	for _, d := range docs {
		e, err := decodeEntry(d)
		if err != nil {
			return nil, err
		}
		c.byName = append(c.byName, e)
		c.byID[e.ID] = e
		if e.Status == StatusReady {
			c.ready++
		}
	}
	slices.SortFunc(c.byName, func(a, b *entry) int { return strings.Compare(a.Name, b.Name) })
	for _, e := range c.byName {
		if e.Status == StatusReady {
			for _, n := range e.Numbers {
				c.numbers[n] = append(c.numbers[n], e.ID)
			}
		}
	}
	l.catalog = c
	return c, nil
}

// get returns one document by its id.
func (l *Library) get(ctx context.Context, id string) (*entry, *driver.Document, error) {
	d, err := l.store.Get(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	e, err := decodeEntry(d)
	return e, d, err
}

// document returns a copy that the caller may keep and change.
func (e *entry) document() *Document {
	d := e.Document
	d.Authors = slices.Clone(d.Authors)
	d.Institutions = slices.Clone(d.Institutions)
	return &d
}

// Documents returns all documents, those that failed too, sorted by name.
func (l *Library) Documents(ctx context.Context) ([]*Document, error) {
	c, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*Document, 0, len(c.byName))
	for _, e := range c.byName {
		out = append(out, e.document())
	}
	return out, nil
}

// Resolve finds the one document that ref names: by id, by name, by document number ("38.331"), by title, or by a part of
// a name or title, in this order and without regard to case. Several at one step are an [*AmbiguousError]; none is an error wrapping
// [ErrNotFound] that lists similar names.
func (l *Library) Resolve(ctx context.Context, ref string) (*Document, error) {
	e, err := l.resolve(ctx, ref)
	if err != nil {
		return nil, err
	}
	return e.document(), nil
}

func (l *Library) resolve(ctx context.Context, ref string) (*entry, error) {
	c, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range []string{ref, strings.ToLower(ref)} {
		if e := c.byID[id]; e != nil {
			return e, nil
		}
	}
	want := text.Fold(strings.TrimSpace(ref))
	if want == "" {
		return nil, fmt.Errorf("document %q: %w: an empty reference names none", ref, ErrNotFound)
	}
	number := docNumber(want)
	for _, match := range []func(e *entry) bool{
		func(e *entry) bool { return e.Name == ref },
		func(e *entry) bool { return text.Fold(e.Name) == want || text.Fold(path.Base(e.Name)) == want },
		func(e *entry) bool { return number != "" && slices.Contains(e.Numbers, number) },
		func(e *entry) bool { return text.Fold(e.Title) == want },
		func(e *entry) bool {
			return strings.Contains(text.Fold(e.Name), want) || strings.Contains(text.Fold(e.Title), want)
		},
	} {
		var found []*entry
		for _, e := range c.byName {
			if match(e) {
				found = append(found, e)
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			amb := &AmbiguousError{Ref: ref}
			for _, e := range found {
				amb.Candidates = append(amb.Candidates, e.document())
			}
			return nil, amb
		}
	}
	return nil, fmt.Errorf("document %q: %w%s", ref, ErrNotFound, near(c, want))
}

// near lists names that share a word with want.
func near(c *catalog, want string) string {
	words := map[string]bool{}
	for _, w := range text.Terms(want) {
		words[w] = true
	}
	var names []string
	for _, e := range c.byName {
		for _, w := range text.Terms(e.Name + " " + e.Title) {
			if words[w] && len(names) < 3 {
				names = append(names, e.Name)
				break
			}
		}
	}
	switch {
	case len(names) > 0:
		return "; similar: " + strings.Join(names, ", ")
	case len(c.byName) == 0:
		return "; the library is empty"
	default:
		return fmt.Sprintf("; the library holds %d documents", len(c.byName))
	}
}

// Remove deletes the document that ref names (see [Library.Resolve]) with everything the library holds of it.
func (l *Library) Remove(ctx context.Context, ref string) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	e, err := l.resolve(ctx, ref)
	if err != nil {
		return err
	}
	return l.store.Delete(ctx, e.ID)
}
