package repository

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lru"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/textfiles"
)

// A Store holds the repositories of a workspace, and remembers them in its folder. It is safe for concurrent use.
type Store struct {
	folder *disk.Folder
	codes  string   // the folder of indexes in it
	only   []string // roots of the repositories that count; empty: all
	opt    Options
	shared *shared
	base   *Store // that this one is a view of; nil: none

	// mu guards what follows, and is never held while a repository works.
	mu     sync.Mutex
	repos  []*Repository // in order of addition, then of name
	loaded int64         // the records of which state of shared are in repos; 0: none
	closed bool
}

// shared is what the views of a store have in common.
type shared struct {
	mu      sync.Mutex             // guards what follows
	base    map[string]*Repository // the repositories that hold what is open, by root
	state   int64                  // grows when a record is written; it begins with 1
	written chan struct{}          // closed then
	closed  bool                   // the first store is
}

func newShared() *shared {
	return &shared{base: map[string]*Repository{}, state: 1, written: make(chan struct{})}
}

// recorded says that a record was written.
func (s *shared) recorded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state++
	close(s.written)
	s.written = make(chan struct{})
}

// close ends the first store, and returns the repositories that hold what is open.
func (s *shared) close() []*Repository {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return slices.Collect(maps.Values(s.base))
}

// changed is closed when the next record is written.
func (s *shared) changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written
}

// records tells the state of the records; it is 0 once the first store is closed.
func (s *shared) records() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0
	}
	return s.state
}

// ErrNone says that a workspace has no repository.
var ErrNone = errors.New("no repository in the workspace: add one")

// maxTexts bounds the texts of files that are kept while repositories are watched, in bytes.
const maxTexts = 64 << 20

// NewStore makes the store whose indexes lie in the folder codes of a workspace's folder. Where only names roots, other recorded repositories do not count.
func NewStore(folder *disk.Folder, codes string, only []string, o Options) *Store {
	o.Prepare = func() error { _, err := o.Room(codes); return err }
	o.Texts = lru.New[*textfiles.File, *textfiles.Kept](maxTexts)
	return &Store{folder: folder, codes: codes, only: only, opt: o, shared: newShared()}
}

// View makes a store of the same indexes with options of its own. Indexes open under the options of the first store; Room, Policy, Beside, Progress and servers are
// the view's. Closing it closes what is its own.
func (s *Store) View(only []string, o Options) *Store {
	v := NewStore(s.folder, s.codes, only, o)
	v.shared, v.base = s.shared, s
	return v
}

// repository makes one of the store's repositories.
func (s *Store) repository(root, dir, name string) *Repository {
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	first := s
	for first.base != nil {
		first = first.base
	}
	r := s.shared.base[root]
	if r == nil {
		r = New(root, dir, name, first.opt)
		r.closed = s.shared.closed // nobody would close it
		s.shared.base[root] = r
	}
	if s == first {
		return r
	}
	v := r.view(s.opt)
	v.Name = name
	return v
}

// Close closes the repositories.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var bad []error
	for _, r := range s.repos {
		bad = append(bad, r.Close())
	}
	if s.base == nil {
		for _, r := range s.shared.close() {
			if !slices.Contains(s.repos, r) { // only views have asked for it
				bad = append(bad, r.Close())
			}
		}
	}
	return errors.Join(bad...)
}

// Add adds the repository at root, or brings its graph up to date. Indexes of temporary repositories that are gone are removed before.
func (s *Store) Add(ctx context.Context, root, name string) (*Repository, *codegraph.Changes, error) {
	if err := checkName(name); err != nil {
		return nil, nil, fmt.Errorf("add repository: %w", err)
	}
	abs, err := rootfs.Real(root)
	if err != nil {
		return nil, nil, fmt.Errorf("add repository: %w", err)
	}
	if info, err := os.Stat(abs); err != nil {
		return nil, nil, fmt.Errorf("add repository: %w", err)
	} else if !info.IsDir() {
		return nil, nil, fmt.Errorf("add repository %s: not a folder", root)
	}
	s.sweep()
	if _, err := s.Known(); err != nil {
		return nil, nil, err
	}
	r, err := s.at(abs, name)
	if err != nil {
		return nil, nil, err
	}
	opened, err := r.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	ch := r.Index().Changes()
	if !opened {
		if ch, err = r.Update(ctx); err != nil {
			return nil, nil, err
		}
	}
	if err := s.record(r); err != nil {
		return nil, nil, fmt.Errorf("add repository %s: %w", root, err)
	}
	s.shared.recorded()
	return r, ch, nil
}

