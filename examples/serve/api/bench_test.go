//go:build unix

package api_test

import (
	"context"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/findspotv1/findspotv1connect"
)

// BenchmarkCalls is 32 clients that search documents, search code and walk the graph, in turns, over a real network connection. FINDSPOT_BENCH_REPO and
// FINDSPOT_BENCH_DOCS are what they ask about; without them it is the example repository and documents.
func BenchmarkCalls(b *testing.B) {
	repo, docs := os.Getenv("FINDSPOT_BENCH_REPO"), os.Getenv("FINDSPOT_BENCH_DOCS")
	queries, ids := []string{"detect pss", "cell search", "CellSearcher"}, []string{"detect_pss", "CellSearcher"}
	if repo != "" {
		queries, ids = []string{"get_response", "QuerySet", "resolve url pattern", "middleware", "save"}, []string{"django/db/models/query.py:QuerySet.filter", "django/core/handlers/base.py:BaseHandler.get_response"}
	} else {
		repo = receiver
	}
	if docs == "" {
		docs = papers
	}
	for _, p := range []struct {
		name string
		opts []connect.ClientOption
	}{{"JSON", []connect.ClientOption{connect.WithProtoJSON()}}, {"proto", nil}} {
		b.Run(p.name, func(b *testing.B) {
			w := newBench(b, repo, docs)
			const clients = 32
			h := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
			calls := []func(context.Context, findspotv1connect.FindspotClient, int) error{
				func(ctx context.Context, c findspotv1connect.FindspotClient, i int) error {
					_, err := c.Search(ctx, &v1.SearchRequest{Query: []string{"synchronization signals", "correlation", "url pattern", "database query"}[i%4]})
					return err
				},
				func(ctx context.Context, c findspotv1connect.FindspotClient, i int) error {
					_, err := c.SearchCode(ctx, &v1.SearchCodeRequest{Query: queries[i%len(queries)]})
					return err
				},
				func(ctx context.Context, c findspotv1connect.FindspotClient, i int) error {
					_, err := c.Traverse(ctx, &v1.TraverseRequest{Ids: []string{ids[i%len(ids)]}, Direction: []string{"callers", "callees", "users"}[i%3], Limit: 100})
					return err
				},
			}
			took := make([][]time.Duration, len(calls))
			var mu sync.Mutex
			var next atomic.Int64
			var wg sync.WaitGroup
			b.ReportAllocs()
			b.ResetTimer()
			began, before := time.Now(), cpu(b)
			for range clients {
				wg.Go(func() {
					c := findspotv1connect.NewFindspotClient(h, w.url, p.opts...)
					for {
						i := int(next.Add(1))
						if i > b.N {
							return
						}
						t := time.Now()
						if err := calls[i%len(calls)](b.Context(), c, i/len(calls)); err != nil {
							b.Error(err)
							return
						}
						d := time.Since(t)
						mu.Lock()
						took[i%len(calls)] = append(took[i%len(calls)], d)
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			b.ReportMetric(float64((cpu(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op") // clients too; it says more than the rest on a busy machine
			b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "calls/s")
			all := slices.Concat(took...)
			for i, name := range []string{"search", "code", "walk"} {
				b.ReportMetric(p95(took[i]), name+"-p95-ms")
			}
			b.ReportMetric(p95(all), "p95-ms")
		})
	}
}

// cpu is the time that the process has computed.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func p95(d []time.Duration) float64 {
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return float64(d[len(d)*95/100].Microseconds()) / 1000
}

func newBench(b *testing.B, repo, docs string) *world {
	b.Helper()
	w := newWorld(b, nil)
	var once sync.Once
	if _, err := w.ws.AddRepo(b.Context(), repo, nil); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	done, watching := make(chan error, 1), make(chan struct{})
	go func() { done <- w.ws.Watch(ctx, func(*findspot.RepoInfo) { once.Do(func() { close(watching) }) }) }() // as a server does: no call looks at all files then
	b.Cleanup(func() {
		cancel()
		<-done
	})
	<-watching
	for _, err := range w.ws.AddDocs(b.Context(), docs) {
		if err != nil {
			b.Log(err)
		}
	}
	return w
}
