package walk

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/internal/rootfs"
)

// A Kind says why a file is wanted: bits that the caller defines, but for [Forced]. 0 is not wanted.
type Kind uint8

// Forced is the bit of files that .gitignore cannot leave out, though it can their folder.
const Forced Kind = 1 << 7

// A Stamp tells one state of a file or folder from another. Times are in nanoseconds.
type Stamp struct {
	Size         int64
	Mtime, Ctime int64  // Ctime is 0 where the system gives none
	Ino          uint64 // of folders alone
}

// Settled tells whether a thing with this stamp that was looked at no earlier than began cannot have changed since without the stamp
// saying so: what is written twice within the resolution of a clock may keep its times.
func (s Stamp) Settled(began time.Time) bool {
	return s.Mtime != 0 && began.UnixNano()-max(s.Mtime, s.Ctime) > int64(2*time.Second)
}

// A Folder is what a look found in a folder of the repository. It is immutable.
type Folder struct {
	Name  string
	Stamp Stamp // zero when it does not tell whether the folder changed
	Rules uint64

	// Ignore is the stamp of its .gitignore, zero for none, and IgnoreSum a digest of the text.
	Ignore    Stamp
	IgnoreSum uint64

	Venv  bool        // a virtual environment, which is left out
	Files []NamedFile // those wanted, by name
	Odd   []string    // wanted by name, but links and the like
	Dirs  []*Folder   // by name
}

// Dir gives the folder of this name in it, nil when there is none, also for a nil folder.
func (f *Folder) Dir(name string) *Folder {
	if f == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(f.Dirs, name, func(f *Folder, name string) int { return strings.Compare(f.Name, name) })
	if !ok {
		return nil
	}
	return f.Dirs[i]
}

// A NamedFile is a file of a [Folder].
type NamedFile struct {
	Name string
	Kind Kind
}

// A Tree is what a look at a repository found, for the next look to start from.
type Tree struct {
	Began  time.Time // when the look began
	Recipe uint64    // of the options, see [ScanOptions]
	Root   *Folder
	Folders, Listed,
	Settled int // folders of the repository; those that were listed; those of them that need not be the next time
}

// ScanOptions says what [Scan] is to find.
type ScanOptions struct {
	Ignore  []string                             // as in [Options]
	All     bool                                 // as in [Options]
	Folder  func(path string)                    // told of each folder before it is looked at, "." for the root, by several goroutines; nil means nobody
	Recipe  uint64                               // another number whenever Kind would give other answers
	Kind    func(name string) Kind               // why a file is wanted, by its base name. It is called by several goroutines
	Skip    func(path, reason string, rule bool) // as in [Options]
	Began   time.Time                            // when the look begins
	Workers int                                  // folders looked at a time; 0 means the number of processors
}

// A Found is a wanted file.
type Found struct {
	Path  string
	Kind  Kind
	Stamp Stamp
}

