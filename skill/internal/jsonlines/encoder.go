package jsonlines

import (
	"fmt"

	"github.com/findspot/findspot/internal/errs"
)

const (
	maxRecord = 256 << 20 // bytes of a record, written or read
	maxLine   = 32 << 20  // bytes of one line of it
)

// An Encoder makes the lines of one record. Its zero value is ready. It is not safe for concurrent use.
type Encoder struct {
	texts texts
	size  int64
}

// Line is the line of an event that is given as compact JSON, with its line end.
func (e *Encoder) Line(event []byte) ([]byte, error) {
	if e.texts == nil {
		e.texts = texts{}
	}
	line := append(e.texts.fold(event), '\n')
	if e.size += int64(len(line)); e.size > maxRecord || len(line) > maxLine {
		return nil, fmt.Errorf("record: over %d bytes, or a line over %d: %w", maxRecord, maxLine, errs.TooLarge)
	}
	return line, nil
}
