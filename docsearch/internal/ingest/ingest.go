package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/embedding"
	"github.com/findspot/findspot/docsearch/internal/freshness"
	"github.com/findspot/findspot/internal/background"
	"github.com/findspot/findspot/internal/errs"
)

// featureVersion is part of what makes a document "unchanged": raise it when the text or the records that this package
// makes of a page change.   1: first.  2: what could be read of a damaged page is kept.  3: sections.  4: all text is in
// chunk records, headings with it.
const featureVersion = 4

// A Source is one document to add; see docsearch.Source.
type Source struct {
	ID, Name, Origin string
	Size             int64
	ModTime          time.Time
	Open             func() (io.ReadCloser, error)

	ByContent   bool
	Collections []string
	Format      string
	Password    string
	Retry       bool
	Refuse      bool

	Extractor extract.Extractor // nil: by the extension of Name
	Files     fs.FS             // what the document may include; nil: nothing
	Path      string            // of the document in Files
	Later     bool              // not the first document of its file, with which the time of the file is kept
}

// id returns the id of the source's document.
func (s *Source) id() string {
	if s.ID != "" {
		return s.ID
	}
	return catalog.NameID(s.Name)
}

// check refuses what no document can be made of.
func (s *Source) check() error {
	if err := catalog.CheckName(s.Name); err != nil {
		return err
	}
	if err := catalog.CheckID(s.ID); err != nil {
		return err
	}
	if s.ID != "" && s.ByContent {
		return fmt.Errorf("%w: the source has an id and requests one from its content: give only one", errs.Unsupported)
	}
	switch s.Format {
	case "", textFormat, catalog.Markdown:
	default:
		return fmt.Errorf("%w: unknown format %q: give %q or %q", errs.Unsupported, s.Format, textFormat, catalog.Markdown)
	}
	for _, c := range s.Collections {
		if err := catalog.CheckCollection(c); err != nil {
			return err
		}
	}
	return nil
}

// A Change says what adding a document did; see docsearch.Change.
type Change string

// The changes.
const (
	Added     Change = "added"
	Unchanged Change = "unchanged"
	Replaced  Change = "replaced"
)

const (
	textFormat    = "text"
	pendingStatus = "pending"
)

// A Result is what the library has of a document that was added.
type Result struct {
	*catalog.Stored
	Change Change
}

// Progress is one step; see docsearch.Progress.
type Progress struct {
	Doc   string
	Done  int
	Total int
	Page  int
	Pages int
	Stage string
}

// The stages of a document.
const (
	stageRead  = "read"
	stageEmbed = "embed"
	stageDone  = "done"
)

// Options say how documents are read, with every default in its place; see docsearch.Options.
type Options struct {
	Extractors map[string]extract.Extractor
	Splitter   chunk.Splitter
	MaxFile    int64
	Workers    int
	Logger     *slog.Logger
	Progress   func(Progress) // nil: none
}

// An Ingester adds documents to a library. It is safe for concurrent use.
type Ingester struct {
	store   driver.Store
	docs    *catalog.List
	sources *freshness.Tracker
	vectors *embedding.Maker // nil: there is no embedder
	opt     Options
	*Writers
	filler background.Worker // makes vectors
	over   bool              // guarded by writing: the library is closed

	progressing sync.Mutex // serialises calls of opt.Progress
}

// Writers is what the ingesters of one store share: one of them writes at a time, and each knows what all of them are reading.
type Writers struct {
	writing   sync.Mutex    // held while a change is compared with the store and written
	embedding chan struct{} // of one place, held by who makes vectors

	mu      sync.Mutex                 // guards what follows
	pending map[string]*catalog.Stored // being read, by id
}

// NewWriters returns those of a store that has none yet.
func NewWriters() *Writers {
	return &Writers{embedding: make(chan struct{}, 1), pending: map[string]*catalog.Stored{}}
}

// New returns what adds documents to a store, as one of its writers.
func New(store driver.Store, docs *catalog.List, sources *freshness.Tracker, vectors *embedding.Maker, w *Writers, o Options) *Ingester {
	in := &Ingester{store: store, docs: docs, sources: sources, vectors: vectors, opt: o, Writers: w}
	in.filler.Name, in.filler.Logger = "docsearch: making vectors", o.Logger
	in.filler.Work = func(ctx context.Context) error {
		_, err := in.embedMissing(ctx, false, func(Progress) {})
		return err
	}
	return in
}

// Close waits for a change that is being written, and refuses those that follow.
func (in *Ingester) Close() {
	in.filler.Close()
	in.writing.Lock()
	defer in.writing.Unlock()
	in.over = true
}

// Change makes one change of the library at a time; see [catalog.List.Change].
func (in *Ingester) Change(f func() error) error {
	in.writing.Lock()
	defer in.writing.Unlock()
	if in.over {
		return fmt.Errorf("document library: %w", errs.Closed)
	}
	return f()
}

// Pending returns the documents that are being read.
func (w *Writers) Pending() []*catalog.Stored {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Values(w.pending))
}

// Add adds one document; see docsearch.Library.Add.
func (in *Ingester) Add(ctx context.Context, src Source) (*Result, error) {
	p := in.prepare(ctx, src)
	defer in.ended([]*prepared{p})
	if err := in.commit(ctx, []*prepared{p}); err != nil {
		return nil, err
	}
	in.progress(Progress{Doc: src.Name, Done: 1, Total: 1, Stage: stageDone})
	return p.answer(), p.err
}

// begin notes that a document is being read, until ended is called.
func (in *Ingester) begin(s *catalog.Stored) {
	in.mu.Lock()
	defer in.mu.Unlock()
	d := *s
	d.Status = pendingStatus
	in.pending[d.ID] = &d
}

