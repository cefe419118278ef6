package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/segment"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/storage"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/walk"
)

// Changes says what an update found.
type Changes struct {
	scan.Counts
	Skipped            []scan.Skip
	Rebuilt, Recovered string
	Took               time.Duration
}

// lockWait is how long a second writer waits.
const lockWait = 2 * time.Second

// An Index is a graph on disk that is kept up to date. It is safe for concurrent use.
type Index struct {
	dir    string
	root   string
	graph  atomic.Pointer[snapshot.Graph]
	folder *disk.Folder          // what dir was when it was opened
	ended  chan struct{}         // closed by Close
	marks  atomic.Pointer[marks] // of the Watch that runs

	// mu guards what follows; updates run one at a time.
	mu                 sync.Mutex
	scan               *Builder
	state              *scan.State
	last               *Changes
	lock               *disk.Lock // nil for readers
	closed             bool
	rebuilt, recovered string
	storage            *storage.Storage
}

// Open loads the index saved in dir and brings it up to date with the repository at root, see codegraph.Open.
func Open(ctx context.Context, dir, root string, langs []lang.Frontend, opt Options) (*Index, error) {
	real, err := filepath.Abs(root)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return nil, fmt.Errorf("codegraph: repository: %w", err)
	}
	if info, err := os.Stat(real); err != nil {
		return nil, fmt.Errorf("codegraph: repository: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("codegraph: repository %s: not a folder", root)
	}
	s, err := NewBuilder(rootfs.New(real), langs, opt)
	if err != nil {
		return nil, err
	}
	ix := &Index{dir: dir, root: root, scan: s, ended: make(chan struct{})}
	if err := ix.openFolder(); err != nil {
		return nil, err
	}
	if err := ix.openIn(ctx); err != nil {
		return nil, errors.Join(err, ix.folder.Close())
	}
	return ix, nil
}

// openFolder opens the folder of the index and that of facts, as far as both are to be trusted.
func (ix *Index) openFolder() (err error) {
	opt := &ix.scan.opt
	if opt.ReadOnly {
		if ix.folder, err = disk.OpenFolder(ix.dir, opt.TrustIndex); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("codegraph: index %s: %w", ix.dir, errs.NotFound)
		}
	} else {
		ix.folder, _, err = disk.MakeFolder(ix.dir, opt.TrustIndex)
	}
	if err != nil {
		return fmt.Errorf("codegraph: index: %w", err)
	}
	err = ix.folder.Check([]string{"LOCK", segment.FileName, segment.LogName, factpool.OwnFolder, marksName})
	if err == nil && opt.Facts != "" && !opt.ReadOnly {
		var facts *disk.Folder
		if facts, err = disk.OpenFolder(opt.Facts, opt.TrustIndex); err == nil {
			err = facts.Close()
		}
		if _, untrusted := errors.AsType[*errs.UntrustedError](err); !untrusted {
			err = nil // what else is wrong with it is logged when it is used, and it is done without
		}
	}
	if err != nil {
		return errors.Join(fmt.Errorf("codegraph: %w", err), ix.folder.Close())
	}
	ix.storage = &storage.Storage{Dir: ix.folder, MinLog: opt.MinLog}
	return nil
}

// openIn is Open when the folder is open.
func (ix *Index) openIn(ctx context.Context) error {
	s := ix.scan
	if s.opt.ReadOnly {
		return ix.refresh()
	}
	lock, err := ix.folder.Lock(lockWait)
	if err != nil {
		return fmt.Errorf("codegraph: index: %w", err)
	}
	ix.lock = lock
	s.Saved, s.Root = ix.storage.Facts, ix.root
	s.Pool = &factpool.Pool{Dir: s.opt.Facts, Size: factpool.PoolSize, Logger: s.opt.Logger, Trust: s.opt.TrustIndex}
	if s.opt.Facts == "" {
		s.Pool.Dir, s.Pool.Own = filepath.Join(ix.dir, factpool.OwnFolder), ix.folder
	}
	if err := ix.open(ctx); err != nil {
		return errors.Join(err, lock.Unlock())
	}
	return nil
}

