package blevestore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
	"github.com/findspot/findspot/internal/errs"
)

// The engine writes in goroutines of its own and tells of their errors through functions that are registered by name. Ours waits a
// little, because the engine tries again at once for as long as a disk is full, and notes when such a goroutine has ended.
const asyncCallback = "findspot"

const retryPause = 100 * time.Millisecond

var registerAsync = sync.OnceFunc(func() {
	scorch.RegistryAsyncErrorCallbacks[asyncCallback] = func(err error, path string) {
		if w, ok := watched.Load(path); ok && errors.Is(err, scorch.ErrAsyncPanic) {
			w.(*watch).end(err)
			return
		}
		time.Sleep(retryPause)
	}
})

var watched sync.Map // path of an open index to its *watch

// A watch tells when a goroutine of the engine has ended by a panic: then a write would wait for ever.
type watch struct {
	once sync.Once
	dead chan struct{}
	err  error // set before dead is closed
}

func (w *watch) end(err error) { w.once.Do(func() { w.err = err; close(w.dead) }) }

// An engine is one open index.
type engine struct {
	path  string
	ix    index.Index
	queue *index.AnalysisQueue
	watch *watch
	tidy  func() // removes the private folder of a reader; nil: none
}

// openEngine opens the index at path, whose newest state want was read from its files before.
func openEngine(path string, readOnly bool, want *segments.State) (_ *engine, _ index.IndexReader, err error) {
	registerAsync()
	e := &engine{path: path, queue: index.NewAnalysisQueue(runtime.GOMAXPROCS(0)), watch: &watch{dead: make(chan struct{})}}
	watched.Store(path, e.watch)
	if e.ix, err = openScorch(path, readOnly, e.queue); err != nil {
		watched.Delete(path)
		e.queue.Close()
		return nil, nil, err
	}
	r, err := e.ix.Reader()
	if err == nil {
		if err = counted(r); err != nil {
			r.Close()
			e.close()
			return nil, nil, err
		}
	}
	if err == nil && want != nil {
		var have []byte
		if have, err = r.GetInternal(segments.StatsKey()); err == nil && string(have) != string(want.Stats) {
			// What it cannot read it leaves out, and takes an older state or an empty one.
			err = fmt.Errorf("%w: its newest state cannot be read: %s", errs.Format, segments.Mend)
		}
		if err != nil {
			r.Close()
		}
	}
	if err != nil {
		e.close()
		return nil, nil, err
	}
	return e, r, nil
}

// counted makes sure that no segment claims more entries than its file has room for, or lost others: memory is taken by these numbers.
func counted(r index.IndexReader) error {
	parts, err := segments.Of(r)
	if err != nil {
		return err
	}
	for _, s := range parts {
		f, ok := s.Segment().(segment.PersistedSegment)
		if !ok {
			continue // in memory
		}
		info, err := os.Stat(f.Path())
		if err != nil {
			return err
		}
		if n := s.Segment().Count(); n > uint64(info.Size())/8 { // each has a number of eight bytes that says where it is
			return fmt.Errorf("%w: the segment %s has %d bytes and claims %d entries: %s", errs.Format, filepath.Base(f.Path()), info.Size(), n, segments.Mend)
		} else if d := s.Deleted(); d != nil && (d.Validate() != nil || uint64(d.Maximum()) >= n) {
			return fmt.Errorf("%w: of the segment %s others are removed than its %d entries: %s", errs.Format, filepath.Base(f.Path()), n, segments.Mend)
		}
	}
	return nil
}

// closeWait is how long closing waits for an engine whose goroutines have ended by a panic.
const closeWait = 10 * time.Second

func (e *engine) close() error {
	watched.Delete(e.path)
	done := make(chan error, 1)
	go func() { done <- quietly(e.ix.Close) }()
	var err error
	select {
	case err = <-done:
	case <-e.watch.dead:
		select {
		case err = <-done:
		case <-time.After(closeWait):
			err = fmt.Errorf("%w: the engine does not stop: restart the program", errs.Format)
		}
	}
	e.queue.Close()
	if e.tidy != nil {
		e.tidy()
	}
	return err
}

// quietly calls f and turns a panic into an error, as that of a broken file; so is what the operating system did not say.
func quietly(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // see guard
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w: the index files are broken (%v): %s", errs.Format, v, segments.Mend)
		}
	}()
	err = f()
	if _, system := errors.AsType[syscall.Errno](err); err != nil && !system && !segments.Known(err) {
		err = fmt.Errorf("%w: the index files are broken (%w): %s", errs.Format, err, segments.Mend)
	}
	return err
}

// write hands a batch to the engine and waits until it is on disk.
func (e *engine) write(batch *index.Batch) error {
	done := make(chan error, 1)
	go func() { done <- quietly(func() error { return e.ix.Batch(batch) }) }()
	select {
	case err := <-done:
		return err
	case <-e.watch.dead:
		return fmt.Errorf("%w: the index files are broken (%v): %s", errs.Format, e.watch.err, segments.Mend)
	}
}
