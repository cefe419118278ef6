package treesitter

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/lang"
)

func fuzzParse(f *testing.F, archive string, paths ...string) {
	data, err := os.ReadFile("testdata/" + archive)
	if err != nil {
		f.Fatal(err)
	}
	for _, part := range bytes.Split(data, []byte("\n-- ")) {
		f.Add(part)
	}
	byExt := map[string]lang.Frontend{}
	for _, fe := range Frontends() {
		for _, e := range fe.Extensions() {
			byExt[e] = fe
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		for _, p := range paths {
			facts, err := byExt[p[strings.LastIndexByte(p, '.'):]].Parse(t.Context(), p, src)
			if err != nil {
				continue
			}
			if err := facts.Check(); err != nil {
				t.Fatal(err)
			}
			again, err := lang.Decode(facts.Append(nil))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(facts.Append(nil), again.Append(nil)); d != "" {
				t.Fatalf("round trip (-want +got):\n%s", d)
			}
		}
	})
}

func frontendNamed(t *testing.T, name string) lang.Frontend {
	for _, f := range Frontends() {
		if f.Name() == name {
			return f
		}
	}
	t.Fatalf("no front end for %s", name)
	return nil
}

func FuzzC(f *testing.F) { fuzzParse(f, "c.txtar", "a.c", "a.h") }

func FuzzCpp(f *testing.F) { fuzzParse(f, "cpp.txtar", "a.cc", "a.h") }

func FuzzPython(f *testing.F) { fuzzParse(f, "python.txtar", "a.py") }

func FuzzScript(f *testing.F)     { fuzzParse(f, "javascript.txtar", "a.js", "a.ts", "a.tsx") }
func FuzzTypeScript(f *testing.F) { fuzzParse(f, "typescript.txtar", "a.ts", "a.tsx") }

func FuzzJava(f *testing.F) { fuzzParse(f, "java.txtar", "a.java") }
func FuzzRust(f *testing.F) { fuzzParse(f, "rust.txtar", "a.rs") }

func TestLimits(t *testing.T) {
	py := frontendNamed(t, "python")
	if _, err := py.Parse(t.Context(), "a.py", []byte(strings.Repeat("(", 100_000))); err != nil && !strings.Contains(err.Error(), "nested") {
		t.Errorf("deep nesting: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	src := []byte(strings.Repeat("x = [1, 2, {3: f(4)}]\n", 200_000)) // longer than one slice of time
	if _, err := py.Parse(ctx, "a.py", src); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled parse: %v", err)
	}
	if facts, err := py.Parse(t.Context(), "a.py", nil); err != nil || facts.Lines != 1 {
		t.Errorf("empty file: %+v, %v", facts, err)
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
