package attach

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/leak"
)

func TestMain(m *testing.M) {
	helloTime = time.Second
	os.Exit(m.Run())
}

var own = About{Version: "v1", Format: 1}

// folder is the folder of an index, whose path is short.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "attach")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

type runFunc func(ctx context.Context, c *Call, in *Input, out, errw *Output) int

// serve serves an index until the test ends.
func serve(t *testing.T, dir string, run runFunc) *Host {
	t.Helper()
	leak.Check(t)
	h, err := Listen(dir, own, &Options{Private: []string{filepath.Join(dir, "..", "findspot-private")}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- h.Serve(ctx, &Handlers{Run: run, Stop: cancel, Status: func(context.Context) (json.RawMessage, error) { return json.RawMessage(`{"a": 1}`), nil }})
	}()
	t.Cleanup(func() {
		cancel()
		if err := errors.Join(<-done, h.Close()); err != nil {
			t.Error(err)
		}
	})
	return h
}

func call(ctx context.Context, t *testing.T, dir string, c *Call, stdin io.Reader) (status int, stdout, stderr string, err error) {
	t.Helper()
	client, err := Dial(ctx, dir, own)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var out, errs bytes.Buffer
	c.Dir = dir
	status, _, err = client.Run(ctx, c, Streams{In: stdin, Out: &out, Err: &errs})
	return status, out.String(), errs.String(), err
}

// echo prints its arguments and what it reads.
func echo(_ context.Context, c *Call, in *Input, out, errw *Output) int {
	columns, terminal := out.Terminal()
	fmt.Fprintf(out, "%q %v %v %d\n", c.Args, c.Env, terminal, columns)
	n, err := io.Copy(out, in)
	fmt.Fprintf(errw, "%d bytes, %v\n", n, err)
	return 7
}

func TestRun(t *testing.T) {
	dir := folder(t)
	serve(t, dir, echo)
	text := strings.Repeat("0123456789abcdef", 100_000) // many windows
	status, stdout, stderr, err := call(t.Context(), t, dir, &Call{Args: []string{"a", "b"}, Env: map[string]string{"X": "y"}, Terminals: [3]Stream{{}, {Terminal: true, Columns: 80}, {}}}, strings.NewReader(text))
	if status != 7 || err != nil || stdout != "[\"a\" \"b\"] map[X:y] true 80\n"+text || stderr != "1600000 bytes, <nil>\n" {
		t.Errorf("status %d, %v, %d bytes, %q", status, err, len(stdout), stderr)
	}
	client, err := Dial(t.Context(), dir, About{Version: "v2", Format: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if want := (&VersionError{}); !errors.As(client.Fits(), &want) || want.Server != "v1" {
		t.Errorf("Fits() = %v", client.Fits())
	}
	if got, err := client.Status(t.Context()); err != nil || string(got) != `{"a":1}` {
		t.Errorf("Status() = %s, %v", got, err)
	}
}

// Nothing of standard input is read that the command does not want.
func TestInputIsNotReadAhead(t *testing.T) {
	dir := folder(t)
	serve(t, dir, func(_ context.Context, c *Call, in *Input, out, _ *Output) int {
		if len(c.Args) == 0 {
			return 0
		}
		buf := make([]byte, 3)
		n, _ := in.Read(buf)
		_, _ = out.Write(buf[:n])
		return 0
	})
	in := strings.NewReader("abcdef")
	if _, _, _, err := call(t.Context(), t, dir, &Call{}, in); err != nil || in.Len() != 6 {
		t.Errorf("%v, %d bytes are left of 6", err, in.Len())
	}
	if _, out, _, err := call(t.Context(), t, dir, &Call{Args: []string{"read"}}, in); err != nil || in.Len() != 3 || out != "abc" {
		t.Errorf("%v, %d bytes are left of 3, %q was read", err, in.Len(), out)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }
func (failing) Read([]byte) (int, error)  { return 0, errors.New("bad disk") }

// Errors of the client's streams are those of the command's.
func TestFailingStreams(t *testing.T) {
	dir := folder(t)
	got := make(chan error, 2)
	serve(t, dir, func(_ context.Context, _ *Call, in *Input, out, _ *Output) int {
		fmt.Fprint(out, "x")
		got <- out.Settle()
		_, err := in.Read(make([]byte, 1))
		got <- err
		return 0
	})
	client, err := Dial(t.Context(), dir, own)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, _, err := client.Run(t.Context(), &Call{Dir: dir}, Streams{failing{}, failing{}, io.Discard}); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"disk full", "bad disk"} {
		if err := <-got; err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// The end of the client's context interrupts the command, and so does the end of the client.
func TestCancel(t *testing.T) {
	dir := folder(t)
	ended := make(chan error, 1)
	serve(t, dir, func(ctx context.Context, c *Call, in *Input, out, _ *Output) int {
		fmt.Fprintln(out, "begun")
		var err error
		if len(c.Args) > 0 {
			_, err = in.Read(make([]byte, 1)) // nobody types
		} else {
			<-ctx.Done()
			err = ctx.Err()
		}
		fmt.Fprintln(out, "interrupted")
		ended <- err
		return 3
	})
	for _, args := range [][]string{nil, {"read"}} {
		ctx, cancel := context.WithCancel(t.Context())
		r, w := io.Pipe()
		client, err := Dial(ctx, dir, own)
		if err != nil {
			t.Fatal(err)
		}
		out := &first{then: cancel}
		status, _, err := client.Run(ctx, &Call{Args: args, Dir: dir}, Streams{In: r, Out: out, Err: io.Discard})
		if status != 3 || err != nil || out.String() != "begun\ninterrupted\n" {
			t.Errorf("status %d, %v, %q", status, err, out.String())
		}
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the command ended with %v", err)
		}
		client.Close()
		w.Close()
	}
	client, err := Dial(t.Context(), dir, own)
	if err != nil {
		t.Fatal(err)
	}
	if _, used, err := client.Run(t.Context(), &Call{Dir: dir}, Streams{In: strings.NewReader(""), Out: &first{then: func() { client.Close() }}, Err: io.Discard}); !errors.Is(err, ErrLost) || !used {
		t.Errorf("Run = %v, %v", used, err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the command of a client that is gone ended with %v", err)
	}
}

// first calls a function after the first write.
type first struct {
	bytes.Buffer
	once sync.Once
	then func()
}

func (f *first) Write(p []byte) (int, error) {
	defer f.once.Do(f.then)
	return f.Buffer.Write(p)
}

// A client that reads nothing holds its own command, at a bounded amount of output, and nothing else.
func TestSlowClient(t *testing.T) {
	dir := folder(t)
	var wrote sync.Map
	serve(t, dir, func(_ context.Context, c *Call, _ *Input, out, _ *Output) int {
		n := 0
		for n < 16<<20 {
			k, err := out.Write(make([]byte, 10_000))
			n += k
			wrote.Store(c.Args[0], n)
			if err != nil {
				return 1
			}
		}
		return 0
	})
	slow, err := Dial(t.Context(), dir, own)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeJSON(slow.conn, kindStart, &Call{Args: []string{"slow"}, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if status, out, _, err := call(t.Context(), t, dir, &Call{Args: []string{fmt.Sprint(i)}}, nil); status != 0 || err != nil || len(out) < 16<<20 {
			t.Errorf("status %d, %v, %d bytes", status, err, len(out))
		}
	}
	if n, _ := wrote.Load("slow"); n == nil || n.(int) > window {
		t.Errorf("%v bytes are on their way to a client that reads nothing", n)
	}
	slow.Close()
}

// What does not speak the protocol is not kept, and harms nobody.
func TestStrangers(t *testing.T) {
	dir := folder(t)
	h := serve(t, dir, echo)
	var open []net.Conn
	hi, err := json.Marshal(own.hello())
	if err != nil {
		t.Fatal(err)
	}
	hi = appendFrame(nil, kindHello, hi)
	for _, s := range []string{"", "GET / HTTP/1.1\r\n\r\n", "H\x00\x00\x10\x01", "H\x00\x00\x00\x02no", string(hi), string(hi) + "S\x00\x00\x00\x02{}", string(hi) + "S\x00\x00\x00\x04null",
		string(hi) + "X\x00\x00\x00\x00", string(hi) + "S\xff\xff\xff\xff", string(appendFrame(bytes.Clone(hi), kindStart, []byte(`{"dir": "relative"}`))),
		string(appendFrame(appendFrame(bytes.Clone(hi), kindStart, []byte(`{"dir": "/"}`)), kindStart, []byte(`{"dir": "/"}`))),
		string(appendFrame(appendFrame(bytes.Clone(hi), kindStart, []byte(`{"dir": "/"}`)), kindAck, ack{kindOut, 1 << 30, ""}.payload()))} {
		conn, err := net.Dial("unix", h.Note().Socket)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := conn.Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
		open = append(open, conn)
	}
	if status, _, _, err := call(t.Context(), t, dir, &Call{}, strings.NewReader("")); status != 7 || err != nil {
		t.Errorf("beside them: status %d, %v", status, err)
	}
	for i, conn := range open { // each is let go within the time for hello
		if err := conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("stranger %d is kept: %v", i, err)
		}
	}
}

// A command that panics fails, and the server goes on.
func TestPanic(t *testing.T) {
	dir := folder(t)
	serve(t, dir, func(context.Context, *Call, *Input, *Output, *Output) int { panic("oh") })
	for range 2 {
		if status, _, stderr, err := call(t.Context(), t, dir, &Call{}, nil); status != 3 || err != nil || !strings.Contains(stderr, "internal error: oh") {
			t.Errorf("status %d, %v, %q", status, err, stderr)
		}
	}
}

// There is one server an index, which is named to the next; its socket is for its user alone, and goes with it.
func TestListen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions of Unix")
	}
	dir := folder(t)
	if _, err := Dial(t.Context(), dir, own); !errors.Is(err, ErrNone) {
		t.Errorf("Dial without a server: %v", err)
	}
	h, err := Listen(dir, own, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.SetAddress("http://127.0.0.1:1"); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, socketName)
	if info, err := os.Stat(socket); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info.Mode(), err)
	}
	_, err = Listen(dir, own, nil)
	if held := (*HeldError)(nil); !errors.As(err, &held) || held.Note.PID != os.Getpid() || !strings.Contains(err.Error(), "http://127.0.0.1:1") {
		t.Errorf("a second server: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{socketName, noteName} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	stale.Close()
	if _, err := Dial(t.Context(), dir, own); !errors.Is(err, ErrNone) {
		t.Errorf("Dial of a socket that a crash left: %v", err)
	}
	if h, err = Listen(dir, own, nil); err != nil {
		t.Fatalf("Listen beside a socket that a crash left: %v", err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(socket, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(dir, own, nil); err == nil || !strings.Contains(err.Error(), "it is no socket") {
		t.Errorf("Listen where there is a file: %v", err)
	}
}

// The path of a socket is short: the index of a long one has it elsewhere, where nobody else can put one.
func TestLongPath(t *testing.T) {
	dir := filepath.Join(folder(t), strings.Repeat("long/", 40), "index")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	private := filepath.Join(folder(t), "private")
	h, err := Listen(dir, own, &Options{Private: []string{"", "relative", filepath.Join(dir, "as long"), private}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- h.Serve(ctx, &Handlers{Run: echo}) }()
	if filepath.Dir(h.Note().Socket) != private {
		t.Errorf("the socket is %s", h.Note().Socket)
	}
	if status, _, _, err := call(t.Context(), t, dir, &Call{}, strings.NewReader("")); status != 7 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(private, 0o777); err != nil {
			t.Fatal(err)
		}
		if _, err := Dial(t.Context(), dir, own); !errors.Is(err, ErrNone) {
			t.Errorf("Dial where everybody may put a socket: %v", err)
		}
		if err := os.Chmod(private, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	if err := errors.Join(<-done, h.Close()); err != nil {
		t.Error(err)
	}
	note := Note{Socket: filepath.Join(private, "other.sock")} // not one of ours
	data, err := json.Marshal(note)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, noteName), data, 0o600); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", note.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if _, err := Dial(t.Context(), dir, own); !errors.Is(err, ErrNone) {
		t.Errorf("Dial of a socket of something else: %v", err)
	}
}

// Stop waits until the server has ended.
func TestStop(t *testing.T) {
	dir := folder(t)
	h, err := Listen(dir, own, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- h.Serve(ctx, &Handlers{Stop: cancel}) }()
	client, err := Dial(t.Context(), dir, own)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	stopped := make(chan error, 1)
	go func() { stopped <- client.Stop(t.Context()) }()
	if err := <-done; err != nil {
		t.Error(err)
	}
	select {
	case err := <-stopped:
		t.Errorf("Stop returned before the end: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if err := <-stopped; err != nil {
		t.Errorf("Stop: %v", err)
	}
}

// A server that hangs is given up after the time for hello.
func TestSilentServer(t *testing.T) {
	dir := folder(t)
	ln, err := net.Listen("unix", filepath.Join(dir, socketName))
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	began := time.Now()
	if _, err := Dial(t.Context(), dir, own); !errors.Is(err, ErrSilent) || time.Since(began) > 5*helloTime {
		t.Errorf("Dial = %v after %v", err, time.Since(began))
	}
	go func() {
		if conn, err := ln.Accept(); err == nil { // that of before
			conn.Close()
		}
		if conn, err := ln.Accept(); err == nil {
			conn.Close()
		}
	}()
	if _, err := Dial(t.Context(), dir, own); !errors.Is(err, ErrNone) {
		t.Errorf("Dial of a server that ends = %v", err)
	}
}
