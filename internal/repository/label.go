package repository

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/internal/rootfs"
)

// Folder is the name of the repository's folder, with the letters that a name may have.
func (r *Repository) Folder() string { return SafeName(filepath.Base(r.Root)) }

// Label is the name of the repository in answers, "" for one that is alone.
func (r *Repository) Label() string {
	if s := r.shown.Load(); s != nil {
		return *s
	}
	return r.Name
}

// SetLabel sets the name in answers.
func (r *Repository) SetLabel(label string) { r.shown.Store(&label) }

// ID writes an entity's id as the workspace shows it.
func (r *Repository) ID(local string) string {
	if r.Label() == "" {
		return local
	}
	return r.Label() + "//" + local
}

// LocalID cuts the repository's name off an id; ok is false when the id belongs to another repository.
func (r *Repository) LocalID(id string) (local string, ok bool) {
	name, rest, found := strings.Cut(id, "//")
	if !found {
		return id, true
	}
	return rest, name == r.Label() || name == r.Name && name != "" || r.Label() == "" && name == r.Folder()
}

// LocalPath makes a path the repository's own: without its name, and relative where it is absolute and inside of the root.
func (r *Repository) LocalPath(p string) (string, bool) {
	if !filepath.IsAbs(p) {
		return r.LocalID(p)
	}
	real, err := rootfs.Real(p)
	if err != nil {
		real = p // a file that is not there
	}
	for _, q := range []string{filepath.Clean(p), real} {
		if rel, err := filepath.Rel(r.Root, q); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// Has reports whether a file is there, on disk or as an unsaved buffer.
func (r *Repository) Has(p string) bool {
	p = path.Clean(p)
	if _, ok := r.Overlay(p); ok {
		return true
	}
	_, err := r.FS.Stat(p)
	return err == nil
}

// SafeName replaces what a name may not have.
func SafeName(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, s)
}
