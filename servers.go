package findspot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/lspclient"
)

// ServerOptions say how a workspace uses language servers. The zero value of each field is its default.
type ServerOptions struct {
	// File holds entries of servers in YAML, see [lspclient.ParseServers]. Empty: the file findspot/servers.yaml in the user's
	// configuration folder ([os.UserConfigDir]), where it exists. An entry names a command to run, so a file inside a repository
	// of the workspace is refused.
	File string
	// NoFile leaves the user's own file out.
	NoFile bool
	// Entries come before those of the file, and the file's before the shipped ones. An entry takes the place of one of its name.
	Entries []lspclient.ServerSpec
	// Prefer names entries that come before all others, such as "ty" where pyright is installed too.
	Prefer []string
	// Timeout bounds calls whose context has no deadline, a server's start included; 0 means 30 s.
	Timeout time.Duration
	// IdleTimeout, MaxServers and MaxMemory limit the servers of each repository, see [lspclient.Options]: 0 means 10 minutes, 8, and
	// half of the machine's memory for one server.
	IdleTimeout time.Duration
	MaxServers  int
	MaxMemory   int64
}

// maxServersFile bounds a servers file, in bytes.
const maxServersFile = 1 << 20

// serverEntries are the entries of the options and of the servers file, for a client of the folder root.
func (w *Workspace) serverEntries(root string) ([]lspclient.ServerSpec, error) {
	o := w.opt.Servers
	file := o.File
	if file == "" && !o.NoFile {
		dir, err := os.UserConfigDir()
		if err != nil {
			return o.Entries, nil // a user without a configuration folder has no file in it
		}
		file = filepath.Join(dir, "findspot", "servers.yaml")
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return o.Entries, nil
		}
	}
	if file == "" {
		return o.Entries, nil
	}
	if err := w.notOfRepository(file, root); err != nil {
		if o.File != "" {
			return nil, err
		}
		// A repository of a user's whole home holds it: work goes on with the shipped entries.
		w.opt.Logger.Warn("findspot: servers file left out", "reason", err)
		return o.Entries, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("servers file: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxServersFile+1))
	if err != nil {
		return nil, fmt.Errorf("servers file: %w", err)
	}
	specs, err := lspclient.ParseServers(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return append(append([]lspclient.ServerSpec(nil), o.Entries...), specs...), nil
}

// notOfRepository is an error when a file lies in the folder root or in a repository of the workspace, as its path says or where its
// links lead.
func (w *Workspace) notOfRepository(file, root string) error {
	repos, err := w.knownRepos()
	if err != nil {
		return err
	}
	roots := []string{root}
	for _, r := range repos {
		roots = append(roots, r.Root)
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return fmt.Errorf("servers file %s: %w", file, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return fmt.Errorf("servers file: %w", err)
	}
	folder, err := rootfs.Real(filepath.Dir(abs)) // a link in a repository is a file of it too
	if err != nil {
		return fmt.Errorf("servers file: %w", err)
	}
	for _, root := range roots {
		for _, p := range []string{real, filepath.Join(folder, filepath.Base(abs))} {
			if rel, err := filepath.Rel(root, p); err == nil && filepath.IsLocal(rel) {
				return fmt.Errorf("servers file %s lies in the repository %s, and names commands to run: copy it elsewhere if you trust it: %w", file, root, ErrUnsupported)
			}
		}
	}
	return nil
}

func (w *Workspace) serverOptions(root string, locate func(context.Context, string) ([]lspclient.Location, error)) (*lspclient.Options, error) {
	entries, err := w.serverEntries(root)
	if err != nil {
		return nil, err
	}
	o := w.opt.Servers
	return &lspclient.Options{Trust: w.opt.Trust, Servers: entries, Prefer: o.Prefer, Timeout: o.Timeout, IdleTimeout: o.IdleTimeout,
		MaxServers: o.MaxServers, MaxMemory: o.MaxMemory, Logger: w.opt.Logger, Locate: locate}, nil
}

// Servers tells which language servers are installed, running and ready for the repositories of the workspace, or for the folder
// "." when there is none: the servers of a repository by name, in the order of repositories. It starts none.
func (w *Workspace) Servers(ctx context.Context) ([]ServerStatus, error) {
	repos, err := w.knownRepos()
	if err != nil {
		return nil, err
	}
	out := []ServerStatus{}
	add := func(label string, lc *lspclient.Client) {
		for _, st := range lc.Servers(ctx) {
			out = append(out, ServerStatus{Repo: label, ServerStatus: st})
		}
	}
	if len(repos) == 0 {
		root, err := rootfs.Real(".")
		if err != nil {
			return nil, err
		}
		o, err := w.serverOptions(root, nil)
		if err != nil {
			return nil, err
		}
		lc, err := lspclient.Open(ctx, root, o)
		if err != nil {
			return nil, err
		}
		defer lc.Close()
		add("", lc)
		return out, ctx.Err()
	}
	for _, r := range repos {
		lc, err := r.Servers(ctx)
		if err != nil {
			return nil, err
		}
		add(r.Label(), lc)
	}
	return out, ctx.Err()
}

// ServerStatus tells about one language server for one repository.
type ServerStatus struct {
	Repo string `json:"repo,omitempty"` // the repository's name where there are several
	lspclient.ServerStatus
}

// A StartedServer says what came of starting one server in one folder of a repository.
type StartedServer struct {
	Repo string `json:"repo,omitempty"` // the repository's name where there are several
	lspclient.StartedServer
}

// StartServers starts the servers that the files of the repositories need, and waits until each has read its folder, see
// [lspclient.Client.Start]: questions after it find them ready. How far they are, [Workspace.Servers] tells meanwhile.
func (w *Workspace) StartServers(ctx context.Context) ([]StartedServer, error) {
	if w.opt.NoServers {
		return nil, fmt.Errorf("language servers are switched off for this workspace: %w", ErrUnsupported)
	}
	repos, err := w.knownRepos()
	if err != nil {
		return nil, err
	}
	out := []StartedServer{}
	for _, r := range repos {
		lc, err := r.Servers(ctx)
		if err != nil {
			return nil, err
		}
		list, err := lc.Start(ctx)
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			out = append(out, StartedServer{Repo: r.Label(), StartedServer: s})
		}
	}
	return out, nil
}
