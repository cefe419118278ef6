package elasticstore_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/elasticstore"
	"github.com/findspot/findspot/internal/errs"
)

// A fake answers as much like a server as opening and changing a library needs: it knows mappings and documents by id, and
// finds nothing.
type fake struct {
	about string

	mu       sync.Mutex // guards what follows
	mappings map[string]json.RawMessage
	docs     map[string]json.RawMessage
	seq      int
	bulks    [][]byte
	// trouble is asked first; it answers and returns true, or returns false.
	trouble func(w http.ResponseWriter, r *http.Request, body []byte) bool
}

const (
	openSearch = `{"version": {"distribution": "opensearch", "number": "2.19.3"}, "tagline": "The OpenSearch Project: https://opensearch.org/"}`
	elastic9   = `{"version": {"build_flavor": "default", "number": "9.1.0"}, "tagline": "You Know, for Search"}`
)

func newFake(t testing.TB) (*fake, *httptest.Server) {
	f := &fake{about: openSearch, mappings: map[string]json.RawMessage{}, docs: map[string]json.RawMessage{}}
	srv := httptest.NewServer(f)
	t.Cleanup(srv.Close)
	return f, srv
}

// set installs trouble.
func (f *fake) set(trouble func(w http.ResponseWriter, r *http.Request, body []byte) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.trouble = trouble
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		in = z
	}
	body, err := io.ReadAll(in)
	if err != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if f.trouble != nil && f.trouble(w, r, body) {
		return
	}
	say := func(code int, v any) {
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(v)
	}
	type m = map[string]any
	path := r.URL.Path
	switch {
	case path == "/":
		_, _ = io.WriteString(w, f.about)
	case strings.HasSuffix(path, "/_mapping"):
		name := strings.Split(path, "/")[1]
		if f.mappings[name] == nil {
			say(404, m{"error": m{"type": "index_not_found_exception", "reason": "no such index"}})
			return
		}
		say(200, m{name + "-v1": m{"mappings": f.mappings[name]}})
	case strings.HasPrefix(path, "/_index_template/"):
		say(200, m{"acknowledged": true})
	case r.Method == http.MethodPut && strings.Count(path, "/") == 1:
		var made struct {
			Mappings json.RawMessage
			Aliases  map[string]any
		}
		if err := json.Unmarshal(body, &made); err != nil {
			say(400, m{"error": m{"reason": err.Error()}})
			return
		}
		for alias := range made.Aliases {
			f.mappings[alias] = made.Mappings
		}
		say(200, m{"acknowledged": true})
	case strings.Contains(path, "/_doc/"):
		old := f.docs[path]
		if r.Method == http.MethodGet {
			if old == nil {
				say(404, m{"found": false})
				return
			}
			say(200, m{"found": true, "_seq_no": f.seq, "_primary_term": 1, "_source": old})
			return
		}
		if want := r.URL.Query().Get("if_seq_no"); old != nil && want != fmt.Sprint(f.seq) {
			say(409, m{"error": m{"type": "version_conflict_engine_exception", "reason": "conflict"}})
			return
		}
		f.seq++
		f.docs[path] = body
		say(200, m{"result": "updated"})
	case path == "/_bulk":
		f.bulks = append(f.bulks, body)
		items := []any{}
		for line := range bytes.Lines(body) {
			if bytes.HasPrefix(line, []byte(`{"index"`)) {
				items = append(items, m{"index": m{"status": 201}})
			}
		}
		say(200, m{"items": items})
	case strings.HasSuffix(path, "/_refresh"):
		say(200, m{"_shards": m{"failed": 0}})
	case strings.HasSuffix(path, "/_count"):
		say(200, m{"count": 0})
	case strings.HasSuffix(path, "/_search"):
		say(200, m{"_shards": m{"failed": 0}, "hits": m{"total": m{"value": 0}, "hits": []any{}}})
	default:
		say(400, m{"error": m{"reason": "the fake knows no " + path}})
	}
}

