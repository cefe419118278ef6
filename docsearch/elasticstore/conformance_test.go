package elasticstore_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/drivertest"
	"github.com/findspot/findspot/docsearch/elasticstore"
	"github.com/findspot/findspot/docsearch/memstore"
	"github.com/findspot/findspot/internal/need"
)

// cluster returns the addresses of a real OpenSearch.
func cluster(t testing.TB) []string {
	return need.Server(t, "opensearch", "run .ci/run, which starts one, or .ci/opensearch/nodes")
}

var prefixes = func() func(t testing.TB) string {
	n := 0
	return func(t testing.TB) string {
		n++
		return fmt.Sprintf("t%d-%d-", os.Getpid(), n)
	}
}()

// freshPrefix returns a prefix that no library has, and removes what it stands for after the test.
func freshPrefix(t testing.TB, urls []string) string {
	prefix := prefixes(t)
	t.Cleanup(func() {
		for _, k := range driver.Kinds() {
			name := prefix + string(k) + "-v1"
			for _, path := range []string{"/" + name, "/_index_template/findspot-" + name} {
				if code, body := request(t, http.MethodDelete, urls[0]+path, ""); code != http.StatusOK && code != http.StatusNotFound {
					t.Errorf("DELETE %s: %d %s", path, code, body)
				}
			}
		}
	})
	return prefix
}

// request speaks with a server beside the store.
func request(t testing.TB, method, url, body string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(data)
}

func open(t testing.TB, urls []string, o *elasticstore.Options) driver.Store {
	t.Helper()
	s, err := elasticstore.New(t.Context(), urls, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func maker(o elasticstore.Options) drivertest.Maker {
	return func(t testing.TB) driver.Store {
		urls := cluster(t)
		own := o
		own.Prefix = freshPrefix(t, urls)
		return open(t, urls, &own)
	}
}

func reference(testing.TB) driver.Store { return memstore.New() }

func TestConformance(t *testing.T) {
	cluster(t)
	t.Run("plain", func(t *testing.T) { drivertest.Run(t, maker(elasticstore.Options{}), reference) })
	// Several shards, small requests, compressed.
	t.Run("spread", func(t *testing.T) {
		drivertest.Run(t, maker(elasticstore.Options{Shards: 3, BulkBytes: 2000, Gzip: true}), reference)
	})
}

func BenchmarkStore(b *testing.B) { drivertest.Benchmark(b, maker(elasticstore.Options{})) }
