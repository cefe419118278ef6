package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/need"
)

// TestCluster runs the commands on documents against a real OpenSearch.
func TestCluster(t *testing.T) {
	urls := need.Server(t, "opensearch", "run .ci/run, which starts one, or .ci/opensearch/nodes")
	prefix := fmt.Sprintf("cli%d-", os.Getpid())
	t.Cleanup(func() {
		for _, k := range driver.Kinds() {
			name := prefix + string(k) + "-v1"
			for _, path := range []string{"/" + name, "/_index_template/findspot-" + name} {
				remove(t, urls[0]+path)
			}
		}
	})
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "cluster"),
		Setup: func(e *testscript.Env) error {
			for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
				e.Setenv(name, filepath.Join(e.WorkDir, ".home"))
			}
			e.Setenv("CLUSTER", strings.Join(urls, ","))
			e.Setenv("PREFIX", prefix)
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// remove removes an index or a template.
func remove(t *testing.T, url string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNotFound {
		t.Errorf("DELETE %s: %s", url, res.Status)
	}
}
