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
	"github.com/findspot/findspot/internal/lru"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/source"
	"github.com/findspot/findspot/internal/textfiles"
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
	*opened
	observed observed

	texts   sync.Mutex        // guards what follows
	own     *clients          // language servers of a view's own; nil: those of opened
	buffers map[string][]byte // unsaved texts of files, by path; see SetOverlay
}

// Options are what a workspace gives each of its repositories.
type Options struct {
	Workspace string // its folder, for errors
	Languages []lang.Frontend
	Graph     codegraph.Options
	Beside    bool             // read the index that another process keeps
	Policy    source.Policy    // of what is shown
	Texts     *textfiles.Texts // keeps texts of files of repositories that are watched; a store sets it
	// Room makes sure that a folder of the workspace's is ours before it is opened by its path, which is returned.
	Room    func(name string) (string, error)
	Prepare func() error // makes the folder above the index; a store sets it
	Servers func(root string, locate func(context.Context, string) ([]lspclient.Location, error)) (*lspclient.Options, error)
	// OwnServers makes a view ask language servers of its own, since it describes them otherwise than the workspace does.
	OwnServers bool
}

// New makes the repository at an absolute path without links, whose index lies in dir.
func New(root, dir, name string, o Options) *Repository {
	if o.Texts == nil {
		o.Texts = lru.New[*textfiles.File, *textfiles.Kept](maxTexts)
	}
	r := &Repository{opt: o, Name: name, Root: root, Dir: dir, FS: rootfs.New(root)}
	r.opened = newOpened(r)
	return r
}

// view makes the repository for a view of the workspace: with what is open of it, and options of its own.
func (r *Repository) view(o Options) *Repository {
	v := &Repository{opt: o, Root: r.Root, Dir: r.Dir, FS: r.FS, opened: r.opened}
	if o.OwnServers {
		v.own = &clients{of: v}
	}
	return v
}

// Index is the index once the repository was opened, for a view with the embedder of its own; nil before.
func (r *Repository) Index() *codegraph.Index {
	ix := r.opened.Index()
	if ix == nil || r == r.base {
		return ix
	}
	return ix.With(r.opt.Graph.Embedder)
}

func (r *Repository) errClosed() error {
	return fmt.Errorf("workspace %s: %w", r.opt.Workspace, errs.Closed)
}

// Open opens the index when it is not open, which brings it up to date; the result says whether it did. One that is read beside another process is
// not open for who is to keep it.
func (r *Repository) Open(ctx context.Context) (bool, error) {
	defer r.listen(r)()
	select {
	case r.opening <- struct{}{}:
		defer func() { <-r.opening }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	have, reads, closed := r.state()
	if closed {
		return false, r.errClosed()
	}
	if have != nil && (!reads || r.opt.Beside) {
		return false, nil
	}
	if err := r.opt.Prepare(); err != nil {
		return false, err
	}
	opt := r.base.opt.Graph
	opt.Progress = r.tell
	ix, err := codegraph.Open(ctx, r.Dir, r.Root, r.base.opt.Languages, &opt)
	reads = false
	var locked *errs.LockedError
	if errors.As(err, &locked) && r.opt.Beside {
		opt.ReadOnly = true
		beside, bad := codegraph.Open(ctx, r.Dir, r.Root, r.base.opt.Languages, &opt)
		if bad == nil {
			opt.Logger.Warn("findspot: another process keeps the index, which is read as that saved it", "path", r.Root, "pid", locked.PID)
			ix, err, reads = beside, nil, true
		} else if !errors.Is(bad, errs.NotFound) { // nothing is saved yet: the lock says more
			err = bad
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("repository %s is gone: delete %s to forget it: %w", r.Root, r.Dir, err)
	}
	if err == nil {
		err = r.keep(ix, reads)
	}
	return err == nil, err
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
		err = r.Refresh(ctx)
	}
	if err != nil {
		j.Note = "functions around the places are not known: " + err.Error()
		return j
	}
	j.g = r.Graph()
	return j
}

// Update brings the graph of an open index up to date, and says what changed.
func (r *Repository) Update(ctx context.Context) (*codegraph.Changes, error) {
	defer r.listen(r)()
	return r.Index().Update(ctx)
}

// Embed makes the vectors of an open index that are missing.
func (r *Repository) Embed(ctx context.Context) error {
	defer r.listen(r)()
	return r.Index().Embed(ctx)
}

// Refresh makes the graph of an open index show the sources as they are now.
func (r *Repository) Refresh(ctx context.Context) error {
	defer r.listen(r)()
	return r.Index().Refresh(ctx)
}

// Servers returns the client for the repository's language servers; none is started by it.
func (r *Repository) Servers(ctx context.Context) (*lspclient.Client, error) {
	return r.asked().client(ctx)
}

// asked are the language servers that the repository asks.
func (r *Repository) asked() *clients {
	r.texts.Lock()
	defer r.texts.Unlock()
	if r.own != nil {
		return r.own
	}
	return &r.clients
}

// Part makes a view ask language servers of its own from now on: they are to see texts that others do not have.
func (r *Repository) Part() {
	r.texts.Lock()
	defer r.texts.Unlock()
	if r.base != r && r.own == nil {
		r.own = &clients{of: r}
	}
}

// Close closes what is the repository's own: for a view only language servers that it asked for itself.
func (r *Repository) Close() error {
	if r.base == r {
		return r.opened.close()
	}
	if c := r.asked(); c != &r.clients {
		return c.close()
	}
	return nil
}
