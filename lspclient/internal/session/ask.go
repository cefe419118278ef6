package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/documents"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/ready"
)

// Reply is a value with how far it can be trusted.
type Reply[T any] struct {
	Value   T
	State   State
	Reason  string
	Percent int // percent, while indexing
	Note    string
	Session *Session
}

// Answer is what an answer says about itself to a caller.
func (a Reply[T]) Answer() Answer {
	return Answer{State: a.State, Reason: a.Reason, Progress: a.Percent, Note: a.Note, Server: a.Session.Label}
}

// Question is one thing to ask a server. It must be safe to ask again.
type Question[T any] struct {
	Method string
	// show opens the files that the question is about, before the server is waited for: some servers read nothing before
	// they are shown a file. Nil: none.
	Open func(context.Context, *Session) error
	Ask  func(context.Context, *Session) (T, error)
	Same func(a, b T) bool
	// local: the answer lies in the file itself, and needs no workspace.
	Local bool
}

// Ask puts a question to a server: it starts the server if need be, tells it what changed on disk, waits until it has
// read its folder, and asks, twice if its rule wants that. If the server dies on the way it is asked once more. While all
// places for servers are taken it waits for one.
func Ask[T any](ctx context.Context, v *Server, q Question[T]) (Reply[T], error) {
	if err := v.Pool.limits.acquire(ctx, v); err != nil {
		return Reply[T]{}, err
	}
	defer v.Pool.limits.release(v)
	ctx = context.WithValue(ctx, asking{}, true)
	for attempt := 1; ; attempt++ {
		sess, err := v.Session(ctx)
		if err == nil {
			var a Reply[T]
			if a, err = askSession(ctx, sess, q); err == nil {
				v.succeeded()
				return a, nil
			}
			var old *documents.OutdatedError
			if errors.As(err, &old) && v.renew(sess, old) {
				attempt--
				continue
			}
		}
		var wrapped *ServerError
		if sess != nil && (jsonrpc.IsEnded(err) || ctx.Err() != nil) && !errors.As(err, &wrapped) {
			err = sess.Fail(q.Method, err)
		}
		if !mayRetry(err, attempt) || ctx.Err() != nil {
			if v.Pool.life.Err() != nil {
				err = fmt.Errorf("%w: %w", errs.Closed, err)
			}
			return Reply[T]{}, err
		}
		v.Pool.opts.Logger.Info("lspclient: asking again", "server", v.Spec.Name, "method", q.Method, "reason", err.Error())
	}
}

