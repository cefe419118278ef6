package update

import (
	"context"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/walk"
)

// Refresh makes the graph show the repository as it is now, or newer, see codegraph.Index.Refresh. While Watch runs it puts a mark of its own behind
// the changes that the system has queued, and waits until the watcher has come to it.
func (ix *Index) Refresh(ctx context.Context) error {
	if m := ix.marks.Load(); m != nil {
		seen, err := m.pass(ctx)
		if err != nil {
			return err
		}
		if seen {
			return nil
		}
	}
	_, err := ix.Update(ctx)
	return err
}

const (
	markWait = 2 * time.Second  // how long a mark is waited for before all of the repository is looked at
	markLook = 10 * time.Second // how old the last look at everything may become while the index is asked
)

// marks are the events that Refresh puts into the queue of changes: renames of a file in a folder of the index, which is watched like the
// repository.
type marks struct {
	dir    string
	folder *disk.Folder // dir is in it

	mu   sync.Mutex // one mark at a time; guards n and lost
	n    int
	lost bool // there is no file to rename any more

	nextMu sync.Mutex    // guards next
	next   *round        // the mark that is not made yet, which all share who come before it is
	asks   chan mark     // to the watcher, before the mark is made
	done   chan struct{} // closed when the watcher has ended
}

// A round is a mark that several questions wait for.
type round struct {
	done chan struct{} // closed when it is over
	seen bool          // valid then
	err  error         // of the context of the question that made it: the others make another one
}

// mark is one of them: its name, and where the watcher tells that all before it is in the graph.
type mark struct {
	name string
	told chan bool // false: look at everything instead
}

// marksName is the folder in an index where marks are made.
const marksName = "seen"

// newMarks makes and watches the folder. It returns nil where marks prove nothing.
func newMarks(ix *Index, notify *fsnotify.Watcher) *marks {
	if notify == nil || !walk.Local(ix.root) || !walk.Local(ix.dir) {
		return nil
	}
	m := &marks{dir: filepath.Join(ix.dir, marksName), folder: ix.folder, asks: make(chan mark), done: make(chan struct{})}
	root := m.folder.Root()
	err := root.RemoveAll(marksName)
	if err == nil {
		err = root.Mkdir(marksName, 0o700)
	}
	if err == nil {
		err = root.WriteFile(m.name(0), nil, 0o600)
	}
	if err == nil {
		err = notify.Add(m.dir)
	}
	if err != nil {
		ix.scan.opt.Logger.Info("codegraph: each question configStamps at the whole repository", "path", ix.root, "reason", err)
		return nil
	}
	return m
}

// name gives the name of a mark in the folder of the index.
func (m *marks) name(n int) string { return marksName + "/m" + strconv.Itoa(n) }

// pass waits until the watcher has come to a mark made now. seen is false when that cannot be told. Questions that come while a mark is under way share the
// one behind it, so that a hundred at once cost two.
func (m *marks) pass(ctx context.Context) (seen bool, err error) {
	for {
		m.nextMu.Lock()
		r := m.next
		first := r == nil
		if first {
			r = &round{done: make(chan struct{})}
			m.next = r
		}
		m.nextMu.Unlock()
		if first {
			m.make(ctx, r)
			return r.seen, r.err
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return false, ctx.Err()
		}
		if r.err == nil {
			return r.seen, nil
		}
	}
}

// make makes the mark of a round, once the one before it is over.
func (m *marks) make(ctx context.Context, r *round) {
	defer close(r.done)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nextMu.Lock()
	m.next = nil // who comes from here on may come behind the mark
	m.nextMu.Unlock()
	r.seen, r.err = m.one(ctx)
}

// one makes a mark and waits for it. The caller holds m.mu.
func (m *marks) one(ctx context.Context) (seen bool, err error) {
	if m.lost {
		return false, nil
	}
	k := mark{name: filepath.Join(m.dir, "m"+strconv.Itoa(m.n+1)), told: make(chan bool, 1)}
	wait := time.NewTimer(markWait)
	defer wait.Stop()
	select {
	case m.asks <- k:
	case <-m.done:
		return false, nil
	case <-wait.C: // the watcher is at a long update
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
	if err := m.folder.Root().Rename(m.name(m.n), m.name(m.n+1)); err != nil {
		m.lost = true // somebody took the folder away
		return false, nil
	}
	m.n++
	select {
	case seen = <-k.told:
		return seen, nil
	case <-m.done:
		return false, nil
	case <-wait.C:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// mine tells whether an event is of the folder of marks, and whether it is the mark that is waited for.
func (w *watcher) mine(e fsnotify.Event) (mark, waited bool) {
	if w.marks == nil || e.Name != w.marks.dir && filepath.Dir(e.Name) != w.marks.dir {
		return false, false
	}
	return true, w.mark != nil && e.Has(fsnotify.Create) && e.Name == w.mark.name
}

// reached updates the graph to what was queued before the mark, and tells Refresh.
func (w *watcher) reached(ctx context.Context) error {
	if len(w.paths) > 0 || w.all {
		if err := w.update(ctx); err != nil {
			return err
		}
	}
	w.mark.told <- w.notify != nil
	w.mark = nil
	return nil
}
