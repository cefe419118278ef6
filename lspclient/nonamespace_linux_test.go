package lspclient

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/process"
)

// TestNoNamespace: where the kernel gives nobody a network of his own, servers start nevertheless, and the state says that
// they are not cut off. The test runs itself in a user namespace in which there are no more namespaces to be had.
func TestNoNamespace(t *testing.T) {
	const mark = "FINDSPOT_TEST_NO_NAMESPACE"
	if os.Getenv(mark) != "" {
		c, _, _ := fakeClient(t, "initialize", nil)
		if _, err := c.Symbols(t.Context(), "a.fk"); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, s := range c.Servers(t.Context()) {
			for _, p := range s.Processes {
				if n++; p.Network != string(process.VariablesOnly) {
					t.Errorf("network %q, want %q", p.Network, process.VariablesOnly)
				}
			}
		}
		if n != 1 {
			t.Errorf("%d processes", n)
		}
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c",
		`echo 0 >/proc/sys/user/max_user_namespaces && echo 0 >/proc/sys/user/max_net_namespaces || exit 77; exec "$0" -test.run '^TestNoNamespace$' -test.v`, exe)
	cmd.Env = append(os.Environ(), mark+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == 77 {
		t.Skipf("no user namespace to try it in: %v %s", err, out)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestNoNamespace") {
		t.Errorf("%v\n%s", err, out)
	}
}
