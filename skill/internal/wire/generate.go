package wire

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/findspot/findspot/skill"
)

// An Asker is how an adapter asks its provider.
type Asker struct {
	Provider string
	Model    string                                     // of the worker
	Writer   string                                     // of the writer; empty: Model
	Retries  int                                        // 0 means 2, below 0 none
	Wait     func(context.Context, time.Duration) error // before another try; nil: sleeps
	Logger   *slog.Logger                               // nil discards
}

// Generate asks the model of the request's role. encode makes the provider's form of the request once, ask makes one try and says
// whether something was handed out.
func Generate[A any](ctx context.Context, a Asker, req *skill.Request, encode func(model string) (A, error),
	ask func(asked A, yield func(*skill.Delta, error) bool) (begun bool, err error),
) iter.Seq2[*skill.Delta, error] {
	return func(yield func(*skill.Delta, error) bool) {
		name := a.Model
		if req.Role == skill.RoleWriter {
			name = cmp.Or(a.Writer, name)
		}
		asked, err := encode(name)
		if err == nil {
			tries := 3
			if a.Retries != 0 {
				tries = 1 + max(0, a.Retries)
			}
			retry := Retry{Tries: tries, Wait: a.Wait, Logger: cmp.Or(a.Logger, slog.New(slog.DiscardHandler))}
			err = retry.Do(ctx, func() (bool, error) { return ask(asked, yield) })
		}
		if err == nil || errors.Is(err, ErrStopped) {
			return
		}
		if e := (*skill.ModelError)(nil); errors.As(err, &e) {
			e.Provider, e.Model = a.Provider, name
		}
		yield(nil, err)
	}
}

// Next calls the Next of a stream, and keeps what foreign bytes may do to the SDK's decoder from ending the program.
func (c *Client) Next(next func() bool) (more bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = c.Protocol("the answer cannot be read: %v", p)
		}
	}()
	return next(), nil
}

// Failure is the error of a stream. event gives the error that the provider sent within it, nil for none: other ones are met before
// the SDK sees them.
func (c *Client) Failure(ctx context.Context, err error, event func(error) *skill.ModelError) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var known *skill.ModelError
	if errors.As(err, &known) {
		return known
	}
	if e := event(err); e != nil {
		return e
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return c.Protocol("an event is no JSON: %v", err)
	}
	return c.Protocol("the answer cannot be read: %v", err)
}

// Key is the key to send to a server: the given one, else that of the environment, which goes over no connection that others can read.
func Key(given string, base *url.URL, variable string) string {
	if given == "" && !Clear(base) {
		return os.Getenv(variable)
	}
	return given
}

// NoKey is the error of a key that is missing. more says what else to do.
func NoKey(provider, model, variable, more string) error {
	return &skill.ModelError{Fault: skill.FaultAuth, Provider: provider, Model: model,
		Text: fmt.Sprintf("there is no key: set the environment variable %s, or Options.Key%s", variable, more)}
}

// EachHeader calls clear for each header, and then add for each of its values.
func EachHeader(h http.Header, clear func(name string), add func(name, value string)) {
	for name, values := range h {
		clear(name)
		for _, v := range values {
			add(name, v)
		}
	}
}
