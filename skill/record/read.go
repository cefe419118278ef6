package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill/internal/jsonlines"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
)

// An Error says which line of a record cannot be believed, and why. It wraps skill.ErrFormat.
type Error struct {
	Line   int // from 1
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("record, line %d: %s", e.Line, e.Reason) }

// Unwrap returns ErrFormat.
func (e *Error) Unwrap() error { return errs.Format }

// Read reads the events of a record in order. The first error ends it (the stop contract); for a line that is
// damaged, missing or cut off it is a [*Error], behind all events before it. Records are bounded: 256 MB, 32 MB a line.
func Read(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for l, err := range Lines(r) {
			if !yield(l.Event, err) || err != nil {
				return
			}
		}
	}
}

// A Line of a record, as it was written and as it is meant.
type Line struct {
	Raw   []byte // with its line end
	Event Event
}

func Lines(r io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for l, err := range jsonlines.Lines(r) {
			var bad *jsonlines.Error
			if errors.As(err, &bad) {
				err = &Error{bad.Line, bad.Reason}
			}
			if err != nil {
				yield(Line{}, err)
				return
			}
			e, err := parseEvent(l.Event, l.N)
			if err != nil {
				yield(Line{}, &Error{l.N, err.Error()})
				return
			}
			if !yield(Line{l.Raw, e}, nil) {
				return
			}
		}
	}
}

// parseEvent reads the event with number n.
func parseEvent(whole []byte, n int) (Event, error) {
	var head Stamp
	if err := json.Unmarshal(whole, &head); err != nil {
		return nil, fmt.Errorf("it is not an event: %v", err)
	}
	e := newEvent(head.Name)
	switch {
	case e == nil:
		return nil, fmt.Errorf("%q is not an event that this version knows", head.Name)
	case head.N != n:
		return nil, fmt.Errorf("it says it is event %d: a line is missing, twice there or moved", head.N)
	}
	run, first := e.(*Run)
	if first != (n == 1) {
		return nil, errors.New(`a record begins with the event "run", and has one of it`)
	}
	if first {
		var f struct {
			Format int `json:"format"`
		}
		if err := json.Unmarshal(whole, &f); err != nil || f.Format != recordFormat {
			return nil, fmt.Errorf("the record has format %d, and this version reads %d: run the skill again with --record", f.Format, recordFormat)
		}
	}
	if err := json.Unmarshal(whole, e); err != nil {
		return nil, fmt.Errorf("the event %q does not read: %v", head.Name, err)
	}
	if first {
		run.Inputs = jsonvalue.WholeNumbers(run.Inputs).(map[string]any)
	}
	return e, nil
}
