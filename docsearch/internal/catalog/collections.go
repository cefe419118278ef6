package catalog

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

func (c *Catalog) Collection(name string) ([]string, error) {
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	m := c.all.members[name]
	if len(m) == 0 {
		names := slices.Sorted(maps.Keys(c.all.members))
		switch {
		case len(names) == 0:
			return nil, fmt.Errorf("collection %q: %w: there are no collections yet", name, errs.NotFound)
		case len(names) > 10:
			names = append(names[:10], fmt.Sprintf("and %d more", len(names)-10))
		}
		return nil, fmt.Errorf("collection %q: %w; there are: %s", name, errs.NotFound, strings.Join(names, ", "))
	}
	ids := make([]string, 0, len(m))
	for e := range m {
		ids = append(ids, e.ID)
	}
	slices.Sort(ids)
	return ids, nil
}

// Missing says which of some collections are not there: a search in them finds nothing whatever the documents hold.
func (c *Catalog) Missing(names []string) []string {
	var notes []string
	for _, name := range names {
		if _, err := c.Collection(name); err != nil && len(notes) < 10 {
			notes = append(notes, err.Error())
		}
	}
	return notes
}

// CollectionNames returns the names of the collections, sorted.
func (c *Catalog) CollectionNames() []string {
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	return slices.Sorted(maps.Keys(c.all.members))
}

// Embedded narrows ids (nil: all documents) to those with vectors of an embedder. It returns nil where all may be asked.
func (c *Catalog) Embedded(name string, ids []string) []string {
	x := c.all
	x.mu.RLock()
	defer x.mu.RUnlock()
	others := false
	for n, docs := range x.vectors {
		others = others || docs > 0 && n != name && n != ""
	}
	if !others {
		return ids
	}
	out := []string{}
	if ids == nil {
		for id, e := range x.byID {
			if e.Vectors == name {
				out = append(out, id)
			}
		}
		return out
	}
	for _, id := range ids {
		if e := x.byID[id]; e != nil && e.Vectors == name {
			out = append(out, id)
		}
	}
	return out
}

// VectorSize returns the size of the vectors that an embedder made, or 0.
func (c *Catalog) VectorSize(name string) int {
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	for _, e := range c.all.byID {
		if e.Vectors == name && e.VectorSize != 0 {
			return int(e.VectorSize)
		}
	}
	return 0
}

// Newest returns the newest time recorded with the documents of each origin that fits.
func (c *Catalog) Newest(fits func(origin string) bool) map[string]int64 {
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	of := map[string]int64{}
	for _, e := range c.all.byID {
		if fits(e.Origin) {
			of[e.Origin] = max(of[e.Origin], e.ModTime)
		}
	}
	return of
}

// collectionBatch is how many documents one change of the store takes into or out of a collection.
const collectionBatch = 5000

// Recollect changes the collections of some documents and returns how many of them changed. There must be one change at a time.
func (x *List) Recollect(ctx context.Context, which func(*Catalog) ([]string, error), edit func(*Stored) error) (int, error) {
	c, err := x.Current(ctx)
	if err != nil {
		return 0, err
	}
	ids, err := which(c)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if c.Get(id) == nil {
			return 0, fmt.Errorf("document %s: %w", id, errs.NotFound)
		}
	}
	changed := 0
	for part := range slices.Chunk(ids, collectionBatch) {
		data := map[string][]byte{}
		var put []*Stored
		for _, id := range part {
			e := c.Get(id)
			s := e.Stored()
			if err := edit(s); err != nil {
				return changed, err
			}
			if slices.Equal(s.Collections, e.Collections) || data[id] != nil {
				continue
			}
			if data[id], err = s.Data(); err != nil {
				return changed, err
			}
			put = append(put, s)
		}
		if len(data) == 0 {
			continue
		}
		if err := x.Change(ctx, func() error { return x.store.SetData(ctx, data) }, put, ""); err != nil {
			return changed, err
		}
		changed += len(data)
		if c, err = x.Current(ctx); err != nil {
			return changed, err
		}
	}
	return changed, nil
}