// open loads the index and brings it up to date.
func (ix *Index) open(ctx context.Context) error {
	defer func() { ix.scan.Early = nil }()
	err := ix.load(func(t *walk.Tree) { ix.scan.ListEarly(ctx, t) })
	if early := ix.scan.Early; early != nil {
		<-early.Done
		if ix.state == nil {
			ix.scan.Early = nil // it believed what was damaged
		}
	}
	if err != nil {
		return err
	}
	if err := ix.storage.OpenLog(); err != nil {
		return fmt.Errorf("codegraph: index: %w", err)
	}
	if err := ix.tidy(); err != nil {
		return err
	}
	if _, err = ix.Update(ctx); ix.state != nil && errors.Is(err, errs.Format) {
		// The checksums are right, and what is saved makes no sense.
		if err := ix.forget(damage(err)); err != nil {
			return err
		}
		_, err = ix.Update(ctx)
	}
	return err
}

// forget drops what was loaded, so that all is built anew.
func (ix *Index) forget(why string) error {
	if err := ix.storage.Close(); err != nil {
		return fmt.Errorf("codegraph: index: %w", err)
	}
	*ix.storage = storage.Storage{Dir: ix.folder, MinLog: ix.storage.MinLog}
	ix.state, ix.rebuilt, ix.recovered = nil, why, ""
	ix.graph.Store(nil)
	ix.scan.linker = nil
	clear(ix.scan.Cache)
	ix.scan.opt.Logger.Warn("codegraph: saved index is not whole and is made anew", "path", ix.dir, "reason", why)
	return nil
}

// load reads what is saved. What is damaged is left out and the reason kept; only a newer version is an error.
func (ix *Index) load(begin func(*walk.Tree)) error {
	saved, err := ix.storage.Load(ix.scan.FS, begin)
	var newer *segment.NewerError
	switch {
	case errors.As(err, &newer), errors.Is(err, fs.ErrPermission): // it may be a good one
		return fmt.Errorf("codegraph: index %s: %w", ix.dir, err)
	case errors.Is(err, fs.ErrNotExist):
		for _, name := range []string{"facts", "files"} { // of format 1
			if _, err := ix.folder.Lstat(name); err == nil {
				ix.rebuilt = "the index was in format 1, which this program does not read"
			}
		}
	case err != nil:
		ix.rebuilt = damage(err)
	default:
		ix.state, ix.recovered = saved.State, saved.Recovered
		ix.graph.Store(saved.Graph)
	}
	switch log := ix.scan.opt.Logger; {
	case ix.rebuilt != "":
		log.Warn("codegraph: saved index cannot be used and is rebuilt", "path", ix.dir, "reason", ix.rebuilt)
	case ix.recovered != "":
		log.Warn("codegraph: saved index was not whole and is recovered", "path", ix.dir, "reason", ix.recovered)
	default:
		log.Info("codegraph: index opened", "path", ix.dir, "new", ix.state == nil)
	}
	return nil
}

// refresh reads what another process has saved since the last time.
func (ix *Index) refresh() error {
	if ix.state != nil && ix.storage.Current() {
		return nil
	}
	for range 20 {
		h := &storage.Storage{Dir: ix.folder}
		saved, err := h.Load(ix.scan.FS, nil)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("codegraph: index %s: %w", ix.dir, errs.NotFound)
		}
		if err != nil {
			return fmt.Errorf("codegraph: index %s: %w", ix.dir, err)
		}
		if replaced, err := h.Replaced(); err != nil {
			return fmt.Errorf("codegraph: index %s: %w", ix.dir, err)
		} else if replaced {
			continue // between the segment and its log
		}
		if ix.state != nil && ix.storage.Equal(h) {
			return nil
		}
		ix.last = &Changes{Counts: *scan.CountsOf(ix.state, saved.State), Skipped: saved.State.Skips, Recovered: saved.Recovered}
		ix.storage, ix.state = h, saved.State
		ix.graph.Store(saved.Graph)
		return nil
	}
	return fmt.Errorf("codegraph: index %s: it is replaced faster than it can be read", ix.dir)
}

// tidy removes leftovers of interrupted writes and older versions.
func (ix *Index) tidy() error {
	list, err := ix.folder.ReadDir(".")
	if err != nil {
		return fmt.Errorf("codegraph: index: %w", err)
	}
	names := []string{"facts", "files"}
	for _, d := range list {
		if strings.Contains(d.Name(), ".tmp") {
			names = append(names, d.Name())
		}
	}
	for _, name := range names {
		if err := ix.folder.Root().Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("codegraph: index: %w", err)
		}
	}
	return nil
}

