//go:build unix

package disk

import (
	"errors"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return syncFolder(d)
}

func syncFolder(d *os.File) error {
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOTSUP) {
		return err // some file systems cannot sync a folder: there the rename is all there is
	}
	return nil
}

// nonblock keeps opening a pipe from waiting for its other end.
const nonblock = unix.O_NONBLOCK

// foreign says what stands against trusting a file or folder: it is another user's, or everybody may write in it. "" when nothing does.
func foreign(info os.FileInfo) string {
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return "its owner cannot be told"
	case int(st.Uid) != os.Geteuid():
		return "it belongs to another user (uid " + strconv.Itoa(int(st.Uid)) + ")"
	case info.Mode().Perm()&0o002 != 0:
		return "every user of this machine may write in it"
	}
	return ""
}

func busy(error) bool { return false } // there an open file is replaced as any other
