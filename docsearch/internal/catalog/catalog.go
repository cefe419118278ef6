package catalog

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

// Catalog is what one call sees of the documents.
type Catalog struct {
	all        *List
	some       map[string]*Entry // the only documents; nil: all
	Generation uint64
	Ready      int
	Failed     int
	Chunks     int  // passages of all
	behind     bool // the store holds the next generation already
}

// newList returns the list of a store, which is read when it is first asked for.
func New(store driver.Store) *List { return &List{store: store} }

// catalog returns the catalog of the present state.
func (x *List) Current(ctx context.Context) (*Catalog, error) {
	st, err := x.store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	snapshot := func() *Catalog {
		return &Catalog{all: x, Generation: x.generation, Ready: x.counts[Ready], Failed: x.counts[Failed], Chunks: st.Records[driver.KindChunk], behind: x.generation < st.Generation}
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
	err = Walk(ctx, x.store, func(d *driver.Document) error {
		s, err := Decode(d)
		if err == nil {
			x.put(s.Entry(x.share))
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
func Walk(ctx context.Context, store driver.Store, each func(*driver.Document) error) error {
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

// Change runs one change of the store and patches the list of documents with what it did. There must be one change at a time.
func (x *List) Change(ctx context.Context, write func() error, put []*Stored, drop string) error {
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
		x.put(s.Entry(x.share))
	}
	if e := x.byID[drop]; e != nil {
		x.drop(e)
	}
	x.generation = st.Generation
	return nil
}

// Admit adds a document that the store has told of since it was listed.
func (x *List) Admit(e *Entry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.loaded && x.byID[e.ID] == nil {
		x.put(e)
	}
}

// Only returns the catalog of some documents. Its count of passages stays that of the library.
func (c *Catalog) Only(ids []string) *Catalog {
	out := &Catalog{all: c.all, Generation: c.Generation, some: make(map[string]*Entry, len(ids)), Chunks: c.Chunks}
	for _, id := range ids {
		e := c.Get(id)
		if e == nil || out.some[id] != nil {
			continue
		}
		out.some[id] = e
		switch e.Status {
		case Ready:
			out.Ready++
		case Failed:
			out.Failed++
		}
	}
	return out
}

// Get returns a document by its id, or nil.
func (c *Catalog) Get(id string) *Entry {
	if c.some != nil {
		return c.some[id]
	}
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	return c.all.byID[id]
}

// Len returns the number of documents.
func (c *Catalog) Len() int {
	if c.some != nil {
		return len(c.some)
	}
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	return len(c.all.byID)
}

// ByName returns all documents by name. The list is shared: it must not be changed.
func (c *Catalog) ByName() []*Entry {
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
func (c *Catalog) withNumber(n string) []*Entry {
	return c.within(c.all.found(key('#', n), func(e *Entry) bool { return slices.Contains(e.Numbers, n) }))
}

// From returns the documents with an id by their content that came from an origin, by name.
func (c *Catalog) From(origin string) []*Entry {
	return c.all.found(key('o', origin), func(e *Entry) bool { return e.Origin == origin })
}

// Group returns the documents that have a base name and their id by it, the one that has it alone first, then by name.
func (c *Catalog) Group(base string) []*Entry {
	id := NameID(base)
	out := c.longer(id)
	if e := c.Get(id); e != nil && e.Name == base {
		out = append([]*Entry{e}, out...)
	}
	return out
}

// longer returns the documents whose base name has an id, and that have folders before it in their names.
func (c *Catalog) longer(id string) []*Entry {
	return c.within(c.all.found(key('b', id), func(e *Entry) bool { return Base(e.Name) != e.Name && NameID(Base(e.Name)) == id }))
}

// Numbered returns the ids of the ready ones of them.
func (c *Catalog) Numbered(n string) []string {
	var ids []string
	for _, e := range c.withNumber(n) {
		if e.Status == Ready {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// within leaves out what is not in the catalog.
func (c *Catalog) within(es []*Entry) []*Entry {
	if c.some == nil {
		return es
	}
	return slices.DeleteFunc(es, func(e *Entry) bool { return c.some[e.ID] == nil })
}

// Get returns one document by its id, with what the store has of it.
func (x *List) Get(ctx context.Context, id string) (*Entry, *driver.Document, error) {
	d, err := x.store.Get(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	s, err := Decode(d)
	if err != nil {
		return nil, nil, err
	}
	return s.Entry(func(s string) string { return s }), d, nil
}

// Resolve finds the document that ref names; see docsearch.Library.Resolve.
func (x *List) Resolve(ctx context.Context, ref string) (*Entry, error) {
	c, err := x.Current(ctx)
	if err != nil {
		return nil, err
	}
	if c.Get(ref) == nil && c.behind {
		// A search may have found it already.
		if e, _, err := x.Get(ctx, ref); err == nil || !errors.Is(err, errs.NotFound) {
			return e, err
		}
	}
	return c.resolve(ref)
}

func (c *Catalog) resolve(ref string) (*Entry, error) {
	for _, id := range []string{ref, strings.ToLower(ref)} {
		if e := c.Get(id); e != nil {
			return e, nil
		}
	}
	want := text.Fold(strings.TrimSpace(ref))
	if want == "" {
		return nil, fmt.Errorf("document %q: %w: the reference is empty", ref, errs.NotFound)
	}
	number := querytext.DocNumber(want)
	for _, step := range []func() []*Entry{
		func() []*Entry { return c.longer(strings.ToLower(ref)) }, // an id from before another document had its base name
		func() []*Entry {
			return c.all.found(key('n', text.Fold(ref)), func(e *Entry) bool { return e.Name == ref })
		},
		func() []*Entry {
			return c.all.found(key('n', want), func(e *Entry) bool { return text.Fold(e.Name) == want || path.Base(text.Fold(e.Name)) == want })
		},
		func() []*Entry {
			if number == "" {
				return nil
			}
			return c.withNumber(number)
		},
		func() []*Entry {
			return c.all.found(key('t', want), func(e *Entry) bool { return text.Fold(e.Title) == want })
		},
		func() []*Entry {
			var whole, part []*Entry // a file of that name, without its ending, is meant before one that has it in its name
			for _, e := range c.ByName() {
				name := text.Fold(e.Name)
				if base := path.Base(name); strings.TrimSuffix(base, path.Ext(base)) == want {
					whole = append(whole, e)
				} else if strings.Contains(name, want) || strings.Contains(text.Fold(e.Title), want) {
					part = append(part, e)
				}
			}
			if whole = c.within(whole); len(whole) > 0 {
				return whole
			}
			return part
		},
	} {
		switch found := c.within(step()); len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return nil, &AmbiguousError{ref, found[:min(len(found), 100)], len(found)}
		}
	}
	return nil, fmt.Errorf("document %q: %w%s", ref, errs.NotFound, near(c, want))
}

// near lists names that share a word with want.
func near(c *Catalog, want string) string {
	words := map[string]bool{}
	for _, w := range text.Terms(want) {
		words[w] = true
	}
	var names []string
	for _, e := range c.ByName() {
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
	switch n := c.Len(); {
	case len(names) > 0:
		return "; similar: " + strings.Join(names, ", ")
	case n == 0:
		return "; the library is empty"
	default:
		return fmt.Sprintf("; the library holds %d documents", n)
	}
}
