package codegraph

import (
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
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/walk"
)

// Changes says what a pass over the sources found.
type Changes struct {
	Added     int    `json:"added"` // files
	Changed   int    `json:"changed"`
	Removed   int    `json:"removed"`
	Unchanged int    `json:"unchanged"`
	Parsed    int    `json:"parsed"`            // files that a front end read
	Reused    int    `json:"reused"`            // files whose facts stood in Options.Facts, or were left by a first build that was interrupted
	Skipped   []Skip `json:"skipped"`           // by path
	Rebuilt   string `json:"rebuilt,omitempty"` // why the saved index was thrown away; "" when it was not

	// Recovered says what of the saved index was not whole and was left out, as after a crash: the files that it was about were looked
	// at again. "" when nothing was.
	Recovered string `json:"recovered,omitempty"`

	Took time.Duration `json:"took_ns"` // looking, reading, linking and saving; not waiting for another update
}

// changesOf says what a pass found that led to a state.
func changesOf(c *scan.Counts, st *scan.State) *Changes {
	return &Changes{Added: c.Added, Changed: c.Changed, Removed: c.Removed, Unchanged: c.Unchanged, Parsed: c.Parsed, Reused: c.Reused, Skipped: skipsOf(st.Skips)}
}

// lockWait is how long a second writer waits.
const lockWait = 2 * time.Second

// An Index is a graph on disk that is kept up to date. It is safe for concurrent use.
type Index struct {
	dir    string
	root   string
	graph  atomic.Pointer[Graph]
	gen    atomic.Uint64
	folder *disk.Folder          // what dir was when it was opened
	ended  chan struct{}         // closed by Close
	marks  atomic.Pointer[marks] // of the Watch that runs

	// mu guards what follows; updates run one at a time.
	mu                 sync.Mutex
	scan               *builder
	state              *scan.State
	last               *Changes
	lock               *disk.Lock // nil for readers
	closed             bool
	rebuilt, recovered string
	minLog             int64
	storage            *storage
}

// Open loads the index saved in dir, which is made when it is not there, and brings it up to date with the repository
// at root. With Options.ReadOnly it reads what is saved, beside the process that keeps it up to date; when there is
// nothing the error wraps [ErrNotFound]. Else it holds the writer's lock of dir until Close; when another process holds it, the error wraps a
// [*LockedError] after two seconds. A folder that is a symbolic link, holds anything but regular files, or unless Options.TrustIndex is set
// belongs to another user or can be written by everybody, is an error wrapping an [*UntrustedError]; so is such a folder of facts. An index that a crash left with the end of a write is recovered, any other damaged
// one is rebuilt; which it was is logged and said in [Index.Changes].
//
// What front ends read of a file depends on its bytes and its extension alone. With Options.Facts indexes keep it for one another in a
// folder, by content: of a second worktree, a clone or another branch only the files are parsed that differ from all that
// was parsed before, while each index has a graph of its own. The folder belongs to this package; any number of
// processes, of any versions of this library, may use it at the same time. It is made when it is not there, holds at most about 512 MB, of
// which what was used last stays longest, and nothing that could not be parsed again: it can be deleted at any time. What is damaged in it is
// thrown away, and one that cannot be written is done without; both are logged. Passes over fewer than 16 files do without it.
//
// When a first build, or an update of many files, is interrupted, what it has parsed is kept (but for the last second, when the
// process was killed): in that folder, or without one in dir. The next one goes on from there.
func Open(ctx context.Context, dir, root string, langs []lang.Frontend, o *Options) (*Index, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
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
	s, err := newBuilder(rootfs.New(real), langs, opt)
	if err != nil {
		return nil, err
	}
	ix := &Index{dir: dir, root: root, scan: s, ended: make(chan struct{}), minLog: minLog}
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
			return fmt.Errorf("codegraph: index %s: %w", ix.dir, ErrNotFound)
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
	ix.storage = &storage{dir: ix.folder}
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
	s.Saved, s.Root = ix.storage.saved, ix.root
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
	err := ix.load(func(t *walk.Tree) { ix.scan.LookEarly(ctx, t) })
	if early := ix.scan.Early; early != nil {
		<-early.Done
		if ix.state == nil {
			ix.scan.Early = nil // it believed what was damaged
		}
	}
	if err != nil {
		return err
	}
	if h := ix.storage; h.seg != nil {
		var err error
		if h.log, err = segment.OpenLog(ix.folder, h.seg.ID, h.logged); err != nil {
			return fmt.Errorf("codegraph: index: %w", err)
		}
	}
	if err := ix.tidy(); err != nil {
		return err
	}
	if _, err = ix.Update(ctx); ix.state != nil && errors.Is(err, ErrFormat) {
		// What is saved has the right checksums and means nothing.
		if err := ix.forget(damage(err)); err != nil {
			return err
		}
		_, err = ix.Update(ctx)
	}
	return err
}

