package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/leak"
	"github.com/findspot/findspot/internal/mcpstdio"
)

const (
	hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	toolsList = `{"jsonrpc":"2.0","id":"list","method":"tools/list"}` + "\n"
)

// program is the server as a process of its own, built as a user builds it.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program")
	}
	bin := filepath.Join(t.TempDir(), "mcpserver")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return exec.Command(bin, append([]string{"-dir", t.TempDir()}, args...)...)
}

// exited waits for the end of a process that was started, and kills it if there is none.
func exited(t *testing.T, cmd *exec.Cmd) error {
	t.Helper()
	late := time.AfterFunc(patient, func() {
		t.Error("the program goes on")
		cmd.Process.Kill()
	})
	defer late.Stop()
	return cmd.Wait()
}

func TestProgram(t *testing.T) {
	cmd := program(t)
	to, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReaderSize(from, 1<<20)
	var line string
	next := func(want string) {
		t.Helper()
		var err error
		if line, err = out.ReadString('\n'); err != nil || !strings.Contains(line, want) {
			t.Fatalf("answer %.300q, %v, want %s; log:\n%s", line, err, want, &log)
		}
	}
	send := func(text string) {
		t.Helper()
		if _, err := io.WriteString(to, text); err != nil {
			t.Fatalf("%v; log:\n%s", err, &log)
		}
	}
	send(hello)
	next(`"hello"`)
	for _, bad := range []string{"hello\n", `{"foo":1}` + "\n", "[]\n", strings.Repeat("[", 1<<20) + "\n", strings.Repeat("x", 64<<20) + "\n"} {
		send(bad)
		next(`"error":{"code":-32`)
		send(toolsList)
		next(`"search_internal"`)
	}
	if runtime.GOOS == "linux" {
		if peak := leak.PeakMemory(cmd.Process.Pid); peak > 400<<20 {
			t.Errorf("the program has taken %d MB", peak>>20)
		}
	}
	if runtime.GOOS == "windows" {
		to.Close()
		if err := exited(t, cmd); err != nil {
			t.Errorf("the end of input: %v", err)
		}
		return
	}
	go io.Copy(to, zeros{}) // no line's end ever
	next(`"error":{"code":-32600`)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := exited(t, cmd); err != nil {
		t.Errorf("SIGTERM: %v\n%s", err, &log)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestProgramEnds: at the end of input and when nobody reads, the program ends by itself, with status 0.
func TestProgramEnds(t *testing.T) {
	t.Run("of input", func(t *testing.T) {
		cmd := program(t, "-docs", filepath.Join("..", "testdata", "papers"))
		cmd.Stdin = strings.NewReader(hello + `{"jsonrpc":"2.0","id":"ask","method":"tools/call","params":{"name":"search_internal","arguments":{"query":"signal"}}}`)
		out, err := cmd.Output()
		if err != nil || !strings.Contains(string(out), `"id":"ask","result"`) {
			t.Errorf("%v, output %.500q, want the answer to the last line", err, out)
		}
	})
	t.Run("nobody reads any more", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("there are no broken pipes as on Unix")
		}
		cmd := program(t)
		from, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		in, to, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdin, cmd.Stdout = in, out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		in.Close()
		out.Close()
		from.Close()
		if _, err := io.WriteString(to, hello); err != nil {
			t.Fatal(err)
		}
		if err := exited(t, cmd); err != nil {
			t.Errorf("a broken pipe: %v", err)
		}
		to.Close()
	})
	t.Run("nobody reads, and SIGTERM", func(t *testing.T) {
		if runtime.GOOS == "windows" {
			t.Skip("there is no SIGTERM")
		}
		cmd := program(t)
		to, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		from, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(to, hello); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReaderSize(from, 16).ReadByte(); err != nil { // it is there
			t.Fatal(err)
		}
		full := make(chan struct{})
		go func() {
			defer close(full)
			for {
				if _, err := io.WriteString(to, toolsList); err != nil {
					return
				}
			}
		}()
		time.Sleep(200 * time.Millisecond) // the pipes fill; too short a time makes the test weaker, not wrong
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := exited(t, cmd); err != nil {
			t.Errorf("SIGTERM: %v", err)
		}
		<-full
	})
}

// TestNothingIsLeft runs the server within the test, with bad lines among the good, and looks what is left of it.
func TestNothingIsLeft(t *testing.T) {
	leak.Check(t)
	leak.Files(t)
	in, to := io.Pipe()
	from, out := io.Pipe()
	done := make(chan error, 1)
	data := filepath.Join("..", "testdata")
	go func() {
		done <- run(context.Background(), []string{"-dir", t.TempDir(), "-docs", filepath.Join(data, "papers"), "-repo", filepath.Join(data, "receiver"), "-servers", noServers(t)},
			mcpstdio.New(in, out, nil), io.Discard)
	}()
	go func() {
		io.WriteString(to, hello+"{\n"+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_internal","arguments":{"query":"signal"}}}`+"\n"+
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_text","arguments":{"query":"detect"}}}`+"\n")
		to.Close()
	}()
	text, err := io.ReadAll(from)
	if err != nil || strings.Count(string(text), "\n") != 4 {
		t.Errorf("%d lines were answered, %v, want 4", strings.Count(string(text), "\n"), err)
	}
	if err := <-done; err != nil {
		t.Errorf("run = %v", err)
	}
}

// noServers is a description of language servers that has none that could be found.
func noServers(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "servers.yaml")
	if err := os.WriteFile(name, []byte("[]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// patient is when a test gives up on what must not hang.
const patient = 60 * time.Second
