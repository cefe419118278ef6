package process

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// OwnGroup makes the program the leader of a process group, which the kernel kills when this program dies.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// CutOff gives the program a network of its own in which there is nothing, not even a loopback interface that is up. For
// that an ordinary user needs a user namespace, in which users and groups keep their numbers.
func CutOff(cmd *exec.Cmd) bool {
	attr := cmd.SysProcAttr
	attr.Cloneflags = syscall.CLONE_NEWNET
	if os.Geteuid() != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	}
	return true
}

// tame lets a new process leave no core file, and be the first to go when memory runs out. Neither is worth an error.
func tame(pid int) {
	unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	os.WriteFile("/proc/"+strconv.Itoa(pid)+"/oom_score_adj", []byte("500"), 0)
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

// Stopped reports whether the program, or a process of its group, is stopped by a signal.
func (p *Process) Stopped() bool {
	for _, st := range p.members() {
		if st.state == 'T' {
			return true
		}
	}
	return false
}

// ProcessorTime returns how long the processes of the group have run on a processor.
func (p *Process) ProcessorTime() (time.Duration, bool) {
	const tick = 10 * time.Millisecond // USER_HZ, which the kernel keeps at 100 for programs
	list := p.members()
	var sum time.Duration
	for _, st := range list {
		sum += time.Duration(st.ticks) * tick
	}
	return sum, len(list) > 0
}

// procStat is what /proc tells of a process (proc_pid_stat(5)).
type procStat struct {
	state byte
	ticks uint64 // user and system
}

// members reads the processes of the group.
func (p *Process) members() []procStat {
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	group := strconv.Itoa(p.cmd.Process.Pid)
	var list []procStat
	for _, path := range all {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // gone
		}
		// The name in parentheses may hold anything; what follows the last ")" is state, parent, group, ...
		fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
		if len(fields) < 13 || string(fields[2]) != group {
			continue
		}
		user, err1 := strconv.ParseUint(string(fields[11]), 10, 64)
		system, err2 := strconv.ParseUint(string(fields[12]), 10, 64)
		if err := errors.Join(err1, err2); err == nil {
			list = append(list, procStat{state: fields[0][0], ticks: user + system})
		}
	}
	return list
}
