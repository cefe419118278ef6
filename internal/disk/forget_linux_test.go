package disk

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestForget: what was read of a mapped file leaves the memory of the process, and is read again as it was.
func TestForget(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mapped")
	page := os.Getpagesize()
	want := make([]byte, 256*page+100)
	for i := range want {
		want[i] = byte(i / page)
	}
	if err := os.WriteFile(file, want, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := unix.Mmap(int(f.Fd()), 0, len(want), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(b)
	if !bytes.Equal(b, want) || resident(t, file) < 256*page {
		t.Fatalf("%d bytes in memory once all was read", resident(t, file))
	}
	Forget(b[100:page]) // no whole page
	Forget(nil)
	if got := resident(t, file); got < 256*page {
		t.Errorf("%d bytes in memory, though no whole page was forgotten", got)
	}
	Forget(b[100 : 101*page+7]) // 100 whole pages
	if got := resident(t, file); got > 157*page || got < 156*page {
		t.Errorf("%d pages in memory, want 156 or, with the broken one, 157", got/page)
	}
	if !bytes.Equal(b, want) {
		t.Error("the file reads differently")
	}
}

// resident returns how many bytes of a mapped file are in the memory of the process.
func resident(t *testing.T, file string) (bytes int) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	inside, kb := false, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if name, _, _ := strings.Cut(line, " "); !strings.HasSuffix(name, ":") {
			inside = strings.HasSuffix(line, file)
		} else if _, err := fmt.Sscanf(line, "Rss: %d kB", &kb); err == nil && inside {
			bytes += kb << 10
		}
	}
	return bytes
}
