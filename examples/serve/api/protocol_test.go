package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/findspot/findspot/examples/serve/api"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/findspotv1/findspotv1connect"
	"github.com/findspot/findspot/skill"
)

// TestProtocols: every protocol answers, streams and fails alike.
func TestProtocols(t *testing.T) {
	w := newWorld(t, nil).withReceiver().withPapers()
	for _, p := range protocols {
		t.Run(p.name, func(t *testing.T) {
			c := findspotv1connect.NewFindspotClient(p.http(), w.url, p.opts...)
			found, err := c.Search(t.Context(), &v1.SearchRequest{Query: "synchronization signals"})
			if err != nil || len(found.Hits) == 0 || found.Hits[0].Passages[0].Page == 0 {
				t.Fatalf("Search = %v, %v", found, err)
			}
			walk, err := c.Traverse(t.Context(), &v1.TraverseRequest{Ids: []string{"receiver/pss.py:detect_pss"}, Direction: "callers"})
			if err != nil || len(walk.Edges) == 0 || walk.Edges[0].Sites[0].Line == 0 {
				t.Fatalf("Traverse = %v, %v", walk, err)
			}
			stream, err := c.Ask(t.Context(), &v1.AskRequest{Question: "how is the PSS detected, and who calls detect_pss?"})
			if err != nil {
				t.Fatal(err)
			}
			var kinds []string
			pieces := 0
			for stream.Receive() {
				switch e := stream.Msg().Event.(type) {
				case *v1.AskEvent_Understood:
					kinds = append(kinds, "understood")
				case *v1.AskEvent_Piece:
					if pieces++; e.Piece.Item.At == nil || e.Piece.Item.Key == "" {
						t.Errorf("a piece without place or key: %v", e.Piece)
					}
				case *v1.AskEvent_Callers:
					kinds = append(kinds, "callers")
				case *v1.AskEvent_Done:
					kinds = append(kinds, "done")
					if int(e.Done.Pieces) != pieces || !e.Done.Asked {
						t.Errorf("done = %v after %d pieces", e.Done, pieces)
					}
				}
			}
			if err := stream.Err(); err != nil || strings.Join(kinds, " ") != "understood callers done" || pieces == 0 {
				t.Errorf("events %v, %d pieces, %v", kinds, pieces, err)
			}
			_, err = c.GetDocument(t.Context(), &v1.GetDocumentRequest{Doc: "no such document"})
			if connect.CodeOf(err) != connect.CodeNotFound || !strings.Contains(err.Error(), "no such document") {
				t.Errorf("an unknown document: %v", err)
			}
			stream, err = c.Ask(t.Context(), &v1.AskRequest{Question: " "})
			if err == nil {
				for stream.Receive() {
					t.Error("an empty question has an event")
				}
				err = stream.Err()
			}
			if connect.CodeOf(err) != connect.CodeInvalidArgument {
				t.Errorf("an empty question: %v", err)
			}
		})
	}
}

// TestJSON: who writes JSON by hand gets the library's names, lists that are there when they are empty, and a word about each mistake.
func TestJSON(t *testing.T) {
	w := newWorld(t, nil).withReceiver()
	call := func(method, body string) (int, string) {
		res, data := w.send("POST", "/findspot.v1.Findspot/"+method, "application/json", strings.NewReader(body))
		return res.StatusCode, string(data)
	}
	for _, tt := range []struct {
		method, body string
		code         int
		want         []string
	}{
		{"Search", `{"query": "nothing"}`, 200, []string{`"hits":[]`, `"total_exact":`, `"truncated":false`}},
		{"ReadLines", `{"path": "/etc/passwd"}`, 400, []string{"is absolute"}},
		{"Traverse", `{"ids": ["detect_pss"], "direction": "users"}`, 200, []string{`"end_line":`, `"tests_hidden":`}},
		{"Traverse", `{"ids": ["detect_pss"], "direction": "sideways"}`, 400, []string{`"invalid_argument"`, `unknown direction`}},
		{"Traverse", `{"ids": ["detect_ps"]}`, 404, []string{`"not_found"`, `receiver/pss.py:detect_pss`}},
		{"Traverse", `{}`, 400, []string{`\"ids\"`}},
		{"Search", `{"quary": "x"}`, 400, []string{`"invalid_argument"`, `there is no field \"quary\"`, `SearchRequest has query, limit, passages`}},
		{"Status", `{"quary": "x"}`, 400, []string{`StatusRequest has none`}},
		{"Traverse", `{"ids": ["detect_pss"], "directoin": "users"}`, 400, []string{`directoin`, `ids, direction`}},
		{"Search", `{"query": 1}`, 400, []string{`"invalid_argument"`}},
		{"Search", `[]`, 400, []string{`"invalid_argument"`}},
		{"Search", ``, 400, []string{`"invalid_argument"`}},
		{"Search", `{"query": "x", "limit": -1}`, 400, []string{`limit`}},
		{"Search", `{"query": "x", "limit": 100000}`, 400, []string{`limit`}},
		{"Search", `{"query": "` + strings.Repeat("word ", 300000) + `"}`, 429, []string{`"resource_exhausted"`}},
		{"CallTool", `{"name": "no_tool"}`, 404, []string{`no_tool`}},
		{"CallTool", `{"name": "search_entity", "args": {"query": "pss.detect_pss"}}`, 200, []string{`"id":"receiver/pss.py:detect_pss"`}},
		{"CallTool", `{"name": "search_entity", "args": ` + strings.Repeat(`{"a":`, 300) + `1` + strings.Repeat(`}`, 300) + `}`, 400, []string{`"invalid_argument"`}},
		{"Definition", `{"name": "detect_pss"}`, 400, []string{`"failed_precondition"`}},
		{"Definition", `{}`, 400, []string{`\"name\"`}},
		{"RunSkill2", `{}`, 404, []string{`"error"`}},
		{"AddFolder", `{"path": "/etc"}`, 415, []string{`"invalid_argument"`, `application/connect+json`, `docs/api.md`}}, // streams have an envelope
		{"Ask", `{"question": "x"}`, 415, []string{`application/connect+json`, `POST /tools/ask`}},
	} {
		code, body := call(tt.method, tt.body)
		body = strings.ReplaceAll(body, `": `, `":`) // protojson varies the blanks
		if code != tt.code {
			t.Errorf("%s %.80s: %d %.300s, want %d", tt.method, tt.body, code, body, tt.code)
		}
		for _, want := range tt.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s %.80s: no %s in %.500s", tt.method, tt.body, want, body)
			}
		}
		if tt.want != nil && !json.Valid([]byte(body)) {
			t.Errorf("%s: no JSON: %s", tt.method, body)
		}
	}
}

