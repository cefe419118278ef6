package rootfs

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkRead reads a file of 8 KB three folders deep as repositories are read, and as anybody would.
func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	name := filepath.Join("a", "b", "c", "file.go")
	if err := os.MkdirAll(filepath.Join(dir, "a", "b", "c"), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 8<<10), 0o644); err != nil {
		b.Fatal(err)
	}
	d := New(dir)
	for _, way := range []struct {
		name string
		read func() ([]byte, error)
	}{
		{"rootfs", func() ([]byte, error) { return d.Read(b.Context(), "a/b/c/file.go", 1<<20) }},
		{"os", func() ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }},
	} {
		b.Run(way.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := way.read(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
