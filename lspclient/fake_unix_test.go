//go:build unix

package lspclient

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func stopSelf() { syscall.Kill(os.Getpid(), syscall.SIGSTOP) }

// alive reports whether a process is there and no zombie. One that was just killed gets a moment.
func alive(pid int) bool {
	for range 100 {
		if syscall.Kill(pid, 0) != nil {
			return false
		}
		if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return false
		}
		time.Sleep(10 * time.Millisecond)
	}
	return true
}
