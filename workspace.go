package findspot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/documents"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/servers"
	"github.com/findspot/findspot/internal/source"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
)

// formatVersion of a workspace folder: older programs must refuse a newer one.   1: first.
const formatVersion = IndexFormat

// IndexFormat is the version of a workspace's folder that this package writes, and the newest that it reads. What the rooms in it write has versions of its own.
const IndexFormat = 1

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
	// Embedder makes vectors of passages, titles and captions, and of queries; nil: documents are searched by words alone. See docsearch.Options.
	Embedder docsearch.Embedder
	// CodeEmbedder makes vectors of functions and classes, and of plain questions about code; nil: code is searched by names and words alone. It may be the same
	// as Embedder. It is handed the text of the code. See codegraph.Options.
	CodeEmbedder codegraph.Embedder
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
	closed atomic.Bool

	base *Workspace // that this one is a view of; nil: none

	docs    *documents.Library
	repos   *repository.Store
	servers *servers.Servers

	loaded    sync.Once // what follows is there: most questions need no skill
	skills    []*skill.Skill
	skillErrs []error // of the skills that were left out

	progressMu sync.Mutex // one caller of Progress at a time
}

// Open opens the workspace in the folder dir, which is made when it is not there. Skills are loaded when they are first needed; those that do not
// load are left out, and [Workspace.SkillErrors] says why.
//
// The folder has a marker of the user who made it, under a key in the user's configuration folder. Without a good one a folder that
// holds an index is an error wrapping an [*UntrustedError], and so is one that is a symbolic link or holds anything but folders and regular files, that
// belongs to another user, or that everybody may write in. See Options.TrustIndex.
func Open(ctx context.Context, dir string, o *Options) (*Workspace, error) {
	w := &Workspace{dir: dir}
	if err := w.settle(o); err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.openFolder(); err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	w.makeRooms()
	return w, nil
}

// View returns a workspace of the same folder that shares what w has open, and answers under options of its own: for one question, caller or
// command among many, without opening an index again. It reads and writes beside w and other views of it. Sources that it adds stay in the folder, and w
// answers from them too unless its own options limit it; limits of w do not hold for its views. What language servers observed through one is not known to the others.
//
// The library of documents, graphs and language servers are shared. Options of reading (OCR, Embedder, Glossary) count for what the view asks and adds. Where
// Servers or Trust are not those of w, the view starts language servers of its own, and where Library is set or only w has one, a library of its own; ReadDocs
// keeps it from adding only there. Languages, Facts and TrustIndex are those of w.
//
// Closing a view closes what is its own. Once w is closed, calls of its views end with [ErrClosed].
func (w *Workspace) View(o *Options) (*Workspace, error) {
	base := w
	for base.base != nil {
		base = base.base
	}
	if base.closed.Load() {
		return nil, fmt.Errorf("workspace %s: %w", w.dir, ErrClosed)
	}
	v := &Workspace{dir: base.dir, folder: base.folder, base: base}
	if err := v.settle(o); err != nil {
		return nil, fmt.Errorf("view of a workspace: %w", err)
	}
	v.opt.Languages, v.opt.Facts, v.opt.TrustIndex = base.opt.Languages, base.opt.Facts, base.opt.TrustIndex
	v.makeRooms()
	return v, nil
}

// settle takes the options, and gives those that are not set their defaults.
func (w *Workspace) settle(o *Options) (err error) {
	if o != nil {
		w.opt = *o
	}
	if w.opt.OnlyDocs, err = absolute(w.opt.OnlyDocs); err == nil { // the working directory may be another one later
		w.opt.OnlyRepos, err = absolute(w.opt.OnlyRepos)
	}
	if w.opt.Languages == nil {
		w.opt.Languages = Languages()
	}
	if w.opt.Facts == "" {
		w.opt.Facts = filepath.Join(w.dir, factsDir)
	}
	if w.opt.Logger == nil {
		w.opt.Logger = slog.New(slog.DiscardHandler)
	}
	return err
}

// known loads the shipped skills and those of the folders, once.
func (w *Workspace) known() []*skill.Skill {
	w.loaded.Do(w.loadSkills)
	return w.skills
}

