package lspclient

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/lspclient/internal/process"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// fakeHost makes the test binary a program that opens a client, and ends in the way the variable says.
const fakeHost = "FINDSPOT_FAKE_HOST"

// runHost is that program; its arguments are the root, the folder of the fake server and the file to ask about. It says what runs and ends, or waits to be killed.
func runHost(how string) {
	root, dir := os.Args[1], os.Args[2]
	o := &Options{}
	if name, ok := strings.CutPrefix(how, "kill-real "); ok {
		o.Prefer = []string{name}
		how = "kill"
	} else {
		spec := fakeSpecIn(dir, "initialize child\ninitialize daemon")
		spec.Commands[0].Program = "wrapped"
		o.Servers = []ServerSpec{spec}
	}
	c, err := Open(context.Background(), root, o)
	if err == nil {
		_, err = c.Symbols(context.Background(), os.Args[3])
	}
	if second := "second/" + os.Args[3]; err == nil {
		if _, gone := os.Stat(filepath.Join(root, filepath.FromSlash(second))); gone == nil { // a server of its own
			_, err = c.Symbols(context.Background(), second)
		}
	}
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	fmt.Println("runs")
	switch how {
	case "exit":
		os.Exit(0)
	case "panic":
		panic("as a host may")
	case "kill":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	select {}
}

// TestNoOrphan: when the program that uses a client ends without closing it, nothing of its servers is left: not a server
// behind a wrapper that does not read its stdin, not a child, not a daemon.
func TestNoOrphan(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"exit", "panic", "kill"} {
		for _, wrapper := range []string{"exec fakels \"$@\"", "fakels \"$@\"; true"} {
			t.Run(how+" "+strings.Fields(wrapper)[0], func(t *testing.T) {
				t.Parallel()
				root, dir, bin := t.TempDir(), t.TempDir(), t.TempDir()
				writeFiles(t, root, map[string]string{"a.fk": "def alpha\n", "second/fake.mod": "", "second/a.fk": "def beta\n"})
				if err := os.WriteFile(filepath.Join(bin, "wrapped"), []byte("#!/bin/sh\n"+wrapper+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
				runTestHost(t, how, bin, root, dir, "a.fk")
				pids, _ := filepath.Glob(filepath.Join(dir, "pid-*"))
				if len(pids) != 6 {
					t.Errorf("%d processes of two servers ran, want 6", len(pids))
				}
				waitFor(t, "nothing left", func() bool {
					for _, p := range pids {
						if pid, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(p), "pid-")); !dead(pid) {
							return false
						}
					}
					return true
				})
			})
		}
	}
}

// dead reports whether there is no such process, or only what its parent has not waited for.
func dead(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func runTestHost(t *testing.T, how, bin, root, dir, file string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, root, dir, file)
	cmd.Env = append(os.Environ(), fakeHost+"="+how, "PATH="+bin+":"+os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0")
	cmd.WaitDelay = time.Second
	out, _ := cmd.Output() // the way it ends is an error, or none
	if !strings.HasPrefix(string(out), "runs") {
		t.Fatalf("the host: %s", out)
	}
}

// TestNoOrphanOfRealServers: the same with servers whose programs are wrappers or start others.
func TestNoOrphanOfRealServers(t *testing.T) {
	if testing.Short() {
		t.Skip("starts five servers")
	}
	for _, tt := range []struct{ name, program, probe, file, text string }{
		{"pyright", "pyright-langserver", "pyright", "a.py", "def a(): pass\n"},
		{"basedpyright", "basedpyright-langserver", "basedpyright", "a.py", "def a(): pass\n"},
		{"clangd", "clangd", "clangd", "a.c", "int a(void) { return 1; }\n"},
		{"typescript-language-server", "typescript-language-server", "typescript-language-server", "a.ts", "function a() {}\n"},
		{"gopls", "gopls", "gopls", "a.go", "package a\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			probe := "--version"
			if tt.name == "gopls" {
				probe = "version"
			}
			need.Tool(t, tt.probe, probe)
			if specs, err := registry.Shipped(); err != nil || !slices.ContainsFunc(specs, func(s serverspec.Spec) bool { return s.Name == tt.name }) {
				t.Skip("no entry of that name")
			}
			root := t.TempDir()
			writeFiles(t, root, map[string]string{tt.file: tt.text, "go.mod": "module a\n"})
			runTestHost(t, "kill-real "+tt.name, t.TempDir(), root, t.TempDir(), tt.file)
			waitFor(t, "nothing left", func() bool { return len(inFolder(t, root)) == 0 })
		})
	}
}

// inFolder lists the processes whose working folder is dir.
func inFolder(t *testing.T, dir string) []string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	var list []string
	for _, link := range links {
		if at, err := os.Readlink(link); err == nil && strings.HasPrefix(at, dir) {
			list = append(list, link)
		}
	}
	return list
}

// TestDaemonEnds: a process that left the server's group ends with the session, and with the server's death.
func TestDaemonEnds(t *testing.T) {
	c, _, dir := fakeClient(t, "initialize daemon\nreferences#1 die", nil)
	if _, err := c.References(t.Context(), At("a.fk", 2, 5), nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	pids, _ := filepath.Glob(filepath.Join(dir, "pid-*"))
	if len(pids) != 4 {
		t.Errorf("%d processes, want two servers and two daemons", len(pids))
	}
	for _, p := range pids {
		if pid, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(p), "pid-")); !dead(pid) {
			t.Errorf("process %d is left", pid)
		}
	}
}

// TestNoNetwork: a server of an untrusted repository has no network at all where the kernel allows that.
func TestNoNetwork(t *testing.T) {
	t.Parallel()
	try := exec.CommandContext(t.Context(), "/bin/true")
	process.OwnGroup(try)
	allowed := process.CutOff(try) && try.Run() == nil
	for _, trust := range []bool{false, true} {
		t.Run(fmt.Sprint("trust ", trust), func(t *testing.T) {
			c, _, dir := fakeClient(t, "initialize network", &Options{Trust: trust})
			if _, err := c.Symbols(t.Context(), "a.fk"); err != nil {
				t.Fatal(err)
			}
			var kind process.Network
			for _, v := range c.pool.Servers() {
				kind = v.Running().Process.Network
			}
			own, err := os.Readlink("/proc/self/ns/net")
			if err != nil {
				t.Fatal(err)
			}
			its, err := os.ReadFile(filepath.Join(dir, "network"))
			if err != nil {
				t.Fatal(err)
			}
			if allowed && !trust && kind != process.NoNetwork {
				t.Errorf("network %s, and the kernel gives others none", kind)
			}
			if cut := string(its) != own; cut != (kind == process.NoNetwork) || trust && kind != process.OpenNetwork || !trust && kind == process.OpenNetwork {
				t.Errorf("network %s, cut off %v", kind, cut)
			}
		})
	}
}
