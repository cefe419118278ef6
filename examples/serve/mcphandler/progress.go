package mcphandler

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/visible"
)

const (
	reportEvery = 250 * time.Millisecond // between two notifications of one call
	reportAlive = 5 * time.Second        // after which a call without news says that it goes on
	tick        = 1.0 / 1024             // that such a notification adds: progress must grow with each
)

// report is the progress of one call, as its client is told.
type report struct {
	mu    sync.Mutex // guards what follows
	last  findspot.Progress
	known bool
	base  float64 // what was done before the list at hand
}

// see takes progress of the workspace. Its lists come one after the other (documents of a folder, files of a repository), each from nothing.
func (r *report) see(p findspot.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known && (p.Room != r.last.Room || p.Done < r.last.Done) {
		r.base += float64(r.last.Done)
	}
	r.last, r.known = p, true
}

// now is how far the work has come; total is 0 where it is not known.
func (r *report) now() (done, total float64, text string, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.last
	if !r.known {
		return 0, 0, "", false
	}
	done = r.base + float64(p.Done)
	if p.Pages > 0 && p.Done < p.Total {
		done += float64(p.Page) / float64(p.Pages+1)
	}
	if p.Total > 0 {
		total = r.base + float64(p.Total)
	}
	what := map[string]string{"docs": "reading documents", "code": "indexing code"}[p.Room]
	text = fmt.Sprintf("%s: %d", what, p.Done)
	if p.Total > 0 {
		text += fmt.Sprintf(" of %d", p.Total)
	}
	if p.Name != "" {
		text += ", " + visible.Text(p.Name)
	}
	return done, total, text, true
}

// report tells the client of a call how far it is, if it gave a token. The function that it returns ends that: nothing is sent after it.
func (f *Feed) report(ctx context.Context, ss *mcp.ServerSession, params mcp.RequestParams, name string) func() {
	token := params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	r := &report{}
	f.mu.Lock()
	f.reports[r] = true
	f.mu.Unlock()
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.send(ctx, ss, token, name)
	}()
	return func() {
		f.mu.Lock()
		delete(f.reports, r)
		f.mu.Unlock()
		cancel()
		<-done
	}
}

// send notifies until ctx ends.
func (r *report) send(ctx context.Context, ss *mcp.ServerSession, token any, name string) {
	began := time.Now()
	spoke := began
	sent := 0.0
	t := time.NewTicker(reportEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		at, total, text, known := r.now()
		if !known || at <= sent {
			if time.Since(spoke) < reportAlive {
				continue
			}
			at = sent + tick
			if !known {
				text = fmt.Sprintf("%s: under way for %s", name, time.Since(began).Round(time.Second))
			}
		}
		if total < at { // it is of a list that was longer than was thought
			total = 0
		}
		p := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: at, Total: total, Message: text}
		if err := ss.NotifyProgress(ctx, p); err != nil {
			return // the client is gone, or the call is over
		}
		sent, spoke = at, time.Now()
	}
}
