package segments

import (
	"sync"
	"time"

	index "github.com/blevesearch/bleve_index_api"
)

// A Pin is the state last acknowledged, which readers get. What the engine holds in memory may be ahead of it: a change that it could not write is
// seen by nobody.
type Pin struct {
	mu    sync.Mutex // guards what follows
	snap  index.IndexReader
	stats Stats // of snap
	since time.Time
}

// Reader returns the state and its statistics. The reader must be closed.
func (p *Pin) Reader() (index.IndexReader, Stats) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.snap.(interface{ AddRef() }).AddRef()
	return p.snap, p.stats
}

// Statistics returns those of the state. Nobody changes them.
func (p *Pin) Statistics() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// Set makes r the state, nil for none.
func (p *Pin) Set(r index.IndexReader, st Stats) {
	p.mu.Lock()
	old := p.snap
	p.snap, p.stats, p.since = r, st, time.Now()
	p.mu.Unlock()
	if old != nil {
		old.Close()
	}
}

// Age is how long the state has been pinned.
func (p *Pin) Age() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Since(p.since)
}
