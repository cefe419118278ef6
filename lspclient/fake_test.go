package lspclient

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/leak"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// The test binary is a language server too, when fakeScript is set in its environment. It serves files ending in .fk,
// in which "def NAME" declares a name and every other occurrence of it is a reference.
//
// The script has a line for each fault, "METHOD#N ACTION [ARGUMENT]": at the Nth request of METHOD (#N left out: at each),
// counted over all lives of the server, do ACTION. What the actions are is in (*fakeServer).act.
const (
	fakeScript = "FINDSPOT_FAKE_SCRIPT"
	fakeDir    = "FINDSPOT_FAKE_DIR" // where counts and the log are kept
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(fakeDir); dir != "" {
		if len(os.Args) > 1 && os.Args[1] == "version" {
			fmt.Println(probed(dir))
			return
		}
		if slices.Contains(os.Args, "--unknown") {
			fmt.Fprintln(os.Stderr, "unknown argument --unknown")
			os.Exit(1)
		}
		if echo(dir) {
			return
		}
		(&fakeServer{dir: dir, script: os.Getenv(fakeScript), out: bufio.NewWriter(os.Stdout)}).run()
		return
	}
	if how := os.Getenv(fakeHost); how != "" {
		runHost(how)
	}
	os.Exit(leak.Main(func() int { return runTests(m) }))
}

// probed is what the fake says to its probe: the text of the file "probe", to which each probe adds a line in the file "probes".
func probed(dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, "probe"))
	if err != nil {
		return "fakels v1.2.3"
	}
	log, err := os.OpenFile(filepath.Join(dir, "probes"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(log, "probed")
		err = errors.Join(err, log.Close())
	}
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// runTests puts this program on PATH as fakels.
func runTests(m *testing.M) int {
	bin, err := os.MkdirTemp("", "findspot-fakels-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(bin)
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(bin, "fakels"))
	}
	if err != nil {
		panic(err)
	}
	os.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return m.Run()
}

// fakeSpec returns the fake server's entry and the folder with its log.
func fakeSpec(t *testing.T, script string) (ServerSpec, string) {
	t.Helper()
	dir := t.TempDir()
	return fakeSpecIn(dir, script), dir
}

func fakeSpecIn(dir, script string) ServerSpec {
	return ServerSpec{
		Name:      "fakels",
		Languages: map[string][]string{"fake": {".fk"}},
		Roots:     []string{"fake.mod"},
		Commands:  []serverspec.Command{{Program: "fakels", Args: []string{"serve"}, Probe: []string{"fakels", "version"}}},
		// A program built with the race detector sleeps a second before it exits.
		Env:      []string{fakeDir + "=" + dir, fakeScript + "=" + script, "GORACE=atexit_sleep_ms=0"},
		Settings: map[string]any{"fake": map[string]any{"depth": 3}},
		Install:  "build the tests",
	}
}

// fakeClient opens a client on a small repository served by the fake.
func fakeClient(t *testing.T, script string, o *Options, change ...func(*ServerSpec)) (c *Client, root, dir string) {
	t.Helper()
	t.Parallel()
	spec, dir := fakeSpec(t, script)
	for _, f := range change {
		f(&spec)
	}
	root = t.TempDir()
	writeFiles(t, root, map[string]string{
		"a.fk":     "def alpha\nuse alpha beta\n",
		"sub/b.fk": "é📡 def beta\nuse alpha\n",
	})
	if o == nil {
		o = &Options{}
	}
	o.Servers = []ServerSpec{spec}
	c, err := Open(t.Context(), root, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		assertNoProcess(t, dir)
	})
	return c, root, dir
}

func writeFiles(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// fakeLog returns the methods that the fake server has read, over all its lives.
func fakeLog(t *testing.T, dir string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

// assertNoProcess fails the test when a life of the fake server is still there.
func assertNoProcess(t *testing.T, dir string) {
	t.Helper()
	pids, _ := filepath.Glob(filepath.Join(dir, "pid-*"))
	for _, p := range pids {
		pid, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(p), "pid-"))
		if alive(pid) {
			t.Errorf("process %d of the fake server is left over", pid)
		}
	}
}

// eachSymbol calls f for every symbol of the trees.
func eachSymbol(list []Symbol, f func(Symbol)) {
	for _, s := range list {
		f(s)
		eachSymbol(s.Children, f)
	}
}
