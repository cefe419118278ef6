package codegraph_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

// A repository in memory is linked, searched and walked; answers print as text.
func Example() {
	ctx := context.Background()
	repo := fstest.MapFS{
		"go.mod":      {Data: []byte("module radio\n")},
		"main.go":     {Data: []byte("package main\n\nimport \"radio/rx\"\n\nfunc main() {\n\trx.Detect()\n}\n")},
		"rx/rx.go":    {Data: []byte("package rx\n\n// Detect finds the synchronization signal.\nfunc Detect() { correlate() }\n\nfunc correlate() {}\n")},
		"rx/tests.md": {Data: []byte("How signals are tested.\n")},
	}
	g, err := codegraph.Build(ctx, repo, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	found, err := g.Search(ctx, "synchronization", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found)
	walk, err := g.Traverse(ctx, []string{"correlate"}, &codegraph.TraverseOptions{Direction: codegraph.Callers, Hops: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(walk)
	texts, err := g.Retrieve(ctx, walk.Roots, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(texts[0])
	// Output:
	// rx/rx.go:Detect  rx/rx.go:4-4  (function; bm25)
	//      func Detect()
	// 1 of 1 entity; 0 in test code, 0 in generated or vendored code not shown
	//
	// function rx/rx.go:correlate  6-6
	//   ← invokes function rx/rx.go:Detect  4, scope
	//     ← invokes function main.go:main  6, import
	//
	// func correlate() {}
}

// The text of an issue leads to places.
func ExampleGraph_Locate() {
	ctx := context.Background()
	repo := fstest.MapFS{
		"go.mod":   {Data: []byte("module radio\n")},
		"gain.go":  {Data: []byte("package radio\n\n// clampGain keeps the gain below what the amplifier takes.\nfunc clampGain(db float64) float64 { return min(db, 60) }\n")},
		"frame.go": {Data: []byte("package radio\n\nfunc Frame() {}\n")},
	}
	g, err := codegraph.Build(ctx, repo, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	res, err := g.Locate(ctx, "The amplifier clips\n\nA gain of 70 dB is not clamped.", nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range res.ByFile() {
		fmt.Println(f.Path)
	}
	for _, s := range res.Spots {
		fmt.Println(s.Entity)
	}
	// Output:
	// gain.go
	// gain.go  gain.go:1-4  (file)
	// gain.go:clampGain  gain.go:4-4  (function)
}

// An index on disk is opened, and follows what is edited.
func ExampleOpen() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "codegraph-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	repo := filepath.Join(dir, "radio")
	if err := os.Mkdir(repo, 0o700); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(repo, "rx.go"), []byte("package radio\n\nfunc Receive() {}\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	ix, err := codegraph.Open(ctx, filepath.Join(dir, "index"), repo, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer ix.Close()
	fmt.Println(ix.Graph().Named("Receive"))
	if err := os.WriteFile(filepath.Join(repo, "tx.go"), []byte("package radio\n\nfunc Send() {}\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	changes, err := ix.Update(ctx) // or ix.Watch, in a goroutine
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(changes.Added, "added:", ix.Graph().Named("Send"))
	// Output:
	// [rx.go:Receive  rx.go:3-3  (function)]
	// 1 added: [tx.go:Send  tx.go:3-3  (function)]
}