func fail(w http.ResponseWriter, code int, reason string) bool {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"type": "some_exception", "reason": reason}, "status": code})
	return true
}

func openFake(t testing.TB, srv *httptest.Server, o *elasticstore.Options) driver.Store {
	s := open(t, []string{srv.URL}, o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, errs.Closed) {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

func aDocument(id string, n int) *driver.Document {
	d := &driver.Document{ID: id, Data: []byte("data")}
	for i := range n {
		d.Records = append(d.Records, driver.Record{Kind: driver.KindChunk, N: i, Text: fmt.Sprintf("passage %d of the signals", i)})
	}
	return d
}

func TestProducts(t *testing.T) {
	for _, tt := range []struct {
		about string
		ok    bool
	}{
		{openSearch, true},
		{elastic9, true},
		{strings.Replace(elastic9, "9.1.0", "8.0.0", 1), true},
		{strings.Replace(elastic9, "9.1.0", "7.17.0", 1), false},
		{strings.Replace(openSearch, "opensearch", "fork", 1), false},
		{`{"version": {"number": "x"}}`, false},
		{`{"couchdb": "Welcome"}`, false},
	} {
		f, srv := newFake(t)
		f.about = tt.about
		s, err := elasticstore.New(t.Context(), []string{srv.URL}, nil)
		if tt.ok && err != nil || !tt.ok && !errors.Is(err, errs.Unsupported) {
			t.Errorf("a server that says %s: %v, want success: %v", tt.about, err, tt.ok)
		}
		if err == nil {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestForeignIndices(t *testing.T) {
	for _, tt := range []struct{ name, mapping, want string }{
		{"foreign", `{"properties": {"a": {"type": "text"}}}`, "not an index of findspot"},
		{"other kind", `{"_meta": {"findspot": {"version": 1, "kind": "document_tables"}}}`, "not an index of findspot"},
		{"newer", `{"_meta": {"findspot": {"version": 99, "kind": "documents"}}}`, "version 99, this program knows 1"},
		{"never", `{"_meta": {"findspot": {"version": 0, "kind": "documents"}}}`, "which there never was"},
		{"damaged", `{"_meta": {"findspot": {"version": 1, "kind": "documents"}}, "properties": {"words": {}}}`, "lacks batch"},
	} {
		f, srv := newFake(t)
		f.mappings["documents"] = json.RawMessage(tt.mapping)
		_, err := elasticstore.New(t.Context(), []string{srv.URL}, nil)
		if !errors.Is(err, errs.Format) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want Format and %q", tt.name, err, tt.want)
		}
	}
	_, srv := newFake(t)
	if _, err := elasticstore.New(t.Context(), []string{srv.URL}, &elasticstore.Options{ReadOnly: true}); !errors.Is(err, errs.NotFound) {
		t.Errorf("a library that is not there, read-only: %v, want NotFound", err)
	}
}

func TestLostStateIsNoNewLibrary(t *testing.T) {
	f, srv := newFake(t)
	f.set(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if strings.HasSuffix(r.URL.Path, "/_count") {
			fmt.Fprint(w, `{"count": 7}`)
			return true
		}
		return false
	})
	if _, err := elasticstore.New(t.Context(), []string{srv.URL}, nil); !errors.Is(err, errs.Format) || !strings.Contains(err.Error(), "state of the library is lost") {
		t.Errorf("records without a state: %v, want Format", err)
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	junk := filepath.Join(dir, "junk.pem")
	if err := os.WriteFile(junk, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		urls []string
		o    elasticstore.Options
		want string
	}{
		{"no address", nil, elasticstore.Options{}, "no node address"},
		{"no URL", []string{"localhost:9200"}, elasticstore.Options{}, "address 1"},
		{"file", []string{"http://a", "file:///etc/passwd"}, elasticstore.Options{}, "address 2"},
		{"capitals", []string{"http://a"}, elasticstore.Options{Prefix: "Papers"}, "prefix"},
		{"pattern", []string{"http://a"}, elasticstore.Options{Prefix: "a*"}, "prefix"},
		{"path", []string{"http://a"}, elasticstore.Options{Prefix: "../"}, "prefix"},
		{"long", []string{"http://a"}, elasticstore.Options{Prefix: strings.Repeat("a", 101)}, "prefix"},
		{"two ways", []string{"http://a"}, elasticstore.Options{User: "u", Password: "hushhush", APIKey: "k"}, "API key beside a user"},
		{"two users", []string{"http://u:hushhush@a", "http://v:hushhush@b"}, elasticstore.Options{}, "the address of b"},
		{"half a user", []string{"http://a"}, elasticstore.Options{User: "u"}, "without a password"},
		{"half a certificate", []string{"http://a"}, elasticstore.Options{CertFile: "a.pem"}, "without its key"},
		{"negative", []string{"http://a"}, elasticstore.Options{Shards: -1, Timeout: -1}, "Shards: -1 is negative"},
		{"no authorities", []string{"http://a"}, elasticstore.Options{CAFile: filepath.Join(dir, "none.pem")}, "none.pem"},
		{"junk authorities", []string{"http://a"}, elasticstore.Options{CAFile: junk}, "no certificate in PEM"},
	} {
		_, err := elasticstore.New(t.Context(), tt.urls, &tt.o)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		} else if strings.Contains(err.Error(), "hushhush") {
			t.Errorf("%s: the error holds the password: %v", tt.name, err)
		}
	}
}

// TestBusy sends a change through a server that has no room: for requests, for single operations, and for large ones.
func TestBusy(t *testing.T) {
	f, srv := newFake(t)
	s := openFake(t, srv, &elasticstore.Options{BulkBytes: 1 << 20})
	refused, items, large := 0, 0, 0
	f.set(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		if r.URL.Path != "/_bulk" {
			return false
		}
		lines := bytes.Count(body, []byte("\n"))
		switch {
		case refused < 2:
			refused++
			w.Header().Set("Retry-After", "0")
			return fail(w, http.StatusTooManyRequests, "too many")
		case lines > 12:
			large++
			return fail(w, http.StatusRequestEntityTooLarge, "too large")
		case items == 0:
			items++
			f.bulks = append(f.bulks, body)
			out := []any{}
			for i := range lines / 2 {
				code := 201
				if i == 1 {
					code = 429
				}
				out = append(out, map[string]any{"index": map[string]any{"status": code, "error": map[string]any{"reason": "rejected"}}})
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"items": out})
			return true
		}
		return false
	})
	if err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 20)}); err != nil {
		t.Fatal(err)
	}
	f.set(nil)
	f.mu.Lock()
	defer f.mu.Unlock()
	sent := 0
	for _, b := range f.bulks {
		sent += bytes.Count(b, []byte("\n")) / 2
	}
	if refused != 2 || large == 0 || items != 1 || sent != 20+2+1 { // 20 records, layout and entry, one of them twice
		t.Errorf("%d refused, %d too large, %d with a busy item, %d operations sent, want 23", refused, large, items, sent)
	}
}

