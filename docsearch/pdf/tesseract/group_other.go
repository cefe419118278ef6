//go:build !unix

package tesseract

import (
	"os"
	"os/exec"
)

// ownGroup does nothing: this system has no process groups.
func ownGroup(*exec.Cmd) {}

func killGroup(p *os.Process) error { return p.Kill() }
