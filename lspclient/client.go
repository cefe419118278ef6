package lspclient

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/ctxlock"
	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/process"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"golang.org/x/sync/errgroup"
)

// defaultTimeout bounds calls whose context has no deadline.
const defaultTimeout = 30 * time.Second

// Client asks the language servers of one repository. It is safe for concurrent use.
type Client struct {
	root     string // absolute, links resolved
	opts     Options
	registry *registry.Registry

	life    context.Context // ends with Close
	endLife context.CancelFunc
	workers sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	servers map[serverKey]*server

	limits limits

	guard   process.Guard
	symbols symbolCache

	breakFor time.Duration // how long a server that dies again and again is left alone at first

	tree *filetree.Tree

	sorting   ctxlock.Mutex      // held while the root is divided into folders, guards what follows
	folderOf  *filetree.Snapshot // what folders was made from, with these overlays
	folderGen int64
	folderSet []*folder
}

type serverKey struct{ name, folder string }

// Open returns a client for the folder root. It starts nothing: a server starts with the first question about its
// language. Links in the path of the root are resolved. Bad entries in Options.Servers are all reported.
func Open(ctx context.Context, root string, o *Options) (*Client, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
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
	c := &Client{
		root: abs, servers: map[serverKey]*server{}, sorting: ctxlock.New(),
		symbols:  newSymbolCache(),
		breakFor: breakFor,
	}
	c.life, c.endLife = context.WithCancel(context.Background())
	if o != nil {
		c.opts = *o
	}
	if c.opts.Timeout <= 0 {
		c.opts.Timeout = defaultTimeout
	}
	if err := c.opts.limitDefaults(); err != nil {
		return nil, err
	}
	c.limits = limits{client: c, placed: map[*server]bool{}, changed: make(chan struct{})}
	if c.opts.Logger == nil {
		c.opts.Logger = slog.New(slog.DiscardHandler)
	}
	if c.registry, err = registry.New(c.life, abs, registrySpecs(c.opts.Servers)); err != nil {
		return nil, err
	}
	if err := c.registry.Prefer(c.opts.Prefer); err != nil {
		return nil, err
	}
	extensions, markers := map[string]bool{}, map[string]bool{}
	for _, s := range c.registry.Specs {
		for _, exts := range s.Languages {
			for _, e := range exts {
				extensions[e] = true
			}
		}
		for _, m := range slices.Concat(s.Roots, s.Watch) {
			markers[m] = true
		}
	}
	c.tree = filetree.New(c.life, abs, extensions, markers, c.opts.Logger, c.background)
	return c, nil
}

// background runs a function beside the questions, until Close, which waits for it. It reports false when the client is
// closed.
func (c *Client) background(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.workers.Go(f)
	return true
}

// Close stops every server of the client, with its process group, and waits for them: a server gets a second to end by
// itself. Calls under way return an error. Closing twice is fine.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	servers := slices.Collect(maps.Values(c.servers))
	c.mu.Unlock()
	c.limits.close()
	c.endLife()
	var wg sync.WaitGroup
	for _, v := range servers {
		wg.Go(v.close)
	}
	wg.Wait()
	c.workers.Wait()
	c.registry.Wait()
	c.tree.Close()
	c.guard.Close()
	return nil
}

// deadline returns ctx with the default deadline if it has none.
func (c *Client) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, c.opts.Timeout)
}

// fileServer returns the absolute path of a file named by a caller, and its server, which is not started yet.
func (c *Client) fileServer(ctx context.Context, name string) (string, *server, error) {
	abs, err := c.tree.Existing(name)
	if err != nil {
		return "", nil, err
	}
	v, err := c.serverFor(ctx, abs)
	return abs, v, err
}

// choose returns the entry that serves a file, and its program. A NotInstalledError is ours, and not the registry's.
func (c *Client) choose(ctx context.Context, abs string) (*registry.Spec, *registry.Install, error) {
	spec, in, err := c.registry.Choose(ctx, abs)
	var missing *registry.NotInstalledError
	if errors.As(err, &missing) {
		err = (*NotInstalledError)(missing)
	}
	return spec, in, err
}

