package openaiembed_test

import (
	"context"
	"log"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/memstore"
	"github.com/findspot/findspot/docsearch/openaiembed"
)

// A library with an embedder also finds what is put in other words.
func Example() {
	emb, err := openaiembed.New("http://127.0.0.1:8080/v1", "all-MiniLM-L6-v2", nil)
	if err != nil {
		log.Fatal(err)
	}
	lib, err := memstore.Open(&docsearch.Options{Embedder: emb})
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	res, err := lib.Search(context.Background(), "how is a cell found?", &docsearch.SearchOptions{Mode: docsearch.ModeHybrid})
	if err != nil {
		log.Fatal(err)
	}
	log.Print(res)
}
