package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/findspotv1/findspotv1connect"
	"github.com/findspot/findspot/examples/serve/proving"
	"github.com/findspot/findspot/internal/typeset"
)

// protocols are all ways to call the service: over HTTP/1.1 and HTTP/2, with and without TLS.
func protocols(t *testing.T, tls bool) map[string]findspotv1connect.FindspotClient {
	t.Helper()
	o := Options{Token: token}
	if tls {
		cfg, _, err := SelfSigned(t.TempDir(), nil)
		if err != nil {
			t.Fatal(err)
		}
		o.TLS = cfg
	}
	_, s := open(t, o)
	url := start(t, s)
	tr := http.DefaultTransport.(*http.Transport).Clone()
	tr.TLSClientConfig.InsecureSkipVerify = true
	var both http.Protocols
	both.SetUnencryptedHTTP2(true)
	both.SetHTTP2(true)
	two := tr.Clone()
	two.Protocols = &both
	t.Cleanup(tr.CloseIdleConnections)
	t.Cleanup(two.CloseIdleConnections)
	out := map[string]findspotv1connect.FindspotClient{}
	for name, o := range map[string][]connect.ClientOption{
		"Connect in protobuf": nil, "Connect in JSON": {connect.WithProtoJSON()}, "Connect by GET": {connect.WithHTTPGet()},
		"gRPC-Web": {connect.WithGRPCWeb()}, "gRPC": {connect.WithGRPC()},
	} {
		without := findspotv1connect.NewFindspotClient(&http.Client{Transport: two}, url, o...)
		if _, err := without.Guide(t.Context(), &findspotv1.GuideRequest{}); connect.CodeOf(err) != connect.CodeUnauthenticated {
			t.Errorf("%s without the token: %v", name, err)
		} else if strings.HasPrefix(name, "Connect in") && !strings.Contains(err.Error(), "a token is needed") {
			t.Errorf("%s without the token is not told so: %v", name, err)
		}
		o = append(o, connect.WithInterceptors(withToken{}))
		out[name+", HTTP/2"] = findspotv1connect.NewFindspotClient(&http.Client{Transport: two}, url, o...)
		if name != "gRPC" {
			out[name+", HTTP/1.1"] = findspotv1connect.NewFindspotClient(&http.Client{Transport: tr}, url, o...)
		}
	}
	return out
}

// withToken brings the token with each call.
type withToken struct{}

func (withToken) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
		r.Header().Set("Authorization", "Bearer "+token)
		return next(ctx, r)
	}
}

func (withToken) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		c := next(ctx, spec)
		c.RequestHeader().Set("Authorization", "Bearer "+token)
		return c
	}
}

func (withToken) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

// TestProtocols: calls, streams and errors pass the guard in every protocol of the service.
func TestProtocols(t *testing.T) {
	for _, tls := range []bool{false, true} {
		for name, c := range protocols(t, tls) {
			if tls {
				name += ", TLS"
			}
			t.Run(name, func(t *testing.T) {
				stream, err := c.AddDocument(t.Context(), &findspotv1.AddDocumentRequest{Name: "a.md", Data: []byte("# A\n\nThe word is quokka.\n")})
				if err != nil {
					t.Fatal(err)
				}
				last := (*findspotv1.AddEvent)(nil)
				for stream.Receive() {
					last = stream.Msg()
				}
				if stream.Err() != nil || last.GetDone() == nil {
					t.Errorf("AddDocument: %v, %v", last, stream.Err())
				}
				stream.Close()
				res, err := c.Search(t.Context(), &findspotv1.SearchRequest{Query: "quokka"})
				if err != nil || len(res.Hits) != 1 {
					t.Errorf("Search: %v, %v", res, err)
				}
				_, err = c.GetDocument(t.Context(), &findspotv1.GetDocumentRequest{Doc: "none"})
				if connect.CodeOf(err) != connect.CodeNotFound {
					t.Errorf("GetDocument: %v", err)
				}
				ask, err := c.Ask(t.Context(), &findspotv1.AskRequest{Question: "what is the word?"})
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				for ask.Receive() {
					n++
				}
				if n == 0 || ask.Err() != nil {
					t.Errorf("Ask: %d events, %v", n, ask.Err())
				}
				ask.Close()
			})
		}
	}
}

