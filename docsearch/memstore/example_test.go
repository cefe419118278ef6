package memstore_test

import (
	"context"
	"fmt"
	"log"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/memstore"
)

func Example() {
	ctx := context.Background()
	lib, err := memstore.Open(nil)
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	doc, err := lib.Add(ctx, docsearch.Bytes("note.txt", []byte("The raster of the cell.\n")))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(doc.Change, doc.Title)
	// Output: added The raster of the cell.
}
