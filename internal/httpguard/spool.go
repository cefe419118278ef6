package httpguard

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"time"
)

// inMemory is how much of a body or an answer is kept in memory.
const inMemory = 64 << 10

var errTooLarge = errors.New("over the limit of bytes")

// A spool holds a body or an answer: the first bytes in memory, the rest in a temporary file that nobody else can open.
type spool struct {
	clients *clients
	client  *client
	max     int64

	size  int64
	first []byte
	file  *os.File
}

func (s *spool) Write(p []byte) (int, error) {
	if s.size+int64(len(p)) > s.max {
		return 0, errTooLarge
	}
	if s.file == nil && len(s.first)+len(p) <= inMemory {
		s.first = append(s.first, p...)
		s.size += int64(len(p))
		return len(p), nil
	}
	if s.file == nil {
		f, err := os.CreateTemp("", "findspot-http-*")
		if err != nil {
			return 0, err
		}
		s.file = f
		_ = os.Remove(f.Name()) // where an open file cannot be removed, Close does it
	}
	if !s.clients.take(s.client, int64(len(p))) {
		return 0, Errorf(http.StatusServiceUnavailable, "too much is under way at once: try again")
	}
	n, err := s.file.Write(p)
	s.size += int64(n)
	return n, err
}

// reader reads from the beginning.
func (s *spool) reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.first)
	}
	return io.MultiReader(bytes.NewReader(s.first), io.NewSectionReader(s.file, 0, s.size-int64(len(s.first))))
}

// Close gives the room back.
func (s *spool) Close() error {
	if s.file == nil {
		return nil
	}
	s.clients.take(s.client, int64(len(s.first))-s.size)
	err := s.file.Close()
	if rerr := os.Remove(s.file.Name()); !errors.Is(rerr, fs.ErrNotExist) {
		err = errors.Join(err, rerr)
	}
	return err
}

// A pace is the least rate at which a client must send or take bytes.
type pace struct {
	grace time.Duration // before the rate counts
	rate  int64         // bytes a second
}

// due is when so many bytes must be through.
func (p pace) due(began time.Time, n int64) time.Time {
	return began.Add(p.grace + time.Duration(n)*time.Second/time.Duration(p.rate))
}

// receive reads a body that comes at the least rate.
func (p pace) receive(to *spool, w http.ResponseWriter, body io.Reader) error {
	ctl, began, buf := http.NewResponseController(w), time.Now(), make([]byte, 32<<10)
	for {
		if err := ctl.SetReadDeadline(p.due(began, to.size)); err != nil {
			return err
		}
		n, err := body.Read(buf)
		if _, werr := to.Write(buf[:n]); errors.Is(werr, errTooLarge) {
			return Errorf(http.StatusRequestEntityTooLarge, "over the limit of %d bytes", to.max)
		} else if werr != nil {
			return werr
		}
		switch {
		case err == io.EOF:
			return nil // the server takes the deadline away
		case errors.Is(err, os.ErrDeadlineExceeded):
			return Errorf(http.StatusRequestTimeout, "the body comes too slowly: at least %d bytes a second", p.rate)
		case err != nil:
			return Errorf(http.StatusBadRequest, "the body is not whole: %v", err)
		}
	}
}

// send writes an answer that is taken at the least rate; a client that is slower loses the connection.
func (p pace) send(w http.ResponseWriter, from io.Reader) error {
	ctl, began, sent, buf := http.NewResponseController(w), time.Now(), int64(0), make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err := ctl.SetWriteDeadline(p.due(began, sent)); err != nil {
			return err
		}
		if _, err := w.Write(buf[:n]); err != nil {
			return err
		}
		if sent += int64(n); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
