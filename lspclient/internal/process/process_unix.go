//go:build unix && !linux

package process

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// OwnGroup makes the program the leader of a process group.
func OwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills every process of the group. The leader's number stays that of the group while any member lives.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// waitGroup waits until the program ends, kills what is left of its group, and returns what cmd.Wait does.
func waitGroup(cmd *exec.Cmd) error {
	err := cmd.Wait()
	killGroup(cmd.Process)
	return err
}

// Stopped is not known on this system.
func (p *Process) Stopped() bool { return false }

// ProcessorTime is not known on this system.
func (p *Process) ProcessorTime() (time.Duration, bool) { return 0, false }

// CutOff is not possible on this system.
func CutOff(*exec.Cmd) bool { return false }

// tame does nothing on this system.
func tame(int) {}
