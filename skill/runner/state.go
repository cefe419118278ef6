package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/record"
)

// An endError ends the run in a status.
type endError struct {
	status, reason, at string
}

func (e *endError) Error() string { return e.status + " at " + e.at + ": " + e.reason }

// A limitError ends a run, or the skill in use whose limit it is: a limit is used up.
type limitError struct {
	what  string
	skill string
	frame *frame // whose limit; nil: the run's
	wall  bool
}

func (e *limitError) Error() string { return "limit reached: " + e.what }

func (e *limitError) Unwrap() error { return &invoke.LimitError{What: e.what} }

func wallLimit(f *frame) *limitError {
	return &limitError{what: f.limits.Wall.String() + " of time", skill: f.skill.Name, frame: f, wall: true}
}

// A cancelError ends a run: the caller did.
type cancelError struct{ why string }

func (e *cancelError) Error() string { return "the caller ended it: " + e.why }

// A state is where a run stands: which skills are in use, with their gates, what step is running, why it must end; and the log, in
// which each change has its place.
type state struct {
	opt  *Options
	log  *record.Writer
	play *player // in a replay: answers in place of tools, models, persons and clocks

	mu      sync.Mutex // guards all below, the counts, gates and approvals of frames, what a caller keeps, and the order of the log
	frames  []*frame   // the skill's own first, then those in use; guards of all hold
	failed  []string   // failures the run went on from
	current string     // id of the running step
	over    string     // the status in which Run ended; empty: it has not
	at      string     // id of the innermost step that ended the run
	stopped error      // why the run must end: seen once, and so for all that follow
}

// commit changes the state of the run and says so, as one: whoever calls a tool at the same time is before both or after
// both, and the record has the order in which things came to hold. change may be nil.
func (s *state) commit(e record.Event, change func()) {
	s.turn()
	s.mu.Lock()
	defer s.mu.Unlock()
	if change != nil {
		change()
	}
	s.log.Write(e)
}

// running is the id of the running step.
func (s *state) running() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// turn lets a replay do what the host did at this point.
func (s *state) turn() {
	if s.play != nil {
		s.play.turn()
	}
}

// alive returns why the run must end, if it must: the caller ended it, its time is over, or it did not follow its record.
// What it says once it says ever after. by is whose wish is about to be done; no step or model goes on without asking.
func (s *state) alive(ctx context.Context, by string) error {
	s.turn()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped != nil {
		return s.stopped
	}
	var limit *limitError
	switch {
	case s.play != nil && ctx.Err() != nil: // of the replay, not of the run
		s.stopped = s.play.fail("the replay was ended: "+ctx.Err().Error(), "")
	case s.play != nil:
		s.stopped = s.play.ended()
	case errors.As(context.Cause(ctx), &limit):
		s.stopped = limit
	case ctx.Err() != nil:
		s.stopped = &cancelError{context.Cause(ctx).Error()}
	default:
		if limit = s.overtime(); limit != nil {
			s.stopped = limit
		}
	}
	if s.stopped == nil {
		if limit = s.overspent(); limit != nil {
			s.stopped = limit
		}
	}
	var cancelled *cancelError
	switch {
	case errors.As(s.stopped, &limit):
		s.log.Write(limit.event(by))
	case errors.As(s.stopped, &cancelled):
		s.log.Write(&record.Cancelled{Why: cancelled.why})
	}
	return s.stopped
}

func (e *limitError) event(by string) *record.Limit {
	return &record.Limit{What: e.what, Skill: e.skill, By: by, Wall: e.wall}
}

// limitMet notes a limit and returns it.
func (s *state) limitMet(e *limitError, by string) error {
	s.commit(e.event(by), func() { s.stopped = e })
	return e
}

// overtime returns the limit of time that is used up, the run's own first. s.mu is held.
func (s *state) overtime() *limitError {
	now := s.opt.Now()
	for _, f := range s.frames {
		if now.Sub(f.started) > f.limits.Wall {
			return wallLimit(f)
		}
	}
	return nil
}

// overspent returns the limit of tokens that is used up. s.mu is held.
func (s *state) overspent() *limitError {
	for _, f := range s.frames {
		if f.limits.Tokens > 0 && f.tokens > f.limits.Tokens {
			return &limitError{what: fmt.Sprintf("%d tokens", f.limits.Tokens), skill: f.skill.Name, frame: f}
		}
	}
	return nil
}

// deadline ends ctx when the time of a frame is over. A replay has all the time.
func (s *state) deadline(ctx context.Context, f *frame) (context.Context, context.CancelFunc) {
	if s.play != nil {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, f.limits.Wall, wallLimit(f))
}

// pause waits before a retry.
func (s *state) pause(ctx context.Context, d time.Duration) error {
	if s.play != nil {
		return s.alive(ctx, byStep)
	}
	err := s.opt.Wait(ctx, d)
	if over := s.alive(ctx, byStep); over != nil {
		return over
	}
	return err
}

// A loggedSource is the host's source with a line in the record for each look, so that a replay needs none.
type loggedSource struct {
	state *state
	src   evidence.Source
}

func (l *loggedSource) Text(ctx context.Context, at evidence.Place) (text string, err error) {
	if l.state.play != nil {
		text, err = l.state.play.source(at)
	} else {
		text, err = l.src.Text(ctx, at)
	}
	e := &record.Source{At: at, Text: text}
	if err != nil {
		e.Error = err.Error()
	}
	l.state.commit(e, nil)
	return text, err
}

func (s *state) endedAt() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.at, s.current)
}

func (s *state) doneReason() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.failed, "; ")
}
