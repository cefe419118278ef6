package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch/localembed"
	"github.com/findspot/findspot/examples/findspot/internal/attach"
	"github.com/findspot/findspot/examples/findspot/internal/embedmodel"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/examples/findspot/internal/usage"
	"github.com/findspot/findspot/examples/serve"
	"github.com/findspot/findspot/examples/serve/proving"
	"github.com/findspot/findspot/internal/rootfs"
)

// defaultAddr is where a server listens when no flag says so; any other port, when that one is taken: by the server of another index, as a rule.
const defaultAddr = "127.0.0.1:8080"

// serving are the flags of serve.
type serving struct {
	addr, tokenFile, cert, key string
	selfSigned                 bool
	hosts, origins             []string
	profile                    string
	noHTTP, noPage, noWatch    bool
	access                     bool
	idle                       time.Duration
}

func serveCommand(a *app) *cobra.Command {
	s := &serving{}
	c := &cobra.Command{
		Use:   "serve [COMMAND]",
		Short: "Keep the index open: commands answer at once, also over HTTP and MCP",
		Long: `Keep the index open: documents, code graphs and language servers. While the server runs, every other command finds it
through a socket in the folder of the index, runs in it, and prints what it prints alone; --no-server runs one alone.

Over HTTP there are a page (/), an API (/openapi.json describes it) and MCP (/mcp). They answer from --docs and --repo, which
are read and followed while files change; without them, from all of the index. Only this machine reaches them, unless
--addr says otherwise, which needs a token: in --token-file, or in $FINDSPOT_TOKEN.

The server runs until it is interrupted or stopped, or until nobody has used it for the time of --idle.`,
		Example: "  findspot serve --docs papers --repo receiver\n  findspot serve --no-http --idle 30m &\n  findspot serve stop",
		Args:    noCommand,
		PreRun:  func(*cobra.Command, []string) { a.changes, a.keeps = true, true },
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case s.idle < 0:
				return usagef("--idle %v: must be more than 0", s.idle)
			case (s.cert == "") != (s.key == ""):
				return usagef("--tls-cert and --tls-key belong together")
			case !slices.Contains(findspot.Profiles(), s.profile):
				return usagef("--profile %q: must be one of %s", s.profile, strings.Join(findspot.Profiles(), ", "))
			}
			return s.run(c.Context(), a)
		},
	}
	f := c.Flags()
	f.StringVar(&s.addr, "addr", "", "address to listen on (default "+defaultAddr+", or another port if that one is taken)")
	f.StringVar(&s.tokenFile, "token-file", "", "file with a token that every request must bring; an address that other machines reach needs one")
	f.StringArrayVar(&s.hosts, "host", nil, "name that requests may be for, beside localhost and the address (repeatable)")
	f.StringArrayVar(&s.origins, "origin", nil, "origin of web pages that may ask, such as https://example.org (repeatable)")
	f.BoolVar(&s.selfSigned, "tls", false, "HTTPS with a certificate of its own, which is kept beside the index")
	f.StringVar(&s.cert, "tls-cert", "", "PEM file of a certificate for HTTPS")
	f.StringVar(&s.key, "tls-key", "", "PEM file of its key")
	f.StringVar(&s.profile, "profile", findspot.ProfileCompact, "tools over MCP: "+strings.Join(findspot.Profiles(), ", "))
	f.BoolVar(&s.noHTTP, "no-http", false, "serve commands alone")
	f.BoolVar(&s.noPage, "no-page", false, "leave the page out")
	f.BoolVar(&s.noWatch, "no-watch", false, "do not follow changes of files")
	f.BoolVar(&s.access, "access-log", false, "print a line for each request to standard error")
	f.DurationVar(&s.idle, "idle", 0, "end when nobody has used the server for so long, such as 30m (default: never)")
	usage.Section(f, "HTTP", "addr", "token-file", "host", "origin", "tls", "tls-cert", "tls-key", "profile", "no-http", "no-page", "access-log")
	c.AddCommand(serveStatus(a), serveStop(a))
	alone(c)
	return c
}

// A server is what serves an index.
type server struct {
	*serving
	index string
	base  *findspot.Workspace // what commands get views of
	model func(dir string) (*localembed.Model, error)
	host  *attach.Host
	http  *serve.Server
	view  *findspot.Workspace // what is answered over HTTP
	only  struct{ docs, repos []string }
}

// limited reports whether what is answered over HTTP is only a part of the index.
func (s *server) limited() bool { return !s.noHTTP && len(s.only.docs) > 0 }

