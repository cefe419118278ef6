package blevestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

// formatVersion of the folder. Older programs must refuse a newer one, and this one refuses those before oldestFormat.
//
//	1: first.
//	2: no positions, heads, segments of our own making, fewer entries for a document.
const formatVersion, oldestFormat = 2, 2

// lockWait is how long opening waits for another process to let go of the folder.
const lockWait = time.Second

// Options says how a folder is opened and how documents are read.
type Options struct {
	docsearch.Options
	// ReadOnly opens a folder that exists and writes nothing in it. Adding and removing fail.
	ReadOnly bool
}

// Open opens the library in the folder dir and creates it when it is not there, unless it is opened read-only. PDFs are
// read unless Options gives another extractor for ".pdf".
//
// When another process has the folder open the error is an [*errs.LockedError] with its pid, within two seconds. A folder written by a
// newer version, or one whose files are broken, is an error wrapping [docsearch.ErrFormat].
func Open(ctx context.Context, dir string, o *Options) (*docsearch.Library, error) {
	var opt Options
	if o != nil {
		opt = *o
	}
	extractors := map[string]docsearch.Extractor{".pdf": pdf.New(nil)}
	maps.Copy(extractors, opt.Extractors)
	opt.Extractors = extractors
	s, err := openStore(ctx, dir, opt.ReadOnly)
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
	return openStore(ctx, dir, readOnly)
}

// indexDir is the folder of the engine within ours.
const indexDir = "index"

func openStore(ctx context.Context, dir string, readOnly bool) (_ *store, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &store{dir: dir, readOnly: readOnly}
	if readOnly {
		e, r, st, change, err := s.openBeside()
		if err != nil {
			return nil, err
		}
		s.engine, s.seen = e, change
		s.looked.Store(time.Now().UnixNano())
		s.pin(r, st)
		return s, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, s.explain(err)
	}
	if s.lock, err = disk.AcquireLock(dir, lockWait); err != nil {
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
	if err := checkVersion(dir); err != nil {
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

// sweep removes what readers left behind that were killed, where they need a folder in ours.
func (s *store) sweep() {
	left, _ := filepath.Glob(filepath.Join(s.dir, readerPrefix+"*"))
	for _, dir := range left {
		_ = os.RemoveAll(dir) // one that is in use cannot be removed, and stays
	}
}

// checkVersion refuses a folder of a version that this program does not read. One without a version gets the present one.
func checkVersion(dir string) error {
	have, err := disk.CheckVersion(dir, formatVersion)
	if err == nil && have < oldestFormat {
		err = fmt.Errorf("%w: it has version %d, this program reads version %d: %s, or use another folder", errs.Format, have, formatVersion, mend)
	}
	return err
}

// readVersion checks the version of a folder without writing in it.
func readVersion(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "VERSION")); err != nil {
		if isNotExist(err) {
			return errs.NotFound
		}
		return err
	}
	return checkVersion(dir)
}

// openScorch opens the index. The library underneath panics on some broken files.
func openScorch(path string, readOnly bool, q *index.AnalysisQueue) (ix index.Index, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // see guard
	defer func() {
		if v := recover(); v != nil {
			ix, err = nil, fmt.Errorf("%w: the index files are broken (%v): %s", errs.Format, v, mend)
		}
	}()
	registerPlugin()
	ix, err = scorch.NewScorch(scorch.Name, map[string]any{
		"forceSegmentType": segmentType, "forceSegmentVersion": int(zap.Version),
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
		return nil, fmt.Errorf("%w: the index files cannot be read (%v): %s", errs.Format, err, mend)
	}
	return ix, nil
}
