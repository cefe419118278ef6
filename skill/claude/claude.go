package claude

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/wire"
)

const (
	provider = "anthropic"

	keyVariable = "ANTHROPIC_API_KEY"
	urlVariable = "ANTHROPIC_BASE_URL"
	defaultURL  = "https://api.anthropic.com"
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

	Header     http.Header  // sent with every request, in place of what the SDK would send under the same name
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
	name   string
	opt    Options
	http   *wire.Client
	client anthropic.Client
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
	m.opt.Header = m.opt.Header.Clone()
	m.opt.MaxTokens = cmp.Or(m.opt.MaxTokens, 16384)
	base, err := wire.BaseURL(provider, cmp.Or(m.opt.BaseURL, os.Getenv(urlVariable), defaultURL))
	if err != nil {
		return nil, err
	}
	base.Path = strings.TrimSuffix(base.Path, "/v1") // the SDK adds it
	key := wire.Key(m.opt.Key, base, keyVariable)
	if key == "" && base.String() == defaultURL && m.opt.Header.Get("Authorization") == "" && m.opt.Header.Get("X-Api-Key") == "" {
		return nil, wire.NoKey(provider, model, keyVariable, "")
	}
	limits := wire.Limits{Connect: m.opt.Connect, First: m.opt.First, Idle: m.opt.Idle, Total: m.opt.Total}
	m.http = wire.NewClient(provider, m.opt.HTTPClient, limits, wire.Secrets(key, m.opt.Header))
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), option.WithHTTPClient(m.http), option.WithMaxRetries(0), option.WithBaseURL(base.String()),
	}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	wire.EachHeader(m.opt.Header, func(name string) { opts = append(opts, option.WithHeaderDel(name)) },
		func(name, value string) { opts = append(opts, option.WithHeaderAdd(name, value)) })
	m.client = anthropic.NewClient(opts...)
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
	stream := m.client.Messages.NewStreaming(ctx, a.params)
	defer stream.Close() //nolint:errcheck // nothing hangs on it
	d := &decoder{http: m.http, asked: a, yield: yield}
	for {
		more, err := m.http.Next(stream.Next)
		if err != nil {
			return d.begun, err
		}
		if !more {
			break
		}
		ev := stream.Current()
		if err := d.event(&ev); err != nil {
			return d.begun, err
		}
		if d.ended {
			break
		}
	}
	if err := stream.Err(); err != nil && !d.ended {
		return d.begun, m.http.Failure(ctx, err, m.event)
	}
	return d.begun, d.end()
}

// event is an error event in the stream.
func (m *Model) event(err error) *skill.ModelError {
	var api *anthropic.Error
	if !errors.As(err, &api) {
		return nil
	}
	e := m.http.Event([]byte(api.RawJSON()))
	if api.Response != nil {
		e.Request = m.http.Clean(api.Response.Header.Get("Request-Id"))
	}
	return e
}