// Scan lists the regular files of the repository in the folder root as [Files] does, in no order, with a stamp of each. What the look
// before found in a folder is believed as long as the folder's stamp is the same, where the file system keeps times that can be
// relied on; prev may be nil. The error is ctx's, or that of an unreadable root.
func Scan(ctx context.Context, root string, prev *Tree, o ScanOptions) ([]Found, *Tree, error) {
	l := &scanner{root: root, o: o}
	t := &Tree{Began: o.Began, Recipe: o.Recipe}
	if prev != nil && prev.Recipe == o.Recipe && prev.Root != nil {
		l.before, l.known = prev.Began, true
	}
	l.device, l.trust = reliable(root)
	first := &task{path: ".", rules: given(o.Ignore)}
	if l.known {
		first.prev = prev.Root
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	w := make([]worker, workers)
	var all []*task
	for level := []*task{first}; len(level) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		l.level(ctx, level, w)
		all = append(all, level...)
		var next []*task
		for _, k := range level {
			next = append(next, k.below...)
			k.rules = nil // what only it and its files needed can go
		}
		level = next
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if first.err != nil {
		return nil, nil, first.err
	}
	for i := len(all) - 1; i >= 0; i-- {
		all[i].finish()
		if all[i].listed {
			t.Listed++
			if all[i].now.Stamp != (Stamp{}) && all[i].now.Stamp.Settled(t.Began) {
				t.Settled++
			}
		}
	}
	t.Root, t.Folders = first.now, len(all)
	var found []Found
	for i := range w {
		found = append(found, w[i].found...)
		if o.Skip != nil {
			for _, s := range w[i].skips {
				o.Skip(s.path, s.reason, s.rule)
			}
		}
	}
	return found, t, nil
}

type scanner struct {
	root   string
	o      ScanOptions
	before time.Time // when the look before began
	known  bool      // there was one, under the same options
	trust  bool      // stamps of folders can be relied on
	device uint64
}

// A task is one folder.
type task struct {
	path   string
	name   string
	prev   *Folder // as the look before found it; nil when it is new
	rules  *rules  // of the folders above
	now    *Folder // what was found; its Dirs are filled in at last
	same   bool    // now is prev, but for its Dirs
	listed bool
	below  []*task
	err    error // of the root
}

// A worker gathers what it finds.
type worker struct {
	found []Found
	skips []skipped
}

type skipped struct {
	path, reason string
	rule         bool
}

// level looks at folders of one depth.
func (l *scanner) level(ctx context.Context, tasks []*task, w []worker) {
	const share = 16 // folders that a worker takes at a time
	n := min(len(w), (len(tasks)+share-1)/share)
	var next atomic.Int64
	work := func(w *worker) {
		for {
			to := int(next.Add(share))
			if to-share >= len(tasks) || ctx.Err() != nil {
				return
			}
			for _, t := range tasks[to-share : min(to, len(tasks))] {
				l.folder(t, w)
			}
		}
	}
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Go(func() { work(&w[i]) })
	}
	work(&w[0])
	wg.Wait()
}

func (l *scanner) full(p string) string {
	if p == "." {
		return l.root
	}
	return l.root + string(filepath.Separator) + filepath.FromSlash(p)
}

// join joins a folder and a name in it.
func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// folder looks at one folder.
func (l *scanner) folder(t *task, w *worker) {
	if l.o.Folder != nil {
		l.o.Folder(t.path)
	}
	full := l.full(t.path)
	var at Stamp
	if l.trust {
		st, ok := folderStamp(full, l.device, t.path == ".")
		if ok {
			at = st
		}
	}
	p := t.prev
	stays := p != nil && at != Stamp{} && at == p.Stamp && at.Settled(l.before)
	if stays && p.Ignore == (Stamp{}) && p.Rules == t.rules.fingerprint() {
		t.now, t.same = p, true
	} else if stays && p.Ignore != (Stamp{}) {
		if r := l.ignore(t, p); r.fingerprint() == p.Rules {
			t.now, t.same, t.rules = p, true, r
		}
	}
	if !t.same {
		if !l.list(t, full, at, w) {
			t.now = &Folder{Name: t.name}
			return
		}
	}
	l.visit(t, full, w)
}

// ignore gives the rules with those of the .gitignore that the folder had before and still has.
func (l *scanner) ignore(t *task, p *Folder) *rules {
	rel := join(t.path, ".gitignore")
	load := func() ([]byte, error) { return small(rootfs.New(l.root), rel) }
	if st, regular, err := fileStamp(l.full(rel)); err == nil && regular && st == p.Ignore && st.Settled(l.before) {
		return t.rules.below(t.path, p.IgnoreSum, load)
	}
	text, err := load()
	if err != nil {
		return t.rules
	}
	return t.rules.with(t.path, text)
}

