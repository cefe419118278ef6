package lspclient

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/lspclient/internal/documents"
	"github.com/findspot/findspot/lspclient/internal/edit"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/questions"
	"github.com/findspot/findspot/lspclient/internal/ready"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbols"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// bareSession is one with no server behind it, enough to convert answers.
func bareSession(t testing.TB) *session.Session {
	t.Helper()
	c, err := Open(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	spec := c.pool.Registry.Specs[0]
	s := &session.Session{
		Server: &session.Server{Pool: c.pool, Spec: spec, Folder: c.pool.Tree.Root()},
		Ready:  ready.New(spec), Encoding: source.UTF16, Settings: session.Settings{Spec: spec, Install: &registry.Install{}},
	}
	s.Documents = documents.New(s, spec, c.pool.Tree.Root(), c.pool.Tree, s.Ready, nil)
	return s
}

// decodeAnswer takes an answer through what a question of that method does with it. It reports the decoding error, and
// how many places or symbols there were.
func decodeAnswer(s *session.Session, method string, raw json.RawMessage) (int, error) {
	conv := s.Converter()
	switch method {
	case protocol.MethodInitialize:
		var r wire.InitializeResult
		err := jsonrpc.Decode(raw, &r)
		for _, name := range []string{protocol.MethodTextDocumentReferences, protocol.MethodTextDocumentRename} {
			(&session.Session{Server: s.Server, Caps: r.Capabilities}).Offers(name)
		}
		return 1, err
	case protocol.MethodTextDocumentDefinition, protocol.MethodTextDocumentTypeDefinition,
		protocol.MethodTextDocumentImplementation, protocol.MethodTextDocumentReferences:
		var r wire.Locations
		err := jsonrpc.Decode(raw, &r)
		for _, p := range r.List {
			conv.Location(p.URI, p.Range)
		}
		return len(r.List) + r.Lost.Count, err
	case protocol.MethodTextDocumentDocumentSymbol:
		var r wire.Symbols
		err := jsonrpc.Decode(raw, &r)
		conv.Symbols(filepath.Join(s.Server.Folder, "x"), r)
		return len(r.List), err
	case protocol.MethodWorkspaceSymbol:
		var r wire.Symbols
		err := jsonrpc.Decode(raw, &r)
		symbols.WorkspaceSymbols(s, r)
		return len(r.List), err
	case protocol.MethodTextDocumentHover:
		var r wire.Hover
		err := jsonrpc.Decode(raw, &r)
		return min(len(r.Text), 1), err
	case protocol.MethodTextDocumentPrepareCallHierarchy:
		var r wire.CallItems
		err := jsonrpc.Decode(raw, &r)
		return len(r.Items), err
	case protocol.MethodCallHierarchyIncomingCalls, protocol.MethodCallHierarchyOutgoingCalls:
		var r wire.Calls
		err := jsonrpc.Decode(raw, &r)
		questions.ConvertCalls(session.Reply[questions.Called]{Session: s, Value: questions.Called{Ends: r.Ends}})
		return len(r.Ends), err
	case protocol.MethodTextDocumentDiagnostic:
		var r wire.DiagnosticReport
		err := jsonrpc.Decode(raw, &r)
		for _, d := range r.Items {
			questions.ConvertDiagnostic(conv, "file:///x", d)
		}
		return len(r.Items), err
	case protocol.MethodTextDocumentPublishDiagnostics:
		var r wire.PublishedDiagnostics
		err := jsonrpc.Decode(raw, &r)
		if path, ok := source.PathOf(r.URI); ok {
			s.Documents.Published.Watch(path)
			s.Documents.Published.Shown(path, int32(r.Version.N), 0)
		}
		s.Serve(method, raw)
		for _, d := range r.Items {
			questions.ConvertDiagnostic(conv, r.URI, d)
		}
		return len(r.Items), err
	case protocol.MethodTextDocumentPrepareRename:
		var r wire.PreparedRename
		return 0, jsonrpc.Decode(raw, &r)
	case protocol.MethodTextDocumentRename:
		var r edit.WorkspaceEdit
		err := jsonrpc.Decode(raw, &r)
		p := edit.NewPreview(s.Server.Pool)
		if p.Add(s, r) == nil {
			p.Files(3)
		}
		return len(r.Changes), err
	}
	var r any
	return 0, json.Unmarshal(raw, &r)
}

// TestCaptured: every answer that real servers have given decodes, and no list comes out shorter than it is.
func TestCaptured(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(need.Shared(t, "lsp", "captured"), "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatal("no captured answers", err)
	}
	s := bareSession(t)
	answers, malformed := 0, 0
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, jsonrpc.MaxBody)
		for n := 1; lines.Scan(); n++ {
			var m struct {
				Method string
				Result json.RawMessage
			}
			if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
				t.Fatalf("%s:%d: %v", path, n, err)
			}
			answers++
			got, err := decodeAnswer(s, m.Method, m.Result)
			if m.Method == protocol.MethodTextDocumentDiagnostic && strings.Contains(string(m.Result), `"kind":""`) {
				// gopls gives this when it was not set up to be asked: a report that says nothing about the file.
				malformed++
				if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), `of kind ""`) {
					t.Errorf("%s:%d: %s: %v, want ErrFormat with the kind", filepath.Base(path), n, m.Method, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s:%d: %s: %v: %s", filepath.Base(path), n, m.Method, err, excerpt.Clip(string(m.Result), 300))
				continue
			}
			var list []json.RawMessage
			if json.Unmarshal(m.Result, &list) == nil && len(list) > 0 && got == 0 && isListed(m.Method) {
				t.Errorf("%s:%d: %s: a list of %d came out empty", filepath.Base(path), n, m.Method, len(list))
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d answers in %d files, %d malformed", answers, len(files), malformed)
}

func isListed(method string) bool {
	switch method {
	case protocol.MethodTextDocumentDefinition, protocol.MethodTextDocumentReferences, protocol.MethodTextDocumentDocumentSymbol,
		protocol.MethodWorkspaceSymbol, protocol.MethodTextDocumentTypeDefinition, protocol.MethodTextDocumentImplementation,
		protocol.MethodTextDocumentPrepareCallHierarchy, protocol.MethodCallHierarchyIncomingCalls, protocol.MethodCallHierarchyOutgoingCalls:
		return true
	}
	return false
}

// FuzzAnswers: no answer, however wrong, makes a panic or a location that no editor could show.
func FuzzAnswers(f *testing.F) {
	methods := []string{
		protocol.MethodInitialize, protocol.MethodTextDocumentDefinition, protocol.MethodTextDocumentReferences,
		protocol.MethodTextDocumentDocumentSymbol, protocol.MethodWorkspaceSymbol, protocol.MethodProgress,
		protocol.MethodWorkspaceConfiguration, protocol.MethodWindowLogMessage, protocol.MethodTextDocumentHover,
		protocol.MethodTextDocumentPrepareCallHierarchy, protocol.MethodCallHierarchyIncomingCalls, protocol.MethodTextDocumentDiagnostic,
		protocol.MethodTextDocumentPublishDiagnostics, protocol.MethodTextDocumentPrepareRename, protocol.MethodTextDocumentRename,
		protocol.MethodClientRegisterCapability,
	}
	const rng = `{"start":{"line":0,"character":4},"end":{"line":0,"character":9}}`
	for i, seed := range []string{
		`{"capabilities":{"positionEncoding":"utf-8","definitionProvider":true,"referencesProvider":{}}}`,
		`[{"targetUri":"file:///x","targetRange":` + rng + `,"targetSelectionRange":` + rng + `}]`,
		`[{"uri":"file:///x%00","range":` + rng + `}]`,
		`[{"name":"f()","kind":99,"range":` + rng + `,"selectionRange":` + rng + `,"children":[]}]`,
		`[{"name":"f","kind":5,"containerName":"m","location":{"uri":"file:///x"}}]`,
		`{"token":1,"value":{"kind":"begin","title":"t","percentage":-1e9}}`,
		`{"items":[{"section":"a.b"}]}`,
		`{"message":3}`,
		`{"contents":[{"language":"go","value":"x"},"y",{"kind":"plaintext","value":"z"}]}`,
		`[{"name":"f","kind":12,"uri":"file:///x","range":` + rng + `,"selectionRange":` + rng + `,"data":[1]}]`,
		`[{"from":{"name":"f","kind":12,"uri":"file:///x","range":` + rng + `},"fromRanges":[` + rng + `,{}]}]`,
		`{"kind":"full","items":[{"range":` + rng + `,"message":"m","code":{"value":1},"tags":[1],"relatedInformation":[{"location":{"uri":"x"}}]}]}`,
		`{"uri":"file:///x","version":"3","diagnostics":[{"range":` + rng + `,"message":{"kind":"markdown","value":"m"}}]}`,
		`{"range":` + rng + `,"placeholder":"f"}`,
		`{"documentChanges":[{"kind":"rename","oldUri":"file:///x","newUri":"file:///y"},{"textDocument":{"uri":"file:///y","version":1},"edits":[{"range":` + rng + `,"newText":"g\n"}]}],"changes":{}}`,
		`{"registrations":[{"id":"1","method":"textDocument/diagnostic","registerOptions":{"identifier":"x"}}]}`,
	} {
		f.Add(i, []byte(seed))
	}
	s := bareSession(f)
	text := source.NewText([]byte("é📡 alpha\r\nlast"))
	f.Fuzz(func(t *testing.T, i int, raw []byte) {
		if i < 0 || i >= len(methods) {
			return
		}
		if _, err := decodeAnswer(s, methods[i], raw); err == nil && methods[i] == protocol.MethodTextDocumentReferences {
			var r wire.Locations
			if err := jsonrpc.Decode(raw, &r); err != nil {
				t.Fatal(err)
			}
			for _, p := range r.List {
				if loc, ok := s.Converter().RangeIn(text, p.Range); ok && (!loc.Valid() || loc.EndLine > len(text.Starts)) {
					t.Fatalf("%+v is %+v", p.Range, loc)
				}
			}
		}
		s.Serve(methods[i], raw)
		if !bytes.Contains(raw, []byte(`"begin"`)) {
			s.Ready.Status()
		}
	})
}

func TestPaths(t *testing.T) {
	for _, path := range []string{"/a/b.go", "/a b/ü#?%.py", "/x:y/@z", "/📡"} {
		if back, ok := source.PathOf(source.FileURI(path)); !ok || filepath.ToSlash(back) != path {
			t.Errorf("pathOf(uriOf(%q)) = %q, %v", path, back, ok)
		}
	}
	for _, uri := range []string{"", "http://x/y", "file://host/x", "file:x", "file:///a%00b", "jdt://x", ":", "%"} {
		if path, ok := source.PathOf(uri); ok {
			t.Errorf("pathOf(%q) = %q, want none", uri, path)
		}
	}
	if got := source.FileURI("/a b"); !strings.HasSuffix(got, "/a%20b") {
		t.Errorf("uriOf = %q", got)
	}
}
