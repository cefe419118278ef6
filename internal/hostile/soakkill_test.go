package hostile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// kills runs a server of its own that is killed again and again while documents are uploaded to it. What it said to have taken must be there after each kill.
func (s *soak) kills(wg *sync.WaitGroup, ctx context.Context) {
	wg.Go(func() {
		kept, n, dir := map[string]string{}, 0, filepath.Join(s.w.base, "killed") // names by ids, of documents that were acknowledged
		for round := 0; ctx.Err() == nil; round++ {
			sv, _, _, err := s.launch("the server that is killed", "httpserver", "-addr", "127.0.0.1:0", "-dir", dir, "-repo", s.w.repo)
			if err != nil {
				s.fault("no answer", "after kill %d: %v", round, err)
				return
			}
			s.allThere(sv, kept, round)
			life, cancel := context.WithTimeout(ctx, time.Second+rand.N(5*time.Second))
			s.uploads(life, sv, kept, &n)
			cancel()
			if ctx.Err() != nil || round%5 == 4 {
				sv.end(s, "SIGTERM", sv.terminate)
				continue
			}
			if err := sv.cmd.Process.Kill(); err != nil {
				s.fault("an end that is not clean", "kill: %v", err)
			}
			<-sv.logged
			_ = sv.cmd.Wait() // it was killed
			s.count("kills: of a server, while documents are uploaded")
		}
	})
}

// uploads sends documents from several clients until ctx ends, deletes some, and keeps which of them are to be there. What is under way at the end may or may not be.
func (s *soak) uploads(ctx context.Context, sv *server, kept map[string]string, n *int) {
	var mu sync.Mutex // guards kept and n
	var wg sync.WaitGroup
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	c := &http.Client{Transport: tr}
	for range 3 {
		wg.Go(func() {
			for ctx.Err() == nil {
				mu.Lock()
				*n++
				name := fmt.Sprintf("upload-%d.md", *n)
				mu.Unlock()
				res, text, err := request{method: "POST", path: "/documents?filename=" + name, body: content(name), header: map[string]string{"Content-Type": "text/markdown"}}.send(ctx, c, sv.addr)
				if err != nil || res.StatusCode != http.StatusCreated {
					if ctx.Err() == nil && err == nil && res.StatusCode != http.StatusServiceUnavailable {
						s.fault("a wrong answer", "upload of %s: %s: %s", name, res.Status, text)
					}
					continue
				}
				var doc struct{ ID string }
				if err := json.Unmarshal([]byte(text), &doc); err != nil || doc.ID == "" {
					s.fault("a wrong answer", "upload of %s: %v: %s", name, err, text)
				}
				s.count("kills: uploads that were acknowledged")
				mu.Lock()
				kept[doc.ID] = name
				drop := ""
				if len(kept) > 150 {
					for drop = range kept {
						break
					}
					delete(kept, drop) // whether it is deleted or not
				}
				mu.Unlock()
				if drop != "" {
					_, _, _ = request{method: "DELETE", path: "/documents/" + drop}.send(ctx, c, sv.addr)
				}
			}
		})
	}
	<-ctx.Done()
	wg.Wait()
}

// content is what an upload holds: long enough that a kill can find it half written.
func content(name string) string {
	return "# " + name + "\n\n" + strings.Repeat("The word of "+name+" is kookaburra.\n\n", 200)
}

// allThere checks that a server has every document that was acknowledged, with its file as it was.
func (s *soak) allThere(sv *server, kept map[string]string, round int) {
	if err := isReady(context.Background(), sv.addr, patience); err != nil {
		s.fault("no answer", "after kill %d: %v", round, err)
	}
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	c := &http.Client{Transport: tr}
	for id, name := range kept {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		res, text, err := request{method: "GET", path: "/documents/" + id + "/file"}.send(ctx, c, sv.addr)
		cancel()
		if err == nil && res.StatusCode != http.StatusOK {
			err = errors.New(res.Status)
		}
		if err != nil || text != content(name) {
			s.fault("something is lost", "after kill %d, %s (%s): %v: %.200s", round, name, id, err, text)
		}
	}
	if len(kept) > 0 {
		s.ask(c, sv, "search after a kill", request{method: "POST", path: "/search", body: `{"query":"kookaburra"}`, header: asJSON}, has("upload-"))
	}
	s.count("kills: looks whether all is there")
}