// TestDocuments: a document is added, listed, fetched in ranges as it is, and deleted, by plain HTTP.
func TestDocuments(t *testing.T) {
	_, s := open(t, Options{})
	url, c := start(t, s), client(t)
	pdf, err := os.ReadFile(filepath.Join("..", "testdata", "papers", "pss-detection.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	code, text := send(t, c, "POST", url+"/documents?filename=pss.pdf", string(pdf), map[string]string{"Content-Type": "application/pdf"})
	if code != http.StatusCreated {
		t.Fatalf("POST /documents: %d %s", code, text)
	}
	_, id, _ := strings.Cut(text, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	for _, r := range []struct {
		from string
		code int
		want []byte
	}{{"", 200, pdf}, {"bytes=100-199", 206, pdf[100:200]}, {"bytes=99999999-", 416, nil}} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", url+"/documents/"+id+"/file", nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.from != "" {
			req.Header.Set("Range", r.from)
		}
		res, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != r.code || r.want != nil && !bytes.Equal(data, r.want) {
			t.Errorf("%q: %s, %d bytes, %v", r.from, res.Status, len(data), err)
		}
	}
	for _, r := range [][3]string{{"GET", "/documents", "pss.pdf"}, {"GET", "/documents/" + id, "pss.pdf"}, {"DELETE", "/documents/" + id, ""}, {"GET", "/openapi.json", "{"}} {
		if code, text := send(t, c, r[0], url+r[1], "", nil); code != 200 || !strings.Contains(text, r[2]) {
			t.Errorf("%s %s: %d %.200s", r[0], r[1], code, text)
		}
	}
	if code, text := send(t, c, "GET", url+"/documents/"+id, "", nil); code != 404 {
		t.Errorf("after it was deleted: %d %s", code, text)
	}
	if code, _ := send(t, c, "POST", url+"/documents?filename=a.pdf", strings.Repeat("x", 2000), map[string]string{"Content-Type": "application/pdf"}); code == 200 || code == 201 {
		t.Errorf("what is no PDF: %d", code)
	}
}

// A reference that fits several documents is the client's to mend.
func TestAmbiguousDocument(t *testing.T) {
	_, s := open(t, Options{})
	url, c := start(t, s), client(t)
	for _, name := range []string{"plan-a.md", "plan-b.md"} {
		if code, body := send(t, c, "POST", url+"/documents?filename="+name, "timing recovery", map[string]string{"Content-Type": "text/markdown"}); code != http.StatusCreated {
			t.Fatalf("POST /documents %s: %d %s", name, code, body)
		}
	}
	if code, body := send(t, c, "POST", url+"/search", `{"query": "timing", "doc": "plan"}`, nil); code != http.StatusBadRequest || !strings.Contains(body, "plan-a.md") {
		t.Errorf("doc plan: %d %s, want 400 and the candidates", code, body)
	}
}

// TestUploadsStay: what was uploaded is there when the server is started anew, also where answers come from named sources alone, and at once.
func TestUploadsStay(t *testing.T) {
	dir, docs := t.TempDir(), files(t, map[string]string{"own.md": "# Own\n\nThe word is wombat.\n"})
	o := Options{Dir: dir, Sources: Sources{Docs: []string{docs}}}
	t.Run("upload", func(t *testing.T) {
		_, s := open(t, o)
		url, c := start(t, s), client(t)
		if code, text := send(t, c, "POST", url+"/documents?filename=a.md", "# A\n\nThe word is quokka.\n", map[string]string{"Content-Type": "text/markdown"}); code != http.StatusCreated {
			t.Fatalf("%d %s", code, text)
		}
		ready(t, s) // with its own file
	})
	wo := &findspot.Options{NoServers: true}
	o.Scope(wo)
	ws, err := findspot.Open(t.Context(), dir, wo) // before any server mends what it finds
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for _, word := range []string{"quokka", "wombat"} {
		if res, err := ws.SearchDocs(t.Context(), word, nil); err != nil || len(res.Hits) != 1 {
			t.Errorf("%s: %+v, %v", word, res, err)
		}
	}
}

// TestFolders: what the server was started with may be read again by a client, and nothing else of its disk.
func TestFolders(t *testing.T) {
	docs, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(docs, "a.md"), "# A\n\nThe word is quokka.\n")
	write(t, filepath.Join(other, "b.md"), "# B\n\nThe word is numbat.\n")
	_, s := open(t, Options{Sources: Sources{Docs: []string{docs}, NoWatch: true}})
	url := start(t, s)
	ready(t, s)
	c := findspotv1connect.NewFindspotClient(http.DefaultClient, url)
	add := func(path string) error {
		stream, err := c.AddFolder(t.Context(), &findspotv1.AddFolderRequest{Path: path})
		if err != nil {
			return err
		}
		defer stream.Close()
		for stream.Receive() {
		}
		return stream.Err()
	}
	if err := add(docs); err != nil {
		t.Errorf("a folder of the server's own: %v", err)
	}
	if err := add(other); connect.CodeOf(err) != connect.CodePermissionDenied {
		t.Errorf("another folder: %v", err)
	}
}

