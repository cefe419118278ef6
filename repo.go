package findspot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/lspclient"
)

// RepoOptions of [Workspace.AddRepo].
type RepoOptions struct {
	// Name tells several repositories apart: ids of its entities begin with "name//". Letters, digits, ".", "_" and "-"
	// are allowed. Empty: the folder's name where there are several repositories, and no prefix for one alone.
	Name string
}

// A RepoInfo tells about a repository of a workspace.
type RepoInfo struct {
	Name    string             `json:"name,omitempty"`
	Root    string             `json:"root"` // absolute path
	Changes *codegraph.Changes `json:"changes"`
	// ReadOnly says that another process keeps the index, see Options.Beside, and that answers are as of what it saved last.
	ReadOnly bool `json:"read_only,omitempty"`
}

// repo is one repository of a workspace.
type repo struct {
	w    *Workspace
	name string // as given
	root string // absolute, links resolved
	dir  string // where its index lies
	fsys *rootfs.Dir

	shown atomic.Pointer[string] // the name in answers, see relabel

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

// recorded is the file repo.json beside an index.
type recorded struct {
	Name string `json:"name,omitempty"`
	Root string `json:"root"`
}

const (
	recordName  = "repo.json"
	maxRecord   = 64 << 10 // bytes
	maxRepoName = 100      // letters
)

// record names the repository's record in the folder of the workspace.
func (r *repo) record() string { return path.Join(codeDir, filepath.Base(r.dir), recordName) }

func checkRepoName(name string) error {
	if safeName(name) != name {
		return fmt.Errorf("name %.100q: letters, digits, '.', '_' and '-' are allowed", name)
	}
	if len(name) > maxRepoName {
		return fmt.Errorf("name %.100q: at most %d letters are allowed", name, maxRepoName)
	}
	return nil
}

// records reads what repositories are recorded, by folder. bad is told of records that are left out.
func (w *Workspace) records(bad func(file string, err error)) (map[string]recorded, error) {
	list, err := w.folder.ReadDir(codeDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	out := map[string]recorded{}
	for _, d := range list {
		file := path.Join(codeDir, d.Name(), recordName)
		if !d.IsDir() {
			continue
		}
		data, err := w.folder.ReadFile(file, maxRecord)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var rec recorded
		if err == nil {
			err = json.Unmarshal(data, &rec)
		}
		if err == nil {
			err = checkRepoName(rec.Name)
		}
		if err == nil && (!filepath.IsAbs(rec.Root) || filepath.Clean(rec.Root) != rec.Root || strings.ContainsRune(rec.Root, 0)) {
			err = fmt.Errorf("root %.100q is no absolute path in its shortest form", rec.Root)
		}
		if err != nil {
			bad(file, err)
			continue
		}
		out[d.Name()] = rec
	}
	return out, nil
}

// AddRepo adds the repository at root, or brings its graph up to date: files whose content did not change are not parsed
// again. Indexes of repositories that lay in the system's folder of temporary files and are gone are removed then. A file that cannot be read is listed in Changes.Skipped. See Options.Beside for an index that another process keeps.
func (w *Workspace) AddRepo(ctx context.Context, root string, o *RepoOptions) (*RepoInfo, error) {
	var opt RepoOptions
	if o != nil {
		opt = *o
	}
	if err := checkRepoName(opt.Name); err != nil {
		return nil, fmt.Errorf("add repository: %w", err)
	}
	abs, err := rootfs.Real(root)
	if err != nil {
		return nil, fmt.Errorf("add repository: %w", err)
	}
	if info, err := os.Stat(abs); err != nil {
		return nil, fmt.Errorf("add repository: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("add repository %s: not a folder", root)
	}
	w.sweep()
	if _, err := w.knownRepos(); err != nil {
		return nil, err
	}
	r, err := w.repoAt(abs, opt.Name)
	if err != nil {
		return nil, err
	}
	opened, err := r.open(ctx)
	if err != nil {
		return nil, err
	}
	ch := r.ix.Changes()
	if !opened {
		if ch, err = r.ix.Update(ctx); err != nil {
			return nil, err
		}
	}
	rec, err := json.Marshal(recorded{r.name, r.root})
	if err == nil {
		err = w.folder.WriteFile(r.record(), append(rec, '\n'))
	}
	if err != nil {
		return nil, fmt.Errorf("add repository %s: %w", root, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return &RepoInfo{Name: r.name, Root: r.root, Changes: ch, ReadOnly: r.reads}, nil
}

// Repos lists the repositories of the workspace, in the order of addition; those of earlier runs come first, by folder.
// Changes is nil for a repository that this process has not opened.
func (w *Workspace) Repos() ([]RepoInfo, error) {
	repos, err := w.knownRepos()
	if err != nil {
		return nil, err
	}
	var out []RepoInfo
	for _, r := range repos {
		info := RepoInfo{Name: r.name, Root: r.root}
		r.mu.Lock()
		if r.ix != nil {
			info.Changes, info.ReadOnly = r.ix.Changes(), r.reads
		}
		r.mu.Unlock()
		out = append(out, info)
	}
	return out, nil
}

// repoAt returns the repository at an absolute path, a new one when it is not known.
func (w *Workspace) repoAt(abs, name string) (*repo, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, fmt.Errorf("workspace %s: %w", w.dir, ErrClosed)
	}
	for _, r := range w.repos {
		if r.root == abs {
			if name != "" {
				r.name = name
				w.relabel()
			}
			return r, nil
		}
		if name != "" && r.name == name {
			return nil, fmt.Errorf("add repository: the name %q belongs to %s: choose another", name, r.root)
		}
	}
	sum := sha256.Sum256([]byte(abs))
	dir := filepath.Join(w.dir, codeDir, safeName(filepath.Base(abs))+"-"+hex.EncodeToString(sum[:6]))
	r := &repo{w: w, name: name, root: abs, dir: dir, fsys: rootfs.New(abs)}
	w.repos = append(w.repos, r)
	w.relabel()
	return r, nil
}

func safeName(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, s)
}

// knownRepos returns the repositories, those recorded in the folder included.
func (w *Workspace) knownRepos() ([]*repo, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, fmt.Errorf("workspace %s: %w", w.dir, ErrClosed)
	}
	if !w.loaded {
		only := w.onlyRepos()
		var known []*repo
		records, err := w.records(func(file string, err error) {
			w.opt.Logger.Warn("findspot: repository record left out", "path", filepath.Join(w.dir, file), "reason", err)
		})
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(records)) {
			rec := records[name]
			if only != nil && !slices.Contains(only, rec.Root) {
				continue
			}
			known = append(known, &repo{w: w, name: rec.Name, root: rec.Root, dir: filepath.Join(w.dir, codeDir, name), fsys: rootfs.New(rec.Root)})
		}
		slices.SortStableFunc(known, func(a, b *repo) int { // as they are named
			return cmp.Compare(slices.Index(only, a.root), slices.Index(only, b.root))
		})
		w.repos, w.loaded = append(w.repos, known...), true
		w.relabel()
	}
	return append([]*repo(nil), w.repos...), nil
}

// onlyRepos returns the roots of the repositories that [Options.OnlyRepos] means; nil: all.
func (w *Workspace) onlyRepos() []string {
	if len(w.opt.OnlyRepos) == 0 {
		return nil
	}
	out := []string{}
	for _, p := range w.opt.OnlyRepos {
		if real, err := rootfs.Real(p); err == nil { // one that is not there has nothing to answer from, and AddRepo says so
			out = append(out, real)
		}
	}
	return out
}

// sweep removes the indexes of repositories that lay in the system's folder of temporary files and are gone: scripts that ask about one
// checkout after another would fill the disk with them.
func (w *Workspace) sweep() {
	temp, err := rootfs.Real(os.TempDir())
	if err != nil {
		return
	}
	records, err := w.records(func(string, error) {})
	if err != nil {
		return // who lists the repositories is told
	}
	for _, name := range slices.Sorted(maps.Keys(records)) {
		rec := records[name]
		if !strings.HasPrefix(rec.Root, temp+string(filepath.Separator)) {
			continue
		}
		if _, err := os.Stat(rec.Root); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		dir, err := w.room(path.Join(codeDir, name))
		if err != nil {
			continue // whoever opens it is told
		}
		lock, err := disk.AcquireLock(dir, 0)
		if err != nil {
			continue // somebody has it open
		}
		err = errors.Join(lock.Unlock(), w.folder.Root().RemoveAll(path.Join(codeDir, name)))
		w.opt.Logger.Info("findspot: index of a temporary repository that is gone removed", "path", rec.Root, "err", err)
	}
}

// openRepos returns the repositories with their graphs open. One whose folder is gone is an error that says so.
func (w *Workspace) openRepos(ctx context.Context) ([]*repo, error) {
	repos, err := w.knownRepos()
	if err != nil {
		return nil, err
	}
	for _, r := range repos {
		if _, err := r.open(ctx); err != nil {
			return nil, err
		}
	}
	return repos, nil
}

// open opens the index when it is not open, which brings it up to date; the result says whether it did.
func (r *repo) open(ctx context.Context) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false, fmt.Errorf("workspace %s: %w", r.w.dir, ErrClosed)
	}
	if r.ix != nil {
		return false, nil
	}
	if _, err := r.w.room(codeDir); err != nil {
		return false, err
	}
	opt := codegraph.Options{
		Facts:      r.w.opt.Facts,
		TrustIndex: r.w.opt.TrustIndex,
		Logger:     r.w.opt.Logger,
		Progress: func(p codegraph.Progress) {
			r.w.progress(Progress{Room: "code", Name: p.Path, Done: p.Done, Total: p.Total})
		},
	}
	ix, err := codegraph.Open(ctx, r.dir, r.root, r.w.opt.Languages, &opt)
	var locked *LockedError
	if errors.As(err, &locked) && r.w.opt.Beside {
		opt.ReadOnly = true
		beside, bad := codegraph.Open(ctx, r.dir, r.root, r.w.opt.Languages, &opt)
		if bad == nil {
			r.w.opt.Logger.Warn("findspot: another process keeps the index, which is read as that saved it", "path", r.root, "pid", locked.PID)
			ix, err, r.reads = beside, nil, true
		} else if !errors.Is(bad, ErrNotFound) { // nothing is saved yet: the lock says more
			err = bad
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("repository %s is gone: delete %s to forget it: %w", r.root, r.dir, err)
	}
	if err != nil {
		return false, err
	}
	r.ix = ix
	return true, nil
}

