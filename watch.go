package findspot

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/repository"
)

// A RepoUpdate tells of one update of a repository's graph.
type RepoUpdate struct {
	Repo     string             `json:"repo,omitempty"` // its name in answers; "" for a repository alone
	Root     string             `json:"root"`           // absolute path
	Changes  *codegraph.Changes `json:"changes"`
	Entities int                `json:"entities"` // of the graph now
	Edges    int                `json:"edges"`
}

// Watch keeps the graphs of the repositories up to date until ctx ends, whose error it returns. It calls each, from one
// goroutine at a time, once for every repository with what opening it found, in the order of addition, and then after
// every update that changed a graph; see [codegraph.Index.Watch]. Queries meanwhile see the graphs as they are; a query
// that looks at the sources first makes an update of its own, which each is not told of. Repositories that are added
// later are not watched. When one cannot be watched any more the others end too; after [Workspace.Close] the error wraps
// [ErrClosed].
func (w *Workspace) Watch(ctx context.Context, each func(*RepoUpdate)) error {
	repos, err := w.openRepos(ctx)
	if err != nil {
		return err
	}
	if len(repos) == 0 {
		return fmt.Errorf("watch: %w", errNoRepo)
	}
	var mu sync.Mutex
	tell := func(r *repository.Repository, ch *codegraph.Changes) {
		if each == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		n, e := r.Index().Graph().Len()
		each(&RepoUpdate{Repo: r.Label(), Root: r.Root, Changes: ch, Entities: n, Edges: e})
	}
	for _, r := range repos {
		tell(r, r.Index().Changes())
	}
	g, all := errgroup.WithContext(ctx)
	for _, r := range repos {
		g.Go(func() error {
			err := r.Index().Watch(all, func(ch *codegraph.Changes) { tell(r, ch) })
			if err != nil && !errors.Is(err, all.Err()) {
				return fmt.Errorf("watch %s: %w", r.Root, err)
			}
			return err
		})
	}
	return g.Wait()
}
