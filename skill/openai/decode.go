package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/wire"
)

// Bounds of one answer.
const (
	maxCalls = 128
	maxArgs  = 4 << 20 // bytes, of one call, and of thoughts
)

// A call is a tool call that is being streamed.
type call struct {
	index int64
	id    string
	name  string
	args  strings.Builder
	extra json.RawMessage
}

// A decoder turns the chunks of one stream into deltas.
type decoder struct {
	http  *wire.Client
	asked *asked
	yield func(*skill.Delta, error) bool

	begun   bool // something was handed out
	model   string
	usage   *skill.Usage
	calls   []*call
	finish  string
	refused bool
	answer  strings.Builder // of a schema
	thought strings.Builder
	details []json.RawMessage
	detail  int // bytes of details
}

func (d *decoder) chunk(c *chunk) error {
	if c.Model != "" {
		d.model = d.http.Clean(c.Model)
	}
	if u := c.Usage; u != nil {
		d.usage = &skill.Usage{
			Input: wire.Tokens(u.PromptTokens), Output: wire.Tokens(u.CompletionTokens), Cached: wire.Tokens(u.Details.CachedTokens),
		}
	}
	for i := range c.Choices {
		ch := &c.Choices[i]
		if ch.Index != 0 { // one answer was asked for
			continue
		}
		if err := d.delta(&ch.Delta); err != nil {
			return err
		}
		if ch.FinishReason != "" {
			d.finish = ch.FinishReason
		}
	}
	return nil
}

func (d *decoder) delta(x *delta) error {
	if x.Content == "" && x.Refusal == "" && len(x.ToolCalls) == 0 {
		return d.thoughts(x)
	}
	if d.finish != "" {
		return d.http.Protocol("more of the answer came after its end")
	}
	if err := d.thoughts(x); err != nil {
		return err
	}
	if x.Refusal != "" {
		d.refused = true
	}
	if s := x.Content + x.Refusal; s != "" {
		if d.asked.schema == nil {
			if err := d.give(&skill.Delta{Text: s}); err != nil {
				return err
			}
		} else if d.answer.WriteString(s); d.answer.Len() > maxArgs {
			return d.http.Protocol("the answer is over %d bytes", maxArgs)
		}
	}
	for i := range x.ToolCalls {
		if err := d.toolCall(&x.ToolCalls[i]); err != nil {
			return err
		}
	}
	return nil
}

// thoughts keeps what models thought before a call, as servers send it beside the protocol.
func (d *decoder) thoughts(x *delta) error {
	d.thought.WriteString(x.Reasoning)
	for _, one := range x.Details {
		d.detail += len(one)
		d.details = append(d.details, one)
	}
	if d.thought.Len()+d.detail > maxArgs {
		return d.http.Protocol("the thoughts are over %d bytes", maxArgs)
	}
	return nil
}

func (d *decoder) give(x *skill.Delta) error {
	d.begun = true
	if !d.yield(x, nil) {
		return wire.ErrStopped
	}
	return nil
}

// toolCall adds a piece to the call that it belongs to. By the protocol that is the one of its index, but there are servers
// that give all calls the index 0, or none: then another id begins another call, and so does a name after arguments that
// are whole.
func (d *decoder) toolCall(x *toolCallDelta) error {
	id := x.ID
	if id == "null" || id == "None" { // seen of servers that print what is missing
		id = ""
	}
	name, args := x.Function.Name, x.Function.Arguments
	index := int64(-1)
	if x.Index != nil {
		index = *x.Index
	}
	var c *call
	for i := len(d.calls) - 1; i >= 0 && c == nil; i-- {
		if index < 0 || d.calls[i].index == index {
			c = d.calls[i]
		}
	}
	if c != nil && id != "" && c.id != id { // a piece of an earlier call, by its id
		for _, other := range d.calls {
			if other.id == id {
				c = other
			}
		}
	}
	another := c != nil && (id != "" && c.id != "" && id != c.id ||
		name != "" && (id == "" || c.id == "") && c.name != "" && wire.Whole(c.args.String()) && (args != "" || name != c.name))
	if c == nil || another {
		if len(d.calls) == maxCalls {
			return d.http.Protocol("over %d calls", maxCalls)
		}
		c = &call{index: index}
		d.calls = append(d.calls, c)
	}
	if id != "" {
		c.id = id
	}
	switch {
	case name == "" || name == c.name:
	case c.name == "" || c.args.Len() == 0: // a name may come in pieces
		c.name += name
	default:
		return d.http.Protocol("a call of %s goes on as %s", c.name, name)
	}
	if len(c.name) > 1024 || c.args.Len()+len(args) > maxArgs {
		return d.http.Protocol("a call is over %d bytes", maxArgs)
	}
	c.args.WriteString(args)
	if len(x.Extra) > 0 && len(x.Extra) <= maxArgs {
		c.extra = x.Extra
	}
	return nil
}

