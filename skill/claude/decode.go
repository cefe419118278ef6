package claude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/wire"
)

// Bounds of one answer.
const (
	maxBlocks = 512
	maxArgs   = 4 << 20 // bytes, of one call
)

// A part is a content block that is being streamed.
type part struct {
	kind string // text, tool_use, thinking, redacted_thinking; others are passed over
	id   string
	name string
	buf  strings.Builder // text of a schema's answer, arguments or thoughts
	size int             // bytes of text
	sign string
	data string
	done bool
}

// A decoder turns the events of one stream into deltas.
type decoder struct {
	http  *wire.Client
	asked *asked
	yield func(*skill.Delta, error) bool

	started, ended bool // message_start and message_stop were seen
	begun          bool // something was handed out
	model          string
	parts          []*part // by index
	usage          skill.Usage
	fresh          int // input tokens that were in no cache
	read, written  int // input tokens read from and written to the cache
	stop           string
	why            string // of a refusal
	calls          int
	answer         strings.Builder // of a schema
	byTool         bool            // the answer came as a call
}

func (d *decoder) event(ev *event) error {
	if ev.Type == "" {
		return d.http.Protocol("an event without a type")
	}
	if ev.Type != "message_start" && !d.started {
		return d.http.Protocol("the event %q came before message_start", ev.Type)
	}
	switch ev.Type {
	case "message_start":
		if d.started {
			return d.http.Protocol("a second message_start")
		}
		d.started, d.model = true, d.http.Clean(ev.Message.Model)
		u := &ev.Message.Usage
		d.count(u.Input, u.Read, u.Written, u.Output)
	case "content_block_start":
		return d.blockStart(ev)
	case "content_block_delta":
		return d.blockDelta(ev)
	case "content_block_stop":
		p, err := d.open(ev)
		if err != nil {
			return err
		}
		p.done = true
		return d.blockEnd(p)
	case "message_delta":
		if r := ev.Delta.StopReason; r != "" {
			d.stop = r
		}
		if w := ev.Delta.StopDetails.Explanation; w != "" {
			d.why = d.http.Clean(w)
		}
		u := &ev.Usage
		d.count(u.Input, u.Read, u.Written, u.Output)
	case "message_stop":
		d.ended = true
	}
	return nil // events may be added to the protocol
}

// count keeps the largest counts that were told: they are totals.
func (d *decoder) count(fresh, read, written, out int64) {
	d.fresh = max(d.fresh, wire.Tokens(fresh))
	d.read, d.written = max(d.read, wire.Tokens(read)), max(d.written, wire.Tokens(written))
	d.usage.Output = max(d.usage.Output, wire.Tokens(out))
	d.usage.Input, d.usage.Cached = d.fresh+d.read+d.written, d.read
}

func (d *decoder) blockStart(ev *event) error {
	if ev.Index != int64(len(d.parts)) {
		return d.http.Protocol("block %d began where block %d was next", ev.Index, len(d.parts))
	}
	if len(d.parts) == maxBlocks {
		return d.http.Protocol("over %d blocks", maxBlocks)
	}
	b := &ev.ContentBlock
	p := &part{kind: b.Type}
	d.parts = append(d.parts, p)
	switch b.Type {
	case "text":
		return d.text(p, b.Text)
	case "tool_use":
		if b.Name == "" {
			return d.http.Protocol("a call without a name")
		}
		p.id, p.name = b.ID, b.Name
		var in bytes.Buffer
		if len(b.Input) > 0 && json.Compact(&in, b.Input) == nil && in.Len() > 2 && in.String() != "null" { // whole at once
			p.buf.Write(in.Bytes())
		}
	case "thinking":
		p.buf.WriteString(b.Thinking)
		p.sign = b.Signature
	case "redacted_thinking":
		p.data = b.Data
	}
	return nil
}

func (d *decoder) open(ev *event) (*part, error) {
	if ev.Index < 0 || ev.Index >= int64(len(d.parts)) || d.parts[ev.Index].done {
		return nil, d.http.Protocol("%s of block %d, which is not open", ev.Type, ev.Index)
	}
	return d.parts[ev.Index], nil
}

func (d *decoder) blockDelta(ev *event) error {
	p, err := d.open(ev)
	if err != nil {
		return err
	}
	piece, want := "", ""
	switch ev.Delta.Type {
	case "text_delta":
		if p.kind == "text" {
			return d.text(p, ev.Delta.Text)
		}
		want = "text"
	case "input_json_delta":
		piece, want = ev.Delta.PartialJSON, "tool_use"
	case "thinking_delta":
		piece, want = ev.Delta.Thinking, "thinking"
	case "signature_delta":
		want = "thinking"
		p.sign += ev.Delta.Signature
	default: // citations, and what may be added
		return nil
	}
	if p.kind != want {
		if want == "tool_use" && p.kind != "text" && p.kind != "thinking" { // of a tool that runs at the provider
			return nil
		}
		return d.http.Protocol("%s in a block of %s", ev.Delta.Type, p.kind)
	}
	if p.buf.Len()+len(piece) > maxArgs {
		return d.http.Protocol("a block is over %d bytes", maxArgs)
	}
	p.buf.WriteString(piece)
	return nil
}

