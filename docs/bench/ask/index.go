package main

import (
	"context"
	"fmt"
	"os"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/openaiembed"
)

// makeIndex makes the index of passages of 700 characters that the plain systems search.
func makeIndex(ctx context.Context, dir, docs, embedURL string) error {
	lib, err := openPassages(ctx, dir, embedURL)
	if err != nil {
		return err
	}
	defer lib.Close()
	for _, err := range lib.AddAll(ctx, docsearch.Files(docs)) {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	if embedURL != "" {
		_, err = lib.Embed(ctx)
	}
	return err
}

func openPassages(ctx context.Context, dir, embedURL string) (*docsearch.Library, error) {
	o := &blevestore.Options{Options: docsearch.Options{Splitter: chunk.Sentences(&chunk.SentencesOptions{Runes: 700})}}
	if embedURL != "" {
		e, err := openaiembed.New(embedURL, "all-MiniLM-L6-v2", nil)
		if err != nil {
			return nil, err
		}
		o.Embedder = e
	}
	return blevestore.Open(ctx, dir, o)
}
