package rootfs

import (
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
	"time"

	"github.com/findspot/findspot/internal/errs"
)

const (
	maxLinks = 40               // of one path, as Linux has it
	readTime = 30 * time.Second // for one file, where the caller's context allows more
	maxReads = 32               // under way at once, those that nobody waits for any more included
)

// A Dir is a folder below which files are read. Its names are slash paths as those of io/fs. It is safe for concurrent use, and holds nothing open:
// a folder that is replaced by another of its name is read as it is now, but never one that became a link.
type Dir struct {
	path  string
	reads chan struct{}
}

// New returns the folder at an absolute path, in which links are resolved. It does not look at the disk.
func New(abs string) *Dir { return &Dir{path: abs, reads: make(chan struct{}, maxReads)} }

func (d *Dir) fail(op, name string, err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

func (d *Dir) root() (*os.Root, error) {
	info, err := os.Lstat(d.path)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is no folder any more: %w", d.path, errs.Refused)
	}
	return os.OpenRoot(d.path)
}

// Resolve returns the path of a name with its links followed, which all must stay inside.
func (d *Dir) Resolve(name string) (string, error) {
	root, err := d.root()
	if err != nil {
		return "", d.fail("open", name, err)
	}
	defer root.Close() // read only
	real, _, err := d.resolve(root, name)
	if err != nil {
		return "", d.fail("open", name, err)
	}
	return real, nil
}

// resolve follows the links of a path one by one, so that the caller knows what is opened and not only that it lies inside.
func (d *Dir) resolve(root *os.Root, name string) (string, fs.FileInfo, error) {
	if !fs.ValidPath(name) || strings.ContainsRune(name, 0) || !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", nil, fmt.Errorf("not a plain path below the folder: %w", errs.Refused)
	}
	at, rest, links := ".", strings.Split(name, "/"), 0
	info, err := root.Lstat(".")
	if err != nil {
		return "", nil, err
	}
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		if part == "." || part == "" {
			continue
		}
		p := path.Join(at, part) // ".." of a link's target
		if p == ".." || strings.HasPrefix(p, "../") {
			return "", nil, fmt.Errorf("a link leads out of the folder: %w", errs.Refused)
		}
		if info, err = root.Lstat(filepath.FromSlash(p)); err != nil {
			return "", nil, err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = p
			continue
		}
		if links++; links > maxLinks {
			return "", nil, fmt.Errorf("more than %d links: %w", maxLinks, errs.Refused)
		}
		target, err := root.Readlink(filepath.FromSlash(p))
		if err != nil {
			return "", nil, err
		}
		if filepath.IsAbs(target) {
			rel, err := filepath.Rel(d.path, filepath.Clean(target))
			if err != nil || !filepath.IsLocal(rel) {
				return "", nil, fmt.Errorf("a link leads out of the folder: %w", errs.Refused)
			}
			at, target = ".", rel
		}
		rest = append(strings.Split(filepath.ToSlash(target), "/"), rest...)
		if info, err = root.Lstat(filepath.FromSlash(at)); err != nil {
			return "", nil, err
		}
	}
	return at, info, nil
}

// Open opens a file or folder.
func (d *Dir) Open(name string) (fs.File, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, d.fail("open", name, err)
	}
	return f, nil
}

func (d *Dir) open(name string) (f *os.File, err error) {
	for range maxReplaced {
		if f, err = d.openOnce(name); !errors.Is(err, errReplaced) {
			break
		}
	}
	return f, err
}

// errReplaced says that another file came in the place of one. Programs write files so, and who reads one then wants the new one.
var errReplaced = fmt.Errorf("it was replaced while it was opened: %w", errs.Refused)

const maxReplaced = 100 // times in a row

func (d *Dir) openOnce(name string) (*os.File, error) {
	root, err := d.root()
	if err != nil {
		return nil, err
	}
	defer root.Close() // what was opened stays open
	real, info, err := d.resolve(root, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if err := regular(info); err != nil {
			return nil, err
		}
	}
	f, err := root.OpenFile(filepath.FromSlash(real), os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	now, err := f.Stat()
	if err == nil && !os.SameFile(info, now) {
		err = errReplaced
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// regular refuses what is no regular file.
func regular(info fs.FileInfo) error {
	m := info.Mode()
	kind := "no regular file"
	switch {
	case m.IsRegular():
		return nil
	case m.IsDir():
		kind = "a folder"
	case m&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case m&fs.ModeSocket != 0:
		kind = "a socket"
	case m&fs.ModeDevice != 0:
		kind = "a device"
	}
	return fmt.Errorf("it is %s: %w", kind, errs.Refused)
}

// ReadDir lists a folder, sorted by name.
func (d *Dir) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, d.fail("readdir", name, err)
	}
	defer f.Close() // read only
	list, err := f.ReadDir(-1)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if err != nil {
		err = d.fail("readdir", name, err)
	}
	return list, err
}

// Stat describes what a name leads to.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	root, err := d.root()
	if err != nil {
		return nil, d.fail("stat", name, err)
	}
	defer root.Close() // read only
	_, info, err := d.resolve(root, name)
	if err != nil {
		return nil, d.fail("stat", name, err)
	}
	return info, nil
}

// Read returns the content of a regular file of at most limit bytes. Of a larger one it returns the beginning, by which binary files are known, and an error
// that wraps errs.TooLarge. It returns when ctx ends, or after
// half a minute, also where the disk does not answer: a file system over a network, or one that a program makes.
func (d *Dir) Read(ctx context.Context, name string, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, readTime, fmt.Errorf("the disk did not answer in %v", readTime))
	defer cancel()
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	select {
	case d.reads <- struct{}{}:
	case <-ctx.Done():
		return nil, d.fail("read", name, context.Cause(ctx))
	}
	go func() {
		defer func() { <-d.reads }()
		data, err := d.read(name, limit)
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return r.data, d.fail("read", name, r.err)
		}
		return r.data, nil
	case <-ctx.Done():
		return nil, d.fail("read", name, context.Cause(ctx))
	}
}

func (d *Dir) read(name string, limit int64) ([]byte, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	return all(f, limit)
}

// headSize is how much is read of a file that is too large.
const headSize = 8 << 10

func all(f *os.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := regular(info); err != nil {
		return nil, err
	}
	tooLarge := fmt.Errorf("over %d bytes: %w", limit, errs.TooLarge)
	if info.Size() > limit {
		head := make([]byte, min(limit, headSize))
		n, err := io.ReadFull(f, head)
		if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF { // it may have become shorter
			return nil, err
		}
		return head[:n], tooLarge
	}
	data := make([]byte, 0, info.Size()+512)
	for {
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if int64(len(data)) > limit { // it grows, or its size is not told
			return data[:min(limit, headSize)], tooLarge
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// Open opens a regular file that the host named, such as a flag's or a document's: links are followed, what is no regular file is refused, and
// it never blocks.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name) // before opening, which is felt by some devices
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, (&Dir{}).fail("open", name, err)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, errors.Join((&Dir{}).fail("open", name, err), f.Close())
	}
	return f, nil
}

// ReadFile reads a file that the host named, as Open opens it. One of more than limit bytes is an error.
func ReadFile(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := all(f, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}
