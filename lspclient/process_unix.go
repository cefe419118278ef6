//go:build unix && !linux

package lspclient

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// ownGroup makes the program the leader of a process group.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills every process of the group. The leader's number stays that of the group while any member lives.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// waitGroup waits until the program ends, kills what is left of its group, and returns what cmd.Wait does.
func waitGroup(cmd *exec.Cmd) error {
	err := cmd.Wait()
	killGroup(cmd.Process)
	return err
}

// stopped is not known on this system.
func (p *process) stopped() bool { return false }

// processorTime is not known on this system.
func (p *process) processorTime() (time.Duration, bool) { return 0, false }

// cutOff is not possible on this system.
func cutOff(*exec.Cmd) bool { return false }

// tame does nothing on this system.
func tame(int) {}
