package lspclient

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/source"
)

// SetOverlay gives a file a text that stands for what is on disk, in every question to every server, until it is given
// another or RemoveOverlay is called: the buffer of an editor that is not saved yet. Positions, in and out, refer to
// this text. The path is that of [At]. The file need not be on disk, nor its folder; what changes on disk beneath is not seen.
// The text is copied. It is UTF-8; a byte order mark is not part of it.
//
// A file of a language that no entry of the registry knows wraps ErrUnsupported, and so does a text with a zero byte or
// invalid UTF-8. A text of more than 16 MiB wraps ErrTooLarge, and so do more than 256 overlays or 64 MiB of them all.
// Servers are told with the next question; a server that is started again gets them again.
func (c *Client) SetOverlay(path string, text []byte) error {
	abs, err := c.pool.Tree.ForOverlay(path)
	if err != nil {
		return err
	}
	if !c.pool.Tree.Serves(abs) {
		return fmt.Errorf("overlay of %s: %w: no language server for files with the extension %q", path, ErrUnsupported, filepath.Ext(abs))
	}
	if len(text) > source.MaxFile {
		return fmt.Errorf("overlay of %s: %w: %d bytes, the limit is %d", path, ErrTooLarge, len(text), source.MaxFile)
	}
	text = []byte(strings.TrimPrefix(string(text), "\ufeff"))
	if !source.IsText(text) {
		return fmt.Errorf("overlay of %s: %w: not UTF-8 text", path, ErrUnsupported)
	}
	if err := c.pool.Living(); err != nil {
		return err
	}
	return c.pool.Tree.Overlays.Set(path, abs, text)
}

// RemoveOverlay takes an overlay away: from the next question on the file is what it is on disk, or is not there. A file
// without an overlay wraps ErrNotFound.
func (c *Client) RemoveOverlay(path string) error {
	abs, err := c.pool.Tree.ForOverlay(path)
	if err != nil {
		return err
	}
	return c.pool.Tree.Overlays.Remove(path, abs)
}
