package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/findspot/findspot/skill"
)

// answer is the error that an answer other than a stream means.
func (c *Client) answer(res *http.Response, mediaType string, data []byte) *skill.ModelError {
	e := &skill.ModelError{
		Provider: c.provider, Status: res.StatusCode, After: after(res.Header),
		Request: c.Clean(first(res.Header.Get("request-id"), res.Header.Get("x-request-id"))),
	}
	switch {
	case res.StatusCode == http.StatusOK:
		e.Fault = skill.FaultProtocol
		e.Text = fmt.Sprintf("an event stream was asked for, %q came: %s", c.Clean(mediaType), c.Clean(string(data)))
		if looksLikeHTML(mediaType, data) {
			e.Text = "a page of HTML came where an event stream was asked for: is the base URL that of the API?"
		}
	case res.StatusCode >= 300 && res.StatusCode < 400:
		e.Fault = skill.FaultProtocol
		e.Text = "the server redirects, which is not followed as the key would go along"
		if to, err := url.Parse(res.Header.Get("Location")); err == nil && to.Host != "" {
			e.Text += "; if that is right, make the base URL one of " + c.Clean(to.Scheme+"://"+to.Host)
		}
	case looksLikeHTML(mediaType, data):
		e.Text = "the answer is a page of HTML: is the base URL that of the API?"
	default:
		e.Kind, e.Text = c.said(data)
	}
	if e.Fault == "" {
		e.Fault = Fault(res.StatusCode, e.Kind, e.Text)
	}
	return e
}

// Event is the error that an error event in a stream means; data is its JSON.
func (c *Client) Event(data []byte) *skill.ModelError {
	e := &skill.ModelError{Provider: c.provider}
	e.Kind, e.Text = c.said(data)
	e.Fault = Fault(0, e.Kind, e.Text)
	return e
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}

func looksLikeHTML(mediaType string, data []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(data[:min(len(data), 200)]))
	return mediaType == "text/html" || bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// said reads the forms in which servers tell an error: {"error": {"type", "code", "message"}} (Anthropic, OpenAI,
// llama.cpp), {"error": "text"} (Ollama), the same fields without "error" (vLLM), and {"detail": ...} (FastAPI).
func (c *Client) said(data []byte) (kind, text string) {
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Detail  json.RawMessage `json:"detail"`
		Message json.RawMessage `json:"message"`
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
	}
	if json.Unmarshal(data, &outer) != nil {
		return "", c.Clean(string(data))
	}
	if plain := word(outer.Error); plain != "" {
		return "", c.Clean(plain)
	}
	var in struct {
		Message json.RawMessage `json:"message"`
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
	}
	in.Message, in.Type, in.Code = outer.Message, outer.Type, outer.Code
	if len(outer.Error) > 0 {
		in.Message, in.Type, in.Code = nil, nil, nil
		if json.Unmarshal(outer.Error, &in) != nil {
			return "", c.Clean(string(data))
		}
	}
	kind = word(in.Code)
	if _, err := strconv.Atoi(kind); kind == "" || err == nil { // a status again
		kind = first(word(in.Type), kind)
	}
	text = first(word(in.Message), string(outer.Detail), string(data))
	return c.Clean(kind), c.Clean(text)
}

// word is a JSON string or number; anything else is empty.
func word(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

// kinds are the words of providers for what went wrong.
var kinds = map[string]string{
	"authentication_error": skill.FaultAuth, "permission_error": skill.FaultAuth, "invalid_api_key": skill.FaultAuth,
	"billing_error": skill.FaultQuota, "insufficient_quota": skill.FaultQuota, "billing_hard_limit_reached": skill.FaultQuota,
	"not_found_error": skill.FaultNotFound, "model_not_found": skill.FaultNotFound,
	"request_too_large": skill.FaultTooLong, "context_length_exceeded": skill.FaultTooLong,
	"exceed_context_size_error": skill.FaultTooLong, "string_above_max_length": skill.FaultTooLong,
	"rate_limit_error": skill.FaultRateLimit, "rate_limit_exceeded": skill.FaultRateLimit,
	"overloaded_error": skill.FaultOverloaded, "api_error": skill.FaultOverloaded, "server_error": skill.FaultOverloaded,
	"timeout_error": skill.FaultTimeout,
}

// tooLong are words by which servers without a code for it say that a request does not fit the model.
var tooLong = []string{
	"prompt is too long", "maximum context length", "context length", "context size", "context window", "too many tokens",
	"input is too long", "reduce the length",
}

// Fault names what an error is: by the provider's word for it, then by the status (0: none), then by the text.
func Fault(status int, kind, text string) string {
	lower := strings.ToLower(text)
	if f := kinds[kind]; f != "" {
		return f
	}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return skill.FaultAuth
	case status == http.StatusPaymentRequired:
		return skill.FaultQuota
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return skill.FaultNotFound
	case status == http.StatusRequestTimeout:
		return skill.FaultTimeout
	case status == http.StatusRequestEntityTooLarge:
		return skill.FaultTooLong
	case status == http.StatusTooManyRequests:
		return skill.FaultRateLimit
	case status == http.StatusNotImplemented:
		return skill.FaultInvalid
	case status >= 500 || status == http.StatusConflict || status == http.StatusTooEarly:
		for _, s := range tooLong { // llama.cpp and vLLM have answered 500 to that
			if strings.Contains(lower, s) {
				return skill.FaultTooLong
			}
		}
		return skill.FaultOverloaded
	}
	for _, s := range tooLong {
		if strings.Contains(lower, s) {
			return skill.FaultTooLong
		}
	}
	if strings.Contains(lower, "credit balance") {
		return skill.FaultQuota
	}
	if status == 0 && !strings.Contains(kind, "invalid") { // an error in a stream without a word that is known
		return skill.FaultOverloaded
	}
	return skill.FaultInvalid
}

// after is the wait that a server asks for: Retry-After-Ms, or Retry-After in seconds or as a date.
func after(h http.Header) time.Duration {
	number := func(s string, unit time.Duration) (time.Duration, bool) {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || f < 0 || f > 1e6 || f != f {
			return 0, false
		}
		return time.Duration(f * float64(unit)), true
	}
	if d, ok := number(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	v := h.Get("Retry-After")
	if d, ok := number(v, time.Second); ok {
		return d
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, time.Until(t).Round(time.Second))
	}
	return 0
}