func askSession[T any](ctx context.Context, s *Session, q Question[T]) (Reply[T], error) {
	a := Reply[T]{Session: s}
	if why := s.Server.Spec.Notes(q.Method); why != "" {
		a.Note = s.Label + " " + why
	}
	if err := s.Documents.Sync(ctx); err != nil {
		return a, err
	}
	if err := s.Documents.AwaitRead(ctx); err != nil {
		return a, err
	}
	if q.Open != nil {
		if err := q.Open(ctx, s); err != nil {
			return a, err
		}
	}
	if q.Local && !s.Server.Spec.Ready.Local {
		value, err := q.Ask(ctx, s)
		st, _ := s.Ready.Status()
		switch {
		case err == nil:
			a.Value, a.State = value, Complete
			if st.Problem != "" {
				a.State, a.Reason = Degraded, st.Problem
			}
			return a, nil
		case !jsonrpc.IsAnswer(err) || st.Calm():
			return a, troubled(err, st)
		} // else the server does not know the file yet
	}

	// What was found must be handed over before the deadline, so the asking stops a little earlier.
	end, _ := ctx.Deadline()
	left := time.Until(end)
	soft := end.Add(-min(left/10, 500*time.Millisecond))
	st := s.Ready.Wait(ctx, time.Now().Add(left*6/10))
	value, err := q.Ask(ctx, s)
	// A server that still reads its folder may say of a file in it that there is none: that is no answer yet.
	for pause := 50 * time.Millisecond; err != nil; pause = min(2*pause, time.Second) {
		now, _ := s.Ready.Status()
		if !jsonrpc.IsAnswer(err) || st.Calm() && now.Calm() && now.Generation == st.Generation || time.Until(soft) < pause {
			return a, troubled(err, now)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return a, troubled(err, now)
		}
		st = s.Ready.Wait(ctx, soft)
		value, err = q.Ask(ctx, s)
	}
	a.Value = value
	answered := time.Now()
	differ := false
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		before := st
		var changed <-chan struct{}
		st, changed = s.Ready.Status()
		calm := before.Calm() && st.Calm() && before.Generation == st.Generation
		if calm && !differ && !s.Ready.MustAgree(q.Method) {
			break
		}
		if time.Until(soft) < pause {
			switch {
			case !calm:
				a.State, a.Reason, a.Percent = Indexing, st.Reading(), st.Percent
			case differ:
				a.State, a.Reason = Unstable, "two answers differed until the time was up"
			default:
				a.State, a.Reason = Indexing, "there was no time to ask a second time"
			}
			return a, nil
		}
		timer := time.NewTimer(pause)
		if calm { // what is said of the question itself shortens no pause between two answers
			changed = nil
		}
		select {
		case <-timer.C:
		case <-changed:
		case <-ctx.Done():
		}
		timer.Stop()
		if st, _ = s.Ready.Status(); !st.Calm() {
			st = s.Ready.Wait(ctx, soft.Add(-time.Until(soft)/4)) // asking while it reads would only slow it down
		}
		// The second answer is none if it comes from a request that others had under way when the first one came.
		again, cancel := context.WithDeadline(askedSince(ctx, answered.Add(min(time.Since(answered), pause)/2)), soft)
		value, err := q.Ask(again, s)
		cancel()
		if err != nil {
			if again.Err() != nil && ctx.Err() == nil {
				a.State, a.Reason = Indexing, "the server did not answer a second time"
				if now, _ := s.Ready.Status(); !now.Calm() {
					a.Reason, a.Percent = now.Reading(), now.Percent
				}
				return a, nil
			}
			if now, _ := s.Ready.Status(); jsonrpc.IsAnswer(err) && (!now.Calm() || now.Generation != before.Generation) {
				differ = true // refused while it reads
				continue
			}
			return a, err
		}
		answered = time.Now()
		differ = !q.Same(a.Value, value)
		a.Value = value
		if now, _ := s.Ready.Status(); !differ && calm && st.Calm() && now.Calm() && now.Generation == before.Generation {
			s.Ready.Agreed(q.Method, before)
		}
	}
	a.State = Complete
	blind, err := s.Project.Blind(ctx, q.Method)
	if err != nil {
		return a, err
	}
	switch {
	case s.Server.Spec.Degrades(q.Method) != "":
		a.State, a.Reason = Degraded, s.Label+" "+s.Server.Spec.Degrades(q.Method)
	case blind != "":
		a.State, a.Reason = Degraded, blind
	case st.Problem != "":
		a.State, a.Reason = Degraded, st.Problem
	case st.Overdue:
		a.State, a.Reason = Degraded, "the server never said that it had read the workspace"
	case s.Server.Spec.DiskOnly && s.Documents.HasOverlays():
		a.State, a.Reason = Degraded, "the server reads other files from the disk, so unsaved text in them is not seen"
	}
	return a, nil
}

// troubled adds to a server's refusal what stands behind it: a folder that it could not read, or has not read yet.
func troubled(err error, st ready.Status) error {
	switch {
	case !jsonrpc.IsAnswer(err) && !errors.Is(err, context.DeadlineExceeded):
		return err
	case st.Problem != "":
		return fmt.Errorf("%w (%s)", err, st.Problem)
	case !st.Calm():
		return fmt.Errorf("%w (%s)", err, st.Reading())
	}
	return err
}

// mayRetry reports whether a call may be put again after its attempt failed with err: once after the server died under
// it, and a few times more as long as the blame may be others'.
func mayRetry(err error, attempt int) bool {
	var d *jsonrpc.EndedError
	return errors.As(err, &d) && (attempt == 1 || d.Shared && attempt < 5)
}
