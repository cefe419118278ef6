package walk

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
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
	Folder func(path string)                     // told of each folder before what is in it, "." for the root; nil means nobody
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
	w := walker{ctx: ctx, fsys: fsys, o: o, skip: skip, visit: visit}
	list, err := fs.ReadDir(fsys, ".")
	if err != nil && len(list) == 0 {
		return err
	}
	if err != nil {
		skip(".", Reason(err), false)
	}
	return w.folder(".", list, given(o.Ignore))
}

// given gives the rules that are no file's.
func given(patterns []string) *rules {
	if len(patterns) == 0 {
		return nil
	}
	return (*rules)(nil).with("", []byte(strings.Join(patterns, "\n")))
}

type walker struct {
	ctx   context.Context
	fsys  fs.FS
	o     Options
	skip  func(path, reason string, rule bool)
	visit func(path string, d fs.DirEntry) error
}

// folder visits what is in a folder, whose list says already whether there is a .gitignore: asking the file system for one
// in every folder takes longer than all the rest.
func (w *walker) folder(dir string, list []fs.DirEntry, r *rules) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.o.Folder != nil {
		w.o.Folder(dir)
	}
	if !w.o.All && has(list, ".gitignore") {
		if b, err := small(w.fsys, path.Join(dir, ".gitignore")); err == nil {
			r = r.with(dir, b)
		}
	}
	for _, d := range list {
		p := d.Name()
		if dir != "." {
			p = dir + "/" + p
		}
		if d.IsDir() {
			if skipDirs[d.Name()] || r.match(p, true) {
				continue
			}
			inside, err := fs.ReadDir(w.fsys, p)
			if err != nil {
				w.skip(p, Reason(err), false)
			}
			if has(inside, "pyvenv.cfg") {
				w.skip(p, "a virtual environment", true)
				continue
			}
			if err := w.folder(p, inside, r); err != nil {
				return err
			}
			continue
		}
		if w.o.Keep != nil && !w.o.Keep(p, d) || r.match(p, false) && (w.o.Force == nil || !w.o.Force(d)) {
			continue
		}
		if !d.Type().IsRegular() {
			w.skip(p, "not a regular file", true)
			continue
		}
		if err := w.visit(p, d); err != nil {
			return err
		}
	}
	return nil
}

// has tells whether a sorted list holds a name.
func has(list []fs.DirEntry, name string) bool {
	_, ok := slices.BinarySearchFunc(list, name, func(d fs.DirEntry, name string) int { return strings.Compare(d.Name(), name) })
	return ok
}

// Reason words an error for a report that names the path already.
func Reason(err error) string {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
