package elasticstore

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/elastic/elastic-transport-go/v8/elastictransport"

	"github.com/findspot/findspot/internal/errs"
)

const (
	maxResponse = 64 << 20        // bytes of an answer, after decompression
	maxRequest  = 90 << 20        // bytes of a request: servers refuse more than 100 MB unless they are told otherwise
	maxBusy     = 12              // times that a request is sent again because the server said it was busy
	maxBroken   = 6               // times that a request is sent again because the answer was cut off, or a node did during a search
	maxPause    = 5 * time.Second // between two attempts, whatever the server asks for
)

// A client speaks JSON with the nodes of a cluster. It is safe for concurrent use.
type client struct {
	tr      *elastictransport.Client
	http    *http.Transport
	timeout time.Duration // of one attempt
	secrets []string
}

func newClient(urls []string, o *Options) (*client, error) {
	nodes, err := addresses(urls, o)
	if err != nil {
		return nil, err
	}
	conf, err := tlsConfig(o)
	if err != nil {
		return nil, err
	}
	c := &client{timeout: o.Timeout}
	if o.User != "" {
		c.secrets = append(c.secrets, base64.StdEncoding.EncodeToString([]byte(o.User+":"+o.Password)), o.Password)
	}
	if o.APIKey != "" {
		c.secrets = append(c.secrets, o.APIKey)
	}
	c.http = &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: min(o.Timeout, 10*time.Second), KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        conf,
		TLSHandshakeTimeout:    min(o.Timeout, 10*time.Second),
		ResponseHeaderTimeout:  o.Timeout,
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
		ForceAttemptHTTP2:      true,
	}
	options := []elastictransport.Option{
		elastictransport.WithURLs(nodes...),
		elastictransport.WithUserAgent("findspot"),
		elastictransport.WithTransport(c.http),
		elastictransport.WithMaxRetries(4 + len(nodes)),
		elastictransport.WithRetryOnStatus(http.StatusBadGateway, http.StatusGatewayTimeout),
		elastictransport.WithRetryBackoff(func(attempt int) time.Duration { return pause(attempt, 50*time.Millisecond) }),
		// All that is sent may be sent twice: records have ids, and the state is written under a condition.
		elastictransport.WithRetryOnError(func(r *http.Request, _ error) bool { return r.Context().Err() == nil }),
	}
	if o.APIKey != "" {
		options = append(options, elastictransport.WithAPIKey(o.APIKey))
	}
	if o.User != "" {
		options = append(options, elastictransport.WithBasicAuth(o.User, o.Password))
	}
	if o.Gzip {
		options = append(options, elastictransport.WithCompression())
	}
	if c.tr, err = elastictransport.NewClient(options...); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *client) close() { c.http.CloseIdleConnections() }

// pause is the time before an attempt, from 1: it doubles from base on, up to maxPause, and half of it is chance.
func pause(attempt int, base time.Duration) time.Duration {
	d := min(base<<min(attempt-1, 16), maxPause)
	return d/2 + rand.N(d/2+1)
}

// sleep waits, or returns the error of the context.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// A statusError is an answer of a server that is no success.
type statusError struct {
	status int
	kind   string // the server's name of the error, "" when it gave none
	reason string // bounded
	after  time.Duration
}

func (e *statusError) Error() string {
	s := fmt.Sprintf("the server answered %d", e.status)
	if e.kind != "" {
		s += " " + e.kind
	}
	if e.reason != "" {
		s += ": " + e.reason
	}
	switch e.status {
	case http.StatusUnauthorized:
		s += " (give a user with a password, or an API key)"
	case http.StatusForbidden:
		s += " (the user or the API key may not do this)"
	}
	return s
}

// passing reports whether to ask again after an attempt: the server is busy, lacks a shard for the moment, or lost a node in the middle
// of a search.
func (e *statusError) passing(attempt int) bool {
	switch {
	case e.status == http.StatusTooManyRequests || e.status == http.StatusServiceUnavailable:
		return attempt <= maxBusy
	case e.status >= http.StatusInternalServerError && e.kind == searchFailed:
		return attempt <= maxBroken
	}
	return false
}

// searchFailed is the name of the error of a search that a shard did not answer.
const searchFailed = "search_phase_execution_exception"

