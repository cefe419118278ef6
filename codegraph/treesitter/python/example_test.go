package python_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/treesitter/python"
)

// A program that imports the package of one language links no grammar of another.
func ExampleFrontends() {
	repo := fstest.MapFS{"app.py": {Data: []byte("def run(): pass\n\ndef main(): run()\n")}}
	g, err := codegraph.Build(context.Background(), repo, python.Frontends(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for e := range g.Edges() {
		if e.Kind == codegraph.Invoke {
			fmt.Println(e.Src, "calls", e.Dst)
		}
	}
	// Output: app.py:main calls app.py:run
}
