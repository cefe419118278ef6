package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/errs"
)

// WriteFile replaces the file at path with data, for everybody to read as far as the user's mask lets them. A crash at any moment leaves
// either the old content or the new. It is for files that are the user's own; those of an index are written by [Folder.WriteFile].
func WriteFile(path string, data []byte) error { return WriteFileMode(path, data, 0o644) }

// WriteFileMode is WriteFile for a file of these permissions.
func WriteFileMode(path string, data []byte, mode fs.FileMode) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	return write(root, filepath.Base(path), mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteOutput is WriteFile for what a user asked for by name: a file that is there keeps its permissions, and a new one has those that the
// user's mask leaves.
func WriteOutput(path string, data []byte) error {
	mode := fs.FileMode(0)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return &fs.PathError{Op: "write", Path: path, Err: fmt.Errorf("%w: it is no regular file", errs.Refused)}
		}
		mode = info.Mode().Perm()
	}
	return WriteFileMode(path, data, mode)
}

// write replaces a file below root by what fill writes. Mode 0 is that of a new file. When fill returns an error nothing changes.
func write(root *os.Root, name string, mode fs.FileMode, fill func(io.Writer) error) (err error) {
	var f *os.File
	temp := ""
	for try := 0; ; try++ {
		temp = name + ".tmp" + strconv.FormatUint(rand.Uint64(), 36)
		f, err = root.OpenFile(filepath.FromSlash(temp), os.O_WRONLY|os.O_CREATE|os.O_EXCL, cmp.Or(mode, 0o666))
		if err == nil || !errors.Is(err, fs.ErrExist) || try == 10 {
			break
		}
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			root.Remove(temp)
		}
	}()
	if err := fill(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if mode != 0 { // whatever the mask took away
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := replace(root, temp, name); err != nil {
		return err
	}
	d, err := root.Open(path.Dir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	return syncFolder(d)
}

// Rename gives a file or folder whose content is on disk a new name, on disk as well. The new name must be free.
func Rename(from, to string) error {
	if err := syncTree(from); err != nil {
		return err
	}
	err := os.Rename(from, to)
	for pause := time.Millisecond; busy(err) && pause < busyWait/2; pause *= 2 {
		time.Sleep(pause)
		err = os.Rename(from, to)
	}
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(to))
}

// syncTree puts the names within a folder on disk.
func syncTree(path string) error {
	return filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return syncDir(path)
	})
}

// A Lock is a held write lock on a folder.
type Lock struct{ f *os.File }

// lockName is the file in a locked folder. It stays when the lock is released: removing it would let two processes
// hold locks on two files of one name.
const lockName = "LOCK"

// AcquireLock takes the write lock of the folder dir, which must exist, and waits for it up to wait. The lock is the operating
// system's, so that it falls when the holder dies. When another process keeps it the error is an [errs.LockedError].
func AcquireLock(dir string, wait time.Duration) (*Lock, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f := &Folder{path: dir, root: root, trust: true}
	defer f.Close()
	return f.Lock(wait)
}

// Lock is [AcquireLock] for the folder.
func (f *Folder) Lock(wait time.Duration) (*Lock, error) {
	path := filepath.Join(f.path, lockName)
	file, err := f.openFile(lockName, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(wait)
	for {
		ok, err := tryLock(file)
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if ok {
			break
		}
		if !time.Now().Before(deadline) {
			data, _ := io.ReadAll(io.LimitReader(file, 32)) // the pid is a courtesy: 0 when it cannot be read
			pid, _ := strconv.Atoi(strings.TrimSpace(string(data)))
			file.Close()
			return nil, &errs.LockedError{Path: f.path, PID: pid}
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := file.Truncate(0); err == nil {
		_, err = file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
	}
	if setsAside {
		if err := f.restore(); err != nil {
			file.Close()
			return nil, err
		}
	}
	return &Lock{file}, nil
}

// Unlock releases the lock.
func (l *Lock) Unlock() error { return l.f.Close() }

// CheckVersion makes sure that the file VERSION says at most newest. A folder without the file gets it, with the
// value newest. A newer or unreadable version is an error that wraps [errs.Format] and names both numbers.
func (f *Folder) CheckVersion(newest int) (have int, err error) {
	data, err := f.ReadFile(versionName, 64)
	if errors.Is(err, fs.ErrNotExist) {
		return newest, f.WriteFile(versionName, []byte(strconv.Itoa(newest)+"\n"))
	}
	if err != nil {
		return 0, err
	}
	path := filepath.Join(f.path, versionName)
	have, err = strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil || have < 1 {
		return 0, fmt.Errorf("%s: %w: %q is no version number", path, errs.Format, string(data[:min(len(data), 20)]))
	}
	if have > newest {
		return have, fmt.Errorf("%s: %w: version %d, this program reads up to %d: use a newer program, or another folder", path, errs.Format, have, newest)
	}
	return have, nil
}

const versionName = "VERSION"
