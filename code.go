package findspot

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill/evidence"
)

var errNoRepo = errors.New("no repository in the workspace: add one")

// SearchCode searches the graphs of all repositories and merges their answers: names before bodies, better kinds of
// match first. See [codegraph.Graph.Search].
func (w *Workspace) SearchCode(ctx context.Context, query string, o *codegraph.SearchOptions) (*codegraph.SearchResult, error) {
	repos, err := w.openRepos(ctx)
	if err != nil {
		return nil, err
	}
	if len(repos) == 0 {
		return nil, fmt.Errorf("search code: %w", errNoRepo)
	}
	out := &codegraph.SearchResult{Query: query, Hits: []codegraph.EntityHit{}}
	for _, r := range repos {
		res, err := r.ix.Graph().Search(ctx, query, o)
		if err != nil {
			return nil, err
		}
		out.Total += res.Total
		out.TestsHidden += res.TestsHidden
		out.Truncated = out.Truncated || res.Truncated
		for _, h := range res.Hits {
			h.ID = r.id(h.ID)
			out.Hits = append(out.Hits, h)
		}
	}
	if len(repos) > 1 {
		rank := func(h codegraph.EntityHit) int {
			return slices.Index([]string{"exact", "case", "prefix", "subword", "fuzzy", "bm25"}, h.Match)
		}
		slices.SortStableFunc(out.Hits, func(a, b codegraph.EntityHit) int {
			return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Score, a.Score))
		})
		limit := 10
		if o != nil && o.Limit > 0 {
			limit = o.Limit
		}
		if len(out.Hits) > limit {
			out.Hits, out.Truncated = out.Hits[:limit], true
		}
	}
	return out, nil
}

// Traverse walks the graph of the repository that the ids belong to. See [codegraph.Graph.Traverse]. Ids of several
// repositories in one call are an error.
func (w *Workspace) Traverse(ctx context.Context, ids []string, o *codegraph.TraverseOptions) (*codegraph.Walk, error) {
	r, local, err := w.owner(ctx, ids)
	if err != nil {
		return nil, err
	}
	walk, err := r.ix.Graph().Traverse(ctx, local, o)
	if err != nil || r.name == "" {
		return walk, err
	}
	for _, list := range [][]string{walk.Roots, walk.IDs} {
		for i := range list {
			list[i] = r.id(list[i])
		}
	}
	for i := range walk.Nodes {
		walk.Nodes[i].ID = r.id(walk.Nodes[i].ID)
	}
	for i := range walk.Edges {
		walk.Edges[i].Src, walk.Edges[i].Dst = r.id(walk.Edges[i].Src), r.id(walk.Edges[i].Dst)
	}
	return walk, nil
}

// Retrieve returns the text of entities in the order of ids, which may belong to several repositories. See
// [codegraph.Graph.Retrieve].
func (w *Workspace) Retrieve(ctx context.Context, ids []string, o *codegraph.RetrieveOptions) ([]codegraph.Retrieved, error) {
	if len(ids) == 0 {
		return nil, errors.New("retrieve: no id")
	}
	var out []codegraph.Retrieved
	for _, id := range ids {
		r, local, err := w.owner(ctx, []string{id})
		if err != nil {
			return nil, err
		}
		got, err := r.ix.Graph().Retrieve(ctx, local, o)
		if err != nil {
			return nil, err
		}
		for i := range got {
			got[i].ID = r.id(got[i].ID)
		}
		out = append(out, got...)
	}
	return out, nil
}

// owner finds the one repository that all ids belong to. When none knows them the first that their form allows is
// returned, so that its graph words the error.
func (w *Workspace) owner(ctx context.Context, ids []string) (*repo, []string, error) {
	if len(ids) == 0 {
		return nil, nil, errors.New("no entity id given")
	}
	repos, err := w.openRepos(ctx)
	if err != nil {
		return nil, nil, err
	}
	var first *repo
	var firstIDs []string
	for _, r := range repos {
		g := r.ix.Graph()
		known, local := true, make([]string, 0, len(ids))
		fits := true
		for _, id := range ids {
			l, ok := r.localID(id)
			fits = fits && ok
			_, has := g.Entity(l)
			known = known && has
			local = append(local, l)
		}
		if fits && known {
			return r, local, nil
		}
		if fits && first == nil {
			first, firstIDs = r, local
		}
	}
	if first == nil {
		if len(repos) == 0 {
			return nil, nil, errNoRepo
		}
		return nil, nil, fmt.Errorf("%s: %w: no repository of that name, or ids of several repositories", strings.Join(ids, ", "), ErrNotFound)
	}
	return first, firstIDs, nil
}

