package api

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/serve/api/findspotv1/findspotv1connect"
	"github.com/findspot/findspot/skill"
)

// Options of [New]. The zero value of each field is its default.
type Options struct {
	// Uploads is a folder where the files of added documents are kept, so that they can be shown as they are; it is made when it is needed, and is to be
	// nobody else's. "": documents are added from memory, and no file is kept.
	Uploads string
	// Roots are the folders below which AddFolder and AddRepository may add. None: nothing is added from the server's disk.
	Roots []string
	// Followed are folders and files whose documents the host adds again whenever they are missing: DeleteDocument refuses to delete them.
	Followed []string
	// Tools is what CallTool calls and what skills run with; nil: those of the workspace.
	Tools []skill.Tool
	// ShowSecrets gives out keys and tokens in texts, which are masked otherwise.
	ShowSecrets bool
	// Proof marks PDFs and writes bundles; nil: MarkDocument and WriteBundle say that this server does not.
	Proof *Proof
	// Status tells what the process knows of itself; nil: nothing.
	Status func(context.Context) (*Status, error)
	// Feed brings the progress of adding, when the workspace was opened with its Report as Options.Progress; nil: only whole documents are told of.
	Feed *Feed
	// Logger gets what was decided, and the errors that clients are not told; nil discards.
	Logger *slog.Logger
}

// Status is what a process knows of itself.
type Status struct {
	Version  string
	Address  string
	Started  time.Time
	Idle     time.Duration // since the last request
	Sessions int           // of MCP clients
	PID      int
}

// A Service serves a workspace. It is safe for concurrent use.
type Service struct {
	ws     *findspot.Workspace
	opt    Options
	log    *slog.Logger
	tools  []skill.Tool
	docs   *shelf
	errors *teller
	runs   *runs
	masks  *masking
	places chan struct{} // of PDFs and bundles that are made
	began  time.Time

	life context.Context // of runs; ended by Close
	end  context.CancelFunc
	work sync.WaitGroup // what mends the folder of uploads
}

// New makes a service of a workspace, which stays the caller's and must be closed after the service.
func New(ws *findspot.Workspace, o *Options) *Service {
	s := &Service{ws: ws, runs: &runs{byID: map[string]*run{}}, masks: newMasking(), places: make(chan struct{}, maxProving), began: time.Now()}
	if o != nil {
		s.opt = *o
	}
	if s.log = s.opt.Logger; s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.tools = s.opt.Tools; s.tools == nil {
		s.tools = ws.Tools(nil)
	}
	s.life, s.end = context.WithCancel(context.Background())
	s.docs = &shelf{ws: ws, followed: s.opt.Followed, mask: s.mask(), log: s.log}
	s.errors = &teller{ws: ws, mask: s.mask(), log: s.log}
	if s.opt.Uploads != "" {
		u := newUploads(s.opt.Uploads, s.log)
		s.docs.uploads, s.errors.uploads = u, u.dir
		s.work.Go(func() { u.mend(s.life, ws) })
	}
	return s
}

// Close ends the runs of skills. Requests under way go on.
func (s *Service) Close() error {
	s.end()
	s.work.Wait()
	return nil
}

// maxRequest bounds a message that is read, but for those that hold a document or an answer; maxAnswer one that is sent. In bytes.
const (
	maxRequest = 1 << 20
	maxAnswer  = 64 << 20
)

// Register mounts the service's routes.
func (s *Service) Register(mux *http.ServeMux) {
	path, h := findspotv1connect.NewFindspotHandler(&handler{documents{s}, adding{s}, questions{s}, proofs{s}, code{s}, servers{s}, agents{s}, skills{s}, status{s}},
		connect.WithInterceptors(s.errors),
		connect.WithRecover(func(_ context.Context, spec connect.Spec, _ http.Header, p any) error {
			return s.errors.panicked(spec.Procedure, p)
		}),
		connect.WithConditionalHandlerOptions(func(spec connect.Spec) []connect.HandlerOption {
			most := maxRequest
			switch spec.Procedure {
			case findspotv1connect.FindspotAddDocumentProcedure:
				most += docsearch.MaxFile/3*4 + 4 // JSON has it in base64
			case findspotv1connect.FindspotVerifyAnswerProcedure, findspotv1connect.FindspotRecheckProcedure, findspotv1connect.FindspotMarkDocumentProcedure, findspotv1connect.FindspotWriteBundleProcedure:
				most += maxSealed
			}
			return []connect.HandlerOption{connect.WithReadMaxBytes(most), connect.WithSendMaxBytes(maxAnswer)}
		}),
		connect.WithCompressMinBytes(4<<10),
		connect.WithCodec(jsonCodec{"json"}), connect.WithCodec(jsonCodec{"json; charset=utf-8"}))
	mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		m := service.Methods().ByName(protoreflect.Name(r.URL.Path[len(path):]))
		switch {
		case m == nil:
			s.noRoute(w, r)
		case !misasked(w, r, m):
			h.ServeHTTP(w, r)
		}
	})
	s.registerREST(mux)
}

// handler has the methods of the service.
type handler struct {
	documents
	adding
	questions
	proofs
	code
	servers
	agents
	skills
	status
}

var _ findspotv1connect.FindspotHandler = (*handler)(nil)

// mask says whether texts are masked.
func (s *Service) mask() bool { return !s.opt.ShowSecrets }
