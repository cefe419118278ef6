package lspclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/source"
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
	list    *diagnosticList // nil: nothing was published since
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
	var w publication
	if w.FromWire(params) != nil {
		return
	}
	abs, ok := source.PathOf(w.uri)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.files[abs]
	if f == nil || f.version == 0 || w.version.ok && w.version.n != int64(f.version) {
		return
	}
	f.list, f.at, f.calm = &w.diagnosticList, time.Now(), false
	close(p.changed)
	p.changed = make(chan struct{})
}

// diagnosticList are diagnostics as a server gives them.
type diagnosticList struct {
	items []wireDiagnostic
	lost  losses
}

type wireDiagnostic struct {
	Range    wireRange       `json:"range"`
	Severity number          `json:"severity"`
	Code     json.RawMessage `json:"code"`
	Source   string          `json:"source"`
	Message  json.RawMessage `json:"message"`
	Tags     []number        `json:"tags"`
	Related  []struct {
		Location struct {
			URI   string    `json:"uri"`
			Range wireRange `json:"range"`
		} `json:"location"`
		Message string `json:"message"`
	} `json:"relatedInformation"`
}

// text returns the message, a string or MarkupContent.
func (w wireDiagnostic) text() string {
	text, _, _ := markup(w.Message)
	return text
}

func (l *diagnosticList) take(raw json.RawMessage) error {
	if kindOf(raw) == '{' {
		return fmt.Errorf("a list of diagnostics expected, got %s", excerpt.Clip(string(raw), 100))
	}
	list, err := elements[wireDiagnostic](raw, "a list of diagnostics")
	if err != nil {
		return err
	}
	l.items = make([]wireDiagnostic, 0, len(list))
	for _, d := range list {
		if _, ok := d.Range.get(); !ok || d.text() == "" {
			l.lost.add("a diagnostic without a place or a message (%q)", d.text())
			continue
		}
		l.items = append(l.items, d)
	}
	return l.lost.all(len(l.items))
}

// publication is what textDocument/publishDiagnostics says.
type publication struct {
	uri     string
	version number
	diagnosticList
}

func (p *publication) FromWire(raw json.RawMessage) error {
	var w struct {
		URI         string          `json:"uri"`
		Version     number          `json:"version"`
		Diagnostics json.RawMessage `json:"diagnostics"`
	}
	if kindOf(raw) != '{' {
		return fmt.Errorf("published diagnostics expected, got %s", excerpt.Clip(string(raw), 100))
	}
	if err := lenient(raw, &w); err != nil {
		return err
	}
	if w.URI == "" {
		return errors.New("diagnostics of no file")
	}
	p.uri, p.version = w.URI, w.Version
	return p.take(w.Diagnostics)
}

// report is the answer of textDocument/diagnostic.
type report struct {
	diagnosticList
}

func (r *report) FromWire(raw json.RawMessage) error {
	var w struct {
		Kind  string          `json:"kind"`
		Items json.RawMessage `json:"items"`
	}
	if kindOf(raw) != '{' {
		return fmt.Errorf("a report of diagnostics expected, got %s", excerpt.Clip(string(raw), 100))
	}
	if err := lenient(raw, &w); err != nil {
		return err
	}
	// A report says whether the server has looked. One of no kind is what a server gives that has not: taking its empty
	// list for "no problems" would be a lie. No earlier report is ever named to the server, so that it cannot be unchanged.
	if w.Kind != "full" {
		return fmt.Errorf("a report of diagnostics of kind %q, where only \"full\" can be", excerpt.Clip(w.Kind, 40))
	}
	if kindOf(w.Items) == 'n' {
		return errors.New("a full report of diagnostics without items")
	}
	return r.take(w.Items)
}
