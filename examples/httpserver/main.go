package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "httpserver:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stderr io.Writer) (err error) {
	log := slog.New(slog.NewTextHandler(stderr, nil))
	o := serve.Options{Logger: log, Feed: serve.NewFeed(log)}
	flags := flag.NewFlagSet("httpserver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8080", "address to listen on")
	flags.StringVar(&o.Dir, "dir", ".findspot", "folder of the index")
	tokenFile := flags.String("token-file", "", "file with a token that every request must contain, required for an address that other machines can reach (default: the variable FINDSPOT_TOKEN)")
	list := func(to *[]string, name, usage string) {
		flags.Func(name, usage+" (repeatable)", func(s string) error { *to = append(*to, s); return nil })
	}
	list(&o.Sources.Docs, "docs", "folder of documents to read and watch; answers then come only from -docs and -repo")
	list(&o.Sources.Repos, "repo", "repository to read and watch; answers then come only from -docs and -repo")
	list(&o.Hosts, "host", "name that requests may be for, beside localhost and the address")
	list(&o.Origins, "origin", "origin of web pages that may ask, such as https://example.org")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.Token, err = serve.ReadToken(*tokenFile); err != nil {
		return err
	}
	ln, err := serve.Listen(*addr, &o)
	if err != nil {
		return err
	}
	defer ln.Close() // the server closes it too
	wo := findspot.Options{Logger: o.Feed.Logger(), Progress: o.Feed.Progress, NoServers: true}
	o.Scope(&wo)
	ws, err := findspot.Open(ctx, o.Dir, &wo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ws.Close()) }()
	srv, err := serve.New(ws, &o)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	srv.Register(mux)
	mux.HandleFunc("GET /about", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "a route of one's own") })
	log.Info("listening", "addr", ln.Addr().String())
	return srv.ServeMux(ctx, ln, mux)
}
