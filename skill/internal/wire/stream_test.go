package wire_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill/internal/wire"
)

func TestStream(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       []wire.Event
	}{
		{"one", "data: x\n\n", []wire.Event{{Data: []byte("x")}}},
		{"lines that end with two characters", "event: a\r\ndata: x\r\n\r\n", []wire.Event{{Name: "a", Data: []byte("x")}}},
		{"several lines", "data: x\ndata\ndata:  y\n\n", []wire.Event{{Data: []byte("x\n\n y")}}},
		{"comments and other fields", ": hello\nid: 7\nretry: 9\n\ndata:x\n: more\n\n", []wire.Event{{Data: []byte("x")}}},
		{"a name alone", "event: ping\n\n\n\nevent: b\ndata: y\n\n", []wire.Event{{Name: "ping"}, {Name: "b", Data: []byte("y")}}},
		{"a mark of the byte order", "\ufeffdata: x\n\n", []wire.Event{{Data: []byte("x")}}},
		{"cut off", "data: x\n\ndata: y\n", []wire.Event{{Data: []byte("x")}}},
		{"nothing", "", nil},
	} {
		srv := httptest.NewServer(stream(tt.body))
		c := wire.NewClient("test", nil, wire.Limits{}, nil)
		s, err := c.Post(t.Context(), srv.URL, nil, map[string]int{"a": 1})
		if err != nil {
			t.Fatal(err)
		}
		var got []wire.Event
		for {
			ev, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			got = append(got, ev)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		srv.Close()
	}
}

func TestPost(t *testing.T) {
	var sent http.Header
	var body string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		sent, body = r.Header, string(raw)
		stream("data: x\n\n")(w, r)
	}))
	defer srv.Close()
	s, err := wire.NewClient("test", nil, wire.Limits{}, nil).Post(t.Context(), srv.URL,
		http.Header{"user-agent": {"mine"}, "X-More": {"1", "2"}}, map[string]string{"a": "<&>"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := http.Header{
		"Accept": {"text/event-stream"}, "Accept-Encoding": {"gzip"}, "Content-Length": {"12"}, "Content-Type": {"application/json"},
		"User-Agent": {"mine"}, "X-More": {"1", "2"},
	}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if body != "{\"a\":\"<&>\"}\n" {
		t.Errorf("body: %q", body)
	}
}

func TestDecode(t *testing.T) {
	c := wire.NewClient("test", nil, wire.Limits{}, nil)
	for raw, ok := range map[string]bool{
		`{"n": 1, "s": "x"}`: true, `{"n": "many", "s": "x"}`: true, `[1]`: false, `"x"`: false, `{"s": "x"`: false, ``: false,
	} {
		var v struct {
			N int
			S string
		}
		err := c.Decode([]byte(raw), &v)
		if (err == nil) != ok || ok && v.S != "x" {
			t.Errorf("Decode(%s) = %+v, %v", raw, v, err)
		}
	}
}
