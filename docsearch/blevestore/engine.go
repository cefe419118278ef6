package blevestore

import (
	"context"
	"encoding/binary"
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

	"github.com/findspot/findspot/internal/disk"
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
func openEngine(path string, readOnly bool, want *state) (_ *engine, _ index.IndexReader, err error) {
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
		if have, err = r.GetInternal(statsKey); err == nil && string(have) != string(want.stats) {
			// What it cannot read it leaves out, and takes an older state or an empty one.
			err = fmt.Errorf("%w: its newest state cannot be read: %s", errs.Format, mend)
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
	segments, err := segmentsOf(r)
	if err != nil {
		return err
	}
	for _, s := range segments {
		f, ok := s.Segment().(segment.PersistedSegment)
		if !ok {
			continue // in memory
		}
		info, err := os.Stat(f.Path())
		if err != nil {
			return err
		}
		if n := s.Segment().Count(); n > uint64(info.Size())/8 { // each has a number of eight bytes that says where it is
			return fmt.Errorf("%w: the segment %s has %d bytes and claims %d entries: %s", errs.Format, filepath.Base(f.Path()), info.Size(), n, mend)
		} else if d := s.Deleted(); d != nil && (d.Validate() != nil || uint64(d.Maximum()) >= n) {
			return fmt.Errorf("%w: of the segment %s others are removed than its %d entries: %s", errs.Format, filepath.Base(f.Path()), n, mend)
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
			err = fmt.Errorf("%w: the engine does not end: start the program anew", errs.Format)
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
			err = fmt.Errorf("%w: the index files are broken (%v): %s", errs.Format, v, mend)
		}
	}()
	err = f()
	if _, system := errors.AsType[syscall.Errno](err); err != nil && !system && !known(err) {
		err = fmt.Errorf("%w: the index files are broken (%w): %s", errs.Format, err, mend)
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
		return fmt.Errorf("%w: the index files are broken (%v): %s", errs.Format, e.watch.err, mend)
	}
}

// begin takes the lock that keeps the engine open. The caller releases it with s.mu.RUnlock.
func (s *store) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.readOnly {
		if err := s.follow(); err != nil {
			return err
		}
	}
	for {
		s.mu.RLock()
		if s.closed {
			s.mu.RUnlock()
			return fmt.Errorf("document index %s: %w", s.dir, errs.Closed)
		}
		if s.engine != nil {
			return nil
		}
		s.mu.RUnlock()
		if err := s.reopen(); err != nil {
			return err
		}
	}
}

// reader returns the state last acknowledged. done must be called.
func (s *store) reader(ctx context.Context) (r index.IndexReader, done func(), err error) {
	if err := s.begin(ctx); err != nil {
		return nil, nil, err
	}
	r, _ = s.pinned()
	return r, func() { r.Close(); s.mu.RUnlock() }, nil
}

// pinned returns the state last acknowledged and its statistics. The reader must be closed.
func (s *store) pinned() (index.IndexReader, stats) {
	s.pinMu.Lock()
	defer s.pinMu.Unlock()
	s.snap.(interface{ AddRef() }).AddRef()
	return s.snap, s.stats
}

// statistics returns those of the state last acknowledged. Nobody changes them.
func (s *store) statistics() stats {
	s.pinMu.Lock()
	defer s.pinMu.Unlock()
	return s.stats
}

// pin makes r the state that readers get. What the engine holds in memory may be ahead of it: a change that it could not write is
// seen by nobody.
func (s *store) pin(r index.IndexReader, st stats) {
	s.pinMu.Lock()
	old := s.snap
	s.snap, s.stats, s.pinnedAt = r, st, time.Now()
	s.pinMu.Unlock()
	if old != nil {
		old.Close()
	}
}

// repin takes the same state anew when it is old, since it keeps the files of merged segments alive.
func (s *store) repin() {
	s.pinMu.Lock()
	old := time.Since(s.pinnedAt) > viewAge
	s.pinMu.Unlock()
	if !old || s.readOnly || !s.writing.TryLock() {
		return
	}
	defer s.writing.Unlock()
	if r, err := s.engine.ix.Reader(); err == nil {
		s.pin(r, s.stats) // only a change alters the statistics
	}
}

// failed closes the engine after a change that could not be written, and opens it as it is on disk: else the engine would show
// that change, and write it later. It returns the error to report.
func (s *store) failed(cause error, generation uint64) error {
	s.mu.Lock()
	if s.engine != nil {
		s.shut()
	}
	s.mu.Unlock()
	err := s.explain(cause)
	if rerr := s.reopen(); rerr != nil {
		return errors.Join(err, rerr)
	}
	s.pinMu.Lock()
	defer s.pinMu.Unlock()
	if s.stats.Generation >= generation {
		err = fmt.Errorf("%w (the change is there, but may not outlive a power failure)", err)
	}
	return err
}

// shut closes the engine. s.mu is held for writing.
func (s *store) shut() error {
	s.dropView()
	s.pinMu.Lock()
	if s.snap != nil {
		s.snap.Close()
		s.snap = nil
	}
	s.pinMu.Unlock()
	err := s.engine.close()
	s.engine = nil
	return err
}

// reopen opens the engine where there is none.
func (s *store) reopen() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("document index %s: %w", s.dir, errs.Closed)
	}
	if s.engine != nil {
		return nil
	}
	return s.openIndex()
}

