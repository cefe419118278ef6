package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/mcphandler"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// Caught, a broken pipe is an error of writing: a client that closes its end would kill the server otherwise.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	t := mcphandler.Stdio(os.Stdin, os.Stdout, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	err := run(ctx, os.Args[1:], t, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "mcpserver:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, t mcp.Transport, stderr io.Writer) (err error) {
	flags := flag.NewFlagSet("mcpserver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var from mcphandler.Sources
	add := func(to *[]string) func(string) error {
		return func(s string) error { *to = append(*to, s); return nil }
	}
	flags.Func("docs", "folder of documents to answer from (repeatable)", add(&from.Docs))
	flags.Func("repo", "repository to answer from (repeatable)", add(&from.Repos))
	flags.Func("index-root", "folder below which the tool index may add (repeatable)", add(&from.IndexRoots))
	dir := flags.String("dir", ".findspot", "folder of the index")
	profile := flags.String("profile", findspot.ProfileCompact, "tools to offer: "+strings.Join(findspot.Profiles(), ", "))
	servers := flags.String("servers", "", "file that describes language servers")
	if err := flags.Parse(args); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	feed := mcphandler.NewFeed(log)
	o := &findspot.Options{Logger: feed.Logger(), Progress: feed.Progress, Servers: findspot.ServerOptions{File: *servers}}
	o.OnlyRepos, o.OnlyDocs = from.Scope()
	ws, err := findspot.Open(ctx, *dir, o)
	if err != nil {
		return err
	}
	// The client is answered at once; a tool that is called before the sources are read waits for them.
	ctx, cancel := context.WithCancel(ctx)
	ready, wait := from.Read(ctx, ws, log)
	defer func() { cancel(); wait(); err = errors.Join(err, ws.Close()) }()
	h, err := mcphandler.New(ws, &mcphandler.Options{Tools: findspot.ToolsOptions{Profile: *profile, IndexRoots: from.IndexRoots}, Ready: ready, Feed: feed, Logger: log})
	if err != nil {
		return err
	}
	defer h.Close()
	return h.Run(ctx, t)
}