// at returns the repository at an absolute path, a new one when it is not known.
func (s *Store) at(abs, name string) (*Repository, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, s.errClosed()
	}
	for _, r := range s.repos {
		if r.Root == abs {
			if name != "" {
				r.Name = name
				s.relabel()
			}
			return r, nil
		}
		if name != "" && r.Name == name {
			return nil, fmt.Errorf("add repository: the name %q belongs to %s: choose another", name, r.Root)
		}
	}
	sum := sha256.Sum256([]byte(abs))
	r := s.repository(abs, s.dir(SafeName(filepath.Base(abs))+"-"+hex.EncodeToString(sum[:6])), name)
	s.repos = append(s.repos, r)
	s.relabel()
	return r, nil
}

// dir is the folder of an index.
func (s *Store) dir(name string) string { return filepath.Join(s.opt.Workspace, s.codes, name) }

func (s *Store) errClosed() error {
	return fmt.Errorf("workspace %s: %w", s.opt.Workspace, errs.Closed)
}

// Known returns the repositories, those recorded in the folder included.
func (s *Store) Known() ([]*Repository, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, s.errClosed()
	}
	state := s.shared.records()
	if state == 0 {
		return nil, s.errClosed()
	}
	if s.loaded != state {
		if err := s.addRecorded(); err != nil {
			return nil, err
		}
		s.loaded = state
		s.relabel()
	}
	return slices.Clone(s.repos), nil
}

// addRecorded adds the repositories that the folder records and that count. The caller holds s.mu.
func (s *Store) addRecorded() error {
	records, err := s.records(func(file string, err error) {
		s.opt.Graph.Logger.Warn("findspot: repository record left out", "path", filepath.Join(s.opt.Workspace, file), "reason", err)
	})
	if err != nil {
		return err
	}
	only := []string{}
	for _, p := range s.only {
		if real, err := rootfs.Real(p); err == nil { // one that is not there has nothing to answer from, and Add says so
			only = append(only, real)
		}
	}
	var known []*Repository
	for _, name := range sortedKeys(records) {
		rec := records[name]
		if i := slices.IndexFunc(s.repos, func(r *Repository) bool { return r.Root == rec.Root }); i >= 0 {
			if r := s.repos[i]; r.Name != rec.Name { // a view named it
				r.Name = rec.Name
			}
		} else if len(s.only) == 0 || slices.Contains(only, rec.Root) {
			known = append(known, s.repository(rec.Root, s.dir(name), rec.Name))
		}
	}
	slices.SortStableFunc(known, func(a, b *Repository) int { // as they are named
		return cmp.Compare(slices.Index(only, a.Root), slices.Index(only, b.Root))
	})
	s.repos = append(s.repos, known...)
	return nil
}

// Opened returns the repositories with their graphs open. One whose folder is gone is an error that says so.
func (s *Store) Opened(ctx context.Context) ([]*Repository, error) { return s.open(ctx, false) }

// Fresh returns the repositories with graphs that show the sources as they are now.
func (s *Store) Fresh(ctx context.Context) ([]*Repository, error) { return s.open(ctx, true) }

func (s *Store) open(ctx context.Context, fresh bool) ([]*Repository, error) {
	repos, err := s.Known()
	if err != nil {
		return nil, err
	}
	for _, r := range repos {
		opened, err := r.Open(ctx)
		if err == nil && fresh && !opened {
			err = r.Refresh(ctx)
		}
		if err != nil {
			return nil, err
		}
	}
	return repos, nil
}

// relabel names the repositories for answers: by the name given; else, when there are several, by their folder, with a
// part of the hash of their path where two folders have one name, as worktrees of a repository do. A repository alone has
// none. The caller holds s.mu.
func (s *Store) relabel() {
	taken := map[string]int{}
	for _, r := range s.repos {
		taken[cmp.Or(r.Name, r.Folder())]++
	}
	for _, r := range s.repos {
		label := r.Name
		if label == "" && len(s.repos) > 1 {
			if label = r.Folder(); taken[label] > 1 {
				sum := sha256.Sum256([]byte(r.Root))
				label += "-" + hex.EncodeToString(sum[:4])
			}
		}
		r.SetLabel(label)
	}
}

// recordName names a repository's record in the folder of the workspace.
func (s *Store) recordName(r *Repository) string {
	return path.Join(s.codes, filepath.Base(r.Dir), recordFile)
}
