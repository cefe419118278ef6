package skill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/record"
)

// A recorder tells events to whoever wants them: as JSON lines, to a function and to a log. It is safe for concurrent
// use. After a failed write it writes no more, and err says why.
type recorder struct {
	w    io.Writer
	tell func(Event)
	log  *slog.Logger
	now  func() time.Time
	play *player // set in a replay: it gives the times, and sees each line

	meter Meter

	mu    sync.Mutex // guards below
	n     int
	lines record.Encoder
	convs int
	err   error
}

func newRecorder(o *RunnerOptions) *recorder {
	return &recorder{w: o.Record, tell: o.Events, log: o.Logger, now: o.Now}
}

// write stamps an event and passes it on.
func (r *recorder) write(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	var at time.Time
	if r.play != nil {
		at = r.play.time(e)
	} else {
		at = r.now()
	}
	e.stamp(r.n, at, nameOf(e))
	r.meter.Observe(e)
	if l := level(e); r.log.Enabled(context.Background(), l) {
		r.log.LogAttrs(context.Background(), l, "skill: "+nameOf(e), e.LogValue().Group()...)
	}
	if r.tell != nil {
		r.tell(e)
	}
	if r.err != nil || r.w == nil && r.play == nil {
		return
	}
	line, err := jsonvalue.Marshal(e)
	if err != nil {
		r.err = fmt.Errorf("record: %s: %w", nameOf(e), err)
		return
	}
	if line, r.err = r.lines.Line(line); r.err != nil {
		return
	}
	if r.play != nil {
		r.play.wrote(e, line)
	}
	if r.w == nil {
		return
	}
	if _, err := r.w.Write(line); err != nil {
		r.err = fmt.Errorf("record: %w", err)
	}
}

func (r *recorder) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// A conversation writes the requests and replies of one talk with a model: of each request what the one before did not
// have, so that a record does not grow with the square of its turns.
type conversation struct {
	rec    *recorder
	id     int
	by     string
	system string
	last   []Message
}

// conversation begins one. by is host when no step asks.
func (r *recorder) conversation(by string) *conversation {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.convs++
	return &conversation{rec: r, id: r.convs, by: by}
}

func (c *conversation) request(req *Request) *ModelEvent {
	keep := 0
	for keep < len(c.last) && keep < len(req.Messages) && sameMessage(c.last[keep], req.Messages[keep]) {
		keep++
	}
	e := &ModelEvent{Conversation: c.id, By: c.by, Role: req.Role, Keep: keep, Messages: slices.Clone(req.Messages[keep:]), Choice: req.Choice, Schema: jsonvalue.Valid(req.Schema), MaxTokens: req.MaxTokens}
	if req.System != c.system {
		e.System, c.system = req.System, req.System
	}
	for _, t := range req.Tools {
		e.Tools = append(e.Tools, t.Name)
	}
	c.last = slices.Clone(req.Messages)
	return e
}

func (c *conversation) reply(r *Reply, err error) *ReplyEvent {
	e := &ReplyEvent{Conversation: c.id, By: c.by, Reply: r}
	if err != nil {
		var coded CodedError
		if errors.As(err, &coded) {
			e.Code = coded.Code()
		}
		e.Error = err.Error()
	}
	return e
}

func sameMessage(a, b Message) bool {
	return a.From == b.From && a.Text == b.Text && a.CallID == b.CallID && a.Error == b.Error && bytes.Equal(a.State, b.State) &&
		slices.EqualFunc(a.Calls, b.Calls, func(x, y ToolCall) bool {
			return x.ID == y.ID && x.Name == y.Name && bytes.Equal(x.Args, y.Args)
		})
}

// offers are the tools of a run as its record begins with them. full says of which tools a model may be told.
func offers(tools map[string]Tool, full func(string) bool) []ToolOffer {
	out := make([]ToolOffer, len(tools))
	for i, n := range slices.Sorted(maps.Keys(tools)) {
		t := tools[n]
		out[i] = ToolOffer{Name: n, AliasOf: t.AliasOf, Writes: t.Writes}
		if full(n) {
			out[i].Description, out[i].Guidance, out[i].Schema = t.Description, t.Guidance, t.Schema
		}
	}
	return out
}

// setError notes in an event why a call gave nothing.
func setError(e *ResultEvent, err error) {
	e.Result, e.Error = nil, err.Error()
	var (
		coded  CodedError
		denied *DeniedError
	)
	if errors.As(err, &coded) {
		e.Code = coded.Code()
	}
	if errors.As(err, &denied) {
		e.Because, e.Until = denied.Because, denied.Until
	}
}
