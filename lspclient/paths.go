package lspclient

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// Outside reports whether the location is not below the client's root: its path is absolute, or a URI that is no file.
func (l Location) Outside() bool {
	return path.IsAbs(l.Path) || strings.Contains(l.Path, ":/")
}

// maxPath bounds a path that a caller names, in bytes.
const maxPath = 4096

// lexical returns the absolute path that a caller names: relative to the root, or absolute and below it. It does not look
// at the disk. A path that is no UTF-8 is refused: servers decode URIs, and some die of one that does not decode.
func (c *Client) lexical(name string) (string, error) {
	if name == "" || len(name) > maxPath || strings.ContainsRune(name, 0) || !utf8.ValidString(name) {
		return "", fmt.Errorf("%q is no file name: %w", excerpt.Clip(name, 100), ErrNotFound)
	}
	abs := filepath.FromSlash(name)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(c.root, abs)
	}
	abs = filepath.Clean(abs)
	if !source.Below(c.root, abs) {
		return "", fmt.Errorf("%s is not below %s: %w", name, c.root, ErrUnsupported)
	}
	return abs, nil
}

// within returns the absolute path of a file named by a caller, which must be on disk or have an overlay.
func (c *Client) within(name string) (string, error) {
	abs, err := c.lexical(name)
	if err != nil {
		return "", err
	}
	if c.overlays.of(abs) != nil {
		return abs, nil
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	if !source.Below(c.root, real) {
		return "", fmt.Errorf("%s links to %s, which is not below %s: %w", name, real, c.root, ErrUnsupported)
	}
	return abs, nil
}

// relative returns the form of an absolute path that callers see.
func (c *Client) relative(abs string) string {
	if source.Below(c.root, abs) {
		if rel, err := filepath.Rel(c.root, abs); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(abs)
}

// shortHash names a folder among others.
func shortHash(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}
