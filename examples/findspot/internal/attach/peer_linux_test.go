package attach

import (
	"io"
	"net"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Another user gets no answer, even where the permissions would let him.
func TestOtherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	dir := folder(t)
	h := serve(t, dir, echo)
	for _, name := range []string{dir, h.Note().Socket} {
		if err := os.Chmod(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	type result struct {
		data []byte
		err  error
	}
	got := make(chan result)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
		const nobody = 65534
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody); errno != 0 {
			got <- result{err: errno}
			return
		}
		conn, err := net.Dial("unix", h.Note().Socket)
		if err != nil {
			got <- result{err: err}
			return
		}
		defer conn.Close()
		_ = writeJSON(conn, kindHello, own.hello()) // it may be closed already
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		data, _ := io.ReadAll(conn)
		got <- result{data: data}
	}()
	if r := <-got; r.err != nil || len(r.data) > 0 {
		t.Errorf("another user got %q, %v", r.data, r.err)
	}
	if _, err := Dial(t.Context(), dir, own); err != ErrNone { // others may have put a socket there
		t.Errorf("Dial in a folder of everybody: %v", err)
	}
}
