package api_test

import (
	"bytes"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/api"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/findspotv1/findspotv1connect"
	"github.com/findspot/findspot/examples/serve/proving"
	"github.com/findspot/findspot/internal/home"
	"github.com/findspot/findspot/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Main(func() int { return home.Run(m) })) }

var (
	receiver = filepath.Join("..", "..", "testdata", "receiver")
	papers   = filepath.Join("..", "..", "testdata", "papers")
)

// planFirst is a skill that asks a person.
var planFirst = fstest.MapFS{"plan-first/SKILL.md": {Data: []byte(`---
name: plan-first
description: Writes about a topic after an approved plan.
---

` + "```yaml workflow" + `
inputs:
  topic: {type: string, required: true, description: what to write about}
steps:
  - id: refs
    search: {in: docs, for: ["${inputs.topic}"], keep: 5}
  - id: enough
    require: len(refs) >= 1
  - id: ok
    approve: "Write about ${inputs.topic}?"
    choices: [approve, stop]
    unattended: stop
` + "```\n")}}

// A world is a service over a workspace of its own.
type world struct {
	t   testing.TB
	ws  *findspot.Workspace
	api *api.Service
	url string
	log *safeBuffer
	dir string // of the index
	end func() // ends it before the test does
}

// A safeBuffer is a log that tests read while it is written.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func newWorld(t testing.TB, o *api.Options) *world {
	t.Helper()
	return openWorld(t, t.TempDir(), o)
}

func openWorld(t testing.TB, dir string, o *api.Options) *world {
	t.Helper()
	return openWorldWith(t, dir, o, &findspot.Options{})
}

// openWorldWith opens a workspace with options of its own.
func openWorldWith(t testing.TB, dir string, o *api.Options, opt *findspot.Options) *world {
	t.Helper()
	if o == nil {
		o = &api.Options{}
	}
	w := &world{t: t, log: &safeBuffer{}, dir: dir}
	o.Proof = proving.New(nil)
	o.Logger, o.Feed = slog.New(slog.NewTextHandler(w.log, nil)), &api.Feed{}
	opt.NoServers, opt.TrustIndex, opt.Progress, opt.ShowSecrets, opt.Skills = true, true, o.Feed.Report, o.ShowSecrets, []fs.FS{planFirst}
	ws, err := findspot.Open(t.Context(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	w.ws, w.api = ws, api.New(ws, o)
	mux := http.NewServeMux()
	w.api.Register(mux)
	srv := httptest.NewUnstartedServer(mux)
	srv.Config.Protocols = &http.Protocols{}
	srv.Config.Protocols.SetHTTP1(true)
	srv.Config.Protocols.SetUnencryptedHTTP2(true)
	srv.Start()
	w.url = srv.URL
	w.end = sync.OnceFunc(func() {
		if err := w.api.Close(); err != nil {
			t.Error(err)
		}
		srv.Close()
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(w.end)
	return w
}

// withReceiver adds the example repository.
func (w *world) withReceiver() *world {
	w.t.Helper()
	if _, err := w.ws.AddRepo(w.t.Context(), receiver, nil); err != nil {
		w.t.Fatal(err)
	}
	return w
}

// withPapers adds the example documents.
func (w *world) withPapers() *world {
	w.t.Helper()
	for _, err := range w.ws.AddDocs(w.t.Context(), papers) {
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return w
}

// http1 and http2 are clients of one protocol each.
func http1() *http.Client { return &http.Client{Transport: &http.Transport{}} }

func http2() *http.Client {
	p := &http.Protocols{}
	p.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: &http.Transport{Protocols: p}}
}

// protocols are all ways to speak to the service.
var protocols = []struct {
	name string
	http func() *http.Client
	opts []connect.ClientOption
}{
	{"connect", http1, nil},
	{"connect JSON", http1, []connect.ClientOption{connect.WithProtoJSON()}},
	{"connect GET", http1, []connect.ClientOption{connect.WithHTTPGet()}},
	{"connect over HTTP/2", http2, nil},
	{"gRPC", http2, []connect.ClientOption{connect.WithGRPC()}},
	{"gRPC JSON", http2, []connect.ClientOption{connect.WithGRPC(), connect.WithProtoJSON()}},
	{"gRPC-Web", http1, []connect.ClientOption{connect.WithGRPCWeb()}},
	{"gRPC-Web JSON", http1, []connect.ClientOption{connect.WithGRPCWeb(), connect.WithProtoJSON()}},
}

func (w *world) client(opts ...connect.ClientOption) findspotv1connect.FindspotClient {
	return findspotv1connect.NewFindspotClient(http1(), w.url, opts...)
}

// send makes a plain request.
func (w *world) send(method, path, kind string, body io.Reader) (*http.Response, []byte) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res, data
}

// methods lists the service's methods.
func methods() []string {
	var out []string
	list := v1.File_findspot_v1_findspot_proto.Services().ByName("Findspot").Methods()
	for i := range list.Len() {
		out = append(out, string(list.Get(i).Name()))
	}
	return out
}

// serveOnce answers one request without a network.
func serveOnce(h http.Handler, path, kind string, body []byte) (int, []byte) {
	r := httptest.NewRequest("POST", path, bytes.NewReader(body))
	r.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.Bytes()
}
