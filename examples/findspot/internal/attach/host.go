package attach

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

const (
	maxClients = 256              // at once
	graceTime  = 10 * time.Second // for commands to end when the server does
)

// A HeldError is an index that another server holds.
type HeldError struct {
	Index string
	Note  Note // zero where it is not known
}

func (e *HeldError) Error() string {
	s := fmt.Sprintf("another server holds the index %s", e.Index)
	if e.Note.PID != 0 {
		s += fmt.Sprintf(": process %d, since %s", e.Note.PID, e.Note.Started.Local().Format("2006-01-02 15:04"))
	}
	if e.Note.Address != "" {
		s += ", at " + e.Note.Address
	}
	return s + " (findspot serve stop ends it)"
}

// Options of a [Host].
type Options struct {
	Private []string // folders of the user for sockets whose path in the index would be too long, in order
	Logger  *slog.Logger
}

// A Host runs commands for the processes that connect to the socket of an index.
type Host struct {
	about  About
	index  string
	folder *disk.Folder
	lock   *disk.Lock
	ln     *net.UnixListener
	note   Note
	log    *slog.Logger

	mu      sync.Mutex // guards what follows
	running int
	served  int
	used    time.Time
	conns   map[net.Conn]bool
	waiting []net.Conn // closed when the server has ended
}

// Listen takes the socket of the index in a folder, an absolute path, that exists. The error is a [HeldError] when another server has it.
func Listen(index string, about About, o *Options) (*Host, error) {
	if o == nil {
		o = &Options{}
	}
	folder, err := disk.OpenFolder(index, true) // who opened the index checked it
	if err != nil {
		return nil, err
	}
	h := &Host{about: about, index: index, folder: folder, used: time.Now(), conns: map[net.Conn]bool{}, log: cmp.Or(o.Logger, slog.New(slog.DiscardHandler))}
	lock, err := folder.Lock(0)
	if err != nil {
		defer folder.Close()
		if held := (*errs.LockedError)(nil); errors.As(err, &held) {
			note, _ := readNote(folder) // what it does not say is not known
			if note.PID == 0 {
				note = Note{PID: held.PID}
			}
			return nil, &HeldError{index, note}
		}
		return nil, err
	}
	h.lock = lock
	if err := h.listen(o.Private); err != nil {
		return nil, errors.Join(err, lock.Unlock(), folder.Close())
	}
	return h, nil
}

// listen makes the socket. Nobody else serves while the lock is held: what is there is left from a crash.
func (h *Host) listen(private []string) error {
	socket, err := socketPath(h.index, private)
	if err != nil {
		return err
	}
	info, err := os.Lstat(socket)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.Mode()&fs.ModeSocket == 0:
		return fmt.Errorf("%s: %w: it is no socket: remove it", socket, errs.Refused)
	default:
		if err := os.Remove(socket); err != nil {
			return err
		}
	}
	if h.ln, err = net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"}); err != nil {
		return err
	}
	if err := os.Chmod(socket, 0o600); err != nil {
		return errors.Join(err, h.ln.Close())
	}
	h.note = Note{PID: os.Getpid(), Version: h.about.Version, Socket: socket, Started: time.Now().UTC().Truncate(time.Second)}
	if err := h.SetAddress(""); err != nil {
		return errors.Join(err, h.ln.Close())
	}
	return nil
}

// SetAddress notes the address of the server for HTTP beside the index.
func (h *Host) SetAddress(address string) error {
	h.note.Address = address
	data, err := json.MarshalIndent(h.note, "", "  ")
	if err != nil {
		return err
	}
	return disk.WriteFile(filepath.Join(h.index, noteName), append(data, '\n'))
}

// Note is what serve.json says.
func (h *Host) Note() Note { return h.note }

// Use returns how many commands run, how many ran or run, and when the last one began or ended.
func (h *Host) Use() (running, served int, last time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.running, h.served, h.used
}

// Handlers are what a [Host] does for clients.
type Handlers struct {
	// Run runs a command and returns its exit status. It must end soon after ctx does.
	Run func(ctx context.Context, c *Call, in *Input, out, err *Output) int
	// Status is the state of the server, as JSON.
	Status func(ctx context.Context) (json.RawMessage, error)
	// Stop begins to end the server: the context of Serve ends.
	Stop func()
}

