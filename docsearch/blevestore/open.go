package blevestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

// formatVersion of the folder; older programs must refuse a newer one.   1: first.
const formatVersion = 1

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

func openStore(ctx context.Context, dir string, readOnly bool) (_ *store, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &store{dir: dir, readOnly: readOnly}
	defer func() {
		if err != nil && s.lock != nil {
			s.lock.Unlock()
		}
	}()
	if readOnly {
		if _, err := os.Stat(filepath.Join(dir, "VERSION")); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("document index %s: %w", dir, errs.NotFound)
			}
			return nil, fmt.Errorf("document index %s: %w", dir, err)
		}
	} else {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("document index: %w", err)
		}
		if s.lock, err = disk.AcquireLock(dir, lockWait); err != nil {
			return nil, fmt.Errorf("document index: %w", err)
		}
	}
	if _, err := disk.CheckVersion(dir, formatVersion); err != nil {
		return nil, fmt.Errorf("document index: %w", err)
	}
	s.queue = index.NewAnalysisQueue(runtime.GOMAXPROCS(0))
	if s.ix, err = openScorch(filepath.Join(dir, "index"), readOnly, s.queue); err != nil {
		s.queue.Close()
		if strings.Contains(err.Error(), "timeout") {
			return nil, fmt.Errorf("document index: %w", &errs.LockedError{Path: dir, PID: holder(dir)})
		}
		return nil, fmt.Errorf("document index %s: %w", dir, err)
	}
	if err = s.loadStats(); err == nil {
		err = s.checkGeneration()
	}
	if err != nil {
		s.ix.Close()
		s.queue.Close()
		return nil, err
	}
	return s, nil
}

// openScorch opens the index. The library underneath panics on some broken files.
func openScorch(path string, readOnly bool, q *index.AnalysisQueue) (ix index.Index, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // see guard
	defer func() {
		if v := recover(); v != nil {
			ix, err = nil, fmt.Errorf("%w: the index files are broken (%v): %s", errs.Format, v, mend)
		}
	}()
	ix, err = scorch.NewScorch(scorch.Name, map[string]any{
		"path": path, "read_only": readOnly, "bolt_timeout": lockWait.String(), "create_if_missing": !readOnly,
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

// holder returns the pid that the folder's lock file names, or 0.
func holder(dir string) int {
	data, err := os.ReadFile(filepath.Join(dir, "LOCK"))
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(data)))
	return pid
}
