package watchedfiles

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// maxWatchers bounds the patterns that a server may register.
const maxWatchers = 10_000

// Registrations are the patterns of files whose changes a server wants to be told of. They are safe for concurrent use.
type Registrations struct {
	mu   sync.Mutex
	byID map[string][]watcher // by registration; nil: the server never registered any, and is told everything
}

// watcher is one pattern.
type watcher struct {
	re   *regexp.Regexp // of absolute paths with forward slashes; nil: a pattern that is not understood, which matches all
	kind int            // 1 created, 2 changed, 4 deleted, added up
}

// Update takes the parameters of client/registerCapability or client/unregisterCapability; relative patterns mean paths in the
// folder. What it does not understand it leaves out: the server is then told more than it wants.
func (w *Registrations) Update(folder string, params json.RawMessage) {
	type registration struct {
		ID, Method      string
		RegisterOptions struct {
			Watchers []struct {
				GlobPattern json.RawMessage
				Kind        *int
			}
		}
	}
	var p struct {
		Registrations []registration
		// The protocol spells it this way.
		Unregisterations []registration
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range p.Unregisterations {
		delete(w.byID, r.ID)
	}
	total := 0
	for _, list := range w.byID {
		total += len(list)
	}
	for _, r := range p.Registrations {
		if r.Method != protocol.MethodWorkspaceDidChangeWatchedFiles {
			continue
		}
		var list []watcher
		for _, g := range r.RegisterOptions.Watchers {
			if total++; total > maxWatchers {
				list = append(list[:0], watcher{kind: 7})
				break
			}
			one := watcher{kind: 7}
			if g.Kind != nil {
				one.kind = *g.Kind
			}
			one.re = globPattern(folder, g.GlobPattern)
			list = append(list, one)
		}
		if w.byID == nil {
			w.byID = map[string][]watcher{}
		}
		w.byID[r.ID] = list
	}
}

// Any reports whether the server has registered any pattern.
func (w *Registrations) Any() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.byID) > 0
}

// Wanted returns the events that the server has registered for, all when it has registered for none.
func (w *Registrations) Wanted(events []protocol.FileEvent) []protocol.FileEvent {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.byID) == 0 {
		return events
	}
	var out []protocol.FileEvent
	for _, e := range events {
		path, _ := source.PathOf(string(e.URI))
		path = filepath.ToSlash(path)
		bit := 1 << (int(e.Type) - 1)
	search:
		for _, list := range w.byID {
			for _, one := range list {
				if one.kind&bit != 0 && (one.re == nil || one.re.MatchString(path)) {
					out = append(out, e)
					break search
				}
			}
		}
	}
	return out
}
