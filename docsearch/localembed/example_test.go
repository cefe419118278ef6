package localembed_test

import (
	"context"
	"log"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/localembed"
	"github.com/findspot/findspot/docsearch/memstore"
)

// A library with a model in a folder also finds what is put in other words, without a server.
func Example() {
	m, err := localembed.Open("models/all-MiniLM-L6-v2", nil)
	if err != nil {
		log.Fatal(err)
	}
	lib, err := memstore.Open(&docsearch.Options{Embedder: m})
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