// Graph gives the graph as of the last update. It stays valid, and unchanged, afterwards.
func (ix *Index) Graph() *snapshot.Graph { return ix.graph.Load() }

// Changes gives the result of the last update, the one in Open included.
func (ix *Index) Changes() *Changes {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.last
}

// Update brings the graph up to date, see codegraph.Index.Update.
func (ix *Index) Update(ctx context.Context) (*Changes, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.closed {
		return nil, ix.closedError()
	}
	if ix.scan.opt.ReadOnly {
		start, before := time.Now(), ix.last
		if err := ix.refresh(); err != nil {
			return nil, err
		}
		if ix.last != before {
			ix.last.Took = time.Since(start)
		}
		return ix.last, nil
	}
	return ix.update(ctx, func() (*scan.State, *scan.Counts, error) { return ix.scan.Pass(ctx, ix.state) })
}

func (ix *Index) closedError() error {
	return fmt.Errorf("codegraph: index %s: %w", ix.dir, errs.Closed)
}

// UpdateFiles is Update for a caller that knows which files changed, see codegraph.Index.UpdateFiles.
func (ix *Index) UpdateFiles(ctx context.Context, paths ...string) (*Changes, error) {
	ix.mu.Lock()
	known := !ix.closed && !ix.scan.opt.ReadOnly && ix.state != nil
	for _, p := range paths {
		known = known && ix.state.Files[p] != nil && !ix.scan.IsConfig(path.Base(p))
	}
	if !known {
		ix.mu.Unlock()
		return ix.Update(ctx)
	}
	defer ix.mu.Unlock()
	return ix.update(ctx, func() (*scan.State, *scan.Counts, error) { return ix.scan.PassFiles(ctx, ix.state, paths) })
}

// update runs a pass and advances to its state.
func (ix *Index) update(ctx context.Context, pass func() (*scan.State, *scan.Counts, error)) (*Changes, error) {
	start := time.Now()
	st, found, err := pass()
	if err != nil {
		return nil, err
	}
	ch := &Changes{Counts: *found, Skipped: st.Skips}
	if err := ix.advance(ctx, st, ch); err != nil {
		return nil, err
	}
	ch.Took = time.Since(start)
	return ch, nil
}

// advance links, saves and publishes a state.
func (ix *Index) advance(ctx context.Context, st *scan.State, ch *Changes) error {
	ch.Rebuilt, ch.Recovered = ix.rebuilt, ix.recovered
	g := ix.graph.Load()
	changed := ix.state == nil || ch.Added+ch.Changed+ch.Removed > 0 || !scan.SameConfigs(ix.state, st) || !slices.Equal(ix.state.Skips, st.Skips)
	if changed || g == nil {
		var err error
		if g, err = ix.scan.Next(ctx, ix.state, st, cmp.Or(g, &snapshot.Graph{FS: ix.scan.FS})); err != nil {
			return err
		}
	}
	if err := ix.storage.Save(ix.graph.Load(), g, st, changed); err != nil {
		return err
	}
	if changed {
		ix.graph.Store(g)
	}
	if ix.state == nil || ix.state.Mark != st.Mark {
		for _, f := range st.Files {
			f.Record = nil // saved
		}
	}
	if err := ix.scan.Pool.Saved(); err != nil {
		ix.scan.opt.Logger.Warn("codegraph: facts that nobody needs stay", "path", ix.dir, "reason", err)
	}
	clear(ix.scan.Cache)
	ix.state, ix.rebuilt, ix.recovered, ix.last = st, "", "", ch
	return nil
}

// Close gives up the writer's lock and ends [Index.Watch]. The graphs handed out stay valid.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.closed {
		return nil
	}
	ix.closed, ix.scan.linker = true, nil
	close(ix.ended)
	err := ix.storage.Close()
	if ix.lock != nil {
		err = errors.Join(err, ix.lock.Unlock())
	}
	return errors.Join(err, ix.folder.Close())
}

// damage gives the reason why a saved index is not used.
func damage(err error) string { return strings.TrimPrefix(err.Error(), "codegraph: ") }
