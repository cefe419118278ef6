package hosttools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/agenttools/doctools"
	"github.com/findspot/findspot/internal/documents"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/skill"
)

// index is the tool index.
type index struct {
	docs  *documents.Library
	repos *repository.Store
	roots []string // below which it may add

	changing sync.Mutex // one call that changes something at a time
}

type indexInput struct {
	Paths   []string `json:"paths,omitempty" alias:"path,folder,directory,repo_path" jsonschema:"files or folders to add or update; empty: list what is indexed"`
	As      string   `json:"as,omitempty" alias:"kind,type" enum:"documents,repository" jsonschema:"what a folder contains; empty: a folder with project files (.git, go.mod, pyproject.toml, ...) is a repository, others hold documents"`
	Refresh bool     `json:"refresh,omitempty" alias:"update" jsonschema:"update the known repositories, and report which documents changed"`
	agenttools.Budget
}

// A report is what the tool index returns.
type report struct {
	Documents    int           `json:"documents"`    // in the library
	Ready        int           `json:"ready"`        // of them
	Collections  []string      `json:"collections"`  // by name
	Repositories []indexedRepo `json:"repositories"` // in the order of addition
	Changed      []string      `json:"changed"`      // what this call did, in order: a line for each document and repository that it changed
	Failed       []string      `json:"failed"`       // what could not be read, or is not up to date
}

// An indexedRepo is a repository in a report.
type indexedRepo struct {
	Name     string `json:"name,omitempty"`
	Root     string `json:"root"`
	Entities int    `json:"entities"`
	Edges    int    `json:"edges"`
}

// Index is the tool index. It adds what lies below the roots.
func Index(docs *documents.Library, repos *repository.Store, roots []string) agenttools.Definition {
	t := &index{docs: docs, repos: repos, roots: roots}
	b := agenttools.New("index", "Without arguments, lists what is indexed: the documents with their ids, the repositories, and what failed. With paths, adds or updates files and folders, and reports what changed. "+
		"Only folders that the host allowed can be added.",
		"Use it first to see what there is to search; with paths after files were written or fetched. Code searches see edits without it.", t.call)
	b.Changes = true // with paths, and with refresh whatever the host allows
	b.Brief = "Without arguments, lists the documents (ids, titles) and repositories. With paths, adds files and folders within what the host allowed, or updates them, and reports changes."
	return b
}

// maxIndexPaths bounds the sources of one call, maxIndexLines the lines of the report about them.
const (
	maxIndexPaths = 50
	maxIndexLines = 500
)

func (t *index) call(ctx context.Context, in indexInput) (*skill.Result, error) {
	rep := &report{Collections: []string{}, Repositories: []indexedRepo{}, Changed: []string{}, Failed: []string{}}
	if len(in.Paths) > maxIndexPaths {
		return nil, fmt.Errorf("index: %d paths, the limit is %d in one call", len(in.Paths), maxIndexPaths)
	}
	var sources []string
	for _, p := range in.Paths { // all are looked at before anything is read
		real, err := t.allowed(p)
		if err != nil {
			return nil, err
		}
		sources = append(sources, real)
	}
	if len(sources) > 0 || in.Refresh {
		t.changing.Lock()
		defer t.changing.Unlock()
	}
	for _, p := range sources {
		if err := t.addSource(ctx, p, in.As, rep); err != nil {
			return nil, err
		}
	}
	if in.Refresh {
		if err := t.refresh(ctx, rep); err != nil {
			return nil, err
		}
	}
	return t.status(ctx, rep, agenttools.Tokens(in.Tokens, agenttools.SearchTokens))
}

// allowed resolves a path, links included, and refuses what does not lie below a root. Relative paths are tried below each root.
func (t *index) allowed(p string) (string, error) {
	if strings.TrimSpace(p) == "" {
		return "", errors.New("index: an empty path")
	}
	if len(t.roots) == 0 {
		return "", fmt.Errorf("index: %s: the host allows no folder to be added (findspot mcp --index-root DIR, ToolsOptions.IndexRoots); without paths this tool tells what there is: %w", p, errs.Unsupported)
	}
	var missing error
	for _, root := range t.roots {
		base, err := rootfs.Real(root)
		if err != nil {
			missing = err
			continue
		}
		full := filepath.FromSlash(p)
		if !filepath.IsAbs(full) {
			full = filepath.Join(base, full)
		}
		real, err := rootfs.Real(full)
		if err != nil {
			if rootfs.Below(base, filepath.Clean(full)) {
				missing = fmt.Errorf("index: %s: %w", p, errs.NotFound)
			}
			continue
		}
		if rootfs.Below(base, real) {
			return real, nil
		}
	}
	if missing != nil && errors.Is(missing, errs.NotFound) {
		return "", missing
	}
	return "", fmt.Errorf("index: %s is outside of the folders that the host allows (%s): %w", p, strings.Join(t.roots, ", "), errs.Unsupported)
}

