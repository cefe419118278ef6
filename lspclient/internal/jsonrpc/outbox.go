package jsonrpc

import (
	"context"
	"sync"
	"sync/atomic"
)

const (
	// queueSize and queueBytes bound the messages that wait for the writer. A server that does not read fills the queue,
	// and from then on callers wait with their own deadlines. One message of any size always has a place.
	queueSize  = 1024
	queueBytes = 64 << 20
	// replySize bounds the waiting answers to what the server asks; they do not wait for a place.
	replySize = 1024
)

// outgoing is a message for the server.
type outgoing struct {
	Data   []byte
	reply  bool
	sentAt atomic.Int64 // Unix nanoseconds after the write, 0 before
	gone   atomic.Bool  // nobody waits for the answer any more
}

// outbox holds the messages that wait for the writer, in order.
type outbox struct {
	mu      sync.Mutex
	list    []*outgoing
	bytes   int
	replies int
	room    chan struct{} // closed and replaced when something leaves
	more    chan struct{} // holds a value when something came
}

func newOutbox() *outbox {
	return &outbox{room: make(chan struct{}), more: make(chan struct{}, 1)}
}

// put adds a message when there is room for it; it waits until ctx or the connection ends, and then reports false.
func (q *outbox) put(ctx context.Context, done <-chan struct{}, out *outgoing) bool {
	for {
		room, ok := q.offer(out)
		if ok {
			return true
		}
		select {
		case <-room:
		case <-ctx.Done():
			return false
		case <-done:
			return false
		}
	}
}

// offer adds a message if there is room for it, else it returns what is closed when something has left.
func (q *outbox) offer(out *outgoing) (<-chan struct{}, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	own := len(q.list) - q.replies
	switch {
	case out.reply && q.replies >= replySize,
		!out.reply && own > 0 && (own >= queueSize || q.bytes+len(out.Data) > queueBytes):
		return q.room, false
	}
	q.list = append(q.list, out)
	q.bytes += len(out.Data)
	if out.reply {
		q.replies++
	}
	select {
	case q.more <- struct{}{}:
	default:
	}
	return nil, true
}

// blocked reports whether the server has not read for so long that the queue is full.
func (q *outbox) blocked() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.list)-q.replies >= queueSize || q.bytes > queueBytes/2
}

// take returns the next message, nil when there is none.
func (q *outbox) take() *outgoing {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return nil
	}
	out := q.list[0]
	q.drop(0)
	return out
}

// remove takes a message out that still waits, and reports whether it did.
func (q *outbox) remove(out *outgoing) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, o := range q.list {
		if o == out {
			q.drop(i)
			return true
		}
	}
	return false
}

// drop removes the message at i; the lock is held.
func (q *outbox) drop(i int) {
	out := q.list[i]
	if i == 0 {
		q.list[0] = nil
		q.list = q.list[1:]
	} else {
		q.list = append(q.list[:i], q.list[i+1:]...)
	}
	q.bytes -= len(out.Data)
	if out.reply {
		q.replies--
	}
	close(q.room)
	q.room = make(chan struct{})
}
