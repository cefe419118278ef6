package main

import (
	"context"
	"flag"
	"fmt"
	"os"
)

func main() {
	missed := flag.Bool("missed", false, "print what was not as it is known to be")
	only := flag.String("only", "", "only edits whose kind or name has this text")
	flag.Parse()
	t, misses, err := run(context.Background(), *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "living:", err)
		os.Exit(1)
	}
	fmt.Print(t)
	if *missed {
		for _, m := range misses {
			fmt.Println(m)
		}
	}
}
