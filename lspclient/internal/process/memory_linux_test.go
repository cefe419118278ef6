package process

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReadStat(t *testing.T) {
	t.Parallel()
	parent, group, pages, ok := readStat("/proc/self/stat", make([]byte, 1024))
	if !ok || parent != os.Getppid() || group <= 0 || pages <= 0 {
		t.Errorf("readStat(self) = %d, %d, %d, %v", parent, group, pages, ok)
	}
	odd := filepath.Join(t.TempDir(), "stat")
	if err := os.WriteFile(odd, []byte("7 (a) R 1) S 3 4 5 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 99 1000 77 18"), 0o644); err != nil {
		t.Fatal(err)
	}
	if parent, group, pages, ok := readStat(odd, make([]byte, 1024)); !ok || parent != 3 || group != 4 || pages != 77 {
		t.Errorf("readStat of a name with parentheses = %d, %d, %d, %v", parent, group, pages, ok)
	}
}

func BenchmarkSampleMemory(b *testing.B) {
	for b.Loop() {
		SampleMemory([]int{os.Getpid()})
	}
}
