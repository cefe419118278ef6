package documents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/ctxlock"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// maxPublished bounds the files whose published diagnostics are kept.
const maxPublished = 64

// Publications keeps what a server publishes about the files that were asked about, and drops the rest. It is safe for
// concurrent use.
type Publications struct {
	showing ctxlock.Mutex // held while a document is shown anew for them

	mu      sync.Mutex
	clock   int
	files   map[string]*publication // by absolute path
	changed chan struct{}           // closed and replaced at every publication
}

// publication is what was published about the text that a server was shown last.
type publication struct {
	version int32 // of that text, 0 before it was shown
	changes int   // Set.Changes at that time: how much of the workspace the server knew
	used    int
	list    *wire.DiagnosticList // nil: nothing was published since
	at      time.Time
	settled bool // the publications had ended when a question was answered with them
}

// Watch begins to keep what is published about a file. What the server has published so far counts for nothing: the file
// must be shown anew.
func (p *Publications) Watch(abs string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files == nil {
		p.files, p.changed = map[string]*publication{}, make(chan struct{})
	}
	if p.files[abs] == nil && len(p.files) >= maxPublished {
		oldest := ""
		for path, f := range p.files {
			if oldest == "" || f.used < p.files[oldest].used {
				oldest = path
			}
		}
		delete(p.files, oldest)
	}
	p.clock++
	p.files[abs] = &publication{used: p.clock}
}

// Shown notes that the server is about to be shown a version of a file.
func (p *Publications) Shown(abs string, version int32, changes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.files[abs]; f != nil {
		*f = publication{version: version, changes: changes, used: f.used}
	}
}

// of returns what is known of a file, and a channel that is closed when more comes.
func (p *Publications) of(abs string) (publication, <-chan struct{}, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.files[abs]
	if f == nil {
		return publication{}, p.changed, false
	}
	p.clock++
	f.used = p.clock
	return *f, p.changed, true
}

// settle notes that no more publications about this version are expected.
func (p *Publications) settle(abs string, version int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.files[abs]; f != nil && f.version == version && f.list != nil {
		f.settled = true
	}
}

// Take takes a publication. One about an older text is dropped; one that does not say which text it is about counts for
// the last one.
func (p *Publications) Take(params json.RawMessage) {
	var w wire.PublishedDiagnostics
	if w.FromWire(params) != nil {
		return
	}
	abs, ok := source.PathOf(w.URI)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.files[abs]
	if f == nil || f.version == 0 || w.Version.OK && w.Version.N != int64(f.version) {
		return
	}
	f.list, f.at, f.settled = &w.DiagnosticList, time.Now(), false
	close(p.changed)
	p.changed = make(chan struct{})
}

const (
	// quiet is how long a server must have published nothing more about a file before its last word counts: servers
	// publish what they find step by step (syntax first, then types).
	quiet = 500 * time.Millisecond
	// quietEmpty is the same for an empty list, which servers also publish to clear what was there before they look.
	quietEmpty = 1500 * time.Millisecond
	// firstWord bounds the wait for the first publication.
	firstWord = 10 * time.Second
)

// ErrEnded: the connection to the server ended.
var ErrEnded = errors.New("the connection ended")

// AwaitPublished waits until the server has published its diagnostics of the present text of a file, or its connection has
// ended (ErrEnded). Lack says why they may not be all, "" when they are.
func (s *Set) AwaitPublished(ctx context.Context, abs string, ended <-chan struct{}) (list wire.DiagnosticList, lack string, err error) {
	if err := s.publishAnew(ctx, abs); err != nil {
		return list, "", err
	}
	until := time.Now().Add(firstWord)
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		if soft := end.Add(-min(left/10, 500*time.Millisecond)); soft.Before(until) {
			until = soft
		}
	}
	for {
		p, changed, ok := s.Published.of(abs)
		if !ok {
			return list, "", fmt.Errorf("diagnostics of %d other files were asked for at once: %w", maxPublished, errs.TooLarge)
		}
		st, worked := s.ready.Status()
		now := time.Now()
		wait := until
		if p.list != nil {
			pause := quiet
			if len(p.list.Items) == 0 {
				pause = quietEmpty
			}
			if p.settled || st.Busy == "" && now.Sub(p.at) >= pause {
				s.Published.settle(abs, p.version)
				return *p.list, "", nil
			}
			if calm := p.at.Add(pause); st.Busy == "" && calm.Before(wait) {
				wait = calm
			}
		}
		if !now.Before(until) {
			if p.list == nil {
				return list, "the server has published nothing about the present text of the file", nil
			}
			return *p.list, "the server was still publishing when the time was up", nil
		}
		timer := time.NewTimer(time.Until(wait))
		select {
		case <-timer.C:
		case <-changed:
		case <-worked:
		case <-ended:
			timer.Stop()
			return list, "", ErrEnded
		case <-ctx.Done():
			timer.Stop()
			return list, "", ctx.Err()
		}
		timer.Stop()
	}
}

// publishAnew shows the server a file so that it publishes anew, unless what it has published is about the present text
// and nothing else has changed since.
func (s *Set) publishAnew(ctx context.Context, abs string) error {
	if err := s.Published.showing.Lock(ctx); err != nil {
		return err
	}
	defer s.Published.showing.Unlock()
	s.mu.Lock()
	d, changes := s.open[abs], s.changes
	s.mu.Unlock()
	if p, _, ok := s.Published.of(abs); ok && d != nil && p.version == d.version && p.changes == changes {
		return nil
	}
	s.Published.Watch(abs)
	// A server need not publish again what it has published before, so that an open file is closed first.
	shown, err := s.reopen(ctx, abs)
	if err == nil && !shown {
		_, err = s.Open(ctx, abs)
	}
	return err
}

// reopen closes a document and opens it again; it reports false when it is not open.
func (s *Set) reopen(ctx context.Context, abs string) (bool, error) {
	if err := s.syncing.Lock(ctx); err != nil {
		return false, err
	}
	defer s.syncing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.open[abs]
	if d == nil {
		return false, nil
	}
	if err := s.didClose(ctx, d); err != nil {
		return true, err
	}
	return true, s.didOpen(ctx, d)
}
