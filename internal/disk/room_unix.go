//go:build unix

package disk

import "golang.org/x/sys/unix"

var (
	fullErrors   = []error{unix.ENOSPC, unix.EDQUOT, unix.EFBIG}
	deniedErrors = []error{unix.EACCES, unix.EPERM, unix.EROFS}
)