// apart is [env.Env].Apart of the commands that the server runs.
func (s *server) apart(path string, repo bool) bool {
	roots := s.only.docs
	if repo {
		roots = s.only.repos
	}
	at, err := rootfs.Real(path)
	return err == nil && s.limited() && !slices.ContainsFunc(roots, func(root string) bool {
		real, err := rootfs.Real(root)
		return err == nil && rootfs.Below(real, at)
	})
}

// run serves until ctx ends, or somebody ends the server.
func (s *serving) run(ctx context.Context, a *app) (err error) {
	a.env.SpareMemory()
	a.env.OpenModel = new(embedmodel.Last).Open
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, name := range slices.Concat(a.docs, a.repos) { // one that goes away later is waited for
		if _, err := a.env.Stat(name); err != nil {
			return plainPathError(err)
		}
	}
	sources := serve.Sources{Docs: a.env.Paths(a.docs), Repos: a.env.Paths(a.repos), NoWatch: s.noWatch}
	a.docs, a.repos = nil, nil // they are read in the background, and limit what is asked over HTTP
	o, err := a.ready(ctx)
	if err != nil {
		return err
	}
	o.Progress = nil // whoever asks sees that of his own
	srv := &server{serving: s, model: a.env.OpenModel}
	if srv.base, err = a.env.Workspace(ctx, a.dir, o); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.base.Close()) }()
	if srv.index, err = indexOf(a); err != nil {
		return err
	}
	if srv.host, err = attach.Listen(srv.index, self(), &attach.Options{Private: a.env.RuntimeDirs(), Logger: o.Logger}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.base.Close(), srv.host.Close()) }() // in this order: who waits for the end finds all of it free
	feed := serve.NewFeed(o.Logger)
	scoped := *o
	scoped.Logger, scoped.Progress = feed.Logger(), feed.Progress
	(&serve.Options{Dir: srv.index, Sources: sources}).Scope(&scoped)
	srv.only.docs, srv.only.repos = scoped.OnlyDocs, scoped.OnlyRepos
	if srv.view, err = srv.base.View(&scoped); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.view.Close()) }()
	ho, err := s.options(a, srv.index, sources, feed)
	if err != nil {
		return err
	}
	if srv.http, err = serve.New(srv.view, ho); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, srv.http.Close()) }()
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	failed := make(chan error, 3)
	begin := func(what func(context.Context) error) {
		work.Go(func() {
			if err := what(ctx); err != nil && ctx.Err() == nil {
				failed <- err
				cancel()
			}
		})
	}
	if !s.noHTTP {
		ln, err := s.listen(a, srv.http.Options())
		if err != nil {
			return err
		}
		if err := srv.host.SetAddress(srv.http.URL(ln)); err != nil {
			return errors.Join(err, ln.Close())
		}
		begin(func(ctx context.Context) error { return srv.http.Serve(ctx, ln) })
	}
	begin(func(ctx context.Context) error { return srv.host.Serve(ctx, srv.handlers(cancel)) })
	begin(func(ctx context.Context) error { return srv.warm(ctx, a) })
	note := srv.host.Note()
	if err := a.either(note, func() {
		a.printf("findspot %s serves %s as process %d\n", note.Version, clean(a.dir), note.PID)
		if note.Address != "" && !s.noPage {
			a.printf("page       %s%s\n", note.Address, s.tokenForm(ho.Token))
		}
		if note.Address != "" {
			a.printf("API        %s/openapi.json\nMCP        %s/mcp\n", note.Address, note.Address)
		}
		a.printf("commands   %s\n", clean(note.Socket))
	}); err != nil {
		return err
	}
	srv.wait(ctx, a)
	cancel()
	work.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// options are those of HTTP.
func (s *serving) options(a *app, index string, sources serve.Sources, feed *serve.Feed) (*serve.Options, error) {
	o := &serve.Options{Dir: index, Sources: sources, Hosts: s.hosts, Origins: s.origins, Profile: s.profile, ShowSecrets: a.showSecrets, NoPage: s.noPage,
		Version: self().Version, Feed: feed, Proof: proving.New(a.logger()), Logger: a.logger(), Environ: a.env.Getenv}
	if s.access {
		o.Access = slog.New(slog.NewTextHandler(a.stderr, nil))
	}
	var err error
	if o.Token, err = serve.ReadToken(a.env.Path(s.tokenFile)); err != nil {
		return nil, fmt.Errorf("--token-file: %w", err)
	}
	switch {
	case s.cert != "":
		o.TLS, err = serve.Certificate(a.env.Path(s.cert), a.env.Path(s.key))
	case s.selfSigned:
		var print string
		if o.TLS, print, err = serve.SelfSigned(index, s.hosts); err == nil {
			fmt.Fprintf(a.stderr, "findspot: the certificate's SHA-256 is %s\n", print)
		}
	}
	return o, err
}

