package api

import (
	"sync"

	"github.com/findspot/findspot"
)

// A Feed brings the progress of a workspace to the streams that add to it. The zero value is ready; it is safe for concurrent use.
type Feed struct {
	mu   sync.Mutex // guards subs
	subs map[*listener]bool
}

// A listener keeps the last progress that nobody took, since only that counts.
type listener struct {
	wants func(findspot.Progress) bool
	last  chan findspot.Progress
}

// Report tells of progress; it is meant for findspot.Options.Progress, and never blocks.
func (f *Feed) Report(p findspot.Progress) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for l := range f.subs {
		if !l.wants(p) {
			continue
		}
		select {
		case <-l.last: // one that is older
		default:
		}
		l.last <- p // there is room: only this function fills it, one call at a time
	}
}

// listen brings the progress that is wanted until stop is called. A nil feed brings none.
func (f *Feed) listen(wants func(findspot.Progress) bool) (progress <-chan findspot.Progress, stop func()) {
	if f == nil {
		return nil, func() {}
	}
	l := &listener{wants, make(chan findspot.Progress, 1)}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.subs == nil {
		f.subs = map[*listener]bool{}
	}
	f.subs[l] = true
	return l.last, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.subs, l)
	}
}
