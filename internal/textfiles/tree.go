package textfiles

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/internal/changes"
	"github.com/findspot/findspot/internal/lru"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/internal/walk"
)

// lookEvery is how often all is looked at, beside questions, for the changes that the system does not tell of: writes through mapped memory, and through another
// name of a file.
const lookEvery = 10 * time.Second

// Texts keeps the texts that trees read last.
type Texts = lru.Cache[*File, *Kept]

// A Tree is the files of a repository. It is safe for concurrent use.
type Tree struct {
	root     string
	all      bool
	readFile func(path string) ([]byte, error)
	texts    *Texts
	keeps    atomic.Bool

	lock chan struct{} // holds one while the files are looked at; guards what follows
	last *List
	at   map[string]int // where in last a file is
	seen *walk.Tree
	look look
}

// look is what a tree that keeps its files knows of changes.
type look struct {
	queue  *changes.Queue // nil: the times of files tell
	whole  bool           // there may be other files
	lost   bool           // and any of them may have changed
	at     time.Time      // when all was looked at last
	life   context.Context
	end    context.CancelFunc
	beside sync.WaitGroup // a look beside the questions
	busy   bool           // there is one
}

// A List is the files at one moment.
type List struct {
	Files []*File // folder by folder, in the order of names
	Skips []Skip
}

// File gives the file at a path; nil when there is none.
func (l *List) File(p string) *File {
	i, ok := slices.BinarySearchFunc(l.Files, p, func(f *File, p string) int { return inOrder(f.Path, p) })
	if !ok {
		return nil
	}
	return l.Files[i]
}

// A Skip is a file or folder that was left out: by a rule, or because it could not be read.
type Skip struct {
	Path, Reason string
	Rule         bool
}

// New returns the tree of the files below root, without those that .gitignore leaves out unless all is set; folders of tools are left out always. read reads a
// text, which texts keeps; several trees may share it.
func New(root string, all bool, texts *Texts, read func(path string) ([]byte, error)) *Tree {
	return &Tree{root: root, all: all, texts: texts, readFile: read, lock: make(chan struct{}, 1)}
}

// Keep makes the tree remember its files until Forget is called, which must follow.
func (t *Tree) Keep() {
	t.lock <- struct{}{}
	defer func() { <-t.lock }()
	q, err := changes.Open(t.root)
	if err != nil { // as on other systems than Linux: the times of files tell
		q = nil
	}
	t.look = look{queue: q, whole: true}
	t.look.life, t.look.end = context.WithCancel(context.Background())
	t.keeps.Store(true)
}

// Forget ends what Keep began.
func (t *Tree) Forget() {
	t.keeps.Store(false)
	t.look.end()
	t.look.beside.Wait()
	t.lock <- struct{}{}
	defer func() { <-t.lock }()
	t.stop()
	t.last, t.at = nil, nil
}

// stop lets the queue go.
func (t *Tree) stop() {
	if t.look.queue != nil {
		t.look.queue.Close() // nothing was written to it
		t.look.queue = nil
	}
}

// List gives the files as they are when it is called, or newer. The error is ctx's, or that of an unreadable root.
func (t *Tree) List(ctx context.Context) (*List, error) {
	select {
	case t.lock <- struct{}{}:
		defer func() { <-t.lock }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if !t.current() {
		if err := t.scan(ctx); err != nil {
			return nil, err
		}
	}
	t.lookBeside()
	return t.last, nil
}

// current brings the last list up to date by what the queue tells. It reports false when all must be looked at. The caller holds the lock.
func (t *Tree) current() bool {
	if !t.keeps.Load() || t.look.queue == nil || t.last == nil {
		return false
	}
	changed := map[int]bool{}
	err := t.look.queue.Read(func(e changes.Event) {
		if e.Everything() {
			t.look.whole, t.look.lost = true, true
		}
		for _, p := range e.Paths {
			rel, err := filepath.Rel(t.root, p)
			i, known := t.at[filepath.ToSlash(rel)]
			if known {
				changed[i] = true
			}
			if err != nil || e.Folder || e.Came || known && e.Went || filepath.Base(p) == ".gitignore" {
				t.look.whole = true
			}
		}
	})
	if err != nil {
		t.stop()
		return false
	}
	if len(changed) > 0 {
		next := *t.last
		next.Files = slices.Clone(next.Files)
		for i := range changed {
			old := next.Files[i]
			next.Files[i] = &File{Path: old.Path, Hides: old.Hides, tree: t}
		}
		t.last = &next
	}
	return !t.look.whole
}

// scan lists the files. The caller holds the lock.
func (t *Tree) scan(ctx context.Context) error {
	keeps := t.keeps.Load()
	began := time.Now()
	next := &List{}
	o := walk.ScanOptions{
		All: t.all, Kind: func(string) walk.Kind { return 1 }, Began: began,
		Skip: func(p, reason string, rule bool) { next.Skips = append(next.Skips, Skip{p, reason, rule}) },
	}
	var mu sync.Mutex
	var pass *changes.Pass
	var unwatched error
	if keeps && t.look.queue != nil {
		pass = t.look.queue.Pass()
		o.Folder = func(p string) {
			if err := pass.Watch(filepath.Join(t.root, filepath.FromSlash(p))); err != nil {
				mu.Lock()
				defer mu.Unlock()
				unwatched = err
			}
		}
	}
	found, seen, err := walk.Scan(ctx, t.root, t.seen, o)
	if err != nil {
		return err
	}
	slices.SortFunc(found, func(a, b walk.Found) int { return inOrder(a.Path, b.Path) })
	slices.SortFunc(next.Skips, func(a, b Skip) int { return inOrder(a.Path, b.Path) })
	told := pass != nil && !t.look.lost // every change of a file since it was found
	next.Files = make([]*File, len(found))
	at := make(map[string]int, len(found))
	for i, f := range found {
		at[f.Path] = i
		if j, ok := t.at[f.Path]; ok {
			if old := t.last.Files[j]; old.stamp == f.Stamp && (told || old.stamp.Settled(old.found)) {
				next.Files[i] = old
				continue
			}
		}
		_, hides := secrets.Name(f.Path)
		next.Files[i] = &File{Path: f.Path, Hides: hides, tree: t, stamp: f.Stamp, found: began}
	}
	t.seen = seen
	t.last, t.at = next, at
	if !keeps {
		return nil
	}
	t.look.at = began
	t.look.lost = t.look.lost && pass == nil
	if pass != nil && (unwatched != nil || !pass.Done()) {
		t.stop()
	}
	t.look.whole = t.look.queue == nil
	return nil
}

// lookBeside looks at all without keeping a question waiting, when the last look was long ago. The caller holds the lock.
func (t *Tree) lookBeside() {
	l := &t.look
	if !t.keeps.Load() || l.queue == nil || l.busy || time.Since(l.at) < lookEvery {
		return
	}
	l.busy = true
	l.beside.Go(func() {
		t.lock <- struct{}{} // who holds it ends with the context of a question
		defer func() { <-t.lock }()
		l.busy = false
		if l.life.Err() != nil {
			return
		}
		if !t.current() || t.scan(l.life) != nil {
			l.whole = true // the next question finds out
		}
	})
}

// inOrder compares paths as they are visited: what is in a folder stands where the folder does.
func inOrder(a, b string) int {
	for i := range min(len(a), len(b)) {
		if x, y := a[i], b[i]; x != y {
			if x == '/' {
				x = 0
			}
			if y == '/' {
				y = 0
			}
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(len(a), len(b))
}
