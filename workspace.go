package findspot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
)

// formatVersion of a workspace folder: older programs must refuse a newer one.   1: first.
const formatVersion = 1

// Version of the library.
const Version = "0.1.0"

// Options of a [Workspace]. The zero value of each field is its default.
type Options struct {
	// Languages are the front ends for code; nil means Languages().
	Languages []lang.Frontend
	// Skills are folders of skills (each with a SKILL.md) beside the shipped ones. A skill takes the place of one of the same name in a
	// folder before its own, and of a shipped one.
	Skills []fs.FS
	// Rules are the project's own rules, added to the guide.
	Rules string
	// OnlyDocs limits the workspace to the documents that came from these folders or files, and those that this workspace adds, documents from
	// memory too: whatever it or a tool of it is asked, it answers as though its folder held no others. See [docsearch.Library.Within] for what that is
	// for adding, checking and copying. Empty means no limit.
	OnlyDocs []string
	// OnlyRepos limits the workspace likewise to the repositories with these roots, and those that it adds: not to repositories that lie in
	// them, which count only when they are named. Where a path is a link, the folder that it leads to is meant. Those of earlier runs come in
	// this order. Empty means no limit.
	OnlyRepos []string
	// NoServers leaves language servers out: callers then come from the graph and from text.
	NoServers bool
	// Servers says which language servers there are, and how they are used.
	Servers ServerOptions
	// ShowSecrets gives out what is known to hold secrets: files such as .env and id_rsa, and keys and tokens in texts, which are masked
	// otherwise.
	ShowSecrets bool
	// ReadIgnored gives out files that .gitignore leaves out. Searches of text leave them out all the same.
	ReadIgnored bool
	// Trust lets language servers use the network and run a repository's build code. See lspclient.Options.
	Trust bool
	// Beside makes the workspace read the code index of a repository as another process saved it last, where one keeps it,
	// instead of failing with a LockedError. It stays so until the workspace is closed, also when the other process ends
	// before: for short work only.
	Beside bool
	// ReadDocs opens the library of documents read-only where there is one, so that this workspace neither keeps another
	// process from adding documents nor waits for it. Adding and removing documents then fail.
	ReadDocs bool
	// Library opens the library of documents with the options that are given, elsewhere than in the folder: on a cluster, or with an engine of
	// one's own. It is called once, when documents are first needed, and again after an error; the workspace closes what it returns. It decides
	// itself what ReadDocs means. Nil: the folder holds the documents.
	Library func(ctx context.Context, o *docsearch.Options) (*docsearch.Library, error)
	// TrustIndex opens a folder of an index that somebody else made: that belongs to another user, can be written by everybody, or came with a
	// repository or an archive. What such an index says of documents and code need not be true. Symbolic links in it are refused all the same.
	TrustIndex bool
	// Facts is a folder where workspaces share what was read of equal source files, see codegraph.Open: a second worktree or clone then parses
	// only the files that differ. Empty: a folder in the workspace's own, for its repositories alone.
	Facts string
	// OCR reads scanned pages of PDFs; nil leaves them without text. Documents are read again when it changes.
	OCR extract.OCR
	// Glossary names synonyms that every search of documents finds too, unless it brings its own; nil: none.
	Glossary *docsearch.Glossary
	// Embedder makes vectors of passages, and of queries; nil: documents are searched by words alone. See docsearch.Options.
	Embedder docsearch.Embedder
	// Logger gets what was decided; nil discards.
	Logger *slog.Logger
	// Progress is called from one goroutine at a time, must not block, and is not called after the call it reports on
	// has returned.
	Progress func(Progress)
}

// Progress is how far the reading of sources has come.
type Progress struct {
	Room  string `json:"room"`  // "docs" or "code"
	Name  string `json:"name"`  // the document or file at hand
	Done  int    `json:"done"`  // documents or files finished
	Total int    `json:"total"` // 0: unknown
	Page  int    `json:"page"`  // page of the document read last; 0 for code
	Pages int    `json:"pages"`
}

