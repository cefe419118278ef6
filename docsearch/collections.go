package docsearch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

func (c *catalog) collection(name string) ([]string, error) {
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

// missing says which of some collections are not there: a search in them finds nothing whatever the documents hold.
func (c *catalog) missing(names []string) []string {
	var notes []string
	for _, name := range names {
		if _, err := c.collection(name); err != nil && len(notes) < 10 {
			notes = append(notes, err.Error())
		}
	}
	return notes
}

// collectionNames returns the names of the collections, sorted.
func (c *catalog) collectionNames() []string {
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	return slices.Sorted(maps.Keys(c.all.members))
}

// embedded narrows ids (nil: all documents) to those with vectors of an embedder. It returns nil where all may be asked.
func (c *catalog) embedded(name string, ids []string) []string {
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
			if e.vectors == name {
				out = append(out, id)
			}
		}
		return out
	}
	for _, id := range ids {
		if e := x.byID[id]; e != nil && e.vectors == name {
			out = append(out, id)
		}
	}
	return out
}

// vectorSize returns the size of the vectors that an embedder made, or 0.
func (c *catalog) vectorSize(name string) int {
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	for _, e := range c.all.byID {
		if e.vectors == name && e.vectorSize != 0 {
			return int(e.vectorSize)
		}
	}
	return 0
}

// newest returns the newest time recorded with the documents of each origin that fits.
func (c *catalog) newest(fits func(origin string) bool) map[string]int64 {
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	of := map[string]int64{}
	for _, e := range c.all.byID {
		if fits(e.origin) {
			of[e.origin] = max(of[e.origin], e.modTime)
		}
	}
	return of
}
