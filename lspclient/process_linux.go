package lspclient

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownGroup makes the program the leader of a process group, which the kernel kills when this program dies.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills every process of the group. The leader's number stays that of the group while any member lives.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// waitGroup waits until the program ends, kills what is left of its group, and returns what cmd.Wait does. The leader is
// reaped last, so that its number cannot have become another group's when the group is killed.
func waitGroup(cmd *exec.Cmd) error {
	for {
		err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	killGroup(cmd.Process)
	return cmd.Wait()
}
