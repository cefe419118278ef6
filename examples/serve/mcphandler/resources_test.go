package mcphandler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/leak"
	"github.com/findspot/findspot/skill"
)

func TestAddress(t *testing.T) {
	for _, a := range []address{{doc: "a1b2"}, {doc: "a1b2", page: 7}, {doc: "a1b2", section: "5.3.5.3"}, {doc: "a/b c", section: "An heading/with: odd? #marks% é"}, {entity: "path/file.py:Class.method"},
		{entity: "lib//a b.py:f#2"}, {entity: "/"}, {entity: "a.go:T[int]"}} {
		got, err := parseAddress(a.String())
		if err != nil || got != a {
			t.Errorf("%s = %+v, %v, want %+v", a, got, err, a)
		}
	}
	if got, err := parseAddress("findspot://code/a.py:f#2"); err != nil || got.entity != "a.py:f#2" {
		t.Errorf("what stands unescaped: %+v, %v", got, err)
	}
	for _, bad := range []string{"", "findspot://", "findspot://doc", "findspot://doc/", "findspot://doc/a/page/0", "findspot://doc/a/page/x", "findspot://doc/a/line/1", "findspot://doc/a/section/", "findspot://other/a", "file:///etc/passwd", "findspot://code/", "findspot://doc/%zz"} {
		if got, err := parseAddress(bad); err == nil {
			t.Errorf("%q = %+v, want an error", bad, got)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, s := range []string{"findspot://doc/a/page/1", "findspot://code/a.py:f#2", "findspot://doc/a/section/%2F"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		a, err := parseAddress(uri)
		if err != nil {
			return
		}
		if again, err := parseAddress(a.String()); err != nil || again != a {
			t.Errorf("%q = %+v, written %q = %+v, %v", uri, a, a, again, err)
		}
	})
}

// TestReadGoesOnAfterItsTime: what the tool finds out after its call has ended is nobody's any more (the race detector sees it).
func TestReadGoesOnAfterItsTime(t *testing.T) {
	leak.Check(t)
	h := handler(t, workspace(t, nil), &Options{Timeout: 20 * time.Millisecond})
	free := make(chan struct{})
	s := connect(t, h, nil)
	h.mu.Lock()
	for _, own := range h.sessions {
		own.read = func() skill.Tool {
			return skill.Tool{Name: "read", Call: func(context.Context, json.RawMessage) (*skill.Result, error) {
				<-free
				return nil, fmt.Errorf("x: %w", findspot.ErrNotFound)
			}}
		}
	}
	h.mu.Unlock()
	time.AfterFunc(lastWord+500*time.Millisecond, func() { close(free) }) // by the clock: what waited for the answer would come after it in order
	if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "findspot://code/a.py:x"}); err == nil || !strings.Contains(err.Error(), "no answer after 20ms") {
		t.Errorf("ReadResource = %v", err)
	}
}

// TestResources lists and reads every kind.
func TestResources(t *testing.T) {
	ws := workspace(t, nil)
	notes := t.TempDir()
	secret := "AKIA" + "IOSFODNN7ABCDEFG"
	for name, text := range map[string]string{"n.md": "# One\n\nFirst words.\n\n## Two / Three\n\nSecond words " + secret + ".\n"} {
		if err := os.WriteFile(filepath.Join(notes, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range ws.AddDocs(t.Context(), notes) {
		if err != nil {
			t.Fatal(err)
		}
	}
	s := connect(t, handler(t, ws, nil), nil)
	list, err := s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	uri := ""
	for _, r := range list.Resources {
		if r.Name == "" || r.Title == "" || r.MIMEType != plainText {
			t.Errorf("resource %+v", r)
		}
		if r.Name == "n.md" {
			uri = r.URI
		}
	}
	if last := list.Resources[len(list.Resources)-1]; last.Title != "Repository receiver" {
		t.Errorf("the last resource is %+v, want the repository", last)
	}
	read := func(uri string) string {
		t.Helper()
		res, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatalf("%s: %v", uri, err)
		}
		return res.Contents[0].Text
	}
	whole := read(uri)
	section := uri + "/section/Two%20/%20Three"
	for want, from := range map[string]string{
		"First words": whole, section + " Two / Three": whole, "[D1]": whole, "Second words": read(section), "def detect_pss": read("findspot://code/receiver/pss.py:detect_pss"),
		"First": read(uri + "/page/1"), "# One": read("findspot://doc/n.md"),
	} {
		if !strings.Contains(from, want) {
			t.Errorf("no %q in %s", want, from)
		}
	}
	if strings.Contains(whole, secret) || !strings.Contains(whole, "<data ") {
		t.Errorf("a document is given out without mask or marks: %s", whole)
	}
	for _, missing := range []string{uri + "/page/99", uri + "/section/None", "findspot://doc/none", "findspot://code/no/such.py", "findspot://nothing/here"} {
		_, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: missing})
		if wire, ok := errors.AsType[*jsonrpc.Error](err); !ok || wire.Code != mcp.CodeResourceNotFound {
			t.Errorf("%s = %v, want the protocol's error", missing, err)
		}
	}
	for _, outside := range []string{"findspot://code/../../../../etc/passwd", "findspot://code//etc/passwd", "findspot://code/%2e%2e/%2e%2e/go.mod", "findspot://doc/..%2f..%2fgo.mod", "findspot://code/.git/config"} {
		if res, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: outside}); err == nil {
			t.Errorf("%s was read: %.200s", outside, res.Contents[0].Text)
		}
	}
	root := list.Resources[len(list.Resources)-1].URI
	if text := read(root); !strings.Contains(text, "receiver") {
		t.Errorf("the repository's root %s = %s", root, text)
	}
	if _, err := s.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: "!"}); err == nil {
		t.Error("a cursor that is none is taken")
	}
}

