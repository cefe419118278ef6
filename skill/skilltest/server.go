package skilltest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/findspot/findspot/skill"
)

// A Server answers like a provider of models, with its turns in order. It is a handler: a test gives it a port.
//
//	s := skilltest.NewOpenAIServer(skilltest.Says("The PSS has length 127 [D1]."))
//	srv := httptest.NewServer(s)
//
// A turn's error is sent as the provider would send it: one that is a *skill.ModelError, as a status when nothing was said
// before it, else within the stream; any other breaks the connection. The server plays a model that knows the tools it is
// offered and keeps to a schema: a call of a tool goes out under the name by which the request offers it (by its own, or by
// its description), and an answer that does not fit the request's schema is sent within an object when that fits.
type Server struct {
	protocol protocol

	mu     sync.Mutex // guards below
	turns  []Turn
	bodies []string
}

type protocol interface {
	path() string
	stream(w *events, req *request, t *Turn)
	failure(e *skill.ModelError) (status int, body any) // also within a stream
	failed(w *events, body any)
}

// request is what the fake servers read of a request.
type request struct {
	tools  []offered
	schema json.RawMessage
}

type offered struct{ name, description string }

// NewAnthropicServer answers POST /v1/messages.
func NewAnthropicServer(turns ...Turn) *Server {
	return &Server{protocol: anthropicProtocol{}, turns: turns}
}

// NewOpenAIServer answers POST /v1/chat/completions.
func NewOpenAIServer(turns ...Turn) *Server { return &Server{protocol: openaiProtocol{}, turns: turns} }

// Requests returns the bodies of the requests so far, in order.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.bodies)
}

// maxRequest bounds the body of a request, in bytes.
const maxRequest = 64 << 20

// ServeHTTP answers with the next turn. After the last one every request is refused as invalid.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fail := func(e *skill.ModelError) {
		status, body := s.protocol.failure(e)
		w.Header().Set("Content-Type", "application/json")
		if e.After > 0 {
			w.Header().Set("Retry-After-Ms", fmt.Sprint(e.After.Milliseconds()))
		}
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body) // a client that is gone needs no answer
	}
	if r.Method != http.MethodPost || r.URL.Path != s.protocol.path() {
		fail(&skill.ModelError{Fault: skill.FaultNotFound, Text: "there is nothing at " + r.URL.Path})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		fail(&skill.ModelError{Fault: skill.FaultTooLong, Text: err.Error()})
		return
	}
	req, err := readRequest(body)
	if err != nil {
		fail(&skill.ModelError{Fault: skill.FaultInvalid, Text: err.Error()})
		return
	}
	s.mu.Lock()
	s.bodies = append(s.bodies, string(body))
	turn := Turn{Err: &skill.ModelError{Fault: skill.FaultInvalid, Text: fmt.Sprintf("no answer left after %d turns", len(s.turns))}}
	if n := len(s.bodies); n <= len(s.turns) {
		turn = s.turns[n-1]
	}
	s.mu.Unlock()

	var known *skill.ModelError
	if errors.As(turn.Err, &known) && turn.Text == "" && len(turn.Calls) == 0 {
		fail(known)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	ev := &events{w: w}
	if turn.Text != "" {
		turn.Text = req.fit(turn.Text)
	}
	turn.Calls = slices.Clone(turn.Calls)
	for i := range turn.Calls {
		turn.Calls[i].Name = req.name(turn.Calls[i].Name)
	}
	s.protocol.stream(ev, req, &turn)
	switch {
	case known != nil:
		_, body := s.protocol.failure(known)
		s.protocol.failed(ev, body)
	case turn.Err != nil:
		panic(http.ErrAbortHandler)
	}
}

