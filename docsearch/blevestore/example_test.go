package blevestore_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
)

// A folder of documents is added to a library on disk; what cannot be read is told, and the rest follows.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "papers")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	lib, err := blevestore.Open(ctx, dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	for doc, err := range lib.AddAll(ctx, docsearch.Files("../../examples/testdata/papers")) {
		if bad, ok := errors.AsType[*docsearch.IngestError](err); ok {
			log.Print(bad)
			continue
		}
		if err != nil {
			log.Fatal(err) // the context ended or the store broke: it is over
		}
		fmt.Println(doc.Name, doc.Pages)
	}
	res, err := lib.Search(ctx, "synchronization raster", &docsearch.SearchOptions{Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Hits[0].Name, res.Hits[0].Tier)
	// Output:
	// fs-12.401-cell-search.pdf 4
	// pss-detection.pdf 3
	// sync-raster.pdf 3
	// sync-raster.pdf phrase
}
