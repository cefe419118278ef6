//go:build unix

package tesseract

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the program and what it started. It is called before the program is waited for, so its number is its own.
func killGroup(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
