package lspclient

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/findspot/findspot/lspclient/internal/source"
)

const (
	// maxOverlays and maxOverlayBytes bound the unsaved buffers of a client.
	maxOverlays     = 256
	maxOverlayBytes = 64 << 20
)

// overlays are the unsaved buffers of a client by absolute path. They are safe for concurrent use.
type overlays struct {
	mu     sync.Mutex
	byPath map[string]*overlay
	bytes  int
	gen    int64 // grows with every change
}

// overlay is one unsaved buffer. It does not change; a new text is a new overlay.
type overlay struct{ content *source.Text }

// SetOverlay gives a file a text that stands for what is on disk, in every question to every server, until it is given
// another or RemoveOverlay is called: the buffer of an editor that is not saved yet. Positions, in and out, refer to
// this text. The path is that of [At]. The file need not be on disk, nor its folder; what changes on disk beneath is not seen.
// The text is copied. It is UTF-8; a byte order mark is not part of it.
//
// A file of a language that no entry of the registry knows wraps ErrUnsupported, and so does a text with a zero byte or
// invalid UTF-8. A text of more than 16 MiB wraps ErrTooLarge, and so do more than 256 overlays or 64 MiB of them all.
// Servers are told with the next question; a server that is started again gets them again.
func (c *Client) SetOverlay(path string, text []byte) error {
	abs, err := c.placeFor(path)
	if err != nil {
		return err
	}
	if !c.extensions[strings.ToLower(filepath.Ext(abs))] {
		return fmt.Errorf("overlay of %s: %w: no language server for files with the extension %q", path, ErrUnsupported, filepath.Ext(abs))
	}
	if len(text) > source.MaxFile {
		return fmt.Errorf("overlay of %s: %w: %d bytes, the limit is %d", path, ErrTooLarge, len(text), source.MaxFile)
	}
	text = []byte(strings.TrimPrefix(string(text), "\ufeff"))
	if !source.IsText(text) {
		return fmt.Errorf("overlay of %s: %w: not UTF-8 text", path, ErrUnsupported)
	}
	if err := c.living(); err != nil {
		return err
	}
	o := &c.overlays
	o.mu.Lock()
	defer o.mu.Unlock()
	before, total := o.byPath[abs], o.bytes+len(text)
	if before != nil {
		total -= len(before.content.Bytes)
	} else if len(o.byPath) >= maxOverlays {
		return fmt.Errorf("overlay of %s: %w: there are %d overlays, which is the limit; remove one", path, ErrTooLarge, maxOverlays)
	}
	if total > maxOverlayBytes {
		return fmt.Errorf("overlay of %s: %w: all overlays would have %d bytes, the limit is %d; remove one", path, ErrTooLarge, total, maxOverlayBytes)
	}
	if o.byPath == nil {
		o.byPath = map[string]*overlay{}
	}
	o.byPath[abs], o.bytes = &overlay{source.NewText(text)}, total
	o.gen++
	return nil
}

// RemoveOverlay takes an overlay away: from the next question on the file is what it is on disk, or is not there. A file
// without an overlay wraps ErrNotFound.
func (c *Client) RemoveOverlay(path string) error {
	abs, err := c.placeFor(path)
	if err != nil {
		return err
	}
	o := &c.overlays
	o.mu.Lock()
	defer o.mu.Unlock()
	have := o.byPath[abs]
	if have == nil {
		return fmt.Errorf("overlay of %s: %w", path, ErrNotFound)
	}
	delete(o.byPath, abs)
	o.bytes -= len(have.content.Bytes)
	o.gen++
	return nil
}

// of returns the overlay of a file, nil when it has none.
func (o *overlays) of(abs string) *overlay {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byPath[abs]
}

// all returns the overlays by path, and a number that grows with every change of any. The map is the caller's.
func (o *overlays) all() (map[string]*overlay, int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return maps.Clone(o.byPath), o.gen
}

// living returns ErrClosed when the client is closed.
func (c *Client) living() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	return nil
}

// read returns the text of a file as questions are to see it: its overlay, with no info, else what is on disk.
func (c *Client) read(abs string) (*source.Text, os.FileInfo, error) {
	if o := c.overlays.of(abs); o != nil {
		return o.content, nil, nil
	}
	return c.readKept(abs)
}

// placeFor returns the absolute path of a file named by a caller, which need not be there: what there is of its folders
// must lie below the root.
func (c *Client) placeFor(name string) (string, error) {
	abs, err := c.lexical(name)
	if err != nil {
		return "", err
	}
	for at := abs; ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		if err != nil && at != c.root {
			if _, err := os.Lstat(at); err == nil { // a link to nowhere
				return "", fmt.Errorf("%s: %w: %s is a link to nothing", name, ErrUnsupported, c.relative(at))
			}
			continue
		}
		if err != nil {
			return "", fmt.Errorf("%s: %v: %w", name, err, ErrNotFound)
		}
		if !source.Below(c.root, real) {
			return "", fmt.Errorf("%s links to %s, which is not below %s: %w", name, real, c.root, ErrUnsupported)
		}
		if info, err := os.Stat(real); err == nil && (at == abs && info.IsDir() || at != abs && !info.IsDir()) {
			return "", fmt.Errorf("%s: %w: %s is in the way", name, ErrUnsupported, c.relative(at))
		}
		return abs, nil
	}
}
