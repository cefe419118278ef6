package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/mcpstdio"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// Caught, a broken pipe is an error of writing: a client that closes its end would kill the server otherwise.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	t := mcpstdio.New(os.Stdin, os.Stdout, &mcpstdio.Options{Logger: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	err := run(ctx, os.Args[1:], t, os.Stderr)
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
	flags := flag.NewFlagSet("mcpserver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var docs, repos, roots, skills, inputs, prefer list
	dir := flags.String("dir", ".findspot", "folder of the index")
	profile := flags.String("profile", findspot.ProfileFull, "tools to offer: "+strings.Join(findspot.Profiles(), ", "))
	write := flags.String("write-dir", "", "offer write_file for files in this folder (default: not offered)")
	commands := flags.String("commands", "", "offer run_command in this folder, for findspot, rg, ast-grep and jq that only read (default: not offered)")
	servers := flags.String("servers", "", "file that describes language servers (default: findspot/servers.yaml in the user's configuration folder, if present; a file of a repository is never used)")
	trust := flags.Bool("trust", false, "let language servers use the network and run a repository's build code")
	trustIndex := flags.Bool("trust-index", false, "use an index that somebody else made: owned by another user, writable by everybody, or part of a repository")
	showSecrets := flags.Bool("show-secrets", false, "return files that are known to contain secrets, and do not mask keys and tokens")
	readIgnored := flags.Bool("read-ignored", false, "return files that .gitignore excludes")
	name := flags.String("skill", "", "skill to activate: its guards apply to every call, and run_skill runs its steps")
	record := flags.String("record", "", "file to record the run of the skill in (JSON Lines)")
	flags.Var(&prefer, "server", "language server to prefer if several are installed (repeatable)")
	flags.Var(&inputs, "input", "input of the skill, name=value (repeatable)")
	flags.Var(&skills, "skills", "folder of skills, in addition to the shipped ones (repeatable)")
	timeout := flags.Duration("timeout", 5*time.Minute, "maximum time of a tool call; 0 for no limit")
	flags.Var(&docs, "docs", "folder of documents to read and add to the index; answers then come only from -docs, -repo and -index-root (repeatable)")
	flags.Var(&repos, "repo", "repository to read and add to the index; answers then come only from -docs, -repo and -index-root (repeatable)")
	flags.Var(&roots, "index-root", "folder below which the tool index may read and add (repeatable; default: it adds nothing)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if !slices.Contains(findspot.Profiles(), *profile) {
		return fmt.Errorf("-profile %q: there are %s", *profile, strings.Join(findspot.Profiles(), ", "))
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	if *timeout < 0 {
		return fmt.Errorf("-timeout %s: give a time, or 0 for no limit", *timeout)
	}
	o := &findspot.Options{Logger: log, Trust: *trust, TrustIndex: *trustIndex, ShowSecrets: *showSecrets, ReadIgnored: *readIgnored,
		Servers: findspot.ServerOptions{File: *servers, Prefer: prefer}}
	o.OnlyRepos, o.OnlyDocs = scope(repos, docs, roots)
	for _, s := range skills {
		fsys, err := skill.Dir(s)
		if err != nil {
			return err
		}
		o.Skills = append(o.Skills, fsys)
	}
	ws, err := findspot.Open(ctx, *dir, o)
	if err != nil {
		return err
	}
	// The protocol's server waits for calls under way, which a signal must not: a closed workspace ends them, and language servers with them.
	defer context.AfterFunc(ctx, func() {
		if err := ws.Close(); err != nil {
			log.Warn("workspace closed with an error", "reason", err)
		}
	})()

	// The client is answered at once; a tool that is called before the sources are read waits for them.
	ctx, cancel := context.WithCancel(ctx)
	calls := newCalls(log, *timeout)
	defer calls.ended() // once the workspace is closed, see below
	defer func() { err = errors.Join(err, ws.Close()) }()
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := add(ctx, ws, log, docs, repos)
		calls.ready <- err
		if err == nil { // answers then need no look at every file
			if err := ws.Watch(ctx, nil); err != nil && ctx.Err() == nil {
				log.Info("repositories are not watched", "reason", err)
			}
		}
	}()
	defer func() { cancel(); <-done }()

	to := findspot.ToolsOptions{Profile: *profile, IndexRoots: roots, WriteDir: *write, Ledger: evidence.NewBoundedLedger(64 << 20)}
	if *commands != "" {
		to.Command = &findspot.CommandOptions{Dir: *commands}
	}
	tools, guide := ws.Tools(&to), ws.Guide()
	var held *active
	if *name != "" {
		in, err := skillInputs(inputs)
		if err != nil {
			return err
		}
		s, err := find(ws, *name)
		if err != nil {
			return err
		}
		ro := runner.Options{Ledger: to.Ledger, Logger: log}
		if *record != "" {
			f, err := rootfs.Create(*record)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, f.Close()) }()
			ro.Record = f
		}
		every := to
		every.Profile = findspot.ProfileAliases // the skill's steps may use names that the client is not offered
		all := ws.Tools(&every)
		for i, t := range all {
			all[i] = calls.safe(t)
		}
		if held, err = activate(ctx, ws, s, all, in, ro); err != nil {
			return err
		}
		guarded := held.run.Tools()
		for i, t := range tools { // what is offered, with the guards before it
			if n := slices.IndexFunc(guarded, func(g skill.Tool) bool { return g.Name == t.Name }); n >= 0 {
				tools[i].Call = guarded[n].Call
			}
		}
		guide += "\n## The skill " + s.Name + " is active\n\nCall run_skill to run its steps. Tools that it denies before a gate are refused, with the way on.\n"
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "findspot", Version: findspot.Version}, &mcp.ServerOptions{Instructions: guide, Logger: log})
	s.AddReceivingMiddleware(calls.middleware)
	for _, tool := range tools {
		t, err := definition(tool)
		if err != nil {
			return err
		}
		s.AddTool(t, handler(tool, calls, held))
	}
	if held != nil {
		sk, err := find(ws, *name)
		if err != nil {
			return err
		}
		s.AddTool(held.tool(sk), func(call context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if res, err := wait(call, calls.ready); res != nil || err != nil {
				return res, err
			}
			return held.handle(call, req, ctx)
		})
	}
	return s.Run(ctx, t)
}