// serverFor returns the server of a file, which is not started yet.
func (c *Client) serverFor(ctx context.Context, abs string) (*server, error) {
	spec, in, err := c.choose(ctx, abs)
	if err != nil {
		return nil, err
	}
	return c.server(spec, in, c.registry.FolderOf(spec, abs))
}

func (c *Client) server(spec *registry.Spec, in *registry.Install, folder string) (*server, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	key := serverKey{spec.Name, folder}
	v := c.servers[key]
	if v == nil {
		v = &server{client: c, spec: spec, install: in, folder: folder}
		c.servers[key] = v
	}
	return v, nil
}

// Servers tells about every server of the registry, sorted by name. It looks for the programs and runs their probes,
// and starts no server.
func (c *Client) Servers(ctx context.Context) []ServerStatus {
	c.mu.Lock()
	running := slices.Collect(maps.Values(c.servers))
	c.mu.Unlock()
	c.limits.sample(running)
	list := make([]ServerStatus, len(c.registry.Specs))
	for i, spec := range c.registry.Specs {
		st := ServerStatus{
			Name: spec.Name, Languages: slices.Sorted(maps.Keys(spec.Languages)),
			Command: spec.Commands[0].Program, Install: spec.Install, Processes: []ServerProcess{},
		}
		in, err := c.registry.Install(ctx, spec)
		if err != nil {
			st.Problem = err.Error()
			list[i] = st
			continue
		}
		st.Problem = in.Why
		if in.Path != "" {
			st.Command, st.Version, st.Installed, st.Problem = in.Path, in.Version, true, ""
		}
		st.Ready = true
		for _, v := range running {
			if v.spec != spec {
				continue
			}
			if s := v.running(); s != nil {
				st.Processes = append(st.Processes, processOf(s))
			}
			run, ready, problem := v.state()
			st.Running = st.Running || run
			st.Ready = st.Ready && (ready || !run)
			if problem != "" {
				st.Problem = problem
			}
		}
		st.Ready = st.Ready && st.Running
		slices.SortFunc(st.Processes, func(a, b ServerProcess) int { return strings.Compare(a.Folder, b.Folder) })
		list[i] = st
	}
	slices.SortStableFunc(list, func(a, b ServerStatus) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// living returns ErrClosed when the client is closed.
func (c *Client) living() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	return nil
}

// Start starts the servers of the files below the root, and waits until each has read its folder, so that questions after it
// find them ready. Of more than eight workspace folders, those with the most files are taken; Options.MaxServers stops some again
// when it is less. Without a deadline it takes Options.Timeout at most: a server that is not ready by then is Indexing. The list has
// the folders with the most files first. The error is that of ctx, or of a closed client.
func (c *Client) Start(ctx context.Context) ([]StartedServer, error) {
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	folders, err := foldersOf(c).folders(ctx)
	if err != nil {
		return nil, err
	}
	if len(folders) > maxFolders {
		folders = folders[:maxFolders]
	}
	out := make([]StartedServer, len(folders))
	var g errgroup.Group
	g.SetLimit(maxFolders)
	for i, f := range folders {
		out[i] = StartedServer{Folder: c.tree.Relative(f.dir), Files: len(f.files)}
		if f.err != nil {
			out[i].Problem = f.err.Error()
			continue
		}
		out[i].Name = f.server.spec.Name
		g.Go(func() error {
			a, err := ask(ctx, f.server, question[struct{}]{
				method: "starting",
				show: func(ctx context.Context, s *session) error {
					if !s.srv.spec.Ready.Open {
						return nil
					}
					_, err := s.documents.Open(ctx, f.sample)
					return err
				},
				ask:  func(context.Context, *session) (struct{}, error) { return struct{}{}, nil },
				same: func(struct{}, struct{}) bool { return true },
			})
			if err != nil {
				out[i].Problem = err.Error()
				return nil
			}
			out[i].Answer = a.said()
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("start servers: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, ErrClosed
	}
	return out, nil
}
