package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/findspot/findspot/skill"
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

// commit changes the state of the run and says so, as one: whoever calls a tool at the same time is before both or after
// both, and the record has the order in which things came to hold. change may be nil.
func (run *Run) commit(e record.Event, change func()) {
	run.turn()
	run.mu.Lock()
	defer run.mu.Unlock()
	if change != nil {
		change()
	}
	run.rec.Write(e)
}

// running is the id of the running step.
func (run *Run) running() string {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.current
}

// turn lets a replay do what the host did at this point.
func (run *Run) turn() {
	if run.play != nil {
		run.play.turn(run)
	}
}

// alive returns why the run must end, if it must: the caller ended it, its time is over, or it did not follow its record.
// What it says once it says ever after. by is whose wish is about to be done; no step or model goes on without asking.
func (run *Run) alive(ctx context.Context, by string) error {
	run.turn()
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.stopped != nil {
		return run.stopped
	}
	var limit *limitError
	switch {
	case run.play != nil && ctx.Err() != nil: // of the replay, not of the run
		run.stopped = run.play.fail("the replay was ended: "+ctx.Err().Error(), "")
	case run.play != nil:
		run.stopped = run.play.ended(run)
	case errors.As(context.Cause(ctx), &limit):
		run.stopped = limit
	case ctx.Err() != nil:
		run.stopped = &cancelError{context.Cause(ctx).Error()}
	default:
		if limit = run.overtime(); limit != nil {
			run.stopped = limit
		}
	}
	if run.stopped == nil {
		if limit = run.overspent(); limit != nil {
			run.stopped = limit
		}
	}
	var cancelled *cancelError
	switch {
	case errors.As(run.stopped, &limit):
		run.rec.Write(limit.event(by))
	case errors.As(run.stopped, &cancelled):
		run.rec.Write(&record.Cancelled{Why: cancelled.why})
	}
	return run.stopped
}

func (e *limitError) event(by string) *record.Limit {
	return &record.Limit{What: e.what, Skill: e.skill, By: by, Wall: e.wall}
}

// limitMet notes a limit and returns it.
func (run *Run) limitMet(e *limitError, by string) error {
	run.commit(e.event(by), func() { run.stopped = e })
	return e
}

// overtime returns the limit of time that is used up, the run's own first. run.mu is held.
func (run *Run) overtime() *limitError {
	now := run.r.opt.Now()
	for _, f := range run.frames {
		if now.Sub(f.started) > f.limits.Wall {
			return wallLimit(f)
		}
	}
	return nil
}

// overspent returns the limit of tokens that is used up. run.mu is held.
func (run *Run) overspent() *limitError {
	for _, f := range run.frames {
		if f.limits.Tokens > 0 && f.tokens > f.limits.Tokens {
			return &limitError{what: fmt.Sprintf("%d tokens", f.limits.Tokens), skill: f.skill.Name, frame: f}
		}
	}
	return nil
}

// deadline ends ctx when the time of a frame is over. A replay has all the time.
func (run *Run) deadline(ctx context.Context, f *frame) (context.Context, context.CancelFunc) {
	if run.play != nil {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, f.limits.Wall, wallLimit(f))
}

// pause waits before a retry.
func (run *Run) pause(ctx context.Context, d time.Duration) error {
	if run.play != nil {
		return run.alive(ctx, byStep)
	}
	err := run.r.opt.Wait(ctx, d)
	if over := run.alive(ctx, byStep); over != nil {
		return over
	}
	return err
}

// modelTurn asks the model once and counts what it took.
func (run *Run) modelTurn(ctx context.Context, talk *record.Conversation, req *skill.Request) (*skill.Reply, error) {
	if err := run.alive(ctx, byModel); err != nil {
		return nil, err
	}
	run.commit(talk.Request(req), nil)
	var (
		reply *skill.Reply
		err   error
	)
	if run.play != nil {
		reply, err = run.play.reply(run, talk.ID)
	} else {
		reply, err = invoke.Ask(ctx, run.r.model, req, run.r.opt.Grace)
	}
	reply = invoke.CleanReply(reply)
	run.commit(talk.Reply(reply, err), func() {
		if reply == nil {
			return
		}
		n := reply.Usage.Input + reply.Usage.Output
		run.tokens += n
		for _, f := range run.frames {
			f.tokens += n
		}
	})
	if over := run.alive(ctx, byModel); over != nil {
		return nil, over
	}
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return reply, nil
}

// A toldSource is the host's source with a line in the record for each look, so that a replay needs none.
type toldSource struct {
	run *Run
	src evidence.Source
}

func (s *toldSource) Text(ctx context.Context, at evidence.Place) (text string, err error) {
	if s.run.play != nil {
		text, err = s.run.play.source(s.run, at)
	} else {
		text, err = s.src.Text(ctx, at)
	}
	e := &record.Source{At: at, Text: text}
	if err != nil {
		e.Error = err.Error()
	}
	s.run.commit(e, nil)
	return text, err
}
