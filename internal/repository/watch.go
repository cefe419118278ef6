package repository

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/codegraph"
)

// Watch keeps the graphs up to date until ctx ends, whose error it returns. It calls each, from one goroutine at a time, for every repository with what opening it
// found, and then after every update that changed a graph.
func (s *Store) Watch(ctx context.Context, each func(*Repository, *codegraph.Changes)) error {
	repos, err := s.Opened(ctx)
	if err != nil {
		return err
	}
	if len(repos) == 0 {
		return fmt.Errorf("watch: %w", ErrNone)
	}
	var mu sync.Mutex
	tell := func(r *Repository, ch *codegraph.Changes) {
		mu.Lock()
		defer mu.Unlock()
		each(r, ch)
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
