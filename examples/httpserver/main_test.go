package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// output is what the program says, and where it listens.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

var listens = regexp.MustCompile(`msg=listening addr=(\S+)`)

func (o *output) addr() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if m := listens.FindStringSubmatch(o.text.String()); m != nil {
		return m[1]
	}
	return ""
}

// TestRun: folders that are given several times are read, answers come from them alone, the program's own route is beside, and it stops when it is told.
func TestRun(t *testing.T) {
	index, a, b, old := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	for dir, word := range map[string]string{a: "quokka", b: "numbat", old: "wombat"} {
		if err := os.WriteFile(filepath.Join(dir, word+".md"), []byte("# Note\n\nThe word is "+word+".\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"-docs", old}, {"-docs", a, "-docs", b, "-repo", filepath.Join("..", "testdata", "receiver")}} {
		ctx, cancel := context.WithCancel(t.Context())
		out, done := &output{}, make(chan error, 1)
		go func() { done <- run(ctx, append(args, "-addr", "127.0.0.1:0", "-dir", index), out) }()
		c := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		ask := func(path, body string) string {
			method := "GET"
			if body != "" {
				method = "POST"
			}
			req, err := http.NewRequestWithContext(ctx, method, "http://"+out.addr()+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			res, err := c.Do(req)
			if err != nil {
				return err.Error()
			}
			defer res.Body.Close()
			text, err := io.ReadAll(res.Body)
			if err != nil {
				t.Error(err)
			}
			return string(text)
		}
		for end := time.Now().Add(time.Minute); out.addr() == "" || !strings.Contains(ask("/healthz", ""), `"ready":true`); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("not ready: %s", out.text.String())
			}
		}
		if len(args) > 2 {
			for path, tt := range map[string][3]string{
				"/search":               {`{"query":"quokka"}`, "quokka.md", ""},
				"/search?":              {`{"query":"numbat"}`, "numbat.md", ""},
				"/search?x":             {`{"query":"wombat"}`, `"total":0`, "wombat.md"},
				"/tools/traverse_graph": {`{"id":"detect_pss","direction":"users"}`, "cell_search.py", ""},
				"/about":                {"", "a route of one's own", ""},
			} {
				if got := ask(path, tt[0]); !strings.Contains(got, tt[1]) || tt[2] != "" && strings.Contains(got, tt[2]) {
					t.Errorf("%s %s: %s", path, tt[0], got)
				}
			}
		}
		cancel()
		if err := <-done; err != nil {
			t.Errorf("run = %v", err)
		}
	}
}

// TestAddress: an address of all networks needs a token.
func TestAddress(t *testing.T) {
	t.Setenv("FINDSPOT_TOKEN", "")
	if err := run(t.Context(), []string{"-addr", ":0", "-dir", t.TempDir()}, io.Discard); err == nil || !strings.Contains(err.Error(), "token") {
		t.Errorf("run = %v", err)
	}
}
