package disk

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/findspot/findspot/internal/leak"
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
	resident := func() int { return int(leak.MappedMemory(file)) }
	if !bytes.Equal(b, want) || resident() < 256*page {
		t.Fatalf("%d bytes in memory once all was read", resident())
	}
	Forget(b[100:page]) // no whole page
	Forget(nil)
	if got := resident(); got < 256*page {
		t.Errorf("%d bytes in memory, though no whole page was forgotten", got)
	}
	Forget(b[100 : 101*page+7]) // 100 whole pages
	if got := resident(); got > 157*page || got < 156*page {
		t.Errorf("%d pages in memory, want 156 or, with the broken one, 157", got/page)
	}
	if !bytes.Equal(b, want) {
		t.Error("the file reads differently")
	}
}
