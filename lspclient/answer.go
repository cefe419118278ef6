package lspclient

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

// answer is a value with how far it can be trusted.
type answer[T any] struct {
	value  T
	state  State
	reason string
	done   int // percent, while indexing
	sess   *session
}

// said is what an answer says about itself to a caller.
func (a answer[T]) said() Answer {
	return Answer{State: a.state, Reason: a.reason, Progress: a.done, Server: a.sess.label}
}

// question is one thing to ask a server. It must be safe to ask again.
type question[T any] struct {
	method string
	// show opens the files that the question is about, before the server is waited for: some servers read nothing before
	// they are shown a file. Nil: none.
	show func(context.Context, *session) error
	ask  func(context.Context, *session) (T, error)
	same func(a, b T) bool
	// local: the answer lies in the file itself, and needs no workspace.
	local bool
}

// ask puts a question to a server: it starts the server if need be, tells it what changed on disk, waits until it has
// read its folder, and asks, twice if its rule wants that. If the server dies on the way it is asked once more. While all
// places for servers are taken it waits for one.
func ask[T any](ctx context.Context, v *server, q question[T]) (answer[T], error) {
	if err := v.client.limits.enter(ctx, v); err != nil {
		return answer[T]{}, err
	}
	defer v.client.limits.leave(v)
	ctx = context.WithValue(ctx, asking{}, true)
	for attempt := 1; ; attempt++ {
		sess, err := v.session(ctx)
		if err == nil {
			var a answer[T]
			if a, err = askSession(ctx, sess, q); err == nil {
				v.well()
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
			err = sess.failed(q.method, err)
		}
		if !mayRetry(err, attempt) || ctx.Err() != nil {
			if v.client.life.Err() != nil {
				err = fmt.Errorf("%w: %w", errs.Closed, err)
			}
			return answer[T]{}, err
		}
		v.client.opts.Logger.Info("lspclient: asking again", "server", v.spec.Name, "method", q.method, "reason", err.Error())
	}
}

func askSession[T any](ctx context.Context, s *session, q question[T]) (answer[T], error) {
	a := answer[T]{sess: s}
	if err := s.documents.Sync(ctx); err != nil {
		return a, err
	}
	if err := s.documents.AwaitRead(ctx); err != nil {
		return a, err
	}
	if q.show != nil {
		if err := q.show(ctx, s); err != nil {
			return a, err
		}
	}
	if q.local && !s.srv.spec.Ready.Local {
		value, err := q.ask(ctx, s)
		st, _ := s.ready.Status()
		switch {
		case err == nil:
			a.value, a.state = value, Complete
			if st.Problem != "" {
				a.state, a.reason = Degraded, st.Problem
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
	st := s.ready.Wait(ctx, time.Now().Add(left*6/10))
	value, err := q.ask(ctx, s)
	// A server that still reads its folder may say of a file in it that there is none: that is no answer yet.
	for pause := 50 * time.Millisecond; err != nil; pause = min(2*pause, time.Second) {
		now, _ := s.ready.Status()
		if !jsonrpc.IsAnswer(err) || st.Calm() && now.Calm() && now.Generation == st.Generation || time.Until(soft) < pause {
			return a, troubled(err, now)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return a, troubled(err, now)
		}
		st = s.ready.Wait(ctx, soft)
		value, err = q.ask(ctx, s)
	}
	a.value = value
	answered := time.Now()
	differ := false
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		before := st
		var changed <-chan struct{}
		st, changed = s.ready.Status()
		calm := before.Calm() && st.Calm() && before.Generation == st.Generation
		if calm && !differ && !s.ready.MustAgree(q.method) {
			break
		}
		if time.Until(soft) < pause {
			switch {
			case !calm:
				a.state, a.reason, a.done = Indexing, st.Reading(), st.Percent
			case differ:
				a.state, a.reason = Unstable, "two answers differed until the time was up"
			default:
				a.state, a.reason = Indexing, "there was no time to ask a second time"
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
		if st, _ = s.ready.Status(); !st.Calm() {
			st = s.ready.Wait(ctx, soft.Add(-time.Until(soft)/4)) // asking while it reads would only slow it down
		}
		// The second answer is none if it comes from a request that others had under way when the first one came.
		again, cancel := context.WithDeadline(askedSince(ctx, answered.Add(min(time.Since(answered), pause)/2)), soft)
		value, err := q.ask(again, s)
		cancel()
		if err != nil {
			if again.Err() != nil && ctx.Err() == nil {
				a.state, a.reason = Indexing, "the server did not answer a second time"
				if now, _ := s.ready.Status(); !now.Calm() {
					a.reason, a.done = now.Reading(), now.Percent
				}
				return a, nil
			}
			if now, _ := s.ready.Status(); jsonrpc.IsAnswer(err) && (!now.Calm() || now.Generation != before.Generation) {
				differ = true // refused while it reads
				continue
			}
			return a, err
		}
		answered = time.Now()
		differ = !q.same(a.value, value)
		a.value = value
		if now, _ := s.ready.Status(); !differ && calm && st.Calm() && now.Calm() && now.Generation == before.Generation {
			s.ready.Agreed(q.method, before)
		}
	}
	a.state = Complete
	blind, err := s.project.Blind(ctx, q.method)
	if err != nil {
		return a, err
	}
	switch {
	case blind != "":
		a.state, a.reason = Degraded, blind
	case st.Problem != "":
		a.state, a.reason = Degraded, st.Problem
	case st.Overdue:
		a.state, a.reason = Degraded, "the server never said that it had read the workspace"
	case s.srv.spec.DiskOnly && s.documents.HasOverlays():
		a.state, a.reason = Degraded, "the server reads other files from the disk, so unsaved text in them is not seen"
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
