//go:build !unix

package process

import (
	"os"
	"os/exec"
	"time"
)

// OwnGroup does nothing: this system has no process groups. Servers end when their stdin is closed.
func OwnGroup(*exec.Cmd) {}

// killGroup kills the process alone.
func killGroup(p *os.Process) { p.Kill() }

// waitGroup waits until the program ends.
func waitGroup(cmd *exec.Cmd) error { return cmd.Wait() }

// Stopped is not known on this system.
func (p *Process) Stopped() bool { return false }

// ProcessorTime is not known on this system.
func (p *Process) ProcessorTime() (time.Duration, bool) { return 0, false }

// CutOff is not possible on this system.
func CutOff(*exec.Cmd) bool { return false }

// tame does nothing on this system.
func tame(int) {}
