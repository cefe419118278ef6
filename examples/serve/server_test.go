package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot/internal/leak"
)

// TestDoors: one server has the page, MCP and its health, over one workspace.
func TestDoors(t *testing.T) {
	leak.Check(t)
	docs := files(t, map[string]string{"spec.md": "# Cell search\n\nThe receiver shall correlate the buffer.\n"})
	_, s := open(t, Options{Sources: Sources{Docs: []string{docs}, Repos: []string{filepath.Join("..", "testdata", "receiver")}}})
	url, c := start(t, s), client(t)
	ready(t, s)
	for path, want := range map[string]string{"/": "<title>", "/healthz": `"ready":true`} {
		if code, text := send(t, c, "GET", url+path, "", nil); code != 200 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	for accept, want := range map[string]string{"*/*": `{"error":"there is nothing at \"/nothing\": /openapi.json `, "text/html,*/*": `there is nothing at "/nothing": /openapi.json `} {
		if code, text := send(t, c, "GET", url+"/nothing", "", map[string]string{"Accept": accept}); code != 404 || !strings.HasPrefix(text, want) || !strings.Contains(text, "the page is at /") {
			t.Errorf("a path that is none, for %s: %d %s", accept, code, text)
		}
	}
	for _, verb := range []string{"PUT", "PATCH"} {
		if code, text := send(t, c, verb, url+"/documents", "%PDF", map[string]string{"Content-Type": "application/pdf"}); code != 405 || !strings.Contains(text, "use GET or POST") {
			t.Errorf("%s /documents: %d %s", verb, code, text)
		}
	}
	m := session(t, c, url)
	if got := call(t, m, "search_internal", map[string]any{"query": "correlate the buffer"}); !strings.Contains(got, "spec.md") {
		t.Errorf("search: %s", got)
	}
	st := s.Status()
	if !st.Ready || st.Address != url || len(st.Sources) != 2 || st.Sources[0].State != Fresh || st.Sources[1].State != Fresh || st.Sources[0].Done != 1 {
		t.Errorf("Status = %+v", st)
	}
}

// until waits for something that is true a moment later.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not after a minute", what)
		}
	}
}

