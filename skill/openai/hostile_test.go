package openai_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/openai"
	"github.com/findspot/findspot/skill/skilltest"
)

// fixed answers every request with one body.
type fixed string

func (f fixed) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(string(f))),
	}, nil
}

// answerOf is what a model makes of a stream.
func answerOf(t testing.TB, body string, schema bool) (*skill.Reply, error) {
	t.Helper()
	m, err := openai.New("model-1", &openai.Options{BaseURL: "http://127.0.0.1:1/v1", Key: "sk-test-0123456789", HTTPClient: &http.Client{Transport: fixed(body)}, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	req := &skill.Request{Messages: []skill.Message{{From: skill.FromUser, Text: "q"}}, Tools: []skill.ToolSpec{{Name: "look"}}}
	if schema {
		req.Schema = []byte(`{"type":"array","items":{"type":"string"}}`)
	}
	return skill.Collect(m.Generate(t.Context(), req))
}

func TestHostileStreams(t *testing.T) {
	for _, tt := range hostile() {
		reply, err := answerOf(t, tt.body, false)
		var e *skill.ModelError
		switch {
		case tt.fault == "":
			if err != nil || reply.Text != tt.says {
				t.Errorf("%s: %+v, %v, want the text %q", tt.name, reply, err, tt.says)
			}
		case !errors.As(err, &e) || e.Fault != tt.fault || !strings.Contains(err.Error(), tt.says):
			t.Errorf("%s: %v, want the fault %s and the words %q", tt.name, err, tt.fault, tt.says)
		case len(err.Error()) > 1000:
			t.Errorf("%s: an error of %d bytes", tt.name, len(err.Error()))
		}
	}
}

// FuzzStream: whatever a server sends, an answer is either whole or an error of the right type, within the bounds.
func FuzzStream(f *testing.F) {
	for _, tt := range hostile() {
		if len(tt.body) < 10_000 {
			f.Add(tt.body, false)
			f.Add(tt.body, true)
		}
	}
	f.Fuzz(func(t *testing.T, body string, schema bool) {
		reply, err := answerOf(t, body, schema)
		var e *skill.ModelError
		if err != nil {
			if !errors.As(err, &e) {
				t.Fatalf("an error of another type: %v", err)
			}
			return
		}
		if reply.Stop == "" || reply.Usage.Input < 0 || reply.Usage.Output < 0 || reply.Usage.Cached < 0 {
			t.Fatalf("the answer is not whole: %+v", reply)
		}
		next := &skill.Request{Messages: []skill.Message{{From: skill.FromUser, Text: "q"}, reply.Message()}}
		for _, c := range reply.Calls {
			next.Messages = append(next.Messages, skill.Message{From: skill.FromTool, CallID: c.ID})
		}
		if err := next.Check(); err != nil {
			t.Fatalf("the conversation cannot go on: %v", err)
		}
	})
}

func TestRetries(t *testing.T) {
	busy := func(after time.Duration) skilltest.Turn {
		return skilltest.Turn{Err: &skill.ModelError{Fault: skill.FaultOverloaded, Text: "busy", After: after}}
	}
	var waits []time.Duration
	var log strings.Builder
	o := openai.Options{Logger: slog.New(slog.NewTextHandler(&log, nil)), Wait: func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }}
	ask := func(turns ...skilltest.Turn) (*skill.Reply, *skilltest.Server, error) {
		waits = nil
		m, s := start(t, o, turns...)
		reply, err := skill.Collect(m.Generate(t.Context(), &skill.Request{Messages: []skill.Message{{From: skill.FromUser, Text: "q"}}}))
		return reply, s, err
	}
	reply, s, err := ask(busy(2*time.Second), busy(0), skilltest.Says("Here."))
	if err != nil || reply.Text != "Here." || len(waits) != 2 || waits[0] != 2*time.Second || waits[1] <= 0 || len(s.Requests()) != 3 {
		t.Errorf("%+v, %v after the waits %v", reply, err, waits)
	}
	_, s, err = ask(busy(0), busy(0), busy(0), skilltest.Says("Here."))
	var e *skill.ModelError
	if !errors.As(err, &e) || e.Tries != 3 || len(s.Requests()) != 3 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}
	_, s, err = ask(skilltest.Turn{Text: "half", Err: &skill.ModelError{Fault: skill.FaultOverloaded}}, skilltest.Says("Here."))
	if !errors.As(err, &e) || len(s.Requests()) != 1 {
		t.Errorf("after half an answer: %v, %d requests", err, len(s.Requests()))
	}
	if strings.Contains(log.String(), "sk-test") || !strings.Contains(log.String(), "asked again") {
		t.Errorf("log: %s", log.String())
	}
}

// TestKey: where the key comes from and where it goes.
func TestKey(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("OPENAI_BASE_URL", "")
	_, err := openai.New("m", nil)
	var e *skill.ModelError
	if !errors.As(err, &e) || e.Fault != skill.FaultAuth || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("without a key: %v", err)
	}
	if _, err := openai.New("", nil); !errors.As(err, &e) {
		t.Errorf("without a model: %v", err)
	}
	t.Setenv("OPENAI_API_KEY", "sk-env-0123456789")
	if _, err := openai.New("m", nil); err != nil {
		t.Errorf("with the key of the environment: %v", err)
	}
	for _, tt := range []struct {
		base, key string
		header    http.Header
		want      string
	}{
		{"https://models.example.com/v1", "", nil, "Bearer sk-env-0123456789"},
		{"http://127.0.0.1:1/v1", "", nil, "Bearer sk-env-0123456789"},
		{"http://models.example.com/v1", "", nil, ""}, // everybody on the way could read it
		{"http://models.example.com/v1", "sk-own-0123456789", nil, "Bearer sk-own-0123456789"},
		{"https://models.example.com/v1", "", http.Header{"Authorization": {"Bearer sk-head-0123456789"}}, "Bearer sk-head-0123456789"},
	} {
		var got []string
		hc := &http.Client{Transport: look(func(r *http.Request) { got = r.Header.Values("Authorization") })}
		m, err := openai.New("m", &openai.Options{BaseURL: tt.base, Key: tt.key, Header: tt.header, HTTPClient: hc, Retries: -1})
		if err != nil {
			t.Errorf("%s: %v", tt.base, err)
			continue
		}
		_, err = skill.Collect(m.Generate(t.Context(), &skill.Request{Messages: []skill.Message{{From: skill.FromUser, Text: "q"}}}))
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s: the key sent is %q, want %q", tt.base, got, tt.want)
		}
		if err == nil || strings.Contains(err.Error(), "0123456789") || !strings.Contains(err.Error(), "[key]") && tt.want != "" {
			t.Errorf("%s: the error %v", tt.base, err)
		}
	}
}

// look shows a request to a function and fails with all of its headers.
type look func(*http.Request)

func (f look) RoundTrip(r *http.Request) (*http.Response, error) {
	f(r)
	var all []string
	for _, v := range r.Header {
		all = append(all, v...)
	}
	return nil, errors.New("cannot send " + strings.Join(all, " "))
}
