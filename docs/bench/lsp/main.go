package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/findspot/findspot/lspclient"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "lsp:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("say what to measure: cold, direct or changes")
	}
	switch args[0] {
	case "cold":
		return cold(ctx, args[1:])
	case "direct":
		return direct(ctx, args[1:])
	case "changes":
		return changes(ctx, args[1:])
	}
	return fmt.Errorf("no measure %q: there are cold, direct and changes", args[0])
}

// common are the flags of every measure.
type common struct {
	root, server, servers string
	trust                 bool
}

func (c *common) register(f *flag.FlagSet) {
	f.StringVar(&c.root, "root", ".", "repository")
	f.StringVar(&c.server, "server", "", "entry of the registry; empty: the first that is installed")
	f.StringVar(&c.servers, "servers", "", "file with more entries")
	f.BoolVar(&c.trust, "trust", false, "let the server run the repository's build code and use the network")
}

// open returns a client on the repository, with nothing started.
func (c *common) open(ctx context.Context) (*lspclient.Client, error) {
	root, err := filepath.Abs(c.root)
	if err != nil {
		return nil, err
	}
	o := &lspclient.Options{Trust: c.trust}
	if c.server != "" {
		o.Prefer = []string{c.server}
	}
	if c.servers != "" {
		data, err := os.ReadFile(c.servers)
		if err != nil {
			return nil, err
		}
		if o.Servers, err = lspclient.ParseServers(data); err != nil {
			return nil, err
		}
	}
	return lspclient.Open(ctx, root, o)
}

// target reads a name, or a place path:line:col.
func target(s string) lspclient.Target {
	var line, col int
	parts := strings.Split(s, ":")
	if len(parts) == 3 {
		if _, err := fmt.Sscanf(parts[1]+" "+parts[2], "%d %d", &line, &col); err == nil {
			return lspclient.At(parts[0], line, col)
		}
	}
	return lspclient.Named(s)
}

func durations(list string) ([]time.Duration, error) {
	var out []time.Duration
	for s := range strings.SplitSeq(list, ",") {
		d, err := time.ParseDuration(s)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}
