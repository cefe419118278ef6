//go:build !unix

package lspclient

import (
	"os"
	"os/exec"
	"time"
)

// ownGroup does nothing: this system has no process groups. Servers end when their stdin is closed.
func ownGroup(*exec.Cmd) {}

// killGroup kills the process alone.
func killGroup(p *os.Process) { p.Kill() }

// waitGroup waits until the program ends.
func waitGroup(cmd *exec.Cmd) error { return cmd.Wait() }

// stopped is not known on this system.
func (p *process) stopped() bool { return false }

// processorTime is not known on this system.
func (p *process) processorTime() (time.Duration, bool) { return 0, false }

// cutOff is not possible on this system.
func cutOff(*exec.Cmd) bool { return false }

// tame does nothing on this system.
func tame(int) {}