// forget lets go of what was loaded, so that all is made anew.
func (ix *Index) forget(why string) error {
	if l := ix.storage.log; l != nil {
		if err := l.File.Close(); err != nil {
			return fmt.Errorf("codegraph: index: %w", err)
		}
	}
	*ix.storage = storage{dir: ix.folder}
	ix.state, ix.rebuilt, ix.recovered = nil, why, ""
	ix.graph.Store(nil)
	ix.scan.linker = nil
	clear(ix.scan.Cache)
	ix.scan.opt.Logger.Warn("codegraph: saved index is not whole and is made anew", "path", ix.dir, "reason", why)
	return nil
}

// load reads what is saved. What is damaged is left out and the reason kept; only a newer version is an error.
func (ix *Index) load(begin func(*walk.Tree)) error {
	saved, err := ix.storage.load(ix.scan.FS, begin)
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
		ix.state, ix.recovered = saved.st, saved.note
		ix.graph.Store(saved.g)
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
	if ix.state != nil && ix.storage.current() {
		return nil
	}
	for range 20 {
		h := &storage{dir: ix.folder}
		saved, err := h.load(ix.scan.FS, nil)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("codegraph: index %s: %w", ix.dir, ErrNotFound)
		}
		if err != nil {
			return fmt.Errorf("codegraph: index %s: %w", ix.dir, err)
		}
		if again, err := segment.Open(ix.folder); err == nil {
			id := again.ID
			if err := again.File.Close(); err != nil {
				return fmt.Errorf("codegraph: index %s: %w", ix.dir, err)
			}
			if id != h.seg.ID {
				continue // replaced between the segment and its log
			}
		}
		if ix.state != nil && ix.storage.seg.ID == h.seg.ID && ix.storage.logged == h.logged {
			return nil
		}
		ix.last = changesOf(scan.CountsOf(ix.state, saved.st), saved.st)
		ix.last.Recovered = saved.note
		ix.storage, ix.state = h, saved.st
		ix.graph.Store(saved.g)
		ix.gen.Add(1)
		return nil
	}
	return fmt.Errorf("codegraph: index %s: it is replaced faster than it can be read", ix.dir)
}

// tidy removes what an interrupted write or an older version left.
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
func (ix *Index) Graph() *Graph { return ix.graph.Load() }

// Generation grows with every update that changed the graph.
func (ix *Index) Generation() uint64 { return ix.gen.Load() }

// Changes gives the result of the last update, the one in Open included.
func (ix *Index) Changes() *Changes {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.last
}

// Update reads what changed in the repository, links the next graph, saves it, and swaps it in. When ctx ends or the index
// cannot be saved, the graph and the saved state stay as they were; facts already read are kept in memory for the next call.
//
// The first update that finds something links the whole repository and keeps in memory what later ones need to link only what
// rests on what changed (about 150 MB for a repository of 2,900 files); Close lets it go. All is linked again when more than 100
// files changed, and when one is of C or C++.
func (ix *Index) Update(ctx context.Context) (*Changes, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.closed {
		return nil, ix.closedError()
	}
	start := time.Now()
	if ix.scan.opt.ReadOnly {
		before := ix.last
		if err := ix.refresh(); err != nil {
			return nil, err
		}
		if ix.last != before {
			ix.last.Took = time.Since(start)
		}
		return ix.last, nil
	}
	st, found, err := ix.scan.Pass(ctx, ix.state)
	if err != nil {
		return nil, err
	}
	ch := changesOf(found, st)
	if err := ix.advance(ctx, st, ch); err != nil {
		return nil, err
	}
	ch.Took = time.Since(start)
	return ch, nil
}

