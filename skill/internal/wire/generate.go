package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/url"
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

// Key is the key to send to a server: the given one, else that of the environment, which goes over no connection that others can read.
func Key(given string, base *url.URL, getenv func(string) string, variable string) string {
	if given == "" && !Clear(base) {
		return getenv(variable)
	}
	return given
}

// NoKey is the error of a key that is missing. more says what else to do.
func NoKey(provider, model, variable, more string) error {
	return &skill.ModelError{Fault: skill.FaultAuth, Provider: provider, Model: model,
		Text: fmt.Sprintf("there is no key: set the environment variable %s, or Options.Key%s", variable, more)}
}
