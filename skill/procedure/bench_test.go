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
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Read(string(text), 1)
	}
}