// ended notes that sources are in the library or never will be.
func (in *Ingester) ended(ps []*prepared) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, p := range ps {
		if p.began {
			delete(in.pending, p.id)
		}
	}
}

func (in *Ingester) progress(p Progress) {
	if in.opt.Progress == nil {
		return
	}
	in.progressing.Lock()
	defer in.progressing.Unlock()
	in.opt.Progress(p)
}

// commit writes what was prepared, all in one change. Documents of equal id must not be in ps. A document that changed in
// the library since it was compared is prepared again.
func (in *Ingester) commit(ctx context.Context, ps []*prepared) error {
	if slices.ContainsFunc(ps, func(p *prepared) bool {
		return !p.restored && (p.doc != nil || p.err == nil && in.withoutVectors(p.old))
	}) && in.vectors != nil {
		defer in.filler.Wake()
	}
	in.writing.Lock()
	defer in.writing.Unlock()
	if in.over {
		return fmt.Errorf("document library: %w", errs.Closed)
	}
	if !slices.ContainsFunc(ps, func(p *prepared) bool { return p.fresh != nil || p.renames() }) {
		return ctx.Err()
	}
	c, err := in.docs.Current(ctx)
	if err != nil {
		return err
	}
	w := &writes{data: map[string][]byte{}}
	for _, p := range ps {
		if p.fresh == nil {
			if p.renames() && p.naming.current(c, &p.src) {
				if err := in.renamed(ctx, c, p, w); err != nil {
					return err
				}
			}
			continue
		}
		now := c.Get(p.fresh.ID)
		if !now.Same(p.old) || !p.naming.current(c, &p.src) {
			if p.src.Name == "" { // restored, and since then others did more
				p.fresh = nil
				continue
			}
			began, id := p.began, p.id
			*p = *in.prepare(ctx, p.src)
			if began {
				p.began, p.id = true, id
			}
			if p.fresh == nil {
				continue
			}
			now = c.Get(p.fresh.ID)
		}
		if err := in.renamed(ctx, c, p, w); err != nil {
			return err
		}
		if now != nil { // another call may have changed them
			p.fresh.Collections = catalog.Union(now.Collections, p.src.Collections)
		}
		p.result.Collections = slices.Clone(p.fresh.Collections)
		if p.touched && now != nil {
			p.fresh.Vectors, p.fresh.VectorSize, p.fresh.Pending = now.Vectors, int(now.VectorSize), now.Pending()
		}
		d, err := p.fresh.Data()
		if err != nil {
			return err
		}
		if p.touched {
			w.data[p.fresh.ID] = d
			w.touched = append(w.touched, p.fresh)
			continue
		}
		if p.doc.Data = d; in.vectors == nil && !p.restored { // nothing is left to do
			for i := range p.doc.Records {
				p.doc.Records[i].Processed = true
			}
		}
		w.docs, w.put = append(w.docs, p.doc), append(w.put, p.fresh)
	}
	return in.write(ctx, w)
}

// writes is what one change of the library writes.
type writes struct {
	docs    []*driver.Document
	put     []*catalog.Stored // what the catalog has of docs
	data    map[string][]byte // of documents whose records stay as they are
	touched []*catalog.Stored // what the catalog has of them
	drop    []string          // ids, removed when all else is written: a change that breaks off leaves a copy behind, and loses nothing
}

func (in *Ingester) write(ctx context.Context, w *writes) error {
	if len(w.docs) > 0 {
		if err := in.docs.Change(ctx, func() error { return in.store.Replace(ctx, w.docs) }, w.put, ""); err != nil {
			return err
		}
	}
	if len(w.data) > 0 {
		if err := in.docs.Change(ctx, func() error { return in.store.SetData(ctx, w.data) }, w.touched, ""); err != nil {
			return err
		}
	}
	for _, id := range w.drop {
		if err := in.docs.Change(ctx, func() error { return in.store.Delete(ctx, id) }, nil, id); err != nil && !errors.Is(err, errs.NotFound) {
			return err
		}
	}
	return ctx.Err()
}

// moved returns what the store has of a document, under another name.
func (in *Ingester) moved(ctx context.Context, r renaming) (*catalog.Stored, *driver.Document, error) {
	p := &prepared{old: r.from}
	if err := in.restore(ctx, p); err != nil {
		return nil, nil, err
	}
	p.fresh.Name, p.fresh.ID = r.name, catalog.NameID(r.name)
	p.doc.ID = p.fresh.ID
	data, err := p.fresh.Data()
	p.doc.Data = data
	return p.fresh, p.doc, err
}

// renamed adds to what is written the documents that get another name, and to what is dropped what they had.
func (in *Ingester) renamed(ctx context.Context, c *catalog.Catalog, p *prepared, w *writes) error {
	if p.naming == nil {
		return nil
	}
	for _, r := range p.naming.rename {
		fresh, doc, err := in.moved(ctx, r)
		if errors.Is(err, errs.NotFound) {
			continue
		}
		if err != nil {
			return fmt.Errorf("rename document %q: %w", r.from.Name, err)
		}
		w.docs, w.put, w.drop = append(w.docs, doc), append(w.put, fresh), append(w.drop, r.from.ID)
		in.opt.Logger.Info("docsearch: document renamed", "doc", fresh.ID, "was", r.from.ID, "name", r.name, "reason", "another folder has a document of its name")
	}
	if p.naming.old != nil {
		w.drop = append(w.drop, p.naming.old.ID)
	}
	for _, id := range p.naming.drop {
		if c.Get(id) != nil {
			w.drop = append(w.drop, id)
		}
	}
	return nil
}
