package disk

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/errs"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("DISK_TEST_HOLD"); dir != "" { // the second process of TestLock
		l, err := AcquireLock(dir, 0)
		if err != nil {
			os.Stdout.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Stdout.WriteString("held\n")
		io.Copy(io.Discard, os.Stdin)
		l.Unlock()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DISK_TEST_HOLD="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("second process said %q, want held", line)
	}
	var locked *errs.LockedError
	if _, err := AcquireLock(dir, 50*time.Millisecond); !errors.As(err, &locked) || locked.PID != cmd.Process.Pid {
		t.Errorf("AcquireLock beside a holder = %v, want a LockedError with pid %d", err, cmd.Process.Pid)
	}
	cmd.Process.Kill()
	in.Close()
	cmd.Wait()
	l, err := AcquireLock(dir, time.Second)
	if err != nil {
		t.Fatalf("AcquireLock after the holder was killed: %v", err)
	}
	if err := l.Unlock(); err != nil {
		t.Error(err)
	}
}

func TestWriteFailsWhole(t *testing.T) {
	dir, err := OpenFolder(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := dir.WriteFile("f", []byte("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := dir.Write("f", func(w io.Writer) error { io.WriteString(w, "ne"); return broken }); !errors.Is(err, broken) {
		t.Errorf("Write = %v, want the error of fill", err)
	}
	if data, _ := dir.ReadFile("f", 10); string(data) != "old" {
		t.Errorf("content after a failed write = %q, want old", data)
	}
	if list, err := dir.ReadDir("."); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

func TestCheckVersion(t *testing.T) {
	dir, err := OpenFolder(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for _, tt := range []struct {
		newest int
		ok     bool
	}{{2, true}, {3, true}, {1, false}} {
		_, err := dir.CheckVersion(tt.newest)
		if (err == nil) != tt.ok || err != nil && (!errors.Is(err, errs.Format) || !strings.Contains(err.Error(), "version 2")) {
			t.Errorf("CheckVersion(%d) on version 2 = %v", tt.newest, err)
		}
	}
}

// TestWriteOutput makes sure that a file keeps its permissions, and that nothing but a file is replaced.
func TestWriteOutput(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	for _, data := range []string{"one", "two"} {
		if err := WriteOutput(name, []byte(data)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != data {
			t.Errorf("WriteOutput left %q, %v, want %q", got, err, data)
		}
		if err := os.Chmod(name, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteOutput(name, nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("permissions after: %v, %v", info.Mode(), err)
	}
	if err := WriteOutput(dir, nil); !errors.Is(err, errs.Refused) {
		t.Errorf("WriteOutput of a folder = %v, want %v", err, errs.Refused)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}
