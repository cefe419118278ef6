package rootfs

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

// Create makes or empties the file that Output finds.
func Create(name string) (*os.File, error) {
	name, err := Output(name)
	if err != nil {
		return nil, err
	}
	return os.Create(name)
}

// Output is the path, without links, of a file to write that the user named. Links are followed that stay below the current folder, or, where the name is
// not one below it, below the folder of the file. A link that leaves is refused: the current folder may be a repository, and it may hold one under a
// usual name.
func Output(name string) (string, error) { return OutputFrom("", name) }

// OutputFrom is Output for a command whose current folder is dir, an absolute path; "": that of the process.
func OutputFrom(dir, name string) (string, error) {
	if strings.HasPrefix(name, "/dev/") { // standard output, by its name
		return name, nil
	}
	base, given := cmp.Or(dir, "."), name
	if !filepath.IsLocal(name) {
		base = filepath.Dir(name)
	}
	if !filepath.IsAbs(name) && dir != "" {
		name = filepath.Join(dir, name)
		if !filepath.IsAbs(base) {
			base = filepath.Join(dir, base)
		}
	}
	base, err := Real(base)
	if err != nil {
		return "", err
	}
	real, err := Real(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(name); err == nil {
			return "", fmt.Errorf("%s: %w: it is a link to nothing", given, errs.Refused)
		}
		if real, err = Real(filepath.Dir(name)); errors.Is(err, fs.ErrNotExist) {
			return name, nil // for whoever makes the folder, or fails
		}
		real = filepath.Join(real, filepath.Base(name))
	}
	if err != nil {
		return "", err
	}
	if !Below(base, real) {
		return "", fmt.Errorf("%s: %w: a link leads out of %s, to %s: name that file to write it", given, errs.Refused, base, real)
	}
	return real, nil
}

// Below reports whether a path is a folder's own or lies below it, by their names alone.
func Below(dir, p string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && filepath.IsLocal(rel)
}

// Real is the absolute path of what is there, without links.
func Real(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}
