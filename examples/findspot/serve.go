package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/findspot/internal/attach"
	"github.com/findspot/findspot/examples/findspot/internal/env"
)

// aloneKey is an annotation of commands that a server is never asked for: they need no index.
const aloneKey = "alone"

// alone marks commands that need no index, and those below them.
func alone(list ...*cobra.Command) {
	for _, c := range list {
		if c.Annotations == nil {
			c.Annotations = map[string]string{}
		}
		c.Annotations[aloneKey] = "true"
	}
}

// isAlone reports whether a command, or one above it, is marked so, or is one of cobra's own.
func isAlone(c *cobra.Command) bool {
	for ; c != nil; c = c.Parent() {
		if c.Annotations[aloneKey] != "" || slices.Contains([]string{"help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, c.Name()) {
			return true
		}
	}
	return false
}

// forwarded ends a command that a server ran.
type forwarded struct{ status int }

func (*forwarded) Error() string { return "a server ran the command" }

// self is this program, as servers and clients compare it.
func self() attach.About {
	v := thisVersion()
	s := v.Version
	if v.Revision != "" {
		s += " (" + v.Revision[:min(12, len(v.Revision))] + map[bool]string{true: ", with changes"}[v.Modified] + ")"
	}
	return attach.About{Version: s, Format: findspot.IndexFormat}
}

// ownFiles are names that mean something else in another process.
var ownFiles = []string{"/dev/fd/", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/proc/self/", "/proc/thread-self/"}

// forward has the server that holds the index run the command. The error is nil when there is none, or none that can: the command runs here then.
func forward(a *app, c *cobra.Command) error {
	if a.env.Served || a.noServer || a.env.Getenv("FINDSPOT_NO_SERVER") != "" || isAlone(c) || c.HasSubCommands() {
		return nil
	}
	if slices.ContainsFunc(a.args, func(arg string) bool {
		return slices.ContainsFunc(ownFiles, func(own string) bool { return strings.Contains(arg, own) })
	}) {
		return nil
	}
	index, err := indexOf(a)
	if err != nil {
		return nil // the command says so
	}
	ctx := c.Context()
	client, err := attach.Dial(ctx, index, self())
	if err != nil {
		if !errors.Is(err, attach.ErrNone) && ctx.Err() == nil {
			a.complain(err)
		}
		return nil
	}
	defer client.Close()
	if err := client.Fits(); err != nil {
		a.complain(err)
		return nil
	}
	call := &attach.Call{Args: a.args, Dir: a.env.Dir, Env: map[string]string{}}
	for _, name := range env.Names() {
		if v := a.env.Getenv(name); v != "" {
			call.Env[name] = v
		}
	}
	for i, s := range []any{a.env.Stdin, a.env.Stdout, a.env.Stderr} {
		if t, ok := s.(env.Terminal); ok {
			call.Terminals[i].Columns, call.Terminals[i].Terminal = t.Terminal()
		}
	}
	status, used, err := client.Run(ctx, call, attach.Streams{In: a.env.Stdin, Out: a.env.Stdout, Err: a.env.Stderr})
	switch {
	case err == nil:
		return &forwarded{status}
	case used || ctx.Err() != nil:
		return err
	}
	return nil // the server ended before it began: it is done here
}

// indexOf is the absolute path of the folder of the index.
func indexOf(a *app) (string, error) {
	if a.dir != "" {
		return a.env.Path(a.dir), nil
	}
	place, err := a.look()
	return a.env.Path(place.Index), err
}

// serving are the flags of serve.
type serving struct {
	idle time.Duration
}

func serveCommand(a *app) *cobra.Command {
	s := &serving{}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Keep the index open, so that every command answers at once",
		Long: `Keep the index open: documents, code graphs, which follow changes of the files, and language servers. While the server
runs, every other command finds it through a socket in the folder of the index, runs in it, and prints what it prints
alone; --no-server runs one alone. --docs and --repo are read first, and followed. The server runs until it is
interrupted or stopped, or until nobody has used it for the time of --idle.`,
		Example: "  findspot serve --docs papers --repo receiver\n  findspot serve --idle 30m &\n  findspot serve stop",
		Args:    noCommand,
		PreRun:  func(*cobra.Command, []string) { a.changes, a.keeps = true, true },
		RunE: func(c *cobra.Command, _ []string) error {
			if s.idle < 0 {
				return usagef("--idle %v: must be more than 0", s.idle)
			}
			return s.run(c.Context(), a)
		},
	}
	c.Flags().DurationVar(&s.idle, "idle", 0, "end when no command has run for so long, such as 30m (default: never)")
	c.AddCommand(serveStatus(a), serveStop(a))
	alone(c)
	return c
}

// run serves until ctx ends, or somebody ends the server.
func (s *serving) run(ctx context.Context, a *app) (err error) {
	a.env.SpareMemory()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	docs, repos := a.docs, a.repos
	a.docs, a.repos = nil, nil // they are added below, when commands are answered already, and are no limit
	ws, err := a.open(ctx)
	if err != nil {
		return err
	}
	index, err := indexOf(a)
	if err != nil {
		return err
	}
	host, err := attach.Listen(index, self(), &attach.Options{Private: a.env.RuntimeDirs(), Logger: a.logger()})
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, a.close(), host.Close()) // whoever waits for the end finds all of it free
		a.ws = nil
	}()
	done := make(chan error, 1)
	handlers := &attach.Handlers{
		Run: func(ctx context.Context, c *attach.Call, in *attach.Input, out, err *attach.Output) int {
			return runFor(ctx, ws, index, c, in, out, err)
		},
		Status: func(ctx context.Context) (json.RawMessage, error) {
			st, err := s.status(ctx, ws, host)
			if err != nil {
				return nil, err
			}
			return json.Marshal(st)
		},
		Stop: cancel,
	}
	go func() { done <- host.Serve(ctx, handlers) }()
	defer func() {
		cancel()
		err = errors.Join(err, <-done)
	}()
	for _, d := range docs {
		if err := a.addDocs(ctx, d, nil, nil); err != nil {
			return unlessOver(ctx, err)
		}
	}
	for _, r := range repos {
		if err := a.addRepo(ctx, r); err != nil {
			return unlessOver(ctx, err)
		}
	}
	if err := warm(ctx, ws); err != nil {
		return unlessOver(ctx, err)
	}
	a.endProgress()
	a.tellProblems()
	note := host.Note()
	if err := a.either(note, func() {
		a.printf("findspot %s serves %s: process %d\n", note.Version, a.dir, note.PID)
		a.printf("  commands   %s\n", note.Socket)
	}); err != nil {
		return err
	}
	watched := make(chan error, 1)
	go func() { watched <- ws.Watch(ctx, nil) }()
	s.wait(ctx, host)
	cancel()
	if err := <-watched; err != nil && !errors.Is(err, context.Canceled) {
		a.complain(err)
	}
	return nil
}

