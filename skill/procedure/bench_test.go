package procedure

import (
	"os"
	"testing"

	"github.com/findspot/findspot/skill/internal/bayes"
)

func BenchmarkRead(b *testing.B) {
	text, err := os.ReadFile("testdata/labelled/20.md")
	if err != nil {
		b.Fatal(err)
	}
	for name, kinds := range map[string]*bayes.Model{"rules": nil, "learned": shippedKinds()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				readWith(string(text), 1, kinds, shippedBans())
			}
		})
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
