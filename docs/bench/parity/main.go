package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "parity:", err)
		os.Exit(1)
	}
}

var errUsage = errors.New("usage: parity tools [FLAGS] OUTPUTS.json NAME=DIR..., parity graph [FLAGS] NAME THEIRS.json DIR, or parity localise [FLAGS] ISSUES REPOSITORIES")

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	fs := flag.NewFlagSet("parity "+args[0], flag.ContinueOnError)
	verbose := fs.Bool("v", false, "print what only one has")
	baseline := fs.String("baseline", "", "a file of numbers to compare with")
	update := fs.Bool("update", false, "write the numbers into the baseline")
	theirs := fs.String("theirs", "", "localise: places that LocAgent found")
	work := fs.String("work", "", "localise: folder for indexes, kept; empty: a temporary one")
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	var results []result
	var err error
	switch rest := fs.Args(); {
	case args[0] == "tools" && len(rest) >= 2:
		dirs := map[string]string{}
		for _, a := range rest[1:] {
			name, dir, ok := strings.Cut(a, "=")
			if !ok {
				return fmt.Errorf("%q: NAME=DIR", a)
			}
			dirs[name] = dir
		}
		results, err = tools(ctx, rest[0], dirs, *verbose)
	case args[0] == "graph" && len(rest) == 3:
		results, err = graph(ctx, rest[0], rest[1], rest[2], *verbose)
	case args[0] == "localise" && len(rest) == 2:
		results, err = localise(ctx, rest[0], rest[1], *theirs, *work)
	default:
		return errUsage
	}
	if err != nil || *baseline == "" {
		return err
	}
	if *update {
		return write(*baseline, args[0], results)
	}
	return compare(*baseline, results)
}
