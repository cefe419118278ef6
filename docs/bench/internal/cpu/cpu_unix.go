//go:build unix

package cpu

import (
	"syscall"
	"time"
)

// Used is how much time of processors the process has used.
func Used() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
