package openaiembed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
)

const key = "sk-secret-1234567890"

// server answers with the vector (length of the text, 1) for each text, in reverse order, after the answers of first.
type server struct {
	mu    sync.Mutex // guards what follows
	first []func(w http.ResponseWriter, q question)
	asked []question
	auth  []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var q question
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/embeddings" || r.Method != http.MethodPost {
		http.Error(w, "no such thing", http.StatusNotFound)
		return
	}
	s.asked, s.auth = append(s.asked, q), append(s.auth, r.Header.Get("Authorization"))
	if len(s.first) > 0 {
		f := s.first[0]
		s.first = s.first[1:]
		f(w, q)
		return
	}
	type item struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	var a struct {
		Data []item `json:"data"`
	}
	for i := len(q.Input) - 1; i >= 0; i-- {
		a.Data = append(a.Data, item{i, []float32{float32(len(q.Input[i])), 1}})
	}
	json.NewEncoder(w).Encode(a)
}

// start returns an embedder for the server that does not wait, and what it would have waited.
func start(t *testing.T, s *server, o *Options) (*Embedder, *[]time.Duration) {
	t.Helper()
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	e, err := New(h.URL+"/v1/", "m", o)
	if err != nil {
		t.Fatal(err)
	}
	waits := &[]time.Duration{}
	e.wait = func(ctx context.Context, d time.Duration) error { *waits = append(*waits, d); return ctx.Err() }
	return e, waits
}

func status(code int, body string, header ...string) func(http.ResponseWriter, question) {
	return func(w http.ResponseWriter, _ question) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprint(w, body)
	}
}

func TestEmbed(t *testing.T) {
	s := &server{}
	e, _ := start(t, s, &Options{Key: key, Batch: 2, Dimensions: 2, Query: "query: ", Passage: "p: "})
	got, err := e.Embed(t.Context(), []string{"a", "bb", "ccc\xff"})
	if diff := cmp.Diff([][]float32{{4, 1}, {5, 1}, {9, 1}}, got); diff != "" || err != nil {
		t.Errorf("Embed: %v (-want +got):\n%s", err, diff)
	}
	got, err = e.EmbedQueries(t.Context(), []string{"q"})
	if diff := cmp.Diff([][]float32{{8, 1}}, got); diff != "" || err != nil {
		t.Errorf("EmbedQueries: %v (-want +got):\n%s", err, diff)
	}
	want := []question{{"m", []string{"p: a", "p: bb"}, 2}, {"m", []string{"p: ccc\uFFFD"}, 2}, {"m", []string{"query: q"}, 2}}
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if s.auth[0] != "Bearer "+key {
		t.Errorf("Authorization %q", s.auth[0])
	}
	if got, want := e.Name(), `m dimensions=2 passage="p: "`; got != want {
		t.Errorf("Name = %q, want %q", got, want)
	}
	if got, err := e.Embed(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("Embed of nothing = %v, %v", got, err)
	}
}

func TestPieces(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want []string
	}{
		{"", 0, []string{""}},
		{"", 3, []string{""}},
		{"abc", 3, []string{"abc"}},
		{"abcdefg", 3, []string{"abc", "def", "g"}},
		{"äöüß", 2, []string{"äö", "üß"}},
		{"one two three four", 8, []string{"one two ", "three ", "four"}},
	} {
		if diff := cmp.Diff(tt.want, pieces(tt.in, tt.n)); diff != "" {
			t.Errorf("pieces(%q, %d) (-want +got):\n%s", tt.in, tt.n, diff)
		}
	}
	s := &server{}
	e, _ := start(t, s, &Options{Runes: 4})
	got, err := e.Embed(t.Context(), []string{"abcdef", "x"})
	// "abcd" is (4, 1) with weight 4, "ef" is (2, 1) with weight 2, both made one long.
	x := 4*4/math.Sqrt(17) + 2*2/math.Sqrt(5)
	if err != nil || len(got) != 2 || math.Abs(float64(got[0][0])-x) > 1e-5 || got[1][0] != 1 {
		t.Errorf("Embed in pieces = %v, %v; want %v first", got, err, x)
	}
}

