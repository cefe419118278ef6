package lspclient

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
)

// stderrTail is how much of the end of a server's stderr is kept, in bytes.
const stderrTail = 4 << 10

// markName is the variable in a server's environment that its children inherit; its value is another one for each process.
const markName = "FINDSPOT_SERVER"

// process is a running server with its three pipes. It leads a process group of its own where the system knows such.
type process struct {
	stdin  *os.File
	stdout *os.File
	stderr *tail

	mark    string // in the environment of the server and of its children
	network network
	guard   *guard
	// guardErr says why the guard does not know of it.
	guardErr error

	cmd     *exec.Cmd
	exited  chan struct{} // closed when the process has been waited for
	exitErr error         // set before exited is closed
	spoken  chan struct{} // closed when its stderr has been read to the end
	workers sync.WaitGroup
	sweep   sync.Once
}

// launch says how a program is started.
type launch struct {
	path      string
	args, env []string
	dir       string
	cutOff    bool   // without network, where the kernel allows that
	guard     *guard // ends it when this program dies
}

// startProcess runs a program. Nothing of it is left after kill has returned.
func startProcess(l launch) (*process, error) {
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
		cmd := exec.Command(l.path, l.args...)
		cmd.Dir, cmd.Env = l.dir, append(slices.Clip(l.env), markName+"="+mark)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = inR, outW, errW
		ownGroup(cmd)
		return cmd
	}
	cmd := command()
	p := &process{
		stdin: inW, stdout: outR, stderr: &tail{}, cmd: cmd, exited: make(chan struct{}), spoken: make(chan struct{}),
		mark: mark, guard: l.guard, network: networkOpen,
	}
	started := make(chan error, 1)
	p.workers.Go(func() {
		// Linux kills a child with a parent-death signal when the thread that started it ends, so this goroutine keeps
		// its thread for as long as the child lives.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var err error
		if l.cutOff {
			p.network = networkVariables
			if cutOff(cmd) {
				if err = cmd.Start(); err == nil {
					p.network = networkNone
				}
			}
		}
		if p.network != networkNone {
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
		close(p.exited)
	})
	if err := <-started; err != nil {
		p.workers.Wait()
		closeAll()
		return nil, err
	}
	if p.guard != nil {
		p.guardErr = p.guard.add(p.cmd.Process.Pid, mark)
	}
	inR.Close()
	outW.Close()
	errW.Close()
	p.workers.Go(func() {
		io.Copy(p.stderr, errR) // ends with the pipe, or at the deadline below
		errR.Close()
		close(p.spoken)
	})
	p.workers.Go(func() {
		<-p.exited
		// Read no longer than what is on the way. Where a pipe takes no deadline, it ends with the last of the group.
		soon := time.Now().Add(200 * time.Millisecond)
		errR.SetReadDeadline(soon)
		outR.SetReadDeadline(soon)
	})
	return p, nil
}

// kill ends the process and its group, and waits for them. It may be called more than once.
func (p *process) kill() {
	select {
	case <-p.exited:
	default:
		killGroup(p.cmd.Process)
	}
	p.stdin.Close()
	p.sweep.Do(func() {
		<-p.exited
		killMarked(p.mark) // before the pipes are waited for, which such processes may hold
		if p.guard != nil {
			p.guard.remove(p.cmd.Process.Pid)
		}
	})
	p.workers.Wait()
	p.stdout.Close()
}

// network says what a server has of the network.
type network string

const (
	networkOpen      network = "open"      // what this program has
	networkVariables network = "variables" // the usual variables tell programs to stay off it
	networkNone      network = "none"      // the kernel gives it none
)

// how describes the end of the process, "" while it runs.
func (p *process) how() string {
	select {
	case <-p.exited:
		if p.exitErr != nil {
			return p.exitErr.Error()
		}
		return "exit status 0"
	default:
		return ""
	}
}

// killed reports whether the process was ended from outside: by one of the signals with which a person or the system ends
// programs, also when a wrapper reports that of the program behind it (128+n of a shell, 256-n of Python's sys.exit(-n)).
func (p *process) killed() bool {
	select {
	case <-p.exited:
	default:
		return false
	}
	how := p.how()
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

// tail keeps the last stderrTail bytes written to it. It is safe for concurrent use.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if extra := len(t.buf) - stderrTail; extra > 0 {
		t.buf = append(t.buf[:0], t.buf[extra:]...)
	}
	return len(p), nil
}

// add is Write for text.
func (t *tail) add(text string) { t.Write([]byte(text)) }

// String returns what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}

// run runs a program to its end for its output, stdout and stderr together, at most limit bytes of it. It leaves no
// process behind, and returns within the timeout, or when life ends.
func run(life context.Context, path string, args, env []string, dir string, timeout time.Duration, limit int) (string, error) {
	cmd := exec.Command(path, args...)
	out := &clipped{limit: limit}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env, cmd.Dir = env, dir
	cmd.WaitDelay = time.Second // a grandchild that keeps the pipe does not keep us
	ownGroup(cmd)
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
		return out.String(), ErrClosed
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

// settle waits a moment for a process whose stdout has ended to be gone, and for its last words.
func (p *process) settle() {
	for _, end := range []chan struct{}{p.exited, p.spoken} {
		select {
		case <-end:
		case <-time.After(100 * time.Millisecond):
			return
		}
	}
}