// readRequest reads the tools and the schema of a request of either protocol.
func readRequest(body []byte) (*request, error) {
	type tool struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	var in struct {
		Stream bool `json:"stream"`
		Tools  []struct {
			tool
			Function tool `json:"function"`
		} `json:"tools"`
		OutputConfig struct {
			Format struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"format"`
		} `json:"output_config"`
		ResponseFormat struct {
			JSONSchema struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	if !in.Stream {
		return nil, errors.New("only streams are played here")
	}
	req := &request{schema: in.OutputConfig.Format.Schema}
	if req.schema == nil {
		req.schema = in.ResponseFormat.JSONSchema.Schema
	}
	for _, t := range in.Tools {
		req.tools = append(req.tools, offered{cmp.Or(t.Name, t.Function.Name), cmp.Or(t.Description, t.Function.Description)})
	}
	return req, nil
}

// name is the name under which the request offers the tool that a turn calls.
func (r *request) name(tool string) string {
	for _, t := range r.tools {
		if t.name == tool {
			return tool
		}
	}
	for _, t := range r.tools {
		if t.description == tool {
			return t.name
		}
	}
	return tool
}

// fit puts an answer into the object that the request's schema asks for, when it does not fit by itself.
func (r *request) fit(text string) string {
	var schema jsonschema.Schema
	if r.schema == nil || json.Unmarshal(r.schema, &schema) != nil || len(schema.Properties) != 1 {
		return text
	}
	check, err := schema.Resolve(nil)
	if err != nil {
		return text
	}
	var v any
	if json.Unmarshal([]byte(text), &v) != nil || check.Validate(v) == nil {
		return text
	}
	for key := range schema.Properties {
		if check.Validate(map[string]any{key: v}) == nil {
			return fmt.Sprintf(`{%q: %s}`, key, text)
		}
	}
	return text
}

// events writes server-sent events.
type events struct{ w http.ResponseWriter }

func (e *events) send(event string, data any) {
	var b bytes.Buffer
	if event != "" {
		fmt.Fprintf(&b, "event: %s\n", event)
	}
	raw, ok := data.(string)
	if !ok {
		j, err := json.Marshal(data)
		if err != nil {
			panic(err) // the caller's data is made of plain values
		}
		raw = string(j)
	}
	fmt.Fprintf(&b, "data: %s\n\n", raw)
	_, _ = e.w.Write(b.Bytes()) // a client that is gone needs no answer
	if f, ok := e.w.(http.Flusher); ok {
		f.Flush()
	}
}

// inPieces cuts a text into pieces of at most n bytes at the borders of characters.
func inPieces(s string, n int) (out []string) {
	for len(s) > n {
		cut := n
		for cut > 0 && s[cut]&0xc0 == 0x80 {
			cut--
		}
		if cut == 0 {
			break
		}
		out, s = append(out, s[:cut]), s[cut:]
	}
	return append(out, s)
}

type fields = map[string]any

type anthropicProtocol struct{}

func (anthropicProtocol) path() string { return "/v1/messages" }

func (anthropicProtocol) stream(w *events, _ *request, t *Turn) {
	w.send("message_start", fields{"type": "message_start", "message": fields{
		"id": "msg_fake", "type": "message", "role": "assistant", "model": "scripted", "content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": fields{"input_tokens": t.Usage.Input - t.Usage.Cached, "cache_read_input_tokens": t.Usage.Cached, "cache_creation_input_tokens": 0, "output_tokens": 1},
	}})
	w.send("ping", fields{"type": "ping"})
	index := 0
	block := func(begin fields, deltas []fields) {
		w.send("content_block_start", fields{"type": "content_block_start", "index": index, "content_block": begin})
		for _, d := range deltas {
			w.send("content_block_delta", fields{"type": "content_block_delta", "index": index, "delta": d})
		}
		w.send("content_block_stop", fields{"type": "content_block_stop", "index": index})
		index++
	}
	if t.Text != "" {
		var deltas []fields
		for _, p := range inPieces(t.Text, 12) {
			deltas = append(deltas, fields{"type": "text_delta", "text": p})
		}
		block(fields{"type": "text", "text": ""}, deltas)
	}
	for i, c := range t.Calls {
		deltas := []fields{{"type": "input_json_delta", "partial_json": ""}}
		for _, p := range inPieces(string(c.Args), 7) {
			deltas = append(deltas, fields{"type": "input_json_delta", "partial_json": p})
		}
		block(fields{"type": "tool_use", "id": cmp.Or(c.ID, fmt.Sprintf("toolu_%d", i+1)), "name": c.Name, "input": fields{}}, deltas)
	}
	if t.Err != nil {
		return
	}
	stops := map[string]string{
		skill.StopEnd: "end_turn", skill.StopTools: "tool_use", skill.StopLength: "max_tokens", skill.StopRefusal: "refusal", skill.StopPause: "pause_turn",
	}
	w.send("message_delta", fields{
		"type": "message_delta", "delta": fields{"stop_reason": stops[t.stop()], "stop_sequence": nil}, "usage": fields{"output_tokens": t.Usage.Output},
	})
	w.send("message_stop", fields{"type": "message_stop"})
}

func (anthropicProtocol) failure(e *skill.ModelError) (int, any) {
	kind := map[string]string{
		skill.FaultRateLimit: "rate_limit_error", skill.FaultOverloaded: "overloaded_error", skill.FaultTimeout: "timeout_error", skill.FaultAuth: "authentication_error",
		skill.FaultQuota: "billing_error", skill.FaultNotFound: "not_found_error", skill.FaultTooLong: "request_too_large",
	}[e.Fault]
	return statusOf(e, 529), fields{"type": "error", "error": fields{"type": cmp.Or(e.Kind, kind, "invalid_request_error"), "message": e.Text}}
}

func (anthropicProtocol) failed(w *events, body any) { w.send("error", body) }

type openaiProtocol struct{}

func (openaiProtocol) path() string { return "/v1/chat/completions" }

func (openaiProtocol) stream(w *events, _ *request, t *Turn) {
	chunk := func(delta fields, finish any) {
		w.send("", fields{
			"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 1767323045, "model": "scripted",
			"choices": []any{fields{"index": 0, "delta": delta, "finish_reason": finish}},
		})
	}
	chunk(fields{"role": "assistant", "content": ""}, nil)
	for _, p := range inPieces(t.Text, 12) {
		if p != "" {
			chunk(fields{"content": p}, nil)
		}
	}
	for i, c := range t.Calls {
		chunk(fields{"tool_calls": []any{fields{
			"index": i, "id": cmp.Or(c.ID, fmt.Sprintf("call_%d", i+1)), "type": "function", "function": fields{"name": c.Name, "arguments": ""},
		}}}, nil)
		for _, p := range inPieces(string(c.Args), 7) {
			chunk(fields{"tool_calls": []any{fields{"index": i, "function": fields{"arguments": p}}}}, nil)
		}
	}
	if t.Err != nil {
		return
	}
	stops := map[string]string{
		skill.StopEnd: "stop", skill.StopTools: "tool_calls", skill.StopLength: "length", skill.StopRefusal: "content_filter",
	}
	chunk(fields{}, stops[t.stop()])
	w.send("", fields{
		"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 1767323045, "model": "scripted", "choices": []any{},
		"usage": fields{
			"prompt_tokens": t.Usage.Input, "completion_tokens": t.Usage.Output, "total_tokens": t.Usage.Input + t.Usage.Output,
			"prompt_tokens_details": fields{"cached_tokens": t.Usage.Cached},
		},
	})
	w.send("", "[DONE]")
}

func (openaiProtocol) failure(e *skill.ModelError) (int, any) {
	kind := map[string]string{
		skill.FaultRateLimit: "rate_limit_exceeded", skill.FaultOverloaded: "server_error", skill.FaultTimeout: "timeout_error", skill.FaultAuth: "invalid_api_key",
		skill.FaultQuota: "insufficient_quota", skill.FaultNotFound: "model_not_found", skill.FaultTooLong: "context_length_exceeded",
	}[e.Fault]
	code := any(nil)
	if c := cmp.Or(e.Kind, kind); c != "" {
		code = c
	}
	return statusOf(e, http.StatusServiceUnavailable), fields{"error": fields{"message": e.Text, "type": "invalid_request_error", "param": nil, "code": code}}
}

func (openaiProtocol) failed(w *events, body any) { w.send("", body) }

func statusOf(e *skill.ModelError, overloaded int) int {
	status := map[string]int{
		skill.FaultRateLimit: 429, skill.FaultOverloaded: overloaded, skill.FaultTimeout: 408, skill.FaultAuth: 401, skill.FaultQuota: 402,
		skill.FaultNotFound: 404, skill.FaultTooLong: 413,
	}[e.Fault]
	return cmp.Or(e.Status, status, http.StatusBadRequest)
}
