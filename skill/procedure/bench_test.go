package procedure

import (
	"os"
	"testing"
)

func BenchmarkRead(b *testing.B) {
	text, err := os.ReadFile("testdata/labelled/20.md")
	if err != nil {
		b.Fatal(err)
	}
	shipped() // read before
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Read(string(text), 1)
	}
}

// BenchmarkModel is what the first reading in a process costs more than the others.
func BenchmarkModel(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := readModel(modelFile); err != nil {
			b.Fatal(err)
		}
	}
}