// unlessOver is nil for an error that the end of the server made.
func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// warm opens what the first question would wait for.
func warm(ctx context.Context, ws *findspot.Workspace) error {
	if _, err := ws.Graphs(ctx); err != nil && !errors.Is(err, findspot.ErrNotFound) {
		return err
	}
	_, err := ws.Docs(ctx)
	return err
}

// wait returns when ctx ends, or when nobody has used the server for the time of --idle.
func (s *serving) wait(ctx context.Context, host *attach.Host) {
	for {
		var over <-chan time.Time
		if at, ok := s.until(host); ok {
			left := time.Until(at)
			if left <= 0 {
				return
			}
			over = time.After(left)
		} else if s.idle > 0 { // a command runs
			over = time.After(min(s.idle, time.Minute))
		}
		select {
		case <-ctx.Done():
			return
		case <-over:
		}
	}
}

// until is when the server ends if nobody uses it before; ok is false where it does not, or not while a command runs.
func (s *serving) until(host *attach.Host) (at time.Time, ok bool) {
	running, _, last := host.Use()
	return last.Add(s.idle), s.idle > 0 && running == 0
}

// runFor runs a command for a process that asks.
func runFor(ctx context.Context, ws *findspot.Workspace, index string, c *attach.Call, in *attach.Input, out, err *attach.Output) int {
	e := &env.Env{Dir: c.Dir, Getenv: func(name string) string { return c.Env[name] }, Stdin: in, Stdout: out, Stderr: err, Served: true}
	e.Open = func(ctx context.Context, dir string, o *findspot.Options) (*findspot.Workspace, error) {
		if !sameFolder(dir, index) {
			return findspot.Open(ctx, dir, o)
		}
		return ws.View(o)
	}
	return run(ctx, c.Args, e)
}

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, yerr := os.Stat(b)
	return err == nil && yerr == nil && os.SameFile(x, y)
}

// serverState is what serve status prints.
type serverState struct {
	attach.Note
	Index        string          `json:"index"`
	Documents    int             `json:"documents"`
	Failed       int             `json:"documents_not_read"`
	Outdated     int             `json:"documents_changed"` // on disk, or gone
	Repositories []servedRepo    `json:"repositories"`
	Servers      []servedProcess `json:"language_servers"` // that run
	Running      int             `json:"running"`          // commands
	Served       int             `json:"served"`           // commands since the start
	LastUse      time.Time       `json:"last_use"`
	IdleUntil    *time.Time      `json:"idle_until,omitempty"` // when it ends if nobody uses it
}

type servedRepo struct {
	Name     string `json:"name,omitempty"`
	Root     string `json:"root"`
	Entities int    `json:"entities"`
	Edges    int    `json:"edges"`
	Problem  string `json:"problem,omitempty"`
}

type servedProcess struct {
	Name   string `json:"name"`
	Folder string `json:"folder"`
	PID    int    `json:"pid"`
	Ready  bool   `json:"ready"`
	Memory int64  `json:"memory"` // bytes
}

