package lint

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/golden"
)

// publicRooms are the public packages that programs import; those for tests are left out.
func publicRooms(g *Graph) []*Package {
	return slices.DeleteFunc(g.Own(), func(p *Package) bool {
		return !p.Public() || strings.HasPrefix(p.Room(), "docs/") || slices.Contains(g.Links(p.ImportPath), "testing")
	})
}

func needLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the list is that of Linux")
	}
}

// TestModules keeps the list of the modules that each room brings into a program.
func TestModules(t *testing.T) {
	needLinux(t)
	g := load(t)
	var b strings.Builder
	for _, p := range publicRooms(g) {
		modules := map[string]bool{}
		for _, path := range g.Links(p.ImportPath) {
			if m := g.Packages[path].Module; m != nil && m.Path != Module {
				modules[m.Path] = true
			}
		}
		fmt.Fprintf(&b, "%s: %d\n", p.Room(), len(modules))
		for _, m := range slices.Sorted(maps.Keys(modules)) {
			fmt.Fprintf(&b, "\t%s\n", m)
		}
	}
	golden.Compare(t, "testdata/modules.txt", []byte(b.String()))
}

var initLine = regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, (\d+) allocs$`)

// TestInit keeps ceilings of what packages and rooms allocate when a program starts, before anything is asked of them: in KB, a quarter
// over what was measured, for all packages above 8 KB and for each room with all that it links.
func TestInit(t *testing.T) {
	needLinux(t)
	if testing.Short() {
		t.Skip("links a program")
	}
	g := load(t)
	dir := t.TempDir()
	var src strings.Builder
	src.WriteString("package main\n\nimport (\n")
	for _, p := range publicRooms(g) {
		fmt.Fprintf(&src, "\t_ %q\n", p.ImportPath)
	}
	src.WriteString(")\n\nfunc main() {}\n")
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "rooms")
	if err := os.WriteFile(file, []byte(src.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, file)
	build.Dir = root(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), program)
	run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	run.Stderr = &trace
	if err := run.Run(); err != nil {
		t.Fatalf("%v\n%s", err, trace.Bytes())
	}
	used := map[string]int{} // bytes by import path
	for _, m := range initLine.FindAllStringSubmatch(trace.String(), -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		used[m[1]] = n
	}
	if len(used) < 20 {
		t.Fatalf("the runtime told of %d packages only:\n%s", len(used), trace.Bytes())
	}
	const shown = 8 << 10
	got := map[string]int{}
	for path, n := range used {
		if n >= shown {
			got["package "+path] = n
		}
	}
	for _, p := range publicRooms(g) {
		for _, path := range g.Links(p.ImportPath) {
			got["room "+p.Room()] += used[path]
		}
	}
	checkCeilings(t, filepath.Join("testdata", "init.txt"), got)
}

// checkCeilings compares sizes in bytes with the ceilings of a file, a line each: a number of KB, a space, and what it is of.
func checkCeilings(t *testing.T, file string, got map[string]int) {
	t.Helper()
	if golden.Updating() {
		var b strings.Builder
		for _, of := range slices.Sorted(maps.Keys(got)) {
			fmt.Fprintf(&b, "%d %s\n", (got[of]*5/4+1023)/1024, of)
		}
		golden.Compare(t, file, []byte(b.String()))
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: run go test -run '^%s$' -update to write it", err, t.Name())
	}
	ceilings := map[string]int{}
	for line := range strings.Lines(string(text)) {
		number, of, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatalf("%s: %q begins with no number", file, line)
		}
		ceilings[of] = n << 10
	}
	for _, of := range slices.Sorted(maps.Keys(got)) {
		ceiling, known := ceilings[of]
		switch {
		case !known:
			t.Errorf("%s allocates %d bytes when a program starts, and is not in %s: make it when it is needed (sync.OnceValue, internal/lazyregexp), or run go test -run '^%s$' -update",
				of, got[of], file, t.Name())
		case got[of] > ceiling:
			t.Errorf("%s allocates %d bytes when a program starts, over its ceiling of %d in %s: make it when it is needed (sync.OnceValue, internal/lazyregexp)", of, got[of], ceiling, file)
		}
	}
}
