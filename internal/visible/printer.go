package visible

import (
	"fmt"
	"io"
)

// A Printer writes answers for people. It goes on after an error, and Err is the first one.
type Printer struct {
	W           io.Writer
	Open, Close string // stand before and behind each match
	Err         error
}

// Printf writes like [fmt.Fprintf]. Texts of others among args go through [Text] or [Mark] first.
func (p *Printer) Printf(format string, args ...any) {
	_, err := fmt.Fprintf(p.W, format, args...)
	p.Keep(err)
}

// Keep keeps an error of what wrote to W by itself.
func (p *Printer) Keep(err error) {
	if p.Err == nil {
		p.Err = err
	}
}
