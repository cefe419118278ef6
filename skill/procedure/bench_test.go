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
	shippedKinds() // learned before
	shippedBans()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Read(string(text), 1)
	}
}

// BenchmarkLearnKinds is what the first reading in a process costs more than the others.
func BenchmarkLearnKinds(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := learnKinds(learnedKinds, ""); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLearnBans is the other part of that.
func BenchmarkLearnBans(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := learnBans(learnedBans, learnedKinds); err != nil {
			b.Fatal(err)
		}
	}
}
