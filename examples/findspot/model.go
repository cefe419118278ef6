package main

import (
	"log/slog"

	"github.com/spf13/pflag"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/claude"
	"github.com/findspot/findspot/skill/openai"
)

// modelFlags say which model is asked. Keys come from the environment: flags are seen by everybody who lists processes.
type modelFlags struct {
	provider, name, writer, url string
}

func (m *modelFlags) add(f *pflag.FlagSet) {
	f.StringVar(&m.provider, "provider", "", "who answers for the model: anthropic, or openai for OpenAI and every server that speaks its Chat Completions; without it no model is asked")
	f.StringVar(&m.name, "model", "", "name of the model, as the provider calls it")
	f.StringVar(&m.writer, "writer", "", "name of another model that writes what a person reads; without it --model does")
	f.StringVar(&m.url, "base-url", "", "address of the provider's API, such as http://127.0.0.1:8000/v1 (default: the provider's own)")
}

// model returns the model of the flags; nil when none is asked for.
func (m *modelFlags) model(log *slog.Logger) (skill.Model, error) {
	var model skill.Model
	var err error
	switch {
	case m.provider == "" && m.name == "" && m.writer == "" && m.url == "":
		return nil, nil
	case m.provider == "" || m.name == "":
		return nil, usagef("--provider and --model belong together: who is asked (anthropic or openai), and for which model")
	case m.provider == "anthropic":
		model, err = claude.New(m.name, &claude.Options{Writer: m.writer, BaseURL: m.url, Logger: log})
	case m.provider == "openai":
		model, err = openai.New(m.name, &openai.Options{Writer: m.writer, BaseURL: m.url, Logger: log})
	default:
		return nil, usagef("--provider %q: there are anthropic and openai", m.provider)
	}
	if err != nil {
		return nil, usagef("--provider: %w", err)
	}
	return model, nil
}