func (s *serving) status(ctx context.Context, ws *findspot.Workspace, host *attach.Host) (*serverState, error) {
	running, served, last := host.Use()
	st := &serverState{Note: host.Note(), Running: running, Served: served, LastUse: last.UTC().Truncate(time.Second), Repositories: []servedRepo{}, Servers: []servedProcess{}}
	if at, ok := s.until(host); ok {
		at = at.UTC().Truncate(time.Second)
		st.IdleUntil = &at
	}
	lib, err := ws.Docs(ctx)
	if err != nil {
		return nil, err
	}
	all, err := lib.List(ctx, &docsearch.ListOptions{Limit: 1})
	if err != nil {
		return nil, err
	}
	failed, err := lib.List(ctx, &docsearch.ListOptions{Status: docsearch.StatusFailed, Limit: 1})
	if err != nil {
		return nil, err
	}
	src, err := lib.CheckSources(ctx, 2*time.Second)
	if err != nil {
		return nil, err
	}
	st.Documents, st.Failed, st.Outdated = all.Total, failed.Total, src.Changed+src.Gone
	repos, err := ws.Repos()
	if err != nil {
		return nil, err
	}
	graphs, err := ws.Graphs(ctx)
	if err != nil && !errors.Is(err, findspot.ErrNotFound) {
		return nil, err
	}
	for i, r := range repos {
		x := servedRepo{Name: r.Name, Root: r.Root}
		if i < len(graphs) {
			x.Entities, x.Edges = graphs[i].Len()
		}
		if _, err := os.Stat(r.Root); err != nil {
			x.Problem = bareError(err).Error()
		}
		st.Repositories = append(st.Repositories, x)
	}
	list, err := ws.Servers(ctx)
	if err != nil {
		return st, nil // there is no repository
	}
	for _, l := range list {
		for _, p := range l.Processes {
			st.Servers = append(st.Servers, servedProcess{l.Name, p.Folder, p.PID, p.Ready, int64(p.Memory)})
		}
	}
	return st, nil
}

// dial connects to the server of the index. Without one it says so, and the command found nothing.
func dial(ctx context.Context, a *app) (*attach.Client, error) {
	index, err := indexOf(a)
	if err != nil {
		return nil, err
	}
	client, err := attach.Dial(ctx, index, self())
	if errors.Is(err, attach.ErrNone) {
		a.complain(fmt.Errorf("no server holds the index %s (findspot serve starts one)", cmp.Or(a.dir, filepath.Base(index))))
		return nil, errNo
	}
	return client, err
}

func serveStatus(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "Show what the server of the index holds and does",
		Long:    "Show what the server of the index holds: documents, repositories, language servers that run, commands, and since when.\nThe exit status is 1 if no server runs.",
		Example: "  findspot serve status --json",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := dial(c.Context(), a)
			if err != nil {
				return err
			}
			defer client.Close()
			data, err := client.Status(c.Context())
			if err != nil {
				return err
			}
			st := &serverState{}
			if err := json.Unmarshal(data, st); err != nil {
				return err
			}
			st.Index, err = indexOf(a)
			return show(&a.console, st, err, func(st *serverState) error {
				printState(&a.console, st)
				return nil
			})
		},
	}
}

func printState(con *console, st *serverState) {
	line := func(name, format string, args ...any) {
		con.printf("%-12s %s\n", name, clean(fmt.Sprintf(format, args...)))
	}
	local := func(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }
	line("index", "%s", st.Index)
	line("server", "findspot %s, process %d, since %s", st.Version, st.PID, local(st.Started))
	line("socket", "%s", st.Socket)
	if st.Address != "" {
		line("address", "%s", st.Address)
	}
	docs := count(st.Documents, "document", "documents")
	if st.Failed > 0 {
		docs += fmt.Sprintf(", %d not readable", st.Failed)
	}
	if st.Outdated > 0 {
		docs += fmt.Sprintf(", %d changed on disk or gone", st.Outdated)
	}
	line("documents", "%s", docs)
	for _, r := range st.Repositories {
		text := fmt.Sprintf("%s: %s, %s", r.Root, count(r.Entities, "entity", "entities"), count(r.Edges, "edge", "edges"))
		if r.Problem != "" {
			text += "; " + r.Problem
		}
		line("repository", "%s", text)
	}
	for _, p := range st.Servers {
		line("lsp", "%s in %s, process %d, %d MB%s", p.Name, p.Folder, p.PID, p.Memory>>20, map[bool]string{false: ", not ready"}[p.Ready])
	}
	line("commands", "%d running, %d since the start, the last at %s", st.Running, st.Served, local(st.LastUse))
	if st.IdleUntil != nil {
		line("idle", "ends at %s if nobody uses it", local(*st.IdleUntil))
	}
}

func serveStop(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "stop",
		Short:   "End the server of the index, and wait until it has ended",
		Long:    "End the server of the index, and wait until it has ended. Commands that it runs are interrupted. The exit status is 1 if\nno server runs.",
		Example: "  findspot serve stop",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := dial(c.Context(), a)
			if err != nil {
				return err
			}
			defer client.Close()
			if err := client.Stop(c.Context()); err != nil {
				return err
			}
			return a.either(map[string]int{"stopped": client.PID()}, func() { a.printf("stopped process %d\n", client.PID()) })
		},
	}
}
