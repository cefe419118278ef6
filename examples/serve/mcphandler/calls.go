package mcphandler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot/skill"
)

const (
	maxRunning = 8               // calls of tools at once
	maxWaiting = 64              // calls that wait for one of them to end
	lastWord   = 2 * time.Second // for a tool to say itself that its time is over
)

// calls bounds the calls of tools: how many there are, and how long they take. A panic in one is its answer.
type calls struct {
	log     *slog.Logger
	timeout time.Duration // 0: none
	ready   chan struct{} // closed when the sources are read
	unread  error         // why they could not be; valid once ready is closed
	running chan struct{}
	all     chan struct{}
	tools   sync.WaitGroup // the goroutines that tools run in, and the one that waits for the sources
}

// newCalls bounds calls until ctx ends. ready gives how the reading of sources ended; nil: there was none.
func newCalls(ctx context.Context, log *slog.Logger, timeout time.Duration, ready <-chan error) *calls {
	c := &calls{log: log, timeout: timeout, ready: make(chan struct{}), running: make(chan struct{}, maxRunning), all: make(chan struct{}, maxRunning+maxWaiting)}
	if ready == nil {
		close(c.ready)
		return c
	}
	c.tools.Go(func() {
		select {
		case c.unread = <-ready:
			close(c.ready)
		case <-ctx.Done():
		}
	})
	return c
}

// wait waits until the sources are read; a result says that they could not be.
func (c *calls) wait(ctx context.Context) (*mcp.CallToolResult, error) {
	select {
	case <-c.ready:
		if c.unread != nil {
			if k, _ := ctx.Value(kindKey{}).(kind); k != kindOwn { // the reason has paths of the host
				return failed(c.numbered("the sources could not be read", "reason", c.unread)), nil
			}
			return failed(fmt.Errorf("the sources could not be read: %w", c.unread)), nil
		}
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// errLate is the end of a call whose time is over.
var errLate = errors.New("the time of the call is over")

// do calls a tool when the sources are read and there is room. It returns when the call's time is over, even if the tool does not.
func (c *calls) do(ctx context.Context, name string, call func(context.Context) (*mcp.CallToolResult, error)) (*mcp.CallToolResult, error) {
	select {
	case c.all <- struct{}{}:
	default:
		return failed(fmt.Errorf("%s: busy: try again when one of the %d calls under way has ended", name, cap(c.all))), nil
	}
	leave := func() { <-c.all }
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.timeout, errLate)
		defer cancel()
	}
	late := func(what string) (*mcp.CallToolResult, error) {
		if context.Cause(ctx) != errLate {
			return nil, ctx.Err()
		}
		return failed(fmt.Errorf("%s: %s after %s: ask for less, or start the server with a longer -timeout", name, what, c.timeout)), nil
	}
	if res, err := c.wait(ctx); err != nil {
		leave()
		return late("the sources are still being read")
	} else if res != nil {
		leave()
		return res, nil
	}
	select {
	case c.running <- struct{}{}:
	case <-ctx.Done():
		leave()
		return late("other calls are still under way")
	}
	type result struct {
		res *mcp.CallToolResult
		err error
	}
	done := make(chan result, 1)
	c.tools.Go(func() {
		var r result
		defer func() {
			<-c.running
			leave()
			done <- r
		}()
		defer c.recovered(name, func(err error) { r = result{failed(err), nil} })
		r.res, r.err = call(ctx)
	})
	answer := func(r result) (*mcp.CallToolResult, error) {
		if ctx.Err() != nil && (r.err != nil || r.res.IsError) {
			return late("no answer")
		}
		return r.res, r.err
	}
	select {
	case r := <-done:
		return answer(r)
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return answer(r)
	case <-time.After(lastWord):
		c.log.Warn("a tool goes on after its call has ended", "tool", name)
		return late("no answer")
	}
}

// recovered is deferred: it makes an error of a panic. Its value is for the log alone, whoever calls: it may quote anything.
func (c *calls) recovered(name string, report func(error)) {
	if p := recover(); p != nil {
		report(c.numbered(name, "panic", p, "stack", string(debug.Stack())))
	}
}

// safe is a tool whose panics are errors, for callers that are no clients.
func (c *calls) safe(t skill.Tool) skill.Tool {
	call := t.Call
	t.Call = func(ctx context.Context, args json.RawMessage) (res *skill.Result, err error) {
		defer c.recovered(t.Name, func(e error) { res, err = nil, e })
		return call(ctx, args)
	}
	return t
}

// ended waits for tools that went on after their calls, for as long as it takes to see that they do not end.
func (c *calls) ended() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.tools.Wait()
	}()
	select {
	case <-done:
	case <-time.After(lastWord):
		c.log.Warn("a tool did not end with the server")
	}
}
