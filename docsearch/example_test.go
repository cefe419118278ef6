package docsearch_test

import (
	"context"
	"fmt"
	"log"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/memstore"
)

// A document from memory is added, found, and read where it was found.
func Example() {
	ctx := context.Background()
	lib, err := memstore.Open(nil) // or blevestore.Open, to keep it on disk
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	note := "# Cell search\n\nThe receiver looks for the primary\nsynchronization signal first.\n"
	if _, err := lib.Add(ctx, docsearch.Bytes("note.md", []byte(note))); err != nil {
		log.Fatal(err)
	}
	res, err := lib.Search(ctx, "primary synchronization signal", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(res)
	hit := res.Hits[0].Passages[0]
	text, err := lib.View(ctx, "note.md", docsearch.Lines{First: hit.LineStart, Last: hit.LineEnd})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text.Text)
	// Output:
	// note.md  "Cell search"  (phrase, 4152aaf11cc34278d287e816c89efa55)
	//   p. 1, l. 3-4 (phrase)
	//      # Cell search The receiver looks for the «primary synchronization signal» first.
	// 1 of 1 documents that match; 1 searched
	// The receiver looks for the primary
	// synchronization signal first.
}
