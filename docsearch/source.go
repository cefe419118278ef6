package docsearch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Source is one document to add.
type Source struct {
	Name    string    // slash-separated path relative to the added folder; the document's id comes from it
	Origin  string    // where the bytes come from: tells two documents of one name apart
	Size    int64     // bytes
	ModTime time.Time // zero: unknown
	// Open returns the bytes. It is called at most once for each call of Add, and not for a file that is too large.
	Open func() (io.ReadCloser, error)
}

// Bytes returns a source for bytes in memory. Its origin is "bytes".
func Bytes(name string, data []byte) Source {
	return Source{
		Name: name, Origin: "bytes", Size: int64(len(data)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	}
}

// extensions are the files that [Files] finds.
var extensions = []string{".pdf", ".txt", ".md", ".markdown"}

// Files walks root and yields its documents (.pdf, .txt, .md and .markdown, in any case) sorted by their path. When root is
// a file it is yielded alone, whatever its extension, under its base name.
//
// Files and folders whose name begins with a dot are left out, as are symbolic links that lead out of root or to a folder. A folder that
// cannot be read yields an [*IngestError], and the walk goes on.
func Files(root string) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		abs, err := filepath.Abs(root)
		if err == nil {
			abs, err = filepath.EvalSymlinks(abs)
		}
		var info fs.FileInfo
		if err == nil {
			info, err = os.Stat(abs)
		}
		if err != nil {
			yield(Source{}, &IngestError{Name: root, Err: plainPathError(err)})
			return
		}
		if !info.IsDir() {
			if !info.Mode().IsRegular() {
				yield(Source{}, &IngestError{Name: root, Err: fmt.Errorf("%w: neither a file nor a folder", ErrUnsupported)})
				return
			}
			yield(fileSource(filepath.Base(root), abs, info), nil)
			return
		}
		walk(abs, abs, "", yield)
	}
}

// walk yields the documents of the folder dir, whose name relative to root is rel. It reports whether to go on.
func walk(root, dir, rel string, yield func(Source, error) bool) bool {
	entries, err := os.ReadDir(dir)
	if err != nil && !yield(Source{}, &IngestError{Name: dir, Err: plainPathError(err)}) {
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
		name, file := path.Join(rel, e.Name()), filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
			continue
		case e.IsDir():
			if !walk(root, file, name, yield) {
				return false
			}
			continue
		case !slices.Contains(extensions, strings.ToLower(path.Ext(e.Name()))):
			continue
		}
		info, err := e.Info()
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			target, terr := filepath.EvalSymlinks(file)
			if terr == nil && !within(root, target) {
				continue
			}
			if terr == nil {
				info, terr = os.Stat(target)
			}
			err = terr
			if err == nil && info.IsDir() {
				continue
			}
		}
		if errors.Is(err, fs.ErrNotExist) && info == nil {
			continue // removed while we walked
		}
		if err != nil {
			if !yield(Source{}, &IngestError{Name: name, Err: plainPathError(err)}) {
				return false
			}
			continue
		}
		if !info.Mode().IsRegular() {
			continue
		}
		if !yield(fileSource(name, file, info), nil) {
			return false
		}
	}
	return true
}

func within(root, target string) bool {
	rel, err := filepath.Rel(root, target)
	return err == nil && filepath.IsLocal(rel)
}

func fileSource(name, file string, info fs.FileInfo) Source {
	return Source{
		Name: filepath.ToSlash(name), Origin: file, Size: info.Size(), ModTime: info.ModTime(),
		Open: func() (io.ReadCloser, error) { return os.Open(file) },
	}
}

// plainPathError drops the name of the system call, which tells a user nothing.
func plainPathError(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", pe.Path, pe.Err)
	}
	return err
}
