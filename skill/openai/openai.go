package openai

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

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/wire"
)

const (
	provider = "openai"

	keyVariable = "OPENAI_API_KEY"
	urlVariable = "OPENAI_BASE_URL"
	defaultURL  = "https://api.openai.com/v1"
)

// Options say how to reach the models. The zero value is usable.
type Options struct {
	// Writer is the model for requests in the role of the writer. Empty: the same as for all others.
	Writer string

	// Key is sent with every request. Empty: that of the environment, OPENAI_API_KEY, which goes only over https or to this
	// machine; without one, none is sent, as many servers of one's own want none.
	Key string

	// BaseURL is the address before /chat/completions, with its version: http://127.0.0.1:8000/v1. Empty: OPENAI_BASE_URL, else
	// https://api.openai.com/v1.
	BaseURL string

	Header     http.Header  // sent with every request, in place of what the SDK would send under the same name
	HTTPClient *http.Client // nil: one with the proxy of the environment. Redirects are never followed

	MaxTokens   int      // of an answer, when the request does not say; 0: not sent, the server's own limit holds
	Temperature *float64 // nil: not sent, as models that think refuse it
	Effort      string   // how hard the model thinks, in the API's words (low, medium, high ...); empty: its default
	SchemaText  bool     // tell the schema of an answer in the instructions, for servers that know no response_format
	NoUsage     bool     // do not ask for counts of tokens, for servers that refuse stream_options; limits of tokens then do not hold

	Retries int // after the first try; 0: 2, negative: none

	// Limits of time: to connect (0: 15 s; not with HTTPClient), until the first piece of an answer (0: 5 min), between two
	// pieces (0: 2 min), and for an answer as a whole (0: 20 min).
	Connect, First, Idle, Total time.Duration

	Logger *slog.Logger                               // tells of requests that are tried again; nil: discards
	Wait   func(context.Context, time.Duration) error // how to wait before another try; nil: sleeps
}

// A Model asks the models of one server. It is safe for concurrent use.
type Model struct {
	name string
	opt  Options
	own  bool // the server is OpenAI's
	http *wire.Client
	chat openai.ChatCompletionService
}

// New returns a model by the server's name for it. It sends nothing. A key that is missing where OpenAI's own server wants one
// is a *skill.ModelError with the fault auth that names the variable to set.
func New(model string, o *Options) (*Model, error) {
	m := &Model{name: model}
	if o != nil {
		m.opt = *o
	}
	if model == "" {
		return nil, &skill.ModelError{Fault: skill.FaultInvalid, Provider: provider, Text: "no name of a model"}
	}
	m.opt.Header = m.opt.Header.Clone()
	base, err := wire.BaseURL(provider, cmp.Or(m.opt.BaseURL, os.Getenv(urlVariable), defaultURL))
	if err != nil {
		return nil, err
	}
	m.own = base.Hostname() == "api.openai.com" || strings.HasSuffix(base.Hostname(), ".openai.azure.com")
	key := wire.Key(m.opt.Key, base, keyVariable)
	if key == "" && m.own && m.opt.Header.Get("Authorization") == "" && m.opt.Header.Get("Api-Key") == "" {
		return nil, wire.NoKey(provider, model, keyVariable, "; for another server, set its base URL")
	}
	limits := wire.Limits{Connect: m.opt.Connect, First: m.opt.First, Idle: m.opt.Idle, Total: m.opt.Total}
	m.http = wire.NewClient(provider, m.opt.HTTPClient, limits, wire.Secrets(key, m.opt.Header))
	opts := []option.RequestOption{option.WithHTTPClient(m.http), option.WithMaxRetries(0), option.WithBaseURL(base.String() + "/")}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	wire.EachHeader(m.opt.Header, func(name string) { opts = append(opts, option.WithHeaderDel(name)) },
		func(name, value string) { opts = append(opts, option.WithHeaderAdd(name, value)) })
	m.chat = openai.NewChatCompletionService(opts...) // the service reads no environment, as a client would
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
	stream := m.chat.NewStreaming(ctx, a.params)
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
		chunk := stream.Current()
		if err := d.chunk(&chunk); err != nil {
			return d.begun, err
		}
	}
	if err := stream.Err(); err != nil {
		if err = m.http.Failure(ctx, err, m.event); ctx.Err() != nil || !d.lateOnly(err) {
			return d.begun, err
		}
	}
	return d.begun, d.end()
}

// event is an error in the stream.
func (m *Model) event(err error) *skill.ModelError {
	var event *ssestream.StreamError
	if !errors.As(err, &event) {
		return nil
	}
	return m.http.Event(event.Event.Data)
}
