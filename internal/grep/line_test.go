package grep

import (
	"bytes"
	"testing"
)

func FuzzIndex(f *testing.F) {
	f.Add([]byte("a filter filters"), "filters")
	f.Add([]byte("aab"), "ab")
	f.Add([]byte("ee"), "eee")
	f.Fuzz(func(t *testing.T, text []byte, needle string) {
		if needle == "" {
			return
		}
		if got, want := index(text, needle), bytes.Index(text, []byte(needle)); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}

func BenchmarkIndex(b *testing.B) {
	text := bytes.Repeat([]byte("        queryset = self.get_queryset().order_by(\"name\")  # the first fields of its parts\n"), 1000)
	for _, needle := range []string{"filter", "signal", "request", "update_"} {
		b.Run("index/"+needle, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				index(text, needle)
			}
		})
		b.Run("bytes/"+needle, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				bytes.Index(text, []byte(needle))
			}
		})
	}
}