// TestWatches: what changes in the sources is known without anybody asking.
func TestWatches(t *testing.T) {
	docs := files(t, map[string]string{"a.md": "# A\n\nThe word is quokka.\n"})
	repo := files(t, map[string]string{"a.py": "def wombat(): pass\n"})
	ws, s := open(t, Options{Sources: Sources{Docs: []string{docs}, Repos: []string{repo}}})
	ready(t, s)
	found := func(word string) bool {
		res, err := ws.SearchDocs(t.Context(), word, nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(res.Hits) > 0
	}
	known := func(name string) bool {
		graphs, err := ws.Graphs(t.Context())
		if err != nil || len(graphs) != 1 {
			t.Fatalf("%d graphs, %v", len(graphs), err)
		}
		res, err := graphs[0].Search(t.Context(), name, nil)
		return err == nil && len(res.Hits) > 0 && strings.HasSuffix(res.Hits[0].ID, ":"+name)
	}
	if !found("quokka") || !known("wombat") {
		t.Fatal("the sources were not read")
	}
	until(t, "watching", func() bool {
		list := s.Status().Sources
		return list[0].Watched && list[1].Watched
	})
	write(t, filepath.Join(docs, "sub", "b.md"), "# B\n\nThe word is numbat.\n")
	until(t, "a new document", func() bool { return found("numbat") })
	if err := os.Remove(filepath.Join(docs, "a.md")); err != nil {
		t.Fatal(err)
	}
	until(t, "a removed document", func() bool { return !found("quokka") })
	write(t, filepath.Join(repo, "b.py"), "def bilby(): pass\n")
	until(t, "new code", func() bool { return known("bilby") })
	until(t, "fresh sources", func() bool {
		list := s.Status().Sources
		return list[0].State == Fresh && list[1].State == Fresh
	})
}

// TestUnreadable: a source that is not there is said in the status, and agents are answered from the others, and from it once it is there.
func TestUnreadable(t *testing.T) {
	docs := files(t, map[string]string{"spec.md": "# Cell search\n\nThe receiver shall correlate the buffer.\n"})
	late := filepath.Join(t.TempDir(), "none")
	ws, s := open(t, Options{Sources: Sources{Docs: []string{docs}, Repos: []string{late}}})
	url, c := start(t, s), client(t)
	if err := s.Ready(t.Context()); err == nil {
		t.Error("no error")
	}
	if st := s.Status(); st.Problem == "" || st.Sources[1].State != Failed || st.Sources[1].Problem == "" {
		t.Errorf("Status = %+v", st)
	}
	if code, text := send(t, c, "GET", url+"/healthz", "", nil); code != 200 {
		t.Errorf("%d %s", code, text)
	}
	m := session(t, c, url)
	if got := call(t, m, "search_internal", map[string]any{"query": "correlate the buffer"}); !strings.Contains(got, "spec.md") {
		t.Errorf("search: %s", got)
	}
	write(t, filepath.Join(late, "a.py"), "def wombat(): pass\n")
	if _, err := ws.AddRepo(t.Context(), late, nil); err != nil { // what the next try does
		t.Fatal(err)
	}
	if got := call(t, m, "search_entity", map[string]any{"query": "wombat"}); !strings.Contains(got, "a.py:wombat") {
		t.Errorf("search in the source that came late: %s", got)
	}
}

// TestGone: a folder that goes away while the server runs is said in the status, and to who asks about code. Documents are answered meanwhile, and all of it is well when
// the folder is back.
func TestGone(t *testing.T) {
	defer func(d time.Duration) { again = d }(again)
	again = 100 * time.Millisecond
	base := files(t, map[string]string{"docs/a.md": "# A\n\nThe word is quokka.\n", "repo/a.py": "def wombat(): pass\n"})
	docs, repo := filepath.Join(base, "docs"), filepath.Join(base, "repo")
	_, s := open(t, Options{Sources: Sources{Docs: []string{docs}, Repos: []string{repo}}})
	url, c := start(t, s), client(t)
	ready(t, s)
	until(t, "watching", func() bool { st := s.Status(); return st.Sources[0].Watched && st.Sources[1].Watched })
	move := func(from, to string) {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	found := func(when string) {
		if code, text := send(t, c, "POST", url+"/search", `{"query": "quokka"}`, nil); code != 200 || !strings.Contains(text, "a.md") {
			t.Errorf("documents %s: %d %s", when, code, text)
		}
	}
	found("before")
	move(docs, docs+"2")
	move(repo, repo+"2")
	until(t, "what is gone is said", func() bool {
		st := s.Status()
		return st.Sources[0].State == Failed && st.Sources[1].State == Failed && strings.Contains(st.Problem, docs+": it is gone") && strings.Contains(st.Problem, repo+": it is gone")
	})
	for path, body := range map[string]string{"/findspot.v1.Findspot/SearchCode": `{"query": "wombat"}`, "/tools/search_entity": `{"query": "wombat"}`} {
		if code, text := send(t, c, "POST", url+path, body, nil); code < 400 || code >= 500 || !strings.Contains(text, "the folder of the repository repo is gone, and no code is answered until it is back\"") || strings.Contains(text, base) {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	if res, err := session(t, c, url).CallTool(t.Context(), &mcp.CallToolParams{Name: "search_entity", Arguments: map[string]any{"query": "wombat"}}); err != nil || !res.IsError {
		t.Errorf("%+v, %v", res, err)
	} else if text := res.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "the folder of the repository repo is gone") {
		t.Errorf("over MCP: %s", text)
	}
	if _, text := send(t, c, "POST", url+"/findspot.v1.Findspot/Status", "{}", nil); !strings.Contains(text, "its folder is gone") {
		t.Errorf("the API's status: %s", text)
	}
	found("meanwhile")
	move(docs+"2", docs)
	move(repo+"2", repo)
	until(t, "all is well again", func() bool {
		st := s.Status()
		return st.Problem == "" && st.Sources[0].State == Fresh && st.Sources[1].State == Fresh
	})
	if code, text := send(t, c, "POST", url+"/findspot.v1.Findspot/SearchCode", `{"query": "wombat"}`, nil); code != 200 || !strings.Contains(text, "a.py:wombat") {
		t.Errorf("afterwards: %d %s", code, text)
	}
}

const token = "0123456789abcdef-token"

// everywhere are requests for every route.
func everywhere(s *Server) (out [][2]string) {
	for _, p := range s.patterns() {
		p = strings.TrimSuffix(p, "{$}")
		switch p {
		case prefix:
			out = append(out, [2]string{"POST", prefix + "Search"}, [2]string{"POST", prefix + "Ask"}, [2]string{"POST", prefix + "AddDocument"}, [2]string{"GET", prefix + "Search"})
		case "/documents/":
			out = append(out, [2]string{"GET", p + "x"}, [2]string{"GET", p + "x/file"}, [2]string{"DELETE", p + "x"})
		case "/documents", "/mcp", "/search":
			out = append(out, [2]string{"POST", p}, [2]string{"GET", p})
		default:
			out = append(out, [2]string{"GET", p}, [2]string{"POST", p})
		}
	}
	return append(out, [2]string{"GET", "/nothing"}, [2]string{"OPTIONS", "/documents"})
}

// TestGuarded: on every route, served and mounted on a mux of somebody else's, nothing that a web page could send is let in, and nobody without the token but to
// what tells nothing.
func TestGuarded(t *testing.T) {
	_, s := open(t, Options{Token: token})
	mux := http.NewServeMux()
	s.Register(mux)
	mux.HandleFunc("/own", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "own") })
	mounted := httptest.NewServer(mux)
	defer mounted.Close()
	c := client(t)
	if code, text := send(t, c, "GET", mounted.URL+"/own", "", map[string]string{"Host": "evil.example"}); code != 200 || text != "own" {
		t.Errorf("a route beside: %d %s", code, text)
	}
	auth := "Bearer " + token
	for where, url := range map[string]string{"served": start(t, s), "mounted": mounted.URL} {
		for _, r := range everywhere(s) {
			if where == "mounted" && r[1] == "/nothing" {
				continue
			}
			public := r[1] == "/" || r[1] == "/healthz" || strings.HasPrefix(r[1], "/assets/")
			for _, tt := range []struct {
				name   string
				header map[string]string
				want   int
			}{
				{"another host", map[string]string{"Authorization": auth, "Host": "evil.example"}, 421},
				{"another origin", map[string]string{"Authorization": auth, "Origin": "https://evil.example"}, 403},
				{"null", map[string]string{"Authorization": auth, "Origin": "null"}, 403},
				{"another site", map[string]string{"Authorization": auth, "Sec-Fetch-Site": "cross-site"}, 403},
				{"another port", map[string]string{"Authorization": auth, "Sec-Fetch-Site": "same-site"}, 403},
				{"no token", nil, 401},
				{"a wrong token", map[string]string{"Authorization": auth + "x"}, 401},
			} {
				if public && tt.want == 401 {
					continue
				}
				if code, text := send(t, c, r[0], url+r[1], "", tt.header); code != tt.want {
					t.Errorf("%s, %s %s, %s: %d %.100s, want %d", where, r[0], r[1], tt.name, code, text, tt.want)
				}
			}
			for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain; application/json"} {
				if code, text := send(t, c, r[0], url+r[1], "{}", map[string]string{"Authorization": auth, "Content-Type": kind}); r[0] == "POST" && code != 415 {
					t.Errorf("%s, %s %s, a form (%s): %d %.100s", where, r[0], r[1], kind, code, text)
				}
			}
		}
	}
}

