package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/rootfs"
)

// maxName bounds the name of a document that is added, in bytes; so do most file systems.
const maxName = 255

// checkName refuses names that are no plain names of files. What begins with a dot is ours, or hidden.
func checkName(name string) error {
	odd := strings.ContainsFunc(name, func(r rune) bool { return r == '/' || r == '\\' || unicode.IsControl(r) })
	if name == "" || len(name) > maxName || name[0] == '.' || !utf8.ValidString(name) || odd || !filepath.IsLocal(name) {
		return invalid("the name %q: give one such as NAME.pdf, of at most %d bytes and without folders", name[:min(len(name), maxName)], maxName)
	}
	return nil
}

// uploads is a folder of files that were added over the network. Each document has one of its name there. A file comes into place once the index has it, so
// that what was cut off is in neither; what is in place and not in the index, or the other way around, comes from a crash.
type uploads struct {
	dir string // absolute and without links, also before it is made: documents are found by the path of their file
	log *slog.Logger

	mended chan struct{} // closed once the folder and the index agree: nobody changes a file before

	mu   sync.Mutex // guards busy
	busy map[string]chan struct{}
}

func newUploads(dir string, log *slog.Logger) *uploads {
	if abs, err := filepath.Abs(dir); err == nil { // else its use fails
		dir = abs
	}
	return &uploads{dir: withoutLinks(dir), log: log, mended: make(chan struct{}), busy: map[string]chan struct{}{}}
}

// withoutLinks resolves a path as far as it exists: the folder gets the same name in the run that makes it as in the next one.
func withoutLinks(path string) string {
	real, err := rootfs.Real(path)
	if err == nil {
		return real
	}
	if parent := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && parent != path {
		return filepath.Join(withoutLinks(parent), filepath.Base(path))
	}
	return path // its use fails
}

// temporary begins the names of files that are not in place yet.
const temporary = ".upload-"

// mend brings the index up to the folder, after a crash.
func (u *uploads) mend(ctx context.Context, ws *findspot.Workspace) {
	defer close(u.mended)
	list, err := os.ReadDir(u.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), temporary) {
			err = errors.Join(err, os.Remove(filepath.Join(u.dir, e.Name())))
		}
	}
	if err != nil {
		u.log.Warn("uploads not mended", "reason", err)
	}
	for doc, err := range ws.AddDocs(ctx, u.dir) {
		switch {
		case err != nil && ctx.Err() != nil, errors.Is(err, findspot.ErrNotFound): // it holds nothing
		case err != nil:
			u.log.Warn("upload not read", "reason", err)
		case doc.Change != docsearch.Unchanged:
			u.log.Info("upload brought up to date", "doc", doc.ID, "change", doc.Change)
		}
	}
}

// lock waits until nobody else changes a file. Names that differ in case alone are one file on some systems.
func (u *uploads) lock(ctx context.Context, file string) (unlock func(), err error) {
	select {
	case <-u.mended:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	key := strings.ToLower(filepath.Base(file))
	for {
		u.mu.Lock()
		other, ok := u.busy[key]
		if !ok {
			mine := make(chan struct{})
			u.busy[key] = mine
			u.mu.Unlock()
			return func() {
				u.mu.Lock()
				delete(u.busy, key)
				u.mu.Unlock()
				close(mine)
			}, nil
		}
		u.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// add keeps a file and adds it to the library.
func (u *uploads) add(ctx context.Context, lib *docsearch.Library, name string, data io.Reader) (doc *docsearch.Document, err error) {
	unlock, err := u.lock(ctx, name)
	if err != nil {
		return nil, err
	}
	defer unlock()
	root, err := u.open()
	if err != nil {
		return nil, err
	}
	defer root.Close() // nothing is written through it
	if err := u.otherCase(root, name); err != nil {
		return nil, err
	}
	temp := temporary + rand.Text()
	info, err := write(root, temp, data)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("upload %s: %w", name, err), removed(root, temp))
	}
	doc, err = lib.Add(ctx, docsearch.Source{
		Name: name, Origin: filepath.Join(u.dir, name), Size: info.Size(), ModTime: info.ModTime(),
		Open: func() (io.ReadCloser, error) { return root.Open(temp) }, Refuse: true,
	})
	if doc == nil { // the index is as it was
		return nil, errors.Join(err, removed(root, temp))
	}
	if rerr := disk.Rename(filepath.Join(u.dir, temp), filepath.Join(u.dir, name)); rerr != nil {
		return nil, errors.Join(fmt.Errorf("upload %s: %w", name, rerr), removed(root, temp))
	}
	return doc, err
}

func (u *uploads) open() (*os.Root, error) {
	if err := os.MkdirAll(u.dir, 0o700); err != nil {
		return nil, err
	}
	return os.OpenRoot(u.dir)
}

// otherCase refuses a name where the file system has the file of a name that differs in case for it.
func (u *uploads) otherCase(root *os.Root, name string) error {
	if _, err := root.Lstat(name); err != nil {
		return nil // it is new, or the writing says what is wrong
	}
	list, err := os.ReadDir(u.dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.Name() == name {
			return nil
		}
	}
	return invalid("the name %q: there is a file whose name differs in the case of letters: use that name", name)
}

// write makes a file with all of the data, on disk when it returns.
func write(root *os.Root, name string, data io.Reader) (fs.FileInfo, error) {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(f, data)
	if err == nil {
		err = f.Sync()
	}
	info, serr := f.Stat()
	return info, errors.Join(err, serr, f.Close())
}

// removed removes a file that may be gone.
func removed(root *os.Root, name string) error {
	if err := root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// remove removes the file at a path when it is one of the folder's.
func (u *uploads) remove(file string) error {
	if filepath.Dir(file) != u.dir {
		return nil
	}
	root, err := os.OpenRoot(u.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close() // nothing is written through it
	// By the name of what is not in place, it does not come back after a loss of power.
	if _, err := root.Lstat(filepath.Base(file)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	temp := temporary + rand.Text()
	if err := disk.Rename(file, filepath.Join(u.dir, temp)); err != nil {
		return err
	}
	return removed(root, temp)
}
