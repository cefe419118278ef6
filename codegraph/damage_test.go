package codegraph_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
)

// Whatever of an index is cut off or changed, it opens with the right graph, and says what became of what was saved.
func TestDamageEverywhere(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, repo())
	ix := open(t, dir, root)
	logName, baseName := "delta.log", "base.seg"
	boundaries := map[string][]int{baseName: {0, 8, 12, 16}, logName: {0, 8, 12, 16}}
	for i := range 3 {
		write(t, root, fstest.MapFS{fmt.Sprintf("x%d.go", i): {Data: fmt.Appendf(nil, "package main\n\nfunc x%d() { main() }\n", i)}})
		info, err := os.Stat(filepath.Join(dir, logName))
		if err != nil {
			t.Fatal(err)
		}
		boundaries[logName] = append(boundaries[logName], int(info.Size()), int(info.Size())+8)
		if _, err := ix.Update(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ix.Close()
	files := map[string][]byte{}
	for _, name := range []string{baseName, logName} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
		boundaries[name] = append(boundaries[name], len(b)-1)
	}
	for at := 24; at+20 <= 24+6*20; at += 20 { // the sections
		boundaries[baseName] = append(boundaries[baseName], at, int(binary.LittleEndian.Uint64(files[baseName][at:])))
	}
	want := dump(build(t, os.DirFS(root)))
	check := func(what string, damaged fstest.MapFS, whole bool) {
		t.Helper()
		at := t.TempDir()
		write(t, at, damaged)
		var said bytes.Buffer
		for again := range 2 {
			said.Reset()
			ix, err := codegraph.Open(t.Context(), at, root, langs(), &codegraph.Options{Logger: slog.New(slog.NewTextHandler(&said, nil))})
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if d := cmp.Diff(want, dump(ix.Graph())); d != "" {
				t.Fatalf("%s (-want +got):\n%s", what, d)
			}
			c := ix.Changes()
			word := "index opened"
			switch {
			case c.Rebuilt != "":
				word = "is rebuilt"
			case c.Recovered != "":
				word = "is recovered"
			}
			if !strings.Contains(said.String(), word) {
				t.Errorf("%s: Changes = %+v, but the log says %s", what, c, said.String())
			}
			if clean := c.Rebuilt+c.Recovered == ""; clean != (whole || again == 1) {
				t.Errorf("%s, opened %d times: Changes = %+v", what, again+1, c)
			}
			ix.Close()
		}
	}
	with := func(name string, b []byte) fstest.MapFS {
		m := fstest.MapFS{"LOCK": {Data: []byte("rubbish")}, baseName: {Data: files[baseName]}, logName: {Data: files[logName]}}
		m[name] = &fstest.MapFile{Data: b}
		return m
	}
	check("nothing", with("LOCK", []byte("99999999999999999999")), true)
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{baseName, logName} {
		b := files[name]
		for _, at := range boundaries[name] {
			for _, cut := range []int{at - 1, at, at + 1} {
				if cut < 0 || cut >= len(b) {
					continue
				}
				whole := name == logName && (cut == 0 || wholeRecords(b, cut))
				check(fmt.Sprintf("%s cut at %d of %d", name, cut, len(b)), with(name, b[:cut]), whole)
			}
		}
		for range 40 {
			at, bit := rnd.IntN(len(b)), byte(1)<<rnd.IntN(8)
			bad := bytes.Clone(b)
			bad[at] ^= bit
			check(fmt.Sprintf("%s with bit %d of byte %d changed", name, bit, at), with(name, bad), false)
		}
		for at := range 16 { // where the version is
			bad := bytes.Clone(b)
			bad[at] ^= 2
			check(fmt.Sprintf("%s with byte %d changed", name, at), with(name, bad), false)
		}
	}
	check("no base", fstest.MapFS{logName: {Data: files[logName]}}, true) // there is nothing that was saved
}

// wholeRecords tells whether a log ends with a record.
func wholeRecords(b []byte, end int) bool {
	at := 28
	for at+8 <= end {
		at += 8 + int(binary.LittleEndian.Uint32(b[at:]))
	}
	return at == end
}

// A process that keeps an index is killed at any moment, over and over: the next one opens it with the right graph, and never
// has to build it anew once it was saved.
func TestKilled(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	root, dir, facts := t.TempDir(), "", ""
	files := fstest.MapFS{"go.mod": {Data: []byte("module example.com/m\n")}}
	for i := range 60 { // what the process edits
		files[fmt.Sprintf("p%d/f%d.go", i%5, i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "package p%d\n\nfunc F%d() { F%d() }\n", i%5, i, i+5)}
	}
	write(t, root, files)
	outcomes := map[string]int{}
	for round := range rounds {
		if round%3 == 0 { // a first build
			dir, facts = t.TempDir(), ""
			if round%2 == 0 {
				facts = t.TempDir()
			}
		}
		cmd := exec.CommandContext(t.Context(), exe)
		cmd.Env = append(os.Environ(), fmt.Sprintf("FINDSPOT_TEST_KILLED=%s\n%s\n%s\n%d", dir, root, facts, round))
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		saved := false
		wait, most := rnd.IntN(12), 5
		if round%3 == 0 {
			wait, most = 0, 12 // within the first build, or soon after it
		}
		for ; wait >= 0 && lines.Scan(); wait-- { // it is at work
			saved = saved || lines.Text() == "opened"
		}
		time.Sleep(time.Duration(rnd.IntN(1000*most)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			saved = saved || lines.Text() == "opened"
		}
		if err := cmd.Wait(); err == nil || stderr.Len() > 0 {
			t.Fatalf("round %d: it ended by itself: %v: %s", round, err, stderr.String())
		}
		ix, err := codegraph.Open(t.Context(), dir, root, langs(), &codegraph.Options{Facts: facts})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		c := ix.Changes()
		if d := cmp.Diff(dump(build(t, os.DirFS(root))), dump(ix.Graph())); d != "" {
			t.Fatalf("round %d: %+v (-fresh +index):\n%s", round, c, d)
		}
		switch {
		case c.Rebuilt != "":
			t.Errorf("round %d: it was built anew: %+v", round, c)
		case c.Recovered != "":
			outcomes["recovered"]++
		case c.Unchanged == 0:
			outcomes["nothing was saved"]++
			if saved {
				t.Errorf("round %d: what was saved is gone: %+v", round, c)
			}
		default:
			outcomes["opened"]++
		}
		ix.Close()
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(left) != 3 { // LOCK, base.seg, delta.log
			t.Errorf("round %d: in the folder: %v, %v", round, left, err)
		}
	}
	t.Log(outcomes)
}
