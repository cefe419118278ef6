package blevestore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
	"github.com/findspot/findspot/internal/errs"
)

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
	r, _ = s.pin.Reader()
	return r, func() { r.Close(); s.mu.RUnlock() }, nil
}

// repin takes the same state anew when it is old, since it keeps the files of merged segments alive.
func (s *store) repin() {
	if s.pin.Age() <= segments.ViewAge || s.readOnly || !s.writing.TryLock() {
		return
	}
	defer s.writing.Unlock()
	if r, err := s.engine.ix.Reader(); err == nil {
		s.pin.Set(r, s.pin.Statistics()) // only a change alters the statistics
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
	if s.pin.Statistics().Generation >= generation {
		err = fmt.Errorf("%w (the change was made, but may not survive a power failure)", err)
	}
	return err
}

// shut closes the engine. s.mu is held for writing.
func (s *store) shut() error {
	s.views.Drop()
	s.pin.Set(nil, s.pin.Statistics())
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
	want, err := segments.ReadState(path, 0)
	if errors.Is(err, errs.Format) && neverUsed(s.dir) {
		// The program was killed while the engine made its first file.
		if err = os.Remove(filepath.Join(path, segments.BoltFile)); err == nil {
			err = os.ErrNotExist
		}
	}
	switch {
	case err == nil:
		if err := s.wholeState(path, want); err != nil {
			return err
		}
	case !segments.IsNotExist(err):
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
	s.pin.Set(r, st)
	return nil
}

// neverUsed reports whether nothing was ever added to the index in dir, and the engine's first file is its own and not whole.
func neverUsed(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, generationFile)); !segments.IsNotExist(err) {
		return false
	}
	files, err := filepath.Glob(filepath.Join(dir, indexDir, "*.zap"))
	if err != nil || len(files) > 0 {
		return false
	}
	head, err := os.ReadFile(filepath.Join(dir, indexDir, segments.BoltFile))
	if err != nil || len(head) >= 1<<20 {
		return false
	}
	return len(head) < segments.PageHeader+segments.MetaSize || binary.NativeEndian.Uint32(head[segments.PageHeader:]) == segments.BoltMagic
}

// follow takes up the newest state when the index was written since the last look.
func (s *store) follow() error {
	if time.Since(time.Unix(0, s.looked.Load())) < followEvery || !s.following.TryLock() {
		return nil
	}
	defer s.following.Unlock()
	s.looked.Store(time.Now().UnixNano())
	path := filepath.Join(s.dir, indexDir)
	if change, err := segments.LastChange(path); err == nil && change == s.seen {
		return nil
	}
	e, r, st, change, err := s.openBeside()
	if err != nil {
		if errors.Is(err, segments.ErrMoving) {
			return nil // the state that is open still serves
		}
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		r.Close()
		e.close()
		return nil
	}
	old := s.engine
	s.views.Drop()
	s.engine, s.seen = e, change
	s.pin.Set(r, st)
	return old.close()
}
