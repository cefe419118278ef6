package hostile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A server is a process under load.
type server struct {
	name, addr, token string
	cmd               *exec.Cmd
	logged            chan struct{} // closed at the end of its log

	mu      sync.Mutex
	heap    sample // what the runtime last said of itself: live and stacks alone
	samples []sample
}

// A sample is what a process has at a time. Sizes are in MB.
type sample struct {
	at                      time.Duration // since the soak began
	resident, live, stacks  float64
	threads, files, sockets int
}

// collected is a line of the garbage collector's trace: what lives after it, and what goroutines take.
var collected = regexp.MustCompile(`^gc \d+ .*->(\d+) MB, .* (\d+) MB stacks`)

// launch starts a program of the examples. Its temporary files go to a folder of their own, and it finds no other programs.
func (s *soak) launch(called, name string, args ...string) (sv *server, in io.WriteCloser, out io.ReadCloser, err error) {
	sv = &server{name: called, cmd: exec.Command(program(s.t, name), args...), logged: make(chan struct{})}
	sv.cmd.Env = append(os.Environ(), "PATH=/nowhere", "TMPDIR="+s.temp, "GODEBUG=gctrace=1")
	stderr, err := sv.cmd.StderrPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	if in, err = sv.cmd.StdinPipe(); err != nil {
		return nil, nil, nil, err
	}
	if out, err = sv.cmd.StdoutPipe(); err != nil {
		return nil, nil, nil, err
	}
	if err := sv.cmd.Start(); err != nil {
		return nil, nil, nil, err
	}
	listening := make(chan string, 1)
	go sv.log(s, stderr, listening)
	if name == "httpserver" {
		select {
		case sv.addr = <-listening:
		case <-sv.logged:
			return nil, nil, nil, fmt.Errorf("%s does not listen", name)
		case <-time.After(patience):
			return nil, nil, nil, errors.Join(fmt.Errorf("%s does not listen after %s", name, patience), sv.cmd.Process.Kill())
		}
	}
	return sv, in, out, nil
}

// log reads what the server says: where it listens, what its memory holds, and what should not be there.
func (sv *server) log(s *soak, stderr io.Reader, listening chan<- string) {
	defer close(sv.logged)
	lines := bufio.NewReader(stderr)
	for {
		line, err := lines.ReadString('\n')
		if m := collected.FindStringSubmatch(line); m != nil {
			live, _ := strconv.ParseFloat(m[1], 64) // digits
			stacks, _ := strconv.ParseFloat(m[2], 64)
			sv.mu.Lock()
			sv.heap = sample{live: live, stacks: stacks}
			sv.mu.Unlock()
		}
		// The runtime writes a line of its own in pieces, and another may stand among them.
		if m := listens.FindStringSubmatch(line); m != nil && strings.Contains(line, "listening") {
			listening <- m[1]
		}
		if strings.Contains(line, "panic") || strings.Contains(line, "fatal error") {
			s.fault("a panic", "%s: %s", sv.name, line)
		}
		s.look(sv.name+"'s log", line)
		if err != nil {
			return
		}
	}
}

// measure takes a sample of the process, from /proc.
func (sv *server) measure(at time.Duration) (sample, error) {
	dir := fmt.Sprintf("/proc/%d", sv.cmd.Process.Pid)
	status, err := os.ReadFile(dir + "/status")
	if err != nil {
		return sample{}, err
	}
	sv.mu.Lock()
	defer sv.mu.Unlock()
	now := sv.heap
	now.at = at
	for line := range strings.Lines(string(status)) {
		name, rest, _ := strings.Cut(line, ":")
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
		switch {
		case err != nil:
		case name == "VmRSS":
			now.resident = float64(n) / 1024
		case name == "Threads":
			now.threads = n
		}
	}
	list, err := os.ReadDir(dir + "/fd")
	if err != nil {
		return sample{}, err
	}
	for _, e := range list {
		to, err := os.Readlink(filepath.Join(dir, "fd", e.Name()))
		switch {
		case err != nil: // closed meanwhile
		case strings.HasPrefix(to, "socket:"):
			now.sockets++
		default:
			now.files++
		}
	}
	sv.samples = append(sv.samples, now)
	return now, nil
}

// end waits for the end of the process after something that ends it, and says how long it took.
func (sv *server) end(s *soak, how string, do func() error) time.Duration {
	began := time.Now()
	if err := do(); err != nil {
		s.fault("an end that is not clean", "%s, %s: %v", sv.name, how, err)
	}
	late := time.AfterFunc(patience, func() {
		s.fault("an end that is not clean", "%s, %s: it goes on after %s", sv.name, how, patience)
		sv.cmd.Process.Kill()
	})
	defer late.Stop()
	<-sv.logged // Wait closes the pipe
	if err := sv.cmd.Wait(); err != nil {
		s.fault("an end that is not clean", "%s, %s: %v", sv.name, how, err)
	}
	return time.Since(began)
}

func (sv *server) terminate() error { return sv.cmd.Process.Signal(syscall.SIGTERM) }

// slope is the growth of what is measured, in MB an hour, by least squares.
func slope(samples []sample, of func(sample) float64) float64 {
	var n, x, y, xx, xy float64
	for _, p := range samples {
		h, v := p.at.Hours(), of(p)
		n, x, y, xx, xy = n+1, x+h, y+v, xx+h*h, xy+h*v
	}
	if d := n*xx - x*x; d > 0 {
		return (n*xy - x*y) / d
	}
	return 0
}
