package disk

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// On Windows a file that somebody has open cannot always be replaced by renaming another one over it: NTFS does it since Windows 10 when all
// have opened the file with delete sharing, as [os.Root] does and [os.Open] does not; other file systems and servers never do. But an open file
// can be renamed. So the old file is set aside under a name of its own, NAME.old and a number, and removed as soon as nobody has it open. For a
// moment nobody finds the file under its name: who reads it then waits, and where a crash has left it so, the one set aside is the file.
var setsAside = runtime.GOOS == "windows" // tests set it elsewhere

const (
	asideMark = ".old"

	// How long a file is waited for that others have open for a moment without sharing it, as scanners of viruses do, or that another
	// process is replacing.
	busyWait = 2 * time.Second
	gapWait  = 200 * time.Millisecond
)

// replace renames a file over another one, which may be open.
func replace(root *os.Root, from, to string) error {
	err := root.Rename(from, to)
	for pause := time.Millisecond; setsAside && busy(err) && pause < busyWait/2; pause *= 2 {
		aside := setAside(root, from, to)
		if aside == nil {
			return nil
		}
		time.Sleep(pause) // in all less than busyWait
		err = root.Rename(from, to)
	}
	return err
}

// setAside replaces a file by another in three steps: the old one is renamed, the new one gets its name, the old one is removed.
func setAside(root *os.Root, from, to string) error {
	last := uint64(0)
	old, err := asides(root, to)
	if err != nil {
		return err
	}
	if len(old) > 0 {
		last = asideNumber(to, old[len(old)-1])
	}
	aside := to + asideMark + strconv.FormatUint(last+1, 10)
	if err := root.Rename(to, aside); err != nil {
		return err
	}
	if err := root.Rename(from, to); err != nil {
		return errors.Join(err, root.Rename(aside, to))
	}
	for _, name := range append(old, aside) {
		_ = root.Remove(name) // one that is in use may stay until the folder is locked next
	}
	return nil
}

// asides lists what was set aside of a file, the newest last.
func asides(root *os.Root, name string) ([]string, error) {
	dir, base := path.Split(filepath.ToSlash(name))
	list, err := fs.ReadDir(root.FS(), path.Clean(dir))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, d := range list {
		if asideNumber(base, d.Name()) > 0 {
			out = append(out, dir+d.Name())
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(asideNumber(name, a), asideNumber(name, b)) })
	return out, nil
}

// asideNumber is the number of a name under which a file may have been set aside, or 0.
func asideNumber(name, aside string) uint64 {
	digits, ok := strings.CutPrefix(aside, name+asideMark)
	n, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil {
		return 0
	}
	return n
}

// settled gives the name that the content of a file stands under, which is not there: another process may be replacing it, or one was killed
// while it did. The error wraps fs.ErrNotExist when there is no such file.
func (f *Folder) settled(name string) (string, error) {
	missing := &fs.PathError{Op: "open", Path: filepath.Join(f.path, name), Err: fs.ErrNotExist}
	for deadline := time.Now().Add(gapWait); ; time.Sleep(5 * time.Millisecond) {
		old, err := asides(f.root, name)
		if err != nil || len(old) == 0 {
			if _, e := f.root.Lstat(name); e == nil { // it came between the two looks
				return name, nil
			}
			return "", errors.Join(missing, err)
		}
		if _, err := f.root.Lstat(name); err == nil {
			return name, nil
		}
		if time.Now().After(deadline) {
			return old[len(old)-1], nil
		}
	}
}

// restore gives files back their names that a crash left set aside, and removes the others that were. The folder is locked.
func (f *Folder) restore() error {
	list, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return err
	}
	done := map[string]bool{}
	for _, d := range list {
		at := strings.LastIndex(d.Name(), asideMark)
		if at <= 0 || asideNumber(d.Name()[:at], d.Name()) == 0 || done[d.Name()[:at]] {
			continue
		}
		name := d.Name()[:at]
		done[name] = true
		old, err := asides(f.root, name)
		if err != nil {
			return err
		}
		if _, err := f.root.Lstat(name); errors.Is(err, fs.ErrNotExist) && len(old) > 0 {
			last := old[len(old)-1]
			if err := f.root.Rename(last, name); err != nil {
				return fmt.Errorf("%s holds what %s held before a crash: %w", filepath.Join(f.path, last), name, err)
			}
			old = old[:len(old)-1]
		}
		for _, o := range old {
			_ = f.root.Remove(o) // one that is in use stays until the next time
		}
	}
	return nil
}