// TestFailedChange makes sure that a change that cannot be written is an error, says why, and commits nothing.
func TestFailedChange(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		answer     func(w http.ResponseWriter) bool
	}{
		{"item", "document_chunks record 0: the server answered 400: cannot parse", func(w http.ResponseWriter) bool {
			item := map[string]any{"index": map[string]any{"status": 400, "error": map[string]any{"reason": "cannot parse"}}}
			_ = json.NewEncoder(w).Encode(map[string]any{"items": []any{item, map[string]any{"index": map[string]any{"status": 201}}, map[string]any{"index": map[string]any{"status": 201}}}})
			return true
		}},
		{"request", "the server answered 400 some_exception: nonsense", func(w http.ResponseWriter) bool { return fail(w, 400, "nonsense") }},
		{"forbidden", "may not do this", func(w http.ResponseWriter) bool { return fail(w, 403, "no right") }},
		{"too few answers", "3 operations has 1 answers", func(w http.ResponseWriter) bool { _, _ = io.WriteString(w, `{"items": [{}]}`); return true }},
		{"malformed", "not the JSON", func(w http.ResponseWriter) bool { _, _ = io.WriteString(w, `{"items": [`); return true }},
		{"web page", "not the JSON", func(w http.ResponseWriter) bool { _, _ = io.WriteString(w, `<html>`); return true }},
		{"redirect", "the server answered 302", func(w http.ResponseWriter) bool {
			w.Header().Set("Location", "http://127.0.0.1:1/steal")
			w.WriteHeader(302)
			return true
		}},
		{"cut", "cut off", func(w http.ResponseWriter) bool {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"items"`)
			return true
		}},
		{"one record too large", "takes no request of", func(w http.ResponseWriter) bool { return fail(w, 413, "large") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, srv := newFake(t)
			s := openFake(t, srv, nil)
			f.set(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
				return r.URL.Path == "/_bulk" && tt.answer(w)
			})
			err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 1)})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Replace: %v, want %q", err, tt.want)
			}
			f.set(nil)
			st, err := s.Stats(t.Context())
			if err != nil || st.Documents != 0 || st.Generation != 0 {
				t.Errorf("Stats = %+v, %v, want nothing", st, err)
			}
		})
	}
}

// TestLostAnswer loses the answer to the write that commits: the change is there, and must not be undone.
func TestLostAnswer(t *testing.T) {
	f, srv := newFake(t)
	s := openFake(t, srv, nil)
	writes := 0
	f.set(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		if r.Method != http.MethodPut || !strings.HasSuffix(r.URL.Path, "/_doc/state") {
			return false
		}
		if writes++; writes != 2 {
			return false
		}
		f.seq++
		f.docs[r.URL.Path] = body
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			conn.Close()
		}
		return true
	})
	if err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 1)}); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Stats(t.Context()); err != nil || st.Documents != 1 || st.Generation != 1 {
		t.Errorf("Stats = %+v, %v, want one document at generation 1", st, err)
	}
}

// TestTimes bounds how long an answer may take and how long it may be.
func TestTimes(t *testing.T) {
	f, srv := newFake(t)
	s := openFake(t, srv, &elasticstore.Options{Timeout: 50 * time.Millisecond})
	release := make(chan struct{})
	defer close(release)
	f.set(func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		f.mu.Unlock() // others are answered meanwhile
		defer f.mu.Lock()
		select {
		case <-release:
		case <-r.Context().Done():
		}
		return true
	})
	if _, err := s.Stats(t.Context()); err == nil || strings.Contains(err.Error(), "no error") {
		t.Errorf("Stats of a server that does not answer: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.Stats(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Stats after the caller's deadline: %v, want DeadlineExceeded", err)
	}
	f.set(nil)
}

// TestLongAnswer has a server that does not stop sending.
func TestLongAnswer(t *testing.T) {
	f, srv := newFake(t)
	s := openFake(t, srv, nil)
	f.set(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if !strings.HasSuffix(r.URL.Path, "/_doc/state") {
			return false
		}
		blanks := bytes.Repeat([]byte(" "), 1<<20)
		for range 1000 {
			if _, err := w.Write(blanks); err != nil {
				return true
			}
		}
		t.Error("the client read 1 GB")
		return true
	})
	if _, err := s.Stats(t.Context()); !errors.Is(err, errs.TooLarge) {
		t.Errorf("Stats of an endless answer: %v, want TooLarge", err)
	}
	f.set(nil)
}

// TestSecrets has servers send back what they were sent.
func TestSecrets(t *testing.T) {
	for _, tt := range []struct {
		name, header string
		url          func(string) string
		o            elasticstore.Options
	}{
		{"basic", "Basic dXNlcjpodXNoaHVzaA==", func(u string) string { return u }, elasticstore.Options{User: "user", Password: "hushhush"}},
		{"in the URL", "Basic dXNlcjpodXNoaHVzaA==", func(u string) string { return strings.Replace(u, "://", "://user:hushhush@", 1) }, elasticstore.Options{}},
		{"key", "ApiKey aHVzaGh1c2g6a2V5", func(u string) string { return u }, elasticstore.Options{APIKey: "aHVzaGh1c2g6a2V5"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, srv := newFake(t)
			var log bytes.Buffer
			tt.o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			var seen string
			f.set(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
				seen = r.Header.Get("Authorization")
				if strings.HasPrefix(r.URL.Path, "/_index_template") {
					return fail(w, http.StatusForbidden, "not with "+seen) // is logged
				}
				if strings.HasSuffix(r.URL.Path, "/_bulk") {
					return fail(w, http.StatusBadRequest, "hushhush, "+seen)
				}
				return false
			})
			s := open(t, []string{tt.url(srv.URL)}, &tt.o)
			err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 1)})
			if !strings.EqualFold(seen, tt.header) {
				t.Errorf("Authorization was %q, want %q", seen, tt.header)
			}
			if err == nil || log.Len() == 0 {
				t.Fatalf("Replace: %v; log %q", err, log.String())
			}
			if cerr := s.Close(); cerr != nil {
				t.Error(cerr)
			}
			for _, secret := range []string{"dXNlcjpodXNoaHVzaA", "aHVzaGh1c2g6a2V5"} {
				if strings.Contains(err.Error()+log.String(), secret) {
					t.Errorf("a secret is in the error %v or in the log %s", err, log.String())
				}
			}
			if tt.o.APIKey == "" && strings.Contains(err.Error()+log.String(), "hushhush") {
				t.Errorf("the password is in the error %v or in the log %s", err, log.String())
			}
			// A server that is gone.
			srv.Close()
			if _, err := elasticstore.New(t.Context(), []string{tt.url(srv.URL)}, &tt.o); err == nil || strings.Contains(err.Error(), "hushhush") {
				t.Errorf("a server that is gone: %v", err)
			}
		})
	}
}

func TestTLS(t *testing.T) {
	f, plain := newFake(t)
	plain.Close()
	srv := httptest.NewTLSServer(f)
	defer srv.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := elasticstore.New(t.Context(), []string{srv.URL}, &elasticstore.Options{CAFile: ca, Gzip: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Replace(t.Context(), []*driver.Document{aDocument("a", 3)}); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := elasticstore.New(t.Context(), []string{srv.URL}, nil); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate of nobody we know: %v", err)
	}
}

// TestNodes has two addresses, one of which nobody listens at.
func TestNodes(t *testing.T) {
	_, srv := newFake(t)
	_, gone := newFake(t)
	gone.Close()
	s, err := elasticstore.New(t.Context(), []string{gone.URL, srv.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := s.Replace(t.Context(), []*driver.Document{aDocument(fmt.Sprint(i), 1)}); err != nil {
			t.Error(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestReadOnly writes nothing.
func TestReadOnly(t *testing.T) {
	f, srv := newFake(t)
	openFake(t, srv, nil)
	f.set(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if r.Method == http.MethodPut || r.Method == http.MethodDelete || r.URL.Path == "/_bulk" {
			t.Errorf("%s %s of a library that is read-only", r.Method, r.URL)
		}
		return false
	})
	s := open(t, []string{srv.URL}, &elasticstore.Options{ReadOnly: true})
	for _, err := range []error{s.Replace(t.Context(), nil), s.Delete(t.Context(), "a"), s.SetData(t.Context(), nil)} {
		if !errors.Is(err, errs.Unsupported) {
			t.Errorf("a change: %v, want Unsupported", err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	f.set(nil)
}
