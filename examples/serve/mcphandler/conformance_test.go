package mcphandler

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/need"
)

const (
	noSubscriptions = "the server declares no subscriptions to resources"
	noTasks         = "an extension that the server does not declare"
	ofHTTP          = "it is about HTTP itself"
)

// notApplying are the scenarios of the official suite that do not apply, by the beginnings of their names, each with the reason. All others must pass.
var (
	notApplying  = map[string]string{"resources-subscribe": noSubscriptions, "resources-unsubscribe": noSubscriptions, "tasks-": noTasks, "sep-2640-": noTasks}
	notOverLines = map[string]string{
		"server-session-lifecycle": ofHTTP, "server-sse-polling": ofHTTP, "server-sse-multiple-streams": ofHTTP, "dns-rebinding-protection": ofHTTP,
		"http-header-validation": ofHTTP, "http-custom-header-server-validation": ofHTTP, "server-stateless": ofHTTP,
	}
)

// TestConformance runs the official suite against the handler over streamable HTTP, and over lines, behind a bridge of the test since the suite speaks HTTP alone.
func TestConformance(t *testing.T) {
	suite := need.Tool(t, "mcp-conformance", "--version")
	feed := NewFeed(nil)
	h := handler(t, workspace(t, nil), &Options{Feed: feed})
	addFixtures(h)
	all := maps.Clone(notApplying)
	maps.Copy(all, notOverLines)
	for _, over := range []struct {
		name    string
		serve   http.Handler
		without map[string]string
		least   int
	}{
		{"HTTP", h, notApplying, 50},
		{"lines", &bridge{t: t, h: h, sessions: map[string]*line{}}, all, 43},
	} {
		t.Run(over.name, func(t *testing.T) {
			s := httptest.NewServer(over.serve)
			defer s.Close()
			defer s.CloseClientConnections()
			passed := 0
			for name, bad := range scenarios(t, suite, s.URL) {
				why := ""
				for begin, reason := range over.without {
					if name == begin || strings.HasSuffix(begin, "-") && strings.HasPrefix(name, begin) {
						why = reason
					}
				}
				switch {
				case why != "":
					t.Logf("%s does not apply: %s", name, why)
				case len(bad) > 0:
					t.Errorf("%s:\n%s", name, strings.Join(bad, "\n"))
				default:
					passed++
				}
			}
			t.Logf("%d scenarios passed", passed)
			if passed < over.least {
				t.Errorf("%d scenarios passed, there were %d once: does the suite run?", passed, over.least)
			}
		})
	}
}

var stamped = regexp.MustCompile(`^server-(.+)-\d{4}-\d{2}-\d{2}T.*$`)

// scenarios runs the suite and returns what failed in each scenario.
func scenarios(t *testing.T, suite, url string) map[string][]string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	dir := t.TempDir()
	cmd := exec.CommandContext(ctx, suite, "server", "--url", url, "--suite", "all", "--output-dir", dir)
	cmd.Dir = dir
	log, runErr := cmd.CombinedOutput() // its status is that something failed, maybe what does not apply
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the suite left nothing: %v, %v\n%s", runErr, err, log)
	}
	out := map[string][]string{}
	for _, file := range files {
		m := stamped.FindStringSubmatch(filepath.Base(filepath.Dir(file)))
		data, err := os.ReadFile(file)
		if err != nil || m == nil {
			t.Fatal(file, err)
		}
		var checks []struct{ ID, Status, ErrorMessage string }
		if err := json.Unmarshal(data, &checks); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out[m[1]] = nil
		if len(checks) == 0 {
			out[m[1]] = []string{"nothing was checked"}
		}
		for _, c := range checks {
			if !slices.Contains([]string{"SUCCESS", "INFO", "SKIPPED", "WARNING"}, c.Status) {
				out[m[1]] = append(out[m[1]], c.ID+": "+c.Status+": "+c.ErrorMessage)
			}
		}
	}
	return out
}