// TestURL: an address that a browser opens, also where the server listens at every address of the machine.
func TestURL(t *testing.T) {
	token := "0123456789abcdef"
	for _, tt := range []struct{ addr, hosts, want string }{
		{"127.0.0.1:0", "docs.example", "http://127.0.0.1:"},
		{"0.0.0.0:0", "", "http://127.0.0.1:"},
		{":0", "0.0.0.0 docs.example", "http://docs.example:"},
		{":0", "fd00::1", "http://[fd00::1]:"},
	} {
		_, s := open(t, Options{Token: token, Hosts: strings.Fields(tt.hosts)})
		ln, err := Listen(tt.addr, s.Options())
		if err != nil {
			t.Fatal(err)
		}
		if got := s.URL(ln); !strings.HasPrefix(got, tt.want) || strings.HasSuffix(got, ":0") {
			t.Errorf("%+v: %s", tt, got)
		}
		if err := ln.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestEnds: a client that listens is told and waited for when the server ends, and nothing is left of it.
func TestEnds(t *testing.T) {
	leak.Check(t)
	_, s := open(t, Options{})
	ln, err := Listen("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, ln) }()
	c, url := client(t), s.URL(ln)
	listen(t, c, url)
	until(t, "the listening stream", func() bool { return s.Status().Requests > 0 })
	began := time.Now()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if d := time.Since(began); d > 8*time.Second {
		t.Errorf("it took %s", d)
	}
	if s.Status().Requests != 0 {
		t.Error("a request goes on")
	}
}

// TestDeleteFollowed: a document of a folder that is followed would come back a moment later, so that deleting it is refused, with the way out. Where nothing
// is followed it is deleted.
func TestDeleteFollowed(t *testing.T) {
	for _, still := range []bool{false, true} {
		docs := files(t, map[string]string{"a.md": "# A\n\nThe word is quokka.\n"})
		_, s := open(t, Options{Sources: Sources{Docs: []string{docs}, NoWatch: still}})
		url, c := start(t, s), client(t)
		ready(t, s)
		var list struct {
			Documents []struct{ ID string }
		}
		_, text := send(t, c, "GET", url+"/documents", "", nil)
		if err := json.Unmarshal([]byte(text), &list); err != nil || len(list.Documents) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		code, text := send(t, c, "DELETE", url+"/documents/"+list.Documents[0].ID, "", nil)
		if still && code != http.StatusOK || !still && (code != http.StatusConflict || !strings.Contains(text, "the server follows "+filepath.Base(docs)) || !strings.Contains(text, "delete the file")) {
			t.Errorf("not followed %v: %d %s", still, code, text)
		}
	}
}
