package repository

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/skill/evidence"
)

var errNoID = errors.New("no entity id given")

// set joins the graphs of the repositories as they are now.
func (s *Store) set(ctx context.Context) (*codegraph.Set, []*Repository, error) {
	repos, err := s.Fresh(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(repos) == 0 {
		return nil, nil, ErrNone
	}
	g, err := Joined(repos)
	return g, repos, err
}

// Joined joins the graphs of repositories that are open.
func Joined(repos []*Repository) (*codegraph.Set, error) {
	members := make([]codegraph.Member, 0, len(repos))
	for _, r := range repos {
		members = append(members, codegraph.Member{Name: r.Label(), Graph: r.Graph()})
	}
	return codegraph.NewSet(members...)
}

// localIDs cuts the name off ids where a repository is alone and has none in answers.
func localIDs(repos []*Repository, ids ...string) []string {
	if len(repos) != 1 || repos[0].Label() != "" {
		return ids
	}
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		if local, ok := repos[0].LocalID(id); ok {
			id = local
		}
		out = append(out, id)
	}
	return out
}

// Embed makes the vectors that are missing, see codegraph.Index.Embed.
func (s *Store) Embed(ctx context.Context) error {
	repos, err := s.Opened(ctx)
	if err != nil {
		return err
	}
	for _, r := range repos {
		if err := r.Embed(ctx); err != nil {
			return fmt.Errorf("repository %s: %w", r.Root, err)
		}
	}
	return nil
}

// EmbedState says how far the making of vectors is, of all repositories.
func (s *Store) EmbedState(ctx context.Context) (*codegraph.EmbedState, error) {
	repos, err := s.Opened(ctx)
	if err != nil {
		return nil, err
	}
	sum := &codegraph.EmbedState{}
	for _, r := range repos {
		st, err := r.Index().EmbedState()
		if err != nil {
			return nil, fmt.Errorf("repository %s: %w", r.Root, err)
		}
		sum.Entities, sum.Done, sum.Running, sum.Error = sum.Entities+st.Entities, sum.Done+st.Done, sum.Running || st.Running, cmp.Or(sum.Error, st.Error)
	}
	return sum, nil
}

// Search searches the graphs as one.
func (s *Store) Search(ctx context.Context, query string, o *codegraph.SearchOptions) (*codegraph.SearchResult, error) {
	g, repos, err := s.set(ctx)
	if err != nil {
		return nil, fmt.Errorf("search code: %w", err)
	}
	return g.Search(ctx, localIDs(repos, query)[0], o)
}

// Locate ranks the places that a text is likely about.
func (s *Store) Locate(ctx context.Context, text string, o *codegraph.LocateOptions) (*codegraph.LocateResult, error) {
	g, _, err := s.set(ctx)
	if err != nil {
		return nil, fmt.Errorf("locate: %w", err)
	}
	return g.Locate(ctx, text, o)
}

// Named gives the entities that a written name may mean, and near ids when there are none.
func (s *Store) Named(ctx context.Context, name string) (found []codegraph.Entity, near []string, err error) {
	g, repos, err := s.set(ctx)
	if err != nil {
		return nil, nil, err
	}
	name = localIDs(repos, name)[0]
	if found = g.Named(name); len(found) > 0 {
		return found, nil, nil
	}
	for _, r := range repos {
		if local, ok := r.LocalID(name); ok {
			for _, id := range r.Graph().Near(local, 5) {
				near = append(near, r.ID(id))
			}
		}
	}
	return nil, near, nil
}

// Near lists ids of functions and classes with names like one, nearest first, at most five; never nil.
func Near(repos []*Repository, name string) []string {
	near := []string{}
	for _, r := range repos {
		for _, id := range r.Graph().Near(name, 5) {
			if e, ok := r.Graph().Entity(id); ok && IsCode(e) && len(near) < 5 {
				near = append(near, r.ID(id))
			}
		}
	}
	return near
}

// Traverse walks the graphs from entities.
func (s *Store) Traverse(ctx context.Context, ids []string, o *codegraph.TraverseOptions) (*codegraph.Walk, error) {
	if len(ids) == 0 {
		return nil, errNoID
	}
	g, repos, err := s.set(ctx)
	if err != nil {
		return nil, err
	}
	return g.Traverse(ctx, localIDs(repos, ids...), o)
}

// Retrieve returns the text of entities in the order of ids, with secrets masked unless they may be shown.
func (s *Store) Retrieve(ctx context.Context, ids []string, o *codegraph.RetrieveOptions) ([]codegraph.Retrieved, error) {
	if len(ids) == 0 {
		return nil, errNoID
	}
	g, repos, err := s.set(ctx)
	if err != nil {
		return nil, err
	}
	got, err := g.Retrieve(ctx, localIDs(repos, ids...), o)
	if !s.opt.Policy.ShowSecrets {
		for i := range got {
			got[i].Text, _ = secrets.MaskString(got[i].Text)
		}
	}
	return got, err
}

// Lines returns lines of a file as evidence: from first to last, counted from 1, inclusive; what lies behind the end of the file is left out.
func (s *Store) Lines(_ context.Context, path string, first, last int) (evidence.Item, error) {
	repos, err := s.Known()
	if err != nil {
		return evidence.Item{}, err
	}
	var bad error = fmt.Errorf("read %s: %w", path, ErrNone)
	for _, r := range repos {
		local, ok := r.LocalID(path)
		if !ok {
			continue
		}
		data, err := r.SourceText(local)
		if err != nil {
			bad = fmt.Errorf("read %s: %w", path, err)
			continue
		}
		lines := SplitLines(data)
		if first < 1 || first > len(lines) {
			return evidence.Item{}, NoLine(path, first, len(lines))
		}
		last = min(max(last, first), len(lines))
		it := evidence.Item{Kind: evidence.KindText, Via: "text", Text: string(bytes.Join(lines[first-1:last], nil)),
			At: evidence.Place{Repo: r.Label(), Path: local, Line: first, EndLine: last}}
		if last < len(lines) {
			it.Note = fmt.Sprintf("the file goes on to line %d", len(lines))
		}
		return it, nil
	}
	return evidence.Item{}, bad
}

// SplitLines splits a text behind its line ends.
func SplitLines(data []byte) [][]byte {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 { // behind the last line end
		lines = lines[:n-1]
	}
	return lines
}

// NoLine says that a file has no such line.
func NoLine(path string, line, lines int) error {
	return fmt.Errorf("read %s: %w: line %d; the file has %d lines", path, errs.NotFound, line, lines)
}

// CodeRead reports whether no file of any repository was read as code, and how many could not be read, as of the last refresh. A search that found nothing says
// nothing about those.
func (s *Store) CodeRead() (empty bool, unread int, err error) {
	repos, err := s.Known()
	if err != nil {
		return false, 0, err
	}
	empty = true
	for _, r := range repos {
		g := r.Graph()
		for _, x := range g.Skipped() {
			if !x.Rule {
				unread++
			}
		}
		for e := range g.Entities() {
			if e.Kind != codegraph.KindDirectory {
				empty = false
				break
			}
		}
	}
	return empty, unread, nil
}
