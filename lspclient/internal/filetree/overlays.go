package filetree

import (
	"fmt"
	"maps"
	"sync"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// Set gives a file a text. Name is what the caller calls the file.
func (o *overlays) Set(name, abs string, text []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	before, total := o.byPath[abs], o.bytes+len(text)
	if before != nil {
		total -= len(before.Text.Bytes)
	} else if len(o.byPath) >= MaxOverlays {
		return fmt.Errorf("overlay of %s: %w: there are %d overlays, which is the limit; remove one", name, errs.TooLarge, MaxOverlays)
	}
	if total > maxOverlayBytes {
		return fmt.Errorf("overlay of %s: %w: all overlays would have %d bytes, the limit is %d; remove one", name, errs.TooLarge, total, maxOverlayBytes)
	}
	if o.byPath == nil {
		o.byPath = map[string]*Overlay{}
	}
	o.byPath[abs], o.bytes = &Overlay{source.NewText(text)}, total
	o.gen++
	return nil
}

// Remove takes an overlay away.
func (o *overlays) Remove(name, abs string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	have := o.byPath[abs]
	if have == nil {
		return fmt.Errorf("overlay of %s: %w", name, errs.NotFound)
	}
	delete(o.byPath, abs)
	o.bytes -= len(have.Text.Bytes)
	o.gen++
	return nil
}

const (
	// MaxOverlays and maxOverlayBytes bound the unsaved buffers of a client.
	MaxOverlays     = 256
	maxOverlayBytes = 64 << 20
)

// overlays are the unsaved buffers of a client by absolute path. They are safe for concurrent use.
type overlays struct {
	mu     sync.Mutex
	byPath map[string]*Overlay
	bytes  int
	gen    int64 // grows with every change
}

// Overlay is one unsaved buffer. It does not change; a new text is a new overlay.
type Overlay struct{ Text *source.Text }

// Of returns the overlay of a file, nil when it has none.
func (o *overlays) Of(abs string) *Overlay {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byPath[abs]
}

// All returns the overlays by path, and a number that grows with every change of any. The map is the caller's.
func (o *overlays) All() (map[string]*Overlay, int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.byPath), o.gen
}
