package repository

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/textfiles"
	"github.com/findspot/findspot/lspclient"
)

// opened is what is open of a repository. Views of a workspace share it, and it works under the options of the repository that was first.
type opened struct {
	base    *Repository
	clients clients
	files   *textfiles.Tree // without those that .gitignore leaves out
	every   *textfiles.Tree // with them
	opening chan struct{}   // holds one while the index opens or closes, which takes long

	mu     sync.Mutex // guards what follows
	ix     *codegraph.Index
	reads  bool // ix is kept by another process
	closed bool

	waiting   sync.Mutex // guards what follows
	listeners map[*listener[codegraph.Progress]]bool
	watching  *watching // nil: nobody watches
}

func newOpened(base *Repository) *opened {
	o := &opened{base: base, opening: make(chan struct{}, 1), listeners: map[*listener[codegraph.Progress]]bool{}}
	o.clients.of = base
	o.files = textfiles.New(base.Root, false, base.opt.Texts, base.Text)
	o.every = textfiles.New(base.Root, true, base.opt.Texts, base.Text)
	return o
}

// A listener is told until it is closed. It is told without a lock of the repository's, since it may ask that again.
type listener[T any] struct {
	mu sync.Mutex
	f  func(T) // nil: it is closed
}

func (l *listener[T]) tell(v T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f != nil {
		l.f(v)
	}
}

// close returns when the listener is not being told, and will not be.
func (l *listener[T]) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.f = nil
}

// listen lets a repository's progress hear of the index until the function that it returns is called.
func (o *opened) listen(r *Repository) func() {
	if r == o.base || r.opt.Graph.Progress == nil {
		return func() {}
	}
	l := &listener[codegraph.Progress]{f: r.opt.Graph.Progress}
	o.waiting.Lock()
	defer o.waiting.Unlock()
	o.listeners[l] = true
	return func() {
		o.waiting.Lock()
		delete(o.listeners, l)
		o.waiting.Unlock()
		l.close()
	}
}

// tell passes progress on to the workspace and to those who wait.
func (o *opened) tell(p codegraph.Progress) {
	if o.base.opt.Graph.Progress != nil {
		o.base.opt.Graph.Progress(p)
	}
	o.waiting.Lock()
	all := slices.Collect(maps.Keys(o.listeners))
	o.waiting.Unlock()
	for _, l := range all {
		l.tell(p)
	}
}

// state is what is open now.
func (o *opened) state() (ix *codegraph.Index, reads, closed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.ix, o.reads, o.closed
}

// Index is the index once the repository was opened; nil before.
func (o *opened) Index() *codegraph.Index {
	ix, _, _ := o.state()
	return ix
}

// ReadOnly reports whether another process keeps the index.
func (o *opened) ReadOnly() bool {
	_, reads, _ := o.state()
	return reads
}

// Files gives the files that .gitignore does not leave out, as they are now. While the repository is watched it is known what is in them.
func (o *opened) Files(ctx context.Context) (*textfiles.List, error) { return o.files.List(ctx) }

// EveryFile is Files with those that .gitignore leaves out.
func (o *opened) EveryFile(ctx context.Context) (*textfiles.List, error) { return o.every.List(ctx) }

// keep takes an index in place of one that was read beside another process. A repository that was closed meanwhile has none.
func (o *opened) keep(ix *codegraph.Index, reads bool) error {
	o.mu.Lock()
	old := o.ix
	if o.closed {
		old = ix
	} else {
		o.ix, o.reads = ix, reads
	}
	closed := o.closed
	o.mu.Unlock()
	var err error
	if old != nil {
		err = old.Close()
	}
	if closed {
		err = errors.Join(o.base.errClosed(), err)
	}
	return err
}

func (o *opened) close() error {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	err := o.clients.close()
	o.opening <- struct{}{} // what is being opened closes itself
	defer func() { <-o.opening }()
	if ix := o.Index(); ix != nil {
		err = errors.Join(err, ix.Close())
	}
	return err
}

// clients is the client for a repository's language servers, which opens when it is first asked for.
type clients struct {
	of *Repository

	mu     sync.Mutex // guards what follows
	lc     *lspclient.Client
	closed bool
}

// client returns the client; no server is started by it.
func (c *clients) client(ctx context.Context) (*lspclient.Client, error) {
	if lc, err := c.get(nil); lc != nil || err != nil {
		return lc, err
	}
	o, err := c.of.opt.Servers(c.of.Root, c.of.locate) // without c.mu: it looks at the other repositories
	if err != nil {
		return nil, err
	}
	return c.get(func() (*lspclient.Client, error) { return lspclient.Open(ctx, c.of.Root, o) })
}

// get returns the client, or what open makes when there is none yet.
func (c *clients) get(open func() (*lspclient.Client, error)) (*lspclient.Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, c.of.errClosed()
	}
	if c.lc != nil || open == nil {
		return c.lc, nil
	}
	lc, err := open()
	c.lc = lc
	return lc, err
}

func (c *clients) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.lc == nil {
		return nil
	}
	return c.lc.Close()
}
