package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docs/bench/internal/cpu"
	"github.com/findspot/findspot/examples/serve"
	"github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/findspotv1/findspotv1connect"
)

// words are what is searched for: names and phrases of Django, some of which other code has too.
var words = []string{
	"QuerySet filter", "Model save", "resolve url", "template render", "migration operation", "cache get", "HttpResponse", "middleware", "form validation", "get_queryset",
	"authenticate user", "admin site register", "signal dispatch", "compile sql query", "ForeignKey", "session store", "parse cookie", "translate text", "run_command", "file upload handler",
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "serveload:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	url := flag.String("url", "", "address of a server that runs (default: one is started)")
	profile := flag.String("profile", "", "file for a profile of the processors")
	repo := flag.String("repo", "", "repository to answer from")
	docs := flag.String("docs", "", "folder of documents to answer from")
	dir := flag.String("dir", "", "folder of the index (default: a temporary one)")
	clients := flag.Int("clients", 32, "clients at once")
	long := flag.Duration("for", 15*time.Second, "time of each measurement")
	flag.Parse()
	if *url == "" {
		end, addr, err := start(ctx, *dir, *repo, *docs)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, end()) }()
		*url = addr
	}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	fmt.Printf("%d cores, %s/%s, %s, %d clients, %s each\n\n| call | protocol | calls a second | median | p95 | p99 | most | failed | processor a call |\n|---|---|---|---|---|---|---|---|---|\n", runtime.GOMAXPROCS(0), runtime.GOOS, runtime.GOARCH, runtime.Version(), *clients, *long)
	for _, p := range []struct {
		name    string
		options []connect.ClientOption
		h2      bool
	}{
		{"Connect, JSON, HTTP/1.1", []connect.ClientOption{connect.WithProtoJSON()}, false},
		{"Connect, protobuf, HTTP/1.1", nil, false},
		{"gRPC, HTTP/2", []connect.ClientOption{connect.WithGRPC()}, true},
	} {
		if err := measure(ctx, *url, p.name, p.options, p.h2, *clients, *long); err != nil {
			return err
		}
	}
	fmt.Printf("\n| tool over MCP, HTTP, one client | calls | median | p95 | p99 | most |\n|---|---|---|---|---|---|\n")
	return overMCP(ctx, *url, *long)
}

// start starts a server over the sources, and returns what ends it, and its address, when the sources are read.
func start(ctx context.Context, dir, repo, docs string) (end func() error, addr string, err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp("", "findspot-bench"); err != nil {
			return nil, "", err
		}
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	o := serve.Options{Dir: dir, Logger: log}
	if repo != "" {
		o.Sources.Repos = []string{repo}
	}
	if docs != "" {
		o.Sources.Docs = []string{docs}
	}
	ws, err := findspot.Open(ctx, dir, &findspot.Options{NoServers: true, Logger: log})
	if err != nil {
		return nil, "", err
	}
	s, err := serve.New(ws, &o)
	if err != nil {
		return nil, "", errors.Join(err, ws.Close())
	}
	ln, err := serve.Listen("127.0.0.1:0", &o)
	if err != nil {
		return nil, "", errors.Join(err, s.Close(), ws.Close())
	}
	serving, stop := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.Serve(serving, ln) }()
	end = func() error {
		stop()
		return errors.Join(<-done, ws.Close())
	}
	if err := s.Ready(ctx); err != nil {
		return nil, "", errors.Join(err, end())
	}
	return end, "http://" + ln.Addr().String(), nil
}

// A call is one kind of call; i tells one from the next.
type call struct {
	name string
	do   func(ctx context.Context, c findspotv1connect.FindspotClient, i int) error
}

// measure prints the rows of one protocol.
func measure(ctx context.Context, url, protocol string, options []connect.ClientOption, h2 bool, clients int, long time.Duration) error {
	client := func() findspotv1connect.FindspotClient { // each has connections of its own
		t := &http.Transport{MaxIdleConnsPerHost: 2}
		if h2 {
			var p http.Protocols
			p.SetUnencryptedHTTP2(true)
			t.Protocols = &p
		}
		return findspotv1connect.NewFindspotClient(&http.Client{Transport: t}, url, options...)
	}
	var ids []string
	first := client()
	for _, w := range words {
		res, err := first.SearchCode(ctx, &findspotv1.SearchCodeRequest{Query: w, Limit: 5})
		if err != nil {
			return err
		}
		for _, h := range res.Hits {
			ids = append(ids, h.Id)
		}
	}
	if len(ids) == 0 {
		return errors.New("nothing is found in the code: give a repository")
	}
	search := func(ctx context.Context, c findspotv1connect.FindspotClient, i int) error {
		_, err := c.SearchCode(ctx, &findspotv1.SearchCodeRequest{Query: words[i%len(words)], Limit: 10})
		return err
	}
	traverse := func(ctx context.Context, c findspotv1connect.FindspotClient, i int) error {
		_, err := c.Traverse(ctx, &findspotv1.TraverseRequest{Ids: []string{ids[i%len(ids)]}, Direction: "callers", Hops: 2, Limit: 100})
		return err
	}
	for _, k := range []call{
		{"SearchCode", search},
		{"Traverse, callers, 2 hops, 100 entities", traverse},
		{"both, in turn", func(ctx context.Context, c findspotv1connect.FindspotClient, i int) error {
			if i%2 == 0 {
				return search(ctx, c, i/2)
			}
			return traverse(ctx, c, i/2)
		}},
		{"Search (documents)", func(ctx context.Context, c findspotv1connect.FindspotClient, i int) error {
			_, err := c.Search(ctx, &findspotv1.SearchRequest{Query: []string{"synchronization signals", "cell search", "correlate the buffer", "raster"}[i%4]})
			return err
		}},
	} {
		before := cpu.Used()
		took, failed, per := load(ctx, client, clients, long, k.do)
		used := (cpu.Used() - before).Seconds() * 1000 / float64(max(1, len(took)+failed))
		row(fmt.Sprintf("| %s | %s | %.0f |", k.name, protocol, per), took, fmt.Sprintf(" %d | %.2f ms |", failed, used))
	}
	return nil
}

// load makes calls from clients at once, and returns how long each took, how many failed, and how many there were a second.
func load(ctx context.Context, client func() findspotv1connect.FindspotClient, clients int, long time.Duration, do func(context.Context, findspotv1connect.FindspotClient, int) error) (took []time.Duration, failed int, per float64) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	began := time.Now()
	for n := range clients {
		wg.Go(func() {
			c := client()
			var own []time.Duration
			bad := 0
			for i := n * 7; time.Since(began) < long; i++ {
				from := time.Now()
				if err := do(ctx, c, i); err != nil {
					if bad++; bad == 1 {
						fmt.Fprintln(os.Stderr, "serveload:", err)
					}
					continue
				}
				own = append(own, time.Since(from))
			}
			mu.Lock()
			defer mu.Unlock()
			took, failed = append(took, own...), failed+bad
		})
	}
	wg.Wait()
	return took, failed, float64(len(took)) / time.Since(began).Seconds()
}

// row prints a row of a table.
func row(head string, took []time.Duration, tail string) {
	if len(took) == 0 {
		fmt.Println(head, "none |", tail)
		return
	}
	slices.Sort(took)
	var b strings.Builder
	for _, p := range []int{50, 95, 99, 100} {
		fmt.Fprintf(&b, " %.1f ms |", float64(took[(len(took)-1)*p/100].Microseconds())/1000)
	}
	fmt.Println(head + b.String() + tail)
}
