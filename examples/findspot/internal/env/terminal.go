package env

import (
	"os"

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
