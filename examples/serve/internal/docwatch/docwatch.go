package docwatch

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options of [Watch]. The zero value of each field is its default.
type Options struct {
	Quiet   time.Duration // how long nothing must happen before an update; 0 means 300 ms
	Most    time.Duration // how long an update waits at most while things go on happening; 0 means 5 s
	Poll    time.Duration // between two updates where the system tells nothing; 0 means 30 s
	Folders int           // folders that are watched at most; where there are more, none is; 0 means 4,096
	Logger  *slog.Logger  // nil discards
	// Changed is called, before the update, when something may have changed; nil: nobody is told.
	Changed func()
	// Told is called when it is known whether the system tells of changes, and again when that changes; nil: nobody is told.
	Told func(bool)
}

func (o *Options) withDefaults() Options {
	v := Options{}
	if o != nil {
		v = *o
	}
	for _, d := range []struct {
		t    *time.Duration
		zero time.Duration
	}{{&v.Quiet, 300 * time.Millisecond}, {&v.Most, 5 * time.Second}, {&v.Poll, 30 * time.Second}} {
		if *d.t <= 0 {
			*d.t = d.zero
		}
	}
	if v.Folders <= 0 {
		v.Folders = 4096
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	if v.Changed == nil {
		v.Changed = func() {}
	}
	if v.Told == nil {
		v.Told = func(bool) {}
	}
	return v
}

// errMany says that there are more folders than may be watched.
var errMany = errors.New("too many folders")

// Watch calls update, from one goroutine, once at the beginning and then whenever something below root, a folder or a single file, may have changed, until ctx
// ends, whose error it returns. What changes while update runs is for the next. An error of update is logged, and the update is tried again after the time of Poll.
func Watch(ctx context.Context, root string, o *Options, update func(context.Context) error) error {
	abs, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	if to, err := filepath.EvalSymlinks(abs); err == nil { // what is not there may come
		abs = to
	}
	w := &watcher{opt: o.withDefaults(), root: abs, watched: map[string]bool{}}
	defer w.quit()
	w.begin()
	return w.run(ctx, update)
}

type watcher struct {
	opt     Options
	root    string
	notify  *fsnotify.Watcher // nil when the system tells nothing
	watched map[string]bool   // folders
	single  bool              // root is a file, and its folder is watched
	tried   time.Time         // when the system was last asked to tell
}

// again is how long the system is not asked again after it could not tell.
const again = 10 * time.Minute

// begin asks the system to tell of changes.
func (w *watcher) begin() {
	w.tried = time.Now()
	notify, err := fsnotify.NewWatcher()
	if err == nil {
		w.notify, w.watched, w.single = notify, map[string]bool{}, false
		if info, serr := os.Lstat(w.root); serr == nil && !info.IsDir() {
			w.single = true
			err = w.notify.Add(filepath.Dir(w.root))
		} else {
			err = w.add(w.root)
		}
	}
	if err != nil {
		w.opt.Logger.Warn("changes of documents are not told by the system: they are looked for from time to time", "path", w.root, "reason", err, "every", w.opt.Poll)
		w.quit()
	}
	w.opt.Told(err == nil)
}

func (w *watcher) quit() {
	if w.notify != nil {
		_ = w.notify.Close() // nothing of it is needed any more
		w.notify = nil
	}
}

// add watches a folder and those below it.
func (w *watcher) add(dir string) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && p == w.root:
			return err
		case err != nil: // gone, or not for us: its parent tells
			return nil
		case !d.IsDir():
			return nil
		case p != w.root && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case w.watched[p]:
			return nil
		case len(w.watched) >= w.opt.Folders:
			return errMany
		}
		if err := w.notify.Add(p); err != nil {
			if _, serr := os.Lstat(p); errors.Is(serr, fs.ErrNotExist) && p != w.root {
				return fs.SkipDir
			}
			return err
		}
		w.watched[p] = true
		return nil
	})
}

// event takes in what the system told. It reports whether documents may have changed.
func (w *watcher) event(e fsnotify.Event) bool {
	if w.single {
		return e.Name == w.root
	}
	if e.Op == fsnotify.Chmod {
		return false
	}
	if rel, err := filepath.Rel(w.root, e.Name); err != nil || rel != "." && strings.HasPrefix(filepath.Base(rel), ".") {
		return false
	}
	if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		for p := range w.watched {
			if p == e.Name || strings.HasPrefix(p, e.Name+string(filepath.Separator)) {
				_ = w.notify.Remove(p) // it is gone, or moved to where nobody looks
				delete(w.watched, p)
			}
		}
		if e.Name == w.root {
			w.lost(errors.New("the folder is gone"))
		}
	}
	if e.Has(fsnotify.Create) {
		if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
			if err := w.add(e.Name); err != nil {
				w.lost(err)
			}
		}
	}
	return true
}

// lost goes over to looking from time to time.
func (w *watcher) lost(err error) {
	w.opt.Logger.Warn("changes of documents are not told by the system any more: they are looked for from time to time", "path", w.root, "reason", err, "every", w.opt.Poll)
	w.quit()
	w.tried = time.Now()
	w.opt.Told(false)
}

func (w *watcher) run(ctx context.Context, update func(context.Context) error) error {
	next := time.NewTimer(0)
	defer next.Stop()
	var first time.Time // of the changes that are not taken in; zero: there are none
	dirty := func() {
		if first.IsZero() {
			first = time.Now()
			w.opt.Changed()
		}
		next.Reset(max(0, min(w.opt.Quiet, time.Until(first.Add(w.opt.Most)))))
	}
	for {
		var events chan fsnotify.Event
		var errs chan error
		if w.notify != nil {
			events, errs = w.notify.Events, w.notify.Errors
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e, ok := <-events:
			if !ok {
				w.lost(errors.New("the system ended it"))
			}
			if !ok || w.event(e) {
				dirty()
			}
		case err := <-errs: // too much at once: some changes were not told, new folders among them
			if w.opt.Logger.Debug("changes of documents were not all told", "path", w.root, "reason", err); w.notify != nil && !w.single {
				if err := w.add(w.root); err != nil {
					w.lost(err)
				}
			}
			dirty()
		case <-next.C:
			first = time.Time{}
			if w.notify == nil && time.Since(w.tried) >= min(again, w.opt.Poll*20) {
				w.begin()
			}
			err := update(ctx)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				w.opt.Logger.Warn("documents could not be brought up to date: it is tried again", "path", w.root, "reason", err, "after", w.opt.Poll)
			}
			if err != nil || w.notify == nil {
				next.Reset(w.opt.Poll)
			}
		}
	}
}