// TestLongAnswers: an answer file may be longer than other messages, and the service itself says what is too long.
func TestLongAnswers(t *testing.T) {
	_, s := open(t, Options{})
	c := findspotv1connect.NewFindspotClient(http.DefaultClient, start(t, s))
	long := strings.Repeat("It is so. ", 300_000)
	_, err := c.VerifyAnswer(t.Context(), &findspotv1.VerifyAnswerRequest{Text: long})
	if connect.CodeOf(err) != connect.CodeInvalidArgument || !strings.Contains(err.Error(), "1048576 bytes") {
		t.Errorf("a text of %d bytes: %v", len(long), err)
	}
	// A server that links nothing that marks PDFs says so.
	stream, err := c.MarkDocument(t.Context(), &findspotv1.MarkDocumentRequest{Doc: "a", Texts: []string{"x"}})
	if err == nil {
		for stream.Receive() {
			t.Error("it marks")
		}
		err = errors.Join(stream.Err(), stream.Close())
	}
	if connect.CodeOf(err) != connect.CodeUnimplemented || !strings.Contains(err.Error(), "marks no PDFs") {
		t.Errorf("MarkDocument: %v", err)
	}
	if _, err := c.Cite(t.Context(), &findspotv1.CiteRequest{Sentence: long}); connect.CodeOf(err) != connect.CodeResourceExhausted {
		t.Errorf("a sentence of %d bytes: %v", len(long), err)
	}
}

// TestMarked: an agent over MCP has a PDF marked, and the copy is where it is told, for those who may ask.
func TestMarked(t *testing.T) {
	docs, lines := t.TempDir(), []typeset.Line{{Text: "A heron waits at the water."}}
	for name, pdf := range map[string]string{"locked.pdf": typeset.Encrypted(lines), "signed.pdf": typeset.Signed(lines)} {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(pdf), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, s := open(t, Options{Proof: proving.New(nil), Profile: findspot.ProfileFull, Sources: Sources{Docs: []string{filepath.Join("..", "testdata", "papers"), docs}, NoWatch: true}})
	url, c := start(t, s), client(t)
	ready(t, s)
	agent := session(t, c, url)
	for doc, why := range map[string]string{"locked.pdf": "an encrypted file is not marked: take its encryption off", "signed.pdf": "a signed file is not marked, since any change makes its signature void"} {
		if text := call(t, agent, "mark_pdf", map[string]any{"doc": doc, "texts": []string{"heron"}}); !strings.Contains(text, why) || strings.Contains(text, "/marked/") || strings.Contains(text, docs) {
			t.Errorf("mark_pdf of %s says %s", doc, text)
		}
	}
	text := call(t, agent, "mark_pdf", map[string]any{"doc": "pss-detection", "texts": []string{"noise floor"}})
	_, rest, ok := strings.Cut(text, "/marked/")
	if !ok || !strings.Contains(text, "p. 1, l. ") {
		t.Fatalf("mark_pdf says %s", text)
	}
	id, _, _ := strings.Cut(rest, "\n")
	code, body := send(t, c, "GET", url+"/marked/"+id, "", nil)
	original, err := os.ReadFile(filepath.Join("..", "testdata", "papers", "pss-detection.pdf"))
	if err != nil || code != http.StatusOK || !strings.HasPrefix(body, string(original)) || len(body) == len(original) {
		t.Errorf("the copy: %d, %d bytes, %v", code, len(body), err)
	}
	if code, _ := send(t, c, "GET", url+"/marked/none", "", nil); code != http.StatusNotFound {
		t.Errorf("no copy: %d", code)
	}
	if code, _ := send(t, c, "GET", url+"/marked/"+id, "", map[string]string{"Host": "evil.example"}); code == http.StatusOK {
		t.Error("another host's page gets the copy")
	}
}
