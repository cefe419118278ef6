package need

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// probeTimeout bounds a probe: the first start of a server written for Node may take many seconds on a busy machine.
const probeTimeout = time.Minute

// Tool returns the path of the program name found on PATH. With a probe, the program is run with these arguments and must
// exit with status 0: a shim on PATH that only says "not installed" is no tool. It is run once in a process, however many tests need the program. If
// there is no such program the test is skipped, or fails when FINDSPOT_REQUIRE names it.
func Tool(t testing.TB, name string, probe ...string) string {
	t.Helper()
	path, err := findTool(name, probe)
	if err != nil {
		missing(t, name, err.Error())
	}
	return path
}

// probes holds what came of each probe, by its command line: a func() error that runs it the first time.
var probes sync.Map

func findTool(name string, probe []string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s not found: install it and put it on PATH", name)
	}
	if len(probe) == 0 {
		return path, nil
	}
	line := path + " " + strings.Join(probe, " ")
	once, _ := probes.LoadOrStore(line, sync.OnceValue(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, path, probe...)
		cmd.WaitDelay = time.Second
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s does not work: %s: %v: %s", name, line, err, firstLine(out))
		}
		return nil
	}))
	if err := once.(func() error)(); err != nil {
		return "", err
	}
	return path, nil
}

// Shared returns the path of an entry of the shared data folder, given as path elements; without elements, the folder
// itself. The folder is the one FINDSPOT_SHARED names, else "shared" beside the module root, which is looked for upwards
// from the working directory. If the entry is not there the test is skipped, or fails when FINDSPOT_REQUIRE names
// "shared".
func Shared(t testing.TB, elem ...string) string {
	t.Helper()
	path, err := findShared(elem)
	if err != nil {
		missing(t, "shared", err.Error())
	}
	return path
}

func findShared(elem []string) (string, error) {
	dir := os.Getenv("FINDSPOT_SHARED")
	if dir == "" {
		root, err := moduleRoot()
		if err != nil {
			return "", fmt.Errorf("shared data not found: set FINDSPOT_SHARED (%v)", err)
		}
		dir = filepath.Join(filepath.Dir(root), "shared")
	}
	path := filepath.Join(append([]string{dir}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("shared data not found: set FINDSPOT_SHARED (%v)", err)
	}
	return path, nil
}

// moduleRoot returns the nearest folder at or above the working directory that holds a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod at or above the working directory")
		}
		dir = up
	}
}

// Folder returns the folder that the environment variable FINDSPOT_ and its name in capitals names, such as "embed_model_dir". If there is none the test is
// skipped, or fails when FINDSPOT_REQUIRE names it; how says what to do then.
func Folder(t testing.TB, name, how string) string {
	t.Helper()
	key := "FINDSPOT_" + strings.ToUpper(name)
	dir := os.Getenv(key)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		missing(t, name, fmt.Sprintf("no %s: set %s to its folder; %s", name, key, how))
	}
	return dir
}

// NoRace skips a test that computes for long in one goroutine when the race detector, which has nothing to find there, makes it five to ten times as slow.
// Such a test runs in the step "quality" of .ci/run.
func NoRace(t testing.TB) {
	t.Helper()
	if raceDetector {
		t.Skip("one goroutine that computes for long: run it without the race detector")
	}
}

// missing ends the test: as a failure when FINDSPOT_REQUIRE names what is missing, else as a skip.
func missing(t testing.TB, name, why string) {
	t.Helper()
	if required(os.Getenv("FINDSPOT_REQUIRE"), name) {
		t.Fatalf("%s (FINDSPOT_REQUIRE names it)", why)
	}
	t.Skip(why)
}

// required reports whether the comma list names name, or the product that name is a program of.
func required(list, name string) bool {
	for entry := range strings.SplitSeq(list, ",") {
		entry = strings.TrimSpace(entry)
		if entry != "" && (entry == name || strings.HasPrefix(name, entry+"-")) {
			return true
		}
	}
	return false
}

func firstLine(out []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line
}
