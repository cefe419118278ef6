package mcphandler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/mcpstdio"
	"github.com/findspot/findspot/skill"
)

// Options of a [Handler]. The zero value of each field is its default.
type Options struct {
	// Tools are what is offered. An empty Profile means [findspot.ProfileCompact]. Each session has a ledger of its own, in place of Tools.Ledger.
	Tools findspot.ToolsOptions
	// Skill is the name of a skill to activate: its guards hold for every call, and the tool run_skill runs its steps. Inputs are its inputs. Record gets the
	// record of the run (JSON Lines) of the first session that is no HTTP one. Clients over HTTP without sessions are refused then.
	Skill  string
	Inputs map[string]any
	Record io.Writer
	// Ready gives the end of the reading of sources, once: calls wait for it. Closing it is the end too. Nil: they are read. An error is the answer to every call
	// from then on: who tries sources again gives none.
	Ready <-chan error
	// Feed is what the workspace was opened with, see [NewFeed]. Nil: progress says how long a call takes, and clients get no log messages.
	Feed    *Feed
	Timeout time.Duration // of a call of a tool; 0: five minutes, negative: none
	// Idle is how long a session over HTTP lives without a request; 0: half an hour.
	Idle        time.Duration
	MaxSessions int // over HTTP at once; 0: 64
	// Origins are those of web pages that may call, as "https://host:port", beside those of the same host.
	Origins []string
	// AnyRoot lets clients over HTTP name any folder of this machine as a root. It is for a server that only its own user reaches; else what lies
	// below Tools.IndexRoots can be named. A client of Run is its user's own program, and can name any folder.
	AnyRoot bool
	// Observe is told of each call of a tool, and what it returns of the call's end; nil: nobody is.
	Observe func(ctx context.Context, tool string) (context.Context, func(error))
	Version string // that is told to clients; "": findspot.Version
	Logger  *slog.Logger
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Tools.Profile == "" {
		out.Tools.Profile = findspot.ProfileCompact
	}
	if out.Timeout == 0 {
		out.Timeout = 5 * time.Minute
	}
	out.Timeout = max(out.Timeout, 0)
	if out.Idle == 0 {
		out.Idle = 30 * time.Minute
	}
	if out.MaxSessions == 0 {
		out.MaxSessions = 64
	}
	if out.Version == "" {
		out.Version = findspot.Version
	}
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	if out.Feed == nil {
		out.Feed = NewFeed(nil)
	}
	return out
}

// A Handler serves a workspace to clients of the Model Context Protocol. It is safe for concurrent use.
type Handler struct {
	ws     *findspot.Workspace
	opt    Options
	skill  *skill.Skill // the active one; nil: none
	server *mcp.Server
	calls  *calls

	resources resources

	stateful, stateless http.Handler // over HTTP: of versions with sessions, and without
	opening             atomic.Int32 // requests that open a session

	closed context.Context // ends with Close
	end    context.CancelFunc

	mu       sync.Mutex // guards what follows
	sessions map[*mcp.ServerSession]*session
	shared   *session // of clients without sessions; nil: there was none yet
	recorded bool     // a session has the record
	work     sync.WaitGroup
}

// New returns a handler over a workspace, which the caller closes after the handler.
func New(ws *findspot.Workspace, o *Options) (*Handler, error) {
	opt := o.withDefaults()
	var bad []error
	if !slices.Contains(findspot.Profiles(), opt.Tools.Profile) {
		bad = append(bad, fmt.Errorf("profile %q: there are %s", opt.Tools.Profile, strings.Join(findspot.Profiles(), ", ")))
	}
	h := &Handler{ws: ws, opt: opt, sessions: map[*mcp.ServerSession]*session{}}
	h.resources.h = h
	if opt.Skill != "" {
		s, err := findSkill(ws, opt.Skill)
		if err != nil {
			bad = append(bad, err)
		}
		h.skill = s
	}
	if len(bad) > 0 {
		return nil, errors.Join(bad...)
	}
	h.closed, h.end = context.WithCancel(context.Background())
	h.calls = newCalls(h.closed, opt.Logger, opt.Timeout, opt.Ready)
	if h.skill != nil { // that its inputs are wrong is told now, not to the first client
		try, err := h.newSession(false, nil)
		if err != nil {
			h.end()
			return nil, err
		}
		try.close()
	}
	h.server = mcp.NewServer(&mcp.Implementation{Name: "findspot", Title: "Findspot", Version: opt.Version}, &mcp.ServerOptions{
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" }, // it is of one user's documents
		Instructions: h.instructions(), Logger: opt.Logger, PageSize: pageSize, CompletionHandler: (&completer{ws, h.calls.ready}).complete,
		InitializedHandler:      func(ctx context.Context, r *mcp.InitializedRequest) { h.roots(ctx, r.Session) },
		RootsListChangedHandler: func(ctx context.Context, r *mcp.RootsListChangedRequest) { h.roots(ctx, r.Session) },
	})
	h.server.AddReceivingMiddleware(h.middleware)
	if err := h.addTools(); err != nil {
		h.end()
		return nil, err
	}
	h.resources.add()
	addPrompts(h.server, ws.Skills(), h.skill)
	h.serveHTTP()
	return h, nil
}