// projectMarks are files and folders that stand at the root of a repository.
var projectMarks = []string{".git", ".hg", "go.mod", "pyproject.toml", "setup.py", "setup.cfg", "package.json", "tsconfig.json", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "CMakeLists.txt", "Makefile"}

func (t *index) addSource(ctx context.Context, p, as string, rep *report) error {
	info, err := os.Stat(p)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	isRepository := as == "repository"
	if as == "" && info.IsDir() {
		isRepository = slices.ContainsFunc(projectMarks, func(m string) bool {
			_, err := os.Lstat(filepath.Join(p, m))
			return err == nil
		})
	}
	if isRepository {
		if !info.IsDir() {
			return fmt.Errorf("index: %s is a file: a repository is a folder", p)
		}
		r, ch, err := t.repos.Add(ctx, p, "")
		if err != nil {
			return fmt.Errorf("index: %w", err)
		}
		rep.repository(r.Root, ch)
		return nil
	}
	for doc, err := range t.docs.AddFolder(ctx, p, nil) {
		var bad *docsearch.IngestError
		switch {
		case errors.As(err, &bad):
			rep.fail(bad.Error())
		case err != nil:
			return fmt.Errorf("index: %w", err)
		case doc.Change != docsearch.Unchanged:
			rep.change(fmt.Sprintf("%s %s %s (%d pages)", doc.Change, doc.ID, doc.Name, doc.Pages))
		}
	}
	return ctx.Err()
}

func (r *report) change(line string) {
	if len(r.Changed) < maxIndexLines {
		r.Changed = append(r.Changed, line)
	}
}

func (r *report) fail(line string) {
	if len(r.Failed) < maxIndexLines {
		r.Failed = append(r.Failed, line)
	}
}

func (r *report) repository(root string, ch *codegraph.Changes) {
	if ch.Added+ch.Changed+ch.Removed > 0 {
		r.change(fmt.Sprintf("repository %s: %d files added, %d changed, %d removed", root, ch.Added, ch.Changed, ch.Removed))
	}
	for _, s := range ch.Skipped {
		if !s.Rule {
			r.fail(fmt.Sprintf("repository %s: %s left out: %s", root, s.Path, s.Reason))
		}
	}
}

// refresh updates what is indexed, wherever it came from: the host added it.
func (t *index) refresh(ctx context.Context, rep *report) error {
	repos, err := t.repos.Opened(ctx)
	if err != nil {
		return err
	}
	for _, r := range repos {
		ch, err := r.Update(ctx)
		if errors.Is(err, fs.ErrNotExist) {
			rep.fail(fmt.Sprintf("repository %s: %v", r.Root, err))
			continue
		}
		if err != nil {
			return err
		}
		rep.repository(r.Root, ch)
	}
	lib, err := t.docs.Open(ctx)
	if err != nil {
		return err
	}
	seen, err := lib.CheckSources(ctx, 0)
	if err != nil {
		return err
	}
	if n := seen.Changed + seen.Gone; n > 0 {
		rep.fail(fmt.Sprintf("%d documents changed on disk since they were read, and of %d the file is gone, such as %s: give the folder that they came from with paths",
			seen.Changed, seen.Gone, strings.Join(seen.Examples[:min(len(seen.Examples), 5)], ", ")))
	}
	return nil
}

// status describes what is indexed.
func (t *index) status(ctx context.Context, rep *report, tokens int) (*skill.Result, error) {
	lib, err := t.docs.Open(ctx)
	if err != nil {
		return nil, err
	}
	list, err := lib.List(ctx, &docsearch.ListOptions{Limit: 500})
	if err != nil {
		return nil, err
	}
	collections, err := lib.Collections(ctx)
	if err != nil {
		return nil, err
	}
	repos, err := t.repos.Opened(ctx)
	if err != nil {
		return nil, err
	}
	rep.Documents = list.Total
	var b strings.Builder
	for _, l := range rep.Changed {
		fmt.Fprintln(&b, l)
	}
	for _, l := range rep.Failed {
		fmt.Fprintf(&b, "not up to date: %s\n", l)
	}
	for _, r := range repos {
		entities, edges := r.Graph().Len()
		rep.Repositories = append(rep.Repositories, indexedRepo{Name: r.Label(), Root: r.Root, Entities: entities, Edges: edges})
		fmt.Fprintf(&b, "repository %s %s: %d entities, %d edges\n", r.Label(), r.Root, entities, edges)
	}
	for _, c := range collections {
		rep.Collections = append(rep.Collections, c.Name)
		fmt.Fprintf(&b, "collection %q: %d documents\n", c.Name, c.Documents)
	}
	fmt.Fprintf(&b, "%d documents\n", list.Total)
	for _, d := range list.Documents {
		if d.Status != docsearch.StatusFailed && d.Status != docsearch.StatusPending {
			rep.Ready++
		}
		b.WriteString(doctools.Line(d))
	}
	if list.Next != "" {
		fmt.Fprintf(&b, "%d more documents: list_documents with after %q\n", list.Total-len(list.Documents), list.Next)
	}
	return agenttools.TextOnly(b.String(), rep, tokens, "list_documents lists them page by page"), nil
}
