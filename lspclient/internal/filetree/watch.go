package filetree

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/changes"
)

const (
	// lookEvery: while questions are asked every file is looked at so often, beside them, for the changes that the system
	// tells nothing of: writes through mapped memory, and through a name outside the root. Looking takes no more than a
	// hundredth of the time.
	lookEvery = 10 * time.Second
	// maxLinks bounds the symbolic links, and the files with several names, that each question looks at; with more of
	// one kind it looks at everything.
	maxLinks = 64
	// maxDirty bounds the files that are looked at one by one.
	maxDirty = 2000
)

// watch knows whether the last snapshot still holds, without a look at every file: the system queues changes before the
// call that makes them returns, so a question reads the queue and knows all that happened before it. Where there is no
// such queue (other systems than Linux, network file systems, more folders than may be watched) every question looks at
// every file. The lock of the scan is held for it.
type watch struct {
	queue   *changes.Queue // nil: none
	off     bool           // there will be none
	whole   bool           // everything must be looked at before the snapshot holds again
	root    os.FileInfo    // the root at the last look
	links   []symlink
	shared  map[string]bool // files with several names: what happens through another one is not told
	leftOut map[string]bool // folders that were read and left out
	looked  time.Time       // when everything was last looked at
	took    time.Duration   // how long that took
	looking bool            // a look beside the questions is under way
}

// symlink is where a symbolic link led when it was looked at.
type symlink struct {
	path, real string // real is empty when it led nowhere
	is         stamp
	young      bool
}

func lookAtLink(path string) symlink {
	l := symlink{path: path}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return l
	}
	info, err := os.Stat(real)
	if err != nil {
		return l
	}
	l.real = real
	if !info.IsDir() { // what changes in a folder is told
		l.is, l.young = stampOf(info), time.Since(changedAt(info)) < racyCoarse
	}
	return l
}

// watchPass is a look at everything during which folders are watched. A nil one does nothing.
type watchPass struct {
	pass *changes.Pass
	err  error
}

func (p *watchPass) watch(dir string) {
	if p != nil && p.err == nil {
		p.err = p.pass.Watch(dir)
	}
}

// current brings the last snapshot up to date by what the queue tells. It reports false when everything must be looked at.
func (w *watch) current(t *Tree) bool {
	if w.queue == nil {
		return false
	}
	dirty := map[string]bool{}
	err := w.queue.Read(func(e changes.Event) {
		if w.whole || e.Everything() {
			w.whole = true
			return
		}
		w.note(t, e, dirty)
	})
	if err != nil {
		w.stop(t, err)
		return false
	}
	if root, err := os.Stat(t.root); err != nil || w.root == nil || !os.SameFile(root, w.root) {
		w.whole = true
	}
	for _, l := range w.links {
		if w.whole || l.young || lookAtLink(l.path) != l {
			w.whole = true
			break
		}
	}
	// With links a file may be there under names that the queue does not tell.
	w.whole = w.whole || len(dirty) > maxDirty || len(dirty) > 0 && (len(w.links) > 0 || t.lastScan.Cut)
	for path := range w.shared {
		dirty[path] = true
	}
	if w.whole || !w.update(t, dirty) {
		w.whole = true // until a look has succeeded: the queue has been emptied
		return false
	}
	w.lookBeside(t)
	return true
}

// note sorts one change out: it concerns a file that is watched, or the folders, or nobody.
func (w *watch) note(t *Tree, e changes.Event, dirty map[string]bool) {
	for _, path := range e.Paths {
		name := filepath.Base(path)
		switch {
		case name == "pyvenv.cfg": // makes its folder one that is left out
			w.whole = true
		case w.leftOut[filepath.Dir(path)]:
			w.whole = w.whole || e.Came && ties(path)
		case e.Folder:
			if path == t.root || !strings.HasPrefix(name, ".") && name != "node_modules" && name != "__pycache__" {
				w.whole = true
			}
		case utf8.ValidString(name) && t.watched(name):
			dirty[path] = true
		case e.Came && ties(path):
			w.whole = true
		}
	}
}

