package repository

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/source"
	"github.com/findspot/findspot/lspclient"
)

// A Repository is one repository of a workspace. It is safe for concurrent use.
type Repository struct {
	opt  Options
	Name string // as given
	Root string // absolute, links resolved
	Dir  string // where its index lies
	FS   *rootfs.Dir

	shown atomic.Pointer[string] // the name in answers, see SetLabel

	// mu guards what follows, and is held while a room opens.
	mu     sync.Mutex
	ix     *codegraph.Index
	reads  bool // ix is kept by another process
	lc     *lspclient.Client
	closed bool
	// buffers are unsaved texts of files, by path; see SetOverlay
	buffers map[string][]byte

	observed observed
}

// Options are what a workspace gives each of its repositories.
type Options struct {
	Workspace string // its folder, for errors
	Languages []lang.Frontend
	Graph     codegraph.Options
	Beside    bool          // read the index that another process keeps
	Policy    source.Policy // of what is shown
	// Room makes sure that a folder of the workspace's is ours before it is opened by its path, which is returned.
	Room    func(name string) (string, error)
	Prepare func() error // makes the folder above the index; a store sets it
	Servers func(root string, locate func(context.Context, string) ([]lspclient.Location, error)) (*lspclient.Options, error)
}

// New makes the repository at an absolute path without links, whose index lies in dir.
func New(root, dir, name string, o Options) *Repository {
	return &Repository{opt: o, Name: name, Root: root, Dir: dir, FS: rootfs.New(root)}
}

// Open opens the index when it is not open, which brings it up to date; the result says whether it did.
func (r *Repository) Open(ctx context.Context) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false, fmt.Errorf("workspace %s: %w", r.opt.Workspace, errs.Closed)
	}
	if r.ix != nil {
		return false, nil
	}
	if err := r.opt.Prepare(); err != nil {
		return false, err
	}
	opt := r.opt.Graph
	ix, err := codegraph.Open(ctx, r.Dir, r.Root, r.opt.Languages, &opt)
	var locked *errs.LockedError
	if errors.As(err, &locked) && r.opt.Beside {
		opt.ReadOnly = true
		beside, bad := codegraph.Open(ctx, r.Dir, r.Root, r.opt.Languages, &opt)
		if bad == nil {
			opt.Logger.Warn("findspot: another process keeps the index, which is read as that saved it", "path", r.Root, "pid", locked.PID)
			ix, err, r.reads = beside, nil, true
		} else if !errors.Is(bad, errs.NotFound) { // nothing is saved yet: the lock says more
			err = bad
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("repository %s is gone: delete %s to forget it: %w", r.Root, r.Dir, err)
	}
	if err != nil {
		return false, err
	}
	r.ix = ix
	return true, nil
}

// Index is the index once the repository was opened, and readOnly says that another process keeps it. It is nil before.
func (r *Repository) Index() *codegraph.Index {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ix
}

func (r *Repository) ReadOnly() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reads
}

// Servers returns the client for the repository's language servers; none is started by it.
func (r *Repository) Servers(ctx context.Context) (*lspclient.Client, error) {
	if lc, err := r.client(nil); lc != nil || err != nil {
		return lc, err
	}
	o, err := r.opt.Servers(r.Root, r.locate) // without r.mu: it looks at the other repositories
	if err != nil {
		return nil, err
	}
	return r.client(func() (*lspclient.Client, error) { return lspclient.Open(ctx, r.Root, o) })
}

// client returns the client, or what open makes when there is none yet.
func (r *Repository) client(open func() (*lspclient.Client, error)) (*lspclient.Client, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, fmt.Errorf("workspace %s: %w", r.opt.Workspace, errs.Closed)
	}
	if r.lc != nil || open == nil {
		return r.lc, nil
	}
	lc, err := open()
	r.lc = lc
	return lc, err
}

// locate gives a language server the graph's places of a name.
func (r *Repository) locate(ctx context.Context, name string) ([]lspclient.Location, error) {
	if _, err := r.Open(ctx); err != nil {
		return nil, err
	}
	var out []lspclient.Location
	for _, e := range r.Graph().Named(name) {
		if e.Line > 0 && (e.Kind == codegraph.KindClass || e.Kind == codegraph.KindFunction) {
			out = append(out, lspclient.Location(r.NamePlace(e)))
		}
	}
	return out, nil
}

// Locator brings the graph up to date, so that its lines are those that the server saw. Without a graph entities are files.
func (r *Repository) Locator(ctx context.Context) *Locator {
	j := NewLocator(r, nil)
	opened, err := r.Open(ctx)
	if err == nil && !opened {
		err = r.ix.Refresh(ctx)
	}
	if err != nil {
		j.Note = "functions around the places are not known: " + err.Error()
		return j
	}
	j.g = r.Graph()
	return j
}

func (r *Repository) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	var bad []error
	if r.lc != nil {
		bad = append(bad, r.lc.Close())
	}
	if r.ix != nil {
		bad = append(bad, r.ix.Close())
	}
	return errors.Join(bad...)
}
