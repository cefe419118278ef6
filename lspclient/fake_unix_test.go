//go:build unix

package lspclient

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// stopSelf stops the process and does not return: the signal may reach this thread a moment later, and what follows would
// still be done.
func stopSelf() {
	syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	select {}
}

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

// takeMemory makes n bytes resident for good, outside of Go's heap, so that a race detector has nothing to add.
func takeMemory(n int) {
	mem, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	for i := 0; i < n; i += 4096 {
		mem[i] = 1
	}
}

// daemon starts a process that leaves the group and holds the pipes.
func (f *fakeServer) daemon() {
	cmd := exec.Command("sleep", "600")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	os.WriteFile(filepath.Join(f.dir, "pid-"+strconv.Itoa(cmd.Process.Pid)), nil, 0o644)
}
