package codegraph

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/disk"
)

// Changes says what a pass over the sources found.
type Changes struct {
	Added     int    `json:"added"` // files
	Changed   int    `json:"changed"`
	Removed   int    `json:"removed"`
	Unchanged int    `json:"unchanged"`
	Skipped   []Skip `json:"skipped"`           // by path
	Rebuilt   string `json:"rebuilt,omitempty"` // why the saved index was thrown away; "" when it was not
}

// lockWait is how long a second writer waits.
const lockWait = 2 * time.Second

// An Index is a graph on disk that is kept up to date. It is safe for concurrent use.
type Index struct {
	dir   string
	graph atomic.Pointer[Graph]
	gen   atomic.Uint64

	// mu guards what follows; updates run one at a time.
	mu      sync.Mutex
	scan    *scanner
	state   *state
	last    *Changes
	lock    *disk.Lock
	rebuilt string
	dirty   bool // the state on disk is older than state
}

// Open loads the index saved in dir, which is made when it is not there, and brings it up to date with the repository
// at root. It holds the writer's lock of dir until Close; when another process holds it, the error wraps a
// *errs.LockedError after two seconds. A damaged index is rebuilt, which is logged and said in [Index.Changes].
func Open(ctx context.Context, dir, root string, langs []lang.Frontend, o *Options) (*Index, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(root); err != nil {
		return nil, fmt.Errorf("codegraph: repository: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("codegraph: repository %s: not a folder", root)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("codegraph: index: %w", err)
	}
	s, err := newScanner(os.DirFS(root), langs, opt)
	if err != nil {
		return nil, err
	}
	lock, err := disk.AcquireLock(dir, lockWait)
	if err != nil {
		return nil, fmt.Errorf("codegraph: index: %w", err)
	}
	ix := &Index{dir: dir, scan: s, lock: lock}
	if err := ix.load(); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	if _, err := ix.Update(ctx); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return ix, nil
}

// load reads what is saved. A damaged file is left out and the reason kept; only a newer version is an error.
func (ix *Index) load() error {
	for _, f := range []struct {
		name string
		read func([]byte) error
	}{
		{"facts", func(b []byte) (err error) { ix.scan.cache, err = decodeFacts(b); return err }},
		{"files", func(b []byte) (err error) { ix.state, err = decodeState(b, ix.scan.cache); return err }},
	} {
		p := filepath.Join(ix.dir, f.name)
		b, err := os.ReadFile(p)
		if errors.Is(err, fs.ErrNotExist) {
			ix.dirty = true
			continue
		}
		if err == nil {
			err = f.read(b)
		}
		var newer *newerError
		if errors.As(err, &newer) {
			return fmt.Errorf("codegraph: index %s: %w", p, err)
		}
		if err != nil {
			ix.dirty = true
			ix.rebuilt = fmt.Sprintf("%s: %v", f.name, err)
			ix.scan.opt.Logger.Warn("codegraph: saved index is damaged and is rebuilt", "path", p, "reason", err)
			if ix.scan.cache == nil {
				ix.scan.cache = map[key]*record{}
			}
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

// Update reads what changed in the repository, links the next graph, saves it, and swaps it in. When ctx ends, the
// graph and the saved state stay as they were, but for facts already read, which are kept.
func (ix *Index) Update(ctx context.Context) (*Changes, error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.lock == nil {
		return nil, fmt.Errorf("codegraph: index %s: %w", ix.dir, ErrClosed)
	}
	st, ch, err := ix.scan.pass(ctx, ix.state)
	if err != nil {
		if ctx.Err() != nil && ix.state == nil { // the next run goes on from here
			err = errors.Join(err, disk.WriteFile(filepath.Join(ix.dir, "facts"), encodeFacts(ix.scan.cache)))
		}
		return nil, err
	}
	ch.Rebuilt = ix.rebuilt
	changed := ix.state == nil || ch.Added+ch.Changed+ch.Removed > 0 || !sameConfigs(ix.state, st)
	if changed || ix.graph.Load() == nil {
		g, err := link(ctx, ix.scan, st)
		if err != nil {
			return nil, err
		}
		ix.graph.Store(g)
		ix.gen.Add(1)
	}
	stateMoved := ix.state == nil || changed || !sameStamps(ix.state, st)
	ix.state = st
	if changed || ix.dirty || stateMoved {
		ix.dirty = true
		if err := ix.save(changed); err != nil {
			return nil, err
		}
		ix.dirty = false
	}
	ix.rebuilt = ""
	ix.last = ch
	return ch, nil
}

// save writes the facts first: the state points into them.
func (ix *Index) save(facts bool) error {
	cache := map[key]*record{}
	for _, f := range ix.state.files {
		cache[f.key] = f.rec
	}
	ix.scan.cache = cache
	if _, err := os.Stat(filepath.Join(ix.dir, "facts")); facts || err != nil || ix.rebuilt != "" {
		if err := disk.WriteFile(filepath.Join(ix.dir, "facts"), encodeFacts(cache)); err != nil {
			return fmt.Errorf("codegraph: save: %w", err)
		}
	}
	if err := disk.WriteFile(filepath.Join(ix.dir, "files"), encodeState(ix.state)); err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	return nil
}

// Close gives up the writer's lock. The graphs handed out stay valid.
func (ix *Index) Close() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.lock == nil {
		return nil
	}
	err := ix.lock.Unlock()
	ix.lock = nil
	return err
}

func sameConfigs(a, b *state) bool {
	if len(a.configs) != len(b.configs) {
		return false
	}
	for p, x := range a.configs {
		if y, ok := b.configs[p]; !ok || string(x) != string(y) {
			return false
		}
	}
	return true
}

func sameStamps(a, b *state) bool {
	for p, f := range b.files {
		if o := a.files[p]; o == nil || o.mtime != f.mtime || o.size != f.size {
			return false
		}
	}
	// A pass soon after a write must be recorded too, or the file would be hashed for ever.
	return b.began.Sub(a.began) < time.Minute
}
