package serve

import (
	"crypto/tls"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/serve/api"
	"github.com/findspot/findspot/internal/httpguard"
)

// Sources are what a server reads when it starts, and watches.
type Sources struct {
	Docs  []string // folders and files of documents
	Repos []string // roots of repositories
	// IndexRoots are the folders below which clients may add more.
	IndexRoots []string
	NoWatch    bool // read once, and do not watch
}

// Scope limits a workspace that is to be opened to the sources and to what clients may add, so that it answers as though its folder held no others. A kind of which
// none is given is answered of what of it lies in the others. Without sources there is no limit.
func (s Sources) Scope(o *findspot.Options) {
	if len(s.Repos)+len(s.Docs) == 0 {
		return
	}
	repos, docs := s.Repos, s.Docs
	if len(repos) == 0 {
		repos = s.Docs
	}
	if len(docs) == 0 {
		docs = s.Repos
	}
	o.OnlyRepos, o.OnlyDocs = slices.Concat(repos, s.IndexRoots), slices.Concat(docs, s.IndexRoots)
}

// uploads is the folder, in the workspace's, of files that were uploaded.
const uploads = "uploads"

// Scope is [Sources.Scope], with what clients uploaded to this server, also before it was started anew.
func (o *Options) Scope(wo *findspot.Options) {
	if o.Sources.Scope(wo); len(wo.OnlyDocs) > 0 && o.Dir != "" {
		wo.OnlyDocs = append(wo.OnlyDocs, filepath.Join(o.Dir, uploads))
	}
}

// Options of a [Server]. The zero value of each field is its default.
type Options struct {
	Dir     string  // the workspace's folder: uploads are kept in it; empty: they are kept in the index alone, and their originals cannot be shown
	Sources Sources // are read and watched

	Token   string      // what every request must bring as a bearer token, of 16 characters or more; an address that other machines reach needs one. Empty: none
	TLS     *tls.Config // with a certificate, see [SelfSigned] and [Certificate]; nil: HTTP without TLS
	Hosts   []string    // names that requests may be for, beside localhost and the address, without a port
	Origins []string    // origins of web pages that may ask, such as "https://example.org", beside the server's own

	MaxUpload int64 // bytes of a document that is uploaded; 0 means [docsearch.MaxFile]
	Streams   int   // answers that pass as they are written (events, progress, files), at once; 0 means 128

	// Proof marks PDFs and writes bundles, over every door: that of package examples/serve/proving. Nil: clients are told that this server does not.
	Proof *api.Proof

	Profile     string         // of the tools over MCP: see [findspot.Profiles]; empty means the compact one
	Skill       string         // to activate over MCP; empty: none
	Inputs      map[string]any // of the skill
	Timeout     time.Duration  // of a call; 0 means 5 minutes
	ShowSecrets bool           // what the workspace was opened with
	NoPage      bool           // leave the page out

	Address string       // that is told in the status; empty: the one of [Server.Serve]
	Version string       // that is told to clients; empty means [findspot.Version]
	Feed    *Feed        // what the workspace was opened with; nil: clients see less of progress
	Logger  *slog.Logger // nil discards
	Access  *slog.Logger // gets a line for each request: method, route, status, bytes, time, client, trace. Nil: there is none
	// Environ is where the variables of OpenTelemetry are looked up; nil means the process's environment.
	Environ func(string) string
	Grace   time.Duration // that requests have when the server ends; 0 means 10 seconds
}

func (o *Options) withDefaults() Options {
	v := Options{}
	if o != nil {
		v = *o
	}
	if v.MaxUpload <= 0 {
		v.MaxUpload = docsearch.MaxFile
	}
	if v.Profile == "" {
		v.Profile = findspot.ProfileCompact
	}
	if v.Version == "" {
		v.Version = findspot.Version
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	return v
}

// guard is what the options mean for the guard of all routes.
func (o *Options) guard() *httpguard.Options {
	return &httpguard.Options{Hosts: o.Hosts, Origins: o.Origins, Token: o.Token, TLS: o.TLS, Streams: o.Streams, Timeout: o.Timeout, Grace: o.Grace, Logger: o.Logger, Access: o.Access}
}

// Listen listens on an address, which needs a token when other machines reach it.
func Listen(addr string, o *Options) (net.Listener, error) {
	v := o.withDefaults()
	return httpguard.Listen(addr, v.guard())
}

// ReadToken reads a token from a file that nobody else may read, or else from the variable FINDSPOT_TOKEN; none is "".
func ReadToken(file string) (string, error) { return httpguard.ReadToken(file) }
