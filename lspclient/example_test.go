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

// A renaming is a preview: what it would change, and whether that is all.
func ExampleClient_Rename() {
	ctx := context.Background()
	lc, err := lspclient.Open(ctx, "testdata/pyrepo", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer lc.Close()
	r, err := lc.Rename(ctx, lspclient.Named("receiver/sync.py:correlate"), "match_filter", nil)
	if err != nil {
		fmt.Println(err) // what is wrong with the name, or the server's refusal
		return
	}
	if r.State != lspclient.Complete {
		fmt.Println("not to be applied:", r.Reason)
	}
	fmt.Print(r.Diff, r.Note) // for "git apply"
}

// Nothing to complain about is said only by a server that has looked at the present text.
func ExampleClient_Diagnostics() {
	ctx := context.Background()
	lc, err := lspclient.Open(ctx, "testdata/pyrepo", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer lc.Close()
	r, err := lc.Diagnostics(ctx, "receiver/main.py", &lspclient.DiagnosticOptions{Severity: "error"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range r.Diagnostics {
		fmt.Printf("%s:%d:%d: %s\n", d.Location.Path, d.Location.Line, d.Location.Col, d.Message)
	}
	if r.None() {
		fmt.Println("no errors")
	}
}
