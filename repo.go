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

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/source"
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

// repoOptions are those of each repository of the workspace.
func (w *Workspace) repoOptions() repository.Options {
	return repository.Options{
		Workspace: w.dir, Languages: w.opt.Languages, Beside: w.opt.Beside, Policy: w.policy(),
		Graph: codegraph.Options{Facts: w.opt.Facts, TrustIndex: w.opt.TrustIndex, Logger: w.opt.Logger, Progress: func(p codegraph.Progress) {
			w.progress(Progress{Room: "code", Name: p.Path, Done: p.Done, Total: p.Total})
		}},
		Prepare: func() error { _, err := w.room(codeDir); return err },
		Servers: w.serverOptions,
	}
}

// policy says what answers may show.
func (w *Workspace) policy() source.Policy {
	return source.Policy{ShowSecrets: w.opt.ShowSecrets, ReadIgnored: w.opt.ReadIgnored}
}

func checkRepoName(name string) error {
	if repository.SafeName(name) != name {
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

// record names a repository's record in the folder of the workspace.
func record(r *repository.Repository) string {
	return path.Join(codeDir, filepath.Base(r.Dir), recordName)
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
	opened, err := r.Open(ctx)
	if err != nil {
		return nil, err
	}
	ch := r.Index().Changes()
	if !opened {
		if ch, err = r.Index().Update(ctx); err != nil {
			return nil, err
		}
	}
	rec, err := json.Marshal(recorded{r.Name, r.Root})
	if err == nil {
		err = w.folder.WriteFile(record(r), append(rec, '\n'))
	}
	if err != nil {
		return nil, fmt.Errorf("add repository %s: %w", root, err)
	}
	return &RepoInfo{Name: r.Name, Root: r.Root, Changes: ch, ReadOnly: r.ReadOnly()}, nil
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
		info := RepoInfo{Name: r.Name, Root: r.Root}
		if ix := r.Index(); ix != nil {
			info.Changes, info.ReadOnly = ix.Changes(), r.ReadOnly()
		}
		out = append(out, info)
	}
	return out, nil
}

// repoAt returns the repository at an absolute path, a new one when it is not known.
func (w *Workspace) repoAt(abs, name string) (*repository.Repository, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, fmt.Errorf("workspace %s: %w", w.dir, ErrClosed)
	}
	for _, r := range w.repos {
		if r.Root == abs {
			if name != "" {
				r.Name = name
				w.relabel()
			}
			return r, nil
		}
		if name != "" && r.Name == name {
			return nil, fmt.Errorf("add repository: the name %q belongs to %s: choose another", name, r.Root)
		}
	}
	sum := sha256.Sum256([]byte(abs))
	dir := filepath.Join(w.dir, codeDir, repository.SafeName(filepath.Base(abs))+"-"+hex.EncodeToString(sum[:6]))
	r := repository.New(abs, dir, name, w.repoOptions())
	w.repos = append(w.repos, r)
	w.relabel()
	return r, nil
}

// knownRepos returns the repositories, those recorded in the folder included.
func (w *Workspace) knownRepos() ([]*repository.Repository, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, fmt.Errorf("workspace %s: %w", w.dir, ErrClosed)
	}
	if !w.loaded {
		only := w.onlyRepos()
		var known []*repository.Repository
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
			known = append(known, repository.New(rec.Root, filepath.Join(w.dir, codeDir, name), rec.Name, w.repoOptions()))
		}
		slices.SortStableFunc(known, func(a, b *repository.Repository) int { // as they are named
			return cmp.Compare(slices.Index(only, a.Root), slices.Index(only, b.Root))
		})
		w.repos, w.loaded = append(w.repos, known...), true
		w.relabel()
	}
	return append([]*repository.Repository(nil), w.repos...), nil
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
func (w *Workspace) openRepos(ctx context.Context) ([]*repository.Repository, error) {
	repos, err := w.knownRepos()
	if err != nil {
		return nil, err
	}
	for _, r := range repos {
		if _, err := r.Open(ctx); err != nil {
			return nil, err
		}
	}
	return repos, nil
}
