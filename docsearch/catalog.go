package docsearch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/querytext"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
)

// catalog is what one call sees of the documents.
type catalog struct {
	all        *list
	some       map[string]*entry // the only documents; nil: all
	generation uint64
	ready      int
	failed     int
	chunks     int  // passages of all
	behind     bool // the store holds the next generation already
}

// newList returns the list of a store, which is read when it is first asked for.
func newList(store driver.Store) *list { return &list{store: store} }

// catalog returns the catalog of the present state.
func (x *list) catalog(ctx context.Context) (*catalog, error) {
	st, err := x.store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	snapshot := func() *catalog {
		return &catalog{all: x, generation: x.generation, ready: x.counts[statusReady], failed: x.counts[statusFailed], chunks: st.Records[driver.KindChunk], behind: x.generation < st.Generation}
	}
	current := func() bool {
		return x.loaded && (x.generation >= st.Generation || x.writing && x.generation+1 == st.Generation)
	}
	x.mu.RLock()
	if current() {
		defer x.mu.RUnlock()
		return snapshot(), nil
	}
	x.mu.RUnlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if current() {
		return snapshot(), nil
	}
	// What comes after these statistics and is in the list already does no harm.
	if st, err = x.store.Stats(ctx); err != nil {
		return nil, err
	}
	x.loaded = false
	x.reset()
	err = walkStore(ctx, x.store, func(d *driver.Document) error {
		s, err := decodeStored(d)
		if err == nil {
			x.put(s.entry(x.share))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	after, err := x.store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	st.Records = after.Records // a store that is limited knows of them now
	x.loaded, x.generation = true, st.Generation
	return snapshot(), nil
}

// walkStore calls each for all documents, without their layouts.
func walkStore(ctx context.Context, store driver.Store, each func(*driver.Document) error) error {
	if w, ok := store.(driver.Walker); ok {
		return w.Walk(ctx, each)
	}
	docs, err := store.List(ctx)
	for _, d := range docs {
		if err == nil {
			err = each(d)
		}
	}
	return err
}

// change runs one change of the store and patches the list of documents with what it did. There must be one change at a time.
func (x *list) change(ctx context.Context, write func() error, put []*stored, drop string) error {
	mark := func(on bool) {
		x.mu.Lock()
		x.writing = on
		x.mu.Unlock()
	}
	mark(true)
	if err := write(); err != nil {
		mark(false)
		return err
	}
	// The state after the change is asked for whatever became of ctx.
	st, err := x.store.Stats(context.WithoutCancel(ctx))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.writing = false
	if err != nil || !x.loaded || st.Generation != x.generation+1 {
		x.loaded = false // read anew when it is next asked for
		return nil
	}
	for _, s := range put {
		x.put(s.entry(x.share))
	}
	if e := x.byID[drop]; e != nil {
		x.drop(e)
	}
	x.generation = st.Generation
	return nil
}

// admit adds a document that the store has told of since it was listed.
func (x *list) admit(e *entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.loaded && x.byID[e.ID] == nil {
		x.put(e)
	}
}

// only returns the catalog of some documents. Its count of passages stays that of the library.
func (c *catalog) only(ids []string) *catalog {
	out := &catalog{all: c.all, generation: c.generation, some: make(map[string]*entry, len(ids)), chunks: c.chunks}
	for _, id := range ids {
		e := c.get(id)
		if e == nil || out.some[id] != nil {
			continue
		}
		out.some[id] = e
		switch e.Status {
		case statusReady:
			out.ready++
		case statusFailed:
			out.failed++
		}
	}
	return out
}

// get returns a document by its id, or nil.
func (c *catalog) get(id string) *entry {
	if c.some != nil {
		return c.some[id]
	}
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	return c.all.byID[id]
}

// len returns the number of documents.
func (c *catalog) len() int {
	if c.some != nil {
		return len(c.some)
	}
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	return len(c.all.byID)
}

// byName returns all documents by name. The list is shared: it must not be changed.
func (c *catalog) byName() []*entry {
	if c.some != nil {
		return slices.SortedFunc(maps.Values(c.some), byName)
	}
	c.all.mu.RLock()
	sorted := c.all.sorted
	c.all.mu.RUnlock()
	if sorted != nil {
		return sorted
	}
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.all.sorted == nil {
		c.all.sorted = slices.SortedFunc(maps.Values(c.all.byID), byName)
	}
	return c.all.sorted
}

// withNumber returns the documents with a document number, by name.
func (c *catalog) withNumber(n string) []*entry {
	return c.within(c.all.found(key('#', n), func(e *entry) bool { return slices.Contains(e.Numbers, n) }))
}

// from returns the documents with an id by their content that came from an origin, by name.
func (c *catalog) from(origin string) []*entry {
	return c.all.found(key('o', origin), func(e *entry) bool { return e.origin == origin })
}

// numbered returns the ids of the ready ones of them.
func (c *catalog) numbered(n string) []string {
	var ids []string
	for _, e := range c.withNumber(n) {
		if e.Status == statusReady {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// within leaves out what is not in the catalog.
func (c *catalog) within(es []*entry) []*entry {
	if c.some == nil {
		return es
	}
	return slices.DeleteFunc(es, func(e *entry) bool { return c.some[e.ID] == nil })
}

// get returns one document by its id, with what the store has of it.
func (x *list) get(ctx context.Context, id string) (*entry, *driver.Document, error) {
	d, err := x.store.Get(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	s, err := decodeStored(d)
	if err != nil {
		return nil, nil, err
	}
	return s.entry(func(s string) string { return s }), d, nil
}

// resolve finds the document that ref names; see docsearch.Library.Resolve.
func (x *list) resolve(ctx context.Context, ref string) (*entry, error) {
	c, err := x.catalog(ctx)
	if err != nil {
		return nil, err
	}
	if c.get(ref) == nil && c.behind {
		// A search may have found it already.
		if e, _, err := x.get(ctx, ref); err == nil || !errors.Is(err, errs.NotFound) {
			return e, err
		}
	}
	return c.resolve(ref)
}

func (c *catalog) resolve(ref string) (*entry, error) {
	for _, id := range []string{ref, strings.ToLower(ref)} {
		if e := c.get(id); e != nil {
			return e, nil
		}
	}
	want := text.Fold(strings.TrimSpace(ref))
	if want == "" {
		return nil, fmt.Errorf("document %q: %w: an empty reference names none", ref, errs.NotFound)
	}
	number := querytext.DocNumber(want)
	for _, step := range []func() []*entry{
		func() []*entry {
			return c.all.found(key('n', text.Fold(ref)), func(e *entry) bool { return e.Name == ref })
		},
		func() []*entry {
			return c.all.found(key('n', want), func(e *entry) bool { return text.Fold(e.Name) == want || path.Base(text.Fold(e.Name)) == want })
		},
		func() []*entry {
			if number == "" {
				return nil
			}
			return c.withNumber(number)
		},
		func() []*entry {
			return c.all.found(key('t', want), func(e *entry) bool { return text.Fold(e.Title) == want })
		},
		func() (out []*entry) {
			for _, e := range c.byName() {
				if strings.Contains(text.Fold(e.Name), want) || strings.Contains(text.Fold(e.Title), want) {
					out = append(out, e)
				}
			}
			return out
		},
	} {
		switch found := c.within(step()); len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return nil, &ambiguousError{ref, found[:min(len(found), 100)], len(found)}
		}
	}
	return nil, fmt.Errorf("document %q: %w%s", ref, errs.NotFound, near(c, want))
}

// near lists names that share a word with want.
func near(c *catalog, want string) string {
	words := map[string]bool{}
	for _, w := range text.Terms(want) {
		words[w] = true
	}
	var names []string
	for _, e := range c.byName() {
		if len(names) == 3 {
			break
		}
		// A term begins as its word does; telling so is cheaper than finding the terms.
		folded := text.Fold(e.Name + " " + e.Title)
		may := false
		for w := range words {
			may = may || strings.Contains(folded, w[:max(1, len(w)-1)])
		}
		if may && slices.ContainsFunc(text.Terms(e.Name+" "+e.Title), func(w string) bool { return words[w] }) {
			names = append(names, e.Name)
		}
	}
	switch n := c.len(); {
	case len(names) > 0:
		return "; similar: " + strings.Join(names, ", ")
	case n == 0:
		return "; the library is empty"
	default:
		return fmt.Sprintf("; the library holds %d documents", n)
	}
}
