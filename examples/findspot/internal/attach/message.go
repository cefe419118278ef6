package attach

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/findspot/findspot/internal/errs"
)

// protocol is the version of the frames behind hello.   1: first.
const protocol = 1

// An About says what a process is. Clients and servers that differ in Version or Format do not work together.
type About struct {
	Version string // of the program
	Format  int    // of the index
}

// hello is what both sides say first. Fields are only ever added.
type hello struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	Format   int    `json:"format"`
	UID      int    `json:"uid"`
	PID      int    `json:"pid"`
}

func (a About) hello() hello {
	return hello{Protocol: protocol, Version: a.Version, Format: a.Format, UID: os.Geteuid(), PID: os.Getpid()}
}

// A Stream says whether a stream of the command is a terminal, and how many columns it has; 0: unknown.
type Stream struct {
	Terminal bool `json:"terminal,omitempty"`
	Columns  int  `json:"columns,omitempty"`
}

// A Call is a command to run.
type Call struct {
	Args      []string          `json:"args"`
	Dir       string            `json:"dir"` // working folder, absolute
	Env       map[string]string `json:"env"`
	Terminals [3]Stream         `json:"terminals"` // of standard input, output and error
}

// A Note is the file serve.json in the folder of an index: who serves it.
type Note struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Socket  string    `json:"socket"` // absolute
	Address string    `json:"address,omitempty"`
	Started time.Time `json:"started"`
}

func writeJSON(w io.Writer, kind byte, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(data) > limit(kind) {
		return fmt.Errorf("%d bytes, at most %d are carried: %w", len(data), limit(kind), errs.TooLarge)
	}
	_, err = w.Write(appendFrame(nil, kind, data))
	return err
}

// expect reads a frame that must be of a kind, as JSON.
func expect(conn net.Conn, kind byte, v any) error {
	have, payload, err := readFrame(conn)
	switch {
	case err != nil:
		return err
	case have == kindFail:
		return errors.New(string(payload))
	case have != kind:
		return fmt.Errorf("a frame of kind %q, not %q: %w", have, kind, errs.Format)
	}
	return json.Unmarshal(payload, v)
}
