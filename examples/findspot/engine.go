package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/elasticstore"
	"github.com/findspot/findspot/docsearch/openaiembed"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/claude"
	"github.com/findspot/findspot/skill/openai"
)

// The environment variables with the credentials of a cluster: flags are seen by everybody who lists processes.
const (
	elasticKey      = "FINDSPOT_ELASTIC_API_KEY"
	elasticUser     = "FINDSPOT_ELASTIC_USER"
	elasticPassword = "FINDSPOT_ELASTIC_PASSWORD"
)

// engineFlags say where the library of documents is, when it is not in the folder of the index.
type engineFlags struct {
	urls   []string
	prefix string
	ca     string
}

// library returns what opens the library of the flags; nil when it is the one in the folder.
func (f *engineFlags) library(readOnly bool, e *env.Env) (func(context.Context, *docsearch.Options) (*docsearch.Library, error), error) {
	if len(f.urls) == 0 {
		if f.prefix != "" || f.ca != "" {
			return nil, usagef("--engine-prefix and --engine-ca need --engine, the addresses of a cluster")
		}
		return nil, nil
	}
	for i, raw := range f.urls {
		if u, err := url.Parse(raw); err == nil && u.User != nil { // the error of a URL that does not parse would print it
			return nil, usagef("--engine: address %d contains a user name: set it in $%s, and the password in $%s", i+1, elasticUser, elasticPassword)
		}
	}
	return func(ctx context.Context, o *docsearch.Options) (*docsearch.Library, error) {
		lib, err := elasticstore.Open(ctx, f.urls, &elasticstore.Options{
			Options:  *o,
			Prefix:   f.prefix,
			ReadOnly: readOnly,
			CAFile:   e.Path(f.ca),
			APIKey:   e.Getenv(elasticKey),
			User:     e.Getenv(elasticUser),
			Password: e.Getenv(elasticPassword),
		})
		if readOnly && errors.Is(err, docsearch.ErrNotFound) {
			return nil, fmt.Errorf("%w (docs add --engine creates it; --engine-prefix selects it)", err)
		}
		return lib, err
	}, nil
}

// embedKey is the environment variable with the key of the embedding server: flags are seen by everybody who lists processes.
const embedKey = "FINDSPOT_EMBED_KEY"

// embedFlags say where vectors come from.
type embedFlags struct {
	url, model string
	runes      int
}

func (f *embedFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.model, "embed-model", "", "folder of an embedding model, whose vectors find documents by meaning too (see findspot embed setup, docs embed)")
	flags.StringVar(&f.url, "embed-url", "", "address of an OpenAI-compatible server of vectors, such as http://127.0.0.1:8080/v1 (key: $"+embedKey+")")
	flags.IntVar(&f.runes, "embed-runes", 0, "maximum number of characters that the server's model takes; longer passages are sent in pieces (default: no limit)")
}

// embedder returns the embedder of the flags; nil when none is asked for.
func (f *embedFlags) embedder(from *env.Env) (docsearch.Embedder, error) {
	switch {
	case f.url == "" && f.runes != 0:
		return nil, usagef("--embed-runes needs --embed-url: a model in a folder knows its length")
	case f.url == "" && f.model == "":
		return nil, nil
	case f.url == "":
		m, err := from.Model(f.model)
		if err != nil {
			return nil, usagef("--embed-model: %w", err)
		}
		return m, nil
	case f.model == "":
		return nil, usagef("--embed-url and --embed-model belong together: the server's address, and the model to request from it")
	}
	e, err := openaiembed.New(f.url, f.model, &openaiembed.Options{Key: from.Getenv(embedKey), Runes: f.runes})
	if err != nil {
		return nil, usagef("--embed-url: %w", err)
	}
	return e, nil
}

// saved returns the flags as an agent's configuration has them.
func (f *embedFlags) saved(from *env.Env) (out []string) {
	model := f.model
	if f.url == "" {
		model = from.Path(model)
	} else {
		out = append(out, "--embed-url", f.url)
	}
	if f.runes != 0 {
		out = append(out, "--embed-runes", strconv.Itoa(f.runes))
	}
	if model != "" {
		out = append(out, "--embed-model", model)
	}
	return out
}

func docsEmbed(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "embed",
		Short: "Create missing vectors of documents, with the model of --embed-model",
		Long: `Create missing vectors of documents, with the model of --embed-model; another model creates all vectors again. Documents
that are added with --embed-model have them from the start. Searches that are to use them need the flag too.

--embed-model is the folder of a model ("findspot embed setup" says which files belong there), or with --embed-url the name
of a model at an OpenAI-compatible server, such as http://127.0.0.1:8080/v1 (key: $` + embedKey + `). --embed-runes is the
maximum number of characters that the server's model takes: longer passages are sent in pieces.`,
		Example: "  findspot docs embed --embed-model models/all-MiniLM-L6-v2\n  findspot docs embed --embed-url http://127.0.0.1:8080/v1 --embed-model all-MiniLM-L6-v2",
		Args:    exactly(0),
		PreRun:  a.willChange,
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, _ []string) error {
			if a.embed.model == "" {
				return usagef("docs embed needs --embed-model: the folder of a model, or with --embed-url its name (findspot embed setup lists models)")
			}
			n, err := lib.Embed(ctx)
			a.endProgress()
			if err != nil {
				return fmt.Errorf("%s done: %w", count(n, "document", "documents"), err)
			}
			return show(&a.console, n, nil, func(n int) error {
				a.printf("%s done\n", count(n, "document", "documents"))
				return nil
			})
		}),
	}
}

// modelFlags say which model is asked. Keys come from the environment: flags are seen by everybody who lists processes.
type modelFlags struct {
	provider, name, writer, url string
}

func (m *modelFlags) add(f *pflag.FlagSet) {
	f.StringVar(&m.provider, "provider", "", "provider of the model: anthropic, or openai for OpenAI and compatible servers (Chat Completions); without it, no model is asked")
	f.StringVar(&m.name, "model", "", "name of the model at the provider")
	f.StringVar(&m.writer, "writer", "", "name of another model for texts that a person reads (default: that of --model)")
	f.StringVar(&m.url, "base-url", "", "address of the provider's API, such as http://127.0.0.1:8000/v1 (default: the provider's own)")
}

// model returns the model of the flags; nil when none is asked for.
func (m *modelFlags) model(log *slog.Logger, from *env.Env) (skill.Model, error) {
	var model skill.Model
	var err error
	switch {
	case m.provider == "" && m.name == "" && m.writer == "" && m.url == "":
		return nil, nil
	case m.provider == "" || m.name == "":
		return nil, usagef("--provider and --model belong together: the provider (anthropic or openai), and the name of its model")
	case m.provider == "anthropic":
		model, err = claude.New(m.name, &claude.Options{Writer: m.writer, BaseURL: m.url, Getenv: from.Getenv, Logger: log})
	case m.provider == "openai":
		model, err = openai.New(m.name, &openai.Options{Writer: m.writer, BaseURL: m.url, Getenv: from.Getenv, Logger: log})
	default:
		return nil, usagef("--provider %q: must be anthropic or openai", m.provider)
	}
	if err != nil {
		return nil, usagef("--provider: %w", err)
	}
	return model, nil
}
