package docsearch

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/embedding"
	"github.com/findspot/findspot/docsearch/internal/freshness"
	"github.com/findspot/findspot/docsearch/internal/ingest"
	"github.com/findspot/findspot/docsearch/internal/integrity"
	"github.com/findspot/findspot/docsearch/internal/limited"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
)

// A Library is a set of documents in a store. It is safe for concurrent use: searching while documents are added sees
// whole documents only.
type Library struct {
	store driver.Store
	opt   Options

	parent *Library // that this one is a part of, see Within, and closes with it; nil: none
	shared bool     // the store is another library's, see With

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
	if store == nil {
		return nil, errors.New("docsearch: no store")
	}
	opt, err := o.check(store)
	if err != nil {
		return nil, err
	}
	return newLibrary(store, catalog.New(store), ingest.NewWriters(), opt), nil
}

// check gives the options of a library over a store, with every default in its place.
func (o *Options) check(store driver.Store) (Options, error) {
	opt, err := o.withDefaults()
	if _, ok := store.(driver.VectorStore); err == nil && !ok && opt.Embedder != nil {
		err = fmt.Errorf("%w: an Embedder is set, but the engine stores no vectors", ErrUnsupported)
	}
	if err != nil {
		return opt, fmt.Errorf("docsearch options: %w", err)
	}
	return opt, nil
}

func newLibrary(store driver.Store, docs *catalog.List, writers *ingest.Writers, opt Options) *Library {
	l := &Library{store: store, opt: opt, docs: docs, texts: rawtext.NewReader(store, docs)}
	if opt.Embedder != nil {
		l.vectors = embedding.New(opt.Embedder, docs)
	}
	o := ingest.Options{Extractors: opt.Extractors, Splitter: opt.Splitter, MaxFile: opt.MaxFile, Workers: opt.Workers, Logger: opt.Logger}
	if opt.Progress != nil {
		o.Progress = func(p ingest.Progress) { opt.Progress(Progress(p)) }
	}
	l.in = ingest.New(store, docs, &l.sources, l.vectors, writers, o)
	return l
}

// Within returns the library of those documents alone that came from below roots, each a folder or a file, and of those that were
// added through it, which are there until it is closed: this is for documents from memory. It answers as though there were no others:
// searches with their counts and suggestions, references, lists, collections, checks of sources. Where a root is a link, what it leads to is
// meant; a root that is not there yet is looked for again.
//
// Adding never replaces or renames a document that is left out, unless that is of the same file, or has the same name and content, or its file is gone. A file of
// the name of one gets a longer name; what is no file is a [*ConflictError] that does not say where the other one is from. Scores are as in the whole library, [Searched.Chunks] is 0
// where documents are left out, [Library.Check] runs without the engine's own check, and [Library.Backup] is an error wrapping [ErrUnsupported],
// as a copy has all documents. Closing it closes l.
func (l *Library) Within(roots ...string) *Library {
	store := limited.New(l.store, roots)
	part := newLibrary(store, catalog.New(store), l.in.Writers, l.opt)
	part.parent = l
	return part
}

