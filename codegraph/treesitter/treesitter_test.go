package treesitter

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestFrontend(t *testing.T) {
	for _, want := range []string{"c", "cpp", "java", "javascript", "python", "rust", "typescript"} {
		if f, err := Frontend(want); err != nil || f.Name() != want {
			t.Errorf("Frontend(%q) = %v, %v", want, f, err)
		}
	}
	const want = `treesitter: unknown language "Python"; there are c, cpp, java, javascript, python, rust, typescript`
	if _, err := Frontend("Python"); err == nil || err.Error() != want {
		t.Errorf("Frontend of an unknown name: %v, want %s", err, want)
	}
}

// Ten thousand files must not grow the process: everything the parser allocates is given back.
func TestMemory(t *testing.T) {
	files := map[string]string{"a.py": "def f(x):\n    return g(x)\n", "a.ts": "export function f(x: number) { return g(x); }\n"}
	parse := func(n int) {
		for i := range n {
			for _, fe := range Frontends() {
				for name, src := range files {
					if !slices.Contains(fe.Extensions(), name[strings.LastIndexByte(name, '.'):]) {
						continue
					}
					if _, err := fe.Parse(t.Context(), name, []byte(strings.Repeat(src, 1+i%8))); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		runtime.GC()
	}
	parse(500)
	before := resident(t)
	n := 5000
	if testing.Short() {
		n = 500
	}
	parse(n)
	if after := resident(t); after > before+24<<20 {
		t.Errorf("%d files: resident memory grew from %d to %d bytes", 2*n, before, after)
	}
}

func resident(t *testing.T) int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc here")
	}
	pages := 0
	for _, c := range strings.Fields(string(b))[1] {
		pages = pages*10 + int(c-'0')
	}
	return pages * os.Getpagesize()
}
