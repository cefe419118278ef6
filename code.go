package findspot

import (
	"context"
	"fmt"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/skill/evidence"
)

// RepoOptions of [Workspace.AddRepo].
type RepoOptions struct {
	// Name tells several repositories apart: ids of its entities begin with "name//". Letters, digits, ".", "_" and "-"
	// are allowed. Empty: the folder's name where there are several repositories, and no prefix for one alone.
	Name string
}

// A RepoInfo describes a repository of a workspace.
type RepoInfo struct {
	Name    string             `json:"name,omitempty"`
	Root    string             `json:"root"` // absolute path
	Changes *codegraph.Changes `json:"changes"`
	// ReadOnly says that another process keeps the index, see Options.Beside, and that answers are as of what it saved last.
	ReadOnly bool `json:"read_only,omitempty"`
	// Entities and Edges are how large the graph is, from [Workspace.Watch] alone; the name is then that in answers.
	Entities int `json:"entities,omitempty"`
	Edges    int `json:"edges,omitempty"`
}

// Languages returns the language front ends of this build.
func Languages() []lang.Frontend { return append(parsed(), gosyntax.Frontend()) }

// AddRepo adds the repository at root, or brings its graph up to date: files whose content did not change are not parsed
// again. Indexes of repositories that lay in the system's folder of temporary files and are gone are removed then. A file that cannot be read is listed in Changes.Skipped. See Options.Beside for an index that another process keeps.
func (w *Workspace) AddRepo(ctx context.Context, root string, o *RepoOptions) (*RepoInfo, error) {
	var opt RepoOptions
	if o != nil {
		opt = *o
	}
	r, ch, err := w.repos.Add(ctx, root, opt.Name)
	if err != nil {
		return nil, err
	}
	return &RepoInfo{Name: r.Name, Root: r.Root, Changes: ch, ReadOnly: r.ReadOnly()}, nil
}

