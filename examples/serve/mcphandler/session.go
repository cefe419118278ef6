package mcphandler

import (
	"context"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
)

// The most bytes that a session's ledger keeps, of the one client of standard input and of each of many.
const (
	ownLedger   = 64 << 20
	sharedBytes = 8 << 20
)

// session is what a client has for itself.
type session struct {
	h     *Handler
	http  bool
	tools map[string]skill.Tool // what is offered, under the guards of the skill where one is active
	held  *active               // nil: no skill is active
	read  func() skill.Tool     // the tool read with all its arguments, under the guards too

	ctx context.Context // ends with the session
	end context.CancelFunc

	roots rootsState
	log   *pump // nil: the client set no level; guarded by Handler.mu
}

// The kinds of clients over HTTP, in the context of their requests.
type kindKey struct{}

type kind int

const (
	kindOwn       kind = iota // over a transport of Run
	kindSession               // over HTTP
	kindStateless             // over HTTP, without sessions
)

// newSession makes the state of a session; record gets its record.
func (h *Handler) newSession(http bool, record func(*runner.Options)) (*session, error) {
	o := h.opt.Tools
	size := ownLedger
	if http {
		size = sharedBytes
	}
	o.Ledger = evidence.NewBoundedLedger(size)
	s := &session{h: h, http: http, tools: map[string]skill.Tool{}}
	s.ctx, s.end = context.WithCancel(h.closed)
	for _, t := range h.ws.Tools(&o) {
		s.tools[t.Name] = t
	}
	whole := o
	if h.skill == nil {
		whole.Profile = findspot.ProfileFull
		s.read = sync.OnceValue(func() skill.Tool { return toolOf(h.ws.Tools(&whole), "read") })
		return s, nil
	}
	whole.Profile = findspot.ProfileAliases // the skill's steps may use names that the client is not offered
	all := h.ws.Tools(&whole)
	for i, t := range all {
		all[i] = h.calls.safe(t)
	}
	ro := runner.Options{Ledger: o.Ledger, Logger: h.opt.Logger}
	if record != nil {
		record(&ro)
	}
	var err error
	if s.held, err = activate(s.ctx, h.calls, h.ws, h.skill, all, h.opt.Inputs, ro); err != nil {
		s.end()
		return nil, err
	}
	s.held.tell = func(err error) error { return err }
	if http {
		over := context.WithValue(s.ctx, kindKey{}, kindSession)
		s.held.tell = func(err error) error { return h.tell(over, runSkill, nil, err) }
	}
	guarded := s.held.run.Tools()
	for _, g := range guarded {
		if t, ok := s.tools[g.Name]; ok { // what is offered, with the guards before it
			t.Call = g.Call
			s.tools[g.Name] = t
		}
	}
	s.read = func() skill.Tool { return toolOf(guarded, "read") }
	return s, nil
}

func toolOf(list []skill.Tool, name string) skill.Tool {
	for _, t := range list {
		if t.Name == name {
			return t
		}
	}
	return skill.Tool{}
}

// close ends what the session started.
func (s *session) close() {
	s.end()
	if s.held != nil {
		s.held.wait()
	}
}

// session is the state of a client's session, made when it is first asked for.
func (h *Handler) session(ctx context.Context, ss *mcp.ServerSession) (*session, error) {
	k, _ := ctx.Value(kindKey{}).(kind)
	h.mu.Lock()
	defer h.mu.Unlock()
	if k == kindStateless {
		if h.skill != nil { // its run would be one for all: a step of one client opens a gate for another
			return nil, &jsonrpc.Error{Code: codeRefused, Message: fmt.Sprintf("the skill %s is active, and needs a session: call with a version of the protocol before %s, which has them", h.skill.Name, withoutState)}
		}
		if h.shared == nil {
			s, err := h.newSession(true, nil)
			if err != nil {
				return nil, err
			}
			h.shared = s
		}
		return h.shared, nil
	}
	if s := h.sessions[ss]; s != nil {
		return s, nil
	}
	if err := h.closed.Err(); err != nil {
		return nil, err
	}
	var record func(*runner.Options)
	if k == kindOwn && !h.recorded && h.opt.Record != nil {
		h.recorded = true
		record = func(o *runner.Options) { o.Record = h.opt.Record }
	}
	s, err := h.newSession(k != kindOwn, record)
	if err != nil {
		return nil, err
	}
	h.sessions[ss] = s
	h.work.Go(func() {
		_ = ss.Wait() // why it ended is in the transport's log
		h.mu.Lock()
		delete(h.sessions, ss)
		h.mu.Unlock()
		s.close()
	})
	return s, nil
}
