package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
)

func serve(t *testing.T) string {
	t.Helper()
	ws, err := findspot.Open(t.Context(), t.TempDir(), &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(handler(ws, slog.New(slog.DiscardHandler), false))
	t.Cleanup(func() {
		srv.Close()
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	return srv.URL
}

func post(t *testing.T, url string, body io.Reader) (int, []byte) {
	t.Helper()
	kind := "application/json"
	if strings.Contains(url, "/documents") {
		kind = "application/octet-stream"
	}
	res, err := http.Post(url, kind, body)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, data
}

func TestUploadAndSearch(t *testing.T) {
	url := serve(t)
	files, err := filepath.Glob(filepath.Join("..", "testdata", "papers", "*.pdf"))
	if err != nil || len(files) < 2 {
		t.Fatalf("papers: %v, %v", files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		code, body := post(t, url+"/documents?filename="+filepath.Base(f), bytes.NewReader(data))
		var doc docsearch.Document
		if err := json.Unmarshal(body, &doc); err != nil || code != http.StatusCreated || doc.Pages < 2 || doc.Name != filepath.Base(f) {
			t.Fatalf("POST /documents %s: %d %s", f, code, body)
		}
		if code, body := post(t, url+"/documents?filename="+filepath.Base(f), bytes.NewReader(data)); code != http.StatusOK || !strings.Contains(string(body), `"unchanged"`) {
			t.Errorf("the same again: %d %s, want 200 unchanged", code, body)
		}
	}
	// A document number in the query puts the document of that number first.
	code, body := post(t, url+"/search", strings.NewReader(`{"query": "Find synchronization signals in 12.401"}`))
	var res docsearch.Results
	if err := json.Unmarshal(body, &res); err != nil || code != http.StatusOK {
		t.Fatalf("POST /search: %d %s", code, body)
	}
	if len(res.Hits) < 2 || !strings.Contains(res.Hits[0].Name, "12.401") || len(res.Hits[0].Passages) == 0 {
		t.Errorf("first hit = %+v, want the document 12.401", res.Hits)
	}
	for _, key := range []string{`"query"`, `"total"`, `"truncated"`, `"doc"`, `"title"`, `"tier"`, `"score"`, `"page"`, `"line_start"`, `"line_end"`, `"snippet"`, `"figures":[`, `"tables":[`} {
		if !bytes.Contains(body, []byte(key)) {
			t.Errorf("the answer has no %s", key)
		}
	}
}

// TestSecrets: what a document says is masked in every answer, its title too.
func TestSecrets(t *testing.T) {
	url := serve(t)
	token := "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"
	code, uploaded := post(t, url+"/documents?filename=a.md", strings.NewReader("# Antenna "+token+"\n\nThe calibration token is "+token+".\n"))
	if code != http.StatusCreated {
		t.Fatalf("POST /documents: %d %s", code, uploaded)
	}
	code, found := post(t, url+"/search", strings.NewReader(`{"query": "calibration token"}`))
	if code != http.StatusOK || !bytes.Contains(found, []byte("calibration")) {
		t.Fatalf("POST /search: %d %s", code, found)
	}
	for _, body := range [][]byte{uploaded, found} {
		if bytes.Contains(body, []byte(token)) || !bytes.Contains(body, []byte("[masked: ")) {
			t.Errorf("the token is not masked: %s", body)
		}
	}
}

func TestTools(t *testing.T) {
	ws, err := findspot.Open(t.Context(), t.TempDir(), &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ws.AddRepo(t.Context(), filepath.Join("..", "testdata", "receiver"), nil); err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(handler(ws, slog.New(slog.DiscardHandler), false))
	defer func() {
		srv.Close()
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	}()
	res, err := http.Get(srv.URL + "/tools")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if data, err := io.ReadAll(res.Body); err != nil || !bytes.Contains(data, []byte(`"name":"traverse_graph"`)) || !bytes.Contains(data, []byte(`"tokens"`)) {
		t.Errorf("GET /tools: %s, %v", data, err)
	}
	for _, tt := range []struct {
		tool, in string
		code     int
		want     string
	}{
		{"search_entity", `{"query": "pss.detect_pss"}`, 200, `"id":"receiver/pss.py:detect_pss"`},
		{"traverse_graph", `{"id": "detect_pss", "direction": "users"}`, 200, `← invokes function receiver/cell_search.py:CellSearcher.search  33, import`},
		{"traverse_graph", `{"id": "/", "hops": -1, "max_tokens": 100}`, 200, `left out by the budget`},
		{"retrieve_entity", `{"ids": ["receiver/pss.py:70", "CellSearcher"]}`, 200, `def search(self`},
		{"traverse_graph", `{"id": "detect_ps"}`, 400, `near: receiver/pss.py:detect_pss`},
		{"traverse_graph", `detect_pss`, 400, `must be the JSON`},
		{"no_tool", `{}`, 404, ``},
	} {
		code, body := post(t, srv.URL+"/tools/"+tt.tool, strings.NewReader(tt.in))
		if code != tt.code || !strings.Contains(string(body), tt.want) {
			t.Errorf("%s %s: %d %s, want %d and %s", tt.tool, tt.in, code, body, tt.code, tt.want)
		}
	}
}

// endless is a body of more bytes than are allowed.
type endless struct{ n int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	e.n -= int64(len(p))
	return len(p), nil
}

func TestFaults(t *testing.T) {
	url := serve(t)
	for _, tt := range []struct {
		name, path string
		body       io.Reader
		want       int
	}{
		{"no JSON", "/search", strings.NewReader("PSS"), http.StatusBadRequest},
		{"two values", "/search", strings.NewReader(`{"query": "x"} {"query": "y"}`), http.StatusBadRequest},
		{"a wrong type", "/search", strings.NewReader(`{"query": 1}`), http.StatusBadRequest},
		{"a list", "/search", strings.NewReader(`[]`), http.StatusBadRequest},
		{"a negative limit", "/search", strings.NewReader(`{"query": "x", "limit": -1}`), http.StatusBadRequest},
		{"a long query", "/search", strings.NewReader(`{"query": "` + strings.Repeat("word ", 100000) + `"}`), http.StatusRequestEntityTooLarge},
		{"a long body", "/search", strings.NewReader(`{"query": "` + strings.Repeat("word ", 300000) + `"}`), http.StatusRequestEntityTooLarge},
		{"empty query", "/search", strings.NewReader(`{"query": " "}`), http.StatusBadRequest},
		{"unknown document", "/search", strings.NewReader(`{"query": "x", "doc": "nothing"}`), http.StatusNotFound},
		{"no name", "/documents", strings.NewReader("x"), http.StatusBadRequest},
		{"a path", "/documents?filename=../x.pdf", strings.NewReader("x"), http.StatusBadRequest},
		{"broken", "/documents?filename=x.pdf", strings.NewReader("%PDF-1.4 and no more"), http.StatusUnprocessableEntity},
		{"other kind", "/documents?filename=x.exe", strings.NewReader("MZ"), http.StatusUnsupportedMediaType},
		{"too large", "/documents?filename=x.pdf", &endless{docsearch.MaxFile + 1}, http.StatusRequestEntityTooLarge},
	} {
		code, body := post(t, url+tt.path, tt.body)
		if code != tt.want || !bytes.Contains(body, []byte(`"error"`)) {
			t.Errorf("%s: %d %s, want %d and an error", tt.name, code, body, tt.want)
		}
	}
}

// A reference that fits several documents is the client's to mend.
func TestAmbiguousDocument(t *testing.T) {
	url := serve(t)
	for _, name := range []string{"plan-a.txt", "plan-b.txt"} {
		if code, body := post(t, url+"/documents?filename="+name, strings.NewReader("timing recovery")); code != http.StatusCreated {
			t.Fatalf("POST /documents %s: %d %s", name, code, body)
		}
	}
	code, body := post(t, url+"/search", strings.NewReader(`{"query": "timing", "doc": "plan"}`))
	if code != http.StatusBadRequest || !bytes.Contains(body, []byte("plan-a.txt")) {
		t.Errorf("doc plan: %d %s, want 400 and the candidates", code, body)
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- run(ctx, []string{"-addr", "127.0.0.1:0", "-dir", t.TempDir()}, io.Discard)
	}()
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := <-done; err != nil {
		t.Errorf("run = %v", err)
	}
}

// FuzzBodies: whatever a body holds, the answer is JSON and no error of the server's, and the next request is answered.
func FuzzBodies(f *testing.F) {
	ws, err := findspot.Open(f.Context(), f.TempDir(), &findspot.Options{NoServers: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { ws.Close() })
	h := handler(ws, slog.New(slog.DiscardHandler), false)
	paths := []string{"/search", "/tools/read", "/tools/search_internal", "/tools/ask", "/tools/index", "/documents?filename=a.md", "/documents?filename=a.html"}
	for i := range paths {
		f.Add(uint8(i), "application/json", []byte(`{"query":"x"}`))
		f.Add(uint8(i), "application/octet-stream", []byte("# A\n\ntext"))
		f.Add(uint8(i), "text/plain", []byte(strings.Repeat("[", 300)))
	}
	f.Fuzz(func(t *testing.T, path uint8, kind string, body []byte) {
		send := func(path, kind string, body []byte) *httptest.ResponseRecorder {
			r := httptest.NewRequest("POST", path, bytes.NewReader(body))
			r.Header.Set("Content-Type", kind)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w
		}
		if w := send(paths[int(path)%len(paths)], kind, body); w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if w := send("/search", "application/json", []byte(`{"query":"x"}`)); w.Code != http.StatusOK {
			t.Errorf("a good request: %d %s", w.Code, w.Body)
		}
	})
}

// TestHostStays: what fails on the host is logged, and the client learns no path of it, whatever tool it asks.
func TestHostStays(t *testing.T) {
	base := t.TempDir()
	repo := filepath.Join(base, "repo")
	if err := os.CopyFS(repo, os.DirFS(filepath.Join("..", "testdata", "receiver"))); err != nil {
		t.Fatal(err)
	}
	ws, err := findspot.Open(t.Context(), filepath.Join(base, "index"), &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ws.AddRepo(t.Context(), repo, nil); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	srv := httptest.NewServer(handler(ws, slog.New(slog.NewTextHandler(&log, nil)), false))
	defer srv.Close()
	ask := func(when string) {
		for _, tool := range ws.Tools(nil) {
			for _, in := range []string{`{}`, `{"query":"pss"}`, `{"path":"pss.py"}`, `{"id":"detect_pss"}`, `{"ids":["detect_pss"]}`, `{"question":"who calls detect_pss"}`, `{"pattern":"pss"}`} {
				code, body := post(t, srv.URL+"/tools/"+tool.Name, strings.NewReader(in))
				if code >= 400 && bytes.Contains(body, []byte(base)) {
					t.Errorf("%s: %s %s: %d %s", when, tool.Name, in, code, body)
				}
			}
		}
	}
	if err := os.Rename(repo, repo+"2"); err != nil {
		t.Fatal(err)
	}
	ask("the repository is gone")
	if !strings.Contains(log.String(), base) {
		t.Errorf("the log does not say what failed: %s", log.String())
	}
	if err := ws.Close(); err != nil {
		t.Fatal(err)
	}
	ask("the workspace is closed")
	if code, body := post(t, srv.URL+"/search", strings.NewReader(`{"query":"x"}`)); code != http.StatusInternalServerError || bytes.Contains(body, []byte(base)) {
		t.Errorf("a search: %d %s", code, body)
	}
}