// ReadLines returns lines of a file of a repository as an item of evidence. The path is relative to the root and may
// begin with "name//". The first and last line count from 1, inclusive; what lies behind the end of the file is left out.
func (w *Workspace) ReadLines(ctx context.Context, path string, first, last int) (evidence.Item, error) {
	repos, err := w.knownRepos()
	if err != nil {
		return evidence.Item{}, err
	}
	var bad error = fmt.Errorf("read %s: %w", path, errNoRepo)
	for _, r := range repos {
		local, ok := r.localID(path)
		if !ok {
			continue
		}
		data, err := readBounded(r.fsys, local, grepMaxFile)
		if err != nil {
			bad = fmt.Errorf("read %s: %w", path, err)
			continue
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		if n := len(lines); n > 0 && len(lines[n-1]) == 0 {
			lines = lines[:n-1]
		}
		if first < 1 || first > len(lines) {
			return evidence.Item{}, fmt.Errorf("read %s: %w: line %d; the file has %d lines", path, ErrNotFound, first, len(lines))
		}
		last = min(max(last, first), len(lines))
		it := evidence.Item{Kind: evidence.KindText, Via: "text", Text: string(bytes.Join(lines[first-1:last], nil)),
			At: evidence.Place{Repo: r.name, Path: local, Line: first, EndLine: last}}
		if last < len(lines) {
			it.Note = fmt.Sprintf("the file goes on to line %d", len(lines))
		}
		return it, nil
	}
	return evidence.Item{}, bad
}

// eachServer calls ask for the repositories in turn until one answers. A symbol that one repository does not know may be
// in the next; the error of the last is returned when none answers.
func (w *Workspace) eachServer(ctx context.Context, ask func(*repo, *lspclient.Client) error) error {
	if w.opt.NoServers {
		return fmt.Errorf("language servers are switched off for this workspace: %w", ErrUnsupported)
	}
	repos, err := w.knownRepos()
	if err != nil {
		return err
	}
	err = errNoRepo
	for _, r := range repos {
		var lc *lspclient.Client
		if lc, err = r.servers(ctx); err != nil {
			return err
		}
		if err = ask(r, lc); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// Definition asks the language server where a symbol is defined. With several repositories the first that knows it
// answers.
func (w *Workspace) Definition(ctx context.Context, t lspclient.Target) (res *lspclient.Result, err error) {
	err = w.eachServer(ctx, func(_ *repo, lc *lspclient.Client) (err error) {
		res, err = lc.Definition(ctx, t, nil)
		return err
	})
	return res, err
}

// References asks the language server where a symbol is used; see [Workspace.Callers] for an answer that needs none.
func (w *Workspace) References(ctx context.Context, t lspclient.Target, o *lspclient.ReferenceOptions) (res *lspclient.Result, err error) {
	err = w.eachServer(ctx, func(_ *repo, lc *lspclient.Client) (err error) {
		res, err = lc.References(ctx, t, o)
		return err
	})
	return res, err
}

// Symbols asks the language server for the declarations of a file.
func (w *Workspace) Symbols(ctx context.Context, path string) (res *lspclient.SymbolResult, err error) {
	err = w.eachServer(ctx, func(_ *repo, lc *lspclient.Client) (err error) {
		res, err = lc.Symbols(ctx, path)
		return err
	})
	return res, err
}

// Text returns the text at a place, so that a quote can be checked against it. It makes a Workspace an
// [evidence.Source].
func (w *Workspace) Text(ctx context.Context, at evidence.Place) (string, error) {
	if at.Doc == "" {
		path := at.Path
		if at.Repo != "" {
			path = at.Repo + "//" + path
		}
		it, err := w.ReadLines(ctx, path, max(at.Line, 1), max(at.EndLine, at.Line, 1))
		return it.Text, err
	}
	lib, err := w.Docs(ctx)
	if err != nil {
		return "", err
	}
	if at.Line == 0 && at.Page > 0 {
		x, err := lib.Page(ctx, at.Doc, at.Page)
		if err != nil {
			return "", err
		}
		return x.Text, nil
	}
	x, err := lib.View(ctx, at.Doc, docsearch.Lines{First: max(at.Line, 1), Last: max(at.EndLine, at.Line, 1)})
	if err != nil {
		return "", err
	}
	return x.Text, nil
}
