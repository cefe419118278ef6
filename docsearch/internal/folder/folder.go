package folder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
)

// A Walk says what a walk through a folder finds, and what it does with it.
type Walk struct {
	Reads   func(ext string) bool             // whether files with this ending are documents: lower case, with its dot
	Each    func(File) bool                   // is called for each document, in the order of their paths
	Bad     func(name string, err error) bool // is called for what cannot be read
	LeftOut func(ext string)                  // is called for each file of another ending; nil: not at all
}

// A File is a file that holds a document, or several.
type File struct {
	Name string // slash path below the folder
	Path string // where it was found, absolute
	Info fs.FileInfo
	Open func() (io.ReadCloser, error)
	// Files holds what a document of a folder may include: what a walk would not pass over, by the same paths as Name. nil for a single file.
	Files fs.FS
}

// Files goes through root, a folder or a single file, which is a document whatever its ending, until Each or Bad returns false.
func (w Walk) Files(root string) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(abs)
	}
	switch {
	case err != nil:
		w.Bad(root, PlainPathError(err))
	case info.IsDir():
		folderWalk{w, rootfs.New(abs), abs}.folder(".")
	case !info.Mode().IsRegular():
		w.Bad(root, fmt.Errorf("%w: neither a file nor a folder", errs.Unsupported))
	default:
		w.Each(File{Name: filepath.Base(root), Path: abs, Info: info, Open: func() (io.ReadCloser, error) { return rootfs.Open(abs) }})
	}
}

// included are the files of a folder that documents may include: sources of text, none of them hidden.
type included struct{ dir *rootfs.Dir }

func (i included) Open(name string) (fs.File, error) {
	hidden := slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool { return strings.HasPrefix(s, ".") })
	if hidden || !slices.Contains(sources, strings.ToLower(path.Ext(name))) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errs.Refused}
	}
	return i.dir.Open(name)
}

var sources = []string{".tex", ".ltx", ".latex", ".bbl", ".sty", ".cls", ".def", ".tikz", ".txt"}

// IsJSONLines reports whether a file of this name holds a document a line.
func IsJSONLines(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.gz")
}

// Count returns about how many documents with such endings are below root; see docsearch.CountFiles.
func Count(ctx context.Context, root string, reads func(ext string) bool) int {
	n, known := 0, true
	count := func(f File) bool {
		switch {
		case !IsJSONLines(f.Name):
			n++
		case strings.HasSuffix(strings.ToLower(f.Name), ".gz"):
			known = false
		default:
			lines, err := countLines(ctx, f)
			if n += lines; err != nil {
				known = false
			}
		}
		return known && ctx.Err() == nil
	}
	Walk{Reads: reads, Each: count, Bad: func(string, error) bool { return true }}.Files(root)
	if !known || ctx.Err() != nil {
		return 0
	}
	return n
}

func countLines(ctx context.Context, file File) (n int, err error) {
	f, err := file.Open()
	if err != nil {
		return 0, err
	}
	defer f.Close() // read only
	buf := make([]byte, 256<<10)
	for {
		k, err := format.ContextReader(ctx, f).Read(buf)
		n += bytes.Count(buf[:k], []byte("\n"))
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// A folderWalk goes through a folder of documents.
type folderWalk struct {
	Walk
	root *rootfs.Dir
	abs  string
}

// folder goes through the folder of a slash path. It reports whether to go on.
func (w folderWalk) folder(dir string) bool {
	entries, err := w.root.ReadDir(dir)
	if err != nil && !w.Bad(filepath.Join(w.abs, filepath.FromSlash(dir)), PlainPathError(err)) {
		return false
	}
	// A folder sorts as its files do, by the whole path.
	key := func(e fs.DirEntry) string {
		if e.IsDir() {
			return e.Name() + "/"
		}
		return e.Name()
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(key(a), key(b)) })
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
			continue
		case e.IsDir():
			if !w.folder(name) {
				return false
			}
			continue
		}
		if ext := strings.ToLower(path.Ext(e.Name())); !w.Reads(ext) && !IsJSONLines(e.Name()) {
			if w.LeftOut != nil && (e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0) {
				w.LeftOut(ext)
			}
			continue
		}
		info, err := w.root.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && e.Type()&fs.ModeSymlink == 0:
			continue // removed while we walked
		case errors.Is(err, errs.Refused):
			continue // a link that leads out
		case err != nil:
			if !w.Bad(name, PlainPathError(err)) {
				return false
			}
			continue
		case !info.Mode().IsRegular():
			continue
		}
		open := func() (io.ReadCloser, error) { return w.root.Open(name) }
		if !w.Each(File{name, filepath.Join(w.abs, filepath.FromSlash(name)), info, open, included{w.root}}) {
			return false
		}
	}
	return true
}

// PlainPathError drops the name of the system call, which tells a user nothing.
func PlainPathError(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", pe.Path, pe.Err)
	}
	return err
}
