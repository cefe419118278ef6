package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
)

// runs are those under way.
type runs struct {
	mu   sync.Mutex // guards byID
	byID map[string]*run
}

// begin makes a run that ends with ctx, and with the service.
func (s *runs) begin(ctx context.Context, of *Service, sk *skill.Skill) (*run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := of.life.Err(); err != nil {
		return nil, connect.NewError(connect.CodeUnavailable, errors.New("the server stops"))
	}
	if len(s.byID) >= maxRuns {
		return nil, connect.NewError(connect.CodeResourceExhausted, fmt.Errorf("%d runs are under way: wait for one, or end one with CancelRun", maxRuns))
	}
	r := &run{s: of, id: rand.Text(), skill: sk, began: time.Now(), more: make(chan struct{}, 1)}
	r.ctx, r.cancel = context.WithCancelCause(ctx)
	r.leave = context.AfterFunc(of.life, func() { r.cancel(connect.NewError(connect.CodeUnavailable, errors.New("the server stops"))) })
	s.byID[r.id] = r
	return r, nil
}

func (s *runs) finish(r *run) {
	r.leave()
	r.cancel(nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, r.id)
}

func (s *runs) find(id string) (*run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if run := s.byID[id]; run != nil {
		return run, nil
	}
	return nil, fmt.Errorf("run %q: %w: it has ended, or there was none", id, findspot.ErrNotFound)
}

// sorted lists the runs by their beginning.
func (s *runs) sorted() []*run {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*run
	for _, r := range s.byID {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *run) int { return a.began.Compare(b.began) })
	return out
}
