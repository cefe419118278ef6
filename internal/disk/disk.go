package disk

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/errs"
)

// WriteFile replaces the file at path with data. A crash at any moment leaves either the old content or the new.
func WriteFile(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Write is [WriteFile] for content that is written in pieces. When fill returns an error nothing changes.
func Write(path string, fill func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tmp*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := fill(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// Rename gives a file or folder whose content is on disk a new name, on disk as well. The new name must be free.
func Rename(from, to string) error {
	if err := syncTree(from); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
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
	path := filepath.Join(dir, lockName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(wait)
	for {
		ok, err := tryLock(f)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if ok {
			break
		}
		if !time.Now().Before(deadline) {
			data, _ := io.ReadAll(io.LimitReader(f, 32)) // the pid is a courtesy: 0 when it cannot be read
			pid, _ := strconv.Atoi(strings.TrimSpace(string(data)))
			f.Close()
			return nil, &errs.LockedError{Path: dir, PID: pid}
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := f.Truncate(0); err == nil {
		_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
	}
	return &Lock{f}, nil
}

// Unlock releases the lock.
func (l *Lock) Unlock() error { return l.f.Close() }

// CheckVersion makes sure that the file VERSION in dir says at most newest. A folder without the file gets it, with the
// value newest. A newer or unreadable version is an error that wraps [errs.Format] and names both numbers.
func CheckVersion(dir string, newest int) (have int, err error) {
	path := filepath.Join(dir, "VERSION")
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return newest, WriteFile(path, []byte(strconv.Itoa(newest)+"\n"))
	}
	if err != nil {
		return 0, err
	}
	have, err = strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil || have < 1 {
		return 0, fmt.Errorf("%s: %w: %q is no version number", path, errs.Format, string(data[:min(len(data), 20)]))
	}
	if have > newest {
		return have, fmt.Errorf("%s: %w: version %d, this program reads up to %d: use a newer program, or another folder", path, errs.Format, have, newest)
	}
	return have, nil
}
