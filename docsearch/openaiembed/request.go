package openaiembed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/findspot/findspot/docsearch"
)

const (
	maxVector   = 16 << 10 // numbers of a vector
	numberBytes = 32       // of a number in an answer, at most
	answerBytes = 64 << 10 // of all else in it
	maxAnswer   = 256 << 20
	maxWait     = time.Minute
	firstWait   = 500 * time.Millisecond
)

type question struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

type answer struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// A failure is what a try ended with. One that is not final may go away by waiting.
type failure struct {
	err   error
	final bool
	after time.Duration // that the server asks for; 0: it does not say
}

// request asks for the vectors of one batch, again where that may help.
func (e *Embedder) request(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := json.Marshal(question{e.model, texts, e.opt.Dimensions})
	if err != nil {
		return nil, err
	}
	wait := firstWait
	for try := 0; ; try++ {
		vs, fail := e.try(ctx, body, len(texts))
		switch {
		case fail == nil:
			return vs, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case fail.final:
			return nil, fail.err
		case try == e.opt.Retries && try > 0:
			return nil, fmt.Errorf("%w (tried %d times)", fail.err, try+1)
		case try == e.opt.Retries:
			return nil, fail.err
		case fail.after > maxWait:
			return nil, fmt.Errorf("%w: it asks to wait for %v", fail.err, fail.after.Round(time.Second))
		}
		if err := e.wait(ctx, max(wait, fail.after)); err != nil {
			return nil, err
		}
		wait = min(2*wait, maxWait)
	}
}

func (e *Embedder) try(ctx context.Context, body []byte, texts int) ([][]float32, *failure) {
	ctx, cancel := context.WithTimeout(ctx, e.opt.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, &failure{err: e.safe(err), final: true}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if e.opt.Key != "" {
		req.Header.Set("Authorization", "Bearer "+e.opt.Key)
	}
	resp, err := e.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("no answer within %v", e.opt.Timeout)
		}
		return nil, &failure{err: e.safe(err)}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, e.refusal(resp)
	}
	limit := int64(texts)*maxVector*numberBytes + answerBytes
	limit = min(limit, maxAnswer)
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, &failure{err: e.safe(err)}
	}
	if int64(len(data)) > limit {
		return nil, &failure{err: fmt.Errorf("%w: an answer of more than %d bytes for %d texts", docsearch.ErrTooLarge, limit, texts), final: true}
	}
	vs, err := decode(data, texts)
	if err != nil {
		return nil, &failure{err: err, final: true}
	}
	return vs, nil
}

// decode reads an answer, which may list the vectors in any order.
func decode(data []byte, texts int) ([][]float32, error) {
	var a answer
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, fmt.Errorf("%w: the answer is not in the embeddings form: %v", docsearch.ErrFormat, err)
	}
	if len(a.Data) != texts {
		return nil, fmt.Errorf("%w: the answer holds %d vectors for %d texts", docsearch.ErrFormat, len(a.Data), texts)
	}
	out := make([][]float32, texts)
	for _, d := range a.Data {
		switch {
		case d.Index < 0 || d.Index >= texts || out[d.Index] != nil:
			return nil, fmt.Errorf("%w: the answer numbers a vector %d, of %d", docsearch.ErrFormat, d.Index, texts)
		case len(d.Embedding) == 0 || len(d.Embedding) > maxVector || len(d.Embedding) != len(a.Data[0].Embedding):
			return nil, fmt.Errorf("%w: the answer has a vector of %d numbers beside one of %d", docsearch.ErrFormat, len(d.Embedding), len(a.Data[0].Embedding))
		}
		out[d.Index] = d.Embedding
	}
	return out, nil
}

// refusal is the failure of an answer with another status than 200.
func (e *Embedder) refusal(resp *http.Response) *failure {
	data, _ := io.ReadAll(io.LimitReader(resp.Body, 4<<10)) // what can be read of it is only for people
	msg, code := explain(data)
	f := &failure{err: fmt.Errorf("status %d %s", resp.StatusCode, http.StatusText(resp.StatusCode)), after: retryAfter(resp.Header, time.Now())}
	if msg = e.clean(msg); msg != "" {
		f.err = fmt.Errorf("%w: %s", f.err, msg)
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		f.final = code == "insufficient_quota" // no waiting helps
	case http.StatusRequestTimeout, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		f.final, f.err = true, fmt.Errorf("%w: %w", docsearch.ErrUnsupported, f.err)
	case http.StatusUnauthorized, http.StatusForbidden:
		f.final = true
		if e.opt.Key == "" {
			f.err = fmt.Errorf("%w (no key was given)", f.err)
		}
	default:
		f.final = true
	}
	return f
}

// explain returns what an error's body says, in one of the forms that servers use.
func explain(data []byte) (msg, code string) {
	var body struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(data, &body) != nil {
		return string(data), ""
	}
	var in struct {
		Message string          `json:"message"`
		Code    json.RawMessage `json:"code"`
		Type    string          `json:"type"`
	}
	if json.Unmarshal(body.Error, &in) == nil && in.Message != "" {
		if json.Unmarshal(in.Code, &code) != nil || code == "" {
			code = in.Type
		}
		return in.Message, code
	}
	if json.Unmarshal(body.Error, &msg) == nil && msg != "" {
		return msg, ""
	}
	return body.Message, ""
}

// retryAfter returns how long a server asks to wait, as seconds or as a date (RFC 9110, section 10.2.3); 0 when it does not.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return time.Duration(min(s, 1e6) * float64(time.Second))
	}
	if t, err := http.ParseTime(v); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}

// safe takes the address out of an error of the HTTP client: its query may hold a key.
func (e *Embedder) safe(err error) error {
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err
	}
	if s := err.Error(); e.opt.Key != "" && strings.Contains(s, e.opt.Key) {
		return errors.New(e.clean(s))
	}
	return err
}

// clean makes one short line of what a server says, without the key. Servers repeat keys that they do not know, some with their middle left out.
func (e *Embedder) clean(s string) string {
	if e.opt.Key != "" {
		s = strings.ReplaceAll(s, e.opt.Key, "***")
	}
	words := strings.Fields(strings.ToValidUTF8(s, "\uFFFD"))
	for i, w := range words {
		if len(e.opt.Key) >= 8 && (strings.Contains(w, e.opt.Key[:4]) || strings.Contains(w, e.opt.Key[len(e.opt.Key)-4:])) {
			words[i] = "***"
		}
	}
	s = strings.Join(words, " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "..."
	}
	return s
}
