package findspot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/secrets"
)

// relabel names the repositories for answers: by the name given; else, when there are several, by their folder, with a
// part of the hash of their path where two folders have one name, as worktrees of a repository do. A repository alone has
// none. The caller holds w.mu.
func (w *Workspace) relabel() {
	taken := map[string]int{}
	for _, r := range w.repos {
		if r.Name != "" {
			taken[r.Name]++
		} else {
			taken[r.Folder()]++
		}
	}
	for _, r := range w.repos {
		label := r.Name
		if label == "" && len(w.repos) > 1 {
			if label = r.Folder(); taken[label] > 1 {
				sum := sha256.Sum256([]byte(r.Root))
				label += "-" + hex.EncodeToString(sum[:4])
			}
		}
		r.SetLabel(label)
	}
}

// freshRepos returns the repositories with graphs that show the sources as they are now.
func (w *Workspace) freshRepos(ctx context.Context) ([]*repository.Repository, error) {
	repos, err := w.knownRepos()
	if err != nil {
		return nil, err
	}
	for _, r := range repos {
		opened, err := r.Open(ctx)
		if err != nil {
			return nil, err
		}
		if !opened {
			if err := r.Index().Refresh(ctx); err != nil {
				return nil, err
			}
		}
	}
	return repos, nil
}

// set joins the graphs of the repositories as they are now.
func (w *Workspace) set(ctx context.Context) (*codegraph.Set, []*repository.Repository, error) {
	repos, err := w.freshRepos(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(repos) == 0 {
		return nil, nil, errNoRepo
	}
	members := make([]codegraph.Member, 0, len(repos))
	for _, r := range repos {
		members = append(members, codegraph.Member{Name: r.Label(), Graph: r.Graph()})
	}
	s, err := codegraph.NewSet(members...)
	return s, repos, err
}

// localIDs cuts the name off ids where a repository is alone and has none in answers.
func localIDs(repos []*repository.Repository, ids []string) []string {
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

// SearchCode searches the graphs of all repositories as one: names before bodies, better kinds of match first, scores on
// one scale. See [codegraph.Graph.Search]. With several repositories an id begins with the name of its own:
// "name//path:entity"; the name is that of [RepoOptions], else that of the folder.
func (w *Workspace) SearchCode(ctx context.Context, query string, o *codegraph.SearchOptions) (*codegraph.SearchResult, error) {
	s, repos, err := w.set(ctx)
	if err != nil {
		return nil, fmt.Errorf("search code: %w", err)
	}
	return s.Search(ctx, localIDs(repos, []string{query})[0], o)
}

// Locate ranks the places of all repositories that a text is likely about, such as an issue, as one list. See
// [codegraph.Graph.Locate]. Ids are as those of [Workspace.SearchCode].
func (w *Workspace) Locate(ctx context.Context, text string, o *codegraph.LocateOptions) (*codegraph.LocateResult, error) {
	s, _, err := w.set(ctx)
	if err != nil {
		return nil, fmt.Errorf("locate: %w", err)
	}
	return s.Locate(ctx, text, o)
}

// Named gives the entities that a written name may mean, see [codegraph.Graph.Named], and near ids when there are none.
func (w *Workspace) Named(ctx context.Context, name string) (found []codegraph.Entity, near []string, err error) {
	s, repos, err := w.set(ctx)
	if err != nil {
		return nil, nil, err
	}
	name = localIDs(repos, []string{name})[0]
	if found = s.Named(name); len(found) > 0 {
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

// Traverse walks the graphs from entities, which may belong to several repositories. See [codegraph.Graph.Traverse] and
// [codegraph.Set.Traverse].
func (w *Workspace) Traverse(ctx context.Context, ids []string, o *codegraph.TraverseOptions) (*codegraph.Walk, error) {
	if len(ids) == 0 {
		return nil, errNoID
	}
	s, repos, err := w.set(ctx)
	if err != nil {
		return nil, err
	}
	return s.Traverse(ctx, localIDs(repos, ids), o)
}

// Retrieve returns the text of entities in the order of ids, which may belong to several repositories. See
// [codegraph.Graph.Retrieve].
func (w *Workspace) Retrieve(ctx context.Context, ids []string, o *codegraph.RetrieveOptions) ([]codegraph.Retrieved, error) {
	if len(ids) == 0 {
		return nil, errNoID
	}
	s, repos, err := w.set(ctx)
	if err != nil {
		return nil, err
	}
	got, err := s.Retrieve(ctx, localIDs(repos, ids), o)
	if !w.opt.ShowSecrets {
		for i := range got {
			got[i].Text, _ = secrets.MaskString(got[i].Text)
		}
	}
	return got, err
}
