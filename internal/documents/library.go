package documents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
)

// Options of a [Library].
type Options struct {
	Workspace string // its folder, for errors
	// Open opens the library. It is called once, and again after an error.
	Open     func(ctx context.Context, progress func(docsearch.Progress)) (*docsearch.Library, error)
	Only     []string // folders or files that the documents came from; empty: all
	Glossary *docsearch.Glossary
	Logger   *slog.Logger
	Progress func(docsearch.Progress)
}

// A Library is a library of documents that opens with the first call. It is safe for concurrent use.
type Library struct {
	opt   Options
	total atomic.Int64 // documents in the folder being added

	mu     sync.Mutex // guards what follows, and is held while the library opens
	lib    *docsearch.Library
	whole  *docsearch.Library // that lib is a part of, where it is limited to some folders
	closed bool
}

// New makes a library that is not open yet.
func New(o Options) *Library { return &Library{opt: o} }

// Open returns the library, which opens with the first call.
func (l *Library) Open(ctx context.Context) (*docsearch.Library, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, fmt.Errorf("workspace %s: %w", l.opt.Workspace, errs.Closed)
	}
	if l.lib != nil {
		return l.lib, nil
	}
	lib, err := l.opt.Open(ctx, func(p docsearch.Progress) {
		p.Total = max(p.Total, int(l.total.Load()))
		l.opt.Progress(p)
	})
	if err != nil {
		return nil, err
	}
	if len(l.opt.Only) > 0 {
		l.whole, lib = lib, lib.Within(l.opt.Only...)
	}
	l.lib = lib
	return lib, nil
}

// Whole is Open without the limit to some folders.
func (l *Library) Whole(ctx context.Context) (*docsearch.Library, error) {
	lib, err := l.Open(ctx)
	if err == nil && l.whole != nil {
		lib = l.whole
	}
	return lib, err
}

// Close closes the library where it is open.
func (l *Library) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.lib == nil {
		return nil
	}
	return l.lib.Close()
}

// Search searches the documents.
func (l *Library) Search(ctx context.Context, query string, o *docsearch.SearchOptions) (*docsearch.Results, error) {
	lib, err := l.Open(ctx)
	if err != nil {
		return nil, err
	}
	var opt docsearch.SearchOptions
	if o != nil {
		opt = *o
	}
	if opt.Glossary == nil {
		opt.Glossary = l.opt.Glossary
	}
	return lib.Search(ctx, query, &opt)
}

// adding returns the library that a folder is added through. Where the library is limited to some folders and this is one of them, that is the whole one: names tell documents from
// those of all folders, whatever is asked about.
func (l *Library) adding(ctx context.Context, root string) (*docsearch.Library, error) {
	lib, err := l.Open(ctx)
	if err != nil {
		return nil, err
	}
	abs, err := rootfs.Real(root)
	if err != nil || l.whole == nil { // what is not there is an error of the walk
		return lib, nil
	}
	for _, only := range l.opt.Only {
		real, err := rootfs.Real(only)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(real, abs); err == nil && filepath.IsLocal(rel) {
			return l.whole, nil
		}
	}
	return lib, nil
}

// AddFolder adds the documents of a folder, or one file, or updates them, and yields each with what was done. It goes on past a bad file, which yields a
// [*docsearch.IngestError]. What is gone from the folder is removed once the walk has ended. A folder in which nothing can be read, and from which nothing was removed,
// yields an IngestError wrapping errs.NotFound that counts what it holds.
func (l *Library) AddFolder(ctx context.Context, root string, o *docsearch.SourceOptions) iter.Seq2[*docsearch.Document, error] {
	return func(yield func(*docsearch.Document, error) bool) {
		lib, err := l.adding(ctx, root)
		if err != nil {
			yield(nil, err)
			return
		}
		// The walk is cheap beside the reading; done first, it gives the total for progress.
		l.total.Store(int64(lib.CountFiles(ctx, root)))
		leftOut, none := map[string]int{}, true
		files := lib.Files(root, &docsearch.FilesOptions{LeftOut: func(files map[string]int) {
			leftOut = files
			if o != nil && o.LeftOut != nil {
				o.LeftOut(files)
			}
		}})
		lines, whole := map[string]map[string]bool{}, true // ids of files of JSON Lines, and whether every line was understood
		for doc, err := range lib.AddAll(ctx, docsearch.With(files, o)) {
			none = false
			if doc != nil && docsearch.IsJSONLines(doc.Origin) {
				if lines[doc.Origin] == nil {
					lines[doc.Origin] = map[string]bool{}
				}
				lines[doc.Origin][doc.ID] = true
			}
			if !yield(doc, err) {
				return
			}
			var bad *docsearch.IngestError
			if err != nil && !errors.As(err, &bad) {
				return
			}
			whole = whole && (err == nil || doc != nil)
		}
		if _, err := os.Stat(root); err == nil && ctx.Err() == nil {
			if !whole {
				lines = nil
			}
			removed, err := l.forgetRemoved(ctx, lib, root, lines)
			if err == nil && none && removed == 0 {
				err = &docsearch.IngestError{Name: root, Err: nothingRead(leftOut, lib.Endings())}
			}
			if err != nil {
				yield(nil, err)
			}
		}
	}
}

// nothingRead says that a folder holds no document, and what it holds instead.
func nothingRead(leftOut map[string]int, endings []string) error {
	if len(leftOut) == 0 {
		return fmt.Errorf("document %w: the folder contains none; supported file types are %s, .jsonl", errs.NotFound, strings.Join(endings, ", "))
	}
	return fmt.Errorf("document %w: no file in the folder can be read: %s; supported file types are %s, .jsonl", errs.NotFound, docsearch.FormatEndings(leftOut), strings.Join(endings, ", "))
}

// forgetRemoved removes the documents that came from below root and whose files are gone, and those of the files in lines that are not named there. It
// returns how many.
func (l *Library) forgetRemoved(ctx context.Context, lib *docsearch.Library, root string, lines map[string]map[string]bool) (removed int, err error) {
	abs, err := rootfs.Real(root)
	if err != nil {
		return 0, err
	}
	gone, file, missing := []string{}, "", false
	err = lib.Origins(ctx, func(id, origin string) {
		if rel, err := filepath.Rel(abs, origin); err != nil || !filepath.IsLocal(rel) {
			return
		}
		if file != origin {
			_, err := os.Lstat(origin)
			file, missing = origin, errors.Is(err, fs.ErrNotExist)
		}
		if missing || lines[origin] != nil && !lines[origin][id] {
			gone = append(gone, id)
		}
	})
	for _, id := range gone {
		if err == nil {
			err = lib.Remove(ctx, id)
		}
		if err == nil {
			removed++
			l.opt.Logger.Info("findspot: document removed", "doc", id, "reason", "its file, or its line of it, is gone")
		}
	}
	return removed, err
}

// lookLimit bounds the look at the files of all documents behind a search that found nothing.
const lookLimit = 2 * time.Second

// Fresh reports whether an answer of the documents is as good as their files. A search that found nothing is believed only
// when the files were looked at for it, all of them, and are what was indexed: that the index was fresh when the documents
// were added says nothing about today.
func (l *Library) Fresh(ctx context.Context, res *docsearch.Results) bool {
	if res.Total > 0 {
		return !res.Freshness.Checked.IsZero() && res.Freshness.Changed == 0
	}
	lib, err := l.Open(ctx)
	if err != nil {
		return false
	}
	seen, err := lib.CheckSources(ctx, lookLimit)
	return err == nil && seen.Complete && seen.Changed == 0 && seen.Gone == 0 && seen.Unknown == 0
}