// With returns a library of the same documents with options of its own: its logger, progress and extractors, for a caller among several.
// Documents that either of them adds are seen by both. What options say of reading counts when documents are added through it, as it would in another
// process with these options. Closing it closes nothing else; once l is closed, its calls end with [ErrClosed].
func (l *Library) With(o *Options) (*Library, error) {
	opt, err := o.check(l.store)
	if err != nil {
		return nil, err
	}
	v := newLibrary(l.store, l.docs, l.in.Writers, opt)
	v.shared = true
	return v, nil
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
	if l.shared {
		return nil
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

// A SourceState is how a document's source compares with what was taken in, by size and time.
type SourceState string

// The states of a source.
const (
	SourceSame    SourceState = "same"
	SourceChanged SourceState = "changed" // another size or time: add it again
	SourceGone    SourceState = "gone"    // there is no such file
	SourceUnknown SourceState = "unknown" // it is no file, or cannot be looked at
)

// A SourceCheck is what [Library.CheckSources] saw.
type SourceCheck struct {
	Documents int      `json:"documents"` // documents compared
	Unknown   int      `json:"unknown"`   // documents of them that did not come from files, or whose files cannot be looked at
	Changed   int      `json:"changed"`   // documents whose file has another size or time
	Gone      int      `json:"gone"`      // documents whose file is not there
	Examples  []string `json:"examples"`  // names of some that changed or are gone, at most 20; never nil
	Complete  bool     `json:"complete"`  // every document was compared: false when the time was over
}

// CheckSources compares the files that documents came from with the disk, by size and time, without reading them. It ends after the time limit, 0 meaning
// none; what it saw becomes the [Freshness] of the answers that follow, when it is complete. A file of JSON Lines is looked at once, and where its time is
// another one all its documents count as changed. Documents added since it began may be left out.
func (l *Library) CheckSources(ctx context.Context, limit time.Duration) (*SourceCheck, error) {
	c, err := l.docs.Current(ctx)
	if err != nil {
		return nil, err
	}
	out, err := l.sources.All(ctx, c, limit)
	return (*SourceCheck)(out), err
}

// A Report says what [Library.Check] looked at and found.
type Report struct {
	Documents  int       `json:"documents"`  // looked at, those that failed too
	Failed     int       `json:"failed"`     // of those, documents that could not be read when they were added: no damage
	Runes      int       `json:"runes"`      // of raw text that was read
	Generation uint64    `json:"generation"` // of the library when the check began
	Store      bool      `json:"store"`      // the engine has a check of its own, which ran too
	Problems   []Problem `json:"problems"`   // never nil; empty: all is well
}

// A Problem is one thing that is broken.
type Problem struct {
	Doc  string `json:"doc,omitempty"`  // id of the document; "": the library as a whole
	Name string `json:"name,omitempty"` // of the document, where it is known
	What string `json:"what"`           // what is wrong
	Do   string `json:"do"`             // the way out
}

// Check reads everything that the library holds and reports what is wrong with it: entries and layouts that cannot be decoded, texts
// that are not whole or not what was added, passages that are not where they say, and what the engine's own check finds (see
// driver.Checker). A document that is replaced or removed meanwhile is left out. An error says that the library could not be looked at;
// what is broken is in the report.
func (l *Library) Check(ctx context.Context) (*Report, error) {
	if l.closed.Load() {
		return nil, fmt.Errorf("document library: %w", ErrClosed)
	}
	rep, err := integrity.Check(ctx, l.store, l.texts)
	if err != nil {
		return nil, err
	}
	out := &Report{Documents: rep.Documents, Failed: rep.Failed, Runes: rep.Runes, Generation: rep.Generation, Store: rep.Store, Problems: []Problem{}}
	for _, p := range rep.Problems {
		out.Problems = append(out.Problems, Problem(p))
	}
	return out, nil
}

// BackupOptions says how [Library.Backup] reports.
type BackupOptions struct {
	// Progress is called with the bytes written and those to write in all, from one goroutine; it must not block, and is
	// not called after Backup has returned. nil: not at all.
	Progress func(done, total int64)
}

// Backup writes a whole copy of the library's present state into the folder dir, which must be empty or not be there. Searching and
// adding go on meanwhile. The folder appears when the copy is whole and on disk, so that a copy that was interrupted is never taken
// for one; opening it is all there is to restoring. A damaged library is not copied: the error wraps [ErrFormat]. An engine
// that cannot copy itself, such as memstore, is an error wrapping [ErrUnsupported].
func (l *Library) Backup(ctx context.Context, dir string, o *BackupOptions) error {
	if l.closed.Load() {
		return fmt.Errorf("document library: %w", ErrClosed)
	}
	b, ok := l.store.(driver.Backuper)
	if !ok {
		return fmt.Errorf("backup %s: %w: this engine cannot make backups", dir, ErrUnsupported)
	}
	var progress func(done, total int64)
	if o != nil {
		progress = o.Progress
	}
	return b.Backup(ctx, dir, progress)
}
