package blevestore_test

import (
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/findspot/findspot/docsearch"
)

// A file system of 6 MB, where the test may mount one.
func TestFullDisk(t *testing.T) {
	mount := t.TempDir()
	if err := syscall.Mount("tmpfs", mount, "tmpfs", 0, "size=6m"); err != nil {
		t.Skipf("no file system can be mounted here: %v (TestFullFile needs none)", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(mount, 0); err != nil {
			t.Error(err)
		}
	})
	fullDisk(t, filepath.Join(mount, "library"), func() func() {
		filler := filepath.Join(mount, "filler")
		f, err := os.Create(filler)
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = f.WriteString(strings.Repeat("x", 1<<12))
		}
		f.Close()
		return func() {
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mount("tmpfs", mount, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A limit on the size of files, which needs no rights.
func TestFullFile(t *testing.T) {
	if os.Getenv("FINDSPOT_TEST_LIMIT") == "" { // the limit would be one for the test's own files too
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, "-test.run=^TestFullFile$")
		cmd.Env = append(os.Environ(), "FINDSPOT_TEST_LIMIT=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	set := func(l syscall.Rlimit) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
			t.Fatal(err)
		}
	}
	defer set(old)
	fullDisk(t, t.TempDir(), func() func() {
		set(syscall.Rlimit{Cur: 256 << 10, Max: old.Max})
		return func() { set(old) }
	})
}

// Another user may read the folder and not write it.
func TestDenied(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act as another user")
	}
	root, err := os.MkdirTemp("", "findspot-denied-") // t.TempDir is within a folder that others may not enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	dir := filepath.Join(root, "library")
	lib := openDir(t, dir)
	if _, err := lib.Add(t.Context(), docsearch.Bytes("00001.txt", []byte(content(1)))); err != nil {
		t.Fatal(err)
	}
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		if err == nil {
			err = os.Chmod(path, 0o644)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "FINDSPOT_TEST_DENIED="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "denied\n" {
		t.Errorf("another user: %s %v", out, err)
	}
}
