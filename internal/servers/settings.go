package servers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/lspclient"
)

// Settings are what a user says of language servers.
type Settings struct {
	File        string // of entries, see [lspclient.ParseServers]; empty: the one in the user's configuration folder
	NoFile      bool   // leave that out
	Entries     []lspclient.ServerSpec
	Prefer      []string
	Timeout     time.Duration
	IdleTimeout time.Duration
	MaxServers  int
	MaxMemory   int64
}

// Servers are the language servers of a workspace.
type Servers struct {
	Repos    *repository.Store
	Settings Settings
	Off      bool // none is asked
	Trust    bool // they may use the network and run build code
	Logger   *slog.Logger
}

var errOff = fmt.Errorf("language servers are disabled for this workspace: %w", errs.Unsupported)

// maxServersFile bounds a servers file, in bytes.
const maxServersFile = 1 << 20

// entries are those of the settings and of the servers file, for a client of the folder root.
func (s *Servers) entries(root string) ([]lspclient.ServerSpec, error) {
	o := s.Settings
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
	if err := s.notOfRepository(file, root); err != nil {
		if o.File != "" {
			return nil, err
		}
		// A repository of a user's whole home holds it: work goes on with the shipped entries.
		s.Logger.Warn("findspot: servers file left out", "reason", err)
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
	return slices.Concat(o.Entries, specs), nil
}

// notOfRepository is an error when a file lies in the folder root or in a repository of the workspace, as its path says or where its
// links lead.
func (s *Servers) notOfRepository(file, root string) error {
	repos, err := s.Repos.Known()
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
				return fmt.Errorf("servers file %s is in the repository %s and names commands to run: if you trust it, copy it elsewhere: %w", file, root, errs.Unsupported)
			}
		}
	}
	return nil
}

// ClientOptions are those of the client for the repository at root.
func (s *Servers) ClientOptions(root string, locate func(context.Context, string) ([]lspclient.Location, error)) (*lspclient.Options, error) {
	entries, err := s.entries(root)
	if err != nil {
		return nil, err
	}
	o := s.Settings
	return &lspclient.Options{Trust: s.Trust, Servers: entries, Prefer: o.Prefer, Timeout: o.Timeout, IdleTimeout: o.IdleTimeout,
		MaxServers: o.MaxServers, MaxMemory: o.MaxMemory, Logger: s.Logger, Locate: locate}, nil
}

// Clients passes each repository's client and name to f, or one for the folder "." where there is no repository. None of them starts a server by it.
func (s *Servers) Clients(ctx context.Context, f func(repo string, lc *lspclient.Client) error) error {
	repos, err := s.Repos.Known()
	if err != nil {
		return err
	}
	for _, r := range repos {
		lc, err := r.Servers(ctx)
		if err == nil {
			err = f(r.Label(), lc)
		}
		if err != nil {
			return err
		}
	}
	if len(repos) > 0 {
		return ctx.Err()
	}
	root, err := rootfs.Real(".")
	if err != nil {
		return err
	}
	o, err := s.ClientOptions(root, nil)
	if err != nil {
		return err
	}
	lc, err := lspclient.Open(ctx, root, o)
	if err != nil {
		return err
	}
	defer lc.Close()
	return errors.Join(f("", lc), ctx.Err())
}

// Start starts the servers that the files of the repositories need, see [lspclient.Client.Start], and passes what came of each to f.
func (s *Servers) Start(ctx context.Context, f func(repo string, started lspclient.StartedServer)) error {
	if s.Off {
		return errOff
	}
	repos, err := s.Repos.Known()
	if err != nil {
		return err
	}
	for _, r := range repos {
		lc, err := r.Servers(ctx)
		if err != nil {
			return err
		}
		list, err := lc.Start(ctx)
		if err != nil {
			return err
		}
		for _, x := range list {
			f(r.Label(), x)
		}
	}
	return nil
}
