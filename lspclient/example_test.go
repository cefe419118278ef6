package lspclient_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/findspot/findspot/lspclient"
)

func Example() {
	ctx := context.Background()
	lc, err := lspclient.Open(ctx, "testdata/pyrepo", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer lc.Close()
	refs, err := lc.References(ctx, lspclient.Named("Receiver.detect"), nil)
	var missing *lspclient.NotInstalledError
	if errors.As(err, &missing) {
		fmt.Println("run:", missing.Install)
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, at := range refs.Locations {
		fmt.Printf("%s:%d:%d\n", at.Path, at.Line, at.Col)
	}
	fmt.Println(refs.State, refs.Reason)
}
