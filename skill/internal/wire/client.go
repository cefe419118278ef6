package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/skill"
)

// Limits bound one request. Zero fields have the defaults.
type Limits struct {
	Connect time.Duration // to make a connection; 0: 15 s; not used with a client of the caller's
	First   time.Duration // from the request to the first piece of the answer; 0: 5 min
	Idle    time.Duration // between two pieces; 0: 2 min
	Total   time.Duration // for the whole answer; 0: 20 min
	Bytes   int64         // of the answer as it is sent; 0: 32 MB
}

func (l Limits) withDefaults() Limits {
	l.Connect = cmp.Or(l.Connect, 15*time.Second)
	l.First = cmp.Or(l.First, 5*time.Minute)
	l.Idle = cmp.Or(l.Idle, 2*time.Minute)
	l.Total = cmp.Or(l.Total, 20*time.Minute)
	l.Bytes = cmp.Or(l.Bytes, 32<<20)
	return l
}

// maxErrorBody bounds what is read of an answer that is no stream, in bytes.
const maxErrorBody = 64 << 10

// A Client sends requests under limits. It is safe for concurrent use.
type Client struct {
	provider string
	http     *http.Client
	limits   Limits
	secrets  []string
}

// NewClient returns a client for an adapter. A nil base is a client of its own; of another, the transport, the jar and the
// timeout are kept. The secrets are taken out of every error.
func NewClient(provider string, base *http.Client, limits Limits, secrets []string) *Client {
	c := &Client{provider: provider, limits: limits.withDefaults()}
	for _, s := range secrets {
		if len(s) >= 6 { // shorter ones are no secrets, and would tear words apart
			c.secrets = append(c.secrets, s)
		}
	}
	own := http.Client{}
	if base != nil {
		own = *base
	} else if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t = t.Clone()
		t.DialContext = (&net.Dialer{Timeout: c.limits.Connect, KeepAlive: 30 * time.Second}).DialContext
		t.TLSHandshakeTimeout = c.limits.Connect
		own.Transport = t
	}
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.http = &own
	return c
}

// Do sends the request and returns its answer if that is an event stream. Its errors are *skill.ModelError, or that of the
// request's context; so are those of the body.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	b := &body{c: c, parent: req.Context(), ctx: ctx, cancel: cancel, left: c.limits.Bytes}
	b.total = time.AfterFunc(c.limits.Total, func() { cancel(c.late("the answer took longer than " + c.limits.Total.String())) })
	b.piece = time.AfterFunc(c.limits.First, func() { cancel(c.late("no answer in " + c.limits.First.String())) })
	res, err := c.http.Do(req.WithContext(ctx))
	if err != nil {
		err = b.failure(err)
		_ = b.Close()
		return nil, err
	}
	b.rc = res.Body
	mediaType, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode == http.StatusOK && mediaType == "text/event-stream" {
		res.Body = b
		return res, nil
	}
	data, err := io.ReadAll(io.LimitReader(b, maxErrorBody))
	_ = b.Close()
	if err != nil && len(data) == 0 && req.Context().Err() != nil {
		return nil, req.Context().Err()
	}
	return nil, c.answer(res, mediaType, data)
}

// late is a timeout.
func (c *Client) late(text string) *skill.ModelError {
	return &skill.ModelError{Fault: skill.FaultTimeout, Provider: c.provider, Text: text}
}

// body is a response's body under the limits.
type body struct {
	c           *Client
	rc          io.ReadCloser
	parent, ctx context.Context //nolint:containedctx // of the one request that the body belongs to
	cancel      context.CancelCauseFunc
	total       *time.Timer
	piece       *time.Timer // runs while a piece is waited for
	left        int64
	begun       bool
	once        sync.Once
}

func (b *body) Read(p []byte) (int, error) {
	if b.begun {
		b.piece.Stop()
		b.piece = time.AfterFunc(b.c.limits.Idle, func() {
			b.cancel(b.c.late("the answer stopped for " + b.c.limits.Idle.String()))
		})
	}
	n, err := b.rc.Read(p)
	if n > 0 {
		b.begun = true
		b.piece.Stop()
	}
	if b.left -= int64(n); b.left < 0 {
		return 0, &skill.ModelError{
			Fault: skill.FaultProtocol, Provider: b.c.provider,
			Text: fmt.Sprintf("the answer is over %d bytes", b.c.limits.Bytes), Err: skill.ErrTooLarge,
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = b.failure(err)
	}
	return n, err
}

func (b *body) Close() (err error) {
	b.once.Do(func() {
		b.piece.Stop()
		b.total.Stop()
		b.cancel(nil)
		if b.rc != nil {
			err = b.rc.Close()
		}
	})
	return err
}

// failure says why a request or its answer broke off.
func (b *body) failure(err error) error {
	if e := b.parent.Err(); e != nil {
		return e
	}
	var known *skill.ModelError
	if errors.As(context.Cause(b.ctx), &known) || errors.As(err, &known) {
		return known
	}
	return b.c.Broken(err)
}

// Broken is the error of a connection that could not be made or broke. What net/http says of the address is left out, as
// the address may be nobody's business.
func (c *Client) Broken(err error) *skill.ModelError {
	var at *url.Error
	for errors.As(err, &at) {
		err = at.Err
	}
	fault := skill.FaultNetwork
	var timed net.Error
	if errors.As(err, &timed) && timed.Timeout() {
		fault = skill.FaultTimeout
	}
	return &skill.ModelError{Fault: fault, Provider: c.provider, Text: c.Clean(err.Error())}
}

// Protocol is the error of an answer that does not keep to the protocol.
func (c *Client) Protocol(format string, args ...any) *skill.ModelError {
	return &skill.ModelError{Fault: skill.FaultProtocol, Provider: c.provider, Text: c.Clean(fmt.Sprintf(format, args...))}
}

// maxText bounds the text of an error, in runes.
const maxText = 300

// Clean makes a server's text fit to be shown: without secrets and control characters, and short.
func (c *Client) Clean(s string) string {
	for _, secret := range c.secrets {
		s = strings.ReplaceAll(s, secret, "[key]")
	}
	s = strings.ToValidUTF8(s, "?")
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 }), " ")
	if r := []rune(s); len(r) > maxText {
		s = string(r[:maxText]) + "..."
	}
	return s
}
