package repository

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/codegraph"
)

// Watch keeps the graphs up to date until ctx ends, whose error it returns: those of the repositories that are there, and of those that are added meanwhile, by
// a view too. It calls each, from one goroutine at a time, for every repository with what opening it found, and then after every update that changed a graph.
func (s *Store) Watch(ctx context.Context, each func(*Repository, *codegraph.Changes)) error {
	var mu sync.Mutex
	tell := func(r *Repository, ch *codegraph.Changes) {
		mu.Lock()
		defer mu.Unlock()
		each(r, ch)
	}
	g, all := errgroup.WithContext(ctx)
	watched := map[*Repository]bool{}
	more := func() error {
		repos, err := s.Opened(all)
		if err != nil {
			return err
		}
		if len(repos) == 0 {
			return fmt.Errorf("watch: %w", ErrNone)
		}
		for _, r := range repos {
			if watched[r] {
				continue
			}
			watched[r] = true
			tell(r, r.Index().Changes())
			g.Go(func() error {
				err := r.Watch(all, func(ch *codegraph.Changes) { tell(r, ch) })
				if err != nil && !errors.Is(err, all.Err()) {
					return fmt.Errorf("watch %s: %w", r.Root, err)
				}
				return err
			})
		}
		return nil
	}
	g.Go(func() error {
		for {
			changed := s.shared.changed()
			if err := more(); err != nil {
				return err
			}
			select {
			case <-changed:
			case <-all.Done():
				return all.Err()
			}
		}
	})
	return g.Wait()
}

// watching is one watch of an index, for all who ask for it.
type watching struct {
	each   map[*listener[*codegraph.Changes]]bool
	left   bool // nobody asks any more, and it ends
	cancel context.CancelFunc
	ended  chan struct{}
	err    error // once ended is closed
}

// Watch keeps the graph up to date until ctx ends, whose error it returns, and calls changed after every update that changed it. However many ask, the folder is watched
// once.
func (o *opened) Watch(ctx context.Context, changed func(*codegraph.Changes)) error {
	w := &listener[*codegraph.Changes]{f: changed}
	for {
		run, left := o.watch(w)
		if left { // two watches of one index take each other's marks
			select {
			case <-run.ended:
				continue
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		defer o.leave(run, w)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-run.ended:
			return run.err
		}
	}
}

// watch adds a watcher; the first one begins the watch. left is true for one that is ending, which has to be waited for.
func (o *opened) watch(w *listener[*codegraph.Changes]) (run *watching, left bool) {
	ix := o.Index()
	o.waiting.Lock()
	defer o.waiting.Unlock()
	if run := o.watching; run != nil {
		if !run.left {
			run.each[w] = true
		}
		return run, run.left
	}
	ctx, cancel := context.WithCancel(context.Background())
	run = &watching{each: map[*listener[*codegraph.Changes]]bool{w: true}, cancel: cancel, ended: make(chan struct{})}
	o.watching = run
	go func() {
		defer close(run.ended)
		o.files.Keep()
		defer o.files.Forget()
		o.every.Keep()
		defer o.every.Forget()
		run.err = ix.Watch(ctx, func(ch *codegraph.Changes) {
			o.waiting.Lock()
			all := slices.Collect(maps.Keys(run.each))
			o.waiting.Unlock()
			for _, w := range all {
				w.tell(ch)
			}
		})
		o.waiting.Lock()
		defer o.waiting.Unlock()
		o.watching = nil
	}()
	return run, false
}

// leave takes a watcher away, who is not called any more; the last one ends the watch, and waits until it has ended.
func (o *opened) leave(run *watching, w *listener[*codegraph.Changes]) {
	o.waiting.Lock()
	delete(run.each, w)
	run.left = len(run.each) == 0
	left := run.left
	if left {
		run.cancel()
	}
	o.waiting.Unlock()
	w.close()
	if left {
		<-run.ended
	}
}
