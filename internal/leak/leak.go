package leak

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// patience is how long what ends late is waited for.
const patience = 10 * time.Second

// Check fails the test if, after it and its other cleanups have ended, goroutines run that did not run at the call. Those of the
// runtime, of package testing, its fuzzer, and of the signal handler are not counted. Connections that package net/http keeps open are: close
// them with CloseIdleConnections.
func Check(t testing.TB) {
	t.Helper()
	check(t, patience)
}

func check(t testing.TB, patience time.Duration) {
	t.Helper()
	before := goroutines()
	t.Cleanup(func() {
		left := settle(patience, func() []string { return since(before) })
		if len(left) > 0 {
			t.Errorf("%d goroutines are left:\n\n%s", len(left), strings.Join(left, "\n\n"))
		}
	})
}

// Main runs the tests of a package, whose exit code it returns, and fails the package if goroutines are left that did not run before. It is for
// TestMain, and counts what [Check] does; tests that run at the same time do not matter.
func Main(run func() int) int {
	return runAll(run, patience, os.Stderr)
}

func runAll(run func() int, patience time.Duration, w io.Writer) int {
	before := goroutines()
	code := run()
	if left := settle(patience, func() []string { return since(before) }); len(left) > 0 {
		fmt.Fprintf(w, "%d goroutines are left by the tests of the package:\n\n%s\n", len(left), strings.Join(left, "\n\n"))
		return max(code, 1)
	}
	return code
}

// since returns the stacks of those that did not run before.
func since(before map[string]string) []string {
	var out []string
	for id, stack := range goroutines() {
		if before[id] == "" {
			out = append(out, stack)
		}
	}
	return out
}

// Files fails the test if, after it and its other cleanups have ended, files, pipes or sockets are open that were not open at the
// call. A file that nothing refers to and that the garbage collector closes is not counted: some of ours live as long as the last
// snapshot that reads them. It does nothing on a system that does not tell, which is any but Linux.
func Files(t testing.TB) {
	t.Helper()
	files(t, patience)
}

func files(t testing.TB, patience time.Duration) {
	t.Helper()
	before := open()
	t.Cleanup(func() {
		left := settle(patience, func() []string {
			runtime.GC()
			var out []string
			for name, n := range open() {
				if more := n - before[name]; more > 0 {
					out = append(out, fmt.Sprintf("%s (%d)", name, more))
				}
			}
			return out
		})
		if len(left) > 0 {
			t.Errorf("open files are left: %s", strings.Join(left, ", "))
		}
	})
}

// settle asks until nothing is left or the patience is over, and returns what is left then, sorted.
func settle(patience time.Duration, left func() []string) []string {
	deadline := time.Now().Add(patience)
	for wait := time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		out := left()
		if len(out) == 0 || time.Now().After(deadline) {
			slices.Sort(out)
			return out
		}
		time.Sleep(wait)
	}
}

// goroutines returns the stacks of those that count, by the ids that the runtime gives them and never gives again.
func goroutines() map[string]string {
	buf := make([]byte, 1<<20)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		buf = make([]byte, 2*len(buf))
	}
	out := map[string]string{}
	for i, stack := range strings.Split(string(buf), "\n\n") {
		if i == 0 { // the one that asks
			continue
		}
		head, _, _ := strings.Cut(stack, " [")
		if !ignored(stack) {
			out[head] = strings.TrimSpace(stack)
		}
	}
	return out
}

// ignored tells goroutines that no test starts by who started them. What runs in one does not tell: one that has not begun shows
// a function of the runtime.
func ignored(stack string) bool {
	_, creator, ok := strings.Cut(stack, "\ncreated by ")
	if !ok {
		return true // the first of the program
	}
	for _, p := range []string{"testing.", "runtime.", "runtime/", "os/signal.", "internal/fuzz."} {
		if strings.HasPrefix(creator, p) {
			return true
		}
	}
	return false
}

// open counts the descriptors of this process by what they lead to. Sockets, pipes and the like differ by number, so that a new
// one in place of an old one shows.
func open() map[string]int {
	out := map[string]int{}
	const dir = "/proc/self/fd"
	list, err := os.ReadDir(dir)
	if err != nil {
		return out
	}
	for _, e := range list {
		name, err := os.Readlink(filepath.Join(dir, e.Name()))
		if err != nil || strings.HasPrefix(name, "anon_inode:") || strings.HasSuffix(name, "/fd") && strings.HasPrefix(name, "/proc/") {
			continue // gone meanwhile, the runtime's own, or the list that is being read
		}
		out[name]++
	}
	return out
}
