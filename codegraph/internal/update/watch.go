package update

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/findspot/findspot/internal/walk"
)

const (
	watchQuiet = 60 * time.Millisecond  // how long nothing must happen before an update
	watchMost  = 500 * time.Millisecond // how long an update waits at most while things go on happening
	watchPoll  = 2 * time.Second        // between two configStamps where the system does not tell of changes
	watchFiles = 200                    // files that are looked at one by one; of more, all are
)

// Watch keeps the index up to date until ctx ends, see codegraph.Index.Watch.
func (ix *Index) Watch(ctx context.Context, changed func(*Changes)) error {
	w := &watcher{ix: ix, changed: changed, paths: map[string]bool{}, watched: map[string]bool{}}
	if !ix.scan.opt.ReadOnly {
		var err error
		if w.notify, err = fsnotify.NewWatcher(); err != nil {
			ix.scan.opt.Logger.Warn("codegraph: changes are not told by the system", "path", ix.root, "reason", err)
		} else {
			defer w.notify.Close()
		}
	}
	if _, err := w.folders(ctx); err != nil { // the first update lists them again
		return err
	}
	w.all = true // what changed before the folders were watched
	if w.marks = newMarks(ix, w.notify); w.marks != nil {
		defer close(w.marks.done)
		if ix.marks.CompareAndSwap(nil, w.marks) {
			defer ix.marks.Store(nil)
		}
	}
	return w.run(ctx)
}

type watcher struct {
	ix      *Index
	changed func(*Changes)
	notify  *fsnotify.Watcher // nil when the system tells nothing
	watched map[string]bool   // folders, relative to the root
	paths   map[string]bool   // files that changed
	all     bool              // anything may have changed
	marks   *marks            // nil where Refresh configStamps at everything
	mark    *mark             // the one that is waited for
	looked  time.Time         // when everything was last looked at
}

// maxWatchRounds bounds how often the folders are listed for one update while new ones keep coming.
const maxWatchRounds = 10

// folders watches the folders of the repository, and no others any more. A folder that came after its parent was listed and before that was watched
// is told by nobody, so they are listed again until none is new. It reports whether that came to an end.
func (w *watcher) folders(ctx context.Context) (settled bool, err error) {
	for range maxWatchRounds {
		added, err := w.addFolders(ctx)
		if err != nil || !added {
			return true, err
		}
	}
	return false, nil
}

