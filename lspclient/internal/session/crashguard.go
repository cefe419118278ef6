package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/crash"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// crashGuard keeps inputs that crash a server from one process of it, and finds out what it was at when it crashed.
type crashGuard struct {
	sess    *Session
	inputs  crash.Describer
	log     *crash.Log
	ended   sync.Once // around autopsy, which sets what follows
	several bool      // more than one input may have crashed it
}

func newCrashGuard(s *Session, log *crash.Log) *crashGuard {
	return &crashGuard{sess: s, log: log, inputs: crash.Describer{
		Relative: s.Server.Pool.Tree.Relative, Snapshot: s.Documents.Snapshot, Text: s.Documents.Peek, Place: s.Place,
	}}
}

// refuses returns an error when the text of a document is what crashes the server.
func (g *crashGuard) refuses(path string, text *source.Text) error {
	if !g.log.Known(crash.DocumentKey(path)) {
		return nil
	}
	_, err := g.verdict(g.inputs.Document(path, text))
	return err
}

// verdict says whether an input is suspected; the error says that it is refused.
func (g *crashGuard) verdict(in crash.Input) (suspected bool, err error) {
	suspected, refused, stderr := g.log.Verdict(in)
	if refused != nil {
		return false, &ServerError{Server: g.sess.Label, Method: in.About.Method, Stderr: stderr, Err: refused}
	}
	return suspected, nil
}

// send puts a request to the server unless it is one that crashes it. A suspected one is asked while no other is under way.
func (g *crashGuard) send(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	s := g.sess
	var sent any // nil when there are no parameters
	if params != nil {
		sent = params
	}
	key := crash.RequestKey(method, params)
	suspected := false
	if g.log.Known(key) {
		var err error
		if suspected, err = g.verdict(g.inputs.Request(method, params)); err != nil {
			return nil, err
		}
	}
	leave, err := g.log.Gate.Enter(ctx, s.Conn.Done, suspected)
	if err != nil {
		if dead := s.Conn.Failure(); dead != nil {
			return nil, g.post(dead, false)
		}
		return nil, err
	}
	defer leave()
	if suspected {
		timer := time.AfterFunc(crash.MaxTrial, leave)
		defer timer.Stop()
		in := g.inputs.Request(method, params)
		if suspected, err = g.verdict(in); err != nil { // another call has tried it meanwhile
			return nil, err
		}
		if err := g.prove(ctx, in); err != nil {
			return nil, g.post(err, true)
		}
	}
	moves := s.Ready.FileMoves()
	raw, err := s.Conn.Send(ctx, method, sent, jsonrpc.RequestOptions{Trial: suspected, Seen: func() { s.Ready.AnsweredSince(moves) }})
	switch {
	case err == nil:
		if g.log.Known(key) {
			g.log.Clear(key)
		}
	case jsonrpc.IsEnded(err):
		err = g.post(err, suspected)
	}
	return raw, err
}

// aliveMethod is a request that no server knows. The protocol makes them answer requests whose names begin with "$/" with
// an error at once.
const aliveMethod = "$/findspot/alive"

// prove shows, for a request about a document that is suspected itself, whether the server survives the document alone:
// it is asked something that needs nothing, and has read the document when it answers.
func (g *crashGuard) prove(ctx context.Context, in crash.Input) error {
	if in.Abs == "" || !g.log.Known(crash.DocumentKey(in.Abs)) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	params, err := json.Marshal(map[string]any{"textDocument": map[string]string{"uri": source.FileURI(in.Abs)}})
	if err != nil {
		return err
	}
	_, err = g.sess.Conn.Send(ctx, aliveMethod, json.RawMessage(params), jsonrpc.RequestOptions{Trial: true})
	if jsonrpc.IsEnded(err) {
		return err
	}
	if err == nil || jsonrpc.IsAnswer(err) {
		g.log.Clear(crash.DocumentKey(in.Abs))
	}
	return nil // a server that does not answer this is asked the question itself
}

// post returns the error of a call whose connection has ended, after what the server was at has been noted. Trial says
// that the call was asked alone.
func (g *crashGuard) post(err error, trial bool) error {
	g.autopsy()
	var dead *jsonrpc.EndedError
	if errors.As(err, &dead) {
		return &jsonrpc.EndedError{Cause: dead.Cause, Shared: g.several && !trial}
	}
	return err
}

// autopsy finds what the server was at when it ended by itself, once; it waits until that is done.
func (g *crashGuard) autopsy() {
	g.ended.Do(func() {
		s := g.sess
		if s.retired.Load() {
			return
		}
		s.Process.Settle()
		if s.Process.WasKilled() {
			return // somebody wanted that; no input did it
		}
		how, stderr := s.Conn.Failure().Error(), s.Process.Stderr.String()
		if end := s.Process.Status(); end != "" {
			how += " (" + end + ")"
		}
		var trial, others []crash.Input
		for _, p := range s.Conn.Unanswered() {
			in := g.inputs.Request(p.Method, p.Params)
			if p.Method == aliveMethod {
				in = in.AsDocument()
			}
			if p.Trial {
				trial = append(trial, in)
			} else {
				others = append(others, in)
			}
		}
		if len(trial) == 0 {
			for path, text := range s.Documents.ReadSince(s.Conn.Answered()) {
				others = append(others, g.inputs.Document(path, text))
			}
		}
		slices.SortFunc(others, crash.Compare)
		others = slices.CompactFunc(others, func(a, b crash.Input) bool { return a.Key == b.Key })
		for _, in := range trial {
			g.log.Charge(in, true, how, stderr)
		}
		for _, in := range others {
			g.log.Charge(in, len(others) == 1 && len(trial) == 0, how, stderr)
		}
		g.several = len(trial) > 0 || len(others) > 1
		if len(trial)+len(others) > 0 {
			s.Server.Pool.opts.Logger.Info("lspclient: server crashed", "server", s.Label, "reason", how,
				"inputs", fmt.Sprint(len(trial)+len(others)))
		}
	})
}
