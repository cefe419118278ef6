//go:build unix

package rootfs

import "syscall"

// nonblock keeps the opening of a named pipe that took a file's place from waiting for a writer.
const nonblock = syscall.O_NONBLOCK
