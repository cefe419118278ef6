package source

import (
	"errors"
	"fmt"
	"path"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/internal/walk"
)

// A Policy says what of a user's files may be shown.
type Policy struct {
	ShowSecrets bool // files that are known to hold secrets, and texts without masks
	ReadIgnored bool // files that git ignores
}

// Allowed refuses the files and folders below a root that the policy keeps from answers.
func (o Policy) Allowed(fsys *rootfs.Dir, p string) error {
	real, err := fsys.Resolve(p)
	if err != nil {
		return Hint(err)
	}
	for _, name := range []string{p, real} { // a link may have either name
		if reason, secret := secrets.Name(name); secret && !o.ShowSecrets {
			return fmt.Errorf("%s may hold secrets (%s): %w: the host can allow it with Options.ShowSecrets (--show-secrets)", p, reason, errs.Refused)
		}
	}
	if o.ReadIgnored {
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
		return fmt.Errorf("%s is left out by .gitignore: %w: the host can allow it with Options.ReadIgnored (--read-ignored)", p, errs.Refused)
	}
	return nil
}

// Mask masks the secrets of a text in place, unless they may be shown.
func (o Policy) Mask(text []byte) {
	if !o.ShowSecrets {
		secrets.Mask(text)
	}
}

// Hint adds the way out to a path that was refused.
func Hint(err error) error {
	if errors.Is(err, errs.Refused) {
		return fmt.Errorf("%w: only regular files below the repository are read; add what lies elsewhere as a repository or document of its own", err)
	}
	return err
}
