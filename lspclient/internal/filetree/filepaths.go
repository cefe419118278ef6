package filetree

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// ForOverlay returns the absolute path of a file named by a caller, which need not be there: what there is of its folders
// must lie below the root.
func (t *Tree) ForOverlay(name string) (string, error) {
	abs, err := t.lexical(name)
	if err != nil {
		return "", err
	}
	for at := abs; ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		if err != nil && at != t.root {
			if _, err := os.Lstat(at); err == nil { // a link to nowhere
				return "", fmt.Errorf("%s: %w: %s is a link to nothing", name, errs.Unsupported, t.Relative(at))
			}
			continue
		}
		if err != nil {
			return "", fmt.Errorf("%s: %v: %w", name, err, errs.NotFound)
		}
		if !source.Below(t.root, real) {
			return "", fmt.Errorf("%s links to %s, which is not below %s: %w", name, real, t.root, errs.Unsupported)
		}
		if info, err := os.Stat(real); err == nil && (at == abs && info.IsDir() || at != abs && !info.IsDir()) {
			return "", fmt.Errorf("%s: %w: %s is in the way", name, errs.Unsupported, t.Relative(at))
		}
		return abs, nil
	}
}

// MaxPath bounds a path that a caller names, in bytes.
const MaxPath = 4096

// lexical returns the absolute path that a caller names: relative to the root, or absolute and below it. It does not look
// at the disk. A path that is no UTF-8 is refused: servers decode URIs, and some die of one that does not decode.
func (t *Tree) lexical(name string) (string, error) {
	if name == "" || len(name) > MaxPath || strings.ContainsRune(name, 0) || !utf8.ValidString(name) {
		return "", fmt.Errorf("%q is no file name: %w", excerpt.Clip(name, 100), errs.NotFound)
	}
	abs := filepath.FromSlash(name)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(t.root, abs)
	}
	abs = filepath.Clean(abs)
	if !source.Below(t.root, abs) {
		return "", fmt.Errorf("%s is not below %s: %w", name, t.root, errs.Unsupported)
	}
	return abs, nil
}

// Existing returns the absolute path of a file named by a caller, which must be on disk or have an overlay.
func (t *Tree) Existing(name string) (string, error) {
	abs, err := t.lexical(name)
	if err != nil {
		return "", err
	}
	if t.Overlays.Of(abs) != nil {
		return abs, nil
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, errs.NotFound)
	}
	if !source.Below(t.root, real) {
		return "", fmt.Errorf("%s links to %s, which is not below %s: %w", name, real, t.root, errs.Unsupported)
	}
	return abs, nil
}

// Relative returns the form of an absolute path that callers see.
func (t *Tree) Relative(abs string) string {
	if source.Below(t.root, abs) {
		if rel, err := filepath.Rel(t.root, abs); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(abs)
}
