package blevestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"runtime/debug"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/errs"
)

// formatVersion of the folder. Older programs must refuse a newer one, and this one refuses those before oldestFormat.
//
//	1: first.
//	2: no positions, heads, segments of our own making, fewer entries for a document.
const formatVersion, oldestFormat = IndexFormat, 2

// IndexFormat is the version of the folder that this package writes, and the newest that it reads.
const IndexFormat = 2

// lockWait is how long opening waits for another process to let go of the folder.
const lockWait = time.Second

// Options says how a folder is opened and how documents are read.
type Options struct {
	docsearch.Options
	// ReadOnly opens a folder that exists and writes nothing in it. Adding and removing fail.
	ReadOnly bool
	// TrustIndex opens a folder that another user owns or everybody may write in. Links in it are refused all the same.
	TrustIndex bool
}

// Open opens the library in the folder dir and creates it when it is not there, unless it is opened read-only. PDFs are
// read unless Options gives another extractor for ".pdf".
//
// When another process has the folder open the error is an [*errs.LockedError] with its pid, within two seconds. A folder written by a
// newer version, or one whose files are broken, is an error wrapping [docsearch.ErrFormat]. A folder that is a symbolic link or holds
// anything but regular files, that belongs to another user, or that everybody may write in is an error wrapping an [*errs.UntrustedError].
func Open(ctx context.Context, dir string, o *Options) (*docsearch.Library, error) {
	var opt Options
	if o != nil {
		opt = *o
	}
	extractors := map[string]extract.Extractor{".pdf": pdf.New(nil)}
	maps.Copy(extractors, opt.Extractors)
	opt.Extractors = extractors
	s, err := openStore(ctx, dir, opt.ReadOnly, opt.TrustIndex)
	if err != nil {
		return nil, err
	}
	lib, err := docsearch.New(s, &opt.Options)
	if err != nil {
		s.Close()
		return nil, err
	}
	return lib, nil
}

// New returns the store in a folder, for use with [docsearch.New].
func New(ctx context.Context, dir string, readOnly bool) (driver.Store, error) {
	return openStore(ctx, dir, readOnly, false)
}

// indexDir is the folder of the engine within ours.
const indexDir = "index"

func openStore(ctx context.Context, dir string, readOnly, trust bool) (_ *store, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &store{location: location{dir: dir, readOnly: readOnly, trust: trust}}
	s.views.Dir, s.views.Pin = dir, &s.pin
	if err := s.location.open(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.folder.Close()
		}
	}()
	if readOnly {
		e, r, st, change, err := s.openBeside()
		if err != nil {
			return nil, err
		}
		s.engine, s.seen = e, change
		s.looked.Store(time.Now().UnixNano())
		s.pin.Set(r, st)
		return s, nil
	}
	if s.lock, err = s.folder.Lock(lockWait); err != nil {
		if _, ok := errors.AsType[*errs.LockedError](err); ok {
			return nil, fmt.Errorf("document index: %w", err)
		}
		return nil, s.explain(err)
	}
	defer func() {
		if err != nil {
			s.lock.Unlock()
		}
	}()
	if err := checkVersion(s.folder); err != nil {
		return nil, s.explain(err)
	}
	s.sweep()
	if err := s.openIndex(); err != nil {
		if strings.Contains(err.Error(), "timeout") { // an earlier version of this program reads it and holds the engine's own lock
			return nil, fmt.Errorf("document index: %w", &errs.LockedError{Path: dir})
		}
		return nil, err
	}
	return s, nil
}

// openScorch opens the index. The library underneath panics on some broken files.
func openScorch(path string, readOnly bool, q *index.AnalysisQueue) (ix index.Index, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // see guard
	defer func() {
		if v := recover(); v != nil {
			ix, err = nil, fmt.Errorf("%w: the index files are broken (%v): %s", errs.Format, v, segments.Mend)
		}
	}()
	segments.RegisterPlugin()
	ix, err = scorch.NewScorch(scorch.Name, map[string]any{
		"forceSegmentType": segments.SegmentType, "forceSegmentVersion": int(zap.Version),
		"path": path, "read_only": readOnly, "bolt_timeout": lockWait.String(), "create_if_missing": !readOnly,
		"asyncErrorCallbackName": asyncCallback,
	}, q)
	if err != nil {
		return nil, err
	}
	if err := ix.Open(); err != nil {
		if _, ok := errors.AsType[*fs.PathError](err); ok || strings.Contains(err.Error(), "timeout") {
			return nil, err
		}
		return nil, fmt.Errorf("%w: the index files cannot be read (%v): %s", errs.Format, err, segments.Mend)
	}
	return ix, nil
}
