package env

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

// A Terminal is a stream that may be one.
type Terminal interface {
	// Terminal returns whether the stream is a terminal, and how many columns it has; 0: unknown.
	Terminal() (columns int, ok bool)
}

// IsTerminal reports whether a stream is a terminal. One that does not say is none.
func IsTerminal(stream any) bool {
	t, ok := stream.(Terminal)
	if !ok {
		return false
	}
	_, ok = t.Terminal()
	return ok
}

// Styles reports whether terminals show bold letters and links, and the user wants them: see no-color.org.
func (e *Env) Styles() bool { return e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb" }

// CatchBrokenPipes makes a reader of standard output that leaves an error of writing, where it would end the process, until stop is called.
func (e *Env) CatchBrokenPipes() (stop func()) {
	if e.Served { // whose output is no stream of the process
		return func() {}
	}
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	return func() { signal.Stop(broken) }
}

// file is a stream of this process.
type file struct{ *os.File }

// Terminal implements [Terminal].
func (f *file) Terminal() (columns int, ok bool) {
	if !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, true // one that does not tell
	}
	return columns, true
}
