package jsonlines

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/findspot/findspot/internal/errs"
)

// A Line of a record, as it was written and as it is meant.
type Line struct {
	N     int    // from 1
	Raw   []byte // with its line end
	Event []byte // compact JSON, with all its texts
}

// An Error says what is wrong with a line.
type Error struct {
	Line   int // from 1
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// Lines reads the lines of a record. The first error ends it: an [*Error], or what r returned.
func Lines(r io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := bufio.NewReader(io.LimitReader(r, maxRecord+1))
		texts := texts{}
		budget := int64(maxRecord)
		size := 0
		for n := 1; ; n++ {
			raw, err := readLine(in)
			size += len(raw)
			bad := func(reason string) { yield(Line{}, &Error{n, reason}) }
			switch {
			case errors.Is(err, errs.TooLarge) || size > maxRecord:
				bad(fmt.Sprintf("over %d bytes, or the record over %d", maxLine, maxRecord))
				return
			case err == io.EOF && len(raw) == 0 && n == 1:
				bad("the record is empty")
				return
			case err == io.EOF && len(raw) == 0:
				return
			case err == io.EOF:
				bad("it is cut off: the record ends within it")
				return
			case err != nil:
				yield(Line{}, err)
				return
			}
			var b bytes.Buffer
			if err := json.Compact(&b, raw); err != nil {
				bad(fmt.Sprintf("it is not JSON: %v", err))
				return
			}
			whole, err := texts.unfold(b.Bytes(), &budget)
			if err != nil {
				bad(err.Error())
				return
			}
			if !yield(Line{n, raw, whole}, nil) {
				return
			}
		}
	}
}

// readLine reads one line with its end, bounded.
func readLine(in *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(out)+len(part) > maxLine {
			return nil, errs.TooLarge
		}
		out = append(out, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return out, err
		}
	}
}
