package blevestore_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/openaiembed"
)

// TestHybridRelevance prints nDCG@10 of words, vectors and both on sets in the form of the relevance folder, with the server and model of
// FINDSPOT_EMBED_URL and FINDSPOT_EMBED_MODEL; FINDSPOT_EMBED_SETS names the folders. docs/bench/embedserver.py is such a server.
func TestHybridRelevance(t *testing.T) {
	url := os.Getenv("FINDSPOT_EMBED_URL")
	if url == "" {
		t.Skip("FINDSPOT_EMBED_URL names no server")
	}
	emb, err := openaiembed.New(url, os.Getenv("FINDSPOT_EMBED_MODEL"), &openaiembed.Options{Key: os.Getenv("FINDSPOT_EMBED_KEY")})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range filepath.SplitList(os.Getenv("FINDSPOT_EMBED_SETS")) {
		set := readSet(t, dir)
		lib := libraryOf(t, set, &blevestore.Options{Options: docsearch.Options{Embedder: emb}})
		var got [3]float64
		for i, mode := range []docsearch.Mode{docsearch.ModeWords, docsearch.ModeVectors, docsearch.ModeHybrid} {
			got[i] = score(t, set, lib, &docsearch.SearchOptions{Mode: mode, Literal: true})
		}
		t.Logf("%-10s words %.3f  vectors %.3f  hybrid %.3f", filepath.Base(dir), got[0], got[1], got[2])
	}
}
