package api

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/workflow"
)

const (
	maxRuns   = 16   // at once
	maxEvents = 2000 // that a client has not taken yet
)

var (
	errCancelled = errors.New("the run was cancelled")
	errSlow      = connect.NewError(connect.CodeResourceExhausted, errors.New("the run was ended: its events were not taken"))
)

// A run is a run of a skill, which belongs to the stream that began it.
type run struct {
	s      *Service
	id     string
	skill  *skill.Skill
	began  time.Time
	ctx    context.Context
	cancel context.CancelCauseFunc
	leave  func() bool

	mu      sync.Mutex // guards what follows
	events  []*v1.RunEvent
	more    chan struct{} // has room for one: there are events
	asks    int
	waiting *v1.ApprovalRequest
	reply   chan string // of what is waiting
}

// execute runs the steps and sends what happens.
func (r *run) execute(inputs map[string]any, to sender[v1.RunEvent]) error {
	r.put(&v1.RunEvent{Event: &v1.RunEvent_Started{Started: &v1.RunStarted{RunId: r.id, Skill: r.skill.Name, Digest: r.skill.Digest}}})
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer caught(&err)
		var out *runner.Outcome
		out, err = runner.New(nil, r.s.tools, &runner.Options{Approve: r.approve, Events: r.event, Source: r.s.ws, Logger: r.s.log}).Run(r.ctx, r.skill, inputs)
		if out != nil {
			r.put(&v1.RunEvent{Event: &v1.RunEvent_Outcome{Outcome: message.Fill[v1.Outcome](out, r.s.mask())}})
		}
		if cause := context.Cause(r.ctx); err != nil && cause != nil && !errors.Is(cause, errCancelled) {
			err = cause
		} else if out == nil {
			err = asked(err) // the inputs do not fit
		}
	}()
	for {
		select {
		case <-r.more:
			r.send(to)
		case err := <-done:
			r.send(to)
			return err
		}
	}
}

// send sends what there is. Once the client is gone, the run ends.
func (r *run) send(to sender[v1.RunEvent]) {
	r.mu.Lock()
	events := r.events
	r.events = nil
	r.mu.Unlock()
	for _, e := range events {
		if err := to.Send(e); err != nil {
			r.cancel(err)
			return
		}
	}
}

// put never blocks: a run does not wait for its client.
func (r *run) put(e *v1.RunEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.events) >= maxEvents {
		r.cancel(errSlow)
		return
	}
	r.events = append(r.events, e)
	select {
	case r.more <- struct{}{}:
	default:
	}
}

func (r *run) event(e record.Event) {
	r.put(&v1.RunEvent{Event: &v1.RunEvent_Record{Record: message.Fill[v1.RecordEvent](e, r.s.mask())}})
}

// approve asks the client, and waits for Decide.
func (r *run) approve(ctx context.Context, a runner.Approval) (string, error) {
	reply := make(chan string, 1)
	r.mu.Lock()
	r.asks++
	ask := message.Fill[v1.ApprovalRequest](a, r.s.mask())
	ask.ApprovalId = fmt.Sprint(r.asks)
	r.waiting, r.reply = ask, reply
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.waiting, r.reply = nil, nil
	}()
	r.put(&v1.RunEvent{Event: &v1.RunEvent_Approval{Approval: ask}})
	select {
	case choice := <-reply:
		return choice, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// decide answers what is waiting. An answer to anything else approves nothing.
func (r *run) decide(d *v1.DecideRequest) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.waiting == nil || r.waiting.ApprovalId != d.ApprovalId {
		return "", fmt.Errorf("approval %q: %w: it was answered, or the run does not wait for it", d.ApprovalId, findspot.ErrNotFound)
	}
	choice := d.Choice
	switch {
	case choice != "":
	case !d.Approve:
		choice = workflow.ChoiceStop
	case slices.Contains(r.waiting.Choices, workflow.ChoiceApprove):
		choice = workflow.ChoiceApprove
	default:
		return "", invalid(`the choices are %q, and none of them is approve: give "choice"`, r.waiting.Choices)
	}
	if choice != workflow.ChoiceStop && !slices.Contains(r.waiting.Choices, choice) {
		return "", invalid("%q is none of %q", choice, r.waiting.Choices)
	}
	r.reply <- choice // there is room: it is answered once
	r.waiting, r.reply = nil, nil
	return choice, nil
}

// asking is the approval that the run waits for; nil when it does not.
func (r *run) asking() *v1.ApprovalRequest {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting
}
