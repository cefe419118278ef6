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

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		o             Options
		want          bool
	}{
		{"load", "a\nload it", Options{Word: true}, true},
		{"load", "reload", Options{Word: true}, false},
		{"load", "reload", Options{}, true},
		{"lo.d", "reload", Options{Regexp: true}, true},
		{"lo.d", "reload", Options{Regexp: true, Word: true}, false},
		{"LOAD", "load", Options{IgnoreCase: true, Word: true}, true},
		{"load", "", Options{}, false},
	} {
		p, err := Compile(tt.pattern, tt.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Match([]byte(tt.text)); got != tt.want {
			t.Errorf("%q %+v in %q: %v", tt.pattern, tt.o, tt.text, got)
		}
	}
}
