package blevestore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/localembed"
	"github.com/findspot/findspot/docsearch/openaiembed"
)

// TestHybridRelevance prints nDCG@10 of words, vectors and both, and with related words, on sets in the form of the relevance folder, with the model in the folder of
// FINDSPOT_EMBED_MODEL_DIR, or the server and model of FINDSPOT_EMBED_URL and FINDSPOT_EMBED_MODEL; FINDSPOT_EMBED_SETS names the folders.
// FINDSPOT_EMBED_TRUNCATE=1 embeds the beginning of long texts alone.
func TestHybridRelevance(t *testing.T) {
	sets := filepath.SplitList(os.Getenv("FINDSPOT_EMBED_SETS"))
	if len(sets) == 0 {
		t.Skip("FINDSPOT_EMBED_SETS names no sets")
	}
	emb, err := embedder()
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range sets {
		set := readSet(t, dir)
		lib := libraryOf(t, set, &blevestore.Options{Options: docsearch.Options{Embedder: emb}})
		if _, err := lib.Embed(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []any
		for _, related := range []bool{false, true} {
			for _, mode := range []docsearch.Mode{docsearch.ModeWords, docsearch.ModeVectors, docsearch.ModeHybrid} {
				if !related || mode != docsearch.ModeVectors {
					got = append(got, score(t, set, lib, &docsearch.SearchOptions{Mode: mode, Literal: true, Related: related}))
				}
			}
		}
		t.Logf("%-10s words %.3f  vectors %.3f  hybrid %.3f; with related words: words %.3f  hybrid %.3f", append([]any{filepath.Base(dir)}, got...)...)
	}
}

func embedder() (docsearch.Embedder, error) {
	if dir := os.Getenv("FINDSPOT_EMBED_MODEL_DIR"); dir != "" {
		return localembed.Open(dir, &localembed.Options{Truncate: os.Getenv("FINDSPOT_EMBED_TRUNCATE") != ""})
	}
	return openaiembed.New(os.Getenv("FINDSPOT_EMBED_URL"), os.Getenv("FINDSPOT_EMBED_MODEL"), &openaiembed.Options{Key: os.Getenv("FINDSPOT_EMBED_KEY")})
}
