package elasticstore_test

import (
	"context"
	"log"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/elasticstore"
)

// Many processes may use one library on a cluster.
func Example() {
	ctx := context.Background()
	lib, err := elasticstore.Open(ctx, []string{"http://127.0.0.1:9200"}, &elasticstore.Options{Prefix: "papers-"})
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	for _, err := range lib.AddAll(ctx, docsearch.Files("papers")) {
		if err != nil {
			log.Print(err)
		}
	}
}