// TestPages: a long list comes in parts, each resource once.
func TestPages(t *testing.T) {
	ws := workspace(t, nil)
	many := t.TempDir()
	const n = 2*pageSize + 5
	for i := range n {
		if err := os.WriteFile(filepath.Join(many, fmt.Sprintf("n%04d.md", i)), []byte(fmt.Sprintf("# Note %d\n\nText.\n", i)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range ws.AddDocs(t.Context(), many) {
		if err != nil {
			t.Fatal(err)
		}
	}
	s := connect(t, handler(t, ws, nil), nil)
	seen := map[string]bool{}
	parts := 0
	for cursor := ""; ; {
		list, err := s.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		parts++
		for _, r := range list.Resources {
			if seen[r.URI] {
				t.Errorf("%s is there twice", r.URI)
			}
			seen[r.URI] = true
		}
		if len(list.Resources) > pageSize+1 {
			t.Errorf("a part has %d", len(list.Resources))
		}
		if cursor = list.NextCursor; cursor == "" {
			break
		}
	}
	if parts != 3 || len(seen) < n+2 {
		t.Errorf("%d resources in %d parts", len(seen), parts)
	}
}

func TestCompletion(t *testing.T) {
	ws := workspace(t, nil)
	s := connect(t, handler(t, ws, nil), nil)
	lib, err := ws.Docs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := lib.Resolve(t.Context(), "sync-raster.pdf")
	if err != nil {
		t.Fatal(err)
	}
	complete := func(template, name, value string, of map[string]string) mcp.CompletionResultDetails {
		t.Helper()
		p := &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/resource", URI: template}, Argument: mcp.CompleteParamsArgument{Name: name, Value: value}}
		if of != nil {
			p.Context = &mcp.CompleteContext{Arguments: of}
		}
		res, err := s.Complete(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return res.Completion
	}
	if got := complete(docTemplate, "id", doc.ID[:6], nil); !slices.Equal(got.Values, []string{doc.ID}) {
		t.Errorf("an id: %+v", got)
	}
	if got := complete(docTemplate, "id", "Sync-Ras", nil); !slices.Contains(got.Values, doc.ID) {
		t.Errorf("a name: %+v", got)
	}
	if got := complete(pageTemplate, "page", "", map[string]string{"id": doc.ID}); len(got.Values) != doc.Pages || got.Values[0] != "1" {
		t.Errorf("pages: %+v, want %d", got, doc.Pages)
	}
	sections, err := lib.Sections(t.Context(), doc.ID)
	if err != nil || len(sections) == 0 {
		t.Fatal(err)
	}
	if got := complete(sectionTemplate, "section", "", map[string]string{"id": doc.ID}); len(got.Values) != len(sections) {
		t.Errorf("sections: %+v, want %d", got, len(sections))
	}
	if got := complete(codeTemplate, "entity", "receiver/pss.py:detect", nil); !slices.Contains(got.Values, "receiver/pss.py:detect_pss") {
		t.Errorf("an entity: %+v", got)
	}
	if got := complete(codeTemplate, "entity", "detect_ps", nil); !slices.Contains(got.Values, "receiver/pss.py:detect_pss") {
		t.Errorf("an entity's name: %+v", got)
	}
	for _, none := range []mcp.CompletionResultDetails{complete(pageTemplate, "page", "", nil), complete(pageTemplate, "page", "1", map[string]string{"id": "no such"}), complete(codeTemplate, "other", "x", nil)} {
		if len(none.Values) != 0 || none.HasMore {
			t.Errorf("of what is not known: %+v", none)
		}
	}
	c := &completions{}
	for i := range 3 * maxCompletions {
		c.add(fmt.Sprint(i))
	}
	c.add("no\u202evalue")
	if data, err := json.Marshal(c.values); err != nil || len(c.values) != maxCompletions || c.total != 3*maxCompletions+1 {
		t.Errorf("%d values of %d: %s, %v", len(c.values), c.total, data, err)
	}
}