// Serve serves clients until ctx ends. It returns when all commands have ended, which are cancelled then; Close is still to be called.
func (h *Host) Serve(ctx context.Context, do *Handlers) error {
	stop := context.AfterFunc(ctx, func() { h.ln.Close() })
	defer stop()
	var wg sync.WaitGroup
	var failed error
	for ctx.Err() == nil {
		conn, err := h.ln.AcceptUnix()
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			if errors.Is(err, net.ErrClosed) {
				failed = err
				break
			}
			h.log.Warn("findspot: a client could not be accepted", "reason", err)
			time.Sleep(50 * time.Millisecond) // too many open files, as a rule
			continue
		}
		if !h.enter(conn) {
			wg.Go(func() {
				_ = conn.SetDeadline(time.Now().Add(time.Second))
				_, _ = conn.Write(appendFrame(nil, kindFail, []byte("the server is busy: too many commands run"))) // it sees the end otherwise
				conn.Close()
			})
			continue
		}
		wg.Go(func() {
			defer h.leave(conn)
			if err := h.serve(ctx, conn, do); err != nil {
				h.log.Info("findspot: a client was not served", "reason", err)
			}
		})
	}
	late := time.AfterFunc(graceTime, func() { // what does not read any more
		h.mu.Lock()
		defer h.mu.Unlock()
		for c := range h.conns {
			c.Close()
		}
	})
	defer late.Stop()
	wg.Wait()
	return failed
}

func (h *Host) enter(conn net.Conn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.conns) >= maxClients {
		return false
	}
	h.conns[conn] = true
	return true
}

// leave closes a connection, but those that wait for the end of the server.
func (h *Host) leave(conn net.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.conns[conn] {
		delete(h.conns, conn)
		conn.Close()
	}
}

// serve serves one client.
func (h *Host) serve(ctx context.Context, conn *net.UnixConn, do *Handlers) error {
	if err := friend(conn); err != nil {
		return err
	}
	if err := conn.SetDeadline(time.Now().Add(helloTime)); err != nil {
		return err
	}
	var client hello
	if err := expect(conn, kindHello, &client); err != nil {
		return err
	}
	if err := writeJSON(conn, kindHello, h.about.hello()); err != nil {
		return err
	}
	kind, payload, err := readFrame(conn)
	if err != nil {
		return err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return err
	}
	switch kind {
	case kindStatus:
		data, err := do.Status(ctx)
		if err != nil {
			_, err = conn.Write(appendFrame(nil, kindFail, []byte(err.Error())))
			return err
		}
		return writeJSON(conn, kindReply, data)
	case kindStop:
		if err := writeJSON(conn, kindReply, struct{}{}); err != nil {
			return err
		}
		h.mu.Lock()
		delete(h.conns, conn)
		h.waiting = append(h.waiting, conn)
		h.mu.Unlock()
		do.Stop()
		return nil
	case kindStart:
		c := &Call{}
		if err := json.Unmarshal(payload, c); err != nil {
			return err
		}
		if !filepath.IsAbs(c.Dir) {
			return fmt.Errorf("working folder %q: %w", c.Dir, errs.Format)
		}
		return h.run(ctx, conn, c, do)
	}
	return fmt.Errorf("a frame of kind %q as a request: %w", kind, errs.Format)
}

// run runs a command for a client.
func (h *Host) run(ctx context.Context, conn net.Conn, c *Call, do *Handlers) error {
	h.count(1)
	defer h.count(-1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSession(ctx, conn)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for {
			kind, payload, err := readFrame(conn)
			if err == nil {
				err = s.take(kind, payload, cancel)
			}
			if err != nil {
				s.lose()
				cancel()
				return
			}
		}
	}()
	out, errw := &Output{s, kindOut, c.Terminals[1]}, &Output{s, kindErr, c.Terminals[2]}
	status := h.guarded(func() int { return do.Run(ctx, c, &Input{s, c.Terminals[0]}, out, errw) }, errw)
	err := s.send(kindExit, appendNumber(nil, status))
	if err == nil {
		err = conn.SetReadDeadline(time.Now().Add(helloTime)) // the client has read it when it closes
	}
	if err != nil {
		conn.Close()
	}
	<-gone
	return err
}

// guarded keeps a command that panics from ending the server.
func (h *Host) guarded(run func() int, errw *Output) (status int) {
	defer func() {
		if r := recover(); r != nil {
			h.log.Warn("findspot: a command failed", "panic", r, "stack", string(debug.Stack()))
			fmt.Fprintf(errw, "findspot: internal error: %v; the server goes on, and its log has the details\n", r)
			status = 3
		}
	}()
	return run()
}

func (h *Host) count(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.running += n
	h.served += max(n, 0)
	h.used = time.Now()
}

// Close gives the index free: call it when the workspace is closed, so that the next server finds it so.
func (h *Host) Close() error {
	err := h.ln.Close() // which removes the socket
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	if rerr := os.Remove(filepath.Join(h.index, noteName)); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
		err = errors.Join(err, rerr)
	}
	err = errors.Join(err, h.lock.Unlock(), h.folder.Close())
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.waiting {
		c.Close()
	}
	return err
}
