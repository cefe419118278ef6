package findspot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/formats"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/disk"
)

// Docs returns the library of documents, which opens with the first call.
func (w *Workspace) Docs(ctx context.Context) (*docsearch.Library, error) { return w.docs.Open(ctx) }

func (w *Workspace) openDocs(ctx context.Context, progress func(docsearch.Progress)) (*docsearch.Library, error) {
	o := docsearch.Options{
		Extractors: formats.All(),
		Embedder:   w.opt.Embedder,
		Logger:     w.opt.Logger,
		Progress:   progress,
	}
	o.Extractors[".pdf"] = pdf.New(&pdf.Options{OCR: w.opt.OCR, Logger: w.opt.Logger})
	if lib, err := w.sharedDocs(ctx, &o); lib != nil || err != nil {
		return lib, err
	}
	if w.opt.Library != nil {
		return w.opt.Library(ctx, &o)
	}
	dir, err := w.room(docsDir)
	if err != nil {
		return nil, err
	}
	lib, err := blevestore.Open(ctx, dir, &blevestore.Options{Options: o, ReadOnly: w.opt.ReadDocs, TrustIndex: w.opt.TrustIndex})
	if w.opt.ReadDocs && errors.Is(err, ErrNotFound) { // there is none yet: an empty one answers as well
		return blevestore.Open(ctx, dir, &blevestore.Options{Options: o, TrustIndex: w.opt.TrustIndex})
	}
	return lib, err
}

// sharedDocs returns a library over that of the workspace that this one is a view of; nil where it has to open its own.
func (w *Workspace) sharedDocs(ctx context.Context, o *docsearch.Options) (*docsearch.Library, error) {
	if w.base == nil || w.opt.Library != nil || w.base.opt.Library != nil {
		return nil, nil
	}
	lib, err := w.base.docs.Whole(ctx)
	if locked := (*LockedError)(nil); errors.As(err, &locked) && w.opt.ReadDocs { // another process adds documents
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return lib.With(o)
}

// AddDocs adds the documents of a folder, or one file, or brings them up to date: unchanged ones cost a look at their
// size and time. It yields each document with what was done, in the order of their paths, and goes on past a bad file,
// which yields a [*docsearch.IngestError]. Documents that came from this folder and are there no more, and lines that a file of JSON Lines no longer has, are
// removed once the walk has ended. An error that is no IngestError ends the iteration.
func (w *Workspace) AddDocs(ctx context.Context, root string) iter.Seq2[*docsearch.Document, error] {
	return w.AddDocsWith(ctx, root, nil)
}

// AddDocsWith is [Workspace.AddDocs] with options for all documents of the folder; nil is fine.
func (w *Workspace) AddDocsWith(ctx context.Context, root string, o *docsearch.SourceOptions) iter.Seq2[*docsearch.Document, error] {
	return w.docs.AddFolder(ctx, root, o)
}

// AddDocument adds one document from memory under a name, whose extension says what it is. The same name with other
// content replaces it.
func (w *Workspace) AddDocument(ctx context.Context, name string, data []byte) (*docsearch.Document, error) {
	lib, err := w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	return lib.Add(ctx, docsearch.Bytes(name, data))
}

// SearchDocs is [docsearch.Library.Search] for the workspace's documents. Doc may be an id, a name, or a unique part of
// a name or title.
func (w *Workspace) SearchDocs(ctx context.Context, query string, o *docsearch.SearchOptions) (*docsearch.Results, error) {
	return w.docs.Search(ctx, query, o)
}

// BackupDocs writes a copy of the library of documents into dir, a folder that is empty or not there, so that dir can be opened
// as a workspace by this user on this machine; see [docsearch.Library.Backup], and Options.TrustIndex for others.
func (w *Workspace) BackupDocs(ctx context.Context, dir string, o *docsearch.BackupOptions) error {
	lib, err := w.Docs(ctx)
	if err != nil {
		return err
	}
	names, err := os.ReadDir(dir)
	if err == nil && len(names) > 0 {
		return fmt.Errorf("backup %s: %w: the folder is not empty: choose a new one", dir, docsearch.ErrUnsupported)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("backup: %w", err)
	}
	if err := lib.Backup(ctx, filepath.Join(dir, docsDir), o); err != nil {
		return err
	}
	f, err := disk.OpenFolder(dir, true)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	defer f.Close()
	if err := f.Mark(); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	_, err = f.CheckVersion(formatVersion)
	return err
}
