package leak

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// fake keeps what a test would report, and the cleanups until they are called.
type fake struct {
	testing.TB
	cleanups []func()
	text     string
}

func (f *fake) Helper()                        {}
func (f *fake) Cleanup(c func())               { f.cleanups = append(f.cleanups, c) }
func (f *fake) Errorf(format string, a ...any) { f.text += fmt.Sprintf(format, a...) }
func (f *fake) end() string {
	for _, c := range f.cleanups {
		c()
	}
	return f.text
}

func waits(stop chan struct{}) { <-stop }

func TestCheck(t *testing.T) {
	old := make(chan struct{})
	defer close(old)
	go waits(old) // before the call: not counted
	f := &fake{TB: t}
	Check(f)
	late := make(chan struct{})
	go waits(late)
	time.AfterFunc(50*time.Millisecond, func() { close(late) })
	if text := f.end(); text != "" {
		t.Errorf("what ends late was reported: %s", text)
	}

	f = &fake{TB: t}
	check(f, 100*time.Millisecond)
	stop := make(chan struct{})
	defer close(stop)
	go waits(stop)
	if text := f.end(); !strings.Contains(text, "1 goroutines are left") || !strings.Contains(text, "leak.waits") {
		t.Errorf("Check reported %q, want the goroutine in waits; all: %q", text, goroutines())
	}
}

func TestMainCode(t *testing.T) {
	var out strings.Builder
	if code := runAll(func() int { return 0 }, 100*time.Millisecond, &out); code != 0 || out.Len() > 0 {
		t.Errorf("without a goroutine: exit code %d, %s", code, &out)
	}
	stop := make(chan struct{})
	defer close(stop)
	code := runAll(func() int { go waits(stop); return 0 }, 100*time.Millisecond, &out)
	if code != 1 || !strings.Contains(out.String(), "leak.waits") {
		t.Errorf("with one: exit code %d, %q", code, out.String())
	}
	if code := runAll(func() int { return 2 }, 100*time.Millisecond, &out); code != 2 {
		t.Errorf("tests that failed: exit code %d", code)
	}
}

func TestFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("open files are told on Linux alone")
	}
	f := &fake{TB: t}
	files(f, 100*time.Millisecond)
	name := filepath.Join(t.TempDir(), "open.txt")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if text := f.end(); !strings.Contains(text, "open.txt (1)") {
		t.Errorf("Files reported %q, want open.txt", text)
	}
	if err := file.Close(); err != nil { // here, so that the collector has not closed it before
		t.Fatal(err)
	}
	f.text = ""
	if text := f.end(); text != "" {
		t.Errorf("a closed file was reported: %s", text)
	}
}
