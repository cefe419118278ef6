//go:build windows

package disk

import "golang.org/x/sys/windows"

var (
	fullErrors   = []error{windows.ERROR_DISK_FULL, windows.ERROR_HANDLE_DISK_FULL, windows.ERROR_DISK_QUOTA_EXCEEDED}
	deniedErrors = []error{windows.ERROR_ACCESS_DENIED, windows.ERROR_WRITE_PROTECT}
)
