package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/skill"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], &mcp.StdioTransport{}, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "mcpserver:", err)
		stop()
		os.Exit(1)
	}
}

// list is a flag that can be given several times.
type list []string

func (l *list) String() string     { return fmt.Sprint(*l) }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func run(ctx context.Context, args []string, t mcp.Transport, stderr io.Writer) (err error) {
	fs := flag.NewFlagSet("mcpserver", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var docs, repos list
	dir := fs.String("dir", ".findspot", "folder of the index")
	write := fs.String("write-dir", "", "offer write_file for files in this folder (default: not offered)")
	fs.Var(&docs, "docs", "folder of documents to add (repeatable)")
	fs.Var(&repos, "repo", "repository to add (repeatable)")
	if err := fs.Parse(args); err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	ws, err := findspot.Open(ctx, *dir, &findspot.Options{Logger: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ws.Close()) }()

	// The client is answered at once; a tool that is called before the sources are read waits for them.
	ctx, cancel := context.WithCancel(ctx)
	ready := make(chan error, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := add(ctx, ws, log, docs, repos)
		ready <- err
		if err == nil { // answers then need no look at every file
			if err := ws.Watch(ctx, nil); err != nil && ctx.Err() == nil {
				log.Info("repositories are not watched", "reason", err)
			}
		}
	}()
	defer func() { cancel(); <-done }()

	s := mcp.NewServer(&mcp.Implementation{Name: "findspot", Version: findspot.Version}, &mcp.ServerOptions{Instructions: ws.Guide(), Logger: log})
	for _, tool := range ws.Tools(&findspot.ToolsOptions{WriteDir: *write}) {
		s.AddTool(&mcp.Tool{Name: tool.Name, Description: tool.Description, InputSchema: tool.Schema,
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: !tool.Writes}}, handler(tool, ready))
	}
	return s.Run(ctx, t)
}

// add brings the sources up to date. A file that cannot be read is logged and the rest goes on.
func add(ctx context.Context, ws *findspot.Workspace, log *slog.Logger, docs, repos []string) error {
	for _, d := range docs {
		for _, err := range ws.AddDocs(ctx, d) {
			var bad *docsearch.IngestError
			if errors.As(err, &bad) {
				log.Warn("document left out", "reason", bad)
			} else if err != nil {
				return err
			}
		}
	}
	for _, r := range repos {
		if _, err := ws.AddRepo(ctx, r, nil); err != nil {
			return err
		}
	}
	return nil
}

// handler calls a tool. What goes wrong in it is an answer to the model, so that it can mend its call.
func handler(tool skill.Tool, ready chan error) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case err := <-ready:
			ready <- err // for the next call
			if err != nil {
				return failed(fmt.Errorf("the sources could not be read: %w", err)), nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		res, err := tool.Call(ctx, req.Params.Arguments)
		if err != nil {
			return failed(err), nil
		}
		data, err := json.Marshal(map[string]any{"items": res.Items, "data": res.Data, "verdict": res.Verdict})
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: res.Text}}, StructuredContent: json.RawMessage(data)}, nil
	}
}

func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
}
