package fakels

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The faults that a server plays.
const (
	Indexing = "indexing" // it never says that it has read the workspace, and knows the uses in the file asked about alone
	Degraded = "degraded" // it complains that the workspace does not load
	Hang     = "hang"     // it never answers a question about uses
	Crash    = "crash"    // it dies at every question about uses
	NoCalls  = "nocalls"  // it has no call hierarchy
	Blind    = "blind"    // it knows of no use
)

// env tells the program of a test that it is a server, and how; logs is a folder for the pids of servers.
const (
	env  = "FINDSPOT_FAKELS"
	logs = "FINDSPOT_FAKELS_LOGS"
)

// A Server is an entry of a registry.
type Server struct {
	Name, Language, Ext string
	Fault               string // one of the constants; "" for none
	NotInstalled        bool   // there is no such program
}

// ServeIfAsked is the server when the program was started as one, and then does not return.
func ServeIfAsked() {
	how, ok := os.LookupEnv(env)
	if !ok {
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "version" {
		fmt.Println("fakels v1.2.3")
		os.Exit(0)
	}
	ext, fault, _ := strings.Cut(how, " ")
	if dir := os.Getenv(logs); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(os.Getpid())), nil, 0o600); err != nil {
			panic(err)
		}
	}
	(&server{ext: ext, fault: fault}).run()
	os.Exit(0)
}

// Entries puts this program on PATH under the names of the servers, and returns their entries in YAML, with the folder in which
// each server that is started leaves a file named by its process id. The test must not be parallel.
func Entries(t testing.TB, servers ...Server) (yaml, pids string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin, pids := t.TempDir(), t.TempDir()
	var b strings.Builder
	for _, s := range servers {
		if !s.NotInstalled {
			if err := os.Symlink(self, filepath.Join(bin, s.Name)); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&b, `- name: %[1]s
  languages: {%[2]s: [%[3]s]}
  roots: [%[1]s.mod]
  commands:
    - {program: %[1]s, args: [serve], probe: [%[1]s, version]}
  env: ["%[4]s=%[3]s %[5]s", "%[6]s=%[7]s", GORACE=atexit_sleep_ms=0]
  ready: {progress: "^Indexing", problem: "^Problem"}
  install: build %[1]s
`, s.Name, s.Language, s.Ext, env, s.Fault, logs, pids)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return b.String(), pids
}

// WaitGone fails the test when a server of the folder still runs after a while. It returns how many there were.
func WaitGone(t testing.TB, pids string) int {
	t.Helper()
	list, err := os.ReadDir(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("process %d of a language server is left over", pid)
				break
			}
		}
	}
	return len(list)
}