// A Workspace joins a library of documents and code graphs under one folder, and answers questions from them. It is safe
// for concurrent use and meant to live long. The rooms open when they are first needed.
type Workspace struct {
	dir    string
	folder *disk.Folder // what dir was when it was opened
	opt    Options
	skills []*skill.Skill

	skillErrs []error // of the skills that were left out

	// mu guards what follows. It is held while a room opens, never while one works.
	mu     sync.Mutex
	docs   *docsearch.Library
	repos  []*repository.Repository // in order of addition, then of name
	loaded bool                     // the repositories recorded in the folder are in repos
	closed bool

	progressMu sync.Mutex   // one caller of Progress at a time
	docsTotal  atomic.Int64 // documents in the folder being added
}

// Open opens the workspace in the folder dir, which is made when it is not there. Skills that do not load
// are left out, and [Workspace.SkillErrors] says why.
//
// The folder has a marker of the user who made it, under a key in the user's configuration folder. Without a good one a folder that
// holds an index is an error wrapping an [*UntrustedError], and so is one that is a symbolic link or holds anything but folders and regular files, that
// belongs to another user, or that everybody may write in. See Options.TrustIndex.
func Open(ctx context.Context, dir string, o *Options) (*Workspace, error) {
	w := &Workspace{dir: dir}
	if o != nil {
		w.opt = *o
	}
	var err error
	if w.opt.OnlyDocs, err = absolute(w.opt.OnlyDocs); err == nil { // the working directory may be another one later
		w.opt.OnlyRepos, err = absolute(w.opt.OnlyRepos)
	}
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	if w.opt.Languages == nil {
		w.opt.Languages = Languages()
	}
	if w.opt.Facts == "" {
		w.opt.Facts = filepath.Join(dir, factsDir)
	}
	if w.opt.Logger == nil {
		w.opt.Logger = slog.New(slog.DiscardHandler)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.openFolder(); err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	for _, fsys := range append([]fs.FS{library.Skills()}, w.opt.Skills...) {
		skills, err := skill.Load(fsys)
		if err != nil {
			w.skillErrs = append(w.skillErrs, err)
		}
		w.addSkills(skills)
	}
	return w, nil
}

// The folders of the rooms in that of a workspace.
const (
	docsDir  = "docs"
	codeDir  = "code"
	factsDir = "facts"
)

// openFolder opens the folder, which is made for this user alone when it is not there.
func (w *Workspace) openFolder() (err error) {
	f, made, err := disk.MakeFolder(w.dir, w.opt.TrustIndex)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	rooms := []string{"VERSION", docsDir, codeDir, factsDir}
	if err := f.Check(append([]string{".gitignore"}, rooms...), codeDir); err != nil {
		return err
	}
	if err := f.CheckMade(rooms, w.opt.Logger); err != nil {
		return err
	}
	if f.GroupWritable() {
		w.opt.Logger.Warn("findspot: the group of the index's folder may write in it: chmod g-w", "path", w.dir)
	}
	if made { // an index is of no use to others, and none that came with a repository is opened
		if err := f.WriteFile(".gitignore", []byte("*\n")); err != nil {
			return err
		}
	}
	_, err = f.CheckVersion(formatVersion)
	w.folder = f
	return err
}

// room makes sure that the folder is still the one that was opened, and its folder of this name made by us, before something opens that by its path.
func (w *Workspace) room(name string) (string, error) {
	if err := w.folder.Same(); err != nil {
		return "", fmt.Errorf("workspace: %w", err)
	}
	if err := w.folder.Check([]string{name}); err != nil {
		return "", fmt.Errorf("workspace: %w", err)
	}
	return filepath.Join(w.dir, filepath.FromSlash(name)), nil
}

// addSkills adds the skills of a folder. One of a name that is there already takes its place: what a user wrote is meant, and
// of two with one name none could be chosen.
func (w *Workspace) addSkills(list []*skill.Skill) {
	before := len(w.skills)
	for _, s := range list {
		i := slices.IndexFunc(w.skills, func(x *skill.Skill) bool { return x.Name == s.Name })
		switch {
		case i < 0:
			w.skills = append(w.skills, s)
		case i < before:
			w.opt.Logger.Info("findspot: skill takes the place of another of its name", "skill", s.Name)
			w.skills[i] = s
		default:
			w.skillErrs = append(w.skillErrs, fmt.Errorf("skill %q: another skill in the same folder has this name; rename one of them", s.Name))
		}
	}
}

// Close ends language servers and closes every room. It waits for none of the calls under way: they end with [ErrClosed].
func (w *Workspace) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	var bad []error
	for _, r := range w.repos {
		bad = append(bad, r.Close())
	}
	if w.docs != nil {
		bad = append(bad, w.docs.Close())
	}
	bad = append(bad, w.folder.Close())
	return errors.Join(bad...)
}

