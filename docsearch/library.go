package docsearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/embedding"
	"github.com/findspot/findspot/docsearch/internal/freshness"
	"github.com/findspot/findspot/docsearch/internal/ingest"
	"github.com/findspot/findspot/docsearch/internal/limited"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
)

// A Library is a set of documents in a store. It is safe for concurrent use: searching while documents are added sees
// whole documents only.
type Library struct {
	store driver.Store
	opt   Options

	parent *Library // that this one is a part of, see Within; nil: none

	closed  atomic.Bool
	docs    *catalog.List
	texts   *rawtext.Reader
	vectors *embedding.Maker // nil: the library has no embedder
	in      *ingest.Ingester
	sources freshness.Tracker
	scopes  scopes
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
	if _, ok := store.(driver.VectorStore); !ok && opt.Embedder != nil {
		return nil, fmt.Errorf("docsearch options: %w: an Embedder, but the engine holds no vectors", ErrUnsupported)
	}
	return newLibrary(store, opt, nil), nil
}

func newLibrary(store driver.Store, opt Options, parent *Library) *Library {
	docs := catalog.New(store)
	l := &Library{store: store, opt: opt, parent: parent, docs: docs, texts: rawtext.NewReader(store, docs)}
	if opt.Embedder != nil {
		l.vectors = embedding.New(opt.Embedder, docs)
	}
	o := ingest.Options{Extractors: opt.Extractors, Splitter: opt.Splitter, MaxFile: opt.MaxFile, Workers: opt.Workers, Logger: opt.Logger}
	if opt.Progress != nil {
		o.Progress = func(p ingest.Progress) { opt.Progress(Progress(p)) }
	}
	l.in = ingest.New(store, docs, &l.sources, l.vectors, o)
	return l
}

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
	return newLibrary(limited.New(l.store, roots), l.opt, l)
}

// Close closes the store. Calls that run end with an error wrapping [ErrClosed], as does a second Close.
func (l *Library) Close() error {
	if l.closed.Swap(true) {
		return fmt.Errorf("document library: %w", ErrClosed)
	}
	l.in.Close() // a change that is being written is finished
	if l.parent != nil {
		return l.parent.Close()
	}
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

// Resolve finds the one document that ref names: by id, by name, by document number ("38.331"), by title, or by a part of
// a name or title, in this order and without regard to case. Several at one step are an [*AmbiguousError]; none is an error wrapping
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