func (d *decoder) text(p *part, s string) error {
	if s == "" {
		return nil
	}
	p.size += len(s)
	if d.asked.schema != nil {
		if d.answer.Len()+len(s) > maxArgs {
			return d.http.Protocol("the answer is over %d bytes", maxArgs)
		}
		d.answer.WriteString(s)
		return nil
	}
	return d.give(&skill.Delta{Text: s})
}

func (d *decoder) give(x *skill.Delta) error {
	d.begun = true
	if !d.yield(x, nil) {
		return wire.ErrStopped
	}
	return nil
}

// blockEnd hands out a call that is whole.
func (d *decoder) blockEnd(p *part) error {
	if p.kind != "tool_use" {
		return nil
	}
	if d.asked.tool != "" && p.name == d.asked.tool {
		d.answer.Reset()
		d.answer.WriteString(p.buf.String())
		d.byTool = true
		return nil
	}
	d.calls++
	p.id = d.unique(p.id)
	return d.give(&skill.Delta{Call: &skill.ToolCall{ID: p.id, Name: d.asked.names.From(p.name), Args: wire.Args(p.buf.String())}})
}

// unique makes an id that no other call of the conversation has.
func (d *decoder) unique(id string) string {
	if id == "" {
		id = fmt.Sprintf("call_%d", d.calls)
	}
	out := wire.Name(id, longestName)
	for n := 2; d.asked.ids[out]; n++ {
		out = wire.Name(fmt.Sprintf("%s-%d", id, n), longestName)
	}
	d.asked.ids[out] = true
	return out
}

// end hands out the last delta.
func (d *decoder) end() error {
	if d.stop == "" {
		return &skill.ModelError{Fault: skill.FaultNetwork, Text: "the answer was cut off before its end"}
	}
	last := &skill.Delta{Usage: &d.usage, Model: d.model, State: d.state()}
	switch d.stop {
	case "end_turn", "stop_sequence":
		last.Stop = skill.StopEnd
	case "tool_use":
		last.Stop = skill.StopTools
	case "max_tokens", "model_context_window_exceeded":
		last.Stop = skill.StopLength
	case "refusal":
		last.Stop = skill.StopRefusal
	case "pause_turn":
		last.Stop = skill.StopPause
	default:
		return d.http.Protocol("the answer ended for the reason %q, which is not known here", d.stop)
	}
	for _, p := range d.parts {
		if p.kind == "tool_use" && !p.done && last.Stop != skill.StopLength {
			return d.http.Protocol("the call of %s was not whole", p.name)
		}
	}
	if last.Stop == skill.StopTools && d.calls == 0 {
		if d.asked.tool == "" || d.answer.Len() == 0 {
			return d.http.Protocol("the answer ended for a call, and there is none")
		}
		last.Stop = skill.StopEnd
	}
	if last.Stop == skill.StopEnd && d.calls > 0 {
		last.Stop = skill.StopTools
	}
	if came := d.answer.String(); came != "" {
		last.Text = came
		if last.Stop == skill.StopEnd {
			last.Text = d.asked.schema.Value(came)
		}
		if last.Text != came || d.byTool {
			last.State = nil // the text is not as it came
		}
	}
	if last.Stop == skill.StopRefusal && !d.begun && last.Text == "" {
		last.Text = d.why
	}
	return d.give(last)
}

// state keeps how a message with thoughts was put together.
func (d *decoder) state() json.RawMessage {
	s := &state{Model: d.asked.model}
	thoughts := false
	for _, p := range d.parts {
		switch {
		case p.kind == "text" && p.size > 0:
			s.Blocks = append(s.Blocks, block{Text: p.size})
		case p.kind == "tool_use" && p.done && p.id != "":
			s.Blocks = append(s.Blocks, block{Call: p.id})
		case p.kind == "thinking" && p.sign != "":
			thoughts = true
			s.Blocks = append(s.Blocks, block{Thinking: p.buf.String(), Signature: p.sign})
		case p.kind == "redacted_thinking" && p.data != "":
			thoughts = true
			s.Blocks = append(s.Blocks, block{Data: p.data})
		}
	}
	if !thoughts {
		return nil
	}
	raw, err := json.Marshal(stateBox{s})
	if err != nil {
		return nil // a string and numbers always can
	}
	return raw
}