// Docs returns the library of documents, which opens with the first call.
func (w *Workspace) Docs(ctx context.Context) (*docsearch.Library, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, fmt.Errorf("workspace %s: %w", w.dir, ErrClosed)
	}
	if w.docs == nil {
		lib, err := w.openDocs(ctx, &docsearch.Options{
			Extractors: map[string]extract.Extractor{".pdf": pdf.New(&pdf.Options{OCR: w.opt.OCR, Logger: w.opt.Logger})},
			Embedder:   w.opt.Embedder,
			Logger:     w.opt.Logger,
			Progress: func(p docsearch.Progress) {
				w.progress(Progress{Room: "docs", Name: p.Doc, Done: p.Done, Total: max(p.Total, int(w.docsTotal.Load())), Page: p.Page, Pages: p.Pages})
			},
		})
		if err != nil {
			return nil, err
		}
		if len(w.opt.OnlyDocs) > 0 {
			lib = lib.Within(w.opt.OnlyDocs...)
		}
		w.docs = lib
	}
	return w.docs, nil
}

func (w *Workspace) openDocs(ctx context.Context, o *docsearch.Options) (*docsearch.Library, error) {
	if w.opt.Library != nil {
		return w.opt.Library(ctx, o)
	}
	dir, err := w.room(docsDir)
	if err != nil {
		return nil, err
	}
	lib, err := blevestore.Open(ctx, dir, &blevestore.Options{Options: *o, ReadOnly: w.opt.ReadDocs, TrustIndex: w.opt.TrustIndex})
	if w.opt.ReadDocs && errors.Is(err, ErrNotFound) { // there is none yet: an empty one answers as well
		return blevestore.Open(ctx, dir, &blevestore.Options{Options: *o, TrustIndex: w.opt.TrustIndex})
	}
	return lib, err
}

// BackupDocs writes a copy of the library of documents into dir, a folder that is empty or not there, so that dir can be opened
// as a workspace by this user on this machine; see [docsearch.Library.Backup], and Options.TrustIndex for others.
func (w *Workspace) BackupDocs(ctx context.Context, dir string, o *docsearch.BackupOptions) error {
	lib, err := w.Docs(ctx)
	if err != nil {
		return err
	}
	names, err := os.ReadDir(dir)
	if err == nil && len(names) > 0 {
		return fmt.Errorf("backup %s: %w: the folder is not empty: give a new one", dir, docsearch.ErrUnsupported)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("backup: %w", err)
	}
	if err := lib.Backup(ctx, filepath.Join(dir, docsDir), o); err != nil {
		return err
	}
	f, err := disk.OpenFolder(dir, true)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	defer f.Close()
	if err := f.Mark(); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	_, err = f.CheckVersion(formatVersion)
	return err
}

// AddDocs adds the documents of a folder, or one file, or brings them up to date: unchanged ones cost a look at their
// size and time. It yields each document with what was done, in the order of their paths, and goes on past a bad file,
// which yields a [*docsearch.IngestError]. Documents that came from this folder and are there no more, and lines that a file of JSON Lines no longer has, are
// removed once the walk has ended. An error that is no IngestError ends the iteration.
func (w *Workspace) AddDocs(ctx context.Context, root string) iter.Seq2[*docsearch.Document, error] {
	return w.AddDocsWith(ctx, root, nil)
}

