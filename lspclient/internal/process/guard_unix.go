//go:build unix

package process

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/findspot/findspot/internal/errs"
)

// guardScript is read by a shell that lives as long as a client with servers. Its input ends when this program does, however
// that comes about; then it kills the process groups that it was told of, and what carries their marks in the environment.
const guardScript = `list=
while read -r op group mark; do
	case $op in
	add) list="$list $group:$mark" ;;
	del)
		rest=
		for e in $list; do [ "$e" = "$group:$mark" ] || rest="$rest $e"; done
		list=$rest ;;
	end) exit 0 ;;
	esac
done
for e in $list; do kill -9 "-${e%%:*}"; done
for e in $list; do
	for f in $(grep -lsF "` + markName + `=${e#*:}" /proc/[0-9]*/environ); do
		p=${f#/proc/}
		kill -9 "${p%/environ}"
	done
done
`

// Guard sees to it that no server outlives this program, not even one that a wrapper started. A kernel's parent-death
// signal reaches only the wrapper. It is safe for concurrent use.
type Guard struct {
	mu     sync.Mutex
	cmd    *exec.Cmd
	in     *os.File
	groups map[int]string // mark by process group
	closed bool
}

// add puts a process group under guard. An error means that only the usual ways protect it.
func (g *Guard) add(group int, mark string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return errs.Closed
	}
	if g.groups == nil {
		g.groups = map[int]string{}
	}
	g.groups[group] = mark
	if g.cmd != nil && g.tell("add", group, mark) == nil {
		return nil
	}
	g.stop() // somebody has killed it
	if err := g.start(); err != nil {
		return fmt.Errorf("guarding servers: %w", err)
	}
	for group, mark := range g.groups {
		if err := g.tell("add", group, mark); err != nil {
			return fmt.Errorf("guarding servers: %w", err)
		}
	}
	return nil
}

// remove ends the guard of a group that is no more.
func (g *Guard) remove(group int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	mark, ok := g.groups[group]
	delete(g.groups, group)
	if ok && g.cmd != nil {
		g.tell("del", group, mark)
	}
}

// Close ends the guard and waits for its process.
func (g *Guard) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	if g.cmd != nil {
		g.tell("end", 0, "")
		g.stop()
	}
}

func (g *Guard) tell(op string, group int, mark string) error {
	g.in.SetWriteDeadline(time.Now().Add(time.Second)) // somebody may have stopped it
	_, err := fmt.Fprintln(g.in, op, group, mark)
	return err
}

func (g *Guard) start() error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	cmd := exec.Command("/bin/sh", "-c", guardScript)
	cmd.Stdin, cmd.Dir, cmd.Env = r, "/", []string{"PATH=/usr/bin:/bin"}
	// A group of its own: what a terminal sends to this program's group is not for it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		w.Close()
		return err
	}
	g.cmd, g.in = cmd, w
	return nil
}

// stop ends the shell without letting it act.
func (g *Guard) stop() {
	if g.cmd == nil {
		return
	}
	g.cmd.Process.Kill()
	g.in.Close()
	g.cmd.Wait()
	g.cmd, g.in = nil, nil
}