// servers returns the client for the repository's language servers; none is started by it.
func (r *repo) servers(ctx context.Context) (*lspclient.Client, error) {
	if lc, err := r.client(nil); lc != nil || err != nil {
		return lc, err
	}
	o, err := r.w.serverOptions(r.root, r.locate) // without r.mu: it looks at the other repositories
	if err != nil {
		return nil, err
	}
	return r.client(func() (*lspclient.Client, error) { return lspclient.Open(ctx, r.root, o) })
}

// client returns the client, or what open makes when there is none yet.
func (r *repo) client(open func() (*lspclient.Client, error)) (*lspclient.Client, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, fmt.Errorf("workspace %s: %w", r.w.dir, ErrClosed)
	}
	if r.lc != nil || open == nil {
		return r.lc, nil
	}
	lc, err := open()
	r.lc = lc
	return lc, err
}

// locate gives a language server the graph's places of a name.
func (r *repo) locate(ctx context.Context, name string) ([]lspclient.Location, error) {
	if _, err := r.open(ctx); err != nil {
		return nil, err
	}
	var out []lspclient.Location
	for _, e := range r.graph().Named(name) {
		if e.Line > 0 && (e.Kind == codegraph.KindClass || e.Kind == codegraph.KindFunction) {
			out = append(out, lspclient.Location(r.namePlace(e)))
		}
	}
	return out, nil
}

func (r *repo) close() error {
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

// id writes an entity's id as the workspace shows it.
func (r *repo) id(local string) string {
	if r.label() == "" {
		return local
	}
	return r.label() + "//" + local
}

// localID cuts the repository's name off an id; ok is false when the id belongs to another repository.
func (r *repo) localID(id string) (local string, ok bool) {
	name, rest, found := strings.Cut(id, "//")
	if !found {
		return id, true
	}
	return rest, name == r.label() || name == r.name && name != "" || r.label() == "" && name == r.folder()
}
