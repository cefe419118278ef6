package skill

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/findspot/findspot/skill/internal/message"
)

// A Model answers requests, streamed. It is safe for concurrent use. Iteration ends with the answer or after the first
// error (the stop contract); breaking the loop ends the request. An error of the provider or of the way there is a
// [*ModelError]; one of ctx is ctx's own.
type Model interface {
	Generate(ctx context.Context, req *Request) iter.Seq2[*Delta, error]
}

// The roles a request is made in. An adapter may use a different model for each.
const (
	RoleWorker = "worker" // gathers, judges, expands
	RoleWriter = "writer" // writes what a person reads
)

// Values of Request.Choice that are no tool's name.
const (
	ToolsAny  = "*" // some tool must be called
	ToolsNone = "-" // no tool may be called, though the tools are shown
)

// A Request is one turn asked of a model.
type Request struct {
	Role      string          `json:"role"`                 // RoleWorker or RoleWriter
	System    string          `json:"system,omitempty"`     // instructions
	Messages  []Message       `json:"messages"`             // the conversation so far; the last one is from the user or holds tool results
	Tools     []ToolSpec      `json:"tools,omitempty"`      // what may be called in this turn
	Choice    string          `json:"choice,omitempty"`     // ToolsAny, ToolsNone or the name of the tool to call; empty: the model decides
	Schema    json.RawMessage `json:"schema,omitempty"`     // when set, the answer is one JSON value of this schema; the caller checks it
	MaxTokens int             `json:"max_tokens,omitempty"` // of the answer; 0: the adapter's default
}

// A ToolSpec is a tool as a model sees it.
type ToolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema,omitempty"` // of an object; nil: no arguments
}

// Who a message is from.
const (
	FromUser  = "user"
	FromModel = "model"
	FromTool  = "tool"
)

// A Message is one entry of a conversation. Every call of a model message is answered by a tool message before the next
// message of another kind.
type Message struct {
	From   string          `json:"from"` // FromUser, FromModel or FromTool
	Text   string          `json:"text"`
	Calls  []ToolCall      `json:"calls,omitempty"`   // of a model message
	State  json.RawMessage `json:"state,omitempty"`   // of a model message: Reply.State
	CallID string          `json:"call_id,omitempty"` // of a tool message: the call it answers
	Error  bool            `json:"error,omitempty"`   // of a tool message: Text is an error
}

// A ToolCall is a model's wish to call a tool.
type ToolCall struct {
	ID   string          `json:"id"`   // unique in its conversation
	Name string          `json:"name"` // as in the ToolSpec; a name that no spec has is the model's own
	Args json.RawMessage `json:"args"` // a JSON object; when the model wrote anything else, that as a JSON string
}

// Check returns an error wrapping [ErrFormat], to be shown to the model, when the arguments are not a JSON object.
func (c *ToolCall) Check() error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(c.Args, &object); err != nil || object == nil {
		return fmt.Errorf("tool %s: the arguments are not a JSON object: %w", c.Name, ErrFormat)
	}
	return nil
}

// Why an answer ended.
const (
	StopEnd     = "end"     // the model was done
	StopTools   = "tools"   // it waits for the results of its calls
	StopLength  = "length"  // MaxTokens or the model's window is used up: the text is cut off, and a call that was cut off is left out
	StopRefusal = "refusal" // the model or a filter of the provider refused; the text, if any, may say why
	StopPause   = "pause"   // the provider paused a long turn: the same request with this answer added goes on with it
)

// A Delta is one piece of a streamed answer; any field may be empty. Pieces come in the order in which the model made
// them; the last one has a Stop.
type Delta struct {
	Text  string          // appended to the answer
	Call  *ToolCall       // a complete call
	Usage *Usage          // tokens so far; the last one counts
	Model string          // the model that answers, as the provider names it
	State json.RawMessage // see Reply.State
	Stop  string          // StopEnd ...; empty: more follows
}

// Usage counts tokens.
type Usage struct {
	Input  int `json:"input"`            // all of the request, cached or not
	Output int `json:"output"`           // all of the answer, thoughts among it
	Cached int `json:"cached,omitempty"` // the part of Input that was read from the provider's cache
}

// A Reply is a whole answer.
type Reply struct {
	Text  string     `json:"text"`
	Calls []ToolCall `json:"calls,omitempty"`
	Usage Usage      `json:"usage"`
	Model string     `json:"model,omitempty"` // the model that answered, as the provider names it
	Stop  string     `json:"stop,omitempty"`  // StopEnd ...; empty: the model did not say

	// State is what the provider wants back with this answer in the next request, such as the signed thoughts before a
	// tool call. Only the adapter that made it reads it.
	State json.RawMessage `json:"state,omitempty"`
}

// Message is the answer as an entry of the conversation.
func (r *Reply) Message() Message {
	return Message{From: FromModel, Text: r.Text, Calls: r.Calls, State: r.State}
}

// Err returns a [*ModelError] when the answer is not to be taken for a whole one: refused, or cut off by length.
func (r *Reply) Err() error {
	switch r.Stop {
	case StopRefusal:
		return &ModelError{Fault: FaultRefused, Model: r.Model, Text: message.Clip(r.Text, 200)}
	case StopLength:
		return &ModelError{Fault: FaultCutOff, Model: r.Model, Text: "the answer was cut off by its length; raise MaxTokens or ask for less"}
	}
	return nil
}

// Bounds of one answer.
const (
	maxReply      = 4 << 20 // bytes of text, and of calls with their arguments
	maxState      = 4 << 20 // bytes
	maxReplyCalls = 128
)

// Collect gathers a streamed answer. After an error it returns what came before it, with the error; an answer of over 4 MB
// of text or arguments, or of over 128 calls, is an error wrapping [ErrTooLarge].
func Collect(answer iter.Seq2[*Delta, error]) (*Reply, error) {
	var text strings.Builder
	reply := &Reply{}
	size := 0
	for d, err := range answer {
		if err != nil {
			reply.Text = text.String()
			return reply, err
		}
		if d == nil {
			continue
		}
		if d.Call != nil {
			size += len(d.Call.Args) + len(d.Call.Name) + len(d.Call.ID)
		}
		if text.Len()+len(d.Text) > maxReply || size > maxReply || len(d.State) > maxState || len(reply.Calls) >= maxReplyCalls && d.Call != nil {
			reply.Text = text.String()
			return reply, errTooLong
		}
		text.WriteString(d.Text)
		if d.Call != nil {
			reply.Calls = append(reply.Calls, *d.Call)
		}
		if d.Usage != nil {
			reply.Usage = *d.Usage
		}
		if d.State != nil {
			reply.State = d.State
		}
		reply.Model = cmp.Or(d.Model, reply.Model)
		reply.Stop = cmp.Or(d.Stop, reply.Stop)
	}
	reply.Text = text.String()
	return reply, nil
}