// list reads a folder; ok is false when nothing is to be had of it.
func (l *scanner) list(t *task, full string, at Stamp, w *worker) (ok bool) {
	t.listed = true
	entries, err := os.ReadDir(full)
	if err != nil {
		if t.path == "." && len(entries) == 0 {
			t.err = err
			return false
		}
		w.skips = append(w.skips, skipped{t.path, Reason(err), false})
		at = Stamp{}
	}
	f := &Folder{Name: t.name, Stamp: at, Venv: t.path != "." && has(entries, "pyvenv.cfg")}
	t.now = f
	if f.Venv {
		f.Rules = t.rules.fingerprint()
		return true
	}
	if i, ok := slices.BinarySearchFunc(entries, ".gitignore", func(d fs.DirEntry, name string) int { return strings.Compare(d.Name(), name) }); ok && !l.o.All {
		rel := join(t.path, ".gitignore")
		st, regular, err := fileStamp(l.full(rel)) // before it is read
		sound := err == nil && regular && entries[i].Type().IsRegular()
		if p := t.prev; sound && p != nil && st == p.Ignore && st != (Stamp{}) && st.Settled(l.before) && l.known {
			t.rules = t.rules.below(t.path, p.IgnoreSum, func() ([]byte, error) { return small(rootfs.New(l.root), rel) })
			f.Ignore, f.IgnoreSum = st, p.IgnoreSum
		} else if text, err := small(rootfs.New(l.root), rel); err == nil {
			t.rules = t.rules.with(t.path, text)
			f.Ignore, f.IgnoreSum = st, digest(text)
		} else {
			sound = false
		}
		if !sound || f.Ignore == (Stamp{}) {
			f.Stamp = Stamp{}
		}
	}
	f.Rules = t.rules.fingerprint()
	asked := false
	for _, d := range entries {
		name := d.Name()
		if d.IsDir() {
			if skipDirs[name] {
				continue
			}
			asked = true
			if !t.rules.match(join(t.path, name), true) {
				f.Dirs = append(f.Dirs, &Folder{Name: name})
			}
			continue
		}
		k := l.o.Kind(name)
		if k == 0 {
			continue
		}
		if k&Forced == 0 {
			asked = true
			if t.rules.match(join(t.path, name), false) {
				continue
			}
		}
		if !d.Type().IsRegular() {
			f.Odd = append(f.Odd, name)
			continue
		}
		f.Files = append(f.Files, NamedFile{name, k})
	}
	if asked && !t.rules.sound() {
		f.Stamp = Stamp{}
	}
	return true
}

// visit looks at the files of a folder, whose full path is dir, and makes the tasks for those below.
func (l *scanner) visit(t *task, dir string, w *worker) {
	f := t.now
	if f.Venv {
		w.skips = append(w.skips, skipped{t.path, "a virtual environment", true})
		return
	}
	for _, name := range f.Odd {
		w.skips = append(w.skips, skipped{join(t.path, name), "not a regular file", true})
	}
	for _, n := range f.Files {
		full := dir + string(filepath.Separator) + n.Name
		p := full[len(l.root)+1:]
		if filepath.Separator != '/' {
			p = join(t.path, n.Name)
		}
		st, regular, err := fileStamp(full)
		switch {
		case err != nil:
			w.skips = append(w.skips, skipped{p, Reason(err), false})
		case !regular:
			w.skips = append(w.skips, skipped{p, "not a regular file", true})
		default:
			w.found = append(w.found, Found{p, n.Kind, st})
		}
	}
	if len(f.Dirs) == 0 {
		return
	}
	t.below = make([]*task, len(f.Dirs))
	tasks := make([]task, len(f.Dirs))
	for i, d := range f.Dirs {
		k := &tasks[i]
		k.path, k.name, k.rules = join(t.path, d.Name), d.Name, t.rules
		if t.same {
			k.prev = d
		} else {
			k.prev = t.prev.Dir(d.Name)
		}
		t.below[i] = k
	}
}

// finish puts what was found below into the folder, or keeps the one of before when all is the same.
func (t *task) finish() {
	f := t.now
	if t.same {
		if !slices.ContainsFunc(t.below, func(k *task) bool { return k.now != k.prev }) {
			return
		}
		c := *f
		f = &c
	}
	f.Dirs = make([]*Folder, len(t.below))
	for i, k := range t.below {
		f.Dirs[i] = k.now
	}
	t.now = f
}

// StampOf gives the stamp of a file as [Scan] does.
func StampOf(info fs.FileInfo) Stamp {
	return Stamp{Size: info.Size(), Mtime: info.ModTime().UnixNano(), Ctime: changeTime(info)}
}

// Local tells whether the system is known to tell all changes of files below root: a disk of this machine, on Linux.
func Local(root string) bool {
	_, ok := reliable(root)
	return ok
}