func TestRetry(t *testing.T) {
	for _, tt := range []struct {
		name  string
		first []func(http.ResponseWriter, question)
		o     Options
		waits []time.Duration
		want  string // in the error; "" for none
		is    error
	}{
		{name: "too many requests, seconds", first: []func(http.ResponseWriter, question){status(429, "", "Retry-After", "7")}, waits: []time.Duration{7 * time.Second}},
		{name: "a short wait is not trusted", first: []func(http.ResponseWriter, question){status(429, "", "Retry-After", "0.1")}, waits: []time.Duration{firstWait}},
		{name: "in trouble, twice", first: []func(http.ResponseWriter, question){status(503, "later"), status(500, "x")}, waits: []time.Duration{firstWait, 2 * firstWait}},
		{name: "connection breaks", first: []func(http.ResponseWriter, question){func(http.ResponseWriter, question) { panic(http.ErrAbortHandler) }}, waits: []time.Duration{firstWait}},
		{name: "for too long", first: []func(http.ResponseWriter, question){status(429, "", "Retry-After", "3600")}, want: "it asks to wait for 1h0m0s"},
		{name: "for ever", o: Options{Retries: 2}, first: []func(http.ResponseWriter, question){status(502, ""), status(502, ""), status(502, "")}, waits: []time.Duration{firstWait, 2 * firstWait}, want: "(tried 3 times)"},
		{name: "never", o: Options{Retries: -1}, first: []func(http.ResponseWriter, question){status(502, "")}, want: "status 502"},
		{name: "no quota", first: []func(http.ResponseWriter, question){status(429, `{"error":{"message":"pay","code":"insufficient_quota"}}`)}, want: "status 429 Too Many Requests: pay"},
		{name: "bad text", first: []func(http.ResponseWriter, question){status(400, `{"error":{"message":"too long","code":null}}`)}, want: "too long", is: docsearch.ErrUnsupported},
		{name: "too large", first: []func(http.ResponseWriter, question){status(413, `{"error":"batch"}`)}, want: "batch", is: docsearch.ErrUnsupported},
		{name: "no such model", first: []func(http.ResponseWriter, question){status(404, `{"message":"no model m"}`)}, want: "no model m"},
		{name: "redirect", first: []func(http.ResponseWriter, question){status(307, "", "Location", "http://other.invalid/")}, want: "status 307"},
		{name: "not JSON", first: []func(http.ResponseWriter, question){status(200, "<html>")}, want: "not in the embeddings form", is: docsearch.ErrFormat},
		{name: "too few", first: []func(http.ResponseWriter, question){status(200, `{"data":[]}`)}, want: "0 vectors for 1 texts", is: docsearch.ErrFormat},
		{name: "wrong number", first: []func(http.ResponseWriter, question){status(200, `{"data":[{"index":1,"embedding":[1]}]}`)}, want: "numbers a vector 1, of 1", is: docsearch.ErrFormat},
		{name: "empty", first: []func(http.ResponseWriter, question){status(200, `{"data":[{"index":0,"embedding":[]}]}`)}, want: "of 0 numbers", is: docsearch.ErrFormat},
		{name: "huge", first: []func(http.ResponseWriter, question){status(200, strings.Repeat(" ", maxVector*numberBytes+answerBytes+1))}, want: "more than", is: docsearch.ErrTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{first: tt.first}
			e, waits := start(t, s, &tt.o)
			_, err := e.Embed(t.Context(), []string{"text"})
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if tt.is != nil && !errors.Is(err, tt.is) || tt.is == nil && errors.Is(err, docsearch.ErrUnsupported) {
				t.Errorf("error %v, want one wrapping %v", err, tt.is)
			}
			if diff := cmp.Diff(tt.waits, *waits, cmp.Transformer("", func(d []time.Duration) string { return fmt.Sprint(d) })); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	for v, want := range map[string]time.Duration{
		"": 0, "soon": 0, "-3": 0, "0": 0, "2": 2 * time.Second, "1e300": 1e6 * time.Second, "NaN": 0,
		"Sun, 22 Nov 2026 10:00:30 GMT": 30 * time.Second, "Sun, 22 Nov 2026 09:00:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {v}}, now); got != want {
			t.Errorf("retryAfter(%q) = %v, want %v", v, got, want)
		}
	}
}

func TestNoSecrets(t *testing.T) {
	for _, body := range []string{
		`{"error":{"message":"Incorrect API key provided: ` + key + `."}}`,
		`{"error":{"message":"Incorrect API key provided: sk-s************7890. You can find yours"}}`,
		"key=" + key,
	} {
		s := &server{first: []func(http.ResponseWriter, question){status(401, body)}}
		e, _ := start(t, s, &Options{Key: key})
		_, err := e.Embed(t.Context(), []string{"text"})
		if err == nil || !strings.Contains(err.Error(), "status 401") {
			t.Fatalf("error %v, want status 401", err)
		}
		for _, part := range []string{key, key[:4], key[len(key)-4:]} {
			if strings.Contains(err.Error(), part) {
				t.Errorf("the error holds %q of the key: %v", part, err)
			}
		}
	}
	e, err := New("http://127.0.0.1:1/v1?api-key="+key, "m", &Options{Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = e.Embed(t.Context(), []string{"text"}); err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("error %v, want one without the address's query", err)
	}
}

func TestNew(t *testing.T) {
	for _, tt := range []struct {
		base, model string
		o           *Options
		want        string
	}{
		{"ftp://host/", "m", nil, "http"},
		{"host", "m", nil, "http"},
		{"http://user:" + key + "@host/", "m", nil, "Options.Key"},
		{"http://" + key + "\x7f/", "m", nil, "is not valid"},
		{"http://host", "", nil, "no model"},
		{"http://host", "m", &Options{Batch: -1, Runes: -1}, "Batch is negative\noption Runes is negative"},
		{"http://host", "m", &Options{Key: "a\nb"}, "line break"},
	} {
		_, err := New(tt.base, tt.model, tt.o)
		if !errors.Is(err, docsearch.ErrUnsupported) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), key) {
			t.Errorf("New(%q, %q, %+v): %v, want %q and no key", tt.base, tt.model, tt.o, err, tt.want)
		}
	}
}

func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &server{first: []func(http.ResponseWriter, question){func(w http.ResponseWriter, _ question) { cancel(); w.WriteHeader(503) }}}
	e, _ := start(t, s, nil)
	if _, err := e.Embed(ctx, []string{"text"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
	hang := make(chan struct{})
	h := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	defer h.Close()
	defer close(hang)
	slow, err := New(h.URL, "m", &Options{Timeout: 20 * time.Millisecond, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = slow.Embed(t.Context(), []string{"text"}); err == nil || !strings.Contains(err.Error(), "no answer within 20ms") {
		t.Errorf("a server that does not answer: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[3,4]}]}`), 2)
	f.Add([]byte(`{"data":[{"embedding":[1e39]}]}`), 1)
	f.Add([]byte(`{"error":{"message":"x","code":7}}`), 1)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		explain(data)
		n &= 7
		vs, err := decode(data, n)
		if err != nil {
			return
		}
		for _, v := range vs {
			if len(v) == 0 || len(v) != len(vs[0]) {
				t.Fatalf("decode(%q, %d) = %v", data, n, vs)
			}
		}
	})
}
