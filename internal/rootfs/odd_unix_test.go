//go:build unix

package rootfs

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// makeOdd makes files that are none.
func makeOdd(t *testing.T, root string) {
	t.Helper()
	for _, p := range []string{"pipe", "sub/pipe"} {
		if err := syscall.Mkfifo(filepath.Join(root, p), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link(t, "pipe", filepath.Join(root, "link-to-pipe"))
	if len(root) < 80 { // the system's bound for names of sockets
		makeSocket(t, filepath.Join(root, "socket"))
	}
	if os.Geteuid() == 0 {
		if err := unix.Mknod(filepath.Join(root, "null"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5))); err != nil {
			t.Logf("no device: %v", err)
		}
	}
}
