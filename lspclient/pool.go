package lspclient

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/ctxlock"
	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/process"
	"github.com/findspot/findspot/lspclient/internal/registry"
)

// config says how the servers of a pool are run.
type config struct {
	Trust       bool            // servers may use the network and run a repository's build code
	Servers     []registry.Spec // entries ahead of the shipped ones
	Prefer      []string        // names of entries that come before all others
	Timeout     time.Duration   // of calls whose context has no deadline; 0 means 30 s
	IdleTimeout time.Duration   // after which a server that nobody asks is stopped; 0 means 10 minutes, negative never
	MaxServers  int             // that run at a time; 0 means 8, negative no bound
	MaxMemory   int64           // of one server, in bytes; 0 means half of the machine's, negative no bound
	Logger      *slog.Logger    // nil discards
}

// withDefaults fills in what is zero, and reports what makes no sense.
func (o config) withDefaults() (config, error) {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxServers == 0 {
		o.MaxServers = defaultServers
	}
	if o.IdleTimeout == 0 {
		o.IdleTimeout = defaultIdle
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = process.MachineMemory() / 2 // 0, no limit, where that is not known
	}
	if o.MaxMemory > 0 && o.MaxMemory < 1<<20 {
		return o, fmt.Errorf("Options.MaxMemory is %d bytes: no server runs in less than a megabyte", o.MaxMemory)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// defaultTimeout bounds calls whose context has no deadline.
const defaultTimeout = 30 * time.Second

// pool has the language servers of one repository: one for each entry and workspace folder, started when first asked. It is
// safe for concurrent use.
type pool struct {
	tree     *filetree.Tree
	registry *registry.Registry

	opts    config
	life    context.Context // ends with Close
	endLife context.CancelFunc
	workers sync.WaitGroup
	guard   process.Guard
	limits  limits

	mu      sync.Mutex
	closed  bool
	servers map[serverKey]*server

	breakFor time.Duration // how long a server that dies again and again is left alone at first

	sorting ctxlock.Mutex // held while the root is divided into folders, guards what follows
	divided division
}

type serverKey struct{ name, folder string }

// newPool returns the servers of the folder root, of which none is started yet.
func newPool(root string, opts config) (*pool, error) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", root, err)
	}
	if info, err := os.Stat(abs); err != nil {
		return nil, fmt.Errorf("open %s: %w", root, err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("open %s: not a folder", root)
	}
	p := &pool{servers: map[serverKey]*server{}, sorting: ctxlock.New(), breakFor: breakFor}
	p.life, p.endLife = context.WithCancel(context.Background())
	if p.opts, err = opts.withDefaults(); err != nil {
		return nil, err
	}
	p.limits = limits{pool: p, placed: map[*server]bool{}, changed: make(chan struct{})}
	if p.registry, err = registry.New(p.life, abs, p.opts.Servers); err != nil {
		return nil, err
	}
	if err := p.registry.Prefer(p.opts.Prefer); err != nil {
		return nil, err
	}
	extensions, markers := map[string]bool{}, map[string]bool{}
	for _, s := range p.registry.Specs {
		for _, exts := range s.Languages {
			for _, e := range exts {
				extensions[e] = true
			}
		}
		for _, m := range slices.Concat(s.Roots, s.Watch) {
			markers[m] = true
		}
	}
	p.tree = filetree.New(p.life, abs, extensions, markers, p.opts.Logger, p.background)
	return p, nil
}

// background runs a function beside the questions, until Close, which waits for it. It reports false when the pool is closed.
func (p *pool) background(f func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.workers.Go(f)
	return true
}

// Close stops every server, with its process group, and waits for them: a server gets a second to end by itself.
func (p *pool) Close() {
	p.mu.Lock()
	p.closed = true
	servers := slices.Collect(maps.Values(p.servers))
	p.mu.Unlock()
	p.limits.close()
	p.endLife()
	var wg sync.WaitGroup
	for _, v := range servers {
		wg.Go(v.close)
	}
	wg.Wait()
	p.workers.Wait()
	p.registry.Wait()
	p.tree.Close()
	p.guard.Close()
}

// Living returns errs.Closed when the pool is closed.
func (p *pool) Living() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errs.Closed
	}
	return nil
}

// Deadline returns ctx with the default deadline if it has none.
func (p *pool) Deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, p.opts.Timeout)
}

// Absolute returns the absolute path of a file as callers see it.
func (p *pool) Absolute(path string) string {
	abs := filepath.FromSlash(path)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(p.tree.Root(), abs)
	}
	return abs
}

// FileServer returns the absolute path of a file named by a caller, and its server, which is not started yet.
func (p *pool) FileServer(ctx context.Context, name string) (string, *server, error) {
	abs, err := p.tree.Existing(name)
	if err != nil {
		return "", nil, err
	}
	v, err := p.ServerFor(ctx, abs)
	return abs, v, err
}

// ServerFor returns the server of a file, which is not started yet.
func (p *pool) ServerFor(ctx context.Context, abs string) (*server, error) {
	spec, in, err := p.registry.Choose(ctx, abs)
	if err != nil {
		return nil, err
	}
	return p.server(spec, in, p.registry.FolderOf(spec, abs))
}

func (p *pool) server(spec *registry.Spec, in *registry.Install, folder string) (*server, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errs.Closed
	}
	key := serverKey{spec.Name, folder}
	v := p.servers[key]
	if v == nil {
		v = &server{client: p, spec: spec, install: in, folder: folder}
		p.servers[key] = v
	}
	return v, nil
}

// Servers returns the servers that were asked for so far.
func (p *pool) Servers() []*server {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Values(p.servers))
}

// Measure looks at the memory of all servers, and returns them.
func (p *pool) Measure() []*server {
	servers := p.Servers()
	p.limits.sample(servers)
	return servers
}

// Usage returns what was last seen of a server, and since when nobody asks it; the zero time while somebody does.
func (p *pool) Usage(v *server) (process.Memory, time.Time) { return p.limits.memoryOf(v) }
