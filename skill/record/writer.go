package record

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

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/bounded"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/internal/jsonlines"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
)

// A Writer tells events to whoever wants them: as JSON lines, to a function and to a log. A runner.Runner and agent.Gather write
// their own; a host makes one for a loop of its own. It is safe for concurrent use.
type Writer struct {
	w     io.Writer
	opt   Options
	meter Meter

	mu    sync.Mutex // guards below
	n     int
	lines jsonlines.Encoder
	convs int
	talks map[int]*Conversation
	err   error
}

// Options say who else is told of events, and when they happen.
type Options struct {
	Events func(Event)           // gets each event before its line is written, one at a time, and must not block; nil: nobody
	Logger *slog.Logger          // nil discards
	Time   func(Event) time.Time // when the event happens that is about to be written; nil: now
}

// NewWriter returns a writer of one JSON object a line, in the form that [Read] reads; with a nil w it writes nothing.
// o may be nil.
func NewWriter(w io.Writer, o *Options) *Writer {
	r := &Writer{w: w, talks: map[int]*Conversation{}}
	if o != nil {
		r.opt = *o
	}
	if r.opt.Logger == nil {
		r.opt.Logger = slog.New(slog.DiscardHandler)
	}
	if r.opt.Time == nil {
		r.opt.Time = func(Event) time.Time { return time.Now() }
	}
	return r
}

var errBeginning = errors.New("record: it begins with a Run, and has one of it")

// Write writes an event, and stamps it with its number and time. The first one is a [*Run], and no other is. An event that
// another record gave may be passed on. After a failed write nothing is written, and every call returns that error.
func (r *Writer) Write(e Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	run, first := e.(*Run)
	if first != (r.n == 0) {
		return errBeginning
	}
	if first {
		run.Format = recordFormat
	}
	r.n++
	name := Name(e)
	e.stamp(r.n, r.opt.Time(e), name)
	r.meter.Observe(e)
	if l := level(e); r.opt.Logger.Enabled(context.Background(), l) {
		r.opt.Logger.LogAttrs(context.Background(), l, "skill: "+name, logValue(e).Group()...)
	}
	if r.opt.Events != nil {
		r.opt.Events(e)
	}
	if r.err != nil || r.w == nil {
		return r.err
	}
	line, err := jsonvalue.Marshal(e)
	if err != nil {
		r.err = fmt.Errorf("record: %s: %w", name, err)
		return r.err
	}
	if line, r.err = r.lines.Line(line); r.err == nil {
		if _, err := r.w.Write(line); err != nil {
			r.err = fmt.Errorf("record: %w", err)
		}
	}
	return r.err
}

// Err returns why nothing is written any more, if so.
func (r *Writer) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Measures returns the numbers of what was written so far, as if it ended in the status.
func (r *Writer) Measures(status string) Measures { return r.meter.ending(status) }

// Ask asks a model for a whole reply, and writes request and reply as a part of the conversation, a number from 1: of each request
// what the one before did not have. by says who asks. One conversation is held by one goroutine at a time. A model that
// ignores the end of ctx is not waited for. What came before an error is returned with it, and the reply is never nil.
func (r *Writer) Ask(ctx context.Context, conversation int, by string, m skill.Model, req *skill.Request) (*skill.Reply, error) {
	r.mu.Lock()
	begun, talk := r.n > 0, r.talks[conversation]
	r.mu.Unlock()
	if !begun {
		return &skill.Reply{}, errBeginning
	}
	if talk == nil {
		talk = r.Conversation(by)
		talk.ID = conversation
		r.mu.Lock()
		r.talks[conversation] = talk
		r.mu.Unlock()
	}
	reply, err := talk.Ask(ctx, m, req)
	if err == nil {
		err = r.Err()
	}
	return reply, err
}

// A Conversation writes the requests and replies of one talk with a model: of each request what the one before did not
// have, so that a record does not grow with the square of its turns.
type Conversation struct {
	rec    *Writer
	ID     int
	by     string
	system string
	last   []skill.Message
}

// Conversation begins one. by is host when no step asks.
func (r *Writer) Conversation(by string) *Conversation {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.convs++
	return &Conversation{rec: r, ID: r.convs, by: by}
}

func (c *Conversation) Request(req *skill.Request) *Model {
	keep := 0
	for keep < len(c.last) && keep < len(req.Messages) && sameMessage(c.last[keep], req.Messages[keep]) {
		keep++
	}
	e := &Model{Conversation: c.ID, By: c.by, Role: req.Role, Keep: keep, Messages: slices.Clone(req.Messages[keep:]), Choice: req.Choice, Schema: jsonvalue.Valid(req.Schema), MaxTokens: req.MaxTokens}
	if req.System != c.system {
		e.System, c.system = req.System, req.System
	}
	for _, t := range req.Tools {
		e.Tools = append(e.Tools, t.Name)
	}
	c.last = slices.Clone(req.Messages)
	return e
}

func (c *Conversation) Reply(r *skill.Reply, err error) *Reply {
	e := &Reply{Conversation: c.ID, By: c.by, Reply: r}
	if err != nil {
		var coded skill.CodedError
		if errors.As(err, &coded) {
			e.Code = coded.Code()
		}
		e.Error = err.Error()
	}
	return e
}

// Ask asks a model and writes request and reply.
func (c *Conversation) Ask(ctx context.Context, m skill.Model, req *skill.Request) (*skill.Reply, error) {
	c.rec.Write(c.Request(req))
	reply, err := invoke.Ask(ctx, m, req, bounded.Grace)
	if err == nil {
		err = ctx.Err() // a model that does not look at it
	}
	if reply = invoke.CleanReply(reply); reply == nil { // it hung
		reply = &skill.Reply{}
	}
	c.rec.Write(c.Reply(reply, err))
	return reply, err
}

func sameMessage(a, b skill.Message) bool {
	return a.From == b.From && a.Text == b.Text && a.CallID == b.CallID && a.Error == b.Error && bytes.Equal(a.State, b.State) &&
		slices.EqualFunc(a.Calls, b.Calls, func(x, y skill.ToolCall) bool {
			return x.ID == y.ID && x.Name == y.Name && bytes.Equal(x.Args, y.Args)
		})
}

// Offers are the tools of a run as its record begins with them. full says of which tools a model may be told.
func Offers(tools map[string]skill.Tool, full func(string) bool) []ToolOffer {
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

// Fail notes why a call gave nothing.
func (e *Result) Fail(err error) {
	e.Result, e.Error = nil, err.Error()
	var (
		coded  skill.CodedError
		denied *skill.DeniedError
	)
	if errors.As(err, &coded) {
		e.Code = coded.Code()
	}
	if errors.As(err, &denied) {
		e.Because, e.Until = denied.Because, denied.Until
	}
}
