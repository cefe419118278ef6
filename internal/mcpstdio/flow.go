package mcpstdio

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

const (
	maxCalls   = 256      // calls under way, and notifications passed on while a line waits to be written
	maxBytes   = 64 << 20 // of the texts of calls under way; one is always let through
	maxListens = 16       // calls that last as long as the client likes
)

// codeBusy is of the range that JSON-RPC leaves to servers.
const codeBusy = -32000

// listens is the method whose calls last until the client ends them. They are counted apart: they would use up the room.
const listens = "subscriptions/listen"

// initializes is the method whose answer names the version of the protocol.
const initializes = "initialize"

// batching is the one version of the protocol that has batches.
const batching = "2025-03-26"

// call is a request that was passed on and is not answered, or whose answer is being written.
type call struct {
	method string
	size   int
	batch  *batch
}

// flow counts what is under way, and makes who wants to add to it wait.
type flow struct {
	mu      sync.Mutex
	changed chan struct{} // closed and made anew with each change
	calls   map[jsonrpc.ID]*call
	open    int    // calls whose answer is not written, without those that listen
	bytes   int    // of their texts
	listens int    // calls that listen
	writers int    // lines that wait to be written or are being written
	passed  int    // messages passed on since a line was last written
	version string // of the protocol, once it is agreed
}

func (f *flow) init() {
	f.changed, f.calls = make(chan struct{}), map[jsonrpc.ID]*call{}
}

// change changes the counts and wakes who waits.
func (f *flow) change(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
	close(f.changed)
	f.changed = make(chan struct{})
}

// wait waits until ok, which is called with mu held and may change the counts. It is false if ctx ended or the session was closed.
func (f *flow) wait(ctx context.Context, closed <-chan struct{}, ok func(*flow) bool) bool {
	for {
		f.mu.Lock()
		if ok(f) {
			f.mu.Unlock()
			return true
		}
		changed := f.changed
		f.mu.Unlock()
		select {
		case <-changed:
		case <-closed:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// admit waits for room and counts the request, or says why it is refused. What comes of a closed session the caller looks at.
//
// The SDK keeps what it is given without a bound, in goroutines or in its queue, when answers cannot be written. Waiting is safe:
// calls end by themselves, but for those that listen, and lines get written, or the client does not read and waits for itself.
func (f *flow) admit(ctx context.Context, closed <-chan struct{}, req *jsonrpc.Request, a arrival) (bad *refusal) {
	id := rawID(req.ID)
	f.wait(ctx, closed, func(f *flow) bool {
		if f.writers > 0 && f.passed >= maxCalls {
			return false
		}
		if !req.IsCall() {
			f.passed++
			return true
		}
		if _, ok := f.calls[req.ID]; ok {
			bad = invalid(nil, "the id %s is that of a call under way", id)
			return true
		}
		if req.Method == listens {
			if f.listens >= maxListens {
				bad = &refusal{id: id, code: codeBusy, text: fmt.Sprintf("%d calls listen: end one first", f.listens)}
				return true
			}
			f.listens++
		} else {
			if f.open >= maxCalls || f.open > 0 && f.bytes+a.size > maxBytes {
				return false
			}
			f.open++
			f.bytes += a.size
		}
		f.passed++
		f.calls[req.ID] = &call{method: req.Method, size: a.size, batch: a.batch}
		return true
	})
	return bad
}

// answered frees the id of a call, which the client may use again as soon as it has the answer; done frees its room.
func (f *flow) answered(resp *jsonrpc.Response) *call {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.calls[resp.ID]
	delete(f.calls, resp.ID)
	if c != nil && c.method == initializes && resp.Error == nil {
		var result struct {
			Version string `json:"protocolVersion"`
		}
		if json.Unmarshal(resp.Result, &result) == nil {
			f.version = result.Version
		}
	}
	return c
}

func (f *flow) done(c *call) {
	if c == nil {
		return
	}
	f.change(func() {
		if c.method == listens {
			f.listens--
			return
		}
		f.open--
		f.bytes -= c.size
	})
}

// writing counts the lines under way.
func (f *flow) writing(n int) {
	f.change(func() {
		f.writers += n
		if n < 0 {
			f.passed = 0
		}
	})
}

func (f *flow) underWay() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open
}

func (f *flow) hasBatches() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.version == batching
}

// owns tells whether a call under way has the id.
func (f *flow) owns(raw json.RawMessage) bool {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return false
	}
	id, err := jsonrpc.MakeID(value)
	if err != nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.calls[id]
	return ok
}
