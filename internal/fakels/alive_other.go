//go:build !linux

package fakels

import (
	"os"
	"syscall"
)

// alive reports whether a process can be signalled.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && p.Signal(syscall.Signal(0)) == nil
}
