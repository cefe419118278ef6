package docsearch

import (
	"context"
	"fmt"
	"slices"

	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// A Collection is a named set of documents, such as the papers of a project. It is there as long as a document is in it.
type Collection struct {
	Name      string `json:"name"`
	Documents int    `json:"documents"` // documents in it, those that failed too
}

// maxCollections is how many collections one document may be in.
const maxCollections = 1000

// collectionBatch is how many documents one change of the store takes into or out of a collection.
const collectionBatch = 5000

// Collections returns the collections by name.
func (l *Library) Collections(ctx context.Context) ([]Collection, error) {
	c, err := l.docs.Current(ctx)
	if err != nil {
		return nil, err
	}
	out := []Collection{}
	for _, name := range c.CollectionNames() {
		ids, err := c.Collection(name)
		if err == nil { // else it has become empty
			out = append(out, Collection{name, len(ids)})
		}
	}
	return out, nil
}

// CollectionDocs returns the ids of the documents of a collection, sorted: what [SearchOptions.Docs] takes. A collection that is not there is an error
// wrapping [ErrNotFound] that names those there are.
func (l *Library) CollectionDocs(ctx context.Context, name string) ([]string, error) {
	c, err := l.docs.Current(ctx)
	if err != nil {
		return nil, err
	}
	return c.Collection(name)
}

// Collect puts documents, by their ids, into a collection, which is made when it is not there, and returns how many were not in it. An id that is not there
// is an error wrapping [ErrNotFound], and nothing changes.
func (l *Library) Collect(ctx context.Context, name string, ids []string) (int, error) {
	if err := catalog.CheckCollection(name); err != nil {
		return 0, err
	}
	return l.recollect(ctx, func(*catalog.Catalog) ([]string, error) { return ids, nil }, func(s *catalog.Stored) error {
		if s.Collections = catalog.Union(s.Collections, []string{name}); len(s.Collections) > maxCollections {
			return fmt.Errorf("document %s: %w: it is in %d collections, which is as many as there may be", s.ID, ErrTooLarge, maxCollections)
		}
		return nil
	})
}

// Uncollect takes documents, by their ids, out of a collection, all of it with nil, and returns how many were in it. The documents stay in the library. A collection or id that
// is not there is an error wrapping [ErrNotFound], and nothing changes.
func (l *Library) Uncollect(ctx context.Context, name string, ids []string) (int, error) {
	return l.recollect(ctx, func(c *catalog.Catalog) ([]string, error) {
		all, err := c.Collection(name)
		if err != nil || ids == nil {
			return all, err
		}
		return ids, nil
	}, func(s *catalog.Stored) error {
		s.Collections = slices.DeleteFunc(s.Collections, func(c string) bool { return c == name })
		return nil
	})
}

// RenameCollection gives a collection another name; where there is a collection of that name already, the two become one. A collection that is not there is an error
// wrapping [ErrNotFound]. One of over 5000 documents is renamed in steps: when one fails, the documents renamed before it stay so, and
// calling again renames the rest.
func (l *Library) RenameCollection(ctx context.Context, from, to string) error {
	if err := catalog.CheckCollection(to); err != nil {
		return err
	}
	_, err := l.recollect(ctx, func(c *catalog.Catalog) ([]string, error) { return c.Collection(from) }, func(s *catalog.Stored) error {
		s.Collections = catalog.Union(slices.DeleteFunc(s.Collections, func(c string) bool { return c == from }), []string{to})
		return nil
	})
	return err
}

// recollect changes the collections of some documents and returns how many of them changed.
func (l *Library) recollect(ctx context.Context, which func(*catalog.Catalog) ([]string, error), edit func(*catalog.Stored) error) (changed int, err error) {
	err = l.in.Change(func() error {
		changed, err = l.recollectLocked(ctx, which, edit)
		return err
	})
	return changed, err
}

func (l *Library) recollectLocked(ctx context.Context, which func(*catalog.Catalog) ([]string, error), edit func(*catalog.Stored) error) (int, error) {
	c, err := l.docs.Current(ctx)
	if err != nil {
		return 0, err
	}
	ids, err := which(c)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if c.Get(id) == nil {
			return 0, fmt.Errorf("document %s: %w", id, ErrNotFound)
		}
	}
	changed := 0
	for part := range slices.Chunk(ids, collectionBatch) {
		data := map[string][]byte{}
		var put []*catalog.Stored
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
		if err := l.docs.Change(ctx, func() error { return l.store.SetData(ctx, data) }, put, ""); err != nil {
			return changed, err
		}
		changed += len(data)
		if c, err = l.docs.Current(ctx); err != nil {
			return changed, err
		}
	}
	return changed, nil
}
