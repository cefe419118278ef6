package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/protocol"
)

// Message is any JSON-RPC message.
type Message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"` // "null" when the message says so, nil when it has none
	Error  *ResponseError  `json:"error,omitempty"`
}

// ResponseError is an error a server answers with.
type ResponseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *ResponseError) Error() string {
	return fmt.Sprintf("%s (code %d)", excerpt.Clip(e.Message, 500), e.Code)
}

// UnmarshalJSON takes any value as an error, for what is said must not be lost because of its form: an object with a code
// and a message, or else the value itself as the message.
func (e *ResponseError) UnmarshalJSON(data []byte) error {
	var p struct{ Code, Message json.RawMessage }
	if json.Unmarshal(data, &p) != nil || p.Code == nil && p.Message == nil {
		e.Message = excerpt.Clip(string(data), 500)
		return nil
	}
	if n, ok := wholeNumber(p.Code); ok && n >= math.MinInt32 && n <= math.MaxInt32 {
		e.Code = int(n)
	}
	if json.Unmarshal(p.Message, &e.Message) != nil {
		e.Message = excerpt.Clip(string(p.Message), 500)
	}
	return nil
}

// Error codes of JSON-RPC 2.0 and of the Language Server Protocol.
const (
	CodeMethodNotFound   = -32601
	CodeInvalidParams    = -32602
	CodeServerCancelled  = -32802
	CodeContentModified  = -32801
	CodeRequestCancelled = -32800
)

// maxBatch bounds the messages of a batch, which no known server sends.
const maxBatch = 1000

// parseMessages reads a body: one message, or a batch of them (JSON-RPC 2.0, section 6).
func parseMessages(body []byte) ([]Message, error) {
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		dec := json.NewDecoder(bytes.NewReader(body))
		dec.Token() // the bracket
		var list []Message
		for dec.More() {
			if len(list) == maxBatch {
				return nil, fmt.Errorf("a batch of more than %d messages", maxBatch)
			}
			var m Message
			if err := dec.Decode(&m); err != nil {
				return nil, err
			}
			list = append(list, m)
		}
		_, err := dec.Token()
		return list, err
	}
	var m Message
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	return []Message{m}, nil
}

// idIn looks for the id of a message that does not parse as a whole, such as one that is nested too deep: its top-level
// names are read up to the damage, and if the id is not among them the names behind it cannot be known.
func idIn(body []byte) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(body))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if name == "id" {
			if dec.Decode(&value) != nil {
				return nil
			}
			return value
		}
		if dec.Decode(&value) != nil {
			return nil
		}
	}
	return nil
}

// ownID returns the number of an id of ours. Servers that answer with "7" or 7.0 mean 7.
func ownID(raw json.RawMessage) (int64, bool) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		raw = json.RawMessage(s)
	}
	return wholeNumber(raw)
}

func wholeNumber(raw json.RawMessage) (int64, bool) {
	text := strings.Trim(string(raw), `"`)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// Encode makes a framed message. Params are encoded as [protocol.Marshal] does.
func Encode(m Message, params any) (*outgoing, error) {
	if params != nil {
		raw, err := protocol.Marshal(params)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Method, err)
		}
		m.Params = raw
	}
	body, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		Message
	}{"2.0", m})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Method, err)
	}
	return &outgoing{Data: Frame(body), reply: m.Method == ""}, nil
}

// Decode decodes a result. What does not decode wraps errs.Format.
func Decode(raw json.RawMessage, into any) error {
	if len(raw) == 0 {
		raw = json.RawMessage("null")
	}
	unmarshal := json.Unmarshal
	if form, ok := into.(Form); ok {
		unmarshal = func(raw []byte, _ any) error { return form.FromWire(raw) }
	}
	if err := unmarshal(raw, into); err != nil {
		return fmt.Errorf("%w: an answer that the protocol does not know: %v", errs.Format, err)
	}
	return nil
}

// Form is an answer that reads itself. Its error says what was found instead.
type Form interface {
	FromWire(raw json.RawMessage) error
}
