package mcpstdio

import (
	"bufio"
	"bytes"
	"errors"
)

// input is a line that is not blank, without its end, or that a line was too long, or why there are no more.
type input struct {
	line []byte
	long bool
	err  error
}

// blanks are what JSON takes for white space.
const blanks = " \t\r\n"

// bom is what some systems put before a text in UTF-8.
const bom = "\xef\xbb\xbf"

// readLines splits the input into lines. It holds one line at most, and of a line that is too long nothing but its last piece.
func (c *conn) readLines() {
	deliver := func(in input) bool {
		select {
		case c.read <- in:
			return true
		case <-c.closed:
			return false
		}
	}
	r := bufio.NewReaderSize(c.in, 64<<10)
	for first := true; ; first = false {
		line, long, err := c.readLine(r, func() bool { return deliver(input{long: true}) })
		if first {
			line = bytes.TrimPrefix(line, []byte(bom))
		}
		if line = bytes.Trim(line, blanks); !long && len(line) > 0 && !deliver(input{line: line}) {
			return
		}
		if err != nil {
			deliver(input{err: err})
			return
		}
	}
}

// readLine reads up to the end of a line, or of the input, which is an error beside the line. Of a line that is too long it
// says so at once, by tooLong, since its end may never come, and returns nothing.
func (c *conn) readLine(r *bufio.Reader, tooLong func() bool) (line []byte, long bool, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		if !long {
			if len(line)+len(bytes.TrimSuffix(piece, []byte("\n"))) > c.o.MaxLine {
				line, long = nil, true
				tooLong() // whether the session has ended is looked at below
			} else {
				line = append(line, piece...)
			}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
		select {
		case <-c.closed:
			return nil, long, errEnded
		default:
		}
	}
}
