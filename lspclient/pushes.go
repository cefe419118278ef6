package lspclient

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// maxPushed bounds the files whose published diagnostics are kept.
const maxPushed = 64

// pushes keeps what a server publishes about the files that were asked about, and drops the rest. It is safe for
// concurrent use.
type pushes struct {
	mu      sync.Mutex
	clock   int
	files   map[string]*pushed // by absolute path
	changed chan struct{}      // closed and replaced at every publication
}

// pushed is what was published about the text that a server was shown last.
type pushed struct {
	version int32 // of that text, 0 before it was shown
	told    int   // session.changes at that time: how much of the workspace the server knew
	used    int
	list    *wire.DiagnosticList // nil: nothing was published since
	at      time.Time
	calm    bool // the publications had ended when a question was answered with them
}

// watch begins to keep what is published about a file. What the server has published so far counts for nothing: the file
// must be shown anew.
func (p *pushes) watch(abs string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files == nil {
		p.files, p.changed = map[string]*pushed{}, make(chan struct{})
	}
	if p.files[abs] == nil && len(p.files) >= maxPushed {
		oldest := ""
		for path, f := range p.files {
			if oldest == "" || f.used < p.files[oldest].used {
				oldest = path
			}
		}
		delete(p.files, oldest)
	}
	p.clock++
	p.files[abs] = &pushed{used: p.clock}
}

// shown notes that the server is about to be shown a version of a file.
func (p *pushes) shown(abs string, version int32, told int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.files[abs]; f != nil {
		*f = pushed{version: version, told: told, used: f.used}
	}
}

// look returns what is known of a file, and a channel that is closed when more comes.
func (p *pushes) look(abs string) (pushed, <-chan struct{}, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.files[abs]
	if f == nil {
		return pushed{}, p.changed, false
	}
	p.clock++
	f.used = p.clock
	return *f, p.changed, true
}

// settle notes that no more publications about this version are expected.
func (p *pushes) settle(abs string, version int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.files[abs]; f != nil && f.version == version && f.list != nil {
		f.calm = true
	}
}

// take takes a publication. One about an older text is dropped; one that does not say which text it is about counts for
// the last one.
func (p *pushes) take(params json.RawMessage) {
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
	f.list, f.at, f.calm = &w.DiagnosticList, time.Now(), false
	close(p.changed)
	p.changed = make(chan struct{})
}
