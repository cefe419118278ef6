package blevestore

import (
	"sync"
	"time"

	index "github.com/blevesearch/bleve_index_api"
)

// A pin is the state last acknowledged, which readers get. What the engine holds in memory may be ahead of it: a change that it could not write is
// seen by nobody.
type pin struct {
	mu    sync.Mutex // guards what follows
	snap  index.IndexReader
	stats stats // of snap
	since time.Time
}

// reader returns the state and its statistics. The reader must be closed.
func (p *pin) reader() (index.IndexReader, stats) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.snap.(interface{ AddRef() }).AddRef()
	return p.snap, p.stats
}

// statistics returns those of the state. Nobody changes them.
func (p *pin) statistics() stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// set makes r the state, nil for none.
func (p *pin) set(r index.IndexReader, st stats) {
	p.mu.Lock()
	old := p.snap
	p.snap, p.stats, p.since = r, st, time.Now()
	p.mu.Unlock()
	if old != nil {
		old.Close()
	}
}

// age is how long the state has been pinned.
func (p *pin) age() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Since(p.since)
}