// scope is what answers come from when sources are given: they, and what the client may add. A kind of which none is given is
// answered of what of it lies in the others. An index without sources answers of all that it holds.
func scope(repos, docs, roots []string) (onlyRepos, onlyDocs []string) {
	if len(repos)+len(docs) == 0 {
		return nil, nil
	}
	if onlyRepos = repos; len(repos) == 0 {
		onlyRepos = docs
	}
	if onlyDocs = docs; len(docs) == 0 {
		onlyDocs = repos
	}
	return slices.Concat(onlyRepos, roots), slices.Concat(onlyDocs, roots)
}

func find(ws *findspot.Workspace, name string) (*skill.Skill, error) {
	var names []string
	for _, s := range ws.Skills() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, errors.Join(fmt.Errorf("-skill %q: %w; there are %s", name, fs.ErrNotExist, strings.Join(names, ", ")), errors.Join(ws.SkillErrors()...))
}

func skillInputs(list []string) (map[string]any, error) {
	in := map[string]any{}
	for _, kv := range list {
		k, v, ok := strings.Cut(kv, "=")
		if !ok {
			return nil, fmt.Errorf("-input %q: give name=value", kv)
		}
		in[k] = v
	}
	return in, nil
}

// definition is the tool as the library defines it for this protocol.
func definition(tool skill.Tool) (*mcp.Tool, error) {
	data, err := tool.Definition(skill.FormatMCP)
	if err != nil {
		return nil, err
	}
	var schema struct {
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	t := &mcp.Tool{}
	if err := errors.Join(json.Unmarshal(data, t), json.Unmarshal(data, &schema)); err != nil {
		return nil, err
	}
	t.InputSchema = schema.InputSchema // as it is: a map would lose the order of the arguments
	return t, nil
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

// wait waits until the sources are read; a result says that they could not be.
func wait(ctx context.Context, ready chan error) (*mcp.CallToolResult, error) {
	select {
	case err := <-ready:
		ready <- err // for the next call
		if err != nil {
			return failed(fmt.Errorf("the sources could not be read: %w", err)), nil
		}
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// handler calls a tool. What goes wrong in it is an answer to the model, so that it can mend its call.
func handler(tool skill.Tool, c *calls, held *active) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return c.do(ctx, tool.Name, func(ctx context.Context) (*mcp.CallToolResult, error) {
			res, err := tool.Call(ctx, req.Params.Arguments)
			if denied, ok := errors.AsType[*skill.DeniedError](err); ok {
				return failed(held.next(denied)), nil
			}
			if err != nil { // it may quote what was read
				return failed(errors.New(evidence.Mark(err.Error()))), nil
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: res.Text}}, StructuredContent: res.Structured}, nil
		})
	}
}

func failed(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}
}