// lateOnly reports whether the error is one that came after the whole answer: a connection that is not closed.
func (d *decoder) lateOnly(err error) bool {
	var e *skill.ModelError
	return d.finish != "" && errors.As(err, &e) && (e.Fault == skill.FaultTimeout || e.Fault == skill.FaultNetwork)
}

// stops are the words of servers for why an answer ended.
var stops = map[string]string{
	"stop": skill.StopEnd, "eos": skill.StopEnd, "eos_token": skill.StopEnd, "end_turn": skill.StopEnd, "stop_sequence": skill.StopEnd,
	"tool_calls": skill.StopTools, "function_call": skill.StopTools,
	"length": skill.StopLength, "max_tokens": skill.StopLength, "model_length": skill.StopLength,
	"content_filter": skill.StopRefusal, "safety": skill.StopRefusal,
}

// end hands out the calls and the last delta.
func (d *decoder) end() error {
	switch d.finish {
	case "":
		return &skill.ModelError{Fault: skill.FaultNetwork, Text: "the answer was cut off before its end"}
	case "error", "abort", "insufficient_system_resource":
		return &skill.ModelError{Fault: skill.FaultOverloaded, Kind: d.finish, Text: "the server gave the answer up"}
	}
	stop, ok := stops[strings.ToLower(d.finish)]
	if !ok {
		return d.http.Protocol("the answer ended for the reason %q, which is not known here", d.finish)
	}
	if d.refused {
		stop = skill.StopRefusal
	}
	if stop == skill.StopEnd && len(d.calls) > 0 {
		stop = skill.StopTools
	}
	if stop == skill.StopTools && len(d.calls) == 0 {
		return d.http.Protocol("the answer ended for a call, and there is none")
	}
	for _, c := range d.calls {
		if c.name == "" {
			return d.http.Protocol("a call without a name")
		}
	}
	s := &state{Model: d.asked.model, Calls: map[string]json.RawMessage{}}
	made := 0
	for i, c := range d.calls {
		if stop == skill.StopRefusal || stop == skill.StopLength && !wire.Whole(c.args.String()) {
			continue
		}
		made++
		id := d.unique(c.id, i+1)
		if len(c.extra) > 0 {
			s.Calls[id] = c.extra
		}
		if err := d.give(&skill.Delta{Call: &skill.ToolCall{ID: id, Name: d.asked.names.From(c.name), Args: wire.Args(c.args.String())}}); err != nil {
			return err
		}
	}
	last := &skill.Delta{Usage: d.usage, Model: d.model, Stop: stop, Text: d.answer.String()}
	if d.asked.schema != nil && stop == skill.StopEnd {
		last.Text = d.asked.schema.Value(last.Text)
	}
	s.Reasoning, s.Details = d.thought.String(), d.details
	if made > 0 && (s.Reasoning != "" || len(s.Details) > 0 || len(s.Calls) > 0) {
		raw, err := json.Marshal(stateBox{s})
		if err != nil {
			return d.http.Protocol("thoughts that are not JSON: %v", err)
		}
		last.State = raw
	}
	return d.give(last)
}

// unique makes an id that no other call of the conversation has.
func (d *decoder) unique(id string, n int) string {
	if id == "" {
		id = fmt.Sprintf("call_%d", n)
	}
	out := wire.Name(id, longestID)
	for k := 2; d.asked.ids[out]; k++ {
		out = wire.Name(fmt.Sprintf("%s-%d", id, k), longestID)
	}
	d.asked.ids[out] = true
	return out
}
