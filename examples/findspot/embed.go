package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/openaiembed"
)

// embedKey is the environment variable with the key of the embedding server: flags are seen by everybody who lists processes.
const embedKey = "FINDSPOT_EMBED_KEY"

// embedFlags say where vectors come from.
type embedFlags struct {
	url, model string
	runes      int
}

// embedder returns the embedder of the flags; nil when none is asked for.
func (f *embedFlags) embedder() (docsearch.Embedder, error) {
	switch {
	case f.url == "" && f.model == "" && f.runes == 0:
		return nil, nil
	case f.url == "" || f.model == "":
		return nil, usagef("--embed-url and --embed-model belong together: the server's address, and the model to name to it")
	}
	e, err := openaiembed.New(f.url, f.model, &openaiembed.Options{Key: os.Getenv(embedKey), Runes: f.runes})
	if err != nil {
		return nil, usagef("--embed-url: %w", err)
	}
	return e, nil
}

func (a *app) docsEmbed() *cobra.Command {
	return &cobra.Command{
		Use:     "embed",
		Short:   "Make the vectors that documents lack, with the server of --embed-url",
		Example: "  findspot docs embed --embed-url http://127.0.0.1:8080/v1 --embed-model all-MiniLM-L6-v2",
		Args:    exactly(0),
		PreRun:  a.willChange,
		RunE: a.withDocs(func(ctx context.Context, lib *docsearch.Library, _ []string) error {
			if a.embed.url == "" {
				return usagef("docs embed needs --embed-url and --embed-model")
			}
			n, err := lib.Embed(ctx)
			a.endProgress()
			if err != nil {
				return fmt.Errorf("%s done: %w", count(n, "document", "documents"), err)
			}
			return show(a, n, nil, func(n int) error {
				a.printf("%s done\n", count(n, "document", "documents"))
				return nil
			})
		}),
	}
}