// ties reports whether what came under a name is a link, which may lead to a folder whatever it is called, or another
// name of a file that has one already.
func ties(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && (info.Mode()&os.ModeSymlink != 0 || manyNames(info))
}

// update makes the snapshot that differs in the given files. It reports false when it cannot.
func (w *watch) update(t *Tree, dirty map[string]bool) bool {
	if len(dirty) == 0 {
		return true
	}
	now := time.Now()
	var next *Snapshot // made with the first difference
	differ := func() map[string]stamp {
		if next == nil {
			next = &Snapshot{Files: maps.Clone(t.lastScan.Files), Linked: t.lastScan.Linked}
		}
		return next.Files
	}
	for path := range dirty {
		was, had := t.lastScan.Files[path]
		info, err := os.Lstat(path)
		if err != nil {
			if had {
				delete(differ(), path)
			}
			delete(t.young, path)
			continue
		}
		if !info.Mode().IsRegular() {
			return false
		}
		if manyNames(info) && !w.shared[path] {
			return false // the others are to be found
		}
		st, young := restamp(path, was, t.young[path], info, now)
		delete(t.young, path)
		if young {
			t.young[path] = true
		}
		if !had || st != was {
			differ()[path] = st
		}
	}
	if next == nil {
		return true
	}
	if len(next.Files) > MaxWatched {
		return false
	}
	t.lastScan = next
	return true
}

// begin opens the queue before the first look; nil when there is none.
func (w *watch) begin(t *Tree) *watchPass {
	if w.off {
		return nil
	}
	if w.queue == nil {
		q, err := changes.Open(t.root)
		if err != nil {
			w.stop(t, err)
			return nil
		}
		w.queue = q
	}
	w.root, _ = os.Stat(t.root) // a root that is gone is no root that holds
	w.whole = true
	return &watchPass{pass: w.queue.Pass()}
}

// done notes that a look has succeeded.
func (w *watch) done(t *Tree, l *look, p *watchPass) {
	if p == nil || w.queue == nil {
		return
	}
	if p.err != nil {
		w.stop(t, p.err)
		return
	}
	w.looked = time.Now()
	w.take(l)
	w.whole = w.whole || !p.pass.Done()
}

// take remembers what a look has met.
func (w *watch) take(l *look) {
	w.took, w.links, w.leftOut, w.shared = l.took, l.links, l.leftOut, map[string]bool{}
	for _, path := range l.shared {
		w.shared[path] = true
	}
	w.whole = len(l.links) > maxLinks || len(l.shared) > maxLinks
}

// stop gives the queue up for good.
func (w *watch) stop(t *Tree, why error) {
	t.logger.Info("lspclient: every question looks at every file", "path", t.root, "reason", why.Error())
	w.off = true
	if w.queue != nil {
		w.queue.Close()
		w.queue = nil
	}
}

// lookBeside looks at everything without keeping the question waiting, when the last look was long ago. What it finds
// counts only if nothing has happened meanwhile that the queue tells of.
func (w *watch) lookBeside(t *Tree) {
	if w.looking || time.Since(w.looked) < max(lookEvery, 100*w.took) {
		return
	}
	before, young, pass := t.lastScan, maps.Clone(t.young), &watchPass{pass: w.queue.Pass()}
	w.looking = t.background(func() { // it waits for the lock of the scan, which is held here
		l, err := t.look(t.life, before, young, pass)
		t.scanning <- struct{}{} // those who hold it end with their contexts
		defer t.scanning.Unlock()
		w.looking, w.looked = false, time.Now()
		if err != nil || w.queue == nil || pass.err != nil {
			w.whole = true // the next question finds out
			return
		}
		if !w.current(t) || t.lastScan != before || !pass.pass.Done() {
			w.whole = w.whole || l.changed
			return
		}
		w.take(l)
		t.adopt(l)
	})
}

// close lets the queue go.
func (w *watch) close(t *Tree) {
	t.scanning <- struct{}{}
	defer t.scanning.Unlock()
	w.off = true
	if w.queue != nil {
		w.queue.Close()
		w.queue = nil
	}
}
