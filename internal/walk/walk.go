package walk

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/git-pkgs/gitignore"
)

// skipDirs are folders of tools and of installed packages, never of the repository's own code.
var skipDirs = map[string]bool{
	".git": true, ".hg": true, ".svn": true, ".findspot": true, "node_modules": true, "__pycache__": true,
	".venv": true, ".tox": true, ".nox": true, ".eggs": true, ".mypy_cache": true, ".pytest_cache": true,
	".ruff_cache": true, ".idea": true, ".vscode": true,
}

const maxIgnore = 1 << 20 // bytes read of one .gitignore

// Options says what else to leave out, and who wants to know.
type Options struct {
	Ignore []string                              // more patterns in the syntax of .gitignore, relative to the root
	All    bool                                  // .gitignore does not count; folders of tools and of installed packages stay out
	Keep   func(path string, d fs.DirEntry) bool // which files are wanted; nil means all. Asked before .gitignore is
	Force  func(d fs.DirEntry) bool              // which of the kept files .gitignore cannot leave out, though it can their folder; nil means none
	Skip   func(path, reason string, rule bool)  // told of each file or folder left out: by a rule, or because it could not be read; nil means nobody
}

// Files calls visit for the regular files of the repository at fsys, folder by folder in the order of names. It ends
// with the first error of visit, with ctx's, or with that of an unreadable root. A folder that cannot be read is
// reported to o.Skip and the rest goes on.
func Files(ctx context.Context, fsys fs.FS, o Options, visit func(path string, d fs.DirEntry) error) error {
	skip := o.Skip
	if skip == nil {
		skip = func(string, string, bool) {}
	}
	ignore := &gitignore.Matcher{}
	if len(o.Ignore) > 0 {
		ignore.AddPatterns([]byte(strings.Join(o.Ignore, "\n")), "")
	}
	return fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if p == "." {
				return err
			}
			skip(p, Reason(err), false)
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			if p != "." {
				if skipDirs[d.Name()] || ignore.MatchPath(p, true) {
					return fs.SkipDir
				}
				if _, err := fs.Stat(fsys, path.Join(p, "pyvenv.cfg")); err == nil {
					skip(p, "a virtual environment", true)
					return fs.SkipDir
				}
			}
			if o.All {
				return nil
			}
			if b, err := small(fsys, path.Join(p, ".gitignore")); err == nil {
				dir := p
				if p == "." {
					dir = ""
				}
				ignore.AddPatterns(b, dir)
			}
			return nil
		}
		if o.Keep != nil && !o.Keep(p, d) || ignore.MatchPath(p, false) && (o.Force == nil || !o.Force(d)) {
			return nil
		}
		if !d.Type().IsRegular() {
			skip(p, "not a regular file", true)
			return nil
		}
		return visit(p, d)
	})
}

func small(fsys fs.FS, p string) ([]byte, error) {
	f, err := fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxIgnore))
}

// Reason words an error for a report that names the path already.
func Reason(err error) string {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
