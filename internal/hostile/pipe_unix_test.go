//go:build unix

package hostile

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// mkfifo makes a named pipe.
func mkfifo(path string) error { return syscall.Mkfifo(path, 0o644) }

// mkzero makes a device that has no end, /dev/zero on Linux.
func mkzero(path string) error { return unix.Mknod(path, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5))) }