// addFolders lists the folders once, and reports whether it watches one that it did not before.
func (w *watcher) addFolders(ctx context.Context) (added bool, err error) {
	if w.notify == nil {
		return false, nil
	}
	now := map[string]bool{}
	o := walk.Options{Ignore: w.ix.scan.opt.Ignore, Folder: func(p string) { now[p] = true }, Keep: func(string, fs.DirEntry) bool { return false }}
	if err := walk.Files(ctx, w.ix.scan.FS, o, func(string, fs.DirEntry) error { return nil }); err != nil {
		return false, fmt.Errorf("codegraph: watch: %w", err)
	}
	for p := range w.watched {
		if !now[p] {
			w.drop(p)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(now)) {
		if w.watched[p] {
			continue
		}
		if err := w.notify.Add(w.full(p)); err != nil {
			if _, err := w.ix.scan.Stat(p); err != nil {
				continue // gone again: its parent tells
			}
			w.ix.scan.opt.Logger.Warn("codegraph: changes are not told by the system", "path", p, "reason", err)
			err := w.notify.Close()
			w.notify, w.all = nil, true
			return false, err
		}
		w.watched[p], added = true, true
		w.all = true // it may have been filled before it was watched
	}
	return added, nil
}

func (w *watcher) full(p string) string { return filepath.Join(w.ix.root, filepath.FromSlash(p)) }

func (w *watcher) run(ctx context.Context) error {
	quiet, most := time.NewTimer(0), time.NewTimer(time.Hour)
	defer quiet.Stop()
	defer most.Stop()
	pending := true
	for {
		var events chan fsnotify.Event
		var faults chan error
		if w.notify != nil {
			events, faults = w.notify.Events, w.notify.Errors
		}
		var asks chan mark
		if w.marks != nil && w.notify != nil {
			asks = w.marks.asks
		}
		due := false
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-w.ix.ended:
			return w.ix.closedError()
		case k := <-asks:
			w.mark = &k
			continue
		case e := <-events:
			if mark, waited := w.mine(e); waited {
				pending = false
				if err := w.reached(ctx); err != nil {
					return err
				}
				if time.Since(w.looked) > markLook {
					w.all, pending = true, true
					quiet.Reset(watchQuiet)
				}
				continue
			} else if mark {
				continue
			}
			if !w.note(e) {
				continue
			}
			if !pending {
				most.Reset(watchMost)
			}
			pending = true
			quiet.Reset(watchQuiet)
		case err := <-faults:
			if err != nil { // mostly that there were too many events
				w.ix.scan.opt.Logger.Info("codegraph: all of the repository is looked at", "path", w.ix.root, "reason", err)
			}
			clear(w.watched) // it may have been the end of a folder that was not told: all are asked for again
			w.all, pending = true, true
			quiet.Reset(watchQuiet)
		case <-quiet.C:
			due = true
		case <-most.C:
			due = pending
		}
		if !due {
			continue
		}
		pending = false
		if err := w.update(ctx); err != nil {
			return err
		}
		switch {
		case w.notify == nil:
			w.all = true
			quiet.Reset(watchPoll)
		case w.all: // folders came faster than they could be watched
			pending = true
			quiet.Reset(watchQuiet)
		}
	}
}

// note remembers what an event says, and tells whether that may matter.
func (w *watcher) note(e fsnotify.Event) bool {
	rel, err := filepath.Rel(w.ix.root, e.Name)
	if err != nil || e.Op == fsnotify.Chmod {
		return false
	}
	p := filepath.ToSlash(rel)
	s := w.ix.scan
	switch {
	case w.watched[p]:
		if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
			w.leave(p)
		}
		w.all = true
	case path.Base(p) == ".gitignore" || s.IsConfig(path.Base(p)):
		w.all = true
	case w.reads(p):
		w.paths[p] = true
	case e.Has(fsnotify.Create):
		info, err := s.Stat(p)
		if err != nil || !info.IsDir() {
			return false
		}
		w.all = true
	default:
		return false
	}
	return true
}

// leave watches a folder that is gone from its place, and those below it, no more. Another folder may have come in its place
// already, and would be taken for one that is watched.
func (w *watcher) leave(p string) {
	for q := range w.watched {
		if q == p || strings.HasPrefix(q, p+"/") {
			w.drop(q)
		}
	}
}

func (w *watcher) drop(p string) {
	delete(w.watched, p)
	if err := w.notify.Remove(w.full(p)); err != nil && !errors.Is(err, fsnotify.ErrNonExistentWatch) {
		w.ix.scan.opt.Logger.Debug("codegraph: folder is watched no more", "path", p, "reason", err)
	}
}

func (w *watcher) reads(p string) bool {
	fe, _ := w.ix.scan.Frontend(p)
	return fe != nil
}

func (w *watcher) update(ctx context.Context) error {
	paths, all := slices.Sorted(maps.Keys(w.paths)), w.all || len(w.paths) > watchFiles
	clear(w.paths)
	w.all = false
	var ch *Changes
	var err error
	before := w.ix.Graph()
	if all {
		settled, err := w.folders(ctx)
		if err != nil {
			return err
		}
		w.all, w.looked = !settled, time.Now()
		if ch, err = w.ix.Update(ctx); err != nil {
			return err
		}
	} else if len(paths) > 0 {
		ch, err = w.ix.UpdateFiles(ctx, paths...)
	}
	if err != nil {
		return err
	}
	if ch != nil && w.ix.Graph() != before {
		w.changed(ch)
	}
	return nil
}
