package findspot_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/findspot/findspot"
)

// An answer prints as the text that a person reads.
func ExampleAnswer_String() {
	dir, err := os.MkdirTemp("", "findspot-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	ws, err := findspot.Open(ctx, dir, &findspot.Options{NoServers: true})
	if err != nil {
		log.Fatal(err)
	}
	defer ws.Close()
	if _, err := ws.AddDocument(ctx, "notes.md", []byte("# Notes\n\nThe threshold of the detector is 0.7.\n")); err != nil {
		log.Fatal(err)
	}
	ans, err := ws.Ask(ctx, "threshold of the detector", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(ans)
	// Output:
	// Question: threshold of the detector
	//
	// [D1] "Notes" p. 1, l. 1-3 (notes.md)
	//      # Notes The «threshold» of the «detector» is 0.7.
	//
	// Searched: 1 documents, 0 entities of 0 repositories
}
