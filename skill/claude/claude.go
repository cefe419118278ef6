package claude

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/wire"
)

const (
	provider = "anthropic"

	keyVariable = "ANTHROPIC_API_KEY"
	urlVariable = "ANTHROPIC_BASE_URL"
	defaultURL  = "https://api.anthropic.com"

	version = "2023-06-01" // of the API
)

// Options say how to reach the models. The zero value is usable.
type Options struct {
	// Writer is the model for requests in the role of the writer. Empty: the same as for all others.
	Writer string

	// Key is sent with every request. Empty: that of the environment, ANTHROPIC_API_KEY, which goes only over https or to this
	// machine.
	Key string

	// BaseURL is the address before /v1/messages. Empty: ANTHROPIC_BASE_URL, else https://api.anthropic.com.
	BaseURL string

	// Getenv looks up the variables above; nil: those of the process.
	Getenv func(name string) string

	Header     http.Header  // sent with every request, in place of what is sent otherwise under the same name
	HTTPClient *http.Client // nil: one with the proxy of the environment. Redirects are never followed

	MaxTokens   int      // of an answer, when the request does not say; 0: 16,384
	Temperature *float64 // nil: not sent, as newer models refuse it
	Effort      string   // how hard the model thinks, in the API's words (low, medium, high ...); empty: its default
	NoCache     bool     // mark nothing for the provider's cache
	SchemaTool  bool     // ask for an answer of a schema as a call of a tool, for models that know no output_config.format

	Retries int // after the first try; 0: 2, negative: none

	// Limits of time: to connect (0: 15 s; not with HTTPClient), until the first piece of an answer (0: 5 min), between two
	// pieces (0: 2 min), and for an answer as a whole (0: 20 min).
	Connect, First, Idle, Total time.Duration

	Logger *slog.Logger                               // tells of requests that are tried again; nil: discards
	Wait   func(context.Context, time.Duration) error // how to wait before another try; nil: sleeps
}

// A Model asks Anthropic's models. It is safe for concurrent use.
type Model struct {
	name    string
	opt     Options
	http    *wire.Client
	address string      // of the Messages API
	header  http.Header // of every request
}

// New returns a model by the API's name for it, such as "claude-sonnet-5". It sends nothing. A key that is missing is a
// *skill.ModelError with the fault auth that names the variable to set.
func New(model string, o *Options) (*Model, error) {
	m := &Model{name: model}
	if o != nil {
		m.opt = *o
	}
	if model == "" {
		return nil, &skill.ModelError{Fault: skill.FaultInvalid, Provider: provider, Text: "no name of a model"}
	}
	if m.opt.Getenv == nil {
		m.opt.Getenv = os.Getenv
	}
	m.opt.Header = m.opt.Header.Clone()
	m.opt.MaxTokens = cmp.Or(m.opt.MaxTokens, 16384)
	base, err := wire.BaseURL(provider, cmp.Or(m.opt.BaseURL, m.opt.Getenv(urlVariable), defaultURL))
	if err != nil {
		return nil, err
	}
	base.Path = strings.TrimSuffix(base.Path, "/v1")
	key := wire.Key(m.opt.Key, base, m.opt.Getenv, keyVariable)
	if key == "" && base.String() == defaultURL && m.opt.Header.Get("Authorization") == "" && m.opt.Header.Get("X-Api-Key") == "" {
		return nil, wire.NoKey(provider, model, keyVariable, "")
	}
	limits := wire.Limits{Connect: m.opt.Connect, First: m.opt.First, Idle: m.opt.Idle, Total: m.opt.Total}
	m.http = wire.NewClient(provider, m.opt.HTTPClient, limits, wire.Secrets(key, m.opt.Header))
	m.address = base.JoinPath("v1", "messages").String()
	m.header = http.Header{"Anthropic-Version": {version}}
	if key != "" {
		m.header.Set("X-Api-Key", key)
	}
	wire.Replace(m.header, m.opt.Header)
	return m, nil
}

// Generate asks the model of the request's role; see [skill.Model].
func (m *Model) Generate(ctx context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error] {
	a := wire.Asker{Provider: provider, Model: m.name, Writer: m.opt.Writer, Retries: m.opt.Retries, Wait: m.opt.Wait, Logger: m.opt.Logger}
	return wire.Generate(ctx, a, req, func(name string) (*asked, error) { return m.encode(name, req) },
		func(a *asked, yield func(*skill.Delta, error) bool) (bool, error) { return m.ask(ctx, a, yield) })
}

// ask makes one try. begun says whether something was handed out.
func (m *Model) ask(ctx context.Context, a *asked, yield func(*skill.Delta, error) bool) (begun bool, err error) {
	stream, err := m.http.Post(ctx, m.address, m.header, a.params)
	if err != nil {
		return false, err
	}
	defer stream.Close() //nolint:errcheck // nothing hangs on it
	d := &decoder{http: m.http, asked: a, yield: yield}
	for !d.ended {
		ev, err := stream.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = m.read(ev, d, stream.Header)
		}
		if err != nil {
			return d.begun, err
		}
	}
	return d.begun, d.end()
}

// read takes one event of the stream.
func (m *Model) read(ev wire.Event, d *decoder, header http.Header) error {
	switch ev.Name {
	case "error":
		return m.failure(ev.Data, header)
	case "message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta", "content_block_stop":
	default: // pings, and what may be added to the protocol
		return nil
	}
	if len(ev.Data) == 0 {
		return nil
	}
	var e event
	if err := m.http.Decode(ev.Data, &e); err != nil {
		return err
	}
	return d.event(&e)
}

// failure is the error that an error event means.
func (m *Model) failure(data []byte, header http.Header) error {
	var outer struct {
		Error map[string]json.RawMessage `json:"error"`
	}
	if json.Unmarshal(data, &outer) != nil || outer.Error == nil {
		return m.http.Protocol("an error that cannot be read: %s", data)
	}
	e := m.http.Event(data)
	e.Request = m.http.Clean(header.Get("Request-Id"))
	return e
}