func (ix *Index) closedError() error {
	return fmt.Errorf("codegraph: index %s: %w", ix.dir, ErrClosed)
}

// UpdateFiles is [Index.Update] for a caller that knows what changed, such as one that watches the folder: only these files
// are looked at. Paths are relative to the root and slash-separated. Files that are new to the index, folders and
// .gitignore files change what else belongs to the repository, so that with one of them all of it is looked at.
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
	start := time.Now()
	st, found, err := ix.scan.PassFiles(ctx, ix.state, paths)
	if err != nil {
		return nil, err
	}
	ch := changesOf(found, st)
	if err := ix.advance(ctx, st, ch); err != nil {
		return nil, err
	}
	ch.Took = time.Since(start)
	return ch, nil
}

// advance goes on to a state.
func (ix *Index) advance(ctx context.Context, st *scan.State, ch *Changes) error {
	ch.Rebuilt, ch.Recovered = ix.rebuilt, ix.recovered
	g := ix.graph.Load()
	changed := ix.state == nil || ch.Added+ch.Changed+ch.Removed > 0 || !scan.SameConfigs(ix.state, st) || !slices.Equal(ix.state.Skips, st.Skips)
	if changed || g == nil {
		before := g
		if before == nil {
			before = &Graph{fsys: ix.scan.FS}
		}
		var err error
		if g, err = relink(ctx, ix.scan, ix.state, st, before); err != nil {
			return err
		}
	}
	if err := ix.save(g, st, changed); err != nil {
		return err
	}
	if changed {
		ix.graph.Store(g)
		ix.gen.Add(1)
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

// The log is folded into a new segment when it is over minLog bytes and a share of the segment.
const (
	minLog   = 4 << 20
	logShare = 3
)

// save writes what is not on disk yet.
func (ix *Index) save(g *Graph, st *scan.State, changed bool) error {
	h := ix.storage
	if !changed && h.state != nil && sameStamps(h.state, st) {
		return nil
	}
	before := ix.graph.Load()
	if h.seg == nil || h.log == nil || h.state == nil || before == nil {
		return h.write(g, st)
	}
	fresh := map[factpool.Key][]byte{}
	b, err := h.encodeDelta(before, g, st, fresh)
	if err != nil {
		return err
	}
	base := int64(0)
	for _, n := range h.seg.Sizes {
		base += n
	}
	if size := h.log.Size + int64(len(b)); size > ix.minLog && size > base/logShare || len(b) > 1<<30 {
		return h.write(g, st)
	}
	if err := h.log.Append(b); err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	for k, b := range fresh {
		h.newer[k] = b
	}
	h.state = st
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
	var err error
	if ix.storage.log != nil {
		err = ix.storage.log.File.Close()
	}
	if ix.lock != nil {
		err = errors.Join(err, ix.lock.Unlock())
	}
	return errors.Join(err, ix.folder.Close())
}

// sameStamps tells whether the next pass would cost no less if the second of two states were saved, the first being so.
func sameStamps(a, b *scan.State) bool {
	files := b.Files
	if a.Mark == b.Mark {
		files = nil
	}
	for p, f := range files {
		o := a.Files[p]
		if o == f {
			continue
		}
		if o == nil || o.Stamp() != f.Stamp() || !o.Stamp().Settled(a.Began) && f.Stamp().Settled(b.Began) {
			return false
		}
	}
	return b.Tree == nil || a.Tree == b.Tree || a.Tree != nil && b.Tree.Settled <= worthSaving
}

// worthSaving is how many folders must be listed at a pass, and need not be at the next, to be saved for their own sake.
const worthSaving = 50