// Repos lists the repositories of the workspace, in the order of addition; those of earlier runs come first, by folder.
// Changes is nil for a repository that this process has not opened.
func (w *Workspace) Repos() ([]RepoInfo, error) {
	repos, err := w.repos.Known()
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

// Graphs returns the current graph of each repository, in the order of addition. The graphs are immutable.
func (w *Workspace) Graphs(ctx context.Context) ([]*codegraph.Graph, error) {
	repos, err := w.repos.Opened(ctx)
	if err != nil {
		return nil, err
	}
	var out []*codegraph.Graph
	for _, r := range repos {
		out = append(out, r.Graph())
	}
	return out, nil
}

// SearchCode searches the graphs of all repositories as one: names before bodies, better kinds of match first, scores on
// one scale. See [codegraph.Graph.Search]. With several repositories an id begins with the name of its own:
// "name//path:entity"; the name is that of [RepoOptions], else that of the folder.
func (w *Workspace) SearchCode(ctx context.Context, query string, o *codegraph.SearchOptions) (*codegraph.SearchResult, error) {
	return w.repos.Search(ctx, query, o)
}

// EmbedCode makes the vectors of functions and classes that are missing in the repositories, and returns when none is. It ends with the first error of the
// embedder; what was made till then is kept. Without Options.CodeEmbedder the error wraps [ErrUnsupported].
func (w *Workspace) EmbedCode(ctx context.Context) error { return w.repos.Embed(ctx) }

// EmbedCodeState says how far the making of vectors of code is, which goes on in the background. Without Options.CodeEmbedder the error wraps
// [ErrUnsupported].
func (w *Workspace) EmbedCodeState(ctx context.Context) (*codegraph.EmbedState, error) {
	return w.repos.EmbedState(ctx)
}

// Locate ranks the places of all repositories that a text is likely about, such as an issue, as one list. See
// [codegraph.Graph.Locate]. Ids are as those of [Workspace.SearchCode].
func (w *Workspace) Locate(ctx context.Context, text string, o *codegraph.LocateOptions) (*codegraph.LocateResult, error) {
	return w.repos.Locate(ctx, text, o)
}

// Named gives the entities that a written name may mean, see [codegraph.Graph.Named], and near ids when there are none.
func (w *Workspace) Named(ctx context.Context, name string) (found []codegraph.Entity, near []string, err error) {
	return w.repos.Named(ctx, name)
}

// Traverse walks the graphs from entities, which may belong to several repositories. See [codegraph.Graph.Traverse] and
// [codegraph.Set.Traverse].
func (w *Workspace) Traverse(ctx context.Context, ids []string, o *codegraph.TraverseOptions) (*codegraph.Walk, error) {
	return w.repos.Traverse(ctx, ids, o)
}

// Retrieve returns the text of entities in the order of ids, which may belong to several repositories. See
// [codegraph.Graph.Retrieve].
func (w *Workspace) Retrieve(ctx context.Context, ids []string, o *codegraph.RetrieveOptions) ([]codegraph.Retrieved, error) {
	return w.repos.Retrieve(ctx, ids, o)
}

// ReadLines returns lines of a file of a repository as an item of evidence. The path is relative to the root and may
// begin with "name//". The first and last line count from 1, inclusive; what lies behind the end of the file is left out.
func (w *Workspace) ReadLines(ctx context.Context, path string, first, last int) (evidence.Item, error) {
	return w.repos.Lines(ctx, path, first, last)
}

// GrepOptions says what a text search looks at.
type GrepOptions struct {
	Regexp     bool   // the pattern is a regular expression (RE2 syntax); otherwise it is plain text
	Word       bool   // the match must not continue a word on either side
	IgnoreCase bool   // upper and lower case are the same
	Path       string // glob of the paths to search, such as "src/*.py" or "*.go" (a pattern without "/" is matched with the file name); "" means all
	Limit      int    // most lines to return; 0 means 100
}

// TextMatch is one line that matches.
type TextMatch struct {
	Repo    string   `json:"repo,omitempty"` // name of the repository, when it has one
	Path    string   `json:"path"`
	Line    int      `json:"line"`    // from 1
	Col     int      `json:"col"`     // byte column of the first match, from 1
	Text    string   `json:"text"`    // the line, without its end; long lines are cut around the first match
	Matches [][2]int `json:"matches"` // byte ranges of Text, half-open
}

// TextMatches is the answer to a text search.
type TextMatches struct {
	Pattern   string      `json:"pattern"`
	Total     int         `json:"total"`     // matching lines, all of them
	Files     int         `json:"files"`     // files searched
	Skipped   int         `json:"skipped"`   // files left out: binary, too large or not readable
	Truncated bool        `json:"truncated"` // there are more lines than Matches
	Matches   []TextMatch `json:"matches"`   // by repository, path and line; never nil
}

// SearchText searches the files of all repositories of the workspace line by line, as they are on disk now. Files that
// .gitignore leaves out, binary files and files over 4 MB are not searched. Text in other encodings is searched, and
// shown, as UTF-8. It is for broad patterns, strings and
// comments; who calls or uses a symbol is a question for [Workspace.Callers]. A pattern of more than 8192 bytes is [ErrTooLarge].
func (w *Workspace) SearchText(ctx context.Context, pattern string, o *GrepOptions) (*TextMatches, error) {
	var opt GrepOptions
	if o != nil {
		opt = *o
	}
	found, err := w.repos.SearchText(ctx, pattern, repository.TextSearch(opt))
	if err != nil {
		return nil, err
	}
	res := &TextMatches{Pattern: pattern, Total: found.Total, Files: found.Files, Skipped: found.Skipped, Truncated: found.Total > len(found.Lines), Matches: []TextMatch{}}
	for _, m := range found.Lines {
		res.Matches = append(res.Matches, TextMatch(m))
	}
	return res, nil
}

// Watch keeps the graphs of the repositories up to date until ctx ends, whose error it returns. It calls each, from one
// goroutine at a time, once for every repository with what opening it found, in the order of addition, and then after
// every update that changed a graph; see [codegraph.Index.Watch]. Queries meanwhile see the graphs as they are; a query
// that looks at the sources first makes an update of its own, which each does not see. Repositories that are added
// meanwhile are watched too. When one cannot be watched any more the others end too; after [Workspace.Close] the error wraps
// [ErrClosed].
func (w *Workspace) Watch(ctx context.Context, each func(*RepoInfo)) error {
	return w.repos.Watch(ctx, func(r *repository.Repository, ch *codegraph.Changes) {
		if each == nil {
			return
		}
		n, e := r.Index().Graph().Len()
		each(&RepoInfo{Name: r.Label(), Root: r.Root, Changes: ch, ReadOnly: r.ReadOnly(), Entities: n, Edges: e})
	})
}

// Callers tells who calls or uses the symbol of that name: an entity's id, or a name as people write it, such as
// "detect_pss" or "Server.Run". It asks the language server, then the code graph, then the text of the files, and says
// for each caller which of them knew it. The sources are read again before.
//
// A name that stands for several entities is answered for all of them together, and Symbols lists them. A name that is no
// entity but is written in the code, such as a constant's, is asked of the language server and of the text. A name that
// is neither is an error wrapping [ErrNotFound], with near names.
func (w *Workspace) Callers(ctx context.Context, name string, o *CallersOptions) (*CallersResult, error) {
	found, err := w.callers(ctx, name, o)
	if err != nil {
		return nil, err
	}
	return newCallers(found), nil
}

func (w *Workspace) callers(ctx context.Context, name string, o *CallersOptions) (*callers.Result, error) {
	repos, err := w.repos.Opened(ctx)
	if err != nil {
		return nil, err
	}
	if len(repos) == 0 {
		return nil, fmt.Errorf("callers of %q: no repository in workspace %s: add one", name, w.dir)
	}
	opt := callers.Options{NoServers: w.opt.NoServers}
	if o != nil {
		opt.Timeout = o.ServerTimeout
	}
	return callers.Search(ctx, repos, name, opt)
}
