//go:build !unix

package lspclient

import (
	"os"
	"os/exec"
)

// ownGroup does nothing: this system has no process groups. Servers end when their stdin is closed.
func ownGroup(*exec.Cmd) {}

// killGroup kills the process alone.
func killGroup(p *os.Process) { p.Kill() }

// waitGroup waits until the program ends.
func waitGroup(cmd *exec.Cmd) error { return cmd.Wait() }
