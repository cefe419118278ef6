package clients_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/api"
	"github.com/findspot/findspot/internal/home"
	"github.com/findspot/findspot/internal/need"
)

func TestMain(m *testing.M) { os.Exit(home.Run(m)) }

// serve starts a service over the example repository.
func serve(t *testing.T) (url string) {
	t.Helper()
	feed := &api.Feed{}
	ws, err := findspot.Open(t.Context(), t.TempDir(), &findspot.Options{NoServers: true, Progress: feed.Report})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ws.AddRepo(t.Context(), filepath.Join("..", "testdata", "receiver"), nil); err != nil {
		t.Fatal(err)
	}
	s := api.New(ws, &api.Options{Feed: feed, Uploads: filepath.Join(t.TempDir(), "uploads")})
	mux := http.NewServeMux()
	s.Register(mux)
	srv := httptest.NewServer(mux)
	t.Cleanup(func() {
		srv.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	return srv.URL
}

func TestPython(t *testing.T) {
	tryClient(t, need.Tool(t, "python3", "--version"), filepath.Join("python", "client.py"))
}

func TestTypeScript(t *testing.T) {
	node := need.Tool(t, "node", "--version")
	client := filepath.Join("typescript", "client.ts")
	if exec.CommandContext(t.Context(), node, "--experimental-strip-types", "--no-warnings", "-e", "0").Run() == nil { // from 22.6 on it runs TypeScript itself
		tryClient(t, node, "--experimental-strip-types", "--no-warnings", client)
		return
	}
	tsc := need.Tool(t, "tsc", "--version")
	out := t.TempDir()
	// The types of node's own modules are not there to check with: .ci/run does that.
	cmd := exec.CommandContext(t.Context(), tsc, "--ignoreConfig", "--target", "es2022", "--module", "nodenext", "--noCheck", "--types", "", "--outDir", out, client)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if err := os.WriteFile(filepath.Join(out, "package.json"), []byte(`{"type": "module"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	tryClient(t, node, filepath.Join(out, "client.js"))
}

// tryClient adds documents and asks, as its readers do.
func tryClient(t *testing.T, program string, args ...string) {
	t.Helper()
	url := serve(t)
	run := func(more ...string) (stdout, stderr string, err error) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, append(append([]string(nil), args...), more...)...)
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		err = cmd.Run()
		return out.String(), errs.String(), err
	}
	papers, err := filepath.Glob(filepath.Join("..", "testdata", "papers", "*.pdf"))
	if err != nil || len(papers) < 2 {
		t.Fatalf("papers: %v, %v", papers, err)
	}
	out, errs, err := run(append([]string{url, "add"}, papers...)...)
	if err != nil || strings.Count(out, " added ") != len(papers) || !strings.Contains(errs, "pss-detection.pdf: page ") {
		t.Errorf("add: %v: %s%s", err, out, errs)
	}
	out, errs, err = run(url, "ask", "how is the PSS detected, and who calls detect_pss?")
	if err != nil || errs != "" || !strings.Contains(out, "[D1] ") || !strings.Contains(out, ".pdf p. ") || !strings.Contains(out, "[C1] receiver/pss.py:") {
		t.Errorf("ask: %v: %s%s", err, out, errs)
	}
	broken := filepath.Join(t.TempDir(), "broken.pdf")
	if err := os.WriteFile(broken, []byte("%PDF-1.4 and no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, err := run(url, "add", broken); err == nil || !strings.Contains(errs, "invalid_argument: ") {
		t.Errorf("a broken file: %v: %s%s", err, out, errs)
	}
	if _, _, err := run(url); err == nil {
		t.Error("without a command it ends well")
	}
}
