package findspot

import (
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/internal/walk"
)

// sourceText gives the text of a file for an answer, in UTF-8: what the workspace's policy allows, with secrets masked. Offsets and lines are those of the
// file in UTF-8, since a mask is as long as what it covers.
func (r *repo) sourceText(p string) ([]byte, error) {
	if err := r.allowed(p); err != nil {
		return nil, err
	}
	text, err := r.text(p)
	if err == nil && !r.w.opt.ShowSecrets {
		secrets.Mask(text)
	}
	return text, err
}

// shownNow is sourceText for the text as language servers see it: that of an unsaved buffer comes from the host.
func (r *repo) shownNow(p string) ([]byte, error) {
	if _, ok := r.overlay(p); ok {
		return r.readText(p)
	}
	return r.sourceText(p)
}

// allowed refuses files that the policy keeps from answers.
func (r *repo) allowed(p string) error { return r.w.allowed(r.fsys, p) }

// allowed refuses the files and folders below a root that the policy keeps from answers.
func (w *Workspace) allowed(fsys *rootfs.Dir, p string) error {
	real, err := fsys.Resolve(p)
	if err != nil {
		return outsideHint(err)
	}
	for _, name := range []string{p, real} { // a link may have either name
		if reason, secret := secrets.Name(name); secret && !w.opt.ShowSecrets {
			return fmt.Errorf("%s may hold secrets (%s): %w: the host can allow it with Options.ShowSecrets (--show-secrets)", p, reason, ErrRefused)
		}
	}
	if w.opt.ReadIgnored {
		return nil
	}
	if info, err := fsys.Stat(real); err == nil && info.IsDir() {
		real = path.Join(real, "any") // of a folder counts whether its files are left out
	}
	ignored, err := walk.Ignored(fsys, real)
	if err != nil {
		return err
	}
	if ignored {
		return fmt.Errorf("%s is left out by .gitignore: %w: the host can allow it with Options.ReadIgnored (--read-ignored)", p, ErrRefused)
	}
	return nil
}

// text gives the text of a file in UTF-8, as the code graph sees it; what is binary as it is. It is for looking at: what answers show goes through
// sourceText.
func (r *repo) text(p string) ([]byte, error) {
	data, err := r.raw(p)
	return charset.UTF8(p, data), err
}

// raw reads a file of the repository. The time that it takes is bounded by the reader.
func (r *repo) raw(p string) ([]byte, error) {
	data, err := r.fsys.Read(context.Background(), p, grepMaxFile)
	return data, outsideHint(err)
}

// outsideHint adds the way out to a path that was refused.
func outsideHint(err error) error {
	if errors.Is(err, ErrRefused) {
		return fmt.Errorf("%w: only regular files below the repository are read; add what lies elsewhere as a repository or document of its own", err)
	}
	return err
}