// TestMisasked: Connect refuses the wrong verb and the other kind of content type without a word; the service says what to do.
func TestMisasked(t *testing.T) {
	w := newWorld(t, nil)
	for _, tt := range []struct {
		verb, path, kind string
		code             int
		want             string
	}{
		{"GET", "Search", "", 405, "POST its request"},
		{"GET", "Ask?encoding=json&message={}", "", 405, "POST its request"},
		{"PUT", "Search", "application/json", 405, "not for PUT"},
		{"POST", "Ask", "application/proto", 415, "application/connect+proto"},
		{"POST", "Search", "application/connect+json", 415, "Content-Type: application/json"},
		{"GET", `Search?connect=v1&encoding=json&message={"query":"x"}`, "", 200, `"hits"`},
	} {
		res, body := w.send(tt.verb, "/findspot.v1.Findspot/"+tt.path, tt.kind, nil)
		if res.StatusCode != tt.code || !json.Valid(body) || !strings.Contains(string(body), tt.want) || tt.code == 405 && res.Header.Get("Allow") != "POST" {
			t.Errorf("%s %s as %q: %d %s, want %d and %q", tt.verb, tt.path, tt.kind, res.StatusCode, body, tt.code, tt.want)
		}
	}
}

// TestDeadline: a client's deadline ends the call on the server too.
func TestDeadline(t *testing.T) {
	w := newWorld(t, nil).withReceiver()
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if _, err := w.client().Search(ctx, &v1.SearchRequest{Query: "x"}); connect.CodeOf(err) != connect.CodeDeadlineExceeded {
		t.Errorf("Search = %v", err)
	}
	req, err := http.NewRequestWithContext(t.Context(), "POST", w.url+"/findspot.v1.Findspot/Callers", strings.NewReader(`{"name": "detect_pss"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Connect-Timeout-Ms", "0")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode == http.StatusOK {
		t.Errorf("with no time: %s", res.Status)
	}
}

// TestPanic: a tool that breaks ends its call alone, and its client learns a number of the log.
func TestPanic(t *testing.T) {
	broken := skill.Tool{Name: "broken", Description: "breaks", Call: func(context.Context, json.RawMessage) (*skill.Result, error) { panic("a secret of the host") }}
	w := newWorld(t, &api.Options{Tools: []skill.Tool{broken}, Status: func(context.Context) (*api.Status, error) {
		return &api.Status{Version: "v1", Address: "127.0.0.1:1", Idle: 2 * time.Second, Started: time.Now()}, nil
	}})
	list, err := w.client().ListTools(t.Context(), &v1.ListToolsRequest{})
	if err != nil || len(list.Tools) != 1 {
		t.Errorf("ListTools = %v, %v", list, err)
	}
	for _, p := range protocols {
		_, err := findspotv1connect.NewFindspotClient(p.http(), w.url, p.opts...).CallTool(t.Context(), &v1.CallToolRequest{Name: "broken"})
		if connect.CodeOf(err) != connect.CodeInternal || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", p.name, err)
		}
	}
	if res, body := w.send("POST", "/tools/broken", "application/json", strings.NewReader("{}")); res.StatusCode != http.StatusInternalServerError || strings.Contains(string(body), "secret") {
		t.Errorf("POST /tools/broken: %d %s", res.StatusCode, body)
	}
	if !strings.Contains(w.log.String(), "a secret of the host") {
		t.Error("the log does not say what broke")
	}
	st, err := w.client().Status(t.Context(), &v1.StatusRequest{})
	if err != nil || st.Process.GetVersion() != "v1" || st.Process.GetIdle() != 2 || len(st.Formats) == 0 || len(st.Languages) == 0 {
		t.Errorf("Status = %v, %v", st, err)
	}
}
