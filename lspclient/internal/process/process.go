package process

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/internal/errs"
)

// stderrTail is how much of the end of a server's stderr is kept, in bytes.
const stderrTail = 4 << 10

// markName is the variable in a server's environment that its children inherit; its value is another one for each process.
const markName = "FINDSPOT_SERVER"

// Process is a running server with its three pipes. It leads a process group of its own where the system knows such.
type Process struct {
	Stdin  *os.File
	Stdout *os.File
	Stderr *Tail

	mark    string // in the environment of the server and of its children
	Network Network
	guard   *Guard
	// GuardErr says why the guard does not know of it.
	GuardErr error

	cmd     *exec.Cmd
	Exited  chan struct{} // closed when the process has been waited for
	exitErr error         // set before exited is closed
	spoken  chan struct{} // closed when its stderr has been read to the end
	workers sync.WaitGroup
	sweep   sync.Once
}

// Command says how a program is started.
type Command struct {
	Path      string
	Args, Env []string
	Dir       string
	CutOff    bool   // without network, where the kernel allows that
	Guard     *Guard // ends it when this program dies
}

// Start runs a program. Nothing of it is left after kill has returned.
func Start(l Command) (*Process, error) {
	var files []*os.File
	closeAll := func() {
		for _, f := range files {
			f.Close()
		}
	}
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err == nil {
			files = append(files, r, w)
		}
		return r, w, err
	}
	inR, inW, err1 := pipe()
	outR, outW, err2 := pipe()
	errR, errW, err3 := pipe()
	if err := errors.Join(err1, err2, err3); err != nil {
		closeAll()
		return nil, err
	}
	mark := rand.Text()
	command := func() *exec.Cmd {
		cmd := exec.Command(l.Path, l.Args...)
		cmd.Dir, cmd.Env = l.Dir, append(slices.Clip(l.Env), markName+"="+mark)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, errW
		OwnGroup(cmd)
		return cmd
	}
	cmd := command()
	p := &Process{
		Stdin: inW, Stdout: outR, Stderr: &Tail{}, cmd: cmd, Exited: make(chan struct{}), spoken: make(chan struct{}),
		mark: mark, guard: l.Guard, Network: OpenNetwork,
	}
	started := make(chan error, 1)
	p.workers.Go(func() {
		// Linux kills a child with a parent-death signal when the thread that started it ends, so this goroutine keeps
		// its thread for as long as the child lives.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var err error
		if l.CutOff {
			p.Network = VariablesOnly
			if CutOff(cmd) {
				if err = cmd.Start(); err == nil {
					p.Network = NoNetwork
				}
			}
		}
		if p.Network != NoNetwork {
			p.cmd = command()
			err = p.cmd.Start()
		}
		if err == nil {
			tame(p.cmd.Process.Pid)
		}
		started <- err
		if err != nil {
			return
		}
		p.exitErr = waitGroup(p.cmd)
		close(p.Exited)
	})
	if err := <-started; err != nil {
		p.workers.Wait()
		closeAll()
		return nil, err
	}
	if p.guard != nil {
		p.GuardErr = p.guard.add(p.cmd.Process.Pid, mark)
	}
	inR.Close()
	outW.Close()
	errW.Close()
	p.workers.Go(func() {
		io.Copy(p.Stderr, errR) // ends with the pipe, or at the deadline below
		errR.Close()
		close(p.spoken)
	})
	p.workers.Go(func() {
		<-p.Exited
		// Read no longer than what is on the way. Where a pipe takes no deadline, it ends with the last of the group.
		soon := time.Now().Add(200 * time.Millisecond)
		errR.SetReadDeadline(soon)
		outR.SetReadDeadline(soon)
	})
	return p, nil
}

// PID returns the number of the process, which is also that of its group.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Kill ends the process and its group, and waits for them. It may be called more than once.
func (p *Process) Kill() {
	select {
	case <-p.Exited:
	default:
		killGroup(p.cmd.Process)
	}
	p.Stdin.Close()
	p.sweep.Do(func() {
		<-p.Exited
		killMarked(p.mark) // before the pipes are waited for, which such processes may hold
		if p.guard != nil {
			p.guard.remove(p.cmd.Process.Pid)
		}
	})
	p.workers.Wait()
	p.Stdout.Close()
}

// Network says what a server has of the network.
type Network string

const (
	OpenNetwork   Network = "open"      // what this program has
	VariablesOnly Network = "variables" // the usual variables tell programs to stay off it
	NoNetwork     Network = "none"      // the kernel gives it none
)

// Status describes the end of the process, "" while it runs.
func (p *Process) Status() string {
	select {
	case <-p.Exited:
		if p.exitErr != nil {
			return p.exitErr.Error()
		}
		return "exit status 0"
	default:
		return ""
	}
}

// WasKilled reports whether the process was ended from outside: by one of the signals with which a person or the system ends
// programs, also when a wrapper reports that of the program behind it (128+n of a shell, 256-n of Python's sys.exit(-n)).
func (p *Process) WasKilled() bool {
	select {
	case <-p.Exited:
	default:
		return false
	}
	how := p.Status()
	if name, ok := strings.CutPrefix(how, "signal: "); ok {
		return slices.Contains([]string{"killed", "terminated", "interrupt", "hangup"}, name)
	}
	const hangup, interrupt, kill, terminate = 1, 2, 9, 15
	for _, n := range []int{hangup, interrupt, kill, terminate} {
		if code := p.cmd.ProcessState.ExitCode(); code == 128+n || code == 256-n {
			return true
		}
	}
	return false
}

// Tail keeps the last stderrTail bytes written to it. It is safe for concurrent use.
type Tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if extra := len(t.buf) - stderrTail; extra > 0 {
		t.buf = append(t.buf[:0], t.buf[extra:]...)
	}
	return len(p), nil
}

// Add is Write for text.
func (t *Tail) Add(text string) { t.Write([]byte(text)) }

// String returns what was kept.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}

// Run runs a program to its end for its output, stdout and stderr together, at most limit bytes of it. It leaves no
// process behind, and returns within the timeout, or when life ends.
func Run(life context.Context, path string, args, env []string, dir string, timeout time.Duration, limit int) (string, error) {
	cmd := exec.Command(path, args...)
	out := &clipped{limit: limit}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env, cmd.Dir = env, dir
	cmd.WaitDelay = time.Second // a grandchild that keeps the pipe does not keep us
	OwnGroup(cmd)
	ended := make(chan error, 1)
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // as in startProcess
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		ended <- waitGroup(cmd)
	}()
	if err := <-started; err != nil {
		return "", err
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case err := <-ended:
		return out.String(), err
	case <-life.Done():
		killGroup(cmd.Process)
		<-ended
		return out.String(), errs.Closed
	case <-timer.C:
		killGroup(cmd.Process)
		<-ended
		return out.String(), fmt.Errorf("no end after %v", timeout)
	}
}

// clipped keeps the first limit bytes written to it.
type clipped struct {
	limit int
	buf   []byte
}

func (c *clipped) Write(p []byte) (int, error) {
	c.buf = append(c.buf, p[:min(len(p), c.limit-len(c.buf))]...)
	return len(p), nil
}

func (c *clipped) String() string { return string(c.buf) }

// Settle waits a moment for a process whose stdout has ended to be gone, and for its last words.
func (p *Process) Settle() {
	for _, end := range []chan struct{}{p.Exited, p.spoken} {
		select {
		case <-end:
		case <-time.After(100 * time.Millisecond):
			return
		}
	}
}
