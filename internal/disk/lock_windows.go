//go:build windows

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func tryLock(f *os.File) (bool, error) {
	// Lock a byte far behind the content, so that the pid stays readable for others.
	o := &windows.Overlapped{Offset: 1 << 20}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, o)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

func syncDir(string) error { return nil } // a folder cannot be synced there

func syncFolder(*os.File) error { return nil }

const nonblock = 0 // pipes are no files there

func foreign(os.FileInfo) string { return "" } // who may write is not in the mode there

// busy tells the errors about a file that somebody has open or mapped. Access is also denied for other reasons, which cannot be told apart.
func busy(err error) bool {
	for _, e := range [...]error{windows.ERROR_SHARING_VIOLATION, windows.ERROR_LOCK_VIOLATION, windows.ERROR_ACCESS_DENIED, windows.ERROR_USER_MAPPED_FILE} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
