package claude_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/claude"
)

// TestExchanges replays the exchanges of testdata over a local server.
func TestExchanges(t *testing.T) {
	files, err := filepath.Glob("testdata/exchanges/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no exchanges: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { exchange(t, file) })
	}
}

func exchange(t *testing.T, file string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ar := txtar.Parse(raw)
	part := func(name string) string {
		for _, f := range ar.Files {
			if f.Name == name {
				return string(f.Data)
			}
		}
		return ""
	}
	var sent []byte
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ = io.ReadAll(r.Body) // a body that is cut shows in the comparison
		head, body, _ := strings.Cut(part("answer"), "\n\n")
		lines := strings.Split(head, "\n")
		for _, l := range lines[1:] {
			k, v, _ := strings.Cut(l, ": ")
			w.Header().Set(k, v)
		}
		status, err := strconv.Atoi(lines[0])
		if err != nil {
			t.Errorf("%s: the answer begins with no status", file)
			status = 500
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	defer srv.Close()

	var req skill.Request
	if err := json.Unmarshal([]byte(part("request.json")), &req); err != nil {
		t.Fatal(err)
	}
	o := &claude.Options{BaseURL: srv.URL + "", Key: "sk-test-0123456789", Retries: -1, Writer: "writer-1"}
	if opt := part("options.json"); opt != "" {
		if err := json.Unmarshal([]byte(opt), o); err != nil {
			t.Fatal(err)
		}
	}
	m, err := claude.New("model-1", o)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := skill.Collect(m.Generate(t.Context(), &req))
	got := map[string]string{"sent.json": indent(t, sent)}
	if err != nil {
		got["error"] = err.Error() + "\n"
	} else {
		j, err := json.Marshal(reply)
		if err != nil {
			t.Fatal(err)
		}
		got["reply.json"] = indent(t, j)
	}
	if golden.Updating() {
		kept := ar.Files[:0:0]
		for _, f := range ar.Files {
			if f.Name != "sent.json" && f.Name != "reply.json" && f.Name != "error" {
				kept = append(kept, f)
			}
		}
		ar.Files = kept
		for _, name := range []string{"sent.json", "reply.json", "error"} {
			if got[name] != "" {
				ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(got[name])})
			}
		}
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range []string{"sent.json", "reply.json", "error"} {
		if diff := cmp.Diff(part(name), got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func indent(t *testing.T, j []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(j, &v); err != nil {
		t.Fatalf("no JSON: %v: %s", err, j)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