// tokenForm is what follows the page's address where the page takes a token from it. The token itself is not printed: standard output goes to logs.
func (s *serving) tokenForm(token string) string {
	switch {
	case token == "":
		return ""
	case s.tokenFile == "":
		return "/#token=TOKEN (TOKEN is $FINDSPOT_TOKEN)"
	}
	return "/#token=TOKEN (TOKEN is in " + clean(s.tokenFile) + ")"
}

// listen listens at the address of the flag, or at the default one, or where there is room.
func (s *serving) listen(a *app, o *serve.Options) (net.Listener, error) {
	if s.addr != "" {
		return serve.Listen(s.addr, o)
	}
	ln, err := serve.Listen(defaultAddr, o)
	if err != nil {
		host, _, _ := net.SplitHostPort(defaultAddr) // it is one
		if other, again := serve.Listen(net.JoinHostPort(host, "0"), o); again == nil {
			a.complain(fmt.Errorf("%s is taken, maybe by the server of another index: this one is at %s (--addr chooses)", defaultAddr, other.Addr()))
			return other, nil
		}
	}
	return ln, err
}

func (s *server) handlers(stop func()) *attach.Handlers {
	return &attach.Handlers{
		Run: func(ctx context.Context, c *attach.Call, in *attach.Input, out, err *attach.Output) int {
			e := &env.Env{Dir: c.Dir, Getenv: func(name string) string { return c.Env[name] }, Stdin: in, Stdout: out, Stderr: err, Served: true, Apart: s.apart, OpenModel: s.model}
			e.Open = func(ctx context.Context, dir string, o *findspot.Options) (*findspot.Workspace, error) {
				if !sameFolder(dir, s.index) {
					return findspot.Open(ctx, dir, o)
				}
				return s.base.View(o)
			}
			return run(ctx, c.Args, e)
		},
		Status: func(ctx context.Context) (json.RawMessage, error) {
			st, err := s.status(ctx)
			if err != nil {
				return nil, err
			}
			return json.Marshal(st)
		},
		Stop: stop,
	}
}

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, yerr := os.Stat(b)
	return err == nil && yerr == nil && os.SameFile(x, y)
}