// openIndex opens the engine for writing.
func (s *store) openIndex() (err error) {
	if err := s.ours(); err != nil {
		return s.explain(err)
	}
	path := filepath.Join(s.dir, indexDir)
	want, err := readState(path, 0)
	if errors.Is(err, errs.Format) && neverUsed(s.dir) {
		// The program was killed while the engine made its first file.
		if err = os.Remove(filepath.Join(path, boltFile)); err == nil {
			err = os.ErrNotExist
		}
	}
	switch {
	case err == nil:
		if err := s.wholeState(path, want); err != nil {
			return err
		}
	case !isNotExist(err):
		return s.explain(err)
	}
	e, r, err := openEngine(path, false, want)
	if err != nil {
		return s.explain(err)
	}
	st, err := s.checked(r)
	if err != nil {
		r.Close()
		e.close()
		return err
	}
	s.engine = e
	s.pin(r, st)
	return nil
}

// neverUsed reports whether nothing was ever added to the index in dir, and the engine's first file is its own and not whole.
func neverUsed(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, generationFile)); !isNotExist(err) {
		return false
	}
	segments, err := filepath.Glob(filepath.Join(dir, indexDir, "*.zap"))
	if err != nil || len(segments) > 0 {
		return false
	}
	head, err := os.ReadFile(filepath.Join(dir, indexDir, boltFile))
	if err != nil || len(head) >= 1<<20 {
		return false
	}
	return len(head) < pageHeader+metaSize || binary.NativeEndian.Uint32(head[pageHeader:]) == boltMagic
}

// checked reads the statistics of a state and compares them with what was acknowledged.
func (s *store) checked(r index.IndexReader) (st stats, err error) {
	defer guard(s.dir, &err)()
	if st, err = readStats(r); err != nil {
		return st, fmt.Errorf("document index %s: %w", s.dir, err)
	}
	return st, s.checkGeneration(st.Generation)
}

// explain says which folder an error is about, and the way out.
func (s *store) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case untrusted(err):
		return fmt.Errorf("document %w", err)
	case disk.Full(err):
		return fmt.Errorf("document index %s: no room is left for it (%w): make room there and add again; what was added before is safe", s.dir, err)
	case disk.Denied(err):
		return fmt.Errorf("document index %s: it cannot be written (%w): let this user write there, open it read-only, or use another folder", s.dir, err)
	}
	return fmt.Errorf("document index %s: %w", s.dir, err)
}
