package api_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/serve/api"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
)

func (w *world) post(path string, body io.Reader) (int, []byte) {
	w.t.Helper()
	kind := "application/json"
	if strings.HasPrefix(path, "/documents") {
		kind = "application/octet-stream"
	}
	res, data := w.send("POST", path, kind, body)
	return res.StatusCode, data
}

func TestUploadAndSearch(t *testing.T) {
	for _, uploads := range []string{"", filepath.Join(t.TempDir(), "uploads")} {
		w := newWorld(t, &api.Options{Uploads: uploads})
		files, err := filepath.Glob(filepath.Join(papers, "*.pdf"))
		if err != nil || len(files) < 2 {
			t.Fatalf("papers: %v, %v", files, err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			code, body := w.post("/documents?filename="+filepath.Base(f), bytes.NewReader(data))
			var doc docsearch.Document
			if err := json.Unmarshal(body, &doc); err != nil || code != http.StatusCreated || doc.Pages < 2 || doc.Name != filepath.Base(f) {
				t.Fatalf("POST /documents %s: %d %s", f, code, body)
			}
			if code, body := w.post("/documents?filename="+filepath.Base(f), bytes.NewReader(data)); code != http.StatusOK || !strings.Contains(string(body), `"unchanged"`) {
				t.Errorf("the same again: %d %s, want 200 unchanged", code, body)
			}
		}
		// A document number in the query puts the document of that number first.
		code, body := w.post("/search", strings.NewReader(`{"query": "Find synchronization signals in 12.401"}`))
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
		w.end()
	}
}

// TestSecrets: what a document says is masked in every answer, its title too.
func TestSecrets(t *testing.T) {
	token := "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"
	for _, show := range []bool{false, true} {
		w := newWorld(t, &api.Options{ShowSecrets: show, Uploads: filepath.Join(t.TempDir(), "uploads")})
		code, uploaded := w.post("/documents?filename=a.md", strings.NewReader("# Antenna "+token+"\n\nThe calibration token is "+token+".\n"))
		if code != http.StatusCreated {
			t.Fatalf("POST /documents: %d %s", code, uploaded)
		}
		var doc docsearch.Document
		if err := json.Unmarshal(uploaded, &doc); err != nil {
			t.Fatal(err)
		}
		bodies := [][]byte{uploaded}
		for _, call := range []struct{ path, body string }{
			{"/search", `{"query": "calibration token"}`},
			{"/findspot.v1.Findspot/Search", `{"query": "calibration token"}`},
			{"/findspot.v1.Findspot/GetDocument", `{"doc": "a.md"}`},
			{"/findspot.v1.Findspot/GetText", `{"doc": "a.md"}`},
			{"/tools/ask", `{"question": "what is the calibration token?"}`},
			{"/findspot.v1.Findspot/CallTool", `{"name": "ask", "args": {"question": "what is the calibration token?"}}`},
		} {
			code, body := w.post(call.path, strings.NewReader(call.body))
			if code != http.StatusOK || !bytes.Contains(body, []byte("Antenna")) {
				t.Fatalf("%s: %d %s", call.path, code, body)
			}
			bodies = append(bodies, body)
		}
		_, file := w.send("GET", "/documents/"+doc.ID+"/file", "", nil)
		for _, body := range append(bodies, file) {
			if show != bytes.Contains(body, []byte(token)) || show == bytes.Contains(body, []byte("[masked: ")) {
				t.Errorf("show %v: %s", show, body)
			}
		}
		wide := func(order binary.AppendByteOrder, text string) (out string) {
			for _, u := range utf16.Encode([]rune(text)) {
				out += string(order.AppendUint16(nil, u))
			}
			return out
		}
		line := "The calibration token is " + token + " for Zürich.\n"
		for name, text := range map[string]string{
			"b.txt": line, "c.csv": "what,token\ncalibration," + token + "\n", "d.tsv": "what\ttoken\ncalibration\t" + token + "\n",
			"e.html": "<p>" + line, "f.xhtml": "<html><body><p>" + line + "</p></body></html>", "g.rst": "Antenna\n=======\n\n" + line, "h.rest": line,
			"i.adoc": "= Antenna\n\n" + line, "j.asciidoc": line, "k.tex": "\\section{Antenna}\n" + line,
			"l.ipynb": `{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# Antenna\n` + token + `\n"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`,
			"m.xml":   "<rfc><front><title>Antenna</title></front><middle><section><t>" + line + "</t></section></middle></rfc>",
			"n.txt":   "caf\xe9 " + token + "\n", "o.html": "\xff\xfe" + wide(binary.LittleEndian, "<p>"+line), "p.csv": "\xfe\xff" + wide(binary.BigEndian, "a,b\n1,"+token+"\n"),
			"q.txt": wide(binary.LittleEndian, line), "r.pdf": line, "s.docx": line, // these three are no such documents: uploads of them are refused, and files of folders are listed
		} {
			if code, _ := w.post("/documents?filename="+name, strings.NewReader(text)); code >= 300 {
				file := filepath.Join(t.TempDir(), name)
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				for range w.ws.AddDocs(t.Context(), file) {
				}
			}
			doc, err := w.client().GetDocument(t.Context(), &v1.GetDocumentRequest{Doc: name})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			res, body := w.send("GET", "/documents/"+doc.Id+"/file", "", nil)
			if show && string(body) != text || !show && (!bytes.Contains(body, []byte("[masked: ")) || bytes.Contains(bytes.ReplaceAll(body, []byte{0}, nil), []byte(token))) {
				t.Errorf("show %v: %s: %d %q", show, name, res.StatusCode, body)
			}
			if !show && name == "l.ipynb" && !json.Valid(body) {
				t.Errorf("the notebook is no JSON any more: %s", body)
			}
		}
		w.end()
	}
}

func TestTools(t *testing.T) {
	w := newWorld(t, nil).withReceiver()
	if _, data := w.send("GET", "/tools", "", nil); !bytes.Contains(data, []byte(`"name":"traverse_graph"`)) || !bytes.Contains(data, []byte(`"tokens"`)) {
		t.Errorf("GET /tools: %s", data)
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
		{"no_tool", `{}`, 404, `"error"`},
	} {
		code, body := w.post("/tools/"+tt.tool, strings.NewReader(tt.in))
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
	w := newWorld(t, &api.Options{Uploads: filepath.Join(t.TempDir(), "uploads")})
	for _, name := range []string{"plan-a.txt", "plan-b.txt"} {
		if code, body := w.post("/documents?filename="+name, strings.NewReader("timing recovery")); code != http.StatusCreated {
			t.Fatalf("POST /documents %s: %d %s", name, code, body)
		}
	}
	for _, tt := range []struct {
		name, method, path string
		body               io.Reader
		want               int
		says               string
	}{
		{"no JSON", "POST", "/search", strings.NewReader("PSS"), 400, ""},
		{"two values", "POST", "/search", strings.NewReader(`{"query": "x"} {"query": "y"}`), 400, ""},
		{"a wrong type", "POST", "/search", strings.NewReader(`{"query": 1}`), 400, `query`},
		{"an unknown field", "POST", "/search", strings.NewReader(`{"query": "x", "limmit": 1}`), 400, `limmit`},
		{"a list", "POST", "/search", strings.NewReader(`[]`), 400, ""},
		{"a negative limit", "POST", "/search", strings.NewReader(`{"query": "x", "limit": -1}`), 400, ""},
		{"a long query", "POST", "/search", strings.NewReader(`{"query": "` + strings.Repeat("word ", 100000) + `"}`), 413, ""},
		{"a long body", "POST", "/search", strings.NewReader(`{"query": "` + strings.Repeat("word ", 300000) + `"}`), 413, ""},
		{"empty query", "POST", "/search", strings.NewReader(`{"query": " "}`), 400, ""},
		{"unknown document", "POST", "/search", strings.NewReader(`{"query": "x", "doc": "nothing"}`), 404, ""},
		{"an ambiguous document", "POST", "/search", strings.NewReader(`{"query": "timing", "doc": "plan"}`), 400, "plan-a.txt"},
		{"no name", "POST", "/documents", strings.NewReader("x"), 400, ""},
		{"a path", "POST", "/documents?filename=../x.pdf", strings.NewReader("x"), 400, ""},
		{"a hidden file", "POST", "/documents?filename=.upload-x.md", strings.NewReader("x"), 400, ""},
		{"a long name", "POST", "/documents?filename=" + strings.Repeat("x", 253) + ".md", strings.NewReader("x"), 400, ""},
		{"broken", "POST", "/documents?filename=x.pdf", strings.NewReader("%PDF-1.4 and no more"), 422, ""},
		{"other kind", "POST", "/documents?filename=x.exe", strings.NewReader("MZ"), 415, ".exe is not a format that findspot reads; it reads .adoc"},
		{"too large", "POST", "/documents?filename=x.pdf", &endless{docsearch.MaxFile + 1}, 413, ""},
		{"a wrong method", "PUT", "/documents", strings.NewReader("x"), 405, "POST"},
		{"nothing there", "GET", "/documents/0/file/more", nil, 404, ""},
		{"nothing there", "POST", "/tools/a/b", nil, 404, ""},
		{"nothing there", "GET", "/search/x", nil, 404, ""},
		{"no method", "POST", "/findspot.v1.Findspot/Nothing", nil, 404, ""},
		{"a part of a name", "DELETE", "/documents/plan-a", nil, 404, "plan-a.txt"},
		{"a name", "DELETE", "/documents/plan-a.txt", nil, 404, "id"},
		{"no such id", "GET", "/documents/0123456789abcdef0123456789abcdef/file", nil, 404, ""},
		{"a strange limit", "GET", "/documents?limit=x", nil, 400, "limit"},
		{"a strange parameter", "GET", "/documents?sort=x", nil, 400, "sort"},
	} {
		kind := "application/json"
		if strings.HasPrefix(tt.path, "/documents") {
			kind = "application/octet-stream"
		}
		res, body := w.send(tt.method, tt.path, kind, tt.body)
		if res.StatusCode != tt.want || !bytes.Contains(body, []byte(`"error"`)) || !json.Valid(body) || !bytes.Contains(body, []byte(tt.says)) {
			t.Errorf("%s: %d %s, want %d and an error with %q", tt.name, res.StatusCode, body, tt.want, tt.says)
		}
	}
	if code, body := w.post("/search", strings.NewReader(`{"query": "timing"}`)); code != http.StatusOK || !bytes.Contains(body, []byte("plan-a.txt")) {
		t.Errorf("after all that: %d %s", code, body)
	}
}

// TestHostStays: what fails on the host is logged, and the client learns no path of it, whatever it asks.
func TestHostStays(t *testing.T) {
	base := t.TempDir()
	repo := filepath.Join(base, "repo")
	if err := os.CopyFS(repo, os.DirFS(receiver)); err != nil {
		t.Fatal(err)
	}
	w := openWorld(t, filepath.Join(base, "index"), &api.Options{Uploads: filepath.Join(base, "uploads")})
	if _, err := w.ws.AddRepo(t.Context(), repo, nil); err != nil {
		t.Fatal(err)
	}
	if code, body := w.post("/documents?filename=a.md", strings.NewReader("# A\n\ntext")); code != http.StatusCreated {
		t.Fatalf("%d %s", code, body)
	}
	ask := func(when string) {
		t.Helper()
		check := func(what string, code int, body []byte) {
			proves := strings.HasPrefix(what, "VerifyAnswer ") || strings.HasPrefix(what, "Recheck ") || strings.HasPrefix(what, "recheck_answer ") // which tell of errors in answers
			if (code >= 400 || proves) && bytes.Contains(body, []byte(base)) {
				t.Errorf("%s: %s: %d %s", when, what, code, body)
			}
		}
		ins := []string{`{}`, `{"query":"pss"}`, `{"path":"pss.py"}`, `{"id":"detect_pss"}`, `{"ids":["detect_pss"]}`, `{"question":"who calls detect_pss"}`, `{"pattern":"pss"}`,
			`{"name":"detect_pss"}`, `{"doc":"a.md"}`, `{"text":"pss"}`,
			`{"text":"It is so [pss.py:1], and so [receiver/pss.py:1], and so [a.md l. 1]."}`, `{"answer":{"format":1,"text":"It is [C1].","items":[{"key":"C1","kind":"text","at":{"path":"pss.py","line":1,"end_line":1},"text":"x"}],"sources":[{"key":"C1","hash":"x"}]}}`,
			`{"answer":"{\"format\":1,\"text\":\"It is [C1].\",\"items\":[{\"key\":\"C1\",\"kind\":\"text\",\"at\":{\"path\":\"pss.py\",\"line\":1},\"text\":\"x\"}]}"}`}
		for _, in := range ins {
			for _, tool := range w.ws.Tools(nil) {
				code, body := w.post("/tools/"+tool.Name, strings.NewReader(in))
				check(tool.Name+" "+in, code, body)
			}
			for _, m := range methods() {
				code, body := w.post("/findspot.v1.Findspot/"+m, strings.NewReader(in))
				check(m+" "+in, code, body)
			}
		}
	}
	if err := os.Rename(repo, repo+"2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(base, "uploads"), filepath.Join(base, "uploads2")); err != nil {
		t.Fatal(err)
	}
	ask("the repository is gone")
	if !strings.Contains(w.log.String(), base) {
		t.Errorf("the log does not say what failed: %s", w.log)
	}
	if err := w.ws.Close(); err != nil {
		t.Fatal(err)
	}
	ask("the workspace is closed")
	if code, body := w.post("/search", strings.NewReader(`{"query":"x"}`)); code != http.StatusInternalServerError || bytes.Contains(body, []byte(base)) {
		t.Errorf("a search: %d %s", code, body)
	}
}

// FuzzBodies: whatever a body holds, the answer is JSON and no error of the server's, and the next request is answered.
func FuzzBodies(f *testing.F) {
	ws, err := findspot.Open(f.Context(), f.TempDir(), &findspot.Options{NoServers: true})
	if err != nil {
		f.Fatal(err)
	}
	s := api.New(ws, &api.Options{Uploads: filepath.Join(f.TempDir(), "uploads")})
	mux := http.NewServeMux()
	s.Register(mux)
	f.Cleanup(func() {
		s.Close()
		ws.Close()
	})
	paths := []string{"/search", "/tools/read", "/tools/search_internal", "/tools/ask", "/tools/index", "/documents?filename=a.md", "/documents?filename=a.html"}
	for _, m := range methods() {
		paths = append(paths, "/findspot.v1.Findspot/"+m)
	}
	for i := range paths {
		f.Add(uint8(i), "application/json", []byte(`{"query":"x"}`))
		f.Add(uint8(i), "application/proto", []byte("\n\x01x"))
		f.Add(uint8(i), "application/octet-stream", []byte("# A\n\ntext"))
		f.Add(uint8(i), "application/connect+json", []byte("\x00\x00\x00\x00\x02{}"))
		f.Add(uint8(i), "text/plain", []byte(strings.Repeat("[", 300)))
	}
	f.Fuzz(func(t *testing.T, path uint8, kind string, body []byte) {
		send := func(path, kind string, body []byte) (int, []byte) { return serveOnce(mux, path, kind, body) }
		code, answer := send(paths[int(path)%len(paths)], kind, body)
		if code == http.StatusInternalServerError || code != http.StatusUnsupportedMediaType && strings.HasSuffix(kind, "/json") && !json.Valid(answer) {
			t.Errorf("%d %s", code, answer)
		}
		if code, answer := send("/search", "application/json", []byte(`{"query":"x"}`)); code != http.StatusOK {
			t.Errorf("a good request: %d %s", code, answer)
		}
	})
}
