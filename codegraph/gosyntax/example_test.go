package gosyntax_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

// A program that needs Go alone links no C.
func ExampleFrontend() {
	repo := fstest.MapFS{
		"go.mod": {Data: []byte("module example.com/radio\n")},
		"run.go": {Data: []byte("package radio\n\ntype Cell struct{}\n\nfunc (c *Cell) Search() {}\n\nfunc Run() { new(Cell).Search() }\n")},
	}
	g, err := codegraph.Build(context.Background(), repo, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for e := range g.Edges() {
		if e.Kind == codegraph.Invoke {
			fmt.Println(e.Src, "calls", e.Dst)
		}
	}
	// Output: run.go:Run calls run.go:Cell.Search
}