// warm opens what the first question would wait for, says what was wrong with the sources, and keeps the graphs of the whole index up to date.
func (s *server) warm(ctx context.Context, a *app) error {
	log := a.logger()
	if _, err := s.base.Graphs(ctx); err != nil && ctx.Err() == nil {
		log.Warn("the graphs of repositories could not be opened", "reason", err)
	}
	if _, err := s.base.Docs(ctx); err != nil && ctx.Err() == nil {
		log.Warn("the documents could not be opened", "reason", err)
	}
	if err := s.http.Ready(ctx); err != nil && ctx.Err() == nil {
		a.complain(err)
	}
	for !s.noWatch && ctx.Err() == nil { // it ends when a repository cannot be watched any more
		if err := s.base.Watch(ctx, nil); err != nil && ctx.Err() == nil {
			log.Info("repositories are not watched: it is tried again", "reason", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(30 * time.Second):
		}
	}
	return nil
}

// wait returns when ctx ends, or when nobody has used the server for the time of --idle.
func (s *server) wait(ctx context.Context, a *app) {
	for {
		var over <-chan time.Time
		if at, ok := s.until(); ok {
			left := time.Until(at)
			if left <= 0 {
				a.complain(fmt.Errorf("nobody used the server for %s: it ends", s.idle))
				return
			}
			over = time.After(left)
		} else if s.idle > 0 { // it is used
			over = time.After(min(s.idle, time.Minute))
		}
		select {
		case <-ctx.Done():
			return
		case <-over:
		}
	}
}

// until is when the server ends if nobody uses it before; ok is false where it does not, or not while it is used.
func (s *server) until() (at time.Time, ok bool) {
	running, _, last := s.host.Use()
	web := s.http.Status()
	if asked := time.Now().Add(-web.Idle); asked.After(last) {
		last = asked
	}
	return last.Add(s.idle), s.idle > 0 && running == 0 && web.Requests == 0 && web.Ready
}

// serverState is what serve status prints.
type serverState struct {
	attach.Note
	Index        string          `json:"index"`
	docCount                     // of the whole index
	OverHTTP     *docCount       `json:"over_http,omitempty"` // of what is answered over HTTP, where --docs and --repo limit it
	Outdated     int             `json:"documents_changed"`   // on disk, or gone
	Ready        bool            `json:"ready"`               // the sources were read once
	Problem      string          `json:"problem,omitempty"`   // what is wrong with sources now
	Sources      []serve.Source  `json:"sources"`             // that are read and followed
	Repositories []servedRepo    `json:"repositories"`
	Vectors      *servedVectors  `json:"vectors,omitempty"`    // where the server has a model
	Servers      []servedProcess `json:"language_servers"`     // that run
	Running      int             `json:"running"`              // commands
	Served       int             `json:"served"`               // commands since the start
	LastUse      time.Time       `json:"last_use"`             // of commands
	Requests     int             `json:"requests"`             // over HTTP, under way
	Sessions     int             `json:"sessions"`             // of MCP over HTTP
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

func (s *server) status(ctx context.Context) (*serverState, error) {
	running, served, last := s.host.Use()
	web, ws := s.http.Status(), s.base
	st := &serverState{Note: s.host.Note(), Running: running, Served: served, LastUse: last.UTC().Truncate(time.Second), Ready: web.Ready, Problem: web.Problem,
		Requests: web.Requests, Sessions: web.Sessions, Sources: web.Sources, Repositories: []servedRepo{}, Servers: []servedProcess{}}
	if st.Sources == nil {
		st.Sources = []serve.Source{}
	}
	if at, ok := s.until(); ok {
		at = at.UTC().Truncate(time.Second)
		st.IdleUntil = &at
	}
	lib, err := ws.Docs(ctx)
	if err != nil {
		return nil, err
	}
	if st.docCount, err = countDocs(ctx, lib); err != nil {
		return nil, err
	}
	if st.Vectors, err = vectorsOf(ctx, ws, lib); err != nil {
		return nil, err
	}
	if s.limited() {
		part, err := s.view.Docs(ctx)
		if err != nil {
			return nil, err
		}
		n, err := countDocs(ctx, part)
		if err != nil {
			return nil, err
		}
		st.OverHTTP = &n
	}
	src, err := lib.CheckSources(ctx, 2*time.Second)
	if err != nil {
		return nil, err
	}
	st.Outdated = src.Changed + src.Gone
	repos, err := ws.Repos()
	if err != nil {
		return nil, err
	}
	graphs, err := ws.Graphs(ctx)
	if err != nil {
		graphs = nil // none of them is counted when one is gone, which its problem says
	}
	for i, r := range repos {
		x := servedRepo{Name: r.Name, Root: r.Root}
		if i < len(graphs) {
			x.Entities, x.Edges = graphs[i].Len()
		}
		if _, err := os.Stat(r.Root); errors.Is(err, fs.ErrNotExist) {
			x.Problem = "its folder is gone, and no code is answered until it is back"
		} else if err != nil {
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
	docs := st.docCount.String()
	if st.Outdated > 0 {
		docs += fmt.Sprintf(", %d changed on disk or gone", st.Outdated)
	}
	line("documents", "%s", docs)
	if st.OverHTTP != nil {
		line("over HTTP", "%s: only what lies in the sources, and uploads", st.OverHTTP)
	}
	for _, r := range st.Repositories {
		text := fmt.Sprintf("%s: %s, %s", r.Root, count(r.Entities, "entity", "entities"), count(r.Edges, "edge", "edges"))
		if r.Problem != "" {
			text += "; " + r.Problem
		}
		line("repository", "%s", text)
	}
	for _, text := range st.Vectors.lines() {
		line("vectors", "%s", text)
	}
	for _, src := range st.Sources {
		text := fmt.Sprintf("%s: %s", src.Path, src.State)
		if src.LeftOut > 0 {
			text += fmt.Sprintf(", %s could not be read", count(src.LeftOut, "document", "documents"))
		}
		if src.Problem != "" {
			text += "; " + src.Problem
		}
		line(src.Kind, "%s", text)
	}
	for _, p := range st.Servers {
		line("lsp", "%s in %s, process %d, %d MB%s", p.Name, p.Folder, p.PID, p.Memory>>20, map[bool]string{false: ", not ready"}[p.Ready])
	}
	line("commands", "%d running, %d since the start, the last at %s", st.Running, st.Served, local(st.LastUse))
	if st.Requests+st.Sessions > 0 {
		line("HTTP", "%s under way, %s of MCP", count(st.Requests, "request", "requests"), count(st.Sessions, "session", "sessions"))
	}
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