func (w *Workspace) loadSkills() {
	for _, fsys := range append([]fs.FS{library.Skills()}, w.opt.Skills...) {
		skills, err := skill.Load(fsys)
		if err != nil {
			w.skillErrs = append(w.skillErrs, err)
		}
		w.addSkills(skills)
	}
}

// makeRooms makes documents, repositories and servers, none of which is open yet.
func (w *Workspace) makeRooms() {
	w.docs = documents.New(documents.Options{
		Workspace: w.dir, Open: w.openDocs, Only: w.opt.OnlyDocs, Glossary: w.opt.Glossary, Logger: w.opt.Logger,
		Progress: func(p docsearch.Progress) {
			w.progress(Progress{Room: "docs", Name: p.Doc, Done: p.Done, Total: p.Total, Page: p.Page, Pages: p.Pages})
		},
	})
	w.servers = &servers.Servers{Settings: servers.Settings(w.opt.Servers), Off: w.opt.NoServers, Trust: w.opt.Trust, Logger: w.opt.Logger}
	o := repository.Options{
		Workspace: w.dir, Languages: w.opt.Languages, Beside: w.opt.Beside, Policy: w.policy(),
		Graph: codegraph.Options{Facts: w.opt.Facts, TrustIndex: w.opt.TrustIndex, Logger: w.opt.Logger, Progress: func(p codegraph.Progress) {
			w.progress(Progress{Room: "code", Name: p.Path, Done: p.Done, Total: p.Total})
		}, Embedder: w.opt.CodeEmbedder},
		Room: w.room, Servers: w.servers.ClientOptions,
	}
	if w.base != nil {
		o.OwnServers = w.opt.Trust != w.base.opt.Trust || !reflect.DeepEqual(w.opt.Servers, w.base.opt.Servers)
		w.repos = w.base.repos.View(w.opt.OnlyRepos, o)
	} else {
		w.repos = repository.NewStore(w.folder, codeDir, w.opt.OnlyRepos, o)
	}
	w.servers.Repos = w.repos
}

// policy says what answers may show.
func (w *Workspace) policy() source.Policy {
	return source.Policy{ShowSecrets: w.opt.ShowSecrets, ReadIgnored: w.opt.ReadIgnored}
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

// Tools returns what the workspace can do as functions for an agent: a name, a description, guidance, a JSON Schema and the function
// itself. They are safe for concurrent use. All that they return carries keys of one ledger. The order is fixed: documents, code, language
// servers, text, whole questions, other names, then what writes.
//
// The tool read, without arguments, reads what the last find named: in the call's [skill.Scope] where there is one, as under
// every [github.com/findspot/findspot/skill/runner.Run], else among all calls of this set of tools.
func (w *Workspace) Tools(o *ToolsOptions) []skill.Tool { return tools(w, o) }

// guard makes answers fit to be shown.
func (w *Workspace) guard() agenttools.Guard {
	return agenttools.Guard{ShowSecrets: w.opt.ShowSecrets, Logger: w.opt.Logger}
}

// Close ends language servers and closes every room. It waits for none of the calls under way: they end with [ErrClosed].
func (w *Workspace) Close() error {
	if w.closed.Swap(true) {
		return nil
	}
	err := errors.Join(w.repos.Close(), w.docs.Close())
	if w.base == nil {
		err = errors.Join(err, w.folder.Close())
	}
	return err
}

// Skills returns the skills of the workspace, each name once: the shipped ones by name, then those of each folder by name.
func (w *Workspace) Skills() []*skill.Skill { return slices.Clone(w.known()) }

// SkillErrors says what is wrong with the skills that were left out.
func (w *Workspace) SkillErrors() []error {
	w.known()
	return slices.Clone(w.skillErrs)
}

// Guide returns the text that teaches an agent when to use which tool: the rules of the house, the skills of the
// workspace, and the project's own rules. It is meant for a system prompt, and ends with a newline.
func (w *Workspace) Guide() string { return guide(w.known(), w.opt.Rules) }

// WriteGuide puts the guide into the file at path, between two marks, and keeps everything else in it. A file that is
// not there is made; a block that is there is replaced; what is up to date is not written again. The result says whether
// the file changed. The permissions stay. A link that leads out of the current folder is refused with [ErrRefused].
func (w *Workspace) WriteGuide(path string) (changed bool, err error) {
	return writeGuide(path, w.Guide())
}

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