// AddDocsWith is [Workspace.AddDocs] with options for all documents of the folder; nil is fine.
func (w *Workspace) AddDocsWith(ctx context.Context, root string, o *docsearch.SourceOptions) iter.Seq2[*docsearch.Document, error] {
	return func(yield func(*docsearch.Document, error) bool) {
		lib, err := w.Docs(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		// The walk is cheap beside the reading; done first it tells how much there is to do.
		w.docsTotal.Store(int64(docsearch.CountFiles(ctx, root)))
		lines, whole := map[string]map[string]bool{}, true // ids of files of JSON Lines, and whether every line was understood
		for doc, err := range lib.AddAll(ctx, docsearch.With(docsearch.Files(root), o)) {
			if doc != nil && docsearch.IsJSONLines(doc.Origin) {
				if lines[doc.Origin] == nil {
					lines[doc.Origin] = map[string]bool{}
				}
				lines[doc.Origin][doc.ID] = true
			}
			if !yield(doc, err) {
				return
			}
			var bad *docsearch.IngestError
			if err != nil && !errors.As(err, &bad) {
				return
			}
			whole = whole && (err == nil || doc != nil)
		}
		if _, err := os.Stat(root); err == nil && ctx.Err() == nil {
			if !whole {
				lines = nil
			}
			if err := w.forgetRemoved(ctx, lib, root, lines); err != nil {
				yield(nil, err)
			}
		}
	}
}

// forgetRemoved removes the documents that came from below root and whose files are gone, and those of the files in lines that are not named there.
func (w *Workspace) forgetRemoved(ctx context.Context, lib *docsearch.Library, root string, lines map[string]map[string]bool) error {
	abs, err := rootfs.Real(root)
	if err != nil {
		return err
	}
	gone, file, missing := []string{}, "", false
	err = lib.Origins(ctx, func(id, origin string) {
		if rel, err := filepath.Rel(abs, origin); err != nil || !filepath.IsLocal(rel) {
			return
		}
		if file != origin {
			_, err := os.Lstat(origin)
			file, missing = origin, errors.Is(err, fs.ErrNotExist)
		}
		if missing || lines[origin] != nil && !lines[origin][id] {
			gone = append(gone, id)
		}
	})
	for _, id := range gone {
		if err == nil {
			err = lib.Remove(ctx, id)
		}
		if err == nil {
			w.opt.Logger.Info("findspot: document removed", "doc", id, "reason", "its file, or its line of it, is gone")
		}
	}
	return err
}

// AddDocument adds one document from memory under a name, whose extension says what it is. The same name with other
// content replaces it.
func (w *Workspace) AddDocument(ctx context.Context, name string, data []byte) (*docsearch.Document, error) {
	lib, err := w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	return lib.Add(ctx, docsearch.Bytes(name, data))
}

// SearchDocs is [docsearch.Library.Search] for the workspace's documents. Doc may be an id, a name, or a unique part of
// a name or title.
func (w *Workspace) SearchDocs(ctx context.Context, query string, o *docsearch.SearchOptions) (*docsearch.Results, error) {
	lib, err := w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	var opt docsearch.SearchOptions
	if o != nil {
		opt = *o
	}
	if opt.Glossary == nil {
		opt.Glossary = w.opt.Glossary
	}
	return lib.Search(ctx, query, &opt)
}

// Skills returns the skills of the workspace, each name once: the shipped ones by name, then those of each folder by name.
func (w *Workspace) Skills() []*skill.Skill { return append([]*skill.Skill(nil), w.skills...) }

// SkillErrors says what is wrong with the skills that were left out.
func (w *Workspace) SkillErrors() []error { return append([]error(nil), w.skillErrs...) }

func (w *Workspace) progress(p Progress) {
	if w.opt.Progress == nil {
		return
	}
	w.progressMu.Lock()
	defer w.progressMu.Unlock()
	w.opt.Progress(p)
}

func absolute(paths []string) ([]string, error) {
	var out []string
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		out = append(out, abs)
	}
	return out, nil
}

// Graphs returns the current graph of each repository, in the order of addition. The graphs are immutable.
func (w *Workspace) Graphs(ctx context.Context) ([]*codegraph.Graph, error) {
	repos, err := w.openRepos(ctx)
	if err != nil {
		return nil, err
	}
	var out []*codegraph.Graph
	for _, r := range repos {
		out = append(out, r.Graph())
	}
	return out, nil
}
