package mcpstdio

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxBatch is the most messages of a batch.
const maxBatch = 100

// batch collects the answers to the messages of one line. It is safe for concurrent use.
type batch struct {
	mu      sync.Mutex
	left    int // messages that are to be answered
	answers [][]byte
}

// add takes an answer, and returns the line of all of them with the last one.
func (b *batch) add(answer []byte) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers = append(b.answers, answer)
	if b.left--; b.left > 0 {
		return nil
	}
	return append(append([]byte("["), bytes.Join(b.answers, []byte(","))...), ']')
}

// batch takes a line with an array apart. Notifications and responses in it are passed on and have no answer.
func (c *conn) batch(ctx context.Context, line []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(line, &list); err != nil {
		return c.answer(ctx, nil, invalid(nil, "%v", err))
	}
	switch {
	case !c.flow.hasBatches():
		return c.answer(ctx, nil, invalid(nil, "an array: batches are of version %s of the protocol alone, and of a session that has begun; send each message on a line", batching))
	case len(list) == 0:
		return c.answer(ctx, nil, invalid(nil, "an empty batch"))
	case len(list) > maxBatch:
		return c.answer(ctx, nil, invalid(nil, "a batch of %d messages, the limit is %d", len(list), maxBatch))
	}
	b := &batch{}
	var queue []arrival
	for _, raw := range list {
		a := c.arrive(raw, b)
		req, ok := a.msg.(*jsonrpc.Request)
		if ok && req.Method == initializes {
			a.bad = invalid(rawID(req.ID), "%s in a batch", initializes)
		}
		if a.bad != nil && !a.bad.silent || a.bad == nil && ok && req.IsCall() {
			b.left++
		}
		queue = append(queue, a)
	}
	c.queue = queue
	return nil
}
