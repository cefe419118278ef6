package openai

import (
	"bytes"
	"cmp"
	"context"
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

	// Getenv looks up the variables above; nil: those of the process.
	Getenv func(name string) string

	Header     http.Header  // sent with every request, in place of what is sent otherwise under the same name
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
	name    string
	opt     Options
	own     bool // the server is OpenAI's
	http    *wire.Client
	address string      // of Chat Completions
	header  http.Header // of every request
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
	if m.opt.Getenv == nil {
		m.opt.Getenv = os.Getenv
	}
	m.opt.Header = m.opt.Header.Clone()
	base, err := wire.BaseURL(provider, cmp.Or(m.opt.BaseURL, m.opt.Getenv(urlVariable), defaultURL))
	if err != nil {
		return nil, err
	}
	m.own = base.Hostname() == "api.openai.com" || strings.HasSuffix(base.Hostname(), ".openai.azure.com")
	key := wire.Key(m.opt.Key, base, m.opt.Getenv, keyVariable)
	if key == "" && m.own && m.opt.Header.Get("Authorization") == "" && m.opt.Header.Get("Api-Key") == "" {
		return nil, wire.NoKey(provider, model, keyVariable, "; for another server, set its base URL")
	}
	limits := wire.Limits{Connect: m.opt.Connect, First: m.opt.First, Idle: m.opt.Idle, Total: m.opt.Total}
	m.http = wire.NewClient(provider, m.opt.HTTPClient, limits, wire.Secrets(key, m.opt.Header))
	m.address = base.JoinPath("chat", "completions").String()
	m.header = http.Header{}
	if key != "" {
		m.header.Set("Authorization", "Bearer "+key)
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
	for {
		ev, err := stream.Next()
		if errors.Is(err, io.EOF) || err != nil && ctx.Err() == nil && d.lateOnly(err) || bytes.HasPrefix(ev.Data, []byte("[DONE]")) {
			return d.begun, d.end()
		}
		if err == nil {
			err = m.read(ev, d)
		}
		if err != nil {
			return d.begun, err
		}
	}
}

// read takes one event of the stream.
func (m *Model) read(ev wire.Event, d *decoder) error {
	if len(ev.Data) == 0 {
		return nil
	}
	var c chunk
	if err := m.http.Decode(ev.Data, &c); err != nil {
		return err
	}
	if c.Error != nil {
		return m.http.Event(ev.Data)
	}
	return d.chunk(&c)
}
