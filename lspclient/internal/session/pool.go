package session

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
	"github.com/findspot/findspot/lspclient/serverspec"
)

// Config says how the servers of a pool are run.
type Config struct {
	Trust       bool              // servers may use the network and run a repository's build code
	Servers     []serverspec.Spec // entries ahead of the shipped ones
	Prefer      []string          // names of entries that come before all others
	Timeout     time.Duration     // of calls whose context has no deadline; 0 means 30 s
	IdleTimeout time.Duration     // after which a server that nobody asks is stopped; 0 means 10 minutes, negative never
	MaxServers  int               // that run at a time; 0 means 8, negative no bound
	MaxMemory   int64             // of one server, in bytes; 0 means half of the machine's, negative no bound
	Logger      *slog.Logger      // nil discards
}

// withDefaults fills in what is zero, and reports what makes no sense.
func (o Config) withDefaults() (Config, error) {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
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

// DefaultTimeout bounds calls whose context has no deadline.
const DefaultTimeout = 30 * time.Second

// Pool has the language servers of one repository: one for each entry and workspace folder, started when first asked. It is
// safe for concurrent use.
type Pool struct {
	Tree     *filetree.Tree
	Registry *registry.Registry

	opts    Config
	life    context.Context // ends with Close
	endLife context.CancelFunc
	workers sync.WaitGroup
	guard   process.Guard
	limits  limits

	mu      sync.Mutex
	closed  bool
	servers map[serverKey]*Server

	BreakFor time.Duration // how long a server that dies again and again is left alone at first

	sorting ctxlock.Mutex // held while the root is divided into folders, guards what follows
	divided division
}

type serverKey struct{ name, folder string }

// NewPool returns the servers of the folder root, of which none is started yet.
func NewPool(root string, opts Config) (*Pool, error) {
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
	p := &Pool{servers: map[serverKey]*Server{}, sorting: ctxlock.New(), BreakFor: breakFor}
	p.life, p.endLife = context.WithCancel(context.Background())
	if p.opts, err = opts.withDefaults(); err != nil {
		return nil, err
	}
	p.limits = limits{pool: p, placed: map[*Server]bool{}, changed: make(chan struct{})}
	if p.Registry, err = registry.New(p.life, abs, p.opts.Servers); err != nil {
		return nil, err
	}
	if err := p.Registry.Prefer(p.opts.Prefer); err != nil {
		return nil, err
	}
	extensions, markers := map[string]bool{}, map[string]bool{}
	for _, s := range p.Registry.Specs {
		for _, exts := range s.Languages {
			for _, e := range exts {
				extensions[e] = true
			}
		}
		for _, m := range slices.Concat(s.Roots, s.Watch) {
			markers[m] = true
		}
	}
	p.Tree = filetree.New(p.life, abs, extensions, markers, p.opts.Logger, p.background)
	return p, nil
}

// background runs a function beside the questions, until Close, which waits for it. It reports false when the pool is closed.
func (p *Pool) background(f func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.workers.Go(f)
	return true
}

// Close stops every server, with its process group, and waits for them: a server gets a second to end by itself.
func (p *Pool) Close() {
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
	p.Registry.Wait()
	p.Tree.Close()
	p.guard.Close()
}

// Living returns errs.Closed when the pool is closed.
func (p *Pool) Living() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return errs.Closed
	}
	return nil
}

// Deadline returns ctx with the default deadline if it has none.
func (p *Pool) Deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, p.opts.Timeout)
}

// Absolute returns the absolute path of a file as callers see it.
func (p *Pool) Absolute(path string) string {
	abs := filepath.FromSlash(path)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(p.Tree.Root(), abs)
	}
	return abs
}

// FileServer returns the absolute path of a file named by a caller, and its server, which is not started yet.
func (p *Pool) FileServer(ctx context.Context, name string) (string, *Server, error) {
	abs, err := p.Tree.Existing(name)
	if err != nil {
		return "", nil, err
	}
	v, err := p.ServerFor(ctx, abs)
	return abs, v, err
}

// ServerFor returns the server of a file, which is not started yet.
func (p *Pool) ServerFor(ctx context.Context, abs string) (*Server, error) {
	spec, in, err := p.Registry.Choose(ctx, abs)
	if err != nil {
		return nil, err
	}
	return p.server(spec, in, p.Registry.FolderOf(spec, abs))
}

func (p *Pool) server(spec *registry.Spec, in *registry.Install, folder string) (*Server, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errs.Closed
	}
	key := serverKey{spec.Name, folder}
	v := p.servers[key]
	if v == nil {
		v = &Server{Pool: p, Spec: spec, Install: in, Folder: folder}
		p.servers[key] = v
	}
	return v, nil
}

// Servers returns the servers that were asked for so far.
func (p *Pool) Servers() []*Server {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Collect(maps.Values(p.servers))
}

// Measure looks at the memory of all servers, and returns them.
func (p *Pool) Measure() []*Server {
	servers := p.Servers()
	p.limits.sample(servers)
	return servers
}

// Usage returns what was last seen of a server, and since when nobody asks it; the zero time while somebody does.
func (p *Pool) Usage(v *Server) (process.Memory, time.Time) { return p.limits.memoryOf(v) }
