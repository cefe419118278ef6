package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/elasticstore"
	"github.com/findspot/findspot/docsearch/openaiembed"
	"github.com/findspot/findspot/examples/findspot/internal/embedmodel"
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
	flags.StringVar(&f.model, "embed-model", "", "folder of an embedding model, whose vectors find documents and code by meaning too (see findspot embed setup)")
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

// here reports whether texts that are embedded stay on this machine: code is embedded there alone, as nobody said that it may go elsewhere.
func (f *embedFlags) here() bool {
	if f.url == "" {
		return true
	}
	u, err := url.Parse(f.url)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
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

func embedCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "embed",
		Short:   "Choose and check an embedding model, for search by meaning",
		Example: "  findspot embed setup\n  findspot embed check models/all-MiniLM-L6-v2",
		Args:    noCommand,
		RunE:    help,
	}
	c.AddCommand(embedSetup(a), embedCheck(a))
	return c
}

func embedSetup(a *app) *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "setup [NAME]",
		Short: "Say which files of a model belong where, and check them",
		Long: `Say which files of a model belong where, and under which licence; without a name, list some.
Nothing is downloaded: get the files from the model's authors. Where they are in place, they are checked as by
findspot embed check. Other models of the same kind (BERT with WordPiece) work too.`,
		Example: "  findspot embed setup all-MiniLM-L6-v2\n  findspot embed setup bge-small-en-v1.5 --model /srv/models/bge",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return show(&a.console, embedmodel.List(), nil, func(list []embedmodel.Known) error { listModels(&a.console, list); return nil })
			}
			for _, k := range embedmodel.List() {
				if k.Name == args[0] {
					return setUpModel(c.Context(), a, k, dir)
				}
			}
			return usagef("model %q is not listed: findspot embed setup lists models, and findspot embed check DIR checks any other", args[0])
		},
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 0 && dir != "" {
				return usagef("%s takes the name of one model: %s", c.CommandPath(), c.UseLine())
			}
			return nil
		},
	}
	c.Flags().StringVar(&dir, "model", "", "folder of the model (default: models/NAME)")
	return c
}

func listModels(con *console, list []embedmodel.Known) {
	for _, k := range list {
		con.printf("%-18s %4d MB  %4d numbers  %4d tokens  %-10s  %s\n", k.Name, k.MB, k.Dimensions, k.Tokens, k.Licence, k.About)
	}
	con.printf("\nfindspot embed setup NAME says which files belong where.\n")
}

// A modelSetup is a model with what was found of it.
type modelSetup struct {
	embedmodel.Known
	Dir   string              `json:"dir"`
	Files []string            `json:"files"`
	Check *embedmodel.Checked `json:"check,omitempty"` // where the files are in place
}

func setUpModel(ctx context.Context, a *app, k embedmodel.Known, dir string) error {
	if dir == "" {
		dir = filepath.Join("models", k.Name)
	}
	s := modelSetup{Known: k, Dir: dir, Files: []string{
		"config.json", "tokenizer.json", "model.safetensors (or onnx/model.onnx)", "modules.json", "1_Pooling/config.json", "sentence_bert_config.json",
		"config_sentence_transformers.json (if there is one)",
	}}
	if _, err := a.env.Stat(filepath.Join(dir, "config.json")); err == nil {
		if s.Check, err = embedmodel.Check(ctx, a.env.Path(dir)); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return show(&a.console, s, nil, func(s modelSetup) error {
		if s.Check != nil {
			printCheck(&a.console, s.Dir, s.Check)
			return nil
		}
		a.printf("%s (%s, %d MB) is published on Hugging Face as %s. Put these files of it into %s:\n", s.Name, s.Licence, s.MB, s.Published, clean(s.Dir))
		for _, f := range s.Files {
			a.printf("  %s\n", f)
		}
		if s.SHA256 != "" {
			a.printf("SHA-256 of model.safetensors: %s\n", s.SHA256)
		}
		a.printf("Then: findspot embed check %s\n", clean(s.Dir))
		return nil
	})
}

func embedCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR",
		Short: "Open a model, and say what it is, how fast, and how much memory it takes",
		Long: `Open the model in a folder, embed three sentences, and say what it is, how fast it is in one goroutine, and how much
memory it takes. The exit status is 1 if it cannot be used, or if sentences that mean alike are not near.`,
		Example: "  findspot embed check models/all-MiniLM-L6-v2",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := embedmodel.Check(c.Context(), a.env.Path(args[0]))
			return show(&a.console, m, err, func(m *embedmodel.Checked) error { printCheck(&a.console, args[0], m); return nil })
		},
	}
}

func printCheck(con *console, dir string, c *embedmodel.Checked) {
	con.printf("%s works: %s\n", clean(dir), clean(c.Model))
	con.printf("  vectors     %d numbers, the %s of %d layers; windows of %d tokens\n", c.Dimensions, c.Pooling, c.Layers, c.MaxTokens)
	for _, p := range []struct{ of, text string }{{"queries", c.Query}, {"passages", c.Passage}} {
		if p.text != "" {
			con.printf("  %-11s begin with %q\n", p.of, p.text)
		}
	}
	con.printf("  speed       %.1f passages of 200 words a second in one goroutine (%s); opened in %.1f s\n", c.Speed, c.Kernel, c.Opened)
	con.printf("  memory      %d MB\n", c.MB)
	con.printf("  cosines     %.2f of sentences that mean alike, %.2f of others\n", c.Near, c.Distant)
	con.printf("Use it: findspot docs add DIR --embed-model %s\n", clean(dir))
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

// servedVectors say how far the making of vectors is; nil where nothing gets any.
type servedVectors struct {
	Documents *docsearch.EmbedState `json:"documents,omitempty"`
	Code      *codegraph.EmbedState `json:"code,omitempty"`
}

// vectorsOf returns nil where there is no embedder.
func vectorsOf(ctx context.Context, ws *findspot.Workspace, lib *docsearch.Library) (*servedVectors, error) {
	docs, err := lib.EmbedState(ctx)
	if err != nil && !errors.Is(err, docsearch.ErrUnsupported) {
		return nil, err
	}
	code, err := ws.EmbedCodeState(ctx)
	if err != nil && !errors.Is(err, findspot.ErrUnsupported) {
		return nil, err
	}
	if docs == nil && code == nil {
		return nil, nil
	}
	return &servedVectors{docs, code}, nil
}

// lines say it to people.
func (v *servedVectors) lines() (out []string) {
	made := func(done, all int, what string, running bool, failed string) {
		text := fmt.Sprintf("%d of %d %s", done, all, what)
		switch {
		case failed != "":
			text += ", waiting to try again: " + clean(failed)
		case running:
			text += ", being made"
		}
		out = append(out, text)
	}
	if v == nil {
		return nil
	}
	if d := v.Documents; d != nil {
		made(d.Done, d.Documents, "documents", d.Running, d.Error)
	}
	if c := v.Code; c != nil && c.Entities > 0 {
		made(c.Done, c.Entities, "functions and classes", c.Running, c.Error)
	}
	return out
}
