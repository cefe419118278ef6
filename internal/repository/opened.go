package repository

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient"
)

// opened is what is open of a repository. Views of a workspace share it, and it works under the options of the repository that was first.
type opened struct {
	base    *Repository
	clients clients

	// mu guards what follows, and is held while the index opens.
	mu     sync.Mutex
	ix     *codegraph.Index
	reads  bool // ix is kept by another process
	closed bool
	// buffers are unsaved texts of files, by path; see SetOverlay
	buffers map[string][]byte

	waiting   sync.Mutex // guards what follows
	listeners map[*listener]bool
	watching  *watching // nil: nobody watches
}

// A listener is a call of a view that waits for the index.
type listener struct{ progress func(codegraph.Progress) }

func newOpened(base *Repository) *opened {
	o := &opened{base: base, listeners: map[*listener]bool{}}
	o.clients.of = base
	return o
}

// listen lets a repository's progress hear of the index until the function that it returns is called.
func (o *opened) listen(r *Repository) func() {
	if r == o.base || r.opt.Graph.Progress == nil {
		return func() {}
	}
	l := &listener{r.opt.Graph.Progress}
	o.waiting.Lock()
	defer o.waiting.Unlock()
	o.listeners[l] = true
	return func() {
		o.waiting.Lock()
		defer o.waiting.Unlock()
		delete(o.listeners, l)
	}
}

// tell passes progress on to the workspace and to those who wait.
func (o *opened) tell(p codegraph.Progress) {
	if o.base.opt.Graph.Progress != nil {
		o.base.opt.Graph.Progress(p)
	}
	o.waiting.Lock()
	defer o.waiting.Unlock()
	for l := range o.listeners {
		l.progress(p)
	}
}

// Index is the index once the repository was opened; nil before.
func (o *opened) Index() *codegraph.Index {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.ix
}

// ReadOnly reports whether another process keeps the index.
func (o *opened) ReadOnly() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.reads
}

func (o *opened) close() error {
	bad := []error{o.clients.close()}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	if o.ix != nil {
		bad = append(bad, o.ix.Close())
	}
	return errors.Join(bad...)
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
		return nil, fmt.Errorf("workspace %s: %w", c.of.opt.Workspace, errs.Closed)
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
