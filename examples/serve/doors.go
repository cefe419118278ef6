package serve

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/api"
	"github.com/findspot/findspot/examples/serve/mcphandler"
	"github.com/findspot/findspot/examples/serve/page"
)

// doors are the handlers that the server joins.
type doors struct {
	api *api.Service
	mcp *mcphandler.Handler
}

// open makes them.
func (s *Server) open() (err error) {
	copies := newShelf(shelfSize)
	tools := findspot.ToolsOptions{IndexRoots: s.opt.Sources.IndexRoots, MarkPDF: copies.options(s.opt.Proof)}
	ao := &api.Options{
		Roots: slices.Concat(s.opt.Sources.IndexRoots, s.opt.Sources.Docs, s.opt.Sources.Repos), Tools: s.telemetry.Tools(s.ws.Tools(&tools)), ShowSecrets: s.opt.ShowSecrets, Proof: s.opt.Proof, Logger: s.opt.Logger,
		Status: func(context.Context) (*api.Status, error) {
			st := s.Status()
			return &api.Status{Version: st.Version, Address: st.Address, Started: st.Started, Idle: st.Idle, Sessions: st.Sessions, PID: os.Getpid()}, nil
		},
	}
	if !s.opt.Sources.NoWatch {
		ao.Followed = s.opt.Sources.Docs
	}
	if s.opt.Dir != "" {
		ao.Uploads = filepath.Join(s.opt.Dir, uploads)
	}
	if s.opt.Feed != nil {
		ao.Feed = &s.opt.Feed.api
	}
	s.doors.api = api.New(s.ws, ao)
	s.doors.api.Register(s.mux)
	tools.Profile = s.opt.Profile
	o := &mcphandler.Options{
		Tools: tools,
		Skill: s.opt.Skill, Inputs: s.opt.Inputs, Timeout: s.opt.Timeout, Ready: s.sources.ready,
		Origins: slices.Clone(s.opt.Origins), Version: s.opt.Version, Logger: s.opt.Logger,
	}
	if s.opt.Feed != nil {
		o.Feed = s.opt.Feed.mcp
	}
	if s.telemetry != nil {
		o.Observe = s.telemetry.Tool
	}
	if s.doors.mcp, err = mcphandler.New(s.ws, o); err != nil {
		return errors.Join(err, s.doors.api.Close())
	}
	s.mux.Handle("/mcp", s.doors.mcp)
	s.mux.Handle("GET /marked/{id}", copies)
	if !s.opt.NoPage {
		h := page.Handler()
		for _, p := range pagePatterns {
			s.mux.Handle(p, h)
		}
	}
	return nil
}

// sessions counts those over MCP.
func (d *doors) sessions() int { return d.mcp.Sessions() }

// close ends what they have under way.
func (d *doors) close() error { return errors.Join(d.api.Close(), d.mcp.Close()) }

// A Feed brings what a workspace says of its work to the clients: progress, and log messages. It is made before the workspace, which is opened with its two ends.
// It is safe for concurrent use, and nothing in it waits for a client.
type Feed struct {
	api api.Feed
	mcp *mcphandler.Feed
}

// NewFeed returns a feed whose log goes to logger too; nil: to clients alone.
func NewFeed(logger *slog.Logger) *Feed { return &Feed{mcp: mcphandler.NewFeed(logger)} }

// Progress is for [findspot.Options].Progress.
func (f *Feed) Progress(p findspot.Progress) {
	f.api.Report(p)
	f.mcp.Progress(p)
}

// Logger is for [findspot.Options].Logger.
func (f *Feed) Logger() *slog.Logger { return f.mcp.Logger() }
