package visible

import (
	"strings"
	"testing"
)

// BenchmarkText looks at a megabyte of code in which nothing is hidden, and at one in which each line hides something.
func BenchmarkText(b *testing.B) {
	for _, t := range []struct{ name, line string }{
		{"plain", "func (k *keys) token(secret string) error { return nil } // größer als\n"},
		{"hidden", "func (k *keys) token(secret string) error { return nil } // a\u202eb\u200bc\n"},
	} {
		b.Run(t.name, func(b *testing.B) {
			text := strings.Repeat(t.line, 14_000)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Text(text)
			}
		})
	}
}