// pageSize is how many entries a list has at once.
const pageSize = 200

// Stdio returns the transport over standard input and output, or any pair of streams, which the session closes when it ends. What is no message gets the
// protocol's error and the session goes on; calls under way have 30 seconds once the input has ended.
func Stdio(in io.ReadCloser, out io.WriteCloser, log *slog.Logger) mcp.Transport {
	return mcpstdio.New(in, out, &mcpstdio.Options{Logger: log})
}

// Run serves one client over a transport, until it leaves or ctx ends, which ends its calls too.
func (h *Handler) Run(ctx context.Context, t mcp.Transport) error {
	ss, err := h.server.Connect(ctx, t, nil)
	if err != nil {
		return err
	}
	s, err := h.session(ctx, ss)
	if err != nil {
		return errors.Join(err, ss.Close())
	}
	defer context.AfterFunc(ctx, s.end)()
	defer context.AfterFunc(s.ctx, func() { _ = ss.Close() })() // Wait has its error
	err = ss.Wait()
	if ctx.Err() != nil || h.closed.Err() != nil || errors.Is(err, io.ErrClosedPipe) { // the host ends it, or the client is gone in the middle of a message
		return ctx.Err()
	}
	return err
}

// Close ends all sessions and the calls under way, and waits for them.
func (h *Handler) Close() error {
	h.end()
	var all sync.WaitGroup
	for ss := range h.server.Sessions() {
		all.Go(func() { _ = ss.Close() }) // what a broken connection says of its end helps nobody
	}
	all.Wait()
	h.work.Wait()
	h.mu.Lock()
	shared := h.shared
	h.mu.Unlock()
	if shared != nil {
		shared.close()
	}
	h.calls.ended()
	return nil
}

// middleware stands before every method: it makes an error of a panic, and does what the SDK leaves to its host.
func (h *Handler) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if err != nil {
				sent, _ := json.Marshal(req.GetParams()) // without them less is taken for the client's words
				err = h.tell(ctx, method, sent, err)
			}
		}()
		defer h.calls.recovered(method, func(e error) { res, err = nil, e })
		if k, _ := ctx.Value(kindKey{}).(kind); k == kindStateless { // its tools are those of all such clients: what one found is not another's last find
			ctx = skill.WithScope(ctx, &skill.Scope{})
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(h.lifeOf(req), cancel)()
		if r, ok := req.(*mcp.ListResourcesRequest); ok {
			return h.resources.list(ctx, r, next)
		}
		if res, err = next(ctx, method, req); err == nil && method == "logging/setLevel" {
			if ss, ok := req.GetSession().(*mcp.ServerSession); ok {
				s, err := h.session(ctx, ss)
				if err != nil {
					return nil, err
				}
				s.follow(ss, req.GetParams())
			}
		}
		return res, err
	}
}

// roots asks for the folders of a client that has such.
func (h *Handler) roots(ctx context.Context, ss *mcp.ServerSession) {
	if s, err := h.session(ctx, ss); err == nil { // without one the client is gone
		s.askRoots(ss)
	}
}

// lifeOf is the context that ends with the session of a request.
func (h *Handler) lifeOf(req mcp.Request) context.Context {
	if ss, ok := req.GetSession().(*mcp.ServerSession); ok {
		h.mu.Lock()
		defer h.mu.Unlock()
		if s := h.sessions[ss]; s != nil {
			return s.ctx
		}
	}
	return h.closed
}

func findSkill(ws *findspot.Workspace, name string) (*skill.Skill, error) {
	var names []string
	for _, s := range ws.Skills() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, errors.Join(fmt.Errorf("skill %q: %w; there are %s", name, fs.ErrNotExist, strings.Join(names, ", ")), errors.Join(ws.SkillErrors()...))
}

// instructions are what a client's model is told at the start.
func (h *Handler) instructions() string {
	var b strings.Builder
	b.WriteString(h.ws.Guide())
	if h.skill != nil {
		b.WriteString("\n## The skill " + h.skill.Name + " is active\n\nCall run_skill to run its steps. Tools that it denies before a gate are refused, with the way on.\n")
	}
	b.WriteString("\n## Folders of the client\n\nA folder that the client works in (a root) is indexed when its user agrees, who is asked through the client (elicitation). Where the client cannot ask, no root is " +
		"indexed: start the server with --repo FOLDER, or with --index-root FOLDER and call index.\n")
	return b.String()
}
