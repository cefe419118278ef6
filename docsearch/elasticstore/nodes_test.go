package elasticstore_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/elasticstore"
	"github.com/findspot/findspot/internal/need"
)

// nodes starts a cluster of three nodes of its own and returns their addresses and processes.
func nodes(t *testing.T) (urls []string, pids []int) {
	home := need.Dir(t, "opensearch-nodes", "FINDSPOT_OPENSEARCH_HOME", "run .ci/run, or .ci/opensearch/nodes build")
	script, err := filepath.Abs(filepath.Join("..", "..", ".ci", "opensearch", "nodes"))
	if err != nil {
		t.Fatal(err)
	}
	port := freePorts(t)
	data := t.TempDir()
	run := func(args ...string) error {
		ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
		defer cancel()
		out, err := exec.CommandContext(ctx, script, args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s %s: %v\n%s", script, strings.Join(args, " "), err, out)
		}
		return nil
	}
	t.Cleanup(func() {
		if err := run("stop", data); err != nil {
			t.Error(err)
		}
	})
	if err := run("start", home, data, "3", strconv.Itoa(port)); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		urls = append(urls, fmt.Sprintf("http://127.0.0.1:%d", port+i))
		text, err := os.ReadFile(filepath.Join(data, fmt.Sprintf("n%d.pid", i)))
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return urls, pids
}

// freePorts returns the first of the ports that three nodes need: port to port+2, and 100 above.
func freePorts(t *testing.T) int {
	for port := 23200; port < 32000; port += 300 {
		free := true
		for _, p := range []int{port, port + 1, port + 2, port + 100, port + 101, port + 102} {
			l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p)))
			if err != nil {
				free = false
				break
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if free {
			return port
		}
	}
	t.Fatal("no free ports for three nodes")
	return 0
}

// TestLostNode kills one of three nodes while documents are added and searched. What was acknowledged must be there, whole, and both
// must go on.
func TestLostNode(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three nodes")
	}
	urls, pids := nodes(t)
	s := open(t, urls, &elasticstore.Options{Replicas: 1, Shards: 2, Timeout: 20 * time.Second})
	defer stop(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	acknowledged := map[string]int{}
	add := func(i int) {
		d := aDocument(fmt.Sprintf("d%03d", i%40), 1+i%5)
		for try := range 5 { // a change that failed may be tried again
			err := s.Replace(ctx, []*driver.Document{d})
			if err == nil {
				acknowledged[d.ID] = len(d.Records)
				return
			}
			t.Logf("change %d, try %d: %v", i, try, err)
		}
		t.Fatalf("change %d: five tries failed", i)
	}
	for i := range 5 {
		add(i)
	}
	done, searches := make(chan struct{}), 0
	searching, end := context.WithCancel(ctx)
	go func() {
		defer close(done)
		for searching.Err() == nil {
			hits, err := s.Search(searching, &driver.Query{Kind: driver.KindChunk, Match: driver.MatchAll, Groups: driver.Groups("passage signals"), Limit: 100, PerDoc: 10})
			if err != nil {
				if searching.Err() == nil && !errors.Is(err, context.Canceled) {
					t.Errorf("search %d: %v", searches, err)
				}
				return
			}
			for _, h := range hits.Hits {
				for i, r := range h.Records {
					if r.N != i && len(h.Records) > 5 {
						t.Errorf("document %s is not whole: %+v", h.Doc, h.Records)
					}
				}
			}
			searches++
		}
	}()
	for i := 5; i < 25; i++ {
		if i == 12 {
			// The node of the state's primary shard is the worst to lose.
			victim := primary(t, urls)
			node, err := os.FindProcess(pids[victim])
			if err == nil {
				err = node.Kill()
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("node %d killed", victim)
		}
		add(i)
	}
	end()
	<-done
	list, err := s.List(ctx)
	if err != nil || len(list) != len(acknowledged) {
		t.Errorf("List: %d documents, %v, want %d", len(list), err, len(acknowledged))
	}
	for id, n := range acknowledged {
		if recs, err := s.Records(ctx, id, driver.KindChunk, nil); err != nil || len(recs) != n {
			t.Errorf("document %s: %d records, %v, want %d", id, len(recs), err, n)
		}
	}
	if err := s.(driver.Checker).Check(ctx); err != nil {
		t.Errorf("Check: %v", err)
	}
	t.Logf("%d documents, %d searches", len(acknowledged), searches)
}

// primary returns the node that holds the primary shard of the state.
func primary(t *testing.T, urls []string) int {
	code, body := request(t, "GET", urls[0]+"/_cat/shards/documents-v1?h=prirep,node,docs&s=docs:desc", "")
	if code != 200 {
		t.Fatal(code, body)
	}
	for line := range strings.Lines(body) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "p" {
			n, err := strconv.Atoi(strings.TrimPrefix(f[1], "n"))
			if err != nil {
				t.Fatalf("shards: %q", body)
			}
			return n
		}
	}
	t.Fatalf("no primary shard: %q", body)
	return 0
}
