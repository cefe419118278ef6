package mcphandler

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/internal/hosterr"
	"github.com/findspot/findspot/internal/visible"
)

// A Feed brings what a workspace says of its work to the clients: progress, and log messages. It is made before the workspace, which is opened with
// its two ends. It is safe for concurrent use, and nothing in it waits for a client.
type Feed struct {
	next slog.Handler

	mu      sync.Mutex // guards what follows
	pumps   map[*pump]bool
	reports map[*report]bool
}

// NewFeed returns a feed whose log goes to logger too; nil: to clients alone.
func NewFeed(logger *slog.Logger) *Feed {
	f := &Feed{next: slog.DiscardHandler, pumps: map[*pump]bool{}, reports: map[*report]bool{}}
	if logger != nil {
		f.next = logger.Handler()
	}
	return f
}

// Progress is for findspot.Options.Progress.
func (f *Feed) Progress(p findspot.Progress) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for r := range f.reports {
		r.see(p)
	}
}

// Logger is for findspot.Options.Logger, and for whatever else clients are to be told of.
func (f *Feed) Logger() *slog.Logger { return slog.New(&logHandler{feed: f, next: f.next}) }

// logHandler gives records to another handler, and to the clients that asked for them.
type logHandler struct {
	feed  *Feed
	next  slog.Handler
	attrs []slog.Attr // with their groups in their keys
	group string      // of the keys, with a point behind it
}

func (h *logHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return h.next.Enabled(ctx, l) || h.feed.wanted(l)
}

func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	h.feed.record(h, r)
	if !h.next.Enabled(ctx, r.Level) {
		return nil
	}
	return h.next.Handle(ctx, r)
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := *h
	out.next = h.next.WithAttrs(attrs)
	out.attrs = append([]slog.Attr(nil), h.attrs...)
	for _, a := range attrs {
		out.attrs = append(out.attrs, slog.Attr{Key: h.group + a.Key, Value: a.Value})
	}
	return &out
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	out := *h
	out.next, out.group = h.next.WithGroup(name), h.group+name+"."
	return &out
}

// wanted reports whether a client wants records of a level.
func (f *Feed) wanted(l slog.Level) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for p := range f.pumps {
		if l >= p.level {
			return true
		}
	}
	return false
}

// maxLogValue bounds what a client is told of one attribute, in bytes.
const maxLogValue = 1000

// A logged record waits for a client.
type logged struct {
	level   slog.Level
	message string
	attrs   []loggedAttr
}

type loggedAttr struct {
	key, text string
	err       error // nil where the value is none
}

// record gives a record to the clients that want it.
func (f *Feed) record(h *logHandler, r slog.Record) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var m *logged
	for p := range f.pumps {
		if r.Level < p.level {
			continue
		}
		if m == nil {
			m = &logged{level: r.Level, message: r.Message}
			add := func(key string, v slog.Value) {
				v = v.Resolve()
				a := loggedAttr{key: key, text: v.String()}
				if len(a.text) > 8*maxLogValue { // a path that is cut here is beyond what is told
					a.text = a.text[:8*maxLogValue]
				}
				if v.Kind() == slog.KindAny {
					a.err, _ = v.Any().(error)
				}
				m.attrs = append(m.attrs, a)
			}
			for _, a := range h.attrs {
				add(a.Key, a.Value)
			}
			r.Attrs(func(a slog.Attr) bool { add(h.group+a.Key, a.Value); return true })
		}
		p.put(m)
	}
}

// ofHost stands in the place of what only the server's own log tells.
const ofHost = "(in the server's log)"

// params is a record as a client of the session is told it: one over HTTP is told nothing of the host, as of errors. It is for records from the queue, not for
// one that is being logged: the workspace, which is asked here, may hold a lock while it logs.
func (s *session) params(m *logged) *mcp.LoggingMessageParams {
	data := map[string]string{"message": m.message}
	for _, a := range m.attrs {
		text := a.text
		switch {
		case s.http && (filepath.IsAbs(text) || hosterr.Names(s.h.ws, text, "") || a.err != nil && hosterr.Is(s.h.ws, a.err, "")):
			text = ofHost
		case len(text) > maxLogValue:
			text = text[:maxLogValue] + "..."
		}
		data[a.key] = visible.Text(text)
	}
	return &mcp.LoggingMessageParams{Logger: "findspot", Level: levelName(m.level), Data: data}
}

// levels are those of the protocol, as slog has them.
var levels = []struct {
	name mcp.LoggingLevel
	at   slog.Level
}{
	{"debug", mcp.LevelDebug}, {"info", mcp.LevelInfo}, {"notice", mcp.LevelNotice}, {"warning", mcp.LevelWarning},
	{"error", mcp.LevelError}, {"critical", mcp.LevelCritical}, {"alert", mcp.LevelAlert}, {"emergency", mcp.LevelEmergency},
}

func levelName(l slog.Level) mcp.LoggingLevel {
	name := levels[0].name
	for _, x := range levels {
		if l >= x.at {
			name = x.name
		}
	}
	return name
}

// maxLogWaits is how many messages wait for a client that does not read; more are dropped.
const maxLogWaits = 256

// pump sends log messages to one client.
type pump struct {
	level slog.Level // guarded by Feed.mu
	queue chan *logged
}

func (p *pump) put(m *logged) {
	select {
	case p.queue <- m:
	default: // the client reads nothing: what is newest is of no more use to it
	}
}

// follow sends the client log messages from the level on that it just set.
func (s *session) follow(ss *mcp.ServerSession, params mcp.Params) {
	set, ok := params.(*mcp.SetLoggingLevelParams)
	if !ok {
		return
	}
	level := slog.LevelDebug
	for _, x := range levels {
		if x.name == set.Level {
			level = x.at
		}
	}
	f := s.h.opt.Feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if s.log != nil {
		s.log.level = level
		return
	}
	p := &pump{level: level, queue: make(chan *logged, maxLogWaits)}
	s.log, f.pumps[p] = p, true
	s.h.work.Go(func() {
		for {
			select {
			case m := <-p.queue:
				_ = ss.Log(s.ctx, s.params(m)) // a session that ends is the end of this too
			case <-s.ctx.Done():
				f.mu.Lock()
				delete(f.pumps, p)
				f.mu.Unlock()
				return
			}
		}
	})
}
