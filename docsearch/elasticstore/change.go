package elasticstore

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// changes are those of one process.
type changes struct {
	cluster *cluster
	states  *states

	writing sync.Mutex  // one change of this process at a time: others would only conflict
	wrote   atomic.Bool // there was one
}

// A writer is one change under way.
type writer struct {
	s     *changes
	batch int64
	until time.Time // by this process's own clock; the batch must not be written to after it
	old   map[string]*document
	fresh map[string]map[driver.Kind]sums
}

// do carries out a change of documents: it registers a batch, lets write fill it, makes that visible, and commits with a state that
// commit has changed. write may be nil. When another writer changed one of the documents since it was looked at, nothing changes and
// the error wraps errs.Stale.
func (s *changes) do(ctx context.Context, ids []string, write func(context.Context, *writer) error, commit func(*state, *writer) error) error {
	if s.cluster.opt.ReadOnly {
		return fmt.Errorf("%w: it was opened read-only", errs.Unsupported)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.wrote.Store(true)
	w := &writer{s: s, fresh: map[string]map[driver.Kind]sums{}}
	st, err := s.states.update(ctx, w.register)
	if err != nil {
		return err
	}
	err = s.fill(ctx, st, w, ids, write, commit)
	if err != nil {
		// Nobody sees what was written; it is removed now, or later when the lease is over.
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
		defer cancel()
		committed, dropErr := s.drop(clean, []int64{w.batch})
		if slices.Contains(committed, w.batch) {
			return nil // only the answer was lost
		}
		if dropErr != nil {
			s.cluster.opt.Logger.Info("elasticstore: leftovers not removed", "prefix", s.cluster.prefix, "reason", dropErr)
		}
		return err
	}
	// The change is acknowledged whatever becomes of the sweeping.
	if err := s.sweep(ctx); err != nil && ctx.Err() == nil {
		s.cluster.opt.Logger.Info("elasticstore: leftovers not removed", "prefix", s.cluster.prefix, "reason", err)
	}
	return nil
}

// register takes the next batch number.
func (w *writer) register(st *state) error {
	if len(st.Pending) >= maxPending {
		return fmt.Errorf("%w: %d changes are under way or were given up: check the library", errs.Stale, len(st.Pending))
	}
	now := time.Now()
	w.batch, w.until = st.Next, now.Add(w.s.cluster.opt.Lease)
	st.Next++
	st.Pending = append(st.Pending, pending{w.batch, w.until.UnixMilli()})
	return nil
}

func (s *changes) fill(ctx context.Context, st *state, w *writer, ids []string, write func(context.Context, *writer) error, commit func(*state, *writer) error) error {
	seen := st.Generation
	err := s.states.view(ctx, func(at *state) (err error) {
		seen = at.Generation
		w.old, err = s.cluster.entries(ctx, at, ids, false)
		return err
	})
	if err != nil {
		return err
	}
	if write != nil {
		if err := write(ctx, w); err != nil {
			return err
		}
		if err := s.cluster.refresh(ctx); err != nil {
			return err
		}
	}
	if _, err := s.states.update(ctx, func(st *state) error {
		if slices.Contains(st.Recent, w.batch) {
			return errDone // the answer to an earlier attempt was lost
		}
		at := slices.IndexFunc(st.Pending, func(p pending) bool { return p.Batch == w.batch })
		if at < 0 {
			return fmt.Errorf("%w: this change took longer than its lease of %v and was given up by another writer: try again", errs.Stale, s.cluster.opt.Lease)
		}
		if st.Generation != seen {
			now, err := s.cluster.entries(ctx, st, ids, false)
			if err != nil {
				return err
			}
			for _, id := range ids {
				a, b := w.old[id], now[id]
				if (a == nil) != (b == nil) || a != nil && a.Owner != b.Owner {
					return fmt.Errorf("document %s: %w: another writer changed it meanwhile: look at it and try again", id, errs.Stale)
				}
			}
		}
		before := st.Generation
		st.Generation++
		if err := commit(st, w); err != nil {
			return err
		}
		st.Pending = slices.Delete(st.Pending, at, at+1)
		st.Recent = append(st.Recent, w.batch)
		st.Recent = st.Recent[max(0, len(st.Recent)-maxRecent):]
		// What this change buries stays for those who read the state before it.
		st.Swept = max(st.Swept, before)
		return nil
	}); err != nil {
		return err
	}
	return nil
}

// alive renews the lease when half of it is over.
func (w *writer) alive(ctx context.Context) error {
	left := time.Until(w.until)
	if left > w.s.cluster.opt.Lease/2 {
		return nil
	}
	until := time.Now().Add(w.s.cluster.opt.Lease)
	_, err := w.s.states.update(ctx, func(st *state) error {
		for i := range st.Pending {
			if st.Pending[i].Batch == w.batch {
				st.Pending[i].Until = until.UnixMilli()
				return nil
			}
		}
		return fmt.Errorf("%w: this change took longer than its lease of %v and was given up by another writer: try again", errs.Stale, w.s.cluster.opt.Lease)
	})
	if err == nil {
		w.until = until
	}
	return err
}

// bury says that owners do not count from the state's generation on.
func (st *state) bury(owners ...string) {
	for _, o := range owners {
		st.Dead = append(st.Dead, dead{o, st.Generation})
	}
}

// tidy removes all that does not count: batches of writers that are gone, and what was replaced.
func (s *changes) tidy(ctx context.Context) error {
	st, _, err := s.states.read(ctx)
	if err != nil {
		return err
	}
	now := time.Now()
	var gone []int64
	for _, p := range st.Pending {
		if now.After(time.UnixMilli(p.Until).Add(s.cluster.opt.Lease)) {
			gone = append(gone, p.Batch)
		}
	}
	for _, d := range st.Dropped {
		if now.After(time.UnixMilli(d.At).Add(dropTime)) {
			gone = append(gone, d.Batch)
		}
	}
	if len(gone) > 0 {
		if _, err := s.drop(ctx, gone); err != nil {
			return err
		}
	}
	if len(st.Dead) == 0 {
		return nil
	}
	_, err = s.states.update(ctx, func(st *state) error {
		if st.Swept == st.Generation {
			return errDone
		}
		st.Swept = st.Generation
		return nil
	})
	if err != nil {
		return err
	}
	return s.sweep(ctx)
}

// drop gives batches up: first nobody can commit them, then what they hold is removed. One that was dropped long ago is forgotten.
// Batches that were committed are left alone, and returned as far as the state remembers them.
func (s *changes) drop(ctx context.Context, batches []int64) (committed []int64, err error) {
	now := time.Now()
	st, err := s.states.update(ctx, func(st *state) error {
		n := len(st.Pending)
		st.Pending = slices.DeleteFunc(st.Pending, func(p pending) bool {
			if slices.Contains(batches, p.Batch) {
				st.Dropped = append(st.Dropped, dropped{p.Batch, now.UnixMilli()})
				return true
			}
			return false
		})
		if len(st.Pending) == n {
			return errDone
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var gone []int64 // only what no state admits
	for _, b := range batches {
		if slices.Contains(st.Recent, b) {
			committed = append(committed, b)
		}
		if slices.ContainsFunc(st.Dropped, func(d dropped) bool { return d.Batch == b }) {
			gone = append(gone, b)
		}
	}
	if len(gone) > 0 { // what was written last may not have been refreshed
		if err := s.cluster.refresh(ctx); err != nil {
			return committed, err
		}
	}
	for part := range slices.Chunk(gone, 1000) {
		if err := s.cluster.removeAll(ctx, object{"terms": object{"batch": part}}); err != nil {
			return committed, err
		}
	}
	_, err = s.states.update(ctx, func(st *state) error {
		n := len(st.Dropped)
		st.Dropped = slices.DeleteFunc(st.Dropped, func(d dropped) bool {
			return slices.Contains(gone, d.Batch) && now.After(time.UnixMilli(d.At).Add(dropTime))
		})
		if len(st.Dropped) == n {
			return errDone
		}
		return nil
	})
	return committed, err
}

// sweep removes what is dead since a generation that the state gave up (Swept).
func (s *changes) sweep(ctx context.Context) error {
	st, _, err := s.states.read(ctx)
	if err != nil {
		return err
	}
	gone := map[dead]bool{}
	var owners []string
	for _, d := range st.Dead {
		if d.At <= st.Swept {
			gone[d] = true
			owners = append(owners, d.Owner)
		}
	}
	if len(owners) == 0 {
		return nil
	}
	for part := range slices.Chunk(owners, 5000) {
		if err := s.cluster.removeAll(ctx, object{"terms": object{"owner": part}}); err != nil {
			return err
		}
	}
	_, err = s.states.update(ctx, func(st *state) error {
		st.Dead = slices.DeleteFunc(st.Dead, func(d dead) bool { return gone[d] })
		return nil
	})
	return err
}
