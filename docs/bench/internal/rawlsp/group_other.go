//go:build !unix

package rawlsp

import "os/exec"

// inGroup does nothing: these systems have no process groups that can be killed.
func inGroup(*exec.Cmd) {}

// kill ends a command, but not what it started.
func kill(cmd *exec.Cmd) {
	cmd.Process.Kill() //nolint:errcheck // it may have ended by itself
}
