package filetree

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/lspclient/internal/source"
)

// MaxWatched bounds the files whose changes are followed.
const MaxWatched = 200_000

// Snapshot is what the source files of the root looked like at one moment. It does not change.
type Snapshot struct {
	Files  map[string]stamp // by absolute path
	Linked map[string]bool  // those of them that are there through a link, and so are there twice
	Cut    bool             // there were more than maxWatched

	sorted  sync.Once
	folders map[string]bool // see under
}

// Under lists the folders below the root that hold a file, at any depth.
func (n *Snapshot) Under(root string) map[string]bool {
	n.sorted.Do(func() {
		n.folders = map[string]bool{}
		for path := range n.Files {
			for dir := filepath.Dir(path); dir != root && source.Below(root, dir) && !n.folders[dir]; dir = filepath.Dir(dir) {
				n.folders[dir] = true
			}
		}
	})
	return n.folders
}

// Scan returns what the source files of the root look like now: the last snapshot itself when nothing has changed since.
// Where the system queues changes, see watch, only what it names is looked at, else every file.
func (t *Tree) Scan(ctx context.Context) (*Snapshot, error) {
	if err := t.scanning.Lock(ctx); err != nil {
		return nil, err
	}
	defer t.scanning.Unlock()
	if t.watch.current(t) {
		return t.lastScan, nil
	}
	pass := t.watch.begin(t)
	l, err := t.look(ctx, t.lastScan, t.young, pass)
	if err != nil {
		return nil, err
	}
	t.adopt(l)
	t.watch.done(t, l, pass)
	return t.lastScan, nil
}

// look is what one look at every file came to.
type look struct {
	next    *Snapshot
	young   map[string]bool
	changed bool            // next differs from the snapshot before
	links   []symlink       // met on the way
	leftOut map[string]bool // folders that turned out to be virtual environments
	shared  []string        // files that have more than one name
	took    time.Duration
}

// adopt takes a look over. The lock of the scan is held.
func (t *Tree) adopt(l *look) {
	if l.changed {
		t.lastScan = l.next
	}
	t.young = l.young
}

// look looks at every file of the root that some server could care about, and at which of them differ from a snapshot
// before. Hidden folders, node_modules, __pycache__ and virtual environments are left out, and so are links out of the
// root, and names that are no UTF-8; files that .gitignore leaves out are looked at, since servers read them. A folder is
// followed through one link only. Folders are watched before they are read, unless pass is nil.
func (t *Tree) look(ctx context.Context, last *Snapshot, wasYoung map[string]bool, pass *watchPass) (*look, error) {
	now := time.Now()
	l := &look{young: map[string]bool{}, leftOut: map[string]bool{}, changed: last.Files == nil}
	young := l.young
	next := &Snapshot{Files: make(map[string]stamp, len(last.Files)), Linked: map[string]bool{}}
	l.next = next
	followed := map[string]bool{}
	add := func(path string, info os.FileInfo, linked bool) bool {
		if len(next.Files) >= MaxWatched {
			next.Cut = true
			return false
		}
		was, ok := last.Files[path]
		st, fresh := restamp(path, was, wasYoung[path], info, now)
		if fresh {
			young[path] = true
		}
		if manyNames(info) {
			l.shared = append(l.shared, path)
		}
		if linked {
			next.Linked[path] = true
		}
		next.Files[path] = st
		l.changed = l.changed || !ok || st != was || linked != last.Linked[path]
		return true
	}
	var walk func(dir string, linked bool) error
	walk = func(dir string, linked bool) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		pass.watch(dir)
		entries, err := os.ReadDir(dir)
		if err != nil {
			if dir == t.root {
				return fmt.Errorf("reading the root: %w", err)
			}
			return nil // gone, or closed to us: the server will not read it either
		}
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "pyvenv.cfg" }) {
			l.leftOut[dir] = true
			return nil
		}
		for _, e := range entries {
			name := e.Name()
			path := filepath.Join(dir, name)
			if !utf8.ValidString(name) {
				continue // no URI says it
			}
			isDir, regular, through := e.IsDir(), e.Type().IsRegular(), linked
			var info os.FileInfo
			if e.Type()&fs.ModeSymlink != 0 {
				if pass != nil {
					l.links = append(l.links, lookAtLink(path))
				}
				real, err := filepath.EvalSymlinks(path)
				if err != nil || !source.Below(t.root, real) {
					continue
				}
				if info, err = os.Stat(real); err != nil {
					continue
				}
				isDir, regular, through = info.IsDir(), info.Mode().IsRegular(), true
				if isDir && (followed[real] || source.Below(real, path)) {
					continue
				}
				followed[real] = isDir
			}
			switch {
			case isDir:
				if strings.HasPrefix(name, ".") || name == "node_modules" || name == "__pycache__" {
					continue
				}
				if err := walk(path, through); err != nil {
					return err
				}
			case regular && t.watched(name):
				if info == nil {
					if info, err = e.Info(); err != nil {
						continue
					}
				}
				if !add(path, info, through) {
					return nil
				}
			}
		}
		return nil
	}
	if err := walk(t.root, false); err != nil {
		return nil, err
	}
	l.changed = l.changed || len(next.Files) != len(last.Files) || next.Cut != last.Cut
	l.took = time.Since(now)
	return l, nil
}

// watched reports whether a file of that name concerns any server of the registry.
func (t *Tree) watched(name string) bool {
	return t.Serves(name) || t.IsMarker(name)
}
