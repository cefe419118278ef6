package skill

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
)

// A Model answers requests, streamed. It is safe for concurrent use. Iteration ends with the answer or after the first
// error (the stop contract).
type Model interface {
	Generate(ctx context.Context, req *Request) iter.Seq2[*Delta, error]
}

// The roles a request is made in. An adapter may use a different model for each.
const (
	RoleWorker = "worker" // gathers, judges, expands
	RoleWriter = "writer" // writes what a person reads
)

// A Request is one turn asked of a model.
type Request struct {
	Role      string          // RoleWorker or RoleWriter
	System    string          // instructions
	Messages  []Message       // the conversation so far; the last one is from the user or holds tool results
	Tools     []ToolSpec      // what may be called in this turn
	Schema    json.RawMessage // when set, the answer is one JSON value of this schema
	MaxTokens int             // of the answer; 0: the adapter's default
}

// A ToolSpec is a tool as a model sees it.
type ToolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema,omitempty"`
}

// A Message is one entry of a conversation.
type Message struct {
	From   string     `json:"from"` // user, model or tool
	Text   string     `json:"text"`
	Calls  []ToolCall `json:"calls,omitempty"`   // of a model message
	CallID string     `json:"call_id,omitempty"` // of a tool message: the call it answers
	Error  bool       `json:"error,omitempty"`   // of a tool message: Text is an error
}

// A ToolCall is a model's wish to call a tool.
type ToolCall struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// A Delta is one piece of a streamed answer; any field may be empty.
type Delta struct {
	Text  string    // appended to the answer
	Call  *ToolCall // a complete call
	Usage *Usage    // tokens so far; the last one counts
}

// Usage counts tokens.
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`
}

// A Reply is a whole answer.
type Reply struct {
	Text  string
	Calls []ToolCall
	Usage Usage
}

// maxReply bounds a model's answer, in bytes.
const maxReply = 4 << 20

// Collect gathers a streamed answer.
func Collect(answer iter.Seq2[*Delta, error]) (*Reply, error) {
	var text strings.Builder
	reply := &Reply{}
	for d, err := range answer {
		if err != nil {
			return nil, err
		}
		if d == nil {
			continue
		}
		if text.Len()+len(d.Text) > maxReply {
			return nil, errTooLong
		}
		text.WriteString(d.Text)
		if d.Call != nil {
			reply.Calls = append(reply.Calls, *d.Call)
		}
		if d.Usage != nil {
			reply.Usage = *d.Usage
		}
	}
	reply.Text = text.String()
	return reply, nil
}