// status returns the status of an answer that was an error, else 0.
func status(err error) int {
	if e, ok := errors.AsType[*statusError](err); ok {
		return e.status
	}
	return 0
}

// do sends a request and decodes the answer into out, unless that is nil. body is nil, JSON lines as []byte, or a value that is sent as
// JSON. A server that is busy (429) or without the shards it needs (503) is asked again, for a while, and so is one whose answer broke off.
func (c *client) do(ctx context.Context, method, path string, query url.Values, body, out any) error {
	var data []byte
	kind := "application/json"
	switch b := body.(type) {
	case nil:
	case []byte:
		data, kind = b, "application/x-ndjson"
	default:
		var err error
		if data, err = encode(b); err != nil {
			return err
		}
	}
	if len(data) > maxRequest {
		return fmt.Errorf("%s %s: %w: a request of %d bytes, the limit is %d", method, path, errs.TooLarge, len(data), maxRequest)
	}
	for attempt := 1; ; attempt++ {
		err := c.once(ctx, method, path, query, kind, data, out)
		if err == nil {
			return nil
		}
		if errors.Is(err, errBroken) && attempt <= maxBroken && ctx.Err() == nil {
			continue
		}
		e, ok := errors.AsType[*statusError](err)
		if !ok || !e.passing(attempt) {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
		if wait := sleep(ctx, max(min(e.after, maxPause), pause(attempt, 100*time.Millisecond))); wait != nil {
			return fmt.Errorf("%s %s: %w while the server had no room: %v", method, path, wait, err)
		}
	}
}

var errBroken = errors.New("the answer was cut off")

func (c *client) once(ctx context.Context, method, path string, query url.Values, kind string, data []byte, out any) error {
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, 4*c.timeout)
	defer cancel()
	var r io.Reader
	if data != nil {
		r = bytes.NewReader(data)
	}
	// The host is set for each node; it must only parse.
	req, err := http.NewRequestWithContext(ctx, method, "http://node"+path, r)
	if err != nil {
		return err
	}
	req.URL.RawQuery = query.Encode()
	req.Header.Set("Accept", "application/json")
	if data != nil {
		req.Header.Set("Content-Type", kind)
	}
	res, err := c.tr.Perform(req)
	if err != nil {
		if outer.Err() != nil {
			return outer.Err()
		}
		return errors.New(c.redact(err.Error()))
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxResponse+1))
	if err != nil {
		if outer.Err() != nil {
			return outer.Err()
		}
		return fmt.Errorf("%w: %s", errBroken, c.redact(err.Error()))
	}
	if len(answer) > maxResponse {
		return fmt.Errorf("%w: an answer of more than %d bytes", errs.TooLarge, maxResponse)
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return c.failure(res, answer)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%w: the answer is not the JSON that was expected: %v", errs.Format, err)
	}
	return nil
}

// failure makes an error of an answer that is no success.
func (c *client) failure(res *http.Response, answer []byte) error {
	e := &statusError{status: res.StatusCode}
	if n, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && n > 0 {
		e.after = time.Duration(min(n, 3600)) * time.Second
	}
	var body struct {
		Error json.RawMessage `json:"error"`
	}
	var detail failure
	if json.Unmarshal(answer, &body) == nil && json.Unmarshal(body.Error, &detail) == nil {
		e.kind, e.reason = c.redact(detail.Type), c.redact(detail.String())
	}
	return e
}

// A failure is the server's description of an error.
type failure struct {
	Type   string    `json:"type"`
	Reason string    `json:"reason"`
	Root   []failure `json:"root_cause"`
	Cause  *failure  `json:"caused_by"`
}

// String returns the reasons, innermost last.
func (f *failure) String() string {
	var out []string
	for at, n := f, 0; at != nil && n < 4; at, n = at.Cause, n+1 {
		out = append(out, at.Reason)
	}
	if len(f.Root) > 0 && f.Root[0].Reason != f.Reason {
		out = append(out, f.Root[0].Reason)
	}
	return strings.Join(out, ": ")
}

// redact bounds a text of a server and takes out secrets, which a hostile or talkative one may send back.
func (c *client) redact(s string) string {
	for _, secret := range c.secrets {
		s = strings.ReplaceAll(s, secret, "***")
	}
	const most = 500
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// encode is JSON without the escapes for HTML, which only make it longer.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil // ends with a line feed, as lines in bulk requests must
}
