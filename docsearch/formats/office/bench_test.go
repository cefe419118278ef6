package office_test

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkOpen reads a document of each format whole.
func BenchmarkOpen(b *testing.B) {
	for _, name := range []string{"contract.docx", "talk.pptx", "formats.xlsx"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := open(b.Context(), name, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
