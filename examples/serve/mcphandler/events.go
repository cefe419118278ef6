package mcphandler

import (
	"container/list"
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxEventBytes = 16 << 20 // of all events, with what keeping one costs
	maxStreams    = 4096     // of all sessions
	maxDropped    = 16384    // counts of streams that made room for others
	eventCost     = 128      // bytes that an event costs beside its text
)

// events keep what was sent on streams, so that a client whose connection broke gets what it missed. The SDK's own store bounds the texts, but
// neither the streams of a session, of which each request makes one, nor the events without a text. The oldest goes first, of whatever session: of streams
// the one that was used longest ago, as nobody says which ones have ended.
type events struct {
	most int // bytes

	mu      sync.Mutex // guards what follows
	streams map[streamKey]*eventStream
	order   list.List // of *event, the oldest in front
	ages    list.List // of streamKey, the one used longest ago in front
	bytes   int
	dropped map[streamKey]int // how many events they had: a dropped stream that goes on is numbered on
	forgot  bool              // counts of dropped streams were forgotten
}

type streamKey struct{ session, stream string }

type eventStream struct {
	first int // index of the first event that is left
	kept  []*list.Element
	age   *list.Element
}

type event struct {
	of   streamKey
	data []byte
}

func newEvents(most int) *events {
	return &events{most: most, streams: map[streamKey]*eventStream{}, dropped: map[streamKey]int{}}
}

// Open makes a stream.
func (e *events) Open(_ context.Context, session, stream string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open(streamKey{session, stream}, true)
	return nil
}

// open is a stream, made where there is none. new says that it cannot have been dropped.
func (e *events) open(k streamKey, new bool) *eventStream {
	if s := e.streams[k]; s != nil {
		e.ages.MoveToBack(s.age)
		return s
	}
	for e.ages.Len() >= maxStreams {
		old := e.ages.Front().Value.(streamKey)
		if len(e.dropped) >= maxDropped {
			clear(e.dropped)
			e.forgot = true
		}
		if s := e.streams[old]; s.first+len(s.kept) > 0 {
			e.dropped[old] = s.first + len(s.kept)
		}
		e.drop(old)
	}
	s := &eventStream{age: e.ages.PushBack(k)}
	if n, ok := e.dropped[k]; ok {
		s.first = n
		delete(e.dropped, k)
	} else if e.forgot && !new {
		s.first = unknown
	}
	e.streams[k] = s
	return s
}

// unknown is more events than any stream has: every one that is asked for is purged.
const unknown = math.MaxInt / 2

// drop forgets a stream. mu is held.
func (e *events) drop(k streamKey) {
	s := e.streams[k]
	if s == nil {
		return
	}
	for _, el := range s.kept {
		e.bytes -= len(el.Value.(*event).data) + eventCost
		e.order.Remove(el)
	}
	e.ages.Remove(s.age)
	delete(e.streams, k)
}

// Append keeps an event, in place of the oldest ones where there is no room. One that is larger than the whole store is not kept, nor what was before it in its stream.
func (e *events) Append(_ context.Context, session, stream string, data []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	k := streamKey{session, stream}
	s := e.open(k, false)
	s.kept = append(s.kept, e.order.PushBack(&event{k, data}))
	e.bytes += len(data) + eventCost
	for e.bytes > e.most {
		el := e.order.Front()
		old := e.order.Remove(el).(*event)
		e.bytes -= len(old.data) + eventCost
		of := e.streams[old.of] // its first: they are kept in order
		of.kept[0] = nil
		of.kept, of.first = of.kept[1:], of.first+1
	}
	return nil
}

// After returns the events of a stream behind one. The standalone stream read from its beginning (-1) has what is left of it, which is numbered anew: the client never saw the rest.
func (e *events) After(_ context.Context, session, stream string, index int) iter.Seq2[[]byte, error] {
	after := func() ([][]byte, error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		k := streamKey{session, stream}
		s := e.streams[k]
		n, dropped := e.dropped[k]
		if stream == "" && index == -1 && dropped {
			s = e.open(k, false)
		}
		if s == nil {
			if dropped && index+1 >= n { // the client has had all there was
				return nil, nil
			}
			return nil, fmt.Errorf("stream %q of the session is not kept any more: %w", stream, mcp.ErrEventsPurged)
		}
		if stream == "" && index == -1 {
			s.first = 0
		}
		from := index + 1 - s.first
		if from < 0 {
			return nil, fmt.Errorf("event %d of stream %q is not kept any more: %w", index+1, stream, mcp.ErrEventsPurged)
		}
		var out [][]byte
		for _, el := range s.kept[min(from, len(s.kept)):] {
			out = append(out, el.Value.(*event).data)
		}
		return out, nil
	}
	return func(yield func([]byte, error) bool) {
		list, err := after()
		if err != nil {
			yield(nil, err)
			return
		}
		for _, data := range list {
			if !yield(data, nil) {
				return
			}
		}
	}
}

// SessionClosed forgets the streams of a session.
func (e *events) SessionClosed(_ context.Context, session string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for k := range e.streams {
		if k.session == session {
			e.drop(k)
		}
	}
	maps.DeleteFunc(e.dropped, func(k streamKey, _ int) bool { return k.session == session })
	return nil
}
