package blevestore_test

import (
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
		f, err := os.Open(filepath.Join(dir, "corpus.jsonl.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lib, err := blevestore.Open(t.Context(), t.TempDir(), &blevestore.Options{Options: docsearch.Options{Embedder: emb}})
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		sources := func(yield func(docsearch.Source, error) bool) {
			for _, l := range lines(t, z) {
				if !yield(docsearch.Bytes(l.ID+".txt", []byte(l.Title+"\n\n"+l.Text+"\n")), nil) {
					return
				}
			}
		}
		for d, err := range lib.AddAll(t.Context(), sources) {
			if err != nil && !strings.Contains(err.Error(), "no text") || err == nil && d.Pending != "" {
				t.Fatal(d, err)
			}
		}
		qrels := map[string]map[string]float64{}
		q, err := os.ReadFile(filepath.Join(dir, "qrels.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(string(q), "\n")[1:] {
			var qid, did string
			var v float64
			if n, _ := fmt.Sscan(l, &qid, &did, &v); n == 3 {
				if qrels[qid] == nil {
					qrels[qid] = map[string]float64{}
				}
				qrels[qid][did] = v
			}
		}
		queries, err := os.Open(filepath.Join(dir, "queries.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer queries.Close()
		var sum [3]float64
		for _, l := range lines(t, queries) {
			rel := qrels[l.ID]
			if rel == nil {
				continue
			}
			for i, mode := range []docsearch.Mode{docsearch.ModeWords, docsearch.ModeVectors, docsearch.ModeHybrid} {
				res, err := lib.Search(t.Context(), l.Text, &docsearch.SearchOptions{Mode: mode})
				if err != nil {
					t.Fatal(err)
				}
				sum[i] += ndcg(res, rel)
			}
		}
		n := float64(len(qrels))
		t.Logf("%-10s words %.3f  vectors %.3f  hybrid %.3f", filepath.Base(dir), sum[0]/n, sum[1]/n, sum[2]/n)
	}
}
