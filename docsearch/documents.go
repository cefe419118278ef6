package docsearch

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/folder"
)

// Documents returns all documents, those that failed and those that are being read too, sorted by name. For a library of many see [Library.List].
func (l *Library) Documents(ctx context.Context) ([]*Document, error) {
	c, err := l.docs.Current(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*Document, 0, c.Len())
	for _, e := range c.ByName() {
		out = append(out, documentOf(e))
	}
	return l.withPending(c, out), nil
}

// withPending adds the documents that are being read and are not in the catalog.
func (l *Library) withPending(c *catalog.Catalog, out []*Document) []*Document {
	n := len(out)
	for _, s := range l.in.Pending() {
		if c.Get(s.ID) == nil {
			out = append(out, storedDocument(s))
		}
	}
	if len(out) > n {
		slices.SortStableFunc(out, func(a, b *Document) int { return strings.Compare(a.Name, b.Name) })
	}
	return out
}

// ListOptions choose documents of a library.
type ListOptions struct {
	Collection string // only those in it; "" means all. One that is not there is an error wrapping [ErrNotFound]
	Status     string // only those in this state; "" means any
	After      string // only those after this one: Listing.Next of the part before; "" means from the first
	Limit      int    // most documents to return; 0 means 1000
}

// A Listing is a part of a list of documents.
type Listing struct {
	Documents []*Document `json:"documents"` // by name, then id; never nil
	Total     int         `json:"total"`     // in the collection and state asked for
	Next      string      `json:"next,omitempty"`
	Freshness Freshness   `json:"freshness"`
}

// List returns documents part by part, by name, then id; with pending ones in the first part.
func (l *Library) List(ctx context.Context, o *ListOptions) (*Listing, error) {
	var opt ListOptions
	if o != nil {
		opt = *o
	}
	if opt.Limit < 0 {
		return nil, fmt.Errorf("list options: %w: Limit %d is negative", ErrUnsupported, opt.Limit)
	}
	opt.Limit = cmp.Or(opt.Limit, 1000)
	c, err := l.docs.Current(ctx)
	if err != nil {
		return nil, err
	}
	fresh := l.freshness(c)
	if opt.Collection != "" {
		ids, err := c.Collection(opt.Collection)
		if err != nil {
			return nil, err
		}
		c = c.Only(ids)
	}
	out := &Listing{Documents: []*Document{}, Freshness: fresh}
	if opt.After == "" && opt.Collection == "" && opt.Status != StatusReady && opt.Status != StatusFailed {
		out.Documents = l.withPending(c, out.Documents)
		out.Total = len(out.Documents)
	}
	for _, e := range c.ByName() {
		if opt.Status != "" && e.Status != opt.Status {
			continue
		}
		out.Total++
		switch at := e.Name + "\x00" + e.ID; {
		case at <= opt.After:
		case len(out.Documents) < opt.Limit:
			out.Documents = append(out.Documents, documentOf(e))
		case out.Next == "":
			last := out.Documents[len(out.Documents)-1]
			out.Next = last.Name + "\x00" + last.ID
		}
	}
	return out, nil
}

// freshness says which state of the library answers.
func (l *Library) freshness(c *catalog.Catalog) Freshness {
	at, changed := l.sources.Last()
	return Freshness{Generation: c.Generation, Checked: at, Changed: changed}
}

// Origins calls each for all documents, by name, with where they came from. each must not call the library.
func (l *Library) Origins(ctx context.Context, each func(id, origin string)) error {
	c, err := l.docs.Current(ctx)
	if err != nil {
		return err
	}
	for _, e := range c.ByName() {
		each(e.ID, e.Origin)
	}
	return ctx.Err()
}

// Resolve finds the one document that ref names: by id, by name, by document number ("38.331"), by title, by the name of its file without the ending, or by a part
// of a name or title, in this order and without regard to case. Several at one step are an [*AmbiguousError]; none is an error wrapping
// [ErrNotFound] that lists similar names.
func (l *Library) Resolve(ctx context.Context, ref string) (*Document, error) {
	e, err := l.docs.Resolve(ctx, ref)
	if err != nil {
		return nil, public(err)
	}
	return documentOf(e), nil
}

// Remove deletes the document that ref names (see [Library.Resolve]) with everything the library holds of it.
func (l *Library) Remove(ctx context.Context, ref string) error {
	return l.in.Change(func() error {
		e, err := l.docs.Resolve(ctx, ref)
		if err != nil {
			return public(err)
		}
		return l.docs.Change(ctx, func() error { return l.store.Delete(ctx, e.ID) }, nil, e.ID)
	})
}

// A Collection is a named set of documents, such as the papers of a project. It is there as long as a document is in it.
type Collection struct {
	Name      string `json:"name"`
	Documents int    `json:"documents"` // documents in it, those that failed too
}

// maxCollections is how many collections one document may be in.
const maxCollections = 1000

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
			return fmt.Errorf("document %s: %w: it is in %d collections, which is the limit", s.ID, ErrTooLarge, maxCollections)
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
		changed, err = l.docs.Recollect(ctx, which, edit)
		return err
	})
	return changed, err
}

// Files is the function [Files] with the endings that the library has extractors for.
func (l *Library) Files(root string, o *FilesOptions) iter.Seq2[Source, error] {
	var opt FilesOptions
	if o != nil {
		opt = *o
	}
	return files(root, l.reads, l.other, opt.LeftOut)
}

// other reports whether a file has the ending of a format and is of another.
func (l *Library) other(f folder.File) bool {
	x, ok := l.opt.Extractors[strings.ToLower(path.Ext(f.Name))].(extract.Recognizer)
	if !ok {
		return false
	}
	r, err := f.Open()
	if err != nil {
		return false // reading it says why
	}
	defer r.Close() // read only
	head, err := io.ReadAll(io.LimitReader(r, recognized))
	return err == nil && !x.Recognizes(head)
}

// recognized is how much of a file a format is told by, in bytes.
const recognized = 16 << 10

// CountFiles is the function [CountFiles] with the endings that the library has extractors for.
func (l *Library) CountFiles(ctx context.Context, root string) int {
	return folder.Count(ctx, root, l.reads)
}

// Endings returns the endings of the files that the library reads, sorted, each in lower case with its dot: those of [Options.Extractors] and those that are built in.
func (l *Library) Endings() []string { return slices.Sorted(maps.Keys(l.opt.Extractors)) }

func (l *Library) reads(ext string) bool { return l.opt.Extractors[ext] != nil }
